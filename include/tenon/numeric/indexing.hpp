#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

#include <tenon/expr/map/functions.hpp>
#include <tenon/numeric/positions.hpp>
#include <tenon/numeric/sum_at.hpp>

/// Sums at positions, sums of segments, elements at several indices, and elements by a mask.
namespace tenon::internal {

/// `x` with `values` added to the slices at `ids` along an axis, at equal ids all of them, one
/// after the other: the axes of `values` are those of `x`, with those of `ids` for the axis.
/// Of numbers, except those of 16 bits; ids are integers. Gradients reach `x` and `values`. Throws
/// `IndexError`, `ShapeError`. PyTorch: `index_add`. JAX: `x.at[ids].add(values)`.
template <Axes axis, class X, class I, class V>
  requires AddsAt<Named<"index_add">, axis, false, X const&, I const&, V const&>
auto index_add(X const& x, I const& ids, V const& values) {
  tracing::refuse_while_on("index_add");
  using R = TensorOf<X const&>;
  constexpr int along = Chosen<axis, R>::value.axis();
  auto const places = unmarked_leaves(eval(ids));
  auto const added = eval(values);
  check_ids("index_add", places, at(x.sizes(), along));
  check_replacement<ReplacementRule<R, TensorOf<I const&>, along>>(x, places, added, along);
  return eval(x + sum_at<R, along, false>(added, places, x.sizes()));
}
template <Axes axis, Expression X, Expression I, Expression V,
          class R = SumMistake<Named<"index_add">, axis, false, X const&, I const&, V const&>>
  requires(!std::is_void_v<R>)
auto index_add(X const& x, I const& ids, V const& values) -> R;
template <Axes, class... X, class R = Refused<Named<"index_add">, X...>>
auto index_add(X const&...) -> R;

/// `x` with `values` added to the elements at `ids` along an axis, the inverse of `take_along`:
/// `ids` and `values` have the axes of `x`, with another size of this one. Of numbers, except those
/// of 16 bits; ids are integers. Gradients reach `x` and `values`. Throws `IndexError`,
/// `ShapeError`. PyTorch: `scatter_add`.
template <Axes axis, class X, class I, class V>
  requires AddsAt<Named<"scatter_add">, axis, true, X const&, I const&, V const&>
auto scatter_add(X const& x, I const& ids, V const& values) {
  tracing::refuse_while_on("scatter_add");
  using R = TensorOf<X const&>;
  constexpr int along = Chosen<axis, R>::value.axis();
  auto const places = unmarked_leaves(eval(ids));
  auto const added = eval(values);
  check_ids("scatter_add", places, at(x.sizes(), along));
  for (int i = 0; i < R::rank; ++i) {
    std::int64_t const expected = i == along ? at(added.sizes(), i) : at(x.sizes(), i);
    if (at(places.sizes(), i) != expected || at(added.sizes(), i) != expected)
      sizes_differ("scatter_add", R::shape, i, expected, at(places.sizes(), i));
  }
  return eval(x + sum_at<R, along, true>(added, places, x.sizes()));
}
template <Axes axis, Expression X, Expression I, Expression V,
          class R = SumMistake<Named<"scatter_add">, axis, true, X const&, I const&, V const&>>
  requires(!std::is_void_v<R>)
auto scatter_add(X const& x, I const& ids, V const& values) -> R;
template <Axes, class... X, class R = Refused<Named<"scatter_add">, X...>>
auto scatter_add(X const&...) -> R;

/// One axis of `E` with the number of segments.
template <int axis, std::int64_t count, class E>
struct SegmentsRule {
  static constexpr Shape shape = with_axis(E::shape, axis, resized(E::shape[axis], count));
};

template <Axes axis, std::int64_t count, class X, class I>
auto sum_of_segments(X const& x, I const& ids, std::int64_t segments) {
  tracing::refuse_while_on("segment_sum");
  using E = TensorOf<X const&>;
  constexpr int along = Chosen<axis, E>::value.axis();
  using R =
      Tensor<typename E::value_type, spec_of<SegmentsRule<along, count, E>>, typename E::device>;
  Sizes sizes = x.sizes();
  auto const places = unmarked_leaves(eval(ids));
  if (places.size() != at(sizes, along))
    sizes_differ("segment_sum", E::shape, along, at(sizes, along), places.size());
  check_ids("segment_sum", places, segments, "segment");
  at(sizes, along) = segments;
  return sum_at<R, along, false>(eval(x), places, sizes);
}

/// The sums of the slices along an axis that have one segment number in `ids`, integers along the
/// axis: `row` gives `row=5`. In order of the slices; 0 for an empty segment. Of numbers, except
/// those of 16 bits. The gradient reaches x. Throws `IndexError`, `ShapeError`. JAX: `segment_sum`.
template <Axes axis, std::int64_t segments, class X, class I>
  requires AddsAt<Named<"segment_sum">, axis, false, X const&, I const&, X const&> &&
           (TensorOf<I const&>::shape.rank == 1)
auto segment_sum(X const& x, I const& ids) {
  return sum_of_segments<axis, segments>(x, ids, segments);
}
/// The same for a number of segments known at run time: `row` gives `row=_`.
template <Axes axis, class X, class I>
  requires AddsAt<Named<"segment_sum">, axis, false, X const&, I const&, X const&> &&
           (TensorOf<I const&>::shape.rank == 1)
auto segment_sum(X const& x, I const& ids, std::int64_t segments) {
  return sum_of_segments<axis, dynamic>(x, ids, segments);
}
template <Axes axis, std::int64_t, Expression X, Expression I,
          class R = SumMistake<Named<"segment_sum">, axis, false, X const&, I const&, X const&>>
  requires(!std::is_void_v<R>)
auto segment_sum(X const& x, I const& ids) -> R;
template <Axes axis, Expression X, Expression I,
          class R = SumMistake<Named<"segment_sum">, axis, false, X const&, I const&, X const&>>
  requires(!std::is_void_v<R>)
auto segment_sum(X const& x, I const& ids, std::int64_t segments) -> R;

/// The elements of a tensor in one axis.
template <TensorType X>
using FlatOf = Tensor<typename X::value_type, "_", typename X::device>;

template <TensorType X>
FlatOf<X> flat(X const& x) {
  return reshaped<FlatOf<X>>(x, first_sizes(x.size()));
}

/// The places in row-major order of the elements at one index for each axis.
template <class X, class First, class... I>
auto flat_places(X const& x, First const& first, I const&... ids) {
  auto places = eval(to<std::int64_t>(first));
  check_ids("index_put", places, at(x.sizes(), 0));
  int axis = 1;
  auto const add = [&](auto const& index) {
    auto const next = eval(to<std::int64_t>(index));
    std::int64_t const size = at(x.sizes(), axis++);
    check_ids("index_put", next, size);
    places = places * size + next;
  };
  (add(ids), ...);
  return places;
}

using IndexPutName = Named<"index_put">;

/// Names the reason why ids are not integers with the axes of values; `void` where they are.
template <class V>
constexpr auto ids_mistake() {
  return std::type_identity<void>{};
}
template <class V, class I, class... More>
constexpr auto ids_mistake() {
  if constexpr (!IntegerType<typename I::value_type>) return dtype_mistake<IndexPutName, I>();
  else if constexpr (!assignable(V::shape, I::shape)) return shapes_differ<IndexPutName, V, I>();
  else return ids_mistake<V, More...>();
}

/// Names the reason why values are not put into `X` at ids; `void` where they are.
template <class X, class V, class... I>
constexpr auto index_put_mistake() {
  if constexpr (sizeof...(I) != X::shape.rank || sizeof...(I) == 0)
    return std::type_identity<error::wrong_number_of_axes<
        spec_of_name<IndexPutName>, spec_of<X>, static_cast<int>(sizeof...(I)), X::shape.rank>>{};
  else if constexpr (!SameDtype<X, V>) return dtype_mistake<IndexPutName, X, V>();
  else return ids_mistake<V, I...>();
}
template <Expression X, Expression V, Expression... I>
using IndexPutMistake =
    typename decltype(index_put_mistake<TensorOf<X>, TensorOf<V>, TensorOf<I>...>())::type;

/// `x` with the elements at `ids` replaced by `values`: a tuple of integer tensors, one for each
/// axis of `x`, of the axes that `values` has. Of equal positions the last value wins; with
/// `accumulate` all are added to the element, of numbers, except those of 16 bits. `x` and `values`
/// have one dtype; gradients reach both. Throws `IndexError`, `ShapeError`, `ValueError` where they
/// cannot be added. PyTorch: `index_put`. NumPy: `x[i, j] = values`.
template <Expression X, Expression... I, Expression V>
  requires std::is_void_v<IndexPutMistake<X, V, I...>>
auto index_put(X const& x, std::tuple<I...> const& ids, V const& values, bool accumulate = false) {
  tracing::refuse_while_on("index_put");
  using R = TensorOf<X const&>;
  auto const from = eval(x);
  auto const places = std::apply(
      [&](auto const&... index) { return unmarked_leaves(flat_places(from, index...)); }, ids);
  auto const put = eval(values);
  FlatOf<R> const line = flat(from);
  if (!accumulate) return reshaped<R>(FlatOf<R>(set<0>(line, places, put)), x.sizes());
  if constexpr (AddsAt<Named<"index_add">, 0, false, FlatOf<R>, decltype(places), decltype(put)>)
    return reshaped<R>(FlatOf<R>(index_add<0>(line, places, put)), x.sizes());
  else
    fail<ValueError>({"index_put", "accumulate", "numbers, not of 16 bits",
                      std::string(dtype_name<typename R::value_type>)});
}
template <Expression X, Expression... I, Expression V, class R = IndexPutMistake<X, V, I...>>
  requires(!std::is_void_v<R>)
auto index_put(X const&, std::tuple<I...> const&, V const&, bool = false) -> R;
template <class... X, class R = Refused<IndexPutName, X...>>
auto index_put(X const&...) -> R;

/// The positions where a mask is true.
template <class Rule, class D, class M>
auto find_positions(std::string_view function, M const& mask) {
  auto const here = host_value(function, mask);
  bool const* const is_selected = stored_elements(here);
  auto const size = std::count(is_selected, is_selected + here.size(), true);
  auto places = Tensor<std::int64_t, spec_of<Rule>, Cpu>::uninitialised(first_sizes(size));
  auto* to = places.own_memory();
  for (std::int64_t i = 0; i < here.size(); ++i)
    if (is_selected[i]) *to++ = i;
  return moved_to<D>(places);
}

using MaskedSelectName = Named<"masked_select">;

/// Names the reason why a mask does not select elements of `X`; `void` where it does.
template <class X, class M>
constexpr auto mask_mistake() {
  if constexpr (!BoolType<typename M::value_type>) return dtype_mistake<MaskedSelectName, M>();
  else if constexpr (!assignable(X::shape, M::shape))
    return shapes_differ<MaskedSelectName, X, M>();
  else return std::type_identity<void>{};
}
/// The same of slices along an axis.
template <Axes axis, class X, class M>
constexpr auto mask_along_mistake() {
  using chosen = typename decltype(axes_mistake<MaskedSelectName, axis, 1, X>())::type;
  if constexpr (!std::is_void_v<chosen>) return std::type_identity<chosen>{};
  else if constexpr (!BoolType<typename M::value_type>) return dtype_mistake<MaskedSelectName, M>();
  else if constexpr (M::shape.rank != 1) return rank_mistake<MaskedSelectName, M, 1>();
  else return std::type_identity<void>{};
}
template <Expression X, Expression M>
using MaskMistake = typename decltype(mask_mistake<X, M>())::type;
template <Axes axis, Expression X, Expression M>
using MaskAlongMistake = typename decltype(mask_along_mistake<axis, X, M>())::type;

/// The slices along an axis at which a mask along it is true, in order: `t` gives `t=_`. Throws
/// `ShapeError`. PyTorch: `x[:, mask]`. NumPy: `compress`.
template <Axes axis, Expression X, Expression M>
  requires std::is_void_v<MaskAlongMistake<axis, X, M>>
auto masked_select(X const& x, M const& mask) {
  constexpr int along = Chosen<axis, X>::value.axis();
  if (at(mask.sizes(), 0) != at(x.sizes(), along))
    sizes_differ("masked_select", X::shape, along, at(x.sizes(), along), at(mask.sizes(), 0));
  auto const places =
      find_positions<LineOfRule<X, along>, typename X::device>("masked_select", mask);
  return eval(take<Axes(along)>(x, places));
}
template <Axes axis, Expression X, Expression M, class R = MaskAlongMistake<axis, X, M>>
  requires(!std::is_void_v<R>)
auto masked_select(X const& x, M const& mask) -> R;

/// The elements at which a mask of the same axes is true, in row-major order: "_". Throws
/// `ShapeError`. PyTorch: `masked_select`. NumPy: `x[mask]`.
template <Expression X, Expression M>
  requires std::is_void_v<MaskMistake<X, M>>
auto masked_select(X const& x, M const& mask) {
  for (int i = 0; i < X::shape.rank; ++i)
    if (at(mask.sizes(), i) != at(x.sizes(), i))
      sizes_differ("masked_select", X::shape, i, at(x.sizes(), i), at(mask.sizes(), i));
  auto const places = find_positions<LineOfRule<X, -1>, typename X::device>("masked_select", mask);
  return eval(take<0>(flat(eval(x)), places));
}
template <Expression X, Expression M, class R = MaskMistake<X, M>>
  requires(!std::is_void_v<R>)
auto masked_select(X const& x, M const& mask) -> R;
template <class... X, class R = Refused<MaskedSelectName, X...>>
auto masked_select(X const&...) -> R;

/// The positions of elements in row-major order, one tensor for each axis.
template <class P, std::size_t... axis>
auto positions_of_axes(P const& places, Sizes const& sizes, std::index_sequence<axis...>) {
  Sizes const strides = row_major(sizes, static_cast<int>(sizeof...(axis)));
  auto const along = [&](int k) { return P(floor_divide(places, at(strides, k)) % at(sizes, k)); };
  return std::tuple{along(static_cast<int>(axis))...};
}

/// Names the reason why elements have no positions; `void` where they have.
template <class X>
constexpr auto nonzero_mistake() {
  using Name = Named<"nonzero">;
  if constexpr (ComplexType<typename X::value_type>) return dtype_mistake<Name, X>();
  else if constexpr (X::shape.rank == 0)
    return std::type_identity<error::wrong_number_of_axes<spec_of_name<Name>, spec_of<X>, 1, 0>>{};
  else return std::type_identity<void>{};
}
template <Expression X>
using NonzeroMistake = typename decltype(nonzero_mistake<X>())::type;

/// The positions of the elements that are not zero, NaN among them, in row-major order: a tuple of
/// an `int64` tensor "_" for each axis, as `index_put` takes them. `x` has an axis, and elements
/// that are not complex. NumPy: `nonzero`. PyTorch: `nonzero(as_tuple=True)`.
template <Expression X>
  requires std::is_void_v<NonzeroMistake<X>>
auto nonzero(X const& x) {
  auto const places = find_positions<LineOfRule<X, -1>, typename X::device>("nonzero", to<bool>(x));
  return positions_of_axes(places, x.sizes(), std::make_index_sequence<X::shape.rank>());
}
template <Expression X, class R = NonzeroMistake<X>>
  requires(!std::is_void_v<R>)
auto nonzero(X const& x) -> R;
template <class... X, class R = Refused<Named<"nonzero">, X...>>
auto nonzero(X const&...) -> R;

}  // namespace tenon::internal

