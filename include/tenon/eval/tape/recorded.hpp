#pragma once

#include <bit>
#include <cstring>

#include <tenon/eval/tape/tape.hpp>
#include <tenon/expr/contract/matmul.hpp>
#include <tenon/expr/fold/fold.hpp>
#include <tenon/expr/gather/gather.hpp>
#include <tenon/expr/gather/take_along.hpp>
#include <tenon/expr/map/map.hpp>
#include <tenon/expr/move/move.hpp>
#include <tenon/expr/move/stepped.hpp>
#include <tenon/op/stop.hpp>

namespace tenon {

/// Does a value depend on something that this thread records? Integers and masks never do. Every
/// leaf is looked at: one that another thread records throws. What is behind `stop_gradient` is a
/// constant.
template <TensorType E>
bool depends_on_recording(E const& tensor) {
  Tape::check(tensor.mark());
  return FloatType<typename E::value_type> && is_recorded(tensor.mark());
}
template <class T>
bool depends_on_recording(ConstantNode<T> const&) {
  return false;
}
template <class Op, class A>
bool depends_on_recording(Elementwise<Op, A> const& e) {
  return depends_on_recording(e.a);
}
template <class A>
bool depends_on_recording(Elementwise<op::StopGradient, A> const&) {
  return false;
}
template <class Op, class A, class B>
bool depends_on_recording(Elementwise<Op, A, B> const& e) {
  bool const a = depends_on_recording(e.a), b = depends_on_recording(e.b);
  return a || b;
}
template <class Op, class A, class B, class C>
bool depends_on_recording(Elementwise<Op, A, B, C> const& e) {
  bool const a = depends_on_recording(e.a), b = depends_on_recording(e.b);
  bool const c = depends_on_recording(e.c);
  return a || b || c;
}
template <class Op, class E, AxisBits axes, bool keeps>
bool depends_on_recording(Fold<Op, E, axes, keeps> const& e) {
  return depends_on_recording(e.operand);
}
template <class E, PackedMap order, Spec S>
bool depends_on_recording(Moved<E, order, S> const& e) {
  return depends_on_recording(e.operand);
}
template <class E, Spec S, bool by_one>
bool depends_on_recording(Stepped<E, S, by_one> const& e) {
  return depends_on_recording(e.operand);
}
template <class A, class B, class Rule>
bool depends_on_recording(Contract<A, B, Rule> const& e) {
  bool const a = depends_on_recording(e.a), b = depends_on_recording(e.b);
  return a || b;
}
template <class Table, class Ids, int axis>
bool depends_on_recording(Gather<Table, Ids, axis> const& e) {
  return depends_on_recording(e.table);
}
template <class Table, class Ids, int axis>
bool depends_on_recording(PickAlong<Table, Ids, axis> const& e) {
  return depends_on_recording(e.table);
}
template <class Table, class Ids, int axis>
bool depends_on_recording(TakeAlong<Table, Ids, axis> const& e) {
  return depends_on_recording(e.table);
}

/// Can a value depend on what is recorded? Random draws do not: so nobody compiles how to go back
/// through one.
template <class E>
inline constexpr bool may_be_recorded = true;
template <class Op, class... E>
inline constexpr bool may_be_recorded<Elementwise<Op, E...>> = !requires { Op::draws; };

/// Calls `f(mark)` for every tensor of a small recipe.
template <TensorType E, class F>
[[gnu::always_inline]] constexpr void for_each_mark(E const& tensor, F const& f) {
  f(tensor.mark());
}
template <class T, class F>
constexpr void for_each_mark(ConstantNode<T> const&, F const&) {}
template <class Op, class A, class F>
[[gnu::always_inline]] constexpr void for_each_mark(Elementwise<Op, A> const& e, F const& f) {
  for_each_mark(e.a, f);
}
template <class A, class F>
constexpr void for_each_mark(Elementwise<op::StopGradient, A> const&, F const&) {}
template <class Op, class A, class B, class F>
[[gnu::always_inline]] constexpr void for_each_mark(Elementwise<Op, A, B> const& e, F const& f) {
  for_each_mark(e.a, f);
  for_each_mark(e.b, f);
}
template <class Op, class A, class B, class C, class F>
[[gnu::always_inline]] constexpr void for_each_mark(Elementwise<Op, A, B, C> const& e, F const& f) {
  for_each_mark(e.a, f);
  for_each_mark(e.b, f);
  for_each_mark(e.c, f);
}
template <class E, PackedMap order, Spec S, class F>
[[gnu::always_inline]] constexpr void for_each_mark(Moved<E, order, S> const& e, F const& f) {
  for_each_mark(e.operand, f);
}
template <class Op, class E, AxisBits axes, bool keeps, class F>
[[gnu::always_inline]] constexpr void for_each_mark(Fold<Op, E, axes, keeps> const& e, F const& f) {
  for_each_mark(e.operand, f);
}
template <class A, class B, class Rule, class F>
[[gnu::always_inline]] constexpr void for_each_mark(Contract<A, B, Rule> const& e, F const& f) {
  for_each_mark(e.a, f);
  for_each_mark(e.b, f);
}

/// Does a small recipe bear a mark? (The marks are read as they are copied, as one word: g++ 12
/// would take those apart otherwise, and wait for the parts.)
template <class E>
[[gnu::always_inline]] constexpr bool is_marked(E const& e) {
  std::uint64_t marks = 0;
  for_each_mark(e, [&](TapeMark mark) { marks |= std::bit_cast<std::uint64_t>(mark); });
  return marks != 0;
}

/// The same elements under another shape of as many elements: shared where they lie in a buffer.
/// The tape mark stays: adjoints are kept flat.
template <TensorType R, TensorType E>
constexpr R reshaped(E const& tensor, Sizes const& sizes) {
  if constexpr (std::same_as<R, E>) return tensor;
  else if constexpr (!R::holds_elements && !E::holds_elements) {
    return R::adopt(tensor.storage().buffer, sizes, tensor.mark());
  } else {
    R result = R::uninitialised(sizes);
    auto* const to = result.own_memory();
    for (std::int64_t i = 0; i < tensor.size(); ++i) to[i] = internal::stored_elements(tensor)[i];
    result.set_mark(tensor.mark());
    return result;
  }
}

/// The same with the same sizes: other names, static sizes that run time has to confirm.
template <TensorType R, TensorType E>
constexpr R relabelled(E const& tensor) {
  return reshaped<R>(tensor, tensor.sizes());
}

}  // namespace tenon
