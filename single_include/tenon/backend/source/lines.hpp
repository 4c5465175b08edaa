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

/// How the elements of a recipe lie, row-major or not, and along which lines.
namespace tenon::source {

/// Is a line worth a loop of its own, and are there enough of them for all cores?
template <class E>
bool has_long_lines(E const& e) {
  if constexpr (E::shape.rank == 0) return false;
  else {
    std::int64_t const line = e.sizes()[static_cast<std::size_t>(E::shape.rank - 1)];
    return line >= 8 && count(e.sizes(), E::shape.rank) / line >= 64;
  }
}

/// Do such steps lead to the elements of a recipe as they lie row-major?
template <class E>
bool lies_row_major(Sizes const& steps, E const& e) {
  Sizes const expected = row_major(e.sizes(), E::shape.rank);
  return std::equal(steps.begin(), steps.begin() + E::shape.rank, expected.begin());
}

/// Memory as a recipe's elements lie in it row-major.
template <class T, class E>
MemoryAccess access_at(T const* memory, E const& e) {
  MemoryAccess access{};
  access.data = reinterpret_cast<std::byte const*>(memory);
  access.stride = row_major(e.sizes(), E::shape.rank);
  return access;
}

}  // namespace tenon::source
