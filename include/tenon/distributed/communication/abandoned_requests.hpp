#pragma once

#include <list>
#include <memory>

#include <tenon/distributed/communication/mpi.hpp>

namespace tenon::internal::mpi {

/// Unfinished requests of MPI, and the owner of their memory.
struct AbandonedRequest {
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
inline std::list<AbandonedRequest>& abandoned_requests() {
  static auto* const all = new std::list<AbandonedRequest>;
  return *all;
}

/// Releases those that have completed or failed. Called by each collective.
inline void release_abandoned_requests() {
  if (abandoned_requests().empty()) return;
  std::erase_if(abandoned_requests(), [](AbandonedRequest& parcel) {
    int done = 0;
    return MPI_Test(&parcel.request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS || done != 0;
  });
}

}  // namespace tenon::internal::mpi
