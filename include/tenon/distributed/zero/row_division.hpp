#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <tenon/core/stable_sort.hpp>
#include <tenon/distributed/communication/split.hpp>
#include <tenon/distributed/communication/topology.hpp>
#include <tenon/distributed/sharding/learned_shards.hpp>

/// How ranks that hold the same leaves of a tree divide their rows.
namespace tenon::internal {

/// The rows of a leaf (entries of its first axis), in contiguous ranges as equal as possible, one
/// per rank. A scalar is one row.
struct RowDivision {
  std::string name;                ///< The path of the leaf: `blocks.0.weight`.
  Group holders;                   ///< The ranks that hold the same rows, and divide them.
  Group others;                    ///< Ranks of other groups with other shards of the leaf.
  std::vector<std::int64_t> rows;  ///< Of each holder.
  std::int64_t row = 1;            ///< The elements of a row.

  std::size_t rank() const { return static_cast<std::size_t>(holders.rank()); }
  std::int64_t own_rows() const { return rows[rank()]; }
  /// The first row of this rank.
  std::int64_t begin() const { return mpi::starts_of(rows)[rank()]; }
  std::int64_t elements() const { return mpi::sum_of(rows) * row; }
};

/// A tree and the division of its leaves among a group of ranks.
template <class Tree>
struct TreeDivision {
  Tree skeleton;  ///< Its leaves have sizes and no elements.
  Group group;
  std::vector<RowDivision> leaves;
};

/// The rows of each rank. Ranks that get one more are those with the fewest bytes so far, so that
/// many small leaves are balanced, too.
inline std::vector<std::int64_t> fair_rows(std::int64_t count, std::int64_t row_bytes,
                                           std::vector<std::int64_t>& bytes) {
  auto const ranks = static_cast<std::int64_t>(bytes.size());
  std::vector<std::int64_t> rows(bytes.size(), count / ranks);
  std::vector<std::size_t> order(bytes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  stable_sort(order, [&](std::size_t a, std::size_t b) { return bytes[a] < bytes[b]; });
  for (std::int64_t i = 0; i < count % ranks; ++i) ++rows[order[static_cast<std::size_t>(i)]];
  for (std::size_t i = 0; i < rows.size(); ++i) bytes[i] += rows[i] * row_bytes;
  return rows;
}

/// Mesh axes, space-separated: those along which the ranks of a group differ, or the others,
/// restricted to those in `list`, or not in it.
inline std::string mesh_axes(Topology const& mesh, Group const& group, bool in_group,
                             std::string_view list, bool in_list) {
  auto const& ranks = group.world_ranks();
  std::string names;
  for (auto const& axis : mesh.axes()) {
    auto const& along = mesh.group(axis.name).world_ranks();
    bool const inside = std::ranges::all_of(
        along, [&](int rank) { return std::ranges::find(ranks, rank) != ranks.end(); });
    if (axis.size == 1 || inside != in_group || lists(list, axis.name) != in_list) continue;
    names.append(names.empty() ? "" : " ").append(axis.name);
  }
  return names;
}

/// Builds the division of a tree, leaf by leaf.
class Dividing {
 public:
  explicit Dividing(Group group) : group_(std::move(group)) {}

  template <class Leaf>
  RowDivision divide(tree::Path const& path, Leaf const& leaf) {
    auto const& local = local_of(leaf);
    RowDivision by{path.text(), group_, alone_, {}, 1};
    if constexpr (ShardType<Leaf>)
      place(by, *leaf.place.topology(), divided_over(Leaf::sharding).view());
    for (int i = 1; i < LocalOf<Leaf>::rank; ++i) by.row *= at(local.sizes(), i);
    auto& bytes = bytes_[&by.holders.communicator()];
    bytes.resize(static_cast<std::size_t>(by.holders.size()));
    auto const size = static_cast<std::int64_t>(sizeof(typename LocalOf<Leaf>::value_type));
    by.rows = fair_rows(LocalOf<Leaf>::rank == 0 ? 1 : at(local.sizes(), 0), by.row * size, bytes);
    return by;
  }

 private:
  /// A sharded leaf is divided only among ranks that hold the same shard of it.
  void place(RowDivision& by, Topology const& mesh, std::string_view divides) const {
    auto const inside = mesh.group(mesh_axes(mesh, group_, true, divides, false)).size() *
                        mesh.group(mesh_axes(mesh, group_, true, divides, true)).size();
    if (inside != group_.size())
      fail<ValueError>({"Zero", by.name, "a group along axes of the mesh of the leaf",
                        std::string(group_.name())});
    by.holders = mesh.group(mesh_axes(mesh, group_, true, divides, false));
    by.others = mesh.group(mesh_axes(mesh, group_, false, divides, true));
  }

  Group group_, alone_;
  std::map<mpi::Communicator const*, std::vector<std::int64_t>> bytes_;
};

/// A leaf with its sizes and without elements.
template <TensorType Leaf>
Leaf skeleton_of(Leaf const& leaf) {
  if constexpr (Leaf::holds_elements) return Leaf::uninitialised(leaf.sizes());
  else return Leaf::adopt(SharedBuffer(), leaf.sizes());
}

/// The division of the learned leaves of a tree that all ranks hold; equal on all ranks.
template <class Tree>
std::shared_ptr<TreeDivision<Tree> const> division_of(Tree const& tree, Group const& group) {
  Dividing dividing(group);
  auto leaves = tree::collect<RowDivision, LearnedShards>(
      [&](tree::Path const& path, auto const& leaf) { return dividing.divide(path, leaf); }, tree);
  auto skeleton = tree::map([](auto const& leaf) { return skeleton_of(leaf); }, tree);
  return std::make_shared<TreeDivision<Tree> const>(
      TreeDivision<Tree>{std::move(skeleton), group, std::move(leaves)});
}

}  // namespace tenon::internal
