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

#include <tenon/dist/session.hpp>

namespace tenon {

namespace mpi {

/// A communicator of MPI, which it owns.
class Communicator : public Kept {
 public:
  /// Takes over a handle; null for a group of this rank alone.
  Communicator(MPI_Comm handle, std::string name) : handle_(handle), name_(std::move(name)) {
    if (handle == MPI_COMM_NULL) world_ranks_ = {session().rank};
    else read_ranks();
  }
  Communicator(Communicator const&) = delete;
  Communicator& operator=(Communicator const&) = delete;
  ~Communicator() override { release(); }

  void release() override {
    if (handle_ != MPI_COMM_NULL && is_running()) MPI_Comm_free(&handle_);
    handle_ = MPI_COMM_NULL;
    is_released_ = true;
  }

  MPI_Comm handle() const {
    if (is_released_) fail<CommunicationError>({"Group", name_, "a world that lives", "its end"});
    return handle_;
  }
  int rank() const { return rank_; }
  int size() const { return static_cast<int>(world_ranks_.size()); }
  std::string const& name() const { return name_; }
  std::vector<int> const& world_ranks() const { return world_ranks_; }
  /// How many collectives this group has begun.
  std::uint64_t next_number() { return ++number_; }
  std::uint64_t number() const { return number_; }

 private:
  void read_ranks() {
    int size = 0;
    check(MPI_Comm_set_errhandler(handle_, MPI_ERRORS_RETURN), "Group");
    check(MPI_Comm_rank(handle_, &rank_), "Group");
    check(MPI_Comm_size(handle_, &size), "Group");
    world_ranks_.resize(static_cast<std::size_t>(size));
    check(MPI_Allgather(&session().rank, 1, MPI_INT, world_ranks_.data(), 1, MPI_INT, handle_),
          "Group");
  }

  MPI_Comm handle_;
  std::string name_;
  std::vector<int> world_ranks_;
  int rank_ = 0;
  std::uint64_t number_ = 0;
  bool is_released_ = false;
};

}  // namespace mpi

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
  /// of their ranks. All ranks of the group call it. PyTorch: `new_group`.
  Group split(int colour, int order, std::string name) const {
    if (size() == 1) return Group(mpi::keep<mpi::Communicator>(MPI_COMM_NULL, std::move(name)));
    MPI_Comm part = MPI_COMM_NULL;
    mpi::check(MPI_Comm_split(own_->handle(), colour, order, &part), "split");
    return Group(mpi::keep<mpi::Communicator>(part, std::move(name)));
  }

  /// What it is for MPI.
  mpi::Communicator& communicator() const { return *own_; }
  MPI_Comm handle() const { return own_->handle(); }

 private:
  std::shared_ptr<mpi::Communicator> own_;
};

/// Are two groups handles of one, or both this rank alone?
inline bool is_same_group(Group const& a, Group const& b) {
  return &a.communicator() == &b.communicator() || (a.size() == 1 && b.size() == 1);
}

}  // namespace tenon
