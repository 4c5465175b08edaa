#pragma once

#include <array>
#include <concepts>
#include <type_traits>

#include <tenon/eval/along_axis/along_axis.hpp>
#include <tenon/eval/custom.hpp>
#include <tenon/expr/map/functions.hpp>
#include <tenon/op/reduction.hpp>

/// Cumulative sums and products. Their backward functions are closed under differentiation: linear
/// recurrences and shifts by one position.
namespace tenon::internal {

/// The dtype of a scan's accumulator: `double` for `float`, so that long scans stay accurate.
template <class T>
using ScanCarry = std::conditional_t<std::same_as<T, float>, double, Computed<T>>;

/// Walks slices position by position: `f(at, carry)` computes the element at a position from the
/// carry and updates the carry. A single slice has its carry in a register.
template <class C, class F>
void carry_along(AlongAxis const& lines, C first, F const& f) {
  auto const walk = [&]<std::int64_t most>(auto width) {
    std::array<C, std::size_t{most}> carry;
    std::fill_n(carry.data(), width, first);
    for (std::int64_t i = 0, at = lines.start; i < lines.length; ++i, at += lines.step)
      for (std::int64_t j = 0; j < width; ++j) f(at + j, carry[static_cast<std::size_t>(j)]);
  };
  if (lines.width == 1) walk.template operator()<1>(std::integral_constant<std::int64_t, 1>());
  else walk.template operator()<most_lines>(lines.width);
}

/// The cumulative reduction along an axis, from its beginning or from its end.
template <class Op, TensorType R>
R accumulated(R const& x, int axis, bool reversed) {
  using T = typename R::value_type;
  R y = R::uninitialised(x.sizes());
  T const* const from = x.data();
  T* const to = y.own_memory();
  for_each_along_axis(x, axis, [=](AlongAxis const& lines) {
    carry_along(reversed ? lines.reversed() : lines, Op::template identity<ScanCarry<T>>,
                [=](std::int64_t at, ScanCarry<T>& carry) {
                  carry = Op::f(carry, static_cast<ScanCarry<T>>(from[at]));
                  to[at] = static_cast<T>(carry);
                });
  });
  return y;
}

/// The cumulative sum; its backward is the cumulative sum in the other direction.
template <TensorType R>
R cumsum_along(R const& x, int axis, bool reversed = false) {
  if (tracing::is_on()) {
    std::array<std::int64_t, 2> const numbers{axis, reversed};
    return tracing::called(
        "cumsum", x.sizes(), numbers, [&] { return cumsum_along(x, axis, reversed); }, x);
  }
  if constexpr (!R::device::is_host) {
    return BackendOf<typename R::device>::cumsum(x, axis, reversed);
  } else {
    auto const forward = [=](R const& at) {
      return accumulated<op::SumReduction>(at, axis, reversed);
    };
    if constexpr (!InexactType<typename R::value_type>) return forward(x);
    else {
      return custom_vjp(forward, [=](R const& dy, R const&, R const&) -> R {
        return cumsum_along(dy, axis, !reversed);
      })(x);
    }
  }
}

/// A slice shifted by one position, `fill` at its beginning; or shifted back, `fill` at its end.
template <TensorType R>
R preceding(R const& x, int axis, typename R::value_type fill, bool reversed = false) {
  using T = typename R::value_type;
  auto const forward = [=](R const& moved) {
    R y = R::uninitialised(moved.sizes());
    T const* const from = moved.data();
    T* const to = y.own_memory();
    for_each_along_axis(moved, axis, [=](AlongAxis const& lines) {
      carry_along(reversed ? lines.reversed() : lines, fill,
                  [=](std::int64_t at, T& before) { to[at] = std::exchange(before, from[at]); });
    });
    return y;
  };
  return custom_vjp(forward, [=](R const& dy, R const&, R const&) -> R {
    return preceding(dy, axis, T(0), !reversed);
  })(x);
}

/// y[i] = b[i] + a[i] y[i-1]; from the end, y[i] = b[i] + a[i+1] y[i+1].
template <TensorType R>
R recurrence(R const& a, R const& b, int axis, bool reversed) {
  using T = typename R::value_type;
  struct Before {
    Computed<T> factor = 0;
    ScanCarry<T> y = 0;
  };
  R y = R::uninitialised(b.sizes());
  T const *const p = a.data(), *const q = b.data();
  T* const to = y.own_memory();
  for_each_along_axis(b, axis, [=](AlongAxis const& lines) {
    carry_along(reversed ? lines.reversed() : lines, Before{}, [=](auto at, Before& before) {
      auto const here = static_cast<Computed<T>>(p[at]);
      auto const factor = reversed ? std::exchange(before.factor, here) : here;
      before.y = static_cast<ScanCarry<T>>(q[at]) + factor * before.y;
      to[at] = static_cast<T>(before.y);
    });
  });
  return y;
}

/// The recurrence in either direction: each is the other's backward.
template <TensorType R>
R recurred(R const& a, R const& b, int axis, bool reversed) {
  using T = typename R::value_type;
  auto const forward = [=](R const& p, R const& q) { return recurrence(p, q, axis, reversed); };
  return custom_vjp(forward, [=](R const& dy, R const& y, R const& p, R const&) {
    R const dq = recurred(p, dy, axis, !reversed);
    R const dp = reversed ? R(y * preceding(dq, axis, T(0))) : R(dq * preceding(y, axis, T(0)));
    return std::tuple<R, R>(dp, dq);
  })(a, b);
}

/// The cumulative product. With s[i] = dy[i] + x[i+1] s[i+1] its derivative is s[i] y[i-1]: without
/// a division, so exact at zeros.
template <TensorType R>
R cumprod_along(R const& x, int axis) {
  tracing::refuse_while_on("cumprod");
  if constexpr (!R::device::is_host) {
    return BackendOf<typename R::device>::cumprod(x, axis);
  } else {
    using T = typename R::value_type;
    auto const forward = [=](R const& at) {
      return accumulated<op::ProdReduction>(at, axis, false);
    };
    if constexpr (!InexactType<T>) return forward(x);
    else {
      return custom_vjp(forward, [=](R const& dy, R const& y, R const& factors) -> R {
        return recurred(factors, dy, axis, true) * preceding(y, axis, T(1));
      })(x);
    }
  }
}

}  // namespace tenon::internal
