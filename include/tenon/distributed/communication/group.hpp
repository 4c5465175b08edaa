#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/distributed/communication/compare_calls.hpp>
#include <tenon/tree/constant.hpp>

namespace tenon {

/// An ordered set of ranks that communicate: a handle, cheap to copy. All ranks of a group call its
/// collectives in the same order, and one thread of a rank does, the first that has. May outlive
/// its world, after which collectives throw `CommunicationError`. PyTorch: `ProcessGroup`.
class Group {
 public:
  /// The group of this rank alone: collectives do nothing.
  Group() : own_(std::make_shared<internal::mpi::Communicator>(MPI_COMM_NULL, "self")) {}
  explicit Group(std::shared_ptr<internal::mpi::Communicator> own) : own_(std::move(own)) {}
  /// Of the ranks of a `boost::mpi::communicator`, in its order; they are ranks of the world. It is
  /// duplicated, so that messages on both are never mixed. Collective. Throws `CommunicationError`.
  template <internal::mpi::HasCommunicator C>
  explicit Group(C const& communicator, std::string name = "communicator")
      : own_(duplicate(internal::mpi::handle_of(communicator, "Group"), std::move(name))) {}

  /// The index of this rank in the group, from 0.
  int rank() const { return own_->rank(); }
  int size() const { return own_->size(); }
  /// "world", "tp", "dp tp"; "self" for one rank alone.
  std::string_view name() const { return own_->name(); }
  /// The world ranks of its members, in order.
  std::vector<int> const& world_ranks() const { return own_->world_ranks(); }

  /// Splits the group: ranks with equal `colour` form a group, ordered by `order`, then by rank.
  /// Collective; all ranks of a new group pass the same name. MPI: `MPI_Comm_split`. PyTorch:
  /// `new_group`.
  Group split(int colour, int order, std::string name) const {
    if (size() == 1)
      return Group(
          internal::mpi::keep<internal::mpi::Communicator>(MPI_COMM_NULL, std::move(name)));
    internal::mpi::agree(*own_, {.operation = "split", .where = {}});
    MPI_Comm part = MPI_COMM_NULL;
    {
      internal::mpi::Watched const watched("split", &own_->last());
      internal::mpi::check(MPI_Comm_split(own_->handle(), colour, order, &part), "split");
    }
    return Group(internal::mpi::keep<internal::mpi::Communicator>(part, std::move(name)));
  }

  /// Lets another thread communicate in the group from here on: its owner is the next thread that
  /// does. The calls of both have one order on all ranks. (Chromium: `DetachFromThread`.)
  void detach_from_thread() const { own_->detach_from_thread(); }

  /// The MPI communicator.
  internal::mpi::Communicator& communicator() const { return *own_; }
  MPI_Comm handle() const { return own_->handle(); }

 private:
  static std::shared_ptr<internal::mpi::Communicator> duplicate(MPI_Comm of, std::string name) {
    if (!internal::mpi::session().is_open())
      internal::fail<CommunicationError>({"Group", name, "a world that lives", "none"});
    MPI_Comm copy = MPI_COMM_NULL;
    {
      internal::mpi::Watched const watched("Group");
      internal::mpi::check(MPI_Comm_dup(of, &copy), "Group");
    }
    return internal::mpi::keep<internal::mpi::Communicator>(copy, std::move(name));
  }

  std::shared_ptr<internal::mpi::Communicator> own_;
};

}  // namespace tenon

namespace tenon::internal {

template <>
struct tree::is_constant<Group> : std::true_type {};

/// Whether both are handles of one group, or both of this rank alone.
inline bool is_same_group(Group const& a, Group const& b) {
  return &a.communicator() == &b.communicator() || (a.size() == 1 && b.size() == 1);
}

}  // namespace tenon::internal
