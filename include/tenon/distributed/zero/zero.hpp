#pragma once

#include <cstdint>
#include <utility>

#include <tenon/distributed/collectives/all_reduce.hpp>
#include <tenon/distributed/zero/norm.hpp>
#include <tenon/distributed/zero/shards.hpp>

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
  std::int64_t bucket =
      internal::bucket_bytes;  ///< Leaves are merged into buckets of this many bytes.

  /// The state of the optimiser for the local rows.
  template <class Tree>
  auto init(Tree const& model) const {
    return optimiser.init(in_parts(model, group));
  }

  /// The local rows of the mean gradient over all ranks. They can be accumulated over several
  /// batches, and clipped, before a step.
  template <class Tree>
  ZeroShards<Tree> reduce(
      Tree const& gradients,
      internal::mpi::SourceLocation where = internal::mpi::SourceLocation::current()) const {
    auto parts = internal::mpi::summed_rows(gradients, internal::division_of(gradients, group),
                                            bucket, where);
    internal::tree::for_each([&](auto& part) { internal::mpi::divide(part, group.size()); }, parts);
    return parts;
  }

  /// The updated model, replicated, and the local state after a step with the mean gradient over
  /// all ranks, or with the result of `reduce`.
  template <class Tree, class State>
  std::pair<Tree, State> step(
      Tree model, Tree const& gradients, State state,
      internal::mpi::SourceLocation where = internal::mpi::SourceLocation::current()) const {
    return step(std::move(model), reduce(gradients, where), std::move(state), where);
  }
  template <class Tree, class State>
  std::pair<Tree, State> step(
      Tree model, ZeroShards<Tree> const& gradients, State state,
      internal::mpi::SourceLocation where = internal::mpi::SourceLocation::current()) const {
    return stepped(std::move(model), gradients, std::move(state), where);
  }

  /// The same with another learning rate, for schedules.
  template <class Tree, class State, internal::optim::Rate Rate>
  std::pair<Tree, State> step(
      Tree model, Tree const& gradients, State state, Rate const& rate,
      internal::mpi::SourceLocation where = internal::mpi::SourceLocation::current()) const {
    return step(std::move(model), reduce(gradients, where), std::move(state), rate, where);
  }
  template <class Tree, class State, internal::optim::Rate Rate>
  std::pair<Tree, State> step(
      Tree model, ZeroShards<Tree> const& gradients, State state, Rate const& rate,
      internal::mpi::SourceLocation where = internal::mpi::SourceLocation::current()) const {
    return stepped(std::move(model), gradients, std::move(state), where, rate);
  }

 private:
  template <class Tree, class State, class... Rate>
  std::pair<Tree, State> stepped(Tree model, ZeroShards<Tree> const& gradients, State state,
                                 internal::mpi::SourceLocation where, Rate const&... rate) const {
    auto own = internal::mpi::own_rows(model, gradients.division);
    std::tie(own, state) = optimiser.step(std::move(own), gradients, std::move(state), rate...);
    return {internal::mpi::gathered_rows(std::move(model), own, bucket, where), std::move(state)};
  }
};
template <class Optimiser>
Zero(Optimiser, Group) -> Zero<Optimiser>;
template <class Optimiser>
Zero(Optimiser, Group, std::int64_t) -> Zero<Optimiser>;

}  // namespace tenon
