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
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <tenon/backend/source/kernel.hpp>
#include <tenon/backend/source/launch.hpp>
#include <tenon/tenon.hpp>

namespace tenon::source {

/// The index of an element in a vector; its size if it is not in it.
template <class T>
std::size_t place_of(std::vector<T> const& all, T const& thing) {
  return static_cast<std::size_t>(std::ranges::find(all, thing) - all.begin());
}

/// The run-time part of an expression in addition to its type: its sizes, and which of its leaves
/// and scalars are equal. The key determines the text and the run-time sizes of a kernel, in the
/// order of the nodes; the rest is passed to the kernel at each launch.
struct Occurrence {
  using Number = std::array<std::byte, 8>;

  Tape const* tape = nullptr;  ///< The tape of a backward pass; null in a forward pass.
  std::vector<std::int64_t> key{};
  std::vector<void const*> memories{};
  std::vector<Number> scalars{};
  std::vector<TapeMark> marks{};  ///< Of leaves whose adjoints are required.

  void note_type(Node e);
  void note(Node e);

  void note_all(Sizes const& numbers) { key.insert(key.end(), numbers.begin(), numbers.end()); }

 private:
  void note_leaf(Node leaf);
  void note_number(Number const& number);
  void note_mark(TapeMark mark);

  /// Adds an element if it is new, and its index to the key.
  template <class T>
  void note_place(std::vector<T>& seen, T const& thing) {
    std::size_t const place = place_of(seen, thing);
    if (place == seen.size()) seen.push_back(thing);
    key.push_back(static_cast<std::int64_t>(place));
  }
};

/// Calls `hold(buffer)` for the memory of all leaves of an expression, which a recording of its
/// kernels keeps alive.
void hold_leaves(Node e, Callback<void(SharedBuffer const&)> const& hold);

}  // namespace tenon::source

#if TENON_DEFINES_RUNTIME
#include <tenon/backend/source/occurrence.ipp>
#endif
