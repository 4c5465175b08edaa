#pragma once

#include <tenon/backend/codegen/emit/context.hpp>

namespace tenon::internal::codegen {

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

}  // namespace tenon::internal::codegen
