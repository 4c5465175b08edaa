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

#include <algorithm>
#include <cstdint>

#include <tenon/backend/source/functions.hpp>

/// How a kernel works on long rows: what is folded is folded in lanes, and in pieces.
namespace tenon::source {

/// Lanes fold every so manieth element each, and are then folded in a fixed tree: so the bits are
/// the same from run to run.
struct Cut {
  int lanes = 0;             ///< 0: elements are folded one after the other.
  bool has_members = false;  ///< Is a lane a member of a group? Else they are an array.
  std::int64_t pieces = 1;   ///< Of each row, each with kernels of its own for its folds.

  /// What a lane folds one after the other, at most, where the order matters.
  static constexpr int most_in_lane = 64;
  int block() const { return lanes * most_in_lane; }
};

/// More groups than these take one row after the other.
inline constexpr std::int64_t most_groups = 1 << 16;

/// So many groups keep a large device busy, so many pieces the cores of a processor; shorter
/// pieces than this would take longer to be put together than they save.
inline std::int64_t pieces_for(bool is_processor, std::int64_t rows, std::int64_t length) {
  std::int64_t const enough = is_processor ? 64 : 512, shortest = is_processor ? 16384 : 4096;
  return std::max<std::int64_t>(1, std::min(enough / rows, length / shortest));
}

/// Are there groups of work items to work together?
inline bool has_groups(Functions const& functions) {
  return !functions.is_processor && !functions.dialect().group_kernel.empty();
}

/// How rows are worked on of which the longest fold is so long.
inline Cut cut_for(Functions const& functions, std::int64_t rows, std::int64_t length) {
  Cut cut;
  if (rows == 0) return cut;
  if (functions.is_processor) {
    cut.lanes = length >= 256 ? 64 : 0;
  } else if (length >= 64 && has_groups(functions)) {
    cut.has_members = true;
    for (cut.lanes = 32; cut.lanes < 256 && cut.lanes * 4 < length;) cut.lanes *= 2;
  }
  if (functions.are_for_device && cut.lanes > 0)
    cut.pieces = pieces_for(functions.is_processor, rows, length);
  return cut;
}

}  // namespace tenon::source
