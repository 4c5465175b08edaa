#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <filesystem>
#include <string>

#include <tenon/train/config_text.hpp>
#include <tenon/train/run/sink.hpp>

namespace tenon::training {

/// How a run is recorded.
struct RunOptions {
  std::filesystem::path parent = "runs";  ///< The folder of all runs.
  LogLevel level = LogLevel::info;
  bool console = true;         ///< Log on the console, too.
  std::int64_t log_every = 1;  ///< Steps per line of `log().log_step`.
  int rank = 0;                ///< With a `World`: `over_ranks` sets it, and the next two.
  int ranks = 1;
  std::filesystem::path folder = {};  ///< One that is created already.
  /// The folder of the run that this one resumes, and the step after which: metrics.jsonl begins
  /// with its lines up to there.
  std::filesystem::path resumed = {};
  std::int64_t resumed_step = 0;
  std::string devices = "cpu";  ///< For system.json: `IncludedDevices<>::available_names()`.
  std::string libraries = {};   ///< For system.json: versions of further libraries.
  /// For system.json: the flags of the compiler, which CMake's `tenon_record_flags` defines.
  std::string flags =
#if defined(TENON_COMPILER_FLAGS)
      TENON_COMPILER_FLAGS;
#else
      "";
#endif
  std::chrono::system_clock::time_point time = std::chrono::system_clock::now();
};

}  // namespace tenon::training

namespace tenon::internal::training {

/// The text of a configuration.
template <class Config>
tenon::training::ConfigText config_text(Config const& config) {
  if constexpr (std::same_as<Config, tenon::training::ConfigText>) {
    return config;
  } else {
    static_assert(
        requires { ConfigWriter<Config>::write(config); },
        "tenon::RunManager: include <tenon/train/config.hpp> to record a configuration, or pass a "
        "ConfigText");
    if constexpr (requires { ConfigWriter<Config>::write(config); }) {
      return ConfigWriter<Config>::write(config);
    } else {
      return {};
    }
  }
}

}  // namespace tenon::internal::training
