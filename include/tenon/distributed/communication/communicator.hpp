#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <tenon/distributed/communication/abandoned_requests.hpp>
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

  /// (While another thread calls MPI, or with unfinished requests, the handle is left to MPI's own
  /// end.)
  void release() override {
    ThreadInMpi const thread;
    bool const may_call = is_running() && thread.is_alone() && ThreadInMpi::is_granted();
    if (handle_ != MPI_COMM_NULL && may_call && !has_abandoned_requests(handle_))
      MPI_Comm_free(&handle_);
    handle_ = MPI_COMM_NULL;
    is_released_ = true;
  }

  MPI_Comm handle() const {
    check_owner({.operation = "Group", .where = {}});
    if (is_released_) fail<CommunicationError>({"Group", name(), "a world that lives", "its end"});
    return handle_;
  }
  /// Throws `CommunicationError` unless this thread owns the group, as the first that communicates
  /// in it: the order of the calls of several threads would differ between ranks. Returns whether
  /// it becomes the owner by this call.
  bool check_owner(Call const& call) const {
    std::uint64_t owner = owner_.load(std::memory_order_relaxed);
    if (owner == thread_number() || size() == 1) return false;
    if (owner == 0 && owner_.compare_exchange_strong(owner, thread_number())) return true;
    refuse_thread(call, "the thread that communicates in group '" + name() + "'",
                  "another one: split a group for each thread, or detach_from_thread() before");
  }
  /// Throws `CommunicationError` unless this thread may call MPI now. If it has become the owner
  /// only for this call, it no longer is then.
  void check_thread(ThreadInMpi const& thread, Call const& call, bool is_new_owner) {
    if (is_new_owner && !thread.may_call()) detach_from_thread();
    mpi::check_thread(thread, call, name());
  }
  void detach_from_thread() { owner_ = 0; }
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
  mutable std::atomic<std::uint64_t> owner_ = 0;  ///< The number of a thread; 0 for none.
};

}  // namespace tenon::internal::mpi
