#pragma once

#include <cstring>

#include <tenon/eval/tape.hpp>
#include <tenon/expr/fold.hpp>
#include <tenon/expr/gather.hpp>
#include <tenon/expr/map.hpp>
#include <tenon/expr/matmul.hpp>
#include <tenon/expr/move.hpp>
#include <tenon/expr/stepped.hpp>
#include <tenon/expr/take_along.hpp>

namespace tenon {

/// Does a value depend on something that this thread records? Integers and masks never do. Every
/// leaf is looked at: one that another thread records throws.
template <TensorType E>
bool depends_on_recording(E const& tensor) {
  Tape::check(tensor.mark());
  return std::is_floating_point_v<typename E::value_type> && is_recorded(tensor.mark());
}
template <class T>
bool depends_on_recording(ConstantNode<T> const&) {
  return false;
}
template <class Op, class A>
bool depends_on_recording(Elementwise<Op, A> const& e) {
  return depends_on_recording(e.a);
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

/// Bit by bit, the tapes that the tensors of a small recipe bear the marks of; 0: none.
template <TensorType E>
constexpr std::uint32_t tapes_of(E const& tensor) {
  return tensor.mark().tape;
}
template <class T>
constexpr std::uint32_t tapes_of(ConstantNode<T> const&) {
  return 0;
}
template <class Op, class A>
constexpr std::uint32_t tapes_of(Elementwise<Op, A> const& e) {
  return tapes_of(e.a);
}
template <class Op, class A, class B>
constexpr std::uint32_t tapes_of(Elementwise<Op, A, B> const& e) {
  return tapes_of(e.a) | tapes_of(e.b);
}
template <class Op, class A, class B, class C>
constexpr std::uint32_t tapes_of(Elementwise<Op, A, B, C> const& e) {
  return tapes_of(e.a) | tapes_of(e.b) | tapes_of(e.c);
}
template <class E, PackedMap order, Spec S>
constexpr std::uint32_t tapes_of(Moved<E, order, S> const& e) {
  return tapes_of(e.operand);
}
template <class Op, class E, AxisBits axes, bool keeps>
constexpr std::uint32_t tapes_of(Fold<Op, E, axes, keeps> const& e) {
  return tapes_of(e.operand);
}
template <class A, class B, class Rule>
constexpr std::uint32_t tapes_of(Contract<A, B, Rule> const& e) {
  return tapes_of(e.a) | tapes_of(e.b);
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
    auto* const to = result.mutable_data();
    for (std::int64_t i = 0; i < tensor.size(); ++i) to[i] = tensor.data()[i];
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
