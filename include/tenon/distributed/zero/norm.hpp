#pragma once

#include <cmath>
#include <utility>

#include <tenon/distributed/sharding/clip_gradients.hpp>
#include <tenon/distributed/zero/shards.hpp>

/// The global norm of trees sharded by ZeRO.
namespace tenon::internal {

template <class X>
inline constexpr bool is_zero_parts = false;
template <class Tree>
inline constexpr bool is_zero_parts<ZeroShards<Tree>> = true;

namespace mpi {

/// A traversal with `ZeroShards` and sharded tensors as leaves.
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
  void add_leaf(ZeroShards<Tree> const& parts) {
    for_each_part(parts.division->skeleton, parts,
                  [&](auto const&, auto const& part, RowDivision const& by) {
                    add(part, parts.division->group, by.others);
                  });
  }
};

}  // namespace mpi

/// Whether a tree holds `ZeroShards`.
template <class Tree>
concept HoldsZeroShards = tree::reaches<mpi::PartsAlone, Tree>();

/// The L2 norm of the global tree of `ZeroShards`. Sharded rows are summed over their group,
/// sharded leaves over their mesh.
template <HoldsZeroShards Tree>
struct NormOverRanks<Tree, Group> {
  static double of(Tree const& tree, Group const& stages) {
    mpi::SquaresOfParts squares;
    tree::for_each<mpi::LearnedParts>([&](auto const& unit) { squares.add_leaf(unit); }, tree);
    return std::sqrt(squares.total(stages));
  }
};
template <HoldsZeroShards Tree>
struct NormOverRanks<Tree> {
  static double of(Tree const& tree) { return global_norm(tree, Group()); }
};

}  // namespace tenon::internal
