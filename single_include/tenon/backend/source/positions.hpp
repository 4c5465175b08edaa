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

#include <tenon/backend/source/lanes.hpp>

namespace tenon::source {

/// The position of the extreme (argmax, argmin) in a running reduction; -1 if there is none.
/// (Evaluation rejects an empty axis.)
class Position {
 public:
  Position(Walk& walk, FoldOp const& op, int block);
  int name() const { return position_; }

  /// Compares with the next element.
  void add(Value const& x, std::string place, int block);

  /// Combines the work items of the group: the best of all, the first among equals.
  void together();

 private:
  Value own() const { return Value(walk_->listing, best_); }
  std::string better(Value const& x, Value const& than, int block);
  void take(std::string const& where, std::string const& x, std::string const& place, int block);
  void merge(std::string const& other, std::string const& place, int block);

  Walk* walk_;
  FoldOp const* op_;
  int block_, best_, position_;
};

}  // namespace tenon::source

#if TENON_DEFINES_RUNTIME
#include <tenon/backend/source/positions.ipp>
#endif
