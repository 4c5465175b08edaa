#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <thread>

#include <tenon/distributed/communication/call.hpp>
#include <tenon/distributed/communication/session.hpp>

/// The threads of a rank: one at a time calls MPI, whichever the group, since MPI is initialised
/// for that (MPI_THREAD_SERIALIZED), and messages between ranks are common to all groups.
namespace tenon::internal::mpi {

/// The number of this thread. (Unlike a `std::thread::id` it is never that of a later thread.)
inline std::uint64_t thread_number() {
  static std::atomic<std::uint64_t> last = 0;
  thread_local std::uint64_t const own = ++last;
  return own;
}

/// A scope in which this thread calls MPI, unless another thread does. Scopes may be nested.
class ThreadInMpi {
 public:
  ThreadInMpi() : begins_(current().compare_exchange_strong(inside_, thread_number())) {}
  ThreadInMpi(ThreadInMpi const&) = delete;
  ThreadInMpi& operator=(ThreadInMpi const&) = delete;
  ~ThreadInMpi() {
    if (begins_) current().store(0);
  }

  bool is_alone() const { return begins_ || inside_ == thread_number(); }
  /// Whether this thread may call MPI at all: below MPI_THREAD_SERIALIZED one thread may.
  static bool is_granted() {
    return session().thread_level >= MPI_THREAD_SERIALIZED || session().size == 1 ||
           session().thread == std::this_thread::get_id();
  }
  bool may_call() const { return is_alone() && is_granted(); }

 private:
  /// The number of the thread that calls MPI; 0 for none.
  static std::atomic<std::uint64_t>& current() {
    static std::atomic<std::uint64_t> one = 0;
    return one;
  }

  std::uint64_t inside_ = 0;
  bool begins_;
};

inline std::string_view name_of_thread_level(int level) {
  if (level == MPI_THREAD_SINGLE) return "MPI_THREAD_SINGLE";
  return level == MPI_THREAD_FUNNELED ? "MPI_THREAD_FUNNELED" : "MPI_THREAD_SERIALIZED";
}

/// Throws `CommunicationError`: this thread may not make a call.
[[noreturn, gnu::cold]] inline void refuse_thread(Call const& call, std::string_view expected,
                                                  std::string_view got) {
  fail<CommunicationError>({call.operation, {}, expected, got, place_of(call.where)});
}

/// Throws `CommunicationError` unless this thread may call MPI now.
inline void check_thread(ThreadInMpi const& thread, Call const& call, std::string_view group) {
  if (thread.may_call()) return;
  std::string got("another one in group '");
  got.append(group).append("'");
  if (thread.is_alone())
    refuse_thread(call, "the main thread of MPI",
                  got.append(", and MPI grants ")
                      .append(name_of_thread_level(session().thread_level))
                      .append(": initialise it for MPI_THREAD_SERIALIZED"));
  refuse_thread(call, "one thread of a rank in collectives at a time",
                got.append(": make the calls in one thread, or one after the other"));
}

}  // namespace tenon::internal::mpi
