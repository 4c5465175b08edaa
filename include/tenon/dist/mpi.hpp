#pragma once

#include <string_view>

#include <boost/mpi/environment.hpp>
#include <boost/mpi/error_string.hpp>

#include <tenon/core/error.hpp>

/// The one place where MPI and Boost.MPI enter.
namespace tenon {

/// MPI failed, or the ranks of a group want different things of each other.
struct CommunicationError : Error {
  using Error::Error;
};

/// What lies beneath groups and collectives: MPI's handles, and memory that is sent.
namespace mpi {

/// Throws `CommunicationError` where MPI says that something failed.
inline void check(int code, std::string_view who) {
  if (code == MPI_SUCCESS) return;
  fail<CommunicationError>({who, "MPI", "success", boost::mpi::error_string(code)});
}

/// Is MPI there, begun and not yet ended?
inline bool is_running() {
  return boost::mpi::environment::initialized() && !boost::mpi::environment::finalized();
}

}  // namespace mpi

}  // namespace tenon
