#pragma once

#include <cstdint>
#include <fstream>
#include <string>

/// The most memory that this process has ever reserved, in bytes; 0 where the system does not tell.
inline std::int64_t peak_memory() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    std::int64_t kilobytes = 0;
    if (word == "VmPeak:" && status >> kilobytes) return kilobytes * 1024;
  }
  return 0;
}
