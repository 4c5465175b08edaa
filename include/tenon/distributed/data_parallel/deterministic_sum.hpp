#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <tenon/distributed/communication/agree.hpp>
#include <tenon/distributed/communication/collective_try.hpp>
#include <tenon/distributed/communication/exchange.hpp>
#include <tenon/distributed/data_parallel/compare_leaves.hpp>
#include <tenon/distributed/data_parallel/flat_tree.hpp>

/// The binary tree over numbered micro-batches that fixes the order of a deterministic sum.
namespace tenon::internal::mpi {

/// A node: the sum of 2^level micro-batches from `first` on, a multiple of 2^level. (The last node
/// may have fewer.)
struct SummationNode {
  std::int64_t first = 0;
  std::int64_t level = 0;

  std::int64_t size() const { return std::int64_t{1} << level; }
  bool is_left() const { return (first >> level) % 2 == 0; }
  SummationNode sibling() const { return {is_left() ? first + size() : first - size(), level}; }
  SummationNode parent() const { return {is_left() ? first : first - size(), level + 1}; }
  friend bool operator==(SummationNode const&, SummationNode const&) = default;
};

struct OwnedNode {
  SummationNode node;
  int rank = 0;
};

/// The nodes of all ranks, ordered by micro-batch, with their owners.
inline std::vector<OwnedNode> nodes_of_all(std::span<SummationNode const> own, Group const& group) {
  std::vector<std::int64_t> numbers;
  for (auto const& node : own) numbers.insert(numbers.end(), {node.first, node.level});
  auto const counts = all_numbers(static_cast<std::int64_t>(numbers.size()), group);
  std::vector<std::int64_t> all(static_cast<std::size_t>(sum_of(counts)));
  all_gather(numbers.data(), all.data(), counts, group);
  std::vector<OwnedNode> nodes;
  std::size_t next = 0;
  for (int rank = 0; rank < group.size(); ++rank)
    for (std::int64_t i = 0; i < counts[static_cast<std::size_t>(rank)]; i += 2, next += 2)
      nodes.push_back({{all[next], all[next + 1]}, rank});
  std::ranges::sort(nodes, {}, [](OwnedNode const& one) { return one.node.first; });
  return nodes;
}

/// The number of micro-batches. Throws `ValueError` if one is missing or duplicated.
inline std::int64_t micro_batch_count(std::span<OwnedNode const> nodes) {
  std::int64_t next = 0;
  std::string got(nodes.empty() ? "none" : "");
  for (auto const& [node, rank] : nodes) {
    if (node.first != next && got.empty())
      got = std::string(node.first < next ? "two of " : "none of ") +
            std::to_string((std::min)(node.first, next));
    next += node.size();
  }
  if (!got.empty())
    fail<ValueError>({"DeterministicSum", "micro-batch", "each once, from 0 on", got});
  return next;
}

/// Adds vectors of `count` elements of nodes in order. The sum is stored in the first.
template <class T>
void add_up(std::vector<SummationNode> nodes, std::vector<T*> data, std::int64_t count) {
  while (nodes.size() > 1) {
    std::int64_t const level = (std::ranges::min)(nodes, {}, &SummationNode::level).level;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i, ++kept) {
      SummationNode const node = nodes[i];
      T* const to = data[kept] = data[i];
      nodes[kept] = node.level == level ? node.parent() : node;
      if (node.level != level || i + 1 == nodes.size()) continue;
      T const* const from = data[++i];  // the sibling: no node has a lower level
      for (std::int64_t k = 0; k < count; ++k) to[k] += from[k];
    }
    nodes.resize(kept);
  }
}

}  // namespace tenon::internal::mpi

/// Data parallel training with the same bits for any number of ranks.
namespace tenon {

/// A deterministic sum of trees, one per micro-batch: the same bits for any number of ranks
/// and any distribution of micro-batches, each of which is computed on one rank. They are added
/// pairwise, by a binary tree over their numbers, so that rounding errors grow with its height. The
/// volume is that of `average_gradients` if each rank has one node of the tree (2^k micro-batches,
/// from a multiple of 2^k on), and at most 2 log2(count) times as much otherwise. 16-bit dtypes are
/// added in float. Not differentiable.
class DeterministicSum {
  using Call = internal::mpi::Call;
  using SourceLocation = internal::mpi::SourceLocation;

 public:
  /// Adds the tree of a micro-batch, numbered from 0 over all ranks. A rank may have any of them,
  /// or none, and add them in any order.
  template <class Tree>
  void add(std::int64_t micro_batch, Tree const& tree) {
    if (micro_batch < 0)
      internal::fail<ValueError>(
          {"DeterministicSum", "micro-batch", "0 or more", std::to_string(micro_batch)});
    internal::mpi::SummationNode node{micro_batch, 0};
    internal::FlatTree sum(tree);
    for (auto found = find(node.sibling()); found != nodes_.end(); found = find(node.sibling())) {
      if (!node.is_left()) std::swap(sum, found->second.sum);
      sum += found->second.sum;
      nodes_.erase(found);
      node = node.parent();
    }
    if (!nodes_.try_emplace(node.first, Node{node, std::move(sum)}).second)
      internal::fail<ValueError>({"DeterministicSum", "micro-batch", "each once",
                                  "two of " + std::to_string(micro_batch)});
  }

