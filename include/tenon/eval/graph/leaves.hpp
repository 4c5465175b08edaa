#pragma once

#include <tenon/eval/graph/tensor.hpp>
#include <tenon/eval/tape/leaves.hpp>

/// Trees in a graph, and their gradients.
namespace tenon::internal::graph {

/// Complex leaves have no gradient yet: they are unchanged.
template <class E>
concept RealTensor = FloatType<typename E::value_type>;

/// A copy of a tree whose parameter leaves are leaves of the graph.
template <class Tree>
[[gnu::cold]] Tree tracked(Tree tree) {
  tree::for_each(
      []<class E>(E& leaf) {
        if constexpr (RealTensor<E>) {
          Id const own = Graph::current->as_leaf(id_of(leaf));
          leaf.set_mark({Graph::current->serial, own.number});
        }
      },
      tree);
  return tree;
}

template <class Tree>
[[gnu::cold]] std::vector<Id> ids_of(Tree const& tree) {
  std::vector<Id> ids;
  tree::for_each([&](auto const& leaf) { ids.push_back(id_of(leaf)); }, tree);
  return ids;
}

/// The adjoints of `leaves` from those of `values`, trees in the graph.
template <class Values, class Tree>
[[gnu::cold]] Tree gradients(Values const& values, Values const& adjoint, Tree leaves) {
  std::vector<Id> const results = ids_of(values), inputs = ids_of(leaves);
  auto const sums = Graph::current->gradients(results, ids_of(adjoint), inputs);
  std::size_t next = 0;
  tree::for_each(
      [&]<class E>(E& leaf) {
        std::optional<Id> const sum = sums[next++];
        leaf = sum ? tensor_of<E>(*sum, leaf.sizes()) : repeated<E>(0, leaf.sizes());
      },
      leaves);
  return leaves;
}

}  // namespace tenon::internal::graph
