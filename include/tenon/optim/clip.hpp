#pragma once

#include <cmath>

#include <tenon/expr/fold/reductions.hpp>
#include <tenon/optim/leaves.hpp>

namespace tenon {

/// A walk that stops at tensors of which this is one rank's part.
struct DividedOverRanks {
  template <class T>
  static constexpr bool visits = requires {
    T::sharding;
    typename T::local_type;
  };
  static constexpr bool opens_frozen = false;
};

/// The length of all that is learned in a tree, as one vector: the root of the sum of the squares.
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

/// Gradients of a norm, scaled down to `limit` where that is smaller. What is not finite stays so.
template <class Tree>
Tree scaled_to_norm(Tree gradients, double limit, double norm) {
  if (!(norm > limit)) return gradients;
  tree::for_each(
      [&](auto& gradient) { optim::set_row(gradient, optim::row_of(gradient) * (limit / norm)); },
      gradients);
  return gradients;
}

/// The same gradients, scaled down to a global norm of `limit` where theirs is larger. Gradients
/// that are not finite stay so. PyTorch: `torch.nn.utils.clip_grad_norm_`.
template <class Tree>
Tree clip_by_global_norm(Tree gradients, double limit) {
  double const norm = global_norm(gradients);
  return scaled_to_norm(std::move(gradients), limit, norm);
}

}  // namespace tenon
