#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include <tenon/eval/along_axis/scan.hpp>
#include <tenon/eval/move_to.hpp>
#include <tenon/expr/gather/sort.hpp>
#include <tenon/expr/reduction/norms.hpp>

/// Cumulative extremes, and cumulative sums of exponentials.
namespace tenon::internal {

/// The tensor that a scan of numbers returns, or an undefined type that names the error.
template <class Name, Axes axis, Expression X>
using ScannedTensor = typename decltype(sort_type<Name, typename Unqualified<X>::value_type, axis,
                                                  Unqualified<X>>())::type;

/// The extreme so far and its position.
template <class T>
struct RunningExtreme {
  T value{};
  std::int32_t place = 0;
  std::int32_t next = 0;

  template <bool largest>
  void add(T x) {
    bool const is_behind = largest ? x < value : value < x;
    if (next == 0 || (value == value && !is_behind)) value = x, place = next;
    ++next;
  }
};

/// The positions of the last extreme up to each element along an axis.
template <bool largest, TensorType R>
auto running_extremes(R const& x, int axis) {
  using T = typename R::value_type;
  using Places = Tensor<std::int32_t, R::spec, Cpu>;
  Places places = Places::uninitialised(x.sizes());
  T const* const from = stored_elements(x);
  std::int32_t* const to = places.own_memory();
  for_each_along_axis(x, axis, [=](AlongAxis const& lines) {
    carry_along(lines, RunningExtreme<T>{}, [=](std::int64_t at, RunningExtreme<T>& extreme) {
      extreme.template add<largest>(from[at]);
      to[at] = extreme.place;
    });
  });
  return places;
}

template <class Name, bool largest, Axes axis, class R, class X>
R cumulative_extreme(X&& x) {
  check_positions<Name, axis>(x);
  tracing::refuse_while_on(Name::name);
  auto const value = keep_value(std::forward<X>(x));
  auto const places = running_extremes<largest>(moved_to<Cpu>(unmarked_leaves(value)),
                                                Chosen<axis, R>::value.axis());
  return evaluate_expression(take_along<axis>(value, moved_to<typename R::device>(places)));
}

/// The largest element so far along an axis: 1 3 2 gives 1 3 3; from a NaN on it is NaN. The
/// gradient is that of the last of equal elements. PyTorch: `cummax` (its values). NumPy:
/// `maximum.accumulate`.
template <Axes axis, Expression X, WellFormed R = ScannedTensor<Named<"cummax">, axis, X>>
auto cummax(X&& x) -> R {
  return cumulative_extreme<Named<"cummax">, true, axis, R>(std::forward<X>(x));
}
template <Axes axis, Expression X, IllFormed R = ScannedTensor<Named<"cummax">, axis, X>>
auto cummax(X&& x) -> R;
template <Axes, class... X, class R = Refused<Named<"cummax">, X...>>
auto cummax(X const&...) -> R;

/// The smallest element so far along an axis, likewise. PyTorch: `cummin`. NumPy:
/// `minimum.accumulate`.
template <Axes axis, Expression X, WellFormed R = ScannedTensor<Named<"cummin">, axis, X>>
auto cummin(X&& x) -> R {
  return cumulative_extreme<Named<"cummin">, false, axis, R>(std::forward<X>(x));
}
template <Axes axis, Expression X, IllFormed R = ScannedTensor<Named<"cummin">, axis, X>>
auto cummin(X&& x) -> R;
template <Axes, class... X, class R = Refused<Named<"cummin">, X...>>
auto cummin(X const&...) -> R;

/// A sum of exponentials, divided by that of the largest exponent.
template <class C>
struct RunningExponentials {
  C most = -std::numeric_limits<C>::infinity();
  C sum = 0;

  void add(C x) {
    if (x > most || x != x) sum = sum * std::exp(most - x) + 1, most = x;
    else sum += x == most ? C(1) : std::exp(x - most);
  }
  C logarithm() const { return most + std::log(sum); }
};

/// The logarithms of the cumulative sums of exponentials, of elements in host memory.
template <TensorType R>
R scan_exponentials(R const& x, int axis, bool reversed) {
  using T = typename R::value_type;
  using Sum = RunningExponentials<ScanCarry<T>>;
  R y = R::uninitialised(x.sizes());
  T const* const from = stored_elements(x);
  T* const to = y.own_memory();
  for_each_along_axis(x, axis, [=](AlongAxis const& lines) {
    carry_along(reversed ? lines.reversed() : lines, Sum{}, [=](std::int64_t at, Sum& sum) {
      sum.add(static_cast<ScanCarry<T>>(from[at]));
      to[at] = static_cast<T>(sum.logarithm());
    });
  });
  return y;
}

/// log(dy) - y where dy is positive, else log(0); so where y is log(0). NaN stays.
template <TensorType R>
R logarithmic_adjoint(R const& dy, R const& y) {
  using T = typename R::value_type;
  constexpr T nothing = -std::numeric_limits<T>::infinity();
  auto const counts = eval(!(dy <= 0) && !(y <= nothing));
  return where(counts, log(where(counts, dy, 1)) - where(counts, y, 0), nothing);
}

/// The function and its derivative, exp(x[j]) times the sum of dy[i] exp(-y[i]) for i >= j, which
/// is of the same kind for the positive and the negative dy.
template <TensorType R>
R logcumsumexp_along(R const& x, int axis, bool reversed) {
  auto const forward = [=](R const& at) -> R {
    auto const here = moved_to<Cpu>(at);
    return moved_to<typename R::device>(scan_exponentials(here, axis, reversed));
  };
  auto const backward = [=](R const& dy, R const& y, R const& at) -> R {
    R const above = logcumsumexp_along(logarithmic_adjoint<R>(dy, y), axis, !reversed);
    R const below = logcumsumexp_along(logarithmic_adjoint<R>(-dy, y), axis, !reversed);
    return exp(above + at) - exp(below + at);
  };
  return custom_vjp(forward, backward)(x);
}

/// The tensor that `logcumsumexp` returns, or an undefined type that names the error.
template <Axes axis, class E>
constexpr auto logcumsumexp_type() {
  using Name = Named<"logcumsumexp">;
  using T = typename E::value_type;
  if constexpr (!FloatType<T> || HalfType<T>) return dtype_mistake<Name, E>();
  else return sort_type<Name, T, axis, E>();
}
template <Axes axis, Expression X>
using LogcumsumexpOf = typename decltype(logcumsumexp_type<axis, Unqualified<X>>())::type;

/// The logarithm of the cumulative sum of exponentials along an axis, without overflow.
/// y[i] = log(e^x[0] + ... + e^x[i])
/// Of `float` (added in `double`) or `double`. PyTorch: `logcumsumexp`.
template <Axes axis, Expression X, WellFormed R = LogcumsumexpOf<axis, X>>
auto logcumsumexp(X&& x) -> R {
  tracing::refuse_while_on("logcumsumexp");
  return logcumsumexp_along(keep_value(std::forward<X>(x)), Chosen<axis, R>::value.axis(), false);
}
template <Axes axis, Expression X, IllFormed R = LogcumsumexpOf<axis, X>>
auto logcumsumexp(X&& x) -> R;
template <Axes, class... X, class R = Refused<Named<"logcumsumexp">, X...>>
auto logcumsumexp(X const&...) -> R;

}  // namespace tenon::internal

namespace tenon {

using internal::cummax;
using internal::cummin;
using internal::logcumsumexp;

}  // namespace tenon
