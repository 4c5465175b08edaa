#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include <tenon/distributed/zero/row_buckets.hpp>
#include <tenon/optim/leaves.hpp>

/// Sharded trees (ZeRO): every rank of a group holds some rows of every leaf.
namespace tenon::internal {

/// The local rows of leaves of a dtype, as a plain tree for optimisers. Leaves with weight decay
/// have two axes, others one.
template <class T>
struct RowParts {
  std::vector<Tensor<T, "row column">> matrices;
  std::vector<Tensor<T, "row">> vectors;
};
struct NoParts {};

/// Leaves of one dtype.
template <class T>
struct LearnedAs {
  template <class Leaf>
  static consteval bool learns() {
    if constexpr (!tree::Learned::visits<Leaf>) return false;
    else return std::same_as<typename Leaf::value_type, T>;
  }
  template <class Leaf>
  static constexpr bool visits = learns<Leaf>();
  static constexpr bool opens_frozen = false;
};
template <class T, class Tree>
using PartsAs = std::conditional_t<tree::reaches<LearnedAs<T>, Tree>(), RowParts<T>, NoParts>;

}  // namespace tenon::internal

namespace tenon {

/// The local rows of a tree's learned leaves, and the partition of the tree. A tree itself, for
/// `value_and_grad` and optimisers, alone or as a field of a struct; the optimiser state is sharded
/// alike. PyTorch: the parameters of `fully_shard`.
template <class Tree>
struct ZeroShards {
  internal::PartsAs<float, Tree> float32;
  internal::PartsAs<double, Tree> float64;
  std::shared_ptr<internal::TreeDivision<Tree> const> division;
};

}  // namespace tenon

namespace tenon::internal {

template <class Tree>
struct tree::is_constant<std::shared_ptr<TreeDivision<Tree> const>> : std::true_type {};

namespace mpi {

/// The list that stores the shard of a leaf.
template <TensorType Leaf, class Parts>
auto& list_for(Parts& parts) {
  optim::check_real_leaf<Leaf>();
  static_assert(Leaf::device::is_host, "tenon::Zero: a leaf is not on the host");
  auto& rows = [&]() -> auto& {
    if constexpr (std::same_as<typename Leaf::value_type, float>) return parts.float32;
    else return parts.float64;
  }();
  if constexpr (optim::is_decayed<Leaf>) return rows.matrices;
  else return rows.vectors;
}

/// Calls `f(leaf, part, division)` for every leaf of a tree.
template <class Tree, class Parts, class F>
void for_each_part(Tree& tree, Parts& parts, F const& f) {
  std::map<void const*, std::size_t> passed;
  auto by = parts.division->leaves.begin();
  tree::for_each<LearnedShards>(
      [&](auto& leaf) {
        auto& list = list_for<LocalOf<decltype(leaf)>>(parts);
        f(local_of(leaf), list[passed[&list]++], *by++);
      },
      tree);
}

/// Uninitialised shards.
template <class Tree>
ZeroShards<Tree> uninitialised_parts(std::shared_ptr<TreeDivision<Tree> const> division) {
  ZeroShards<Tree> parts{{}, {}, std::move(division)};
  auto by = parts.division->leaves.begin();
  tree::for_each<LearnedShards>(
      [&](auto const& leaf) {
        auto& list = list_for<LocalOf<decltype(leaf)>>(parts);
        using Part = typename Unqualified<decltype(list)>::value_type;
        Sizes sizes = unit_sizes();
        sizes[0] = by->own_rows();
        if (Part::rank == 2) sizes[1] = by->row;
        list.push_back(Part::uninitialised(sizes));
        ++by;
      },
      parts.division->skeleton);
  return parts;
}

/// The local rows of a replicated tree. No communication.
template <class Tree>
ZeroShards<Tree> own_rows(Tree const& tree, std::shared_ptr<TreeDivision<Tree> const> division) {
  auto parts = uninitialised_parts(std::move(division));
  for_each_part(tree, parts, [](auto const& leaf, auto& part, RowDivision const& by) {
    std::copy_n(leaf.data() + by.begin() * by.row, part.size(), part.own_memory());
  });
  return parts;
}

/// The blocks of one dtype: `block(leaf, part, division)` for its leaves.
template <class T, class Tree, class Parts, class Block>
std::vector<RowBlock<T>> blocks_as(Tree& tree, Parts& parts, Block const& block) {
  std::vector<RowBlock<T>> blocks;
  for_each_part(tree, parts, [&]<class Leaf>(Leaf& leaf, auto& part, RowDivision const& by) {
    if constexpr (std::same_as<typename Unqualified<Leaf>::value_type, T>)
      blocks.push_back(block(leaf, part, by));
  });
  return blocks;
}

/// Calls `f(T())` for the dtypes of a tree's leaves.
template <class Tree, class F>
void for_each_dtype(F const& f) {
  if constexpr (tree::reaches<LearnedAs<float>, Tree>()) f(float());
  if constexpr (tree::reaches<LearnedAs<double>, Tree>()) f(double());
}

template <class T>
constexpr std::int64_t elements_of(std::int64_t bytes) {
  return bytes / static_cast<std::int64_t>(sizeof(T));
}

/// The local rows of the sum of the trees of all ranks.
template <class Tree>
ZeroShards<Tree> summed_rows(Tree const& tree, std::shared_ptr<TreeDivision<Tree> const> division,
                             std::int64_t bucket_bytes, SourceLocation where) {
  auto parts = uninitialised_parts(std::move(division));
  for_each_dtype<Tree>([&]<class T>(T) {
    auto const blocks = blocks_as<T>(tree, parts, [](auto& leaf, auto& part, auto const& by) {
      return RowBlock<T>{leaf.data(), part.own_memory(), &by};
    });
    for (auto const& bucket : in_buckets(blocks, elements_of<T>(bucket_bytes)))
      scatter_sums(bucket, where);
  });
  return parts;
}

/// A tree whose leaves have the rows of all ranks.
template <class Tree>
Tree gathered_rows(Tree tree, ZeroShards<Tree> const& parts, std::int64_t bucket_bytes,
                   SourceLocation where) {
  tree::for_each(
      [](auto& leaf) { leaf = Unqualified<decltype(leaf)>::uninitialised(leaf.sizes()); }, tree);
  for_each_dtype<Tree>([&]<class T>(T) {
    auto const blocks = blocks_as<T>(tree, parts, [](auto& leaf, auto& part, auto const& by) {
      return RowBlock<T>{part.data(), leaf.own_memory(), &by};
    });
    for (auto const& bucket : in_buckets(blocks, elements_of<T>(bucket_bytes)))
      gather_rows(bucket, where);
  });
  return tree;
}

}  // namespace mpi

/// The default bucket size in bytes, that of PyTorch's DDP.
inline constexpr std::int64_t bucket_bytes = std::int64_t{25} << 20;

/// The local rows of a tree that is replicated on a group. No communication. Sharded leaves are
/// divided further, among the ranks of the group that hold the same shard. Throws `ValueError` if
/// the group is not along axes of their mesh. PyTorch: `fully_shard`.
template <class Tree>
ZeroShards<Tree> in_parts(Tree const& tree, Group const& group) {
  return mpi::own_rows(tree, division_of(tree, group));
}

}  // namespace tenon::internal

namespace tenon {

using internal::in_parts;

}  // namespace tenon
