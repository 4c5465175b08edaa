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

#include <cstdint>
#include <optional>

/// Matrices as BLAS libraries describe them.
namespace tenon::source {

/// `slow` lines of `fast` contiguous elements, with leading dimension `leading`.
struct DenseMatrix {
  std::int64_t fast, slow, leading;
  bool is_transposed;  ///< Whether it is the transposed of the requested matrix.

  /// A matrix with axes (x, y) and x contiguous, or transposed with y contiguous; none if neither
  /// is contiguous.
  static std::optional<DenseMatrix> of(std::int64_t x, std::int64_t x_step, std::int64_t y,
                                       std::int64_t y_step) {
    if (lies(x, x_step, y, y_step)) return DenseMatrix{x, y, y == 1 ? x : y_step, false};
    if (lies(y, y_step, x, x_step)) return DenseMatrix{y, x, x == 1 ? y : x_step, true};
    return std::nullopt;
  }

 private:
  static bool lies(std::int64_t fast, std::int64_t fast_step, std::int64_t slow,
                   std::int64_t slow_step) {
    return (fast == 1 || fast_step == 1) && (slow == 1 || slow_step >= fast);
  }
};

}  // namespace tenon::source
