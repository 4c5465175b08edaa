#pragma once

#include <tenon/backend/codegen/adjoint/node_backward.hpp>
#include <tenon/backend/codegen/emit/kernel.hpp>

/// Kernels that propagate an adjoint to the leaves of an expression.
namespace tenon::internal::codegen {

/// The adjoints of all leaves are required.
inline bool every_leaf(TapeMark) { return true; }

/// The parameters of backward kernels.
struct Backward {
  Functions& functions;
  std::string name;
  Wanted wanted = every_leaf;
};

/// The kernels that propagate the adjoint of a materialized expression to its leaves; empty if no
/// leaf requires it. For a contraction those of both operands.
std::vector<Kernel> backward_of(Backward const& how, Node e);

/// The same for an expression that reads as `own_product` the result `value` of kernel `number`.
std::vector<Kernel> backward_of(Backward const& how, Node value, int number, Node e);

}  // namespace tenon::internal::codegen

namespace tenon::codegen {

using internal::codegen::backward_of;

}  // namespace tenon::codegen

#if TENON_DEFINES_RUNTIME
#include <tenon/backend/codegen/adjoint/backward.ipp>
#endif
