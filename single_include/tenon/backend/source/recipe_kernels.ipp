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

#include <tenon/backend/source/lines.hpp>
#include <tenon/backend/source/recipe_kernels.hpp>
#include <tenon/tenon.hpp>

namespace tenon::source {

/// The kernel of an expression with a row-major result, or strided as `part`. If an elementwise op
/// needs the index of its row along each axis, a CPU iterates the last axis in a loop.
TENON_RUNTIME Kernel kernel_of(Functions& functions, Node e, MemoryAccess const* part, int row_axes,
                               PieceKernels const* pieces = nullptr) {
  if (auto const numbers = tiles_of(functions, e)) return tiled(functions, *numbers, e, e);
  Walk walk(functions);
  walk.has_steps_of_result = part != nullptr;
  if (part != nullptr) walk.steps_of_result = walk.memories.strides(e.rank(), part->stride);
  if (pieces != nullptr) walk.cut = pieces->cut(), walk.folded = &pieces->folded;
  print_rows(walk, e, row_axes);
  bool const asks = row_axes == 0 && walk.rows.are_taken_apart;
  if (asks && functions.is_processor && has_long_lines(e.sizes(), e.rank()))
    return kernel_of(functions, e, part, 1);
  return finished(walk, e, "kernel" + ops_text(e));
}

TENON_RUNTIME std::vector<Kernel> kernels_of(Functions& functions, Node e, MemoryAccess const* part,
                                             int row_axes) {
  Cut cut;
  if (e->has_fold) cut = cut_of(functions, e, row_axes);
  if (cut.pieces <= 1) return {kernel_of(functions, e, part, row_axes)};
  PieceKernels pieces(functions, cut, "fold" + ops_text(e));
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

}  // namespace tenon::source
