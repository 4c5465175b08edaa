#pragma once

#include <array>
#include <cstdint>

namespace tenon {

/// Folds a sequence in a fixed tree: blocks one after the other, the blocks pairwise, so that the
/// rounding error of a sum grows with the logarithm of its length. The tree depends on nothing but
/// the length.
template <class M, class Op, class T>
class PairwiseFold {
 public:
  using V = typename M::template vector<T>;

  [[gnu::always_inline]] constexpr void add(V x) {
    block_ = Op::f(block_, x);
    if (++filled_ == block_length) close();
  }

  constexpr V result() {
    V total = block_;
    for (std::uint64_t left = blocks_, i = 0; left != 0; left >>= 1, ++i) {
      if ((left & 1) != 0) total = Op::f(levels_[i], total);
    }
    return total;
  }

 private:
  static constexpr int block_length = 64;

  /// Carries the finished block up, as in binary counting.
  constexpr void close() {
    std::uint64_t i = 0;
    for (; ((blocks_ >> i) & 1) != 0; ++i) block_ = Op::f(levels_[i], block_);
    levels_[i] = block_;
    ++blocks_;
    block_ = V(Op::template identity<T>);
    filled_ = 0;
  }

  V block_ = V(Op::template identity<T>);
  std::array<V, 48> levels_;
  std::uint64_t blocks_ = 0;
  int filled_ = 0;
};

}  // namespace tenon
