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

#include <string>

#include <tenon/backend/source/dialect.hpp>

namespace tenon::metal {

/// A memory operation: fill with zeros, or copy.
enum class Store { zero, copy };

/// The kernel `store` for it, element by element. (Blit commands require offsets and sizes that are
/// multiples of four, and another kind of encoder.)
inline std::string text_of(Store store, std::string const& type) {
  bool const copies = store == Store::copy;
  return source::filled(R"(#include <metal_stdlib>

kernel void store(device $0* to [[buffer(0)]], $1constant long& count [[buffer($2)]],
                  uint item_place [[thread_position_in_grid]],
                  uint item_count [[threads_per_grid]]) {
  for (long i = item_place; i < count; i += item_count) to[i] = $3;
}
)",
                        {type, copies ? "device " + type + " const* from [[buffer(1)]], " : "",
                         copies ? "2" : "1", copies ? "from[i]" : "0"});
}

}  // namespace tenon::metal
