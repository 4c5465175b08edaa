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

/// What was copied to groups in the recording that goes on. A value that several products take
/// (queries, keys and values of the same tokens) is one copy for all of them: their adjoints are
/// added up first, and then once over ranks. Of another recording nothing is known, so that it is
/// the same for every run.
class Copies {
 public:
  /// Those of this thread's recording.
  static Copies& current() {
    static thread_local Copies one;
    if (one.tape_ != recording) one = Copies(recording);
    return one;
  }

  /// The mark of the copy of a value; none where there is no copy yet.
  TapeMark find(TapeMark from, Group const& group) const {
    auto const found = made_.find({from.slot, &group.communicator()});
    return found == made_.end() || from.tape != tape_ ? TapeMark{} : found->second.to;
  }
  void keep(TapeMark from, Group const& group, TapeMark to) {
    if (from.tape == tape_) made_.insert({{from.slot, &group.communicator()}, {group, to}});
  }

 private:
  struct Copy {
    Group group;  ///< Kept, so that no other group comes to lie at its place.
    TapeMark to;
  };

  explicit Copies(std::uint32_t tape = 0) : tape_(tape) {}

  std::uint32_t tape_;
  std::map<std::pair<std::uint32_t, Communicator const*>, Copy> made_;
};

}  // namespace tenon::mpi
