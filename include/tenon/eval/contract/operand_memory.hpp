#pragma once

#include <utility>

#include <tenon/core/config.hpp>
#include <tenon/eval/rows/layout.hpp>
#include <tenon/ir/describe.hpp>
#include <tenon/ir/rounded.hpp>

/// The operands of a contraction: tensors, or transposed or strided views of one, which may be cast
/// where they are read.
namespace tenon::internal {

/// The tensor that an operand reads, the offset of its first element, and the strides, in elements.
struct OperandMemory {
  ir::Node base;
  std::int64_t start = 0;
  Sizes strides{};

  template <class T>
  T const* elements() const {
    return static_cast<T const*>(base.elements()) + start;
  }
};

/// The tensor that an operand without a cast reads, as data.
ir::Node base_of(ir::Node operand);
OperandMemory memory_of(ir::Node operand);

/// An operand before its cast.
inline ir::Node uncast(ir::Node operand) {
  return operand.is(NodeKind::map) ? operand.operand_at(0) : operand;
}
constexpr ir::NodeType const& uncast(ir::NodeType const& operand) {
  return operand.kind == NodeKind::map ? *operand.operands[0] : operand;
}
template <class E>
constexpr auto const& uncast(E const& operand) {
  if constexpr (is_map<E>) return operand_at<0>(operand);
  else return operand;
}

/// The tensor that an operand without a cast reads.
template <class E>
constexpr auto const& base_of(E const& operand) {
  if constexpr (TensorType<E>) return operand;
  else return operand_at<0>(operand);
}

/// Operand k of a contraction before its cast, and the dtype of its elements.
template <std::size_t k, class E>
using Uncast = Unqualified<decltype(uncast(std::declval<OperandAt<k, E> const&>()))>;
template <std::size_t k, class E>
using UncastDtype = typename Uncast<k, E>::value_type;

/// Whether the elements of operand k of a contraction are read with steps, or as windows: one may
/// be read more than once.
template <std::size_t k, class E>
inline constexpr bool reads_steps = ir::overlaps(uncast(*node_type<E>.operands[k]));
template <class E>
inline constexpr bool reads_any_steps = reads_steps<0, E> || reads_steps<1, E>;

/// An operand's elements in the dtype of the contraction: in place, or as a cast copy. (Constructed
/// in place: a copy of strides that were just written stalls store forwarding.)
template <class T>
struct OperandElements {
  OperandMemory memory;
  SharedBuffer copy{};

  T const* data() const { return copy ? copy.as<T>() + memory.start : memory.elements<T>(); }
  Sizes const& strides() const { return memory.strides; }
};

/// The elements of an operand before its cast as another dtype, where `copy(e)` is a contiguous
/// copy of the elements of `e`. Of a slice only the slice is copied.
template <class To, class E, class F>
OperandElements<To> cast_elements(E const& own, F const& copy) {
  ir::Node const node = node_of(own);
  OperandMemory const memory = memory_of(node);
  if (node.overlaps() || node.count() == memory.base.count())
    return {memory, copy(with_dtype<To>(base_of(own)))};
  return {{node, 0, row_major(node.sizes(), node.rank())}, copy(with_dtype<To>(own))};
}

template <class Backend, class E>
OperandElements<typename E::value_type> elements_of_operand(E const& e) {
  using T = typename E::value_type;
  if constexpr (is_map<E>) {
    return cast_elements<T>(operand_at<0>(e), [](auto const& from) {
      constexpr int rank = Unqualified<decltype(from)>::shape.rank;
      Sizes const sizes = from.sizes();
      SharedBuffer to(static_cast<std::size_t>(count(sizes, rank)) * sizeof(T));
      Backend::fill(from, access_out(to.as<std::byte>(), row_major(sizes, rank), sizeof(T)));
      return to;
    });
  } else if constexpr (TensorType<E>) {
    // Static sizes are constants here; as data they take 20 ns of the 220 of a 16 x 16 matmul.
    return {{node_of(e), 0, row_major(e.sizes(), E::rank)}};
  } else {
    return {memory_of(node_of(e))};
  }
}

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME

namespace tenon::internal {

TENON_RUNTIME ir::Node base_of(ir::Node operand) {
  return operand.is_leaf() ? operand : operand.operand_at(0);
}

TENON_RUNTIME OperandMemory memory_of(ir::Node operand) {
  ir::Node const base = base_of(operand);
  if (operand.is(NodeKind::step)) return {base, operand.steps().start, operand.steps().along};
  if (operand.is_leaf()) return {base, 0, row_major(base.sizes(), base.rank())};
  Sizes const whole = row_major(base.sizes(), base.rank());
  OperandMemory memory{base, offset(whole, operand.start(), base.rank())};
  for (int i = 0; i < operand.rank(); ++i) {
    int const axis = (*operand->axes_of)[static_cast<std::size_t>(i)];
    if (axis >= 0) at(memory.strides, i) = at(whole, axis);
  }
  return memory;
}

}  // namespace tenon::internal

#endif
