#pragma once

#include <cstring>

#include <tenon/expr/view/stepped.hpp>
#include <tenon/ir/axis_sets.hpp>
#include <tenon/ir/node_type.hpp>

namespace tenon::internal::ir {

inline bool Node::is(NodeKind kind) const { return type_->kind == kind; }
inline bool Node::is_leaf() const { return type_->leaf != nullptr; }
inline bool Node::is_gather() const {
  return is(NodeKind::take) || is(NodeKind::pick) || is(NodeKind::take_along);
}
inline int Node::rank() const { return type_->rank; }
inline std::size_t Node::operand_count() const { return type_->operand_count; }
inline Node Node::operand_at(std::size_t k) const {
  return {*type_->operands[k], address_ + type_->places[k]};
}
template <class F>
void Node::each(F const& f) const {
  for (std::size_t k = 0; k < type_->operand_count; ++k) f(operand_at(k));
}

inline std::int64_t Node::count() const { return tenon::internal::count(sizes(), rank()); }
inline TapeMark Node::mark() const {
  if (!is_leaf() || type_->leaf->mark == 0) return {};
  return part<TapeMark>(type_->leaf->mark);
}
inline SharedBuffer const* Node::buffer() const {
  if (!is_leaf() || !type_->leaf->has_buffer) return nullptr;
  return &part<SharedBuffer>(type_->leaf->storage);
}
inline ElementIndex const& Node::start() const { return part<ElementIndex>(type_->start); }
inline SliceSteps const& Node::steps() const { return part<SliceSteps>(type_->start); }
/// Whether nodes of a type read an element of their operand more than once.
constexpr bool overlaps(NodeType const& type) {
  return type.kind == NodeKind::step ||
         (type.kind == NodeKind::index_map && tenon::internal::overlaps(*type.axes_of, type.rank));
}
inline bool Node::overlaps() const { return ir::overlaps(*type_); }
inline void Node::copy_number(void* to) const {
  std::memcpy(to, address_ + type_->number, type_->bytes);
}
template <class T>
T Node::number() const {
  T number;
  copy_number(&number);
  return number;
}

template <class F>
void Node::each_number(F const& f) const {
  if (!is(NodeKind::index_map) && !is(NodeKind::step)) return;
  for (std::int64_t const size : sizes()) f(size);
  if (is(NodeKind::index_map))
    for (std::int64_t const place : start()) f(place);
  if (!is(NodeKind::step)) return;
  for (std::int64_t const step : steps().along) f(step);
  f(steps().start);
}

}  // namespace tenon::internal::ir

#if TENON_DEFINES_RUNTIME

#include <algorithm>

#include <tenon/core/rules/contraction.hpp>
#include <tenon/expr/gather/gather.hpp>
#include <tenon/expr/reduction/reduction.hpp>

namespace tenon::internal::ir {

/// The static sizes of a node, and those that it stores. Throws if it was moved from.
inline Sizes stored_sizes(NodeType const& type, std::int64_t const* stored) {
  Sizes sizes = *type.known_sizes;
  if (type.stored_axes != 0) check_not_gone(*stored);
  for (int i = 0; i < type.rank; ++i)
    if (has_axis(type.stored_axes, i)) at(sizes, i) = *stored++;
  return sizes;
}

TENON_RUNTIME void const* Node::elements() const {
  if (type_->leaf->is_inline) return address_ + type_->leaf->storage;
  auto const& buffer = part<SharedBuffer>(type_->leaf->storage);
  if (!buffer && count() > 0) refuse_moved_from();
  return buffer.as<std::byte>();
}

[[gnu::noinline]] TENON_RUNTIME Sizes Node::sizes() const {
  if (is_leaf()) return type_->leaf->sizes(address_);
  // (A pointer, not a reference: for static sizes nothing is there, and it may be unaligned.)
  if (type_->known_sizes != nullptr)
    return stored_sizes(*type_, reinterpret_cast<std::int64_t const*>(address_ + type_->sizes));
  switch (type_->kind) {
    case NodeKind::reduction:
      return reduced_sizes(operand_at(0).sizes(), operand_at(0).rank(), type_->axes, type_->keeps);
    case NodeKind::step:
      return part<Sizes>(type_->sizes);
    case NodeKind::take:
      return gathered_sizes(operand_at(0).sizes(), operand_at(0).rank(), operand_at(1).sizes(),
                            operand_at(1).rank(), type_->axis);
    case NodeKind::pick:
    case NodeKind::take_along:
      return operand_at(1).sizes();
    case NodeKind::product:
      return sizes_of_labels(extents(), type_->contraction->out, rank());
    default:
      return unit_sizes();  // of a constant
  }
}

[[gnu::noinline]] TENON_RUNTIME LabelExtents Node::extents() const {
  Contraction const& rule = *type_->contraction;
  LabelExtents extents = rule.extents;
  auto const end = extents.begin() + rule.labels;
  AxisMap const* const labels[] = {&rule.left, &rule.right};
  for (std::size_t k = 0; k < operand_count() && std::find(extents.begin(), end, dynamic) != end;
       ++k) {
    Node const operand = operand_at(k);
    Sizes const own = operand.sizes();
    for (int i = 0; i < operand.rank(); ++i) {
      int const label = (*labels[k])[static_cast<std::size_t>(i)];
      if (label >= 0) extents[static_cast<std::size_t>(label)] = at(own, i);
    }
  }
  return extents;
}

}  // namespace tenon::internal::ir

#endif
