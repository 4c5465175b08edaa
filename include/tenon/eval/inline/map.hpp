#pragma once

#include <tenon/eval/inline/walk.hpp>
#include <tenon/eval/machine.hpp>
#include <tenon/op/list.hpp>

/// Maps and views over inline tensors: loops of constant length, which the compiler unrolls.
/// Nothing is lowered, laid out or chunked at run time: that would take a hundred times as long as
/// sixteen additions.
namespace tenon::internal {

/// `count` elements of a run, from `element` on.
struct InlinePlace {
  std::int64_t run, element;
  int count;
};

/// The elements of a walk that a machine computes at a time, from number `begin` on: their offsets
/// are compile-time constants.
template <int begin>
struct InlineGroup {};

/// The first element of an expression without an offset.
struct AtOrigin {};

template <class E>
constexpr std::int64_t inline_start(AtOrigin) {
  return 0;
}
template <class E>
constexpr std::int64_t inline_start(ElementIndex const& start) {
  return offset(row_major(static_sizes(E::shape), E::rank), start, E::rank);
}

template <std::size_t k, class Node, class E>
constexpr AtOrigin start_of_operand(AtOrigin) {
  return {};
}
template <std::size_t k, class Node, class E>
constexpr ElementIndex start_of_operand(ElementIndex const& start) {
  ElementIndex own{};
  for (int i = 0; i < E::shape.rank; ++i) {
    int const axis = Node::types::maps[k][static_cast<std::size_t>(i)];
    if (axis >= 0) at(own, i) = at(start, axis);
  }
  return own;
}

/// The elements of an expression at a position of a walk. `M` is the machine; `axes` maps the axes
/// of the walk to those of the expression.
template <class M, class W, PackedMap axes, TensorType E, class Start>
TENON_INLINE inline auto inline_values(E const& tensor, Start const& start, InlinePlace const& at) {
  using P = InlinePlaces<W, E, axes>;
  using V = typename M::template vector<typename E::value_type>;
  auto const* from = stored_elements(tensor) + inline_start<E>(start);
  from += P::begins[static_cast<std::size_t>(at.run)] + at.element * P::step;
  if constexpr (P::step == 0) return V(*from);
  else if constexpr (P::step != 1) return M::load_strided(from, P::step, at.count);
  else return at.count == M::count ? M::load(from) : M::load(from, at.count);
}

template <class M, class W, PackedMap axes, TensorType E, class Start, int begin>
TENON_INLINE inline auto inline_values(E const& tensor, Start const& start,
                                       InlineGroup<begin> const&) {
  return M::template taken<GroupPlaces<W, E, axes, begin, M::count>>(stored_elements(tensor) +
                                                                     inline_start<E>(start));
}

template <class M, class W, PackedMap axes, class T, class Start, class Place>
TENON_INLINE inline auto inline_values(ConstantNode<T> const& constant, Start const&,
                                       Place const&) {
  return typename M::template vector<T>(constant.value);
}

template <class M, class W, PackedMap axes, std::size_t k, class Node, class E, class Start,
          class Place>
TENON_INLINE inline auto operand_values(E const& operand, Start const& start, Place const& at) {
  return inline_values<M, W, axes_of_operand<axes, k, Node, E>>(
      operand, start_of_operand<k, Node, E>(start), at);
}

template <class M, class W, PackedMap axes, class Node, class Start, class Place, std::size_t... k>
TENON_INLINE inline auto map_values(Node const& e, Start const& start, Place const& at,
                                    std::index_sequence<k...>) {
  return Node::op::f(operand_values<M, W, axes, k, Node>(operand_at<k>(e), start, at)...);
}
template <class M, class W, PackedMap axes, class Op, class... E, class Start, class Place>
TENON_INLINE inline auto inline_values(Elementwise<Op, E...> const& e, Start const& start,
                                       Place const& at) {
  return map_values<M, W, axes>(e, start, at, std::index_sequence_for<E...>());
}

template <class M, class W, PackedMap axes, class E, PackedMap order, Spec S, class Place>
TENON_INLINE inline auto inline_values(IndexMap<E, order, S> const& e, AtOrigin, Place const& at) {
  return inline_values<M, W, axes_of_index_map<axes, IndexMap<E, order, S>>>(operand_at<0>(e),
                                                                             e.start, at);
}
template <class M, class W, PackedMap axes, class E, PackedMap order, Spec S, class Place>
TENON_INLINE inline auto inline_values(IndexMap<E, order, S> const& e, ElementIndex const& start,
                                       Place const& at) {
  return inline_values<M, W, axes_of_index_map<axes, IndexMap<E, order, S>>>(operand_at<0>(e),
                                                                             e.source(start), at);
}

/// Ops for which a scalar loop compiles to the best code: one instruction each, no branch. All
/// others run in lanes.
using PlainOps = op::List<op::Add, op::Sub, op::Mul, op::Div, op::Neg, op::Square, op::Reciprocal>;

template <class E>
inline constexpr bool is_plain = true;
template <class Op, class... E>
inline constexpr bool is_plain<Elementwise<Op, E...>> =
    op::is_one_of<Op>(PlainOps()) && (is_plain<E> && ...);
template <class E, PackedMap order, Spec S>
inline constexpr bool is_plain<IndexMap<E, order, S>> = is_plain<E>;

/// Stores every element of an inline expression, row-major.
template <class M, class E>
TENON_INLINE inline void fill_inline(E const& e, typename E::value_type* to) {
  using W = InlineWalk<E>;
  constexpr int left = static_cast<int>(W::run % M::count);
  for (std::int64_t run = 0; run < W::runs; ++run, to += W::run) {
    std::int64_t j = 0;
    for (; j + M::count <= W::run; j += M::count)
      M::store(inline_values<M, W, W::axes>(e, AtOrigin(), InlinePlace{run, j, M::count}), to + j);
    if constexpr (left > 0)
      M::store(inline_values<M, W, W::axes>(e, AtOrigin(), InlinePlace{run, j, left}), to + j,
               left);
  }
}

/// The same in groups, the next one from `begin` on; `MachineFor<n>` computes the first of n.
template <template <int> class MachineFor, int begin = 0, class E>
TENON_INLINE inline void fill_groups(E const& e, typename E::value_type* to) {
  using W = InlineWalk<E>;
  constexpr int left = static_cast<int>(W::elements) - begin;
  if constexpr (left > 0) {
    using M = MachineFor<left>;
    M::template put<(left < M::count ? left : M::count)>(
        inline_values<M, W, W::axes>(e, AtOrigin(), InlineGroup<begin>()), to + begin);
    fill_groups<MachineFor, begin + M::count>(e, to);
  }
}

}  // namespace tenon::internal
