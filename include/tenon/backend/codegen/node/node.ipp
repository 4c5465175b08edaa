#pragma once

#include <tenon/backend/codegen/node/node.hpp>
#include <tenon/core/config.hpp>

namespace tenon::internal::codegen {

TENON_RUNTIME Value Node::number() const {
  Value value;
  std::memcpy(value.number.data(), at_ + type_->number, type_->dtype->bytes);
  return value;
}

TENON_RUNTIME LabelExtents Node::extents() const {
  Node const a = operand_at(0), b = operand_at(1);
  return label_sizes(type_->name, *type_->contraction, *a->shape, a.sizes(), *b->shape, b.sizes());
}

TENON_RUNTIME Sizes Node::sizes() const {
  if (is_leaf()) return type_->leaf->sizes(at_);
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
      // (A pointer, not a reference: for a static shape nothing is there, and it may be unaligned.)
      return sizes_among(*type_->shape, reinterpret_cast<std::int64_t const*>(at_ + type_->sizes));
  }
}

TENON_RUNTIME void Node::each_number(Callback<void(std::int64_t)> const& f) const {
  if (is(NodeKind::index_map)) {
    for (std::int64_t const size : sizes()) f(size);
    for (std::int64_t const place : start()) f(place);
  }
  if (!is(NodeKind::step)) return;
  for (std::int64_t const size : sizes()) f(size);
  for (std::int64_t const step : steps().along) f(step);
  f(steps().start);
}

TENON_RUNTIME std::int64_t longest_reduction(Node e) {
  std::int64_t length = 0;
  if (e->has_reduction)
    e.each([&](Node operand) { length = (std::max)(length, longest_reduction(operand)); });
  if (!e.is(NodeKind::reduction)) return length;
  return (std::max)(length, e.operand_at(0).count() / std::max<std::int64_t>(1, e.count()));
}

TENON_RUNTIME int reduction_depth_of(Node e) {
  int depth = 0;
  e.each([&](Node operand) { depth = (std::max)(depth, reduction_depth_of(operand)); });
  return depth + (e.is(NodeKind::reduction) ? 1 : 0);
}

TENON_RUNTIME void emit_ops(Node e, int most, std::string& text) {
  if (most == 0 || e->name.empty()) return;
  text.append("_").append(e->name);
  e.each([&](Node operand) { emit_ops(operand, most - 1, text); });
}
TENON_RUNTIME std::string ops_text(Node e) {
  std::string text;
  emit_ops(e, 3, text);
  return text.empty() ? "_copy" : text;
}

TENON_RUNTIME std::string type_of_expression(Node e) {
  return std::string(e->dtype->name).append(" \"").append(e->spec) + "\"";
}

}  // namespace tenon::internal::codegen
