#pragma once

#include <tenon/backend/codegen/adjoint/backward.hpp>
#include <tenon/backend/codegen/emit/kernel.hpp>
#include <tenon/backend/codegen/matmul/tiled.hpp>
#include <tenon/core/config.hpp>
#include <tenon/eval/access.hpp>

namespace tenon::internal::codegen {

/// The kernels that reduce the rows of an expression in chunks, the deepest first: the kernel of
/// the expression combines their partial results.
class ChunkKernels {
 public:
  ChunkKernels(Functions& functions, Cut const& cut, std::string name)
      : functions_(&functions), cut_(cut), name_(std::move(name)), walk_(functions) {}

  Cut const& cut() const { return cut_; }

  std::vector<Kernel> kernels{};
  Reduced reduced{};

  void add(Node e);

 private:
  void add_reduction(Node reduction);
  Kernel kernel_of(Node reduction, ReducedParts own);

  Functions* functions_;
  Cut cut_;
  std::string name_;
  Walk walk_;  ///< Identifies equal reductions.
  std::map<Identity, std::size_t> known_;
};

}  // namespace tenon::internal::codegen

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

TENON_RUNTIME void ChunkKernels::add(Node e) {
  if (!e->has_reduction && !e.is(NodeKind::reduction)) return;
  e.each([&](Node operand) { add(operand); });
  if (e.is(NodeKind::reduction)) add_reduction(e);
}

TENON_RUNTIME void ChunkKernels::add_reduction(Node reduction) {
  auto const [known, is_new] = known_.try_emplace(identity(walk_, reduction), reduced.all.size());
  if (is_new) {
    Reduced::Parts const parts{reduction->text->dtype->text, reduction.count() * cut_.pieces,
                               static_cast<std::int64_t>(reduction->text->dtype->bytes)};
    kernels.push_back(kernel_of(reduction, {parts, known->second, "out", true}));
    reduced.all.push_back(parts);
  }
  reduced.places[Reduced::node(reduction)] = known->second;
}

TENON_RUNTIME Kernel ChunkKernels::kernel_of(Node reduction, ReducedParts own) {
  Walk walk(*functions_);
  walk.cut = cut_;
  walk.reduced = &reduced;
  Loops loops(walk.listing, 0);
  Places const at = open_rows(walk, sizes_of(walk, reduction), reduction.rank(), 0, loops);
  int const block = loops.block();
  Range const range = range_of(walk, reduced_axes(walk, reduction).text(walk.variables), block);
  std::string const total = walk.listing.text(reduced_range(walk, reduction, at, block, range));
  if (cut_.has_members) loops.enter_header("if (member == 0)");
  walk.listing.line(loops.block(), "out[row] = " + total + ";");
  loops.close();
  Kernel kernel{name_ + "_" + own.name, {}, own.type, own.elements, own.element_bytes};
  kernel.reductions.push_back(std::move(own));
  return with_text(std::move(kernel), walk, "// out: pieces of " + ir::type_text(reduction) + "\n",
                   {});
}

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
