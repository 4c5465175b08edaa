#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <string>
#include <utility>

#include <tenon/eval/along_axis/along_axis.hpp>
#include <tenon/eval/move_to.hpp>
#include <tenon/expr/gather/sort.hpp>
#include <tenon/numeric/positions.hpp>
#include <tenon/op/arithmetic.hpp>

/// Counts of numbers in bins, of integers and of equal elements; places in sorted numbers. Their
/// results are integers, which have no derivative.
namespace tenon::internal {

/// A tensor of counts: integers along one axis, in host memory.
template <class R>
concept CountLine = TensorType<R> && R::shape.rank == 1 && IntegerType<typename R::value_type> &&
                    R::device::is_host;

/// Zeros of a size that the type is checked for; throws `ShapeError`.
template <CountLine R>
R no_counts(std::string_view who, std::int64_t size) {
  Sizes const sizes = first_sizes(size);
  check_sizes_of<ShapeOf<R::spec>>(who, R::spec.view(), sizes);
  R counts = R::uninitialised(sizes);
  std::fill_n(counts.own_memory(), size, typename R::value_type{});
  return counts;
}

/// Bins of equal width, with edges in the dtype of the elements if that is floating; the last one
/// contains its end.
template <class T>
struct EqualBins {
  double low;
  double high;
  std::int64_t count;

