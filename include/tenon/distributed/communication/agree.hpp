#pragma once

#include <tenon/distributed/communication/group.hpp>

namespace tenon::internal {

namespace mpi {

/// Returns once all ranks of the group have made the same call; otherwise throws
/// `CommunicationError` on all of them.
inline void agree(Group const& group, Call const& call, Details const& details = {}) {
  agree(group.communicator(), call, details);
}

}  // namespace mpi

/// Blocks until all ranks of a group have called it. MPI: `MPI_Barrier`.
inline void barrier(Group const& group,
                    mpi::SourceLocation where = mpi::SourceLocation::current()) {
  mpi::agree(group, {.operation = "barrier", .where = where});
  if (group.size() == 1 || mpi::collectives_are_checked()) return;
  mpi::Watched const watched("barrier", &group.communicator().last());
  mpi::check(MPI_Barrier(group.handle()), "barrier");
}

/// Enables or disables the comparison of calls before each collective; set it alike on all ranks.
/// Without it, mismatched calls hang or give wrong values. PyTorch:
/// `TORCH_DISTRIBUTED_DEBUG=DETAIL`.
inline void check_collectives(bool yes) { mpi::collectives_are_checked() = yes; }

}  // namespace tenon::internal

namespace tenon {

using internal::barrier;
using internal::check_collectives;

}  // namespace tenon
