#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <tenon/core/error.hpp>
#include <tenon/distributed/communication/agree.hpp>
#include <tenon/distributed/communication/transfers.hpp>

/// Ring communication of keys, values and their adjoints.
namespace tenon::internal::mpi {

/// Blocks, one per rank, circulate in a ring: at step s this rank holds the block of the rank s
/// before it. Causal: a block visits only later ranks, whose queries attend to it.
struct Ring {
  Group group;
  std::vector<std::int64_t> keys;  ///< The number of keys on each rank.
  bool is_causal = false;

  int rank() const { return group.rank(); }
  int size() const { return group.size(); }
  int steps() const { return is_causal ? rank() + 1 : size(); }
  int owner(int step) const { return (rank() - step + size()) % size(); }
  std::int64_t keys_at(int step) const { return keys[static_cast<std::size_t>(owner(step))]; }
  int next() const { return (rank() + 1) % size(); }
  int previous() const { return (rank() + size() - 1) % size(); }
  /// Whether the block is sent to the next rank.
  bool goes_on(int step) const { return is_causal ? rank() + 1 < size() : step + 1 < size(); }
  /// The last rank that a block visits: its own rank if it visits no other.
  int last_of(int rank) const { return is_causal ? size() - 1 : (rank + size() - 1) % size(); }
  /// Whether other ranks compute adjoints of the block of this rank.
  bool returns() const { return last_of(rank()) != rank(); }
};

/// Tags of keys; values use the next ones.
inline constexpr int block_of_ring_tag = 0, ring_adjoint_tag = 2, home_tag = 4;

/// Keys and values of one rank, or their adjoints.
template <TensorType K>
struct KeysAndValues {
  K keys, values;

  /// Uninitialised, with `count` positions.
  KeysAndValues with_positions(std::int64_t count) const {
    Sizes sizes = keys.sizes();
    at(sizes, 1) = count;
    return {K::uninitialised(sizes), K::uninitialised(sizes)};
  }
};

/// Sends, or receives, both.
template <class K>
void send(Transfers& transfers, KeysAndValues<K> const& block, int to, int tag) {
  transfers.send(block.keys, to, tag);
  transfers.send(block.values, to, tag + 1);
}
template <class K>
void receive(Transfers& transfers, KeysAndValues<K>& block, int from, int tag) {
  transfers.receive(block.keys, from, tag);
  transfers.receive(block.values, from, tag + 1);
}

/// Calls `use(step, block, transfers)` for each block; meanwhile the block is sent on and the next
/// one received: occasional calls of `transfers.is_done()` drive progress.
template <class K, class Use>
void around(Ring const& ring, Call const& call, KeysAndValues<K> block, Use const& use) {
  for (int step = 0; step < ring.steps(); ++step) {
    auto next = block;
    {
      Transfers transfers(ring.group, call);
      if (step + 1 < ring.steps()) {
        next = block.with_positions(ring.keys_at(step + 1));
        receive(transfers, next, ring.previous(), block_of_ring_tag);
      }
      if (ring.goes_on(step)) send(transfers, block, ring.next(), block_of_ring_tag);
      use(step, std::as_const(block), transfers);
      transfers.wait();
    }
    block = std::move(next);
  }
}

/// Adjoints of blocks in the ring: a rank adds its contribution for the block of a step to the sum
/// of the ranks before it and sends it on; the last one returns it to the owner of the block.
template <class K>
class AdjointsAround {
 public:
  /// `own` is the initial adjoint of the local block: zeros.
  AdjointsAround(Ring const& ring, Call const& call, KeysAndValues<K> own)
      : ring_(ring),
        call_(call),
        own_(std::move(own)),
        coming_(own_),
        sent_(own_),
        returned_(own_.with_positions(ring.returns() ? ring.keys_at(0) : 0)),
        coming_transfers_(ring.group, call),
        sent_transfers_(ring.group, call),
        home_(ring.group, call) {
    if (ring.returns()) receive(home_, returned_, ring.last_of(ring.rank()), home_tag);
  }

  /// Starts to receive the partial adjoint for the block of a step.
  void expect(int step) {
    if (step < 2) return;
    coming_ = own_.with_positions(ring_.keys_at(step));
    receive(coming_transfers_, coming_, ring_.previous(), ring_adjoint_tag);
  }

  /// Adds the local contribution to the received partial adjoint, and sends it on.
  void add(int step, KeysAndValues<K> share) {
    if (step == 0) return void(own_ = std::move(share));
    coming_transfers_.wait();
    if (step > 1) share = sum(share, coming_);
    sent_transfers_.wait();
    sent_ = std::move(share);
    int const owner = ring_.owner(step);
    if (ring_.last_of(owner) == ring_.rank()) send(sent_transfers_, sent_, owner, home_tag);
    else send(sent_transfers_, sent_, ring_.next(), ring_adjoint_tag);
  }

  /// The complete adjoint of the local block.
  KeysAndValues<K> all() {
    home_.wait();
    sent_transfers_.wait();
    return ring_.returns() ? sum(own_, returned_) : own_;
  }

 private:
  static KeysAndValues<K> sum(KeysAndValues<K> const& a, KeysAndValues<K> const& b) {
    return {K(a.keys + b.keys), K(a.values + b.values)};
  }

  Ring const& ring_;
  Call const& call_;
  KeysAndValues<K> own_, coming_, sent_, returned_;
  Transfers coming_transfers_, sent_transfers_, home_;
};

}  // namespace tenon::internal::mpi