  static double rounded(double x) {
    if constexpr (std::floating_point<T>) return static_cast<double>(static_cast<T>(x));
    else return x;
  }
  double edge(std::int64_t i) const {
    if (i == count) return high;
    return rounded(low + static_cast<double>(i) * ((high - low) / static_cast<double>(count)));
  }
  bool contains(double x) const { return x >= low && x <= high; }
  std::int64_t bin_of(double x) const {
    double const place = (x - low) / (high - low) * static_cast<double>(count);
    std::int64_t const i = (std::min)(static_cast<std::int64_t>(place), count - 1);
    if (x < edge(i)) return i - 1;
    return i + 1 < count && x >= edge(i + 1) ? i + 1 : i;
  }
};

/// Bins of equal width. Throws `ValueError` for bins without a width.
template <class T>
EqualBins<T> make_bins(double low, double high, std::int64_t count) {
  if (!(low < high) || !std::isfinite(high - low))
    fail<ValueError>({"histogram", "range", "finite bounds, low < high",
                      std::to_string(low) + " to " + std::to_string(high)});
  if (count < 1) fail<ValueError>({"histogram", "bins", "one or more", std::to_string(count)});
  return {EqualBins<T>::rounded(low), EqualBins<T>::rounded(high), count};
}

/// `void`, or the name of the reason why elements have no order.
template <class Name, class E>
constexpr auto order_mistake() {
  if constexpr (!SortableType<typename E::value_type>) return dtype_mistake<Name, E>();
  else return std::type_identity<void>{};
}
template <class Name, Expression X>
using OrderMistake = typename decltype(order_mistake<Name, Unqualified<X>>())::type;

/// The numbers of elements in bins of equal width from `low` to `high`, the last one with its end:
/// `histogram<Int64<"bin=10">>(x, 0, 1)`, or `histogram<Int64<"bin">>(x, 0, 1, bins)`. Elements
/// outside and NaN are not counted. x is of a real dtype, not of 16 bits; the counts are in host
/// memory. Throws `ValueError`, `ShapeError`. NumPy: `histogram`. PyTorch: `histc`.
template <CountLine R, Expression X>
  requires std::is_void_v<OrderMistake<Named<"histogram">, X>>
R histogram(X const& x, double low, double high, std::int64_t bins = R::shape[0].size) {
  auto const all = make_bins<typename X::value_type>(low, high, bins);
  R counts = no_counts<R>("histogram", bins);
  auto const here = host_value("histogram", x);
  for (std::int64_t i = 0; i < here.size(); ++i) {
    auto const number = static_cast<double>(stored_elements(here)[i]);
    if (all.contains(number)) ++counts.own_memory()[all.bin_of(number)];
  }
  return counts;
}
template <CountLine R, Expression X, class M = OrderMistake<Named<"histogram">, X>>
  requires(!std::is_void_v<M>)
auto histogram(X const& x, double low, double high, std::int64_t bins = 0) -> M;

/// Whether a comes before b: NaN is the largest.
template <class T>
constexpr bool precedes(T a, T b) {
  return a < b || (b != b && a == a);
}

/// The number of elements of a sorted line before x, or of those not behind x.
template <class T>
std::int64_t place_in(T const* line, std::int64_t size, T x, bool behind_equals) {
  auto const* const found = behind_equals ? std::upper_bound(line, line + size, x, precedes<T>)
                                          : std::lower_bound(line, line + size, x, precedes<T>);
  return found - line;
}

/// `void`, or the name of the reason why numbers have no places in sorted ones.
template <class Name, class Line, class X>
constexpr auto places_mistake() {
  if constexpr (!SortableType<typename X::value_type>) return dtype_mistake<Name, X>();
  else if constexpr (!SameDtype<Line, X>) return dtype_mistake<Name, Line, X>();
  else if constexpr (Line::shape.rank != 1) return rank_mistake<Name, Line, 1>();
  else return std::type_identity<void>{};
}
template <class Name, Expression Line, Expression X>
using PlacesMistake = typename decltype(places_mistake<Name, TensorOf<Line>, TensorOf<X>>())::type;

/// The counts between the edges: one less than there are edges.
template <class Edges>
struct BinsRule {
  static constexpr Shape shape = with_axis(Edges::shape, 0, plus(Edges::shape[0], -1));
};

/// The same in bins between ascending `edges`: "edge" gives `int64` counts "edge=edge-1". The last
/// bin contains its end. Throws `ValueError` for edges that do not ascend, or fewer than two.
template <Expression X, Expression E>
  requires std::is_void_v<PlacesMistake<Named<"histogram">, E const&, X const&>>
auto histogram(X const& x, E const& edges) {
  using R = Tensor<std::int64_t, spec_of<BinsRule<TensorOf<E const&>>>, Cpu>;
  auto const line = host_value("histogram", edges);
  auto const here = host_value("histogram", x);
  auto const *const first = stored_elements(line), *const last = first + line.size();
  if (line.size() < 2 || !std::is_sorted(first, last, precedes<typename X::value_type>))
    fail<ValueError>({"histogram", "edges", "two or more in ascending order", "others", {}});
  R counts = no_counts<R>("histogram", line.size() - 1);
  for (std::int64_t i = 0; i < here.size(); ++i) {
    auto const number = stored_elements(here)[i];
    std::int64_t const place = place_in(first, line.size(), number, true);
    if (number >= *first && number <= *(last - 1))
      ++counts.own_memory()[(std::min)(place, counts.size()) - 1];
  }
  return counts;
}
template <Expression X, Expression E,
          class M = PlacesMistake<Named<"histogram">, E const&, X const&>>
  requires(!std::is_void_v<M>)
auto histogram(X const& x, E const& edges) -> M;

/// How often each integer from 0 to the size of `R` occurs: `bincount<Int64<"word=100">>(ids)`, or
/// `bincount<Int64<"word">>(ids, n)`, in host memory. Sums of weights instead are `segment_sum`.
/// Throws `IndexError` for an integer outside, `ShapeError`. NumPy, PyTorch: `bincount`.
template <CountLine R, Expression I>
  requires IntegerType<typename I::value_type>
R bincount(I const& ids, std::int64_t size = R::shape[0].size) {
  R counts = no_counts<R>("bincount", size);
  auto const here = host_value("bincount", ids);
  check_ids("bincount", here, size);
  for (std::int64_t i = 0; i < here.size(); ++i)
    ++counts.own_memory()[static_cast<std::int64_t>(stored_elements(here)[i])];
  return counts;
}
template <CountLine R, Expression I>
  requires(!IntegerType<typename I::value_type>)
auto bincount(I const& ids, std::int64_t size = 0) ->
    typename decltype(dtype_mistake<Named<"bincount">, I>())::type;

}  // namespace tenon::internal

