#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include <tenon/distributed/collectives/recorded.hpp>
#include <tenon/distributed/zero/norm.hpp>
#include <tenon/distributed/zero/shards.hpp>

/// Gathers sharded trees for use; adjoints are reduce-scattered.
namespace tenon::internal {

namespace mpi {

/// `forward(x)`, with the backward `backward(dy, y, x)`, which does not read y, for trees. The
/// backward runs on every rank, even if nothing depends on the value there.
template <class Forward, class Backward, class X>
auto differentiable_tree(Forward const& forward, Backward const& backward, X const& x) {
  auto value = [&] {
    Unrecorded const unrecorded;
    return forward(unmarked_leaves(x));
  }();
  if (!any_recorded(x)) return value;
  if (graph::is_open()) return graph::custom(backward, value, x);
  Tape& tape = *Tape::current();
  tree::for_each([&](auto& leaf) { leaf.set_mark(tape.new_slot()); }, value);
  auto marks = tree::map(
      [](auto const& leaf) {
        auto bare = skeleton_of(leaf);
        return bare.set_mark(leaf.mark()), bare;
      },
      value);
  tape.record_joint(CollectiveStep<Backward, decltype(value), X>{backward, std::move(marks), x});
  return value;
}

/// Parameters of the communication.
struct Sending {
  std::int64_t bucket = bucket_bytes;
  SourceLocation where = SourceLocation::current();
};

template <class Tree>
ZeroShards<Tree> reduced_tree(Tree const& tree, std::shared_ptr<TreeDivision<Tree> const> division,
                              Sending const& sending);

template <class Tree>
Tree gathered_tree(ZeroShards<Tree> const& parts, Sending const& sending) {
  return differentiable_tree(
      [&](auto const& p) {
        return gathered_rows(p.division->skeleton, p, sending.bucket, sending.where);
      },
      [sending](Tree const& dy, Tree const&, ZeroShards<Tree> const& p) {
        return reduced_tree(dy, p.division, sending);
      },
      parts);
}

template <class Tree>
ZeroShards<Tree> reduced_tree(Tree const& tree, std::shared_ptr<TreeDivision<Tree> const> division,
                              Sending const& sending) {
  return differentiable_tree(
      [&](Tree const& t) { return summed_rows(t, division, sending.bucket, sending.where); },
      [sending](ZeroShards<Tree> const& dy, ZeroShards<Tree> const&, Tree const&) {
        return gathered_tree(dy, sending);
      },
      tree);
}

}  // namespace mpi

/// The full tree of `ZeroShards`, gathered for use with different data on each rank: adjoints are
/// summed over ranks and scattered to the owners of the rows. (Values that are not learned are
/// those at the time of division.) To free the gathered tree after use, and gather it again in the
/// backward, call it within `checkpoint`:
///
///     auto const block_of = [](ZeroShards<Block> const& parts, auto const& x) {
///       return gathered(parts)(x);
///     };
///     x = checkpoint(block_of)(model.blocks[i], x);
///
/// PyTorch: the forward and backward of `fully_shard`.
template <class Tree>
Tree gathered(ZeroShards<Tree> const& parts, std::int64_t bucket = bucket_bytes,
              mpi::SourceLocation where = mpi::SourceLocation::current()) {
  return mpi::gathered_tree(parts, {bucket, where});
}

}  // namespace tenon::internal

namespace tenon {

using internal::gathered;

}  // namespace tenon
