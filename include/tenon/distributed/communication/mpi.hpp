#pragma once

#include <concepts>
#include <string_view>
#include <type_traits>

#include <boost/mpi/environment.hpp>
#include <boost/mpi/error_string.hpp>

#include <tenon/core/error.hpp>

/// The only header that includes MPI; Boost.MPI's communicators are in boost.hpp, by name.
///
/// Boost.MPI initialises MPI and describes its errors. The rest of distributed/ calls MPI itself:
/// Boost.MPI has neither nonblocking collectives nor reduce_scatter; its requests cannot hold an
/// `MPI_Request` from outside, as timeouts and abandoned transfers do; it has no datatypes of
/// 16-bit floats and no reductions that propagate NaN; its communicators include serialisation,
/// which would cost each file 0.25 s.
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

/// An object with an MPI communicator: `boost::mpi::communicator`. (Classes only: an `MPI_Comm` of
/// MPICH is an int.)
template <class C>
concept HasCommunicator = std::is_class_v<C> && std::convertible_to<C const&, MPI_Comm>;

/// Its communicator. Throws `CommunicationError` where this rank is not in it.
template <HasCommunicator C>
MPI_Comm handle_of(C const& communicator, std::string_view who) {
  MPI_Comm const handle = communicator;
  if (handle == MPI_COMM_NULL)
    fail<CommunicationError>({who, "its communicator", "one with this rank", "an empty one"});
  return handle;
}

/// Whether MPI is initialised and not finalised.
inline bool is_running() {
  return boost::mpi::environment::initialized() && !boost::mpi::environment::finalized();
}

}  // namespace mpi

}  // namespace tenon::internal
