#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#if !defined(_WIN32)
#include <sys/utsname.h>
#endif

#include <tenon/backend/cpu/simd/lanes.hpp>
#include <tenon/backend/cpu/threads.hpp>
#include <tenon/core/config.hpp>

#include <tenon/train/run/command.hpp>
#include <tenon/train/run/compiler_state.hpp>
#include <tenon/train/run/json_text.hpp>
#include <tenon/train/run/time_text.hpp>

namespace tenon::internal::training {

/// The commit of the repository that the working directory is in, and whether all its files are as
/// committed, none besides.
struct GitState {
  std::string commit{};
  std::optional<bool> is_clean{};
};

/// `git status` of the whole repository, without the folder of the runs, where that is within the
/// working directory. (The configuration of a repository can name a program as its monitor of
/// files.)
inline std::string status_command(std::filesystem::path const& runs) {
  std::string command = "git --no-optional-locks -c core.fsmonitor=false status --porcelain -- :/";
  std::filesystem::path const folder = runs.lexically_proximate(std::filesystem::current_path());
  if (folder.empty() || folder.is_absolute() || folder == "." || *folder.begin() == "..")
    return command;
  return command + " " + shell_word(":(exclude,literal)" + folder.generic_string());
}

/// None where the working directory is in no repository with commits, or git is not installed.
/// Files in the folder `runs` do not count: those of a run are not what it depends on.
inline std::optional<GitState> git_state(std::filesystem::path const& runs = {}) {
  auto const head = output_of("git rev-parse --verify HEAD");
  if (!head || head->find('\n') == std::string::npos) return std::nullopt;
  GitState state{head->substr(0, head->find('\n')), std::nullopt};
  if (auto const changes = output_of(status_command(runs))) state.is_clean = changes->empty();
  return state;
}

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

/// What a run depends on besides its configuration: the members of system.json.
struct SystemState {
  std::string tenon{};  // its version
  std::string time{};
  std::optional<GitState> git{};
  CompilerState compiler{};
  std::string libraries{};
  std::string_view simd{};
  int threads = 1;
  int ranks = 1;
  std::string devices{};
  Machine machine{};
};

/// "1.2.3" of the number 10203.
inline std::string version_text(int version) {
  return std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." +
         std::to_string(version % 100);
}

/// Of this process, whose runs are in the folder `runs`; devices, flags and ranks are the caller's
/// to fill in, as is what its compiler defines.
inline SystemState system_state(Time time, std::filesystem::path const& runs,
                                CompilerState compiler) {
  SystemState state;
  state.tenon = version_text(TENON_VERSION);
  state.time = time_text(time, "%Y-%m-%dT%H:%M:%S%z");
  state.git = git_state(runs);
  state.compiler = std::move(compiler);
  state.libraries = standard_libraries();
#if defined(XSIMD_VERSION_MAJOR)
  state.libraries += ", xsimd " + version_text(XSIMD_VERSION_MAJOR * 10000 +
                                               XSIMD_VERSION_MINOR * 100 + XSIMD_VERSION_PATCH);
#endif
  state.simd = internal::instruction_set;
  state.threads = internal::threads();
  state.machine = this_machine();
  return state;
}

}  // namespace tenon::internal::training
