#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <tenon/tree/walk.hpp>

namespace tenon::internal::tree {

/// f(f(initial, first leaf), second leaf) and so on. JAX: `tree.reduce`.
template <class Walk = Learned, class F, class Value, class Tree>
constexpr Value fold(F&& f, Value initial, Tree const& tree) {
  for_each<Walk>([&](auto const& leaf) { initial = f(std::move(initial), leaf); }, tree);
  return initial;
}

/// The results of f(leaf), or f(path, leaf), for every leaf, in order.
template <class Result, class Walk = Learned, class F, class Tree>
std::vector<Result> collect(F&& f, Tree const& tree) {
  std::vector<Result> results;
  for_each<Walk>(
      [&](Path const& path, auto const& leaf) { results.push_back(visit(f, path, leaf)); }, tree);
  return results;
}

/// The leaves in order, where all are of one type (or convertible to it). JAX: `tree.leaves`.
template <class Leaf, class Walk = Learned, class Tree>
std::vector<Leaf> leaves(Tree const& tree) {
  return collect<Leaf, Walk>(
      [](auto const& leaf) {
        static_assert(std::convertible_to<decltype(leaf), Leaf>,
                      "tenon::tree: a leaf is of another type; use for_each");
        return leaf;
      },
      tree);
}

/// The paths of the leaves in order: `blocks.0.attention.query.weight`. PyTorch: the names of
/// `named_parameters`.
template <class Walk = Learned, class Tree>
std::vector<std::string> paths(Tree const& tree) {
  return collect<std::string, Walk>([](Path const& path, auto const&) { return path.text(); },
                                    tree);
}

/// The number of leaves.
template <class Walk = Learned, class Tree>
constexpr std::int64_t count(Tree const& tree) {
  return fold<Walk>([](std::int64_t before, auto const&) { return before + 1; }, std::int64_t{0},
                    tree);
}

/// The number of elements of all leaves: the number of parameters of a model. PyTorch:
/// `sum(p.numel() for p in model.parameters())`.
template <class Walk = Learned, class Tree>
constexpr std::int64_t elements(Tree const& tree) {
  return fold<Walk>([](std::int64_t before, auto const& leaf) { return before + leaf.size(); },
                    std::int64_t{0}, tree);
}

}  // namespace tenon::internal::tree

namespace tenon::tree {

using internal::tree::count;
using internal::tree::elements;
using internal::tree::fold;
using internal::tree::leaves;
using internal::tree::paths;

}  // namespace tenon::tree
