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

#include <tenon/backend/source/compiled.hpp>
#include <tenon/backend/source/kernel.hpp>
#include <tenon/tenon.hpp>

/// Floats split into three bfloat16 parts whose sum is exact, as `SplitFloat` on the CPU: a matmul
/// of the parts does not round its operands.
namespace tenon::source {

inline constexpr int split_parts = 3;

/// The kernel. Its arguments: the floats, the three parts in sequence, and the number of floats.
Kernel split_kernel(Functions& functions);

/// The parts of `size` floats on a device.
template <class D>
SharedBuffer split(float const* from, std::int64_t size) {
  static typename D::Function const function = [] {
    Functions functions(BackendOf<D>::dialect::text, true, false);
    Kernel const kernel = split_kernel(functions);
    std::string text(functions.dialect().prelude);
    return Compiled<D>::function(kernel.name, text.append(functions.text()).append(kernel.text));
  }();
  SharedBuffer parts = DeviceBlocks<D>::instance().take(
      static_cast<std::size_t>(split_parts * size) * sizeof(bfloat16));
  Work work;
  work.rows = size;
  D::launch(function, {{from, 0, {}}, {parts.data(), 0, {}}, LaunchArgument::of(size)}, work);
  return parts;
}

}  // namespace tenon::source

#if TENON_DEFINES_RUNTIME
#include <tenon/backend/source/split.ipp>
#endif
