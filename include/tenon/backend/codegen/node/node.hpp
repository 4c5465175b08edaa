#pragma once

#include <tenon/backend/codegen/node/map_op.hpp>
#include <tenon/core/config.hpp>
#include <tenon/ir/leaf_access.hpp>
#include <tenon/ir/node.hpp>

/// Expressions as data: what the printer of kernels needs of a node beside its description, so that
/// the printer is compiled once for all expressions.
namespace tenon::internal::codegen {

using ir::Node;
using ir::NodeType;

struct NodeText {
  Dtype const* dtype = nullptr;
  MapOp const* map = nullptr;
  ReductionOp const* reduction = nullptr;  ///< Of a product: the sum.
  Value (*index)(Value const& id) = nullptr;
  Value (*multiply)(Value const& a, Value const& b) = nullptr;
};

/// The number of a constant.
Value number_of(Node constant);
/// The largest number of elements that any reduction of an expression combines.
std::int64_t longest_reduction(Node e);
/// The nesting depth of reductions.
int reduction_depth_of(Node e);
/// The ops of an expression, from the last one, as part of a name: `relu_add_mul`.
std::string ops_text(Node e);

}  // namespace tenon::internal::codegen

#if TENON_DEFINES_RUNTIME

namespace tenon::internal::codegen {

TENON_RUNTIME Value number_of(Node constant) {
  Value value;
  constant.copy_number(value.number.data());
  return value;
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

}  // namespace tenon::internal::codegen

#endif
