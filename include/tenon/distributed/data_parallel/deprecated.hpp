#pragma once

#include <vector>

#include <tenon/distributed/data_parallel/deterministic_sum.hpp>

/// Names of the previous release.
namespace tenon {

using SumOfPieces [[deprecated("use DeterministicSum")]] = DeterministicSum;

}  // namespace tenon

namespace tenon::internal {

template <class Tree>
[[deprecated("use average_micro_batches")]] Tree average_pieces(
    std::vector<Tree> const& own, Tree const& like, Group const& group,
    mpi::SourceLocation where = mpi::SourceLocation::current()) {
  return average_micro_batches(own, like, group, where);
}

}  // namespace tenon::internal

namespace tenon {

using internal::average_pieces;

}  // namespace tenon
