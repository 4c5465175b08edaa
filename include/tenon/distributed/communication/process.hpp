#pragma once

#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>

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
