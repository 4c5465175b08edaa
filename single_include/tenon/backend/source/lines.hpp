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

#include <tenon/tenon.hpp>

/// The memory order of an expression's elements, and the axis along which it is iterated.
namespace tenon::source {

/// Whether a device iterates along an axis, as a CPU does; false by default.
template <class D>
bool walks_lines() {
  if constexpr (requires { D::walks_lines(); }) return D::walks_lines();
  else return false;
}

/// True if an axis is long enough for a separate loop and there are enough rows for all cores.
inline bool has_long_lines(Sizes const& sizes, int rank) {
  if (rank == 0) return false;
  std::int64_t const line = sizes[static_cast<std::size_t>(rank - 1)];
  return line >= 8 && count(sizes, rank) / line >= 64;
}

/// Whether strides are row-major.
inline bool lies_row_major(Sizes const& steps, Sizes const& sizes, int rank) {
  Sizes const expected = row_major(sizes, rank);
  return std::equal(steps.begin(), steps.begin() + rank, expected.begin());
}

}  // namespace tenon::source
