#pragma once

#include <chrono>
#include <exception>
#include <memory>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>

#include <tenon/core/call.hpp>
#include <tenon/distributed/communication/group.hpp>
#include <tenon/distributed/communication/sent_values.hpp>

namespace tenon::internal::mpi {

/// Waits until all ranks leave the world. Ranks that still wait for this one in a collective are
/// notified.
inline void wait_for_shutdown(Group const& world) {
  if (session().size == 1) return;
  Call const call{.operation = "the end of the world", .where = {}};
  ThreadInMpi const thread;
  check_thread(thread, {.operation = "World", .where = {}}, world.name());
  for (int rank = 0; rank < session().size; ++rank)
    if (rank != session().rank) send_message(rank, MessageKind::left, final_message_to(rank));
  Timeout timeout(world.communicator(), call, world.communicator().number(), true);
  while (!has_sent_all() ||
         control_messages().left() + 1 < static_cast<std::size_t>(session().size)) {
    timeout.wait();
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  check_all_received();
}

}  // namespace tenon::internal::mpi

namespace tenon::internal {

namespace mpi {

/// The message of an exception.
inline std::string words_of(std::exception_ptr const& thrown) {
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (std::exception const& error) {
    return error.what();
  } catch (...) {
    return "something was thrown that is no std::exception";
  }
  return "std::terminate was called";
}

/// Handlers for uncaught exceptions and for exits without finalising: other ranks must not hang.
inline void watch_for_early_ends() {
  static bool const once = [] {
    (void)control_messages(),
        (void)common_failure();  // constructed first: these outlive the handlers below
    std::set_terminate([] { end_job_once(words_of(std::current_exception())); });
    return std::atexit([] {
             if (session().is_open() && session().size > 1 && is_running())
               end_job_once("the program ended by exit() within its world");
           }) == 0;
  }();
  (void)once;
}

/// Initialises MPI unless it is initialised.
inline void initialise() {
  Session& own = session();
  if (own.has_ended || boost::mpi::environment::finalized())
    fail<CommunicationError>({"World", "MPI", "to begin once in a process", "a second time"});
  if (!boost::mpi::environment::initialized())
    own.environment =
        std::make_unique<boost::mpi::environment>(boost::mpi::threading::serialized, false);
}

/// Reads which threads may call MPI. Throws `CommunicationError` where this thread may not.
inline void read_threads() {
  Session& own = session();
  int is_main = 0;
  check(MPI_Query_thread(&own.thread_level), "World");
  check(MPI_Is_thread_main(&is_main), "World");
  if (is_main != 0 || own.thread_level >= MPI_THREAD_SERIALIZED)
    own.thread = std::this_thread::get_id();
  check_thread(ThreadInMpi(), {.operation = "World", .where = {}}, "world");
}

/// Opens the session for the ranks of a communicator.
inline void begin(MPI_Comm ranks) {
  time_limit();  // refuses a wrong environment before anything waits
  Session& own = session();
  check(MPI_Comm_rank(ranks, &own.rank), "World");
  check(MPI_Comm_size(ranks, &own.size), "World");
  read_threads();
  control_messages() = Mailbox();
  if (own.size > 1) watchdog().start();
  watch_for_early_ends();
  Watched const watched("World");
  check(MPI_Comm_dup(ranks, &own.all), "World");
  check(MPI_Comm_set_errhandler(own.all, MPI_ERRORS_RETURN), "World");
  own.processes.assign(static_cast<std::size_t>(own.size), this_process());
  Process const process = this_process();
  check(MPI_Allgather(&process, sizeof(Process), MPI_BYTE, own.processes.data(), sizeof(Process),
                      MPI_BYTE, own.all),
        "World");
}

/// Throws `CommunicationError` unless a communicator has the ranks of the open session, in order.
inline void check_same_ranks(MPI_Comm ranks) {
  int result = MPI_UNEQUAL;
  check(MPI_Comm_compare(ranks, session().all, &result), "World");
  if (result == MPI_IDENT || result == MPI_CONGRUENT) return;
  fail<CommunicationError>(
      {"World", "its communicator", "the ranks of the world that lives", "others"});
}

/// Frees MPI resources; finalises MPI if it was initialised here.
inline void end() {
  Session& own = session();
  for (auto const& weak : std::exchange(own.kept, {}))
    if (auto const one = weak.lock()) one->release();
  sent_values().clear();
  MPI_Comm_free(&own.all);
  own.has_ended = own.environment != nullptr;
  {
    Watched const watched("the end of MPI");
    own.environment.reset();
  }
  watchdog().stop();
}

}  // namespace mpi

}  // namespace tenon::internal

namespace tenon {

/// All ranks of a job. Construct one at the start of `main`; its destructor finalises MPI. Further
/// instances share it. Without `mpirun` there is one rank. If MPI is already initialised, it is not
/// finalised here. Throws `CommunicationError`. PyTorch: `init_process_group`.
class World {
 public:
  World() : exceptions_(std::uncaught_exceptions()) { enter(MPI_COMM_WORLD); }
  /// The ranks of a `boost::mpi::communicator` only. Other processes of the job do not take part; a
  /// failure ends them too. Collective. Throws `CommunicationError` where this rank is not in it,
  /// or a world of other ranks lives.
  template <internal::mpi::HasCommunicator C>
  explicit World(C const& communicator) : exceptions_(std::uncaught_exceptions()) {
    MPI_Comm const ranks = internal::mpi::handle_of(communicator, "World");
    if (internal::mpi::session().worlds > 0) internal::mpi::check_same_ranks(ranks);
    enter(ranks);
  }
  World(World const&) = delete;
  World& operator=(World const&) = delete;
  ~World() {
    if (internal::mpi::session().worlds == 1) leave();
    --internal::mpi::session().worlds;
  }

