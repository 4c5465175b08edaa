#pragma once

#include <cstdlib>
#include <string>

#if !defined(_WIN32)
#include <sys/utsname.h>
#endif

namespace tenon::internal::training {

/// The name of this machine, its operating system and processor family: "Linux 6.1.0 x86_64".
struct Machine {
  std::string hostname{};
  std::string operating_system{};
};

inline Machine this_machine() {
#if defined(_WIN32)
  char const* const name = std::getenv("COMPUTERNAME");
  return {name ? name : "", "Windows"};
#else
  utsname names{};
  if (uname(&names) != 0) return {};
  return {names.nodename, std::string(names.sysname) + " " + names.release + " " + names.machine};
#endif
}

}  // namespace tenon::internal::training
