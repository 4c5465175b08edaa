#pragma once

#include <tenon/backend/codegen/kernels/chunked_reductions.hpp>
#include <tenon/core/config.hpp>

namespace tenon::source {

TENON_RUNTIME void ChunkKernels::add(Node e) {
  if (!e->has_fold) return;
  e.each([&](Node operand) { add(operand); });
  if (e.is(NodeKind::fold)) add_fold(e);
}

TENON_RUNTIME void ChunkKernels::add_fold(Node fold) {
  auto const [known, is_new] = known_.try_emplace(identity(walk_, fold), folded.all.size());
  if (is_new) {
    Folded::Parts const parts{fold->dtype->text, fold.count() * cut_.pieces,
                              static_cast<std::int64_t>(fold->dtype->bytes)};
    kernels.push_back(kernel_of(fold, {parts, known->second, "out", true}));
    folded.all.push_back(parts);
  }
  folded.places[Folded::node(fold)] = known->second;
}

TENON_RUNTIME Kernel ChunkKernels::kernel_of(Node fold, FoldedParts own) {
  Walk walk(*functions_);
  walk.cut = cut_;
  walk.folded = &folded;
  Loops loops(walk.listing, 0);
  Places const at = open_rows(walk, sizes_of(walk, fold), fold.rank(), 0, loops);
  int const block = loops.block();
  Range const range = range_of(walk, folded_axes(walk, fold).text(walk.variables), block);
  std::string const total = walk.listing.text(folded_range(walk, fold, at, block, range));
  if (cut_.has_members) loops.enter_header("if (member == 0)");
  walk.listing.line(loops.block(), "out[row] = " + total + ";");
  loops.close();
  Kernel kernel{name_ + "_" + own.name, {}, own.type, own.elements, own.element_bytes};
  kernel.folds.push_back(std::move(own));
  return with_text(std::move(kernel), walk, "// out: pieces of " + type_of_recipe(fold) + "\n", {});
}

}  // namespace tenon::source
