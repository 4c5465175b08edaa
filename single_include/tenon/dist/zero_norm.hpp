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

#include <cmath>
#include <utility>

#include <tenon/dist/sharded_clip.hpp>
#include <tenon/dist/zero_parts.hpp>

/// The global norm of trees sharded by ZeRO.
namespace tenon {

template <class X>
inline constexpr bool is_zero_parts = false;
template <class Tree>
inline constexpr bool is_zero_parts<ZeroParts<Tree>> = true;

namespace mpi {

/// A traversal with `ZeroParts` and sharded tensors as leaves.
struct LearnedParts {
  template <class T>
  static constexpr bool visits = is_zero_parts<T> || LearnedShards::visits<T>;
  static constexpr bool opens_frozen = false;
};
struct PartsAlone {
  template <class T>
  static constexpr bool visits = is_zero_parts<T>;
  static constexpr bool opens_frozen = false;
};

/// The sums of squares of such a tree.
struct SquaresOfParts : SquaresOverRanks {
  using SquaresOverRanks::add_leaf;
  template <class Tree>
  void add_leaf(ZeroParts<Tree> const& parts) {
    for_each_part(parts.division->skeleton, parts,
                  [&](auto const&, auto const& part, RowDivision const& by) {
                    add(part, parts.division->group, by.others);
                  });
  }
};

}  // namespace mpi

/// Whether a tree holds `ZeroParts`.
template <class Tree>
concept HoldsZeroParts = tree::reaches<mpi::PartsAlone, Tree>();

/// The L2 norm of the global tree of `ZeroParts`, the same on all ranks; collective. Sharded rows
/// are summed over their group, sharded leaves over their mesh; replicated values count once.
/// `stages`: ranks that hold other layers.
template <HoldsZeroParts Tree>
double global_norm(Tree const& tree, Group const& stages) {
  mpi::SquaresOfParts squares;
  tree::for_each<mpi::LearnedParts>([&](auto const& unit) { squares.add_leaf(unit); }, tree);
  return std::sqrt(squares.total(stages));
}
template <HoldsZeroParts Tree>
double global_norm(Tree const& tree) {
  return global_norm(tree, Group());
}

/// Scales gradients so that their norm over all ranks is at most `limit`; call it between
/// `Zero::reduce` and `Zero::step`. PyTorch: `clip_grad_norm_` of DTensors.
template <HoldsZeroParts Tree>
Tree clip_by_global_norm(Tree gradients, double limit) {
  return clip_by_global_norm(std::move(gradients), limit, Group());
}

}  // namespace tenon
