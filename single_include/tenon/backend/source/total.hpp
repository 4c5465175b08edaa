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

#include <tenon/backend/source/walk.hpp>

namespace tenon::source {

/// Combines a value into a variable, in a block.
void combine(Listing& listing, FoldOp const& op, int into, Value const& x, int block);

/// The accumulator of a reduction: in the order of `PairwiseFold` if rounding depends on it.
class Total {
 public:
  Total(Listing& listing, FoldOp const& op, int block, bool in_blocks);

  int name() const { return total_; }

  void add(Value const& x, int block);

  /// Adds the pending blocks at the end.
  void finish();

 private:
  void combine(Value const& a, Value const& b, int block);
  void combine_level(int block);
  void carry(int block);

  Listing* listing_;
  FoldOp const* op_;
  int block_;
  bool in_blocks_;
  int total_;
  std::string level_, count_, blocks_, at_;
};

}  // namespace tenon::source

#if TENON_DEFINES_RUNTIME
#include <tenon/backend/source/total.ipp>
#endif
