#pragma once

#include <chrono>
#include <concepts>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/io/atomic_file.hpp>

#include <tenon/train/config_text.hpp>
#include <tenon/train/run/line_file.hpp>
#include <tenon/train/run/logger.hpp>
#include <tenon/train/run/run_folder.hpp>
#include <tenon/train/run/span.hpp>
#include <tenon/train/run/system.hpp>

namespace tenon::training {

/// How a run is recorded.
struct RunOptions {
  std::filesystem::path parent = "runs";  ///< The folder of all runs.
  LogLevel level = LogLevel::info;
  bool console = true;  ///< Log on the console, too.
  int rank = 0;
  int ranks = 1;
  std::string devices = "cpu";        ///< For system.json: `DeviceList<…>::available_names()`.
  std::filesystem::path folder = {};  ///< Of ranks above 0: the folder that rank 0 created.
  std::chrono::system_clock::time_point time = std::chrono::system_clock::now();
};

}  // namespace tenon::training

namespace tenon::internal::training {

using tenon::training::ConfigText;
using tenon::training::RunOptions;

template <class Config>
ConfigText config_text(Config const& config) {
  if constexpr (std::same_as<Config, ConfigText>) {
    return config;
  } else {
    static_assert(
        requires { ConfigWriter<Config>::write(config); },
        "tenon::RunManager: include <tenon/train/config.hpp> to record a configuration, or "
        "pass a ConfigText");
    return ConfigWriter<Config>::write(config);
  }
}

inline void write_text_file(std::filesystem::path const& path, std::string_view text) {
  AtomicFile file(path, "RunManager");
  file.write(text);
  file.commit();
}

/// Rank 0 logs into the folder; the others log on the console alone.
inline std::vector<std::shared_ptr<tenon::training::LogSink>> sinks_of(
    std::filesystem::path const& folder, RunOptions const& options) {
  std::vector<std::shared_ptr<tenon::training::LogSink>> sinks;
  if (options.rank == 0) {
    sinks.push_back(std::make_shared<tenon::training::FileSink>(folder / "train.log"));
  }
  if (options.console) sinks.push_back(std::make_shared<tenon::training::ConsoleSink>());
  return sinks;
}

/// A line of metrics: the time, and the members of the struct.
template <class Metrics>
std::string metrics_line(Metrics const& metrics) {
  std::string line = "{\"time\": " + json_number(unix_seconds(std::chrono::system_clock::now()));
  std::string const members = json_members(metrics);
  if (!members.empty()) line += ", " + members;
  return line + "}";
}

}  // namespace tenon::internal::training

namespace tenon::training {

/// The folder of a run, `runs/20261126_120000_tag/`, in which others find what is needed to repeat
/// it: config_resolved.toml, system.json (versions, commit, compiler, processor), metrics.jsonl,
/// train.log, spans.json, checkpoints/. Over ranks, rank 0 alone creates and writes it. Throws
/// `FileError` if it cannot be created or written, `ValueError` for a tag that is no name.
/// PyTorch Lightning: the logger's folder; Hydra: its output folder.
class RunManager {
 public:
  /// `config` is a struct (with <tenon/train/config.hpp>) or a `ConfigText`.
  template <class Config>
  RunManager(Config const& config, std::string_view tag, RunOptions options = {})
      : RunManager(internal::training::config_text(config), tag, std::move(options)) {}

  RunManager(ConfigText const& config, std::string_view tag, RunOptions const& options = {})
      : folder_(options.rank == 0
                    ? internal::training::create_run_folder(options.parent, tag, options.time)
                    : options.folder),
        log_(internal::training::sinks_of(folder_, options), options.level, options.rank),
        tracer_(std::string(tag)),
        is_first_(options.rank == 0) {
    if (is_first_) record(config, options);
  }
  RunManager(RunManager const&) = delete;
  RunManager& operator=(RunManager const&) = delete;

  /// Writes the spans. (An error is no reason to end a program that has trained.)
  ~RunManager() {
    if (!is_first_ || tracer_.size() == 0) return;
    try {
      tracer_.save(folder_ / "spans.json");
    } catch (std::exception const& error) {
      log_.error("{}", error.what());
    }
  }

  std::filesystem::path const& folder() const { return folder_; }
  std::filesystem::path checkpoints() const { return folder_ / "checkpoints"; }
  Logger& log() { return log_; }
  Tracer& tracer() { return tracer_; }

  /// Appends a line to metrics.jsonl: the time and the fields of a plain struct of numbers, bools
  /// and texts; NaN and infinities are texts. Rank 0 alone writes. Weights & Biases: `wandb.log`.
  template <class Metrics>
  void metrics(Metrics const& values) {
    if (metrics_) metrics_->write_line(internal::training::metrics_line(values));
  }

 private:
  void record(ConfigText const& config, RunOptions const& options) {
    using namespace internal::training;
    std::filesystem::create_directory(checkpoints());
    write_text_file(folder_ / ("config_resolved." + config.format), config.text);
    SystemState system;
    system.ranks = options.ranks;
    system.devices = options.devices;
    write_text_file(folder_ / "system.json", to_json(system) + "\n");
    metrics_.emplace(folder_ / "metrics.jsonl", "RunManager");
  }

  std::filesystem::path folder_;
  Logger log_;
  Tracer tracer_;
  bool is_first_;
  std::optional<internal::training::LineFile> metrics_{};
};

}  // namespace tenon::training
