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

#include <tenon/backend/source/kernel.hpp>
#include <tenon/tenon.hpp>

/// Random words generated on the device.
namespace tenon::source {

/// The kernel that fills memory with the words of a Philox stream, one block per row. Its
/// arguments: the memory, and, as numbers, the count of words, the stream, the two words of the
/// key, and the number of blocks.
Kernel draw_kernel(Functions& functions);

/// Its launch arguments.
inline std::vector<LaunchArgument> draw_arguments(op::PhiloxKey key, std::uint32_t stream,
                                                  std::uint32_t const* to, std::int64_t words) {
  std::vector<LaunchArgument> all{{to, 0, {}}};
  for (std::int64_t const number :
       {words, std::int64_t{stream}, std::int64_t{key[0]}, std::int64_t{key[1]}, (words + 3) / 4})
    all.push_back(LaunchArgument::of(number));
  return all;
}

}  // namespace tenon::source

#if TENON_DEFINES_RUNTIME
#include <tenon/backend/source/draw.ipp>
#endif
