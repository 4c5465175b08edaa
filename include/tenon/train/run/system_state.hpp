#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include <tenon/backend/cpu/simd/lanes.hpp>
#include <tenon/backend/cpu/threads.hpp>
#include <tenon/core/config.hpp>

#include <tenon/train/run/compiler_state.hpp>
#include <tenon/train/run/git_state.hpp>
#include <tenon/train/run/json_text.hpp>
#include <tenon/train/run/machine.hpp>
#include <tenon/train/run/time_text.hpp>

namespace tenon::internal::training {

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
/// to fill in.
inline SystemState system_state(Time time, std::filesystem::path const& runs) {
  SystemState state;
  state.tenon = version_text(TENON_VERSION);
  state.time = time_text(time, "%Y-%m-%dT%H:%M:%S%z");
  state.git = git_state(runs);
  state.compiler = compiler_state();
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
