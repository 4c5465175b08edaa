#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <tenon/distributed/communication/exchange.hpp>

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