  int rank() const { return internal::mpi::session().rank; }
  int size() const { return internal::mpi::session().size; }
  Group const& group() const { return group_; }

 private:
  static Group& first_group() {
    static Group one;
    return one;
  }
  static Group whole() {
    if (internal::mpi::session().size == 1)
      return Group(internal::mpi::keep<internal::mpi::Communicator>(MPI_COMM_NULL, "world"));
    MPI_Comm copy = MPI_COMM_NULL;
    {
      internal::mpi::Watched const watched("World");
      internal::mpi::check(MPI_Comm_dup(internal::mpi::session().all, &copy), "World");
    }
    return Group(internal::mpi::keep<internal::mpi::Communicator>(copy, "world"));
  }

  /// The first world opens the session for these ranks; others share it.
  void enter(MPI_Comm ranks) {
    if (internal::mpi::session().worlds == 0) {
      internal::mpi::initialise();
      internal::mpi::begin(ranks);
    }
    if (++internal::mpi::session().worlds > 1) group_ = first_group();
    else first_group() = group_ = whole();
  }
  void leave() {
    bool const is_thrown = std::uncaught_exceptions() > exceptions_;
    if (is_thrown && size() > 1) internal::mpi::end_job_once("an exception has left the world");
    internal::mpi::wait_for_shutdown(first_group());
    first_group() = Group();
    internal::mpi::end();
  }

  int exceptions_;
  Group group_;
};

}  // namespace tenon

namespace tenon::internal {

/// Calls `program(world)` on all ranks and returns its result, if any; an exception ends the whole
/// job with its message and the rank. For `main`: `return tenon::run([](World& world) { ... });`.
template <class F>
int run(F&& program) {
  World world;
  try {
    if constexpr (std::is_void_v<CallResult<F, World&>>) return std::forward<F>(program)(world), 0;
    else return std::forward<F>(program)(world);
  } catch (...) {
    mpi::end_job_once(mpi::words_of(std::current_exception()));
  }
}

}  // namespace tenon::internal

namespace tenon {

using internal::run;

}  // namespace tenon