namespace tenon {

/// How `take` reads ids out of range: as the nearest one in range, or modulo the size.
enum class TakeMode { clip, wrap };

}  // namespace tenon

namespace tenon::internal {

/// `take` with ids out of range as the nearest in range, or modulo the size, of an axis that is not
/// empty. NumPy: `take(mode="clip")`, `take(mode="wrap")`.
template <Axes axis, Expression X, Expression I>
  requires WellFormed<Taken<axis, X const&, I const&>>
auto take(X const& table, I const& ids, TakeMode mode) {
  // All integers are those of `int64`, or of `uint64`.
  using Given = typename I::value_type;
  using Id = std::conditional_t<std::same_as<Given, std::uint64_t>, Given, std::int64_t>;
  auto const size = static_cast<Id>(at(table.sizes(), Chosen<axis, X>::value.axis()));
  auto const all = eval(to<Id>(ids));
  auto const in_range =
      mode == TakeMode::clip ? eval(clamp(all, Id(0), size - 1)) : eval(remainder(all, size));
  return eval(take<axis>(table, in_range));
}
template <Axes axis, Expression X, Expression I, IllFormed R = Taken<axis, X const&, I const&>>
auto take(X const& table, I const& ids, TakeMode mode) -> R;

}  // namespace tenon::internal

namespace tenon {

using internal::index_add;
using internal::index_put;
using internal::masked_select;
using internal::nonzero;
using internal::scatter_add;
using internal::segment_sum;
using internal::take;

}  // namespace tenon
