#pragma once

#include <string_view>

#include <boost/mpi/environment.hpp>
#include <boost/mpi/error_string.hpp>

#include <tenon/core/error.hpp>

/// The only header that includes MPI and Boost.MPI.
namespace tenon {

/// MPI failed, or the ranks of a group made different calls.
struct CommunicationError : Error {
  using Error::Error;
};

}  // namespace tenon

namespace tenon::internal {

/// Implementation of groups and collectives: MPI handles and send buffers.
namespace mpi {

/// Throws `CommunicationError` for an MPI error code.
inline void check(int code, std::string_view who) {
  if (code == MPI_SUCCESS) return;
  fail<CommunicationError>({who, "MPI", "success", boost::mpi::error_string(code)});
}

/// Whether MPI is initialised and not finalised.
inline bool is_running() {
  return boost::mpi::environment::initialized() && !boost::mpi::environment::finalized();
}

}  // namespace mpi

}  // namespace tenon::internal
