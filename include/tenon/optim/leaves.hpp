#pragma once

#include <concepts>
#include <cstdint>

#include <tenon/eval/evaluate.hpp>
#include <tenon/expr/create/like.hpp>
#include <tenon/expr/map/functions.hpp>
#include <tenon/expr/map/operators.hpp>
#include <tenon/tree/tree.hpp>

namespace tenon::optim {

/// The elements of a leaf in a row. An update does not care for axes, so that one kernel serves all
/// leaves of a dtype.
template <TensorType Leaf>
using Row = Tensor<typename Leaf::value_type, "n", typename Leaf::device>;

template <TensorType Leaf>
Row<Leaf> row_of(Leaf const& leaf) {
  Sizes sizes = ones();
  sizes[0] = leaf.size();
  return reshaped<Row<Leaf>>(leaf, sizes);
}

/// Gives a leaf new elements: the value of a recipe over its row and rows as long.
template <TensorType Leaf, Expression Recipe>
void set_row(Leaf& leaf, Recipe const& recipe) {
  leaf = reshaped<Leaf>(Row<Leaf>(recipe), leaf.sizes());
}

template <class Leaf>
void check_leaf() {
  static_assert(std::floating_point<typename Leaf::value_type>,
                "tenon::optim: a leaf is neither float32 nor float64; hold it in Frozen<>");
}

/// A tree like `tree` with zeros in the place of what is learned.
template <class Tree>
Tree zeros_of(Tree const& tree) {
  return tree::map(
      []<class Leaf>(Leaf const& leaf) {
        check_leaf<Leaf>();
        return zeros_like(leaf);
      },
      tree);
}

/// Does weight decay pull at a leaf? As in GPT-2: at matrices and all of higher rank, embeddings
/// among them; not at biases, nor at the scales of normalisations.
template <TensorType Leaf>
inline constexpr bool is_decayed = Leaf::rank >= 2;

}  // namespace tenon::optim