namespace tenon {

/// Where `searchsorted` puts a number among equal ones: before or behind them.
enum class SearchSide { left, right };

/// The distinct elements in ascending order, and how often each occurs. NumPy: the
/// result of `unique_counts`.
template <TensorType V, TensorType C>
struct Unique {
  V values;
  C counts;
};

}  // namespace tenon

namespace tenon::internal {

/// The positions at which numbers `x` of any axes keep the ascending numbers `line`, "n", sorted:
/// those before equal numbers, or behind. NaN is the largest. `int64`, of the axes of `x`. NumPy,
/// PyTorch: `searchsorted`.
template <Expression L, Expression X>
  requires std::is_void_v<PlacesMistake<Named<"searchsorted">, L const&, X const&>>
auto searchsorted(L const& line, X const& x, SearchSide side = SearchSide::left) {
  using R = Tensor<std::int64_t, TensorOf<X const&>::spec, Cpu>;
  auto const sorted = host_value("searchsorted", line);
  auto const here = host_value("searchsorted", x);
  R places = R::uninitialised(here.sizes());
  auto* const to = places.own_memory();
  for (std::int64_t i = 0; i < here.size(); ++i)
    to[i] = place_in(stored_elements(sorted), sorted.size(), stored_elements(here)[i],
                     side == SearchSide::right);
  return moved_to<typename TensorOf<X const&>::device>(places);
}
template <Expression L, Expression X,
          class M = PlacesMistake<Named<"searchsorted">, L const&, X const&>>
  requires(!std::is_void_v<M>)
auto searchsorted(L const& line, X const& x, SearchSide side = SearchSide::left) -> M;

/// The distinct elements in ascending order, with their counts as `int64`: of "t" they are "t=_",
/// of more axes "_". NaN is one value, the largest; -0 is 0. They have no gradient. NumPy:
/// `unique(return_counts=True)`.
template <Expression X>
  requires std::is_void_v<OrderMistake<Named<"unique">, X>>
auto unique(X const& x) {
  using T = typename X::value_type;
  constexpr auto spec = spec_of<LineOfRule<X, X::shape.rank == 1 ? 0 : -1>>;
  auto line = host_value("unique", x);
  T *const first = line.own_memory(), *const last = first + line.size();
  std::sort(first, last, precedes<T>);
  std::int64_t size = 0;
  for (T* at = first; at != last; ++at) size += at == first || precedes(at[-1], at[0]);
  auto values = Tensor<T, spec, Cpu>::uninitialised(first_sizes(size));
  auto counts = no_counts<Tensor<std::int64_t, spec, Cpu>>("unique", size);
  std::int64_t number = -1;
  for (T* at = first; at != last; ++at) {
    if (at == first || precedes(at[-1], at[0]))
      values.own_memory()[++number] = op::Add::f(*at, T{});  // 0 for -0
    ++counts.own_memory()[number];
  }
  using D = typename X::device;
  return Unique<Tensor<T, spec, D>, Tensor<std::int64_t, spec, D>>{moved_to<D>(values),
                                                                   moved_to<D>(counts)};
}
template <Expression X, class M = OrderMistake<Named<"unique">, X>>
  requires(!std::is_void_v<M>)
auto unique(X const& x) -> M;
template <class X, class R = Refused<Named<"unique">, X>>
auto unique(X const&) -> R;

}  // namespace tenon::internal

namespace tenon {

using internal::bincount;
using internal::histogram;
using internal::searchsorted;
using internal::unique;

}  // namespace tenon
