#pragma once

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <tenon/core/config.hpp>
#include <tenon/train/config_text.hpp>
#include <tenon/train/run/compiler_state.hpp>
#include <tenon/train/run/json_text.hpp>
#include <tenon/train/run/line_file.hpp>
#include <tenon/train/run/logger.hpp>
#include <tenon/train/run/metrics_sink.hpp>
#include <tenon/train/run/sink.hpp>
#include <tenon/train/run/step_metrics.hpp>
#include <tenon/train/run/tracer.hpp>
#include <tenon/tree/names.hpp>

namespace tenon::training {

/// How a run is recorded.
struct RunOptions {
  std::filesystem::path parent = "runs";  ///< The folder of all runs.
  LogLevel level = LogLevel::info;
  bool console = true;         ///< Log on the console, too.
  std::int64_t log_every = 1;  ///< Steps per line of `log().log_step`.
  int rank = 0;                ///< With a `World`: `over_ranks` sets it, and the next two.
  int ranks = 1;
  /// This one instead of a new one: a run whose folder it is already continues in it.
  std::filesystem::path folder = {};
  /// The folder of the run that this one resumes, and the step after which: metrics.jsonl begins
  /// with its lines up to there.
  std::filesystem::path resumed = {};
  std::int64_t resumed_step = 0;
  bool tensorboard = false;     ///< Metrics and configuration also go to a `SummaryWriter`.
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

template <class Metrics>
inline constexpr bool has_time = []<std::size_t... i>(std::index_sequence<i...>) {
  return ((tree::field_name<Metrics, i>.view() == "time") || ...);
}(std::make_index_sequence<tree::field_count<Metrics>>());

/// `{"time": 1.8e9, "loss": 0.5}` of the members of a struct: `time` is now, in seconds since 1970.
std::string metrics_line_of(std::string const& members);

/// A line of metrics.jsonl: the time, and the fields of the struct.
template <class Metrics>
std::string metrics_line(Metrics const& metrics) {
  static_assert(std::is_aggregate_v<Metrics> && !std::is_array_v<Metrics>,
                "tenon::RunManager: expected metrics in a plain struct");
  if constexpr (std::is_aggregate_v<Metrics> && !std::is_array_v<Metrics>) {
    static_assert(!has_time<Metrics>,
                  "tenon::RunManager: 'time' is the time of the line; name the metric otherwise");
    return metrics_line_of(json_members(metrics));
  } else {
    return {};
  }
}

using tenon::training::ConfigText;
using tenon::training::RunOptions;
using tenon::training::Sink;

}  // namespace tenon::internal::training

namespace tenon::training {

/// The folder of a run, `runs/20261126_120000_tag/`, in which others find what is needed to repeat
/// it: config_resolved.toml, system.json (versions, commit, compiler, machine), metrics.jsonl,
/// train.log, spans.jsonl, checkpoints/. Over ranks (<tenon/train/run_over_ranks.hpp>) rank 0 alone
/// writes. Throws `FileError` where it cannot be created or written, `ValueError` for a tag that is
/// no name. PyTorch Lightning: the folder of its logger; Hydra: its output folder.
class RunManager {
 public:
  /// `config` is a struct (with <tenon/train/config.hpp>) or a `ConfigText`; the tag consists of
  /// letters, digits, '-', '_' and '.'.
  template <class Config>
  RunManager(Config const& config, std::string_view tag, RunOptions const& options = {})
      : RunManager(internal::training::config_text(config), tag, options) {}

  RunManager(ConfigText const& config, std::string_view tag, RunOptions const& options = {})
      : RunManager(config, tag, options, internal::training::compiler_state()) {}

  std::filesystem::path const& folder() const { return folder_; }
  std::filesystem::path checkpoints() const { return folder_ / "checkpoints"; }

  /// The log of this rank; spans take it, too: `Span span(run.log(), "epoch");`.
  Logger& log() { return *log_; }

  /// Appends a line to metrics.jsonl: the time, in seconds since 1970, and the fields of a plain
  /// struct of numbers, bools, texts, optionals and structs of these, or
  /// `{.step = 100, .loss = 0.5}`. NaN and infinities are the strings "nan", "inf", "-inf"; absent
  /// optionals are left out. Throws `FileError`. Weights & Biases: `wandb.log`.
  template <class Metrics = StepMetrics>
  void metrics(Metrics const& values) {
    if (!metrics_) return;
    metrics_->write_line(internal::training::metrics_line(values));
    if (!sinks_.empty()) write_scalars(internal::training::scalars_of(values));
  }

  /// The same.
  template <class Metrics = StepMetrics>
  void append_metrics(Metrics const& values) {
    metrics(values);
  }

  /// Numbers among the metrics go there as well (on rank 0).
  void add_sink(std::shared_ptr<MetricsSink> sink) { sinks_.push_back(std::move(sink)); }

  /// Removes the metrics of all steps after `step`, from metrics.jsonl and from the sinks, before a
  /// run is resumed from that step. `fit` calls it.
  void remove_after(std::int64_t step);

 private:
  /// The state is that of the compiler of the caller.
  RunManager(ConfigText const& config, std::string_view tag, RunOptions const& options,
             internal::training::CompilerState const& compiler);

  void write_scalars(std::vector<Scalar> scalars);

