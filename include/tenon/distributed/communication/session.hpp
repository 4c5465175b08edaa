#pragma once

#include <unistd.h>
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <tenon/distributed/communication/mpi.hpp>

/// The operating system processes of a job.
namespace tenon::internal::mpi {

/// The process of a rank.
struct Process {
  char host[120] = {};
  std::int64_t id = 0;

  /// "host node7, process 1234"
  std::string text() const {
    return std::string("host ").append(host).append(", process ").append(std::to_string(id));
  }
  bool is_on_host_of(Process const& other) const {
    return std::string_view(host) == std::string_view(other.host);
  }
};

inline Process this_process() {
  Process own;
  char name[MPI_MAX_PROCESSOR_NAME] = {};
  int length = 0;
  if (MPI_Get_processor_name(name, &length) == MPI_SUCCESS)
    std::string_view(name).copy(own.host, sizeof(own.host) - 1);
  own.id = ::getpid();
  return own;
}

/// "stopped" or "has ended" for a process of this host that is not running; "" if it is running, or
/// if the system provides no status (Linux does).
inline std::string why_it_does_not_run(Process const& process) {
  if (!std::ifstream("/proc/self/stat")) return {};
  std::ifstream file("/proc/" + std::to_string(process.id) + "/stat");
  std::string text;
  if (!std::getline(file, text)) return "has ended";
  auto const name_end = text.find_last_of(')');  // "1234 (name) T ..."
  char const state = name_end + 2 < text.size() ? text[name_end + 2] : ' ';
  if (state == 'T' || state == 't') return "is stopped";
  return state == 'Z' || state == 'X' ? "has ended" : "";
}

}  // namespace tenon::internal::mpi

/// The MPI state of this process, shared by all worlds.
namespace tenon::internal::mpi {

using Clock = std::chrono::steady_clock;

/// A resource freed before MPI is finalised: communicators, datatypes, operations.
struct Kept {
  virtual ~Kept() = default;
  /// Frees the MPI resource; may be called more than once.
  virtual void release() = 0;
};

/// This process as a rank of a job.
struct Session {
  std::unique_ptr<boost::mpi::environment> environment;  ///< Null if MPI was initialised by others.
  MPI_Comm all = MPI_COMM_NULL;                          ///< All ranks; for messages only.
  int rank = 0;
  int size = 1;
  int worlds = 0;                    ///< The number of live worlds, which share the session.
  bool has_ended = false;            ///< MPI cannot be initialised twice.
  std::vector<Process> processes{};  ///< Of all ranks.
  std::thread::id thread{};          ///< The thread that constructed the world.
  int thread_level = MPI_THREAD_SERIALIZED;  ///< What MPI grants.
  std::vector<std::weak_ptr<Kept>> kept;

  bool is_open() const { return worlds > 0; }
};

inline Session& session() {
  static Session one;
  return one;
}

/// "rank 2 of 4", the start of messages.
inline std::string this_rank() {
  std::string text("rank ");
  text.append(std::to_string(session().rank)).append(" of ");
  return text.append(std::to_string(session().size));
}

/// Writes `text` with one call, so that the output of several ranks is not interleaved.
inline void write_to_stderr(std::string const& text) {
  std::fflush(stdout);
  (void)std::fwrite(text.data(), 1, text.size(), stderr);  // stderr is unbuffered
}

/// Whether the process of a rank is running, as far as this host can tell.
inline bool runs(int rank) {
  Session const& own = session();
  auto const& all = own.processes;
  if (static_cast<std::size_t>(rank) >= all.size()) return true;
  Process const& process = all[static_cast<std::size_t>(rank)];
  bool const is_here = process.is_on_host_of(all[static_cast<std::size_t>(own.rank)]);
  return !is_here || why_it_does_not_run(process).empty();
}

/// "host node7, process 1234" of a rank, with "stopped" if it is not running.
inline std::string state_of_process(int rank) {
  auto const i = static_cast<std::size_t>(rank);
  if (i >= session().processes.size()) return {};
  Process const& process = session().processes[i];
  return process.text() + (runs(rank) ? "" : ", " + why_it_does_not_run(process));
}

/// `tenon: rank 2 of 4: text (host node7, process 1234)`; the process ends the first line.
inline std::string report_of(std::string const& text) {
  std::string const process = state_of_process(session().rank);
  std::string all = std::string("tenon: ").append(this_rank()).append(": ").append(text);
  if (!process.empty()) all.insert((std::min)(all.find('\n'), all.size()), " (" + process + ")");
  return all + "\n";
}

/// Ends all ranks of the job. MPI may not return if another thread is inside MPI.
[[noreturn]] inline void abort_job() {
  if (session().size == 1 || !is_running()) std::_Exit(EXIT_FAILURE);
  std::thread([] {
    std::this_thread::sleep_for(std::chrono::seconds(5));
    std::_Exit(EXIT_FAILURE);
  }).detach();
  MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
  std::_Exit(EXIT_FAILURE);
}

/// Ends the whole job, all ranks, with a message.
[[noreturn]] inline void end_job(std::string const& text) {
  write_to_stderr(report_of(text));
  std::this_thread::sleep_for(std::chrono::milliseconds(200));  // MPICH's launcher may not have
  abort_job();                                                  // read it yet, and would not after
}

/// Creates a resource that is freed before MPI is finalised.
template <class K, class... A>
std::shared_ptr<K> keep(A&&... arguments) {
  auto made = std::make_shared<K>(std::forward<A>(arguments)...);
  auto& kept = session().kept;
  std::erase_if(kept, [](auto const& one) { return one.expired(); });
  kept.push_back(made);
  return made;
}

}  // namespace tenon::internal::mpi
