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

/// Nested loops, the innermost last.
class Loops {
 public:
  Loops(Listing& listing, int outer) : listing_(&listing), block_(outer), outer_(outer) {}
  int block() const { return block_; }

  Place enter(std::string const& size) {
    auto const loop = listing_->loop(size, block_);
    blocks_.push_back(block_ = loop.block);
    return {{loop.counter}};
  }
  /// Enters a loop that is already open.
  Place enter(Listing::Loop loop) {
    blocks_.push_back(block_ = loop.block);
    return {{loop.counter}};
  }
  /// A block that is not a loop; its index.
  int enter_header(std::string const& header) {
    blocks_.push_back(block_ = listing_->open(header, block_));
    return block_;
  }
  /// Closes all, the innermost first; calls `last(block)` before each.
  void close(Callback<void(int)> const& last) {
    for (; !blocks_.empty(); blocks_.pop_back()) {
      last(blocks_.back());
      listing_->close(blocks_.back());
    }
    block_ = outer_;
  }
  void close() {
    close([](int) {});
  }

 private:
  Listing* listing_;
  int block_, outer_;
  std::vector<int> blocks_;
};

/// The innermost block of the names in indices.
inline int block_of(Walk& walk, Places const& at) {
  std::vector<int> names;
  for (Place const& place : at) {
    for (int term : place.terms) names.push_back(term < 0 ? walk.rows.row : term);
  }
  return walk.listing.innermost(names);
}

/// The identity of a value computed at these indices.
inline Identity at_places(Identity identity, Places const& at) {
  for (Place const& place : at) {
    identity.push_back(static_cast<std::uint64_t>(place.start));
    identity.push_back(place.terms.size());
    for (int term : place.terms) identity.push_back(static_cast<std::uint64_t>(term));
  }
  return identity;
}

}  // namespace tenon::source
