#pragma once

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <tenon/dist/mpi.hpp>

/// What this process has of MPI: one for all worlds.
namespace tenon::mpi {

using Clock = std::chrono::steady_clock;

/// What is freed before MPI ends: communicators, datatypes, operations.
struct Kept {
  virtual ~Kept() = default;
  /// Gives back what MPI holds; may be called more than once.
  virtual void release() = 0;
};

/// The process as a rank of a job.
struct Session {
  std::unique_ptr<boost::mpi::environment> environment;  ///< Null where MPI was there before.
  MPI_Comm all = MPI_COMM_NULL;                          ///< All ranks; for alarms alone.
  int rank = 0;
  int size = 1;
  int worlds = 0;          ///< Those that live; they share the session.
  bool has_ended = false;  ///< MPI cannot begin a second time.
  std::vector<std::weak_ptr<Kept>> kept;

  bool is_open() const { return worlds > 0; }
};

inline Session& session() {
  static Session one;
  return one;
}

/// "rank 2 of 4", as messages begin.
inline std::string this_rank() {
  std::string text("rank ");
  text.append(std::to_string(session().rank)).append(" of ");
  return text.append(std::to_string(session().size));
}

/// Says `text` in one piece, so that those of several ranks do not mix.
inline void say_in_one_piece(std::string const& text) {
  std::fflush(stdout);
  (void)std::fwrite(text.data(), 1, text.size(), stderr);  // which keeps nothing back
}

/// Ends the whole job, all ranks of it, with a text.
[[noreturn]] inline void end_job(std::string const& text) {
  say_in_one_piece(std::string("tenon: ").append(this_rank()).append(": ").append(text) + "\n");
  if (session().size == 1 || !is_running()) std::_Exit(EXIT_FAILURE);
  std::this_thread::sleep_for(std::chrono::milliseconds(200));  // MPICH's launcher may not yet have
  MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);                      // read it, and would not any more
  std::_Exit(EXIT_FAILURE);
}

/// Keeps what has to be freed before MPI ends.
template <class K, class... A>
std::shared_ptr<K> keep(A&&... arguments) {
  auto made = std::make_shared<K>(std::forward<A>(arguments)...);
  auto& kept = session().kept;
  std::erase_if(kept, [](auto const& one) { return one.expired(); });
  kept.push_back(made);
  return made;
}

}  // namespace tenon::mpi
