#pragma once

#include <cmath>
#include <utility>

#include <tenon/dist/sharded_clip.hpp>
#include <tenon/dist/zero_parts.hpp>

/// The global norm of trees of which ranks hold parts.
namespace tenon {

template <class X>
inline constexpr bool is_zero_parts = false;
template <class Tree>
inline constexpr bool is_zero_parts<ZeroParts<Tree>> = true;

namespace mpi {

/// A walk that stops at trees in parts, and at sharded leaves.
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

/// The squares of such a tree.
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

/// Does a tree hold parts of trees?
template <class Tree>
concept HoldsZeroParts = tree::reaches<mpi::PartsAlone, Tree>();

/// The length of the whole of a tree in parts, the same on all ranks, which all call it. What ranks
/// divide is added up over them, sharded leaves over their mesh; what they have alike counts once.
/// `stages`: ranks that have other layers.
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

/// The same gradients, scaled down to a global norm of `limit` where theirs, of all ranks, is
/// larger: between `Zero::reduce` and `Zero::step`. PyTorch: `clip_grad_norm_` of DTensors.
template <HoldsZeroParts Tree>
Tree clip_by_global_norm(Tree gradients, double limit) {
  return clip_by_global_norm(std::move(gradients), limit, Group());
}

}  // namespace tenon
