#pragma once

#include <boost/mpi/communicator.hpp>

#include <tenon/distributed/communication/group.hpp>

/// Groups as communicators of Boost.MPI. (`World`, `Group` and `Mesh` take those of Boost.MPI as
/// they are, without this header.)
namespace tenon::internal::mpi {

/// The ranks of a group as a communicator of Boost.MPI: `communicator_of(mesh.group<"tp">())`. A
/// duplicate, so that messages on both are never mixed; may outlive the group, and is freed with
/// its last copy. Collective: all ranks of the group call it. Throws `CommunicationError`. MPI:
/// `MPI_Comm_dup`.
inline boost::mpi::communicator communicator_of(Group const& group) {
  if (group.size() == 1) return {MPI_COMM_SELF, boost::mpi::comm_duplicate};
  agree(group.communicator(), {.operation = "communicator_of", .where = {}});
  Watched const watched("communicator_of", &group.communicator().last());
  return {group.handle(), boost::mpi::comm_duplicate};
}

}  // namespace tenon::internal::mpi

namespace tenon::mpi {

using internal::mpi::communicator_of;

}  // namespace tenon::mpi
