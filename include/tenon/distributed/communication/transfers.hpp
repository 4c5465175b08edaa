#pragma once

#include <cstdint>
#include <exception>
#include <list>
#include <memory>
#include <utility>

#include <tenon/distributed/communication/abandoned_requests.hpp>
#include <tenon/distributed/communication/exchange.hpp>
#include <tenon/distributed/communication/failure.hpp>
#include <tenon/distributed/communication/timeout.hpp>
#include <tenon/eval/move_to.hpp>

namespace tenon::internal::mpi {

/// The number of collectives with distinct tags, before tags are reused: as many as this MPI allows
/// (Open MPI 2^28, MPICH 2^25), at least 3500.
inline std::uint64_t tagged_collectives() {
  static std::uint64_t const all = [] {
    int* last = nullptr;
    int found = 0;
    check(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, static_cast<void*>(&last), &found),
          "Transfers");
    return found != 0 && *last > (1 << 17) ? static_cast<std::uint64_t>(*last - (1 << 16)) / 8
                                           : 3500U;
  }();
  return all;
}

/// The first of eight tags of the current collective of a group, so that messages of a collective
/// abandoned by an exception are not matched by a later one. (Tags from 30000 to 32767 are those of
/// `send`, `exchange` and the like.)
inline int first_tag_of(Group const& group) {
  std::uint64_t const all = tagged_collectives();
  int const first = all > 3500 ? 1 << 15 : 0;
  return first + 8 * static_cast<int>(group.communicator().number() % all);
}

/// Nonblocking point-to-point transfers of tensors. Buffers are kept alive until completion and are
/// not accessed until then. Messages between two ranks with the same tag arrive in order.
class Transfers {
 public:
  /// Tags are relative to `first_tag`.
  Transfers(Group group, Call const& call, int first_tag)
      : group_(std::move(group)),
        call_(call),
        number_(group_.communicator().number()),
        first_tag_(first_tag) {
    bool const is_new_owner = group_.communicator().check_owner(call);
    ThreadInMpi const thread;
    group_.communicator().check_thread(thread, call_, is_new_owner);
    release_abandoned_requests();
  }
  /// For the current collective of all ranks of the group: eight tags.
  Transfers(Group const& group, Call const& call) : Transfers(group, call, first_tag_of(group)) {}
  Transfers(Transfers&&) noexcept = default;
  Transfers& operator=(Transfers&&) = delete;
  /// Waits; during stack unwinding, and while another thread calls MPI, unfinished requests and
  /// their buffers are kept until MPI completes them. Ends the job on an MPI failure: a destructor
  /// cannot throw.
  ~Transfers() {
    if (parcels_.empty() || !is_running()) return;
    ThreadInMpi const thread;
    bool const may_wait = thread.is_alone() && ThreadInMpi::is_granted();
    try {
      if (may_wait && std::uncaught_exceptions() == 0) wait();
      else abandon(parcels_);
    } catch (CommunicationError const& error) {
      end_job_once(error.what());
    }
  }

  /// Calls `begin(first, count, request)` for each chunk of at most 2^31 elements; `kept` owns
  /// them.
  template <class Begin>
  void begin(std::shared_ptr<void const> const& kept, std::int64_t count, Begin const& begin) {
    ThreadInMpi const thread;
    check_thread(thread, call_, group_.name());
    in_chunks(count, [&](std::int64_t first, int n) {
      AbandonedRequest& parcel =
          parcels_.emplace_back(AbandonedRequest{kept, MPI_REQUEST_NULL, group_.handle()});
      check(begin(first, n, &parcel.request), call_.operation);
    });
  }

  /// Sends `count` elements owned by `kept`.
  template <class T>
  void send(std::shared_ptr<void const> const& kept, T const* data, std::int64_t count, int to,
            int tag, Sends as = Sends::exchange) {
    tally(as, bytes_in<T>(count), 0);
    begin(kept, count, [&](std::int64_t first, int n, MPI_Request* request) {
      return MPI_Isend(data + first, n, type_of<T>(), to, first_tag_ + tag, group_.handle(),
                       request);
    });
  }
  template <TensorType X>
  void send(X const& x, int to, int tag) {
    if constexpr (X::device::is_host) {
      auto const kept = std::make_shared<X const>(x);
      send(kept, kept->data(), kept->size(), to, tag);
    } else {
      send(eval(tenon::to<Cpu>(x)), to, tag);
    }
  }

  /// Receives into memory owned by `kept` that has no other reader.
  template <class T>
  void receive(std::shared_ptr<void const> const& kept, T* data, std::int64_t count, int from,
               int tag, Sends as = Sends::exchange) {
    tally(as, 0, bytes_in<T>(count));
    begin(kept, count, [&](std::int64_t first, int n, MPI_Request* request) {
      return MPI_Irecv(data + first, n, type_of<T>(), from, first_tag_ + tag, group_.handle(),
                       request);
    });
  }
  template <TensorType X>
    requires X::device::is_host && (!X::holds_elements)
  void receive(X& x, int from, int tag) {
    auto* const to = x.own_memory();  // from here on, and not before, the memory is shared
    receive(std::make_shared<X const>(x), to, x.size(), from, tag);
  }

  /// Whether all transfers have completed. Drives progress: most MPIs move large messages only
  /// inside MPI calls. Releases completed buffers.
  bool is_done() {
    ThreadInMpi const thread;
    check_thread(thread, call_, group_.name());
    while (!parcels_.empty() && parcels_.front().is_done()) parcels_.pop_front();
    return parcels_.empty();
  }

  /// Waits for all transfers.
  void wait() {
    ThreadInMpi const thread;
    check_thread(thread, call_, group_.name());
    for (; !parcels_.empty(); parcels_.pop_front()) {
      Timeout timeout(group_.communicator(), call_, number_);
      for (int tries = 0; !parcels_.front().is_done(); ++tries)
        if (tries > 20) timeout.wait();
    }
  }

 private:
  Group group_;
  Call call_;
  std::uint64_t number_;  // of the collective of these transfers
  int first_tag_;
  std::list<AbandonedRequest> parcels_;
};

}  // namespace tenon::internal::mpi
