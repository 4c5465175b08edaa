#pragma once

#include <array>
#include <cstdint>

namespace tenon::internal {

/// Reduces a sequence in a fixed tree: blocks one after the other, the blocks pairwise, so that the
/// rounding error of a sum grows with the logarithm of its length. The tree depends on the length
/// only.
template <class M, class Op, class T>
class PairwiseReduction {
 public:
  using V = typename M::template vector<T>;
  static constexpr int block_length = 64;

  constexpr void add(V x) {
    block_ = Op::f(block_, x);
    if (++filled_ < block_length) return;
    push(block_);
    block_ = V(Op::template identity<T>);
    filled_ = 0;
  }

  /// Adds a reduced block, and propagates carries as in binary counting. With `level`: the total of
  /// 2^level blocks, the number of blocks before being a multiple of that.
  constexpr void push(V block, std::uint64_t level = 0) {
    std::uint64_t i = level;
    for (; ((blocks_ >> i) & 1) != 0; ++i) block = Op::f(levels_[i], block);
    levels_[i] = block;
    blocks_ += std::uint64_t{1} << level;
  }

  /// The total of exactly 2^level blocks.
  constexpr V total_of(std::uint64_t level) const { return levels_[level]; }

  constexpr V result() const { return result(block_); }

  /// With a last, already reduced block.
  constexpr V result(V total) const {
    for (std::uint64_t left = blocks_, i = 0; left != 0; left >>= 1, ++i) {
      if ((left & 1) != 0) total = Op::f(levels_[i], total);
    }
    return total;
  }

 private:
  V block_ = V(Op::template identity<T>);
  std::array<V, 48> levels_;
  std::uint64_t blocks_ = 0;
  int filled_ = 0;
};

}  // namespace tenon::internal
