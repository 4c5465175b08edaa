#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdio>

#include <tenon/core/config.hpp>

namespace tenon::internal {

/// The number at the beginning of a file; 0 where there is none.
inline std::size_t number_in(char const* path, char const* format) {
  std::FILE* const file = std::fopen(path, "r");
  if (file == nullptr) return 0;
  unsigned long long number = 0;
  int const found = std::fscanf(file, format, &number);
  (void)std::fclose(file);
  return found == 1 ? static_cast<std::size_t>(number) : 0;
}

/// The memory of the machine in bytes, or a container's limit if that is lower; 16 GiB if unknown
/// (outside of Linux these files do not exist).
inline std::size_t system_memory() {
  std::size_t const machine = number_in("/proc/meminfo", "MemTotal: %llu") * 1024;
  std::size_t const container = number_in("/sys/fs/cgroup/memory.max", "%llu");
  if (machine == 0) return std::size_t{16} << 30;
  return container == 0 ? machine : (std::min)(machine, container);
}

}  // namespace tenon::internal
