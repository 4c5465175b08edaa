#pragma once

#include <tenon/backend/codegen/adjoint/backward.hpp>
#include <tenon/backend/codegen/kernels/chunked_reductions.hpp>
#include <tenon/backend/codegen/matmul/tiled.hpp>
#include <tenon/core/config.hpp>
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

#include <tenon/backend/codegen/kernels/along_axis.hpp>

namespace tenon::internal::codegen {

/// Reductions are partial results of earlier kernels. Rows that are not themselves partitioned are
/// each combined once.
TENON_RUNTIME void reads_pieces(Walk& walk, ChunkKernels const& pieces, Node e, int row_axes) {
  walk.cut = pieces.cut();
  walk.reduced = &pieces.reduced;
  if (row_axes > 0) return;
  walk.pieces = walk.variables.fresh("pieces", walk.cut.pieces);
  bool const is_for_groups = walk.cut.is_of_columns && walk.cut.pieces > Cut::most_in_lane;
  if (is_for_groups) walk.cut = cut_for(walk.listing.functions(), e.count(), walk.cut.pieces);
  walk.cut.pieces = 1;
  walk.cut.is_of_columns = pieces.cut().is_of_columns;
}

/// The kernel of an expression with a row-major result, or strided as `part`. If an elementwise op
/// needs the index of its row along each axis, a CPU iterates the last axis in a loop.
TENON_RUNTIME Kernel kernel_of(Functions& functions, Node e, MemoryAccess const* part, int row_axes,
                               ChunkKernels const* pieces = nullptr) {
  if (auto const numbers = tiles_of(functions, e)) return tiled(functions, *numbers, e, e);
  Walk walk(functions);
  walk.has_steps_of_result = part != nullptr;
  if (part != nullptr) walk.steps_of_result = walk.memories.strides(e.rank(), part->stride);
  if (pieces != nullptr) reads_pieces(walk, *pieces, e, row_axes);
  print_rows(walk, e, row_axes);
  bool const asks = row_axes == 0 && walk.rows.are_taken_apart;
  if (asks && functions.is_processor && has_long_axis(e.sizes(), e.rank()))
    return kernel_of(functions, e, part, 1);
  return finished(walk, e, "kernel" + ops_text(e));
}

TENON_RUNTIME std::vector<Kernel> kernels_of(Functions& functions, Node e, MemoryAccess const* part,
                                             int row_axes) {
  Cut const cut = cut_of(functions, e, row_axes);
  if (cut.pieces <= 1) return {kernel_of(functions, e, part, row_axes)};
  ChunkKernels pieces(functions, cut, "reduction" + ops_text(e));
  pieces.add(e);
  pieces.kernels.push_back(kernel_of(functions, e, part, row_axes, &pieces));
  return std::move(pieces.kernels);
}

TENON_RUNTIME std::vector<Kernel> kernels_of(Functions& functions, Node product, ProductValue own,
                                             Node e) {
  auto const numbers = tiles_of(functions, product);
  if (!numbers) return {};
  return {tiled(functions, *numbers, product, e, own)};
}

}  // namespace tenon::internal::codegen

#endif
