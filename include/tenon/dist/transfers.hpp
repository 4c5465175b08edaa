#pragma once

#include <cstdint>
#include <exception>
#include <list>
#include <memory>
#include <utility>

#include <tenon/dist/exchange.hpp>
#include <tenon/dist/failure.hpp>
#include <tenon/dist/left_to_mpi.hpp>
#include <tenon/dist/patience.hpp>
#include <tenon/eval/move_to.hpp>

namespace tenon::mpi {

/// How many collectives have tags of their own, before they come round: as many as this MPI has
/// tags for (Open MPI 2^28, MPICH 2^25), at least 3500.
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

/// The first of eight tags for the collective at which a group is, so that what one that ended by
/// an exception has left on its way is not taken for another's. (Tags from 30000 to 32767 are those
/// of `send`, `exchange` and the like.)
inline int first_tag_of(Group const& group) {
  std::uint64_t const all = tagged_collectives();
  int const first = all > 3500 ? 1 << 15 : 0;
  return first + 8 * static_cast<int>(group.communicator().number() % all);
}

/// Tensors on their way from rank to rank while this rank does something else. What is sent or
/// received is kept until it is done, and is left alone until then. Between two ranks what has one
/// tag arrives in the order in which it was sent.
class Transfers {
 public:
  /// Tags count from `first_tag` on.
  Transfers(Group group, Call const& call, int first_tag)
      : group_(std::move(group)),
        call_(call),
        number_(group_.communicator().number()),
        first_tag_(first_tag) {
    look_after_what_is_left();
  }
  /// Of the collective at which all ranks of the group are: eight tags.
  Transfers(Group const& group, Call const& call) : Transfers(group, call, first_tag_of(group)) {}
  Transfers(Transfers&&) noexcept = default;
  Transfers& operator=(Transfers&&) = delete;
  /// Waits; during stack unwinding unfinished requests and their buffers are kept until MPI is done
  /// with them. Ends the job where MPI fails meanwhile: a destructor cannot throw.
  ~Transfers() {
    if (parcels_.empty() || !is_running()) return;
    try {
      if (std::uncaught_exceptions() == 0) wait();
      else leave();
    } catch (CommunicationError const& error) {
      end_job_once(error.what());
    }
  }

  /// `begin(first, count, request)` for each piece of so many elements, which `kept` keeps.
  template <class Begin>
  void begin(std::shared_ptr<void const> const& kept, std::int64_t count, Begin const& begin) {
    in_pieces(count, [&](std::int64_t first, int n) {
      Parcel& parcel = parcels_.emplace_back(Parcel{kept, MPI_REQUEST_NULL});
      check(begin(first, n, &parcel.request), call_.operation);
    });
  }

  /// `count` elements that `kept` keeps.
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

  /// Into memory that `kept` keeps and nobody else reads.
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

  /// Is all of it done? Looks, and helps it on: most MPIs move large messages only when asked. Lets
  /// go of what is done.
  bool is_done() {
    while (!parcels_.empty() && parcels_.front().is_done()) parcels_.pop_front();
    return parcels_.empty();
  }

  /// Waits until all of it is done.
  void wait() {
    for (; !parcels_.empty(); parcels_.pop_front()) {
      Patience patience(group_.communicator(), call_, number_);
      for (int tries = 0; !parcels_.front().is_done(); ++tries)
        if (tries > 20) patience.wait();
    }
  }

 private:
  void leave() {
    look_after_what_is_left();
    left_to_mpi().splice(left_to_mpi().end(), parcels_);
  }

  Group group_;
  Call call_;
  std::uint64_t number_;  // of the collective of which these are
  int first_tag_;
  std::list<Parcel> parcels_;
};

}  // namespace tenon::mpi