  std::filesystem::path folder_;
  std::vector<std::shared_ptr<MetricsSink>> sinks_{};
  std::unique_ptr<std::mutex> mutex_ = std::make_unique<std::mutex>();  // of the sinks
  std::unique_ptr<Tracer> tracer_{};
  std::unique_ptr<Logger> log_;
  std::unique_ptr<internal::training::LineFile> metrics_{};
};

}  // namespace tenon::training

#if TENON_DEFINES_RUNTIME

#include <limits>

#include <tenon/io/atomic_file.hpp>
#include <tenon/train/checkpoints/folder_lock.hpp>
#include <tenon/train/run/run_folder.hpp>
#include <tenon/train/run/sinks.hpp>
#include <tenon/train/run/summary_writer.hpp>
#include <tenon/train/run/system_state.hpp>
#include <tenon/train/run/time_text.hpp>

namespace tenon::internal::training {

TENON_RUNTIME std::string metrics_line_of(std::string const& members) {
  return "{\"time\": " + json_number(unix_seconds(std::chrono::system_clock::now())) +
         (members.empty() ? "" : ", ") + members + "}";
}

/// Written whole, or not at all.
inline void write_text_file(std::filesystem::path const& path, std::string_view text) {
  AtomicFile file(path, "RunManager");
  file.write(text);
  file.commit();
}

inline std::filesystem::path own_folder(std::string_view tag, RunOptions const& options) {
  if (options.folder.empty()) return create_run_folder(options.parent, tag, options.time);
  if (options.rank == 0) create_folder(options.folder, "RunManager");
  return options.folder;
}

/// The configuration as a block of code of Markdown, whose lines are indented.
inline std::shared_ptr<tenon::training::SummaryWriter> summary_writer(
    std::filesystem::path const& folder, ConfigText const& config, RunOptions const& options) {
  auto writer = std::make_shared<tenon::training::SummaryWriter>(folder);
  if (!options.resumed.empty()) writer->remove_after(options.resumed_step);
  std::string text = "    ";
  for (char const c : config.text) text.append(1, c).append(c == '\n' ? "    " : "");
  if (!config.text.empty()) writer->add_text("config", text, options.resumed_step);
  return writer;
}

/// Rank 0 logs into the folder; the others log on the console alone.
inline std::vector<std::shared_ptr<Sink>> sinks_of(std::filesystem::path const& folder,
                                                   RunOptions const& options) {
  std::vector<std::shared_ptr<Sink>> sinks;
  sinks.reserve(2);
  if (options.rank == 0) {
    sinks.push_back(std::make_shared<tenon::training::FileSink>(folder / "train.log"));
  }
  if (options.console) sinks.push_back(std::make_shared<tenon::training::ConsoleSink>());
  return sinks;
}

/// The files of a folder that are written once.
inline void write_folder(std::filesystem::path const& folder, ConfigText const& config,
                         RunOptions const& options, CompilerState const& compiler) {
  std::filesystem::create_directory(folder / "checkpoints");
  write_text_file(folder / ("config_resolved." + config.format), config.text);
  auto const parent = std::filesystem::absolute(folder).parent_path();
  SystemState system = system_state(options.time, parent, compiler);
  system.compiler.flags = without_prefixes(options.flags);
  system.ranks = options.ranks;
  system.devices = options.devices;
  for (std::string const* more : {&config.libraries, &options.libraries})
    if (!more->empty()) system.libraries += ", " + *more;
  write_text_file(folder / "system.json", to_json(system) + "\n");
  bool const is_new = options.resumed.empty();
  auto const last = is_new ? (std::numeric_limits<std::int64_t>::max)() : options.resumed_step;
  std::string const metrics = earlier_metrics(is_new ? folder : options.resumed, last);
  if (!metrics.empty() || !is_new) write_text_file(folder / "metrics.jsonl", metrics);
}

}  // namespace tenon::internal::training

namespace tenon::training {

TENON_RUNTIME RunManager::RunManager(ConfigText const& config, std::string_view tag,
                                     RunOptions const& options,
                                     internal::training::CompilerState const& compiler)
    : folder_(internal::training::own_folder(tag, options)),
      log_(std::make_unique<Logger>(internal::training::sinks_of(folder_, options), options.level,
                                    options.rank)) {
  log_->set_every(options.log_every);
  if (options.rank != 0) return;
  internal::training::write_folder(folder_, config, options, compiler);
  metrics_ =
      std::make_unique<internal::training::LineFile>(folder_ / "metrics.jsonl", "RunManager");
  tracer_ = std::make_unique<Tracer>(folder_ / "spans.jsonl", tag);
  log_->set_tracer(tracer_.get());
  if (options.tensorboard) add_sink(internal::training::summary_writer(folder_, config, options));
}

TENON_RUNTIME void RunManager::write_scalars(std::vector<Scalar> scalars) {
  std::int64_t const step = internal::training::take_step(scalars);
  std::scoped_lock const lock(*mutex_);
  for (auto const& sink : sinks_) sink->write(step, scalars);
}

TENON_RUNTIME void RunManager::remove_after(std::int64_t step) {
  using namespace internal::training;
  if (!metrics_) return;
  auto const path = folder_ / "metrics.jsonl";
  metrics_.reset();
  write_text_file(path, earlier_metrics(folder_, step));
  metrics_ = std::make_unique<LineFile>(path, "RunManager");
  std::scoped_lock const lock(*mutex_);
  for (auto const& sink : sinks_) sink->remove_after(step);
}

}  // namespace tenon::training

#endif
