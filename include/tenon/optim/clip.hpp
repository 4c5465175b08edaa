#pragma once

#include <cmath>

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

/// The global L2 norm of the parameters of a tree. PyTorch: `nn.utils.get_total_norm`. Optax:
/// `global_norm`.
template <class Tree>
double global_norm(Tree const& tree) {
  static_assert(!tree::reaches<DividedOverRanks, Tree>(),
                "tenon::global_norm: these tensors are divided over ranks; say who has other "
                "layers, too: global_norm(tree, stages), or Group()");
  double const squares = tree::fold(
      []<class Leaf>(double before, Leaf const& leaf) {
        optim::check_leaf<Leaf>();
        return before + static_cast<double>(eval(sum(square(optim::row_of(leaf)))).item());
      },
      0.0, tree);
  return std::sqrt(squares);
}

/// Gradients of a given norm, scaled down to `limit` where that is smaller. Non-finite elements are
/// kept.
template <class Tree>
Tree scaled_to_norm(Tree gradients, double limit, double norm) {
  if (!(norm > limit)) return gradients;
  tree::for_each(
      [&](auto& gradient) { optim::set_row(gradient, optim::row_of(gradient) * (limit / norm)); },
      gradients);
  return gradients;
}

/// The same gradients, scaled down to a global norm of `limit` where theirs is larger. Non-finite
/// elements are kept. PyTorch: `torch.nn.utils.clip_grad_norm_`.
template <class Tree>
Tree clip_by_global_norm(Tree gradients, double limit) {
  double const norm = global_norm(gradients);
  return scaled_to_norm(std::move(gradients), limit, norm);
}

}  // namespace tenon::internal

namespace tenon {

using internal::clip_by_global_norm;
using internal::global_norm;

}  // namespace tenon
