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
#include <map>
#include <utility>

#include <tenon/dist/group.hpp>
#include <tenon/tenon.hpp>

namespace tenon::mpi {

/// The `copy_to` results of the current recording. A value used by several matmuls (queries, keys
/// and values of the same tokens) is copied once: the adjoints are summed locally first, and
/// reduced over ranks once. Copies of other recordings are not reused, so that every run is the
/// same.
class Copies {
 public:
  /// Those of the current recording of this thread.
  static Copies& current() {
    static thread_local Copies one;
    if (one.tape_ != recording) one = Copies(recording);
    return one;
  }

  /// The tape mark of the copy of a value; none if it has not been copied.
  TapeMark find(TapeMark from, Group const& group) const {
    auto const found = made_.find({from.slot, &group.communicator()});
    return found == made_.end() || from.tape != tape_ ? TapeMark{} : found->second.to;
  }
  void keep(TapeMark from, Group const& group, TapeMark to) {
    if (from.tape == tape_) made_.insert({{from.slot, &group.communicator()}, {group, to}});
  }

 private:
  struct Copy {
    Group group;  ///< Kept, so that its address is not reused.
    TapeMark to;
  };

  explicit Copies(std::uint32_t tape = 0) : tape_(tape) {}

  std::uint32_t tape_;
  std::map<std::pair<std::uint32_t, Communicator const*>, Copy> made_;
};

}  // namespace tenon::mpi