  /// The sum, or the mean, over all micro-batches of a group, on all ranks. `like`, a tree of the
  /// same structure, gives sizes; a rank without micro-batches needs it. Throws `ValueError` on all
  /// ranks if a micro-batch is missing or duplicated, `CommunicationError`.
  template <class Tree>
  Tree sum(Tree const& like, Group const& group, SourceLocation where = SourceLocation::current()) {
    return total(like, false, group, where);
  }
  template <class Tree>
  Tree mean(Tree const& like, Group const& group,
            SourceLocation where = SourceLocation::current()) {
    return total(like, true, group, where);
  }

 private:
  struct Node {
    internal::mpi::SummationNode node;
    internal::FlatTree sum;
  };
  using Nodes = std::map<std::int64_t, Node>;

  Nodes::iterator find(internal::mpi::SummationNode const& node) {
    auto const found = nodes_.find(node.first);
    return found != nodes_.end() && found->second.node == node ? found : nodes_.end();
  }

  template <class Tree>
  Tree total(Tree const& like, bool divides, Group const& group, SourceLocation where) {
    internal::FlatTree result(like);
    auto const sizes = result.sizes();
    Call call{.operation = "DeterministicSum", .detail = divides ? "mean" : "sum", .where = where};
    call.rank = static_cast<int>(sizes.size());
    std::ranges::copy(sizes, call.sizes.begin());
    internal::mpi::agree(group, call, internal::mpi::leaves_of(like));
    std::vector<internal::mpi::SummationNode> own;
    internal::mpi::collective_try(group, [&] {
      for (auto& [first, one] : nodes_) {
        own.push_back(one.node);
        if (one.sum.sizes() != sizes)
          internal::fail<ShapeError>({"DeterministicSum", {}, "equal trees"});
      }
    });
    auto const nodes = internal::mpi::nodes_of_all(own, group);
    std::int64_t const micro_batches = internal::mpi::micro_batch_count(nodes);
    result.for_each_dtype([&](auto& flat) {
      if (flat.size() > 0) add_up(nodes, divides ? micro_batches : 1, flat, group);
    });
    return result.as(like);
  }

  /// Each rank sums a shard of all elements; the shards are all-gathered.
  template <class Flat>
  void add_up(std::span<internal::mpi::OwnedNode const> nodes, std::int64_t by, Flat& flat,
              Group const& group) {
    using T = typename Flat::value_type;
    auto const parts = internal::mpi::parts_of(flat.size(), group.size());
    std::int64_t const count = parts[static_cast<std::size_t>(group.rank())];
    auto const room = internal::mpi::room_for<T>(count * static_cast<std::int64_t>(nodes.size()));
    auto const data = exchange(nodes, parts, room.get(), group);
    std::vector<internal::mpi::SummationNode> order;
    for (auto const& one : nodes) order.push_back(one.node);
    internal::mpi::add_up(std::move(order), data, count);
    for (std::int64_t i = 0; i < count && by > 1; ++i)
      data[0][i] /= static_cast<decltype(std::abs(T()))>(by);
    internal::mpi::all_gather(data[0], flat.own_memory(), parts, group);
  }

  /// The local shard of each node.
  template <class T>
  std::vector<T*> exchange(std::span<internal::mpi::OwnedNode const> nodes,
                           std::span<std::int64_t const> parts, T* room, Group const& group) {
    auto const starts = internal::mpi::starts_of(parts);
    auto const own = static_cast<std::size_t>(group.rank());
    std::vector<internal::mpi::Block<T const>> sent;
    for (auto& [first, one] : nodes_)
      for (std::size_t to = 0; to < parts.size(); ++to)
        if (to != own)
          sent.push_back(
              {one.sum.template of<T>().data() + starts[to], parts[to], static_cast<int>(to)});
    std::vector<internal::mpi::Block<T>> received;
    std::vector<T*> data;
    for (auto const& [node, rank] : nodes) {
      data.push_back(room);
      if (rank != group.rank()) received.push_back({room, parts[own], rank});
      else
        std::copy_n(nodes_.at(node.first).sum.template of<T>().data() + starts[own], parts[own],
                    room);
      room += parts[own];
    }
    internal::mpi::exchange<T>(sent, received, group);
    return data;
  }

  Nodes nodes_;
};

}  // namespace tenon

namespace tenon::internal {

/// The mean of the trees of micro-batches, numbered in rank order: `average_gradients` with the
/// same bits for any number of ranks. See `DeterministicSum` for an incremental version.
template <class Tree>
Tree average_micro_batches(std::vector<Tree> const& own, Tree const& like, Group const& group,
                           mpi::SourceLocation where = mpi::SourceLocation::current()) {
  mpi::agree(group, {.operation = "average_micro_batches", .where = where});
  auto const starts =
      mpi::starts_of(mpi::all_numbers(static_cast<std::int64_t>(own.size()), group));
  std::int64_t number = starts[static_cast<std::size_t>(group.rank())];
  DeterministicSum sum;
  for (auto const& tree : own) sum.add(number++, tree);
  return sum.mean(like, group, where);
}

}  // namespace tenon::internal

namespace tenon {

using internal::average_micro_batches;

}  // namespace tenon
