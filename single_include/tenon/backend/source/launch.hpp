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

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

/// Kernel launches.
namespace tenon::source {

/// An argument of a kernel: memory, or a number of `bytes` bytes.
struct LaunchArgument {
  void const* memory = nullptr;
  std::size_t bytes = 0;  ///< Of a number; 0: memory.
  std::array<std::byte, 8> number{};

  static LaunchArgument of(std::int64_t number) {
    LaunchArgument argument{nullptr, sizeof number, {}};
    std::memcpy(argument.number.data(), &number, sizeof number);
    return argument;
  }
};

/// The work size of a kernel.
struct Work {
  std::int64_t rows = 1;    ///< Distributed by the kernel over the work items that are launched;
  std::int64_t groups = 0;  ///< or, if not 0, the number of work groups,
  int members = 0;          ///< and their size.
};

}  // namespace tenon::source
