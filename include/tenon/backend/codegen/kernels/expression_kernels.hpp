#pragma once

#include <tenon/backend/codegen/adjoint/backward.hpp>
#include <tenon/backend/codegen/kernels/chunked_reductions.hpp>
#include <tenon/backend/codegen/matmul/tiled.hpp>
#include <tenon/eval/access.hpp>

/// The kernels that a device runs for an expression.
namespace tenon::internal::codegen {

/// The kernel of an expression with a row-major result, or strided as `part`, preceded by those
/// that reduce long rows in chunks.
std::vector<Kernel> kernels_of(Functions& functions, Node e, MemoryAccess const* part,
                               int row_axes);

/// The tiled matmul kernel fused with the expression that reads it.
std::vector<Kernel> kernels_of(Functions& functions, Node product, ProductValue own, Node e);

}  // namespace tenon::internal::codegen

#if TENON_DEFINES_RUNTIME
#include <tenon/backend/codegen/kernels/expression_kernels.ipp>
#endif
