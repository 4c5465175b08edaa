#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/dist/compare.hpp>
#include <tenon/tree/constant.hpp>

namespace tenon {

/// Some ranks of the world, which work together: a handle, copied for nothing. Collectives of a
/// group are called by all its ranks, in one order. Outlives its world, but is of no use then:
/// throws `CommunicationError`. PyTorch: `ProcessGroup`.
class Group {
 public:
  /// This rank alone: collectives do nothing.
  Group() : own_(mpi::keep<mpi::Communicator>(MPI_COMM_NULL, "self")) {}
  explicit Group(std::shared_ptr<mpi::Communicator> own) : own_(std::move(own)) {}

  /// The place of this rank in the group, from 0.
  int rank() const { return own_->rank(); }
  int size() const { return own_->size(); }
  /// "world", "tp", "dp tp"; "self" for one rank alone.
  std::string_view name() const { return own_->name(); }
  /// The ranks of the world that are in it, in order.
  std::vector<int> const& world_ranks() const { return own_->world_ranks(); }

  /// Parts of the group: ranks that give equal colours come together, in the order of `order`, then
  /// of their ranks. All ranks of the group call it; those of a part give it one name. PyTorch:
  /// `new_group`.
  Group split(int colour, int order, std::string name) const {
    if (size() == 1) return Group(mpi::keep<mpi::Communicator>(MPI_COMM_NULL, std::move(name)));
    mpi::agree(*own_, {.operation = "split", .where = {}});
    MPI_Comm part = MPI_COMM_NULL;
    {
      mpi::Watched const watched("split", &own_->last());
      mpi::check(MPI_Comm_split(own_->handle(), colour, order, &part), "split");
    }
    return Group(mpi::keep<mpi::Communicator>(part, std::move(name)));
  }

  /// What it is for MPI.
  mpi::Communicator& communicator() const { return *own_; }
  MPI_Comm handle() const { return own_->handle(); }

 private:
  std::shared_ptr<mpi::Communicator> own_;
};

template <>
struct tree::is_constant<Group> : std::true_type {};

/// Are two groups handles of one, or both this rank alone?
inline bool is_same_group(Group const& a, Group const& b) {
  return &a.communicator() == &b.communicator() || (a.size() == 1 && b.size() == 1);
}

}  // namespace tenon
