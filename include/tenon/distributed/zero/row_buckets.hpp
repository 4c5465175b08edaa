#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/core/stable_sort.hpp>
#include <tenon/distributed/communication/agree.hpp>
#include <tenon/distributed/communication/exchange.hpp>
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

/// Sends rows of many leaves; several small leaves share one collective.
namespace tenon::internal::mpi {

/// The rows of a leaf: all rows as the one buffer, the local rows as the other.
template <class T>
struct RowBlock {
  T const* from = nullptr;
  T* to = nullptr;
  RowDivision const* by = nullptr;

  std::int64_t count(std::size_t rank) const { return by->rows[rank] * by->row; }
};

/// Leaves that are divided among the same ranks.
template <class T>
struct RowBucket {
  Group group;
  std::vector<RowBlock<T>> blocks{};
  std::int64_t size = 0;

  /// The number of elements for each rank.
  std::vector<std::int64_t> counts() const {
    std::vector<std::int64_t> all(static_cast<std::size_t>(group.size()));
    for (auto const& block : blocks)
      for (std::size_t rank = 0; rank < all.size(); ++rank) all[rank] += block.count(rank);
    return all;
  }
  std::size_t rank() const { return static_cast<std::size_t>(group.rank()); }
  void agree_on(std::string_view operation, SourceLocation where) const {
    Sizes sizes = unit_sizes();
    sizes[0] = size, sizes[1] = static_cast<std::int64_t>(blocks.size());
    agree(group, {operation, {}, dtype_name<T>, "element leaf", sizes, 2, -1, where}, leaves());
  }
  /// Their paths and rows.
  Details leaves() const {
    Fingerprint print;
    for (auto const& block : blocks) {
      print.add(block.by->name);
      print.add(block.by->row);
      for (std::int64_t const rows : block.by->rows) print.add(rows);
    }
    return {print.value, [this] {
              std::string text;
              for (auto const& block : blocks)
                text.append(text.empty() ? "'" : "\n'")
                    .append(block.by->name + "' of ")
                    .append(std::to_string(sum_of(block.by->rows)) + " rows of ")
                    .append(std::to_string(block.by->row));
              return text;
            }};
  }
  /// Calls `copy(block, offset among all its rows, count)`, rank by rank.
  template <class Copy>
  void for_each_run(Copy const& copy) const {
    std::vector<std::int64_t> starts(blocks.size());
    for (std::size_t rank = 0; rank < static_cast<std::size_t>(group.size()); ++rank) {
      for (std::size_t k = 0; k < blocks.size(); ++k) {
        std::int64_t const count = blocks[k].count(rank);
        copy(blocks[k], std::exchange(starts[k], starts[k] + count), count);
      }
    }
  }
};

/// Groups blocks into buckets of at most `most` elements, at least one block each.
template <class T>
std::vector<RowBucket<T>> in_buckets(std::vector<RowBlock<T>> const& blocks, std::int64_t most) {
  std::vector<RowBucket<T>> buckets;
  for (auto const& block : blocks) {
    std::int64_t const size = block.by->elements();
    auto const open = std::ranges::find_if(buckets, [&](auto const& bucket) {
      return is_same_group(bucket.group, block.by->holders) && bucket.size + size <= most;
    });
    auto& bucket =
        open == buckets.end() ? buckets.emplace_back(RowBucket<T>{block.by->holders}) : *open;
    bucket.blocks.push_back(block);
    bucket.size += size;
  }
  return buckets;
}

/// Reduce_scatter: from all rows on each rank to the local rows of the sum.
template <class T>
void scatter_sums(RowBucket<T> const& bucket, SourceLocation where) {
  bucket.agree_on("reduce_rows", where);
  auto const counts = bucket.counts();
  if (bucket.blocks.size() == 1)
    return reduce_scatter<op::sum>(bucket.blocks[0].from, bucket.blocks[0].to, counts,
                                   bucket.group);
  auto const all = room_for<T>(bucket.size), own = room_for<T>(counts[bucket.rank()]);
  T* to = all.get();
  bucket.for_each_run([&](RowBlock<T> const& block, std::int64_t at, std::int64_t count) {
    to = std::copy_n(block.from + at, count, to);
  });
  reduce_scatter<op::sum>(all.get(), own.get(), counts, bucket.group);
  T const* from = own.get();
  for (auto const& block : bucket.blocks) {
    std::copy_n(from, block.count(bucket.rank()), block.to);
    from += block.count(bucket.rank());
  }
}

/// All_gather: from the local rows to all rows.
template <class T>
void gather_rows(RowBucket<T> const& bucket, SourceLocation where) {
  bucket.agree_on("gather_rows", where);
  auto const counts = bucket.counts();
  if (bucket.blocks.size() == 1)
    return all_gather(bucket.blocks[0].from, bucket.blocks[0].to, counts, bucket.group);
  auto const all = room_for<T>(bucket.size), own = room_for<T>(counts[bucket.rank()]);
  T* to = own.get();
  for (auto const& block : bucket.blocks)
    to = std::copy_n(block.from, block.count(bucket.rank()), to);
  all_gather(own.get(), all.get(), counts, bucket.group);
  T const* from = all.get();
  bucket.for_each_run([&](RowBlock<T> const& block, std::int64_t at, std::int64_t count) {
    std::copy_n(std::exchange(from, from + count), count, block.to + at);
  });
}

}  // namespace tenon::internal::mpi
