#pragma once

#include <tenon/backend/codegen/matmul/tiled.hpp>
#include <tenon/core/config.hpp>

/// Backward of tiled matmuls: the adjoint of an operand is a matmul, too.
namespace tenon::internal::codegen {

/// The contraction that computes the adjoint of one operand from that of the result and the other
/// operand.
TENON_RUNTIME Contraction backward_rule(Contraction const& rule, bool is_left) {
  Contraction back = rule;
  back.left = rule.out;
  back.right = is_left ? rule.right : rule.left;
  back.out = is_left ? rule.left : rule.right;
  return back;
}

TENON_RUNTIME std::optional<ProductNumbers> tiles_back(Functions const& functions,
                                                       Wanted const& wanted, Node e, bool is_left) {
  if (!is_tileable(e) || functions.dialect().group_kernel.empty()) return std::nullopt;
  Node const own = e.operand_at(is_left ? 0 : 1);
  if (own.overlaps() || !wanted(base_of(own).mark())) return std::nullopt;
  OperandMemory const c = memory_of(own), b = memory_of(e.operand_at(is_left ? 1 : 0));
  Sizes const adjoint = row_major(e.sizes(), e.rank());
  ProductNumbers numbers = numbers_of(labels_of(backward_rule(*e->contraction, is_left),
                                                e.extents(), adjoint, b.strides, c.strides));
  numbers.b_start = b.start, numbers.c_start = c.start;
  if (numbers.is_exchanged) std::swap(numbers.a_start, numbers.b_start);
  bool const is_any = numbers.results() > 0;
  if (is_any && is_worth_tiles(numbers.labels, functions.is_processor)) return numbers;
  return std::nullopt;
}

TENON_RUNTIME Kernel tiled_factor(Functions& functions, std::string name,
                                  ProductNumbers const& numbers, Node e, bool is_left) {
  Walk walk(functions);
  Node const own = base_of(e.operand_at(is_left ? 0 : 1));
  auto const other = walk.memories.find(base_of(e.operand_at(is_left ? 1 : 0)));
  LeafAdjoint adjoint{walk.memories[walk.memories.find(own)], own.mark(), "g0"};
  adjoint.elements = own.count();
  adjoint.element_bytes = static_cast<std::int64_t>(e->text->dtype->bytes);
  TileLoops tiles(walk, numbers, tiling_of(numbers.labels, functions.is_processor), knows_sizes(e),
                  e->text->dtype->text);
  emit_sums_of(tiles, numbers, "adjoint", walk.memories[other].name);
  Loops loops(walk.listing, 0);
  tiles.open_sums(loops);
  walk.listing.line(loops.block(), "g0[" + tiles.result_index() + "] += " + tiles.sum() + ";");
  loops.close();
  Kernel kernel = kernel_without_text(e, std::move(name));
  kernel.adjoints = {adjoint};
  kernel.work = tiles.work();
  std::string const comments = adjoint_comments(kernel, ir::type_text(e));
  return with_text(std::move(kernel), walk, comments,
                   {{Argument::Is::adjoint}, {Argument::Is::leaf_adjoint, 0}});
}

}  // namespace tenon::internal::codegen
