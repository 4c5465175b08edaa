// Tenon 0.1.0. Made by scripts/single_include from include/: to be changed there.
// MIT License
//
// Copyright (c) 2025 The Tenon authors
//
// Permission is hereby granted, free of charge, to any person obtaining a copy
// of this software and associated documentation files (the "Software"), to deal
// in the Software without restriction, including without limitation the rights
// to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
// copies of the Software, and to permit persons to whom the Software is
// furnished to do so, subject to the following conditions:
//
// The above copyright notice and this permission notice shall be included in all
// copies or substantial portions of the Software.
//
// THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
// IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
// FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
// AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
// LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
// OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
// SOFTWARE.

#pragma once

#include <cmath>
#include <map>
#include <string>

#include <tenon/dist/collectives.hpp>
#include <tenon/dist/own_part.hpp>
#include <tenon/tenon.hpp>

namespace tenon {

/// A walk over what is learned that stops at sharded tensors.
struct LearnedOnMesh {
  template <class T>
  static constexpr bool visits = ShardType<T> || tree::is_differentiable<T>::value;
  static constexpr bool opens_frozen = false;
};

/// The squares of a mesh's tensors, added up apart for those that are divided over different axes.
class SquaresOnMesh {
 public:
  template <class Leaf>
  void add(Leaf const& leaf) {
    if constexpr (ShardType<Leaf>) {
      auto& [group, squares] = parts_[std::string(over<Leaf>.view())];
      group = leaf.place.topology()->group(as_words(over<Leaf>.view()).view());
      squares += squares_of(leaf.local);
    } else {
      whole_ += squares_of(leaf);
    }
  }

  double over_ranks(Group const& stages) {
    double all = whole_;
    for (auto& [axes, part] : parts_) {
      auto& [group, squares] = part;
      all += summed(squares, group);
    }
    return summed(all, stages);
  }

 private:
  static double summed(double own, Group const& group) {
    return all_reduce(Float64<"">(own), group).item();
  }

  template <class Leaf>
  static constexpr FixedText over = divided_over(Leaf::sharding);

  static double squares_of(TensorType auto const& leaf) {
    return static_cast<double>(eval(sum(square(optim::row_of(leaf)))).item());
  }

  double whole_ = 0;
  std::map<std::string, std::pair<Group, double>> parts_;
};

/// The length of all that is learned, as one vector, where leaves are divided over ranks: a divided
/// leaf counts with all its parts, one that all ranks have counts once. `stages`: ranks that have
/// other layers. The same on all ranks.
template <class Tree>
double global_norm(Tree const& tree, Group const& stages) {
  SquaresOnMesh squares;
  tree::for_each<LearnedOnMesh>([&](auto const& leaf) { squares.add(leaf); }, tree);
  return std::sqrt(squares.over_ranks(stages));
}

/// The same gradients, scaled down to a global norm of `limit` where theirs, over all ranks, is
/// larger. Megatron: `clip_grad_norm_fp32`.
template <class Tree>
Tree clip_by_global_norm(Tree gradients, double limit, Group const& stages) {
  double const norm = global_norm(gradients, stages);
  return scaled_to_norm(std::move(gradients), limit, norm);
}

}  // namespace tenon
