#pragma once

#include <tenon/core/mistake.hpp>
#include <tenon/core/rules/broadcast.hpp>
#include <tenon/expr/stored_operand.hpp>
#include <tenon/expr/view/packed.hpp>

namespace tenon::internal {

/// A view: transposed, sliced, renamed, repeated, in windows. The element at index i is the
/// operand's at `start[a] + sum of i[k] over the axes k with order[k] == a`; `order[k]` is -1 where
/// axis k is new: size 1, or repeated. No element is copied.
template <class E, PackedMap order_, Spec S>
struct IndexMap : NodeBase<IndexMap<E, order_, S>, S.view().empty()> {
  using value_type = typename E::value_type;
  using device = typename E::device;
  using operand_type = E;
  static constexpr Shape const& shape = ShapeOf<S>::shape;
  static constexpr AxisMap order = unpacked(order_);
  static constexpr bool has_product = tenon::internal::has_product<E>;
  static constexpr bool is_heavy = tenon::internal::is_heavy<E>;
  static constexpr bool is_small =
      tenon::internal::is_small<E> && is_inline(shape, sizeof(value_type));

  E operand;
  [[no_unique_address]] RunTimeSizes<dynamic_axes(shape), IndexMap> run_time_{};
  ElementIndex start{};
  [[no_unique_address]] std::conditional_t<is_heavy && !is_small, CachedValue, NoCachedValue>
      cached_value_{};

  constexpr IndexMap(E x, Sizes const& sizes, ElementIndex const& from)
      : operand(std::move(x)), start(from) {
    if constexpr (!shape.is_static() || !E::shape.is_static())
      check_sizes_of<ShapeOf<S>>("move", S.view(), sizes);
    run_time_.keep(sizes, dynamic_axes_of<ShapeOf<S>>);
  }

  constexpr Sizes sizes() const {
    return run_time_.among(static_sizes_of<ShapeOf<S>>, dynamic_axes_of<ShapeOf<S>>);
  }

  IndexMap(IndexMap const&) = default;
  IndexMap(IndexMap&&) noexcept = default;
  IndexMap& operator=(IndexMap const&) & = default;
  IndexMap& operator=(IndexMap&&) & noexcept = default;

  /// Declared only: the errors of `h = y` for a variable, of `v[1] = y` and `x[1] = y`.
  template <class V, class T = IndexMap>
  auto operator=(V&&) & -> typename AssignedExpression<T, Unqualified<V>>::type;
  template <class V, class T = IndexMap>
    requires((Expression<V> || std::is_arithmetic_v<Unqualified<V>>) && shape.rank == 0)
  auto operator=(V&&) && -> error::elements_are_assigned_by_call<"v(1) = y", spec_of<T>>;
  template <class V, class T = IndexMap>
    requires((Expression<V> || std::is_arithmetic_v<Unqualified<V>>) && shape.rank > 0)
  auto operator=(V&&) && -> error::slices_are_assigned_by_set<"x = set<0>(x, 1, y)", spec_of<T>>;

  /// The index in the operand of the element at `index`.
  constexpr ElementIndex source(ElementIndex const& index) const {
    ElementIndex result = start;
    for (int i = 0; i < shape.rank; ++i) {
      int const axis = order[static_cast<std::size_t>(i)];
      if (axis >= 0) at(result, axis) += at(index, i);
    }
    return result;
  }
};

template <class E>
inline constexpr bool is_index_map = false;
template <class E, PackedMap order, Spec S>
inline constexpr bool is_index_map<IndexMap<E, order, S>> = true;

/// Sizes of a view whose axes keep the extents of the operand's.
constexpr Sizes view_sizes(Sizes const& from, AxisMap const& order, int rank) {
  Sizes result = unit_sizes();
  for (int i = 0; i < rank; ++i) {
    int const axis = order[static_cast<std::size_t>(i)];
    at(result, i) = axis < 0 ? 1 : at(from, axis);
  }
  return result;
}

/// A view of a view is one view of the inner operand.
template <class Rule, class E>
struct IndexMapOf {
  using type = IndexMap<E, packed(Rule::order), spec_of<Rule>>;
};
template <class Rule, class E>
  requires is_index_map<E>
struct IndexMapOf<Rule, E> {
  using type =
      IndexMap<typename E::operand_type, packed(followed(Rule::order, E::order)), spec_of<Rule>>;
};
/// The view that `index_map<Rule>` makes of a stored operand.
template <class Rule, class E>
using IndexMapType = typename IndexMapOf<Rule, E>::type;

/// The view whose result has the shape `Rule::shape` and the order `Rule::order`.
template <class Rule, class X>
constexpr auto index_map(X&& x, Sizes const& sizes, ElementIndex const& start = {}) {
  using E = StoredOperand<X&&>;
  if constexpr (is_index_map<E>)
    return IndexMapType<Rule, E>(std::forward<X>(x).operand, sizes, x.source(start));
  else return IndexMapType<Rule, E>(hold(std::forward<X>(x)), sizes, start);
}

/// The same where every axis keeps its extent.
template <class Rule, class X>
constexpr auto index_map(X&& x) {
  Sizes const sizes = view_sizes(x.sizes(), Rule::order, Rule::shape.rank);
  return index_map<Rule>(std::forward<X>(x), sizes);
}

}  // namespace tenon::internal
