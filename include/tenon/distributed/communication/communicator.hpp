#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <tenon/distributed/communication/watchdog.hpp>

namespace tenon::internal::mpi {

/// Owns an MPI communicator.
class Communicator : public Kept {
 public:
  /// Takes ownership of a handle; null for a group of this rank alone.
  Communicator(MPI_Comm handle, std::string name) : handle_(handle), last_{std::move(name)} {
    Fingerprint print;
    print.add(last_.group);
    fingerprint_ = print.value;
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
    if (is_released_) fail<CommunicationError>({"Group", name(), "a world that lives", "its end"});
    return handle_;
  }
  int rank() const { return rank_; }
  int size() const { return static_cast<int>(world_ranks_.size()); }
  std::string const& name() const { return last_.group; }
  std::vector<int> const& world_ranks() const { return world_ranks_; }
  /// Hash of the name, which is the same on all ranks.
  std::uint64_t fingerprint() const { return fingerprint_; }
  /// The number of collectives that this group has begun, and the last one.
  std::uint64_t number() const { return last_.number; }
  LastCall const& last() const { return last_; }
  std::uint64_t begin(Call const& call) {
    if (size() > 1) last_.call = call;
    return ++last_.number;
  }

 private:
  void read_ranks() {
    int size = 0;
    check(MPI_Comm_set_errhandler(handle_, MPI_ERRORS_RETURN), "Group");
    check(MPI_Comm_rank(handle_, &rank_), "Group");
    check(MPI_Comm_size(handle_, &size), "Group");
    world_ranks_.resize(static_cast<std::size_t>(size));
    Watched const watched("split");
    check(MPI_Allgather(&session().rank, 1, MPI_INT, world_ranks_.data(), 1, MPI_INT, handle_),
          "Group");
  }

  MPI_Comm handle_;
  LastCall last_;
  std::uint64_t fingerprint_ = 0;
  std::vector<int> world_ranks_;
  int rank_ = 0;
  bool is_released_ = false;
};

}  // namespace tenon::internal::mpi
