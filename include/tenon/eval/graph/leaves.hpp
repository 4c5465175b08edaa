#pragma once

#include <tenon/eval/graph/reverse.hpp>
#include <tenon/eval/graph/tensor.hpp>
#include <tenon/eval/leaves.hpp>

/// Trees in a graph, and their gradients.
namespace tenon::graph {

/// Complex leaves have no gradient yet: they pass as they are.
template <class E>
concept RealTensor = std::floating_point<typename E::value_type>;

/// A copy of a tree whose learned leaves are leaves of the graph.
template <class Tree>
Tree tracked(Tree const& tree) {
  return tree::map(
      [](auto const& leaf) {
        using E = std::remove_cvref_t<decltype(leaf)>;
        if constexpr (!RealTensor<E>) return leaf;
        else return tensor_of<E>(values().as_leaf(id_of(leaf)));
      },
      tree);
}

template <class Tree>
std::vector<Id> ids_of(Tree const& tree) {
  return tree::collect<Id>([](auto const& leaf) { return id_of(leaf); }, tree);
}

/// The adjoints of `leaves` from those of `values`, trees in the graph.
template <class Values, class Tree>
Tree gradients(Values const& values, Values const& adjoint, Tree const& leaves) {
  std::vector<Id> const results = ids_of(values), inputs = ids_of(leaves);
  std::vector<Id> const shares = ids_of(adjoint);
  Reverse adjoints(results, inputs);
  for (std::size_t i = 0; i < results.size(); ++i) adjoints.add(results[i], shares[i]);
  adjoints.pull();
  std::size_t next = 0;
  return tree::map(
      [&](auto const& leaf) {
        using E = std::remove_cvref_t<decltype(leaf)>;
        Id const* const sum = adjoints.of(inputs[next++]);
        return sum ? tensor_of<E>(*sum, leaf.sizes()) : repeated<E>(0, leaf.sizes());
      },
      leaves);
}

}  // namespace tenon::graph
