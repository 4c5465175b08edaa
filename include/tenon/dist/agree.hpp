#pragma once

#include <tenon/dist/group.hpp>

namespace tenon {

namespace mpi {

/// All ranks of the group are here and want the same; or throws `CommunicationError` on all of
/// them.
inline void agree(Group const& group, Call const& call, Details const& details = {}) {
  agree(group.communicator(), call, details);
}

}  // namespace mpi

/// Waits until all ranks of a group are here.
inline void barrier(Group const& group, mpi::Place where = mpi::Place::current()) {
  mpi::agree(group, {.operation = "barrier", .where = where});
  if (group.size() == 1 || mpi::collectives_are_checked()) return;
  mpi::Watched const watched("barrier", &group.communicator().last());
  mpi::check(MPI_Barrier(group.handle()), "barrier");
}

/// Switches off, or on again, that ranks compare what they want before a collective runs: on all
/// ranks alike. Without it a mistake is a hang or a wrong number.
inline void check_collectives(bool yes) { mpi::collectives_are_checked() = yes; }

}  // namespace tenon
