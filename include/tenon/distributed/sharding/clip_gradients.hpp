#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <tenon/distributed/communication/agree.hpp>
#include <tenon/distributed/communication/exchange.hpp>
#include <tenon/distributed/communication/topology.hpp>
#include <tenon/distributed/sharding/learned_shards.hpp>
#include <tenon/optim/clip.hpp>

namespace tenon::internal {

namespace mpi {

/// Sums of squares; those over the same ranks are reduced in one collective.
class SquaresOverRanks {
 public:
  template <TensorType X>
  void add(X const& x, Group const& group, Group const& others) {
    double const own = sum_of_squares(x);
    auto const found = std::ranges::find_if(sums_, [&](Sum const& sum) {
      return is_same_group(sum.group, group) && is_same_group(sum.others, others);
    });
    if (found == sums_.end()) sums_.push_back({group, others, own});
    else found->squares += own;
  }
  template <ShardType X>
  void add_leaf(X const& leaf) {
    auto const words = as_words(divided_over(X::sharding).view());
    add(leaf.unchecked_local, leaf.place.topology()->group(words.view()), alone_);
  }
  void add_leaf(TensorType auto const& leaf) { add(leaf, alone_, alone_); }

  double total(Group const& stages) {
    double all = 0;
    for (auto const& [group, others, squares] : sums_)
      all += over_ranks(over_ranks(squares, group), others);
    return over_ranks(all, stages);
  }

 private:
  static double over_ranks(double own, Group const& group) {
    agree(group, {.operation = "global_norm"});
    all_reduce<op::sum>(&own, 1, group);
    return own;
  }

  struct Sum {
    Group group, others;
    double squares = 0;
  };
  Group alone_;
  std::vector<Sum> sums_;
};

}  // namespace mpi

/// The L2 norm of all learned leaves as one vector. Megatron: `clip_grad_norm_fp32`.
template <class Tree>
struct NormOverRanks<Tree, Group> {
  static double of(Tree const& tree, Group const& stages) {
    mpi::SquaresOverRanks squares;
    tree::for_each<LearnedShards>([&](auto const& leaf) { squares.add_leaf(leaf); }, tree);
    return std::sqrt(squares.total(stages));
  }
};

}  // namespace tenon::internal
