// Tenon 0.1.0. Made by scripts/single_include from include/: to be changed there.
// MIT License
//
// Copyright (c) 2025 The Tenon authors
//
// Permission is hereby granted, free of charge, to any person obtaining a copy
// of this software and associated documentation files (the "Software"), to deal
// in the Software without restriction, including without limitation the rights
// to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
// copies of the Software, and to permit persons to whom the Software is
// furnished to do so, subject to the following conditions:
//
// The above copyright notice and this permission notice shall be included in all
// copies or substantial portions of the Software.
//
// THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
// IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
// FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
// AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
// LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
// OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
// SOFTWARE.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/dist/compare.hpp>
#include <tenon/tenon.hpp>

namespace tenon {

/// An ordered set of ranks that communicate: a handle, cheap to copy. All ranks of a group call its
/// collectives in the same order. May outlive its world, after which collectives throw
/// `CommunicationError`. PyTorch: `ProcessGroup`.
class Group {
 public:
  /// The group of this rank alone: collectives do nothing.
  Group() : own_(mpi::keep<mpi::Communicator>(MPI_COMM_NULL, "self")) {}
  explicit Group(std::shared_ptr<mpi::Communicator> own) : own_(std::move(own)) {}

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
    if (size() == 1) return Group(mpi::keep<mpi::Communicator>(MPI_COMM_NULL, std::move(name)));
    mpi::agree(*own_, {.operation = "split", .where = {}});
    MPI_Comm part = MPI_COMM_NULL;
    {
      mpi::Watched const watched("split", &own_->last());
      mpi::check(MPI_Comm_split(own_->handle(), colour, order, &part), "split");
    }
    return Group(mpi::keep<mpi::Communicator>(part, std::move(name)));
  }

  /// The MPI communicator.
  mpi::Communicator& communicator() const { return *own_; }
  MPI_Comm handle() const { return own_->handle(); }

 private:
  std::shared_ptr<mpi::Communicator> own_;
};

template <>
struct tree::is_constant<Group> : std::true_type {};

/// Whether both are handles of one group, or both of this rank alone.
inline bool is_same_group(Group const& a, Group const& b) {
  return &a.communicator() == &b.communicator() || (a.size() == 1 && b.size() == 1);
}

}  // namespace tenon
