#pragma once

// Bytes as a file, for readers that open files.

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include <tenon/core/error.hpp>

/// A file in memory with a path, reused for all inputs.
class InputInMemory {
 public:
  InputInMemory()
      : file_(::memfd_create("input", 0)), path_("/proc/self/fd/" + std::to_string(file_)) {
    if (file_ < 0) std::abort();
  }

  std::string const& path() const { return path_; }

  void set(void const* data, std::size_t bytes) {
    auto const count = static_cast<ssize_t>(bytes);
    if (::ftruncate(file_, static_cast<off_t>(count)) != 0) std::abort();
    if (::pwrite(file_, data, bytes, 0) != count) std::abort();
  }

 private:
  int file_;
  std::string path_;
};

/// Errors of the library are results; anything else ends the program.
template <class F>
void ignore_errors(F const& call) {
  try {
    call();
  } catch (tenon::Error const&) {
  }
}
