#pragma once

#include <cstring>

#include <tenon/expr/view/stepped.hpp>
#include <tenon/ir/axis_sets.hpp>
#include <tenon/ir/node_type.hpp>

namespace tenon::internal {

/// The static sizes of a shape, and its run-time sizes in order. Throws if the node was moved from.
Sizes sizes_among(Shape const& shape, std::int64_t const* run_time);

}  // namespace tenon::internal

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
#include <utility>

#include <tenon/core/rules/contraction.hpp>
#include <tenon/expr/gather/gather.hpp>
#include <tenon/expr/reduction/reduction.hpp>

namespace tenon::internal {

TENON_RUNTIME Sizes sizes_among(Shape const& shape, std::int64_t const* run_time) {
  Sizes sizes = unit_sizes();
  bool is_first = true;
  for (int i = 0; i < shape.rank; ++i) {
    if (shape[i].is_static()) {
      at(sizes, i) = shape[i].size;
      continue;
    }
    if (std::exchange(is_first, false)) check_not_gone(*run_time);
    at(sizes, i) = *run_time++;
  }
  return sizes;
}

}  // namespace tenon::internal

namespace tenon::internal::ir {

/// Adds the sizes of an operand to those of the axes `to[i]` of a result; a negative one has none.
inline void add_sizes(Sizes& sizes, Node operand, AxisMap const& to) {
  Sizes const own = operand.sizes();
  for (int i = 0; i < operand.rank(); ++i) {
    int const axis = to[static_cast<std::size_t>(i)];
    if (axis >= 0) at(sizes, axis) = at(own, i);
  }
}

/// The sizes of a map, from those of its operands; of a constant.
inline Sizes map_sizes(Node map) {
  Sizes sizes = unit_sizes();
  for (std::size_t k = 0; k < map.operand_count(); ++k)
    add_sizes(sizes, map.operand_at(k), map->axes_of[k]);
  return sizes;
}

TENON_RUNTIME void const* Node::elements() const {
  if (type_->leaf->is_inline) return address_ + type_->leaf->storage;
  auto const& buffer = part<SharedBuffer>(type_->leaf->storage);
  if (!buffer && count() > 0) refuse_moved_from();
  return buffer.as<std::byte>();
}

TENON_RUNTIME Sizes Node::sizes() const {
  if (is_leaf()) return type_->leaf->sizes(address_);
  // (A pointer, not a reference: for a static shape nothing is there, and it may be unaligned.)
  auto const* const run_time = reinterpret_cast<std::int64_t const*>(address_ + type_->sizes);
  if (type_->shape != nullptr && (is(NodeKind::map) || is(NodeKind::index_map)))
    return sizes_among(*type_->shape, run_time);
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
      return map_sizes(*this);
  }
}

TENON_RUNTIME LabelExtents Node::extents() const {
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
