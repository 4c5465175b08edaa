#pragma once

#include <tenon/backend/codegen/node/map_op.hpp>
#include <tenon/backend/codegen/node/reduction_op.hpp>
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
/// The dtype and the spec of an expression.
std::string type_of_expression(Node e);

}  // namespace tenon::internal::codegen

#if TENON_DEFINES_RUNTIME
#include <tenon/backend/codegen/node/node.ipp>
#endif
