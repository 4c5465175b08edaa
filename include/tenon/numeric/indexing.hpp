#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

#include <tenon/eval/along_axis/replace.hpp>
#include <tenon/eval/custom.hpp>
#include <tenon/eval/move_to.hpp>
#include <tenon/expr/gather/take_along.hpp>
#include <tenon/expr/map/functions.hpp>
#include <tenon/numeric/positions.hpp>

/// Sums at positions, sums of segments, elements at several indices, and elements by a mask. Equal
/// positions are added in order, so a result always has the same bits.
namespace tenon::internal {

/// A sum at positions: slices along an axis at `ids`, or, of `each`, single elements.
template <TensorType R, bool each>
struct SumAtPositions {
  Sizes sizes;
  AxisRows axis;

  template <class V, class I>
  R operator()(V const& values, I const& ids) const {
    using T = typename R::value_type;
    R y = R::uninitialised(sizes);
    T* const to = y.own_memory();
    std::fill_n(to, y.size(), T{});
    T const* from = stored_elements(values);
    auto const* const id = stored_elements(ids);
    std::int64_t const lines = axis.outer * axis.inner;
    std::int64_t const given = !each ? ids.size() : lines == 0 ? 0 : values.size() / lines;
    for (std::int64_t o = 0; o < axis.outer; ++o)
      for (std::int64_t k = 0; k < given; ++k)
        for (std::int64_t i = 0; i < axis.inner; ++i) {
          std::int64_t const place = each ? (o * given + k) * axis.inner + i : k;
          auto const row = o * axis.rows + static_cast<std::int64_t>(id[place]);
          T& sum = to[row * axis.inner + i];
          sum = op::Add::f(sum, *from++);
        }
    return y;
  }
};

/// `values` added to zeros of the type `R` at positions along an axis, with the gradient, which is
/// the elements of the adjoint there.
template <TensorType R, int axis, bool each, TensorType V, TensorType I>
R sum_at(V const& values, I const& ids, Sizes const& sizes) {
  using T = typename R::value_type;
  using Host = OnDevice<R, Cpu>;
  auto const forward = [=](V const& given) -> R {
    SumAtPositions<Host, each> const sum{sizes, rows_along(sizes, R::rank, axis)};
    return moved_to<typename R::device>(sum(moved_to<Cpu>(given), moved_to<Cpu>(ids)));
  };
  if constexpr (!InexactType<T>) return forward(values);
  else {
    auto const backward = [=](R const& dy, R const&, V const&) -> V {
      if constexpr (each) return relabelled<V>(eval(take_along<Axes(axis)>(dy, ids)));
      else return relabelled<V>(eval(take<Axes(axis)>(dy, ids)));
    };
    return custom_vjp(forward, backward)(values);
  }
}

/// Names the reason why `V` is not added to slices of `E` at `I`, or to elements; `void` where it
/// is.
template <class Name, Axes axis, bool each, class E, class I, class V>
constexpr auto sum_mistake() {
  using chosen = typename decltype(axes_mistake<Name, axis, 1, E>())::type;
  using T = typename E::value_type;
  if constexpr (!std::is_void_v<chosen>) return std::type_identity<chosen>{};
  else if constexpr (!NumType<T> || HalfType<T>) return dtype_mistake<Name, E>();
  else if constexpr (!std::same_as<T, typename V::value_type>) return dtype_mistake<Name, E, V>();
  else if constexpr (!IntegerType<typename I::value_type>) return dtype_mistake<Name, I>();
  else if constexpr (!DevicesMeet<E, V> || !DevicesMeet<E, I>)
    return device_mistake<Name, E, V, I>();
  else {
    constexpr int along = Chosen<axis, E>::value.axis();
    if constexpr (!each) {
      using Rule = ReplacementRule<E, I, along>;
      if constexpr (!assignable(Rule::shape, V::shape)) return assignment_mistake<Name, Rule, V>();
      else return std::type_identity<void>{};
    } else if constexpr (!LiesAlong<E, I, along> || !assignable(I::shape, V::shape)) {
      return std::type_identity<
          error::shapes_do_not_align<spec_of_name<Name>, spec_of<E>, spec_of<I>>>{};
    } else return std::type_identity<void>{};
  }
}
template <class Name, Axes axis, bool each, Expression X, Expression I, Expression V>
using SumMistake =
    typename decltype(sum_mistake<Name, axis, each, TensorOf<X>, TensorOf<I>, TensorOf<V>>())::type;
template <class Name, Axes axis, bool each, class X, class I, class V>
concept AddsAt = Expression<X> && Expression<I> && Expression<V> &&
                 std::is_void_v<SumMistake<Name, axis, each, X, I, V>>;

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

/// Whether tensors are integers with the axes of values.
template <class V, class... I>
concept Indexes =
    (IntegerType<typename I::value_type> && ...) && (assignable(V::shape, I::shape) && ...);

/// `x` with the elements at `ids` replaced by `values`: a tuple of integer tensors, one for each
/// axis of `x`, of the axes that `values` has. Of equal positions the last value wins; with
/// `accumulate` all are added to the element. `x` and `values` have one dtype; gradients reach
/// both. Throws `IndexError`, `ShapeError`. PyTorch: `index_put`. NumPy: `x[i, j] = values`.
template <Expression X, Expression... I, Expression V>
  requires(sizeof...(I) == X::shape.rank && sizeof...(I) >= 1) && Indexes<V, I...> &&
          SameDtype<X, V>
auto index_put(X const& x, std::tuple<I...> const& ids, V const& values, bool accumulate = false) {
  tracing::refuse_while_on("index_put");
  using R = TensorOf<X const&>;
  auto const from = eval(x);
  auto const places = std::apply(
      [&](auto const&... index) { return unmarked_leaves(flat_places(from, index...)); }, ids);
  auto const put = eval(values);
  FlatOf<R> const line = flat(from);
  FlatOf<R> const result =
      accumulate ? index_add<0>(line, places, put) : FlatOf<R>(set<0>(line, places, put));
  return reshaped<R>(result, x.sizes());
}
template <class... X, class R = Refused<Named<"index_put">, X...>>
auto index_put(X const&...) -> R;

/// The positions where a mask is true.
template <class Rule, class D, class M>
auto find_positions(M const& mask) {
  auto const here = host_value(mask);
  bool const* const is_selected = stored_elements(here);
  auto const size = std::count(is_selected, is_selected + here.size(), true);
  auto places = Tensor<std::int64_t, spec_of<Rule>, Cpu>::uninitialised(first_sizes(size));
  auto* to = places.own_memory();
  for (std::int64_t i = 0; i < here.size(); ++i)
    if (is_selected[i]) *to++ = i;
  return moved_to<D>(places);
}

/// The slices along an axis at which a mask along it is true, in order: `t` gives `t=_`. Throws
/// `ShapeError`. PyTorch: `x[:, mask]`. NumPy: `compress`.
template <Axes axis, Expression X, Expression M>
  requires(Chosen<axis, X>::ok && Chosen<axis, X>::value.count == 1 && M::shape.rank == 1 &&
           BoolType<typename M::value_type>)
auto masked_select(X const& x, M const& mask) {
  tracing::refuse_while_on("masked_select");
  constexpr int along = Chosen<axis, X>::value.axis();
  if (at(mask.sizes(), 0) != at(x.sizes(), along))
    sizes_differ("masked_select", X::shape, along, at(x.sizes(), along), at(mask.sizes(), 0));
  auto const places = find_positions<LineOfRule<X, along>, typename X::device>(mask);
  return eval(take<Axes(along)>(x, places));
}
template <Axes axis, Expression X, class M,
          class R = typename decltype(axes_mistake<Named<"masked_select">, axis, 1, X>())::type>
  requires(!std::is_void_v<R>)
auto masked_select(X const& x, M const& mask) -> R;

/// The elements at which a mask of the same axes is true, in row-major order: "_". Throws
/// `ShapeError`. PyTorch: `masked_select`. NumPy: `x[mask]`.
template <Expression X, Expression M>
  requires(BoolType<typename M::value_type> && assignable(X::shape, M::shape))
auto masked_select(X const& x, M const& mask) {
  tracing::refuse_while_on("masked_select");
  for (int i = 0; i < X::shape.rank; ++i)
    if (at(mask.sizes(), i) != at(x.sizes(), i))
      sizes_differ("masked_select", X::shape, i, at(x.sizes(), i), at(mask.sizes(), i));
  auto const places = find_positions<LineOfRule<X, -1>, typename X::device>(mask);
  return eval(take<0>(flat(eval(x)), places));
}
template <class... X, class R = Refused<Named<"masked_select">, X...>>
auto masked_select(X const&...) -> R;

/// The positions of elements in row-major order, one tensor for each axis.
template <class P, std::size_t... axis>
auto positions_of_axes(P const& places, Sizes const& sizes, std::index_sequence<axis...>) {
  Sizes const strides = row_major(sizes, static_cast<int>(sizeof...(axis)));
  auto const along = [&](int k) { return P(floor_divide(places, at(strides, k)) % at(sizes, k)); };
  return std::tuple{along(static_cast<int>(axis))...};
}

/// The positions of the elements that are not zero, NaN among them, in row-major order: a tuple of
/// an `int64` tensor "_" for each axis, as `index_put` takes them. `x` has an axis, and elements
/// that are not complex. NumPy: `nonzero`. PyTorch: `nonzero(as_tuple=True)`.
template <Expression X>
  requires(X::shape.rank > 0 && !ComplexType<typename X::value_type>)
auto nonzero(X const& x) {
  tracing::refuse_while_on("nonzero");
  auto const places = find_positions<LineOfRule<X, -1>, typename X::device>(to<bool>(x));
  return positions_of_axes(places, x.sizes(), std::make_index_sequence<X::shape.rank>());
}
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
