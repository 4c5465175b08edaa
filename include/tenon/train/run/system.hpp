#pragma once

// What a run depends on besides its configuration: system.json.

#include <array>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <tenon/backend/cpu/simd/lanes.hpp>
#include <tenon/backend/cpu/threads.hpp>
#include <tenon/core/config.hpp>
#include <tenon/train/run/json_text.hpp>

namespace tenon::internal::training {

/// The output of a command, without its last line break; empty if it fails. The command is a
/// constant of this library.
inline std::string output_of(std::string const& command) {
  auto const close = [](std::FILE* pipe) {
#if defined(_WIN32)
    _pclose(pipe);
#else
    pclose(pipe);
#endif
  };
#if defined(_WIN32)
  std::unique_ptr<std::FILE, decltype(close)> const pipe(_popen((command + " 2>NUL").c_str(), "r"));
#else
  std::unique_ptr<std::FILE, decltype(close)> const pipe(
      popen((command + " 2>/dev/null").c_str(), "r"));
#endif
  std::string text;
  std::array<char, 256> part{};
  while (pipe && text.size() < 65536 && std::fgets(part.data(), part.size(), pipe.get())) {
    text += part.data();
  }
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

/// The commit of the working directory, and whether all its files are as committed.
struct GitState {
  std::optional<std::string> commit;
  bool is_clean = false;
};

inline GitState git_state() {
  std::string const commit = output_of("git rev-parse HEAD");
  if (commit.size() != 40 && commit.size() != 64) return {};
  return {commit, output_of("git status --porcelain").empty()};
}

struct CompilerState {
  std::string_view name;
  long standard;
  bool is_optimised;
  bool has_assertions;
};

/// The program's compiler, as far as it tells.
inline CompilerState compiler_state() {
  CompilerState state{"", __cplusplus, false, true};
#if defined(__clang__)
  state.name = "clang " __clang_version__;
#else
  state.name = "g++ " __VERSION__;
#endif
#if defined(__OPTIMIZE__)
  state.is_optimised = true;
#endif
#if defined(NDEBUG)
  state.has_assertions = false;
#endif
  return state;
}

constexpr std::string_view operating_system() {
#if defined(_WIN32)
  return "Windows";
#elif defined(__APPLE__)
  return "macOS";
#else
  return "Linux";
#endif
}

/// The members of system.json.
struct SystemState {
  int tenon_version = TENON_VERSION;
  GitState git = git_state();
  CompilerState compiler = compiler_state();
  std::string_view instruction_set = internal::instruction_set;
  std::string_view system = operating_system();
  int threads = internal::threads();
  int ranks = 1;
  std::string devices{};
};

}  // namespace tenon::internal::training
