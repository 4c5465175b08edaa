#pragma once

#include <algorithm>
#include <list>
#include <memory>
#include <mutex>

#include <tenon/distributed/communication/mpi.hpp>

namespace tenon::internal::mpi {

/// An unfinished request of MPI, the owner of its memory, and its communicator.
struct AbandonedRequest {
  std::shared_ptr<void const> kept;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Comm communicator = MPI_COMM_NULL;

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

/// Whether some are unfinished in a communicator. (MPI_Comm_free while a collective of Open MPI is
/// running crashes.)
inline bool has_abandoned_requests(MPI_Comm communicator) {
  std::lock_guard const lock(abandoned_requests_mutex());
  return std::ranges::find(abandoned_requests(), communicator, &AbandonedRequest::communicator) !=
         abandoned_requests().end();
}

}  // namespace tenon::internal::mpi
