#pragma once

#include <cmath>
#include <concepts>

#include <tenon/expr/reduction/reductions.hpp>
#include <tenon/optim/leaves.hpp>

namespace tenon::internal {

/// A traversal that stops at tensors of which each rank has a shard.
struct DividedOverRanks {
  template <class T>
  static constexpr bool visits = requires {
    T::sharding;
    typename T::local_type;
  };
  static constexpr bool opens_frozen = false;
};

/// The elements of a leaf as a vector in the dtype in which they are computed, float for those of
/// 16 bits, or the parts of complex ones.
template <TensorType Leaf>
auto computed_row_of(Leaf const& leaf) {
  using T = typename Leaf::value_type;
  if constexpr (HalfType<T>) return eval(to<float>(optim::row_of(leaf)));
  else if constexpr (ComplexType<T>) return optim::parts_of(leaf);
  else return optim::row_of(leaf);
}

/// The sum of the squares of floats that are too large or too small to be squared in float: those
/// of their quotients by the largest, times its square.
template <TensorType Row>
double sum_of_scaled_squares(Row const& row) {
  auto const largest = static_cast<double>(eval((max)(abs(row))).item());
  if (!(largest > 0) || !std::isfinite(largest)) return largest * largest;
  Row const scaled = row / static_cast<typename Row::value_type>(largest);
  return largest * largest * static_cast<double>(eval(sum(square(scaled))).item());
}

/// The sum of the squares of the elements of a leaf. Squares of floats from 1e-15 to 1e19 are added
/// in float; others by `sum_of_scaled_squares`.
template <TensorType Leaf>
double sum_of_squares(Leaf const& leaf) {
  static_assert(InexactType<typename Leaf::value_type>,
                "tenon::optim: a leaf has no floating dtype; hold it in Frozen<>");
  auto const row = computed_row_of(leaf);
  auto const squares = static_cast<double>(eval(sum(square(row))).item());
  if constexpr (std::same_as<typename decltype(row)::value_type, double>) return squares;
  else if (row.size() == 0 || (squares > 1e-30 && std::isfinite(squares))) return squares;
  else return sum_of_scaled_squares(row);
}

/// The norm of a tree whose tensors are divided over ranks, or of which ranks have other layers:
/// the layer of the ranks defines `of(tree, ranks...)`.
template <class Tree, class... Ranks>
struct NormOverRanks;

template <class Tree, class... Ranks>
concept HasNormOverRanks = requires { sizeof(NormOverRanks<Tree, Ranks...>); };

/// The global L2 norm of the parameters of a tree, of floating or complex dtypes: not finite if and
/// only if an element is not. PyTorch: `nn.utils.get_total_norm`. Optax: `global_norm`.
template <class Tree>
double global_norm(Tree const& tree) {
  if constexpr (HasNormOverRanks<Tree>) {
    return NormOverRanks<Tree>::of(tree);
  } else {
    static_assert(!tree::reaches<DividedOverRanks, Tree>(),
                  "tenon::global_norm: these tensors are divided over ranks; say who has other "
                  "layers, too: global_norm(tree, stages), or Group()");
    double const squares = tree::fold(
        []<class Leaf>(double before, Leaf const& leaf) { return before + sum_of_squares(leaf); },
        0.0, tree);
    return std::sqrt(squares);
  }
}

/// The same over ranks, the same on all of them; collective: a sharded leaf counts with all its
/// shards, a replicated one once. `stages`: a `Group` of ranks that hold other layers.
template <class Tree, class Ranks>
  requires HasNormOverRanks<Tree, Ranks>
double global_norm(Tree const& tree, Ranks const& stages) {
  return NormOverRanks<Tree, Ranks>::of(tree, stages);
}

/// Multiplies the parameters of a tree by a number, in the dtype in which they are computed.
template <class Tree>
void scale_leaves(Tree& tree, double factor) {
  tree::for_each(
      [&]<class Leaf>(Leaf& leaf) {
        using T = typename Leaf::value_type;
        if constexpr (HalfType<T>) optim::set_row(leaf, to<T>(computed_row_of(leaf) * factor));
        else optim::set_row(leaf, optim::row_of(leaf) * factor);
      },
      tree);
}

/// Gradients of a given norm, scaled down to `limit` where that is smaller. Non-finite elements are
/// kept.
template <class Tree>
Tree scale_to_norm(Tree gradients, double limit, double norm) {
  if (!(norm > limit)) return gradients;
  // Two factors where one of them would be subnormal in float.
  double const factor = limit / norm;
  int const times = factor < 1e-30 && factor > 0 ? 2 : 1;
  double const once = times == 2 ? std::sqrt(factor) : factor;
  for (int i = 0; i < times; ++i) scale_leaves(gradients, once);
  return gradients;
}

/// The same gradients, scaled down to a global norm of `limit` where theirs is larger. Non-finite
/// elements are kept. Over ranks: `clip_by_global_norm(gradients, limit, stages)`, and between
/// `Zero::reduce` and `Zero::step`. PyTorch: `torch.nn.utils.clip_grad_norm_`.
template <class Tree, class... Ranks>
Tree clip_by_global_norm(Tree gradients, double limit, Ranks const&... stages) {
  double const norm = global_norm(gradients, stages...);
  return scale_to_norm(std::move(gradients), limit, norm);
}

/// The same gradients, with each element limited to [-limit, limit]. NaN is kept. PyTorch:
/// `torch.nn.utils.clip_grad_value_`.
template <class Tree>
Tree clip_by_value(Tree gradients, double limit) {
  tree::for_each(
      [limit]<class Leaf>(Leaf& leaf) {
        optim::set_row(leaf, clamp(optim::row_of(leaf), -limit, limit));
      },
      gradients);
  return gradients;
}

}  // namespace tenon::internal

namespace tenon {

using internal::clip_by_global_norm;
using internal::clip_by_value;
using internal::global_norm;

}  // namespace tenon
