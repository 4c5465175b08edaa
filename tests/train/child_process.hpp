#pragma once

// A function in another process, and what it prints.

#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include <sys/wait.h>
#include <unistd.h>

#include "../io/folder.hpp"

namespace child_process {

struct Ended {
  int code = -1;
  std::string output, errors;
};

/// Calls a function in another process, which ends with its result, unless it ends the process
/// itself.
template <class F>
Ended ended(F const& f) {
  Folder const folder;
  auto const output = (folder / "output").string(), errors = (folder / "errors").string();
  std::fflush(nullptr);  // the child would write it too
  pid_t const child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    if (!std::freopen(output.c_str(), "w", stdout) || !std::freopen(errors.c_str(), "w", stderr))
      std::_Exit(99);
    int const code = f();
    std::fflush(nullptr);
    std::_Exit(code);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  return {WEXITSTATUS(status), read_bytes(output), read_bytes(errors)};
}

}  // namespace child_process
