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

#include <cstdint>
#include <utility>

#include <tenon/dist/all_reduce.hpp>
#include <tenon/dist/zero_norm.hpp>
#include <tenon/dist/zero_parts.hpp>

namespace tenon {

/// An optimiser with its state sharded over the ranks of a group, each of which has the full model
/// and the gradients of its shard of the batch (ZeRO, stages 1 and 2: Rajbhandari et al.,
/// arXiv:1910.02054). A rank stores the state of its rows of every leaf: gradients are
/// reduce-scattered, the rows updated, then all-gathered, with the volume of an all_reduce.
///
///     Zero const adam{AdamW{.rate = 3e-4}, mesh.group<"dp">()};
///     auto state = adam.init(model);
///     std::tie(model, state) = adam.step(model, gradients, state);
///
/// PyTorch: `ZeroRedundancyOptimizer`. Megatron: `--use-distributed-optimizer`.
template <class Optimiser>
struct Zero {
  Optimiser optimiser;
  Group group;
  std::int64_t bucket = bucket_bytes;  ///< Leaves are merged into buckets of this many bytes.

  /// The state of the optimiser for the local rows.
  template <class Tree>
  auto init(Tree const& model) const {
    return optimiser.init(in_parts(model, group));
  }

  /// The local rows of the mean gradient over all ranks. They can be accumulated over several
  /// batches, and clipped, before a step.
  template <class Tree>
  ZeroParts<Tree> reduce(Tree const& gradients, mpi::Place where = mpi::Place::current()) const {
    auto parts = mpi::summed_rows(gradients, division_of(gradients, group), bucket, where);
    tree::for_each([&](auto& part) { mpi::divide(part, group.size()); }, parts);
    return parts;
  }

  /// The updated model, replicated, and the local state after a step with the mean gradient over
  /// all ranks, or with the result of `reduce`.
  template <class Tree, class State>
  std::pair<Tree, State> step(Tree model, Tree const& gradients, State state,
                              mpi::Place where = mpi::Place::current()) const {
    return step(std::move(model), reduce(gradients, where), std::move(state), where);
  }
  template <class Tree, class State>
  std::pair<Tree, State> step(Tree model, ZeroParts<Tree> const& gradients, State state,
                              mpi::Place where = mpi::Place::current()) const {
    return stepped(std::move(model), gradients, std::move(state), where);
  }

  /// The same with another learning rate, for schedules.
  template <class Tree, class State, optim::Rate Rate>
  std::pair<Tree, State> step(Tree model, Tree const& gradients, State state, Rate const& rate,
                              mpi::Place where = mpi::Place::current()) const {
    return step(std::move(model), reduce(gradients, where), std::move(state), rate, where);
  }
  template <class Tree, class State, optim::Rate Rate>
  std::pair<Tree, State> step(Tree model, ZeroParts<Tree> const& gradients, State state,
                              Rate const& rate, mpi::Place where = mpi::Place::current()) const {
    return stepped(std::move(model), gradients, std::move(state), where, rate);
  }

 private:
  template <class Tree, class State, class... Rate>
  std::pair<Tree, State> stepped(Tree model, ZeroParts<Tree> const& gradients, State state,
                                 mpi::Place where, Rate const&... rate) const {
    auto own = mpi::own_rows(model, gradients.division);
    std::tie(own, state) = optimiser.step(std::move(own), gradients, std::move(state), rate...);
    return {mpi::gathered_rows(std::move(model), own, bucket, where), std::move(state)};
  }
};
template <class Optimiser>
Zero(Optimiser, Group) -> Zero<Optimiser>;
template <class Optimiser>
Zero(Optimiser, Group, std::int64_t) -> Zero<Optimiser>;

}  // namespace tenon
