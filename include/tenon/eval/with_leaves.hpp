#pragma once

#include <utility>

#include <tenon/expr/contract/contract.hpp>
#include <tenon/expr/fold/fold.hpp>
#include <tenon/expr/gather/gather.hpp>
#include <tenon/expr/gather/take_along.hpp>
#include <tenon/expr/map/map.hpp>
#include <tenon/expr/move/move.hpp>
#include <tenon/expr/move/stepped.hpp>
#include <tenon/tensor/view.hpp>

/// A recipe of other leaves: the same nodes over what `f` makes of every tensor and view, from left
/// to right.
namespace tenon {

template <class E, class F>
  requires TensorType<E> || is_view<E>
auto with_leaves(E const& leaf, F const& f) {
  return f(leaf);
}
template <class T, class F>
auto with_leaves(ConstantNode<T> const& constant, F const&) {
  return constant;
}

template <class Op, class A, class F>
auto with_leaves(Elementwise<Op, A> const& e, F const& f) {
  auto a = with_leaves(e.a, f);
  return Elementwise<Op, decltype(a)>(std::move(a));
}
template <class Op, class A, class B, class F>
auto with_leaves(Elementwise<Op, A, B> const& e, F const& f) {
  auto a = with_leaves(e.a, f);
  auto b = with_leaves(e.b, f);
  return Elementwise<Op, decltype(a), decltype(b)>(std::move(a), std::move(b));
}
template <class Op, class A, class B, class C, class F>
auto with_leaves(Elementwise<Op, A, B, C> const& e, F const& f) {
  auto a = with_leaves(e.a, f);
  auto b = with_leaves(e.b, f);
  auto c = with_leaves(e.c, f);
  using Node = Elementwise<Op, decltype(a), decltype(b), decltype(c)>;
  return Node(std::move(a), std::move(b), std::move(c));
}

template <class Op, class E, AxisBits axes, bool keeps, class F>
auto with_leaves(Fold<Op, E, axes, keeps> const& e, F const& f) {
  auto operand = with_leaves(e.operand, f);
  return Fold<Op, decltype(operand), axes, keeps>(std::move(operand));
}
template <class E, PackedMap order, Spec S, class F>
auto with_leaves(Moved<E, order, S> const& e, F const& f) {
  auto operand = with_leaves(e.operand, f);
  return Moved<decltype(operand), order, S>(std::move(operand), e.sizes(), e.start);
}
template <class E, Spec S, bool by_one, class F>
auto with_leaves(Stepped<E, S, by_one> const& e, F const& f) {
  auto operand = with_leaves(e.operand, f);
  return Stepped<decltype(operand), S, by_one>(std::move(operand), e.extents, e.steps);
}
template <class A, class B, class Rule, class F>
auto with_leaves(Contract<A, B, Rule> const& e, F const& f) {
  auto a = with_leaves(e.a, f);
  auto b = with_leaves(e.b, f);
  return Contract<decltype(a), decltype(b), Rule>(std::move(a), std::move(b));
}

template <class Table, class Ids, int axis, class F>
auto with_leaves(Gather<Table, Ids, axis> const& e, F const& f) {
  auto table = with_leaves(e.table, f);
  auto ids = with_leaves(e.ids, f);
  return Gather<decltype(table), decltype(ids), axis>(std::move(table), std::move(ids));
}
template <class Table, class Ids, int axis, class F>
auto with_leaves(PickAlong<Table, Ids, axis> const& e, F const& f) {
  auto table = with_leaves(e.table, f);
  auto ids = with_leaves(e.ids, f);
  return PickAlong<decltype(table), decltype(ids), axis>(std::move(table), std::move(ids));
}
template <class Table, class Ids, int axis, class F>
auto with_leaves(TakeAlong<Table, Ids, axis> const& e, F const& f) {
  auto table = with_leaves(e.table, f);
  auto ids = with_leaves(e.ids, f);
  return TakeAlong<decltype(table), decltype(ids), axis>(std::move(table), std::move(ids));
}

}  // namespace tenon
