#pragma once

#include <list>
#include <memory>
#include <mutex>

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

/// Requests of transfers that are destroyed without waiting. MPI may still access their memory, to
/// the end of the program: the list is never destroyed.
inline std::list<AbandonedRequest>& abandoned_requests() {
  static auto* const all = new std::list<AbandonedRequest>;
  return *all;
}
inline std::mutex& abandoned_requests_mutex() {
  static auto* const one = new std::mutex;
  return *one;
}

/// Keeps the memory of unfinished requests. Calls no MPI: another thread may be inside it.
inline void abandon(std::list<AbandonedRequest>& requests) {
  std::lock_guard const lock(abandoned_requests_mutex());
  abandoned_requests().splice(abandoned_requests().end(), requests);
}

/// Releases those that have completed or failed. Called by each collective.
inline void release_abandoned_requests() {
  std::lock_guard const lock(abandoned_requests_mutex());
  std::erase_if(abandoned_requests(), [](AbandonedRequest& parcel) {
    int done = 0;
    return MPI_Test(&parcel.request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS || done != 0;
  });
}

}  // namespace tenon::internal::mpi
