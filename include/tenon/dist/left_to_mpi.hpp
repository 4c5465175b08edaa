#pragma once

#include <list>
#include <memory>

#include <tenon/dist/mpi.hpp>

namespace tenon::mpi {

/// Unfinished requests of MPI, and the owner of their memory.
struct Parcel {
  std::shared_ptr<void const> kept;
  MPI_Request request = MPI_REQUEST_NULL;

  bool is_done() {
    int done = 0;
    check(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "Transfers");
    return done != 0;
  }
};

/// Requests abandoned during stack unwinding. MPI may still access their memory, to the end of the
/// program: the list is never destroyed.
inline std::list<Parcel>& left_to_mpi() {
  static auto* const all = new std::list<Parcel>;
  return *all;
}

/// Releases those that have completed or failed. Called by each collective.
inline void look_after_what_is_left() {
  if (left_to_mpi().empty()) return;
  std::erase_if(left_to_mpi(), [](Parcel& parcel) {
    int done = 0;
    return MPI_Test(&parcel.request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS || done != 0;
  });
}

}  // namespace tenon::mpi
