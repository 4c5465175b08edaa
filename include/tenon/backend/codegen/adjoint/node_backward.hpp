#pragma once

#include <tenon/backend/codegen/adjoint/reverse.hpp>

/// Emits the backward of a node to its operands; values needed by its derivative are recomputed
/// where they are used.
namespace tenon::internal::codegen {

/// Whether an expression has a leaf whose adjoint is required.
bool leads_back(Reverse const& reverse, Node e);

/// Propagates a contribution to the adjoint of an expression's element back to the leaves.
void backward_element(Reverse& reverse, Node e, Places const& at, Value const& share);

/// Accumulates contributions to the adjoint of a reduction; equal reductions share one.
void backward_reduction(Reverse& reverse, Node reduction, Places const& at, Value const& share);

/// An element of the adjoint that a kernel propagates.
Value adjoint_element(Reverse& reverse, Node e, Places const& at);

/// Propagates the adjoint of a contraction to one operand.
void backward_factor(Reverse& reverse, Node product, bool is_left);

/// Propagates the adjoint passed to a kernel back to the leaves of an expression, row by row.
void backward_all_rows(Reverse& reverse, Node e);

}  // namespace tenon::internal::codegen

#if TENON_DEFINES_RUNTIME
#include <tenon/backend/codegen/adjoint/node_backward.contraction.ipp>
#include <tenon/backend/codegen/adjoint/node_backward.ipp>
#include <tenon/backend/codegen/adjoint/node_backward.reductions.ipp>
#include <tenon/backend/codegen/adjoint/node_backward.rows.ipp>
#endif
