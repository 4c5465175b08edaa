#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include <tenon/eval/evaluate.hpp>
#include <tenon/expr/contract/matmul.hpp>
#include <tenon/expr/gather/sort.hpp>
#include <tenon/expr/reduction/norms.hpp>
#include <tenon/expr/view/slice.hpp>
#include <tenon/expr/view/views.hpp>

/// Reductions that skip NaN, averages, differences, quantiles and covariances.
namespace tenon::internal {

/// Of a 16-bit dtype they are numbers of `float`, which follow the tensor.
template <class T>
inline constexpr Computed<T> infinity_of = std::numeric_limits<Computed<T>>::infinity();
template <class T>
inline constexpr Computed<T> nan_of = std::numeric_limits<Computed<T>>::quiet_NaN();

/// A reduction of floating numbers along `axes`.
template <class Name, Axes axes, class X>
concept ReducesFloats = Expression<X> && std::is_void_v<RootMistake<Name, axes, X>>;
/// The error of an expression that has none.
template <class Name, Axes axes, class X>
  requires(!ReducesFloats<Name, axes, X>)
using FloatReductionError = RootMistake<Name, axes, X>;

/// The sum without NaN; 0 where all are NaN. PyTorch: `nansum`.
template <Axes axes = every, class X, std::same_as<Keep>... K>
  requires ReducesFloats<Named<"nansum">, axes, X>
constexpr auto nansum(X&& x, K... kept) {
  auto const& named = x;
  return sum<axes>(where(isnan(named), 0, named), kept...);
}
template <Axes axes = every, Expression X, std::same_as<Keep>... K,
          class R = FloatReductionError<Named<"nansum">, axes, X>>
auto nansum(X&& x, K... kept) -> R;
template <Axes = every, class X, class R = Refused<Named<"nansum">, X>>
auto nansum(X const&) -> R;

/// The mean without NaN; NaN where all are NaN. PyTorch: `nanmean`.
template <Axes axes = every, class X, std::same_as<Keep>... K>
  requires ReducesFloats<Named<"nanmean">, axes, X>
constexpr auto nanmean(X&& x, K... kept) {
  auto const& named = x;
  using T = typename Unqualified<X>::value_type;
  return nansum<axes>(named, kept...) / sum<axes>(to<T>(!isnan(named)), kept...);
}
template <Axes axes = every, Expression X, std::same_as<Keep>... K,
          class R = FloatReductionError<Named<"nanmean">, axes, X>>
auto nanmean(X&& x, K... kept) -> R;
template <Axes = every, class X, class R = Refused<Named<"nanmean">, X>>
auto nanmean(X const&) -> R;

/// The maximum without NaN; NaN where all are NaN. NumPy: `nanmax`.
template <Axes axes = every, class X, std::same_as<Keep>... K>
  requires ReducesFloats<Named<"nanmax">, axes, X>
constexpr auto nanmax(X&& x, K... kept) {
  auto const& named = x;
  using T = typename Unqualified<X>::value_type;
  auto const largest = reduction<op::MaxReduction, axes, keeps_axes<K...>>(
      where(isnan(named), -infinity_of<T>, named));
  auto const number = sum<axes>(to<T>(!isnan(named)), kept...);
  return where(number == 0, nan_of<T>, largest);
}
template <Axes axes = every, Expression X, std::same_as<Keep>... K,
          class R = FloatReductionError<Named<"nanmax">, axes, X>>
auto nanmax(X&& x, K... kept) -> R;
template <Axes = every, class X, class R = Refused<Named<"nanmax">, X>>
auto nanmax(X const&) -> R;

/// The minimum without NaN; NaN where all are NaN. NumPy: `nanmin`.
template <Axes axes = every, class X, std::same_as<Keep>... K>
  requires ReducesFloats<Named<"nanmin">, axes, X>
constexpr auto nanmin(X&& x, K... kept) {
  return -nanmax<axes>(-std::forward<X>(x), kept...);
}
template <Axes axes = every, Expression X, std::same_as<Keep>... K,
          class R = FloatReductionError<Named<"nanmin">, axes, X>>
auto nanmin(X&& x, K... kept) -> R;
template <Axes = every, class X, class R = Refused<Named<"nanmin">, X>>
auto nanmin(X const&) -> R;

/// The range of the values, maximum minus minimum. NumPy: `ptp`.
template <Axes axes = every, class X, std::same_as<Keep>... K>
  requires ReducesFloats<Named<"ptp">, axes, X>
constexpr auto ptp(X&& x, K...) {
  auto const& named = x;
  return reduction<op::MaxReduction, axes, keeps_axes<K...>>(named) -
         reduction<op::MinReduction, axes, keeps_axes<K...>>(named);
}
template <Axes axes = every, Expression X, std::same_as<Keep>... K,
          class R = FloatReductionError<Named<"ptp">, axes, X>>
auto ptp(X&& x, K... kept) -> R;
template <Axes = every, class X, class R = Refused<Named<"ptp">, X>>
auto ptp(X const&) -> R;

/// The number of elements that are not zero, NaN among them, as `int64`. PyTorch: `count_nonzero`.
template <Axes axes = every, Expression X, std::same_as<Keep>... K>
  requires std::is_void_v<MeanMistake<Named<"count_nonzero">, axes, X>>
constexpr auto count_nonzero(X&& x, K... kept) {
  return sum<axes>(to<std::int64_t>(to<bool>(std::forward<X>(x))), kept...);
}
template <Axes axes = every, Expression X, std::same_as<Keep>... K,
          class R = MeanMistake<Named<"count_nonzero">, axes, X>>
  requires(!std::is_void_v<R>)
auto count_nonzero(X&& x, K... kept) -> R;
template <Axes = every, class X, class R = Refused<Named<"count_nonzero">, X>>
auto count_nonzero(X const&) -> R;

/// The mean with weights, which have the axes `axes` and broadcast: sum(w x) / sum(w). NumPy:
/// `average`.
template <Axes axes = every, class X, Expression W>
  requires ReducesFloats<Named<"average">, axes, X> && ReducesFloats<Named<"average">, axes, W> &&
           WellFormed<MapOf<op::Mul, X const&, W const&>>
constexpr auto average(X const& x, W const& weights) {
  return sum<axes>(x * weights) / sum<axes>(weights);
}
template <Axes axes = every, Expression X, Expression W,
          class R = FloatReductionError<Named<"average">, axes, X>>
auto average(X const& x, W const& weights) -> R;
template <Axes axes = every, class X, Expression W, Mistake R = MapOf<op::Mul, X const&, W const&>>
  requires ReducesFloats<Named<"average">, axes, X>
auto average(X const& x, W const& weights) -> R;
template <Axes = every, class X, class W, class R = Refused<Named<"average">, X, W>>
auto average(X const&, W const&) -> R;

/// Names the reason why `X` has no differences along an axis; `void` where it has.
template <Axes axis, Expression X>
constexpr auto diff_mistake() {
  using chosen = typename decltype(axes_mistake<Named<"diff">, axis, 1, Unqualified<X>>())::type;
  if constexpr (!std::is_void_v<chosen>) return std::type_identity<chosen>{};
  else if constexpr (BoolType<typename Unqualified<X>::value_type>)
    return dtype_mistake<Named<"diff">, Unqualified<X>>();
  else return std::type_identity<SliceMistake<axis, StaticRange<1, to_end>, X>>{};
}
template <Axes axis, Expression X>
using DiffMistake = typename decltype(diff_mistake<axis, X>())::type;

/// The differences of neighbours along an axis: `t` becomes `t=t-1`. PyTorch: `diff`.
template <Axes axis, Expression X>
  requires std::is_void_v<DiffMistake<axis, X const&>>
constexpr auto diff(X const& x) {
  return slice<axis, 1, to_end>(x) - slice<axis, 0, -1>(x);
}
template <Axes axis, Expression X, class R = DiffMistake<axis, X const&>>
  requires(!std::is_void_v<R>)
auto diff(X const& x) -> R;
template <Axes, class X, class R = Refused<Named<"diff">, X>>
auto diff(X const&) -> R;

/// The integral along an axis by the trapezoidal rule, for points at distance `dx`. PyTorch:
/// `trapezoid`.
template <Axes axis, class X>
  requires ReducesFloats<Named<"trapezoid">, axis, X>
constexpr auto trapezoid(X const& y, double dx = 1) {
  using T = Computed<typename X::value_type>;
  return sum<axis>(slice<axis, 1, to_end>(y) + slice<axis, 0, -1>(y)) * static_cast<T>(dx / 2);
}
template <Axes axis, Expression X, class R = FloatReductionError<Named<"trapezoid">, axis, X>>
auto trapezoid(X const& y, double dx = 1) -> R;

/// The same for points at `x`, which has the axis. Throws `ShapeError` where run-time sizes differ.
template <Axes axis, class Y, Expression X>
  requires ReducesFloats<Named<"trapezoid">, axis, Y> &&
           WellFormed<MapOf<op::Mul, Y const&, X const&>>
constexpr auto trapezoid(Y const& y, X const& x) {
  using T = Computed<typename Y::value_type>;
  auto const both = slice<axis, 1, to_end>(y) + slice<axis, 0, -1>(y);
  return sum<axis>(both * diff<axis>(x)) * T(0.5);
}
template <Axes axis, Expression Y, Expression X, Mistake R = MapOf<op::Mul, Y const&, X const&>>
auto trapezoid(Y const& y, X const& x) -> R;
template <Axes, class... X, class R = Refused<Named<"trapezoid">, X...>>
auto trapezoid(X const&...) -> R;

/// One element of a line, by its position, of each line.
template <Axes axis, class X>
auto element_of_lines(X const& x, std::int64_t place) {
  return eval(sum<axis>(slice<axis, 1>(x, place)));
}

/// Where a quantile is in a sorted line, from 0 to `size` - 1.
inline double place_of_quantile(std::int64_t size, double q) {
  if (!(q >= 0 && q <= 1))
    fail<ValueError>(
        {.who = "quantile", .what = "q", .expected = "from 0 to 1", .got = std::to_string(q)});
  if (size == 0) throw ValueError("tenon::quantile: an empty axis");
  return q * static_cast<double>(size - 1);
}

/// What sorts the elements along an axis for the function of that name.
template <class Name, Axes axis, Expression X>
using SortedFor = typename decltype(sort_type<Name, typename Unqualified<X>::value_type, axis,
                                              Unqualified<X>>())::type;

/// The value below which a share `q` of the elements is, along an axis, between two elements by
/// linear interpolation; NaN for a line with NaN. Throws `ValueError` for a `q` outside of 0 to 1,
/// or an empty axis. PyTorch: `quantile`.
template <Axes axis, class X>
  requires ReducesFloats<Named<"quantile">, axis, X> && WellFormed<SortedTensor<axis, X const&>>
auto quantile(X const& x, double q) {
  using T = typename X::value_type;
  auto const line = sort<axis>(x);
  std::int64_t const size = at(line.sizes(), Chosen<axis, X>::value.axis());
  double const place = place_of_quantile(size, q), below = std::floor(place);
  auto const first = static_cast<std::int64_t>(below);
  auto const low = element_of_lines<axis>(line, first);
  auto const last = element_of_lines<axis>(line, size - 1);
  auto const high = element_of_lines<axis>(line, (std::min)(first + 1, size - 1));
  auto const share = static_cast<T>(place - below);
  return eval(where(isnan(last), last, share == 0 ? low : eval(low + share * (high - low))));
}
template <Axes axis, Expression X, class R = FloatReductionError<Named<"quantile">, axis, X>>
auto quantile(X const& x, double q) -> R;
template <Axes axis, class X, IllFormed R = SortedFor<Named<"quantile">, axis, X>>
  requires ReducesFloats<Named<"quantile">, axis, X>
auto quantile(X const& x, double q) -> R;
template <Axes, class X, class R = Refused<Named<"quantile">, X>>
auto quantile(X const&, double) -> R;

/// The value in the middle along an axis, of an even number the mean of two; NaN for a line with
/// NaN. Throws `ValueError` for an empty axis. NumPy: `median` (PyTorch's takes the lower of two).
template <Axes axis, class X>
  requires ReducesFloats<Named<"median">, axis, X> && WellFormed<SortedTensor<axis, X const&>>
auto median(X const& x) {
  return quantile<axis>(x, 0.5);
}
template <Axes axis, Expression X, class R = FloatReductionError<Named<"median">, axis, X>>
auto median(X const& x) -> R;
template <Axes axis, class X, IllFormed R = SortedFor<Named<"median">, axis, X>>
  requires ReducesFloats<Named<"median">, axis, X>
auto median(X const& x) -> R;
template <Axes, class X, class R = Refused<Named<"median">, X>>
auto median(X const&) -> R;

/// A matrix of variables and samples, with the samples last.
template <Axes samples, class X>
constexpr auto with_samples_last(X const& x) {
  if constexpr (Chosen<samples, X>::value.axis() == 1) return eval(x);
  else return eval(transpose(x));
}

/// Whether `X` is a matrix of floating numbers with the axis.
template <class Name, Axes samples, class X>
concept Samples = ReducesFloats<Name, samples, X> && X::shape.rank == 2;
/// The error of `X` that is no matrix.
template <class Name, class X>
  requires(X::shape.rank != 2)
using SamplesMistake =
    error::wrong_number_of_axes<spec_of_name<Name>, spec_of<X>, 2, X::shape.rank>;

/// The covariances of variables over an axis of samples: "feature=3 sample" gives "feature=3
/// feature=3". It is divided by the number of samples less `correction`. PyTorch: `cov`.
template <Axes samples, class X>
  requires Samples<Named<"cov">, samples, X>
auto cov(X const& x, int correction = 1) {
  using T = Computed<typename X::value_type>;
  auto const rows = with_samples_last<samples>(x);
  auto const centered = eval(rows - mean<1>(rows, keep));
  auto const number = static_cast<T>(at(rows.sizes(), 1) - correction);
  return eval(matmul(centered, transpose(centered)) / number);
}

template <Axes samples, Expression X, class R = FloatReductionError<Named<"cov">, samples, X>>
auto cov(X const& x, int correction = 1) -> R;
template <Axes samples, Expression X, class R = SamplesMistake<Named<"cov">, X>>
  requires ReducesFloats<Named<"cov">, samples, X>
auto cov(X const& x, int correction = 1) -> R;
template <Axes, class X, class R = Refused<Named<"cov">, X>>
auto cov(X const&, int = 1) -> R;

/// The correlation coefficients of variables over an axis of samples: "feature=3 sample" gives
/// "feature=3 feature=3". PyTorch: `corrcoef`.
template <Axes samples, class X>
  requires Samples<Named<"corrcoef">, samples, X>
auto corrcoef(X const& x) {
  auto const rows = with_samples_last<samples>(x);
  auto const centered = eval(rows - mean<1>(rows, keep));
  auto const scaled = eval(centered / norm<1>(centered, keep));
  return eval(matmul(scaled, transpose(scaled)));
}
template <Axes samples, Expression X, class R = FloatReductionError<Named<"corrcoef">, samples, X>>
auto corrcoef(X const& x) -> R;
template <Axes samples, Expression X, class R = SamplesMistake<Named<"corrcoef">, X>>
  requires ReducesFloats<Named<"corrcoef">, samples, X>
auto corrcoef(X const& x) -> R;
template <Axes, class X, class R = Refused<Named<"corrcoef">, X>>
auto corrcoef(X const&) -> R;

}  // namespace tenon::internal

namespace tenon {

using internal::average;
using internal::corrcoef;
using internal::count_nonzero;
using internal::cov;
using internal::diff;
using internal::median;
using internal::nanmax;
using internal::nanmean;
using internal::nanmin;
using internal::nansum;
using internal::ptp;
using internal::quantile;
using internal::trapezoid;

}  // namespace tenon
