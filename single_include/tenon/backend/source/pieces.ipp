// Tenon 0.1.0. Made by scripts/single_include from include/: to be changed there.
// MIT License
//
// Copyright (c) 2025 The Tenon authors
//
// Permission is hereby granted, free of charge, to any person obtaining a copy
// of this software and associated documentation files (the "Software"), to deal
// in the Software without restriction, including without limitation the rights
// to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
// copies of the Software, and to permit persons to whom the Software is
// furnished to do so, subject to the following conditions:
//
// The above copyright notice and this permission notice shall be included in all
// copies or substantial portions of the Software.
//
// THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
// IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
// FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
// AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
// LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
// OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
// SOFTWARE.

#pragma once

#include <tenon/backend/source/pieces.hpp>
#include <tenon/tenon.hpp>

namespace tenon::source {

TENON_RUNTIME void PieceKernels::add(Node e) {
  if (!e->has_fold) return;
  e.each([&](Node operand) { add(operand); });
  if (e.is(NodeKind::fold)) add_fold(e);
}

TENON_RUNTIME void PieceKernels::add_fold(Node fold) {
  auto const [known, is_new] = known_.try_emplace(identity(walk_, fold), folded.all.size());
  if (is_new) {
    Folded::Parts const parts{fold->dtype->text, fold.count() * cut_.pieces,
                              static_cast<std::int64_t>(fold->dtype->bytes)};
    kernels.push_back(kernel_of(fold, {parts, known->second, "out", true}));
    folded.all.push_back(parts);
  }
  folded.places[Folded::node(fold)] = known->second;
}

TENON_RUNTIME Kernel PieceKernels::kernel_of(Node fold, FoldedParts own) {
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
