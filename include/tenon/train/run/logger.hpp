#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/core/config.hpp>
#include <tenon/train/run/log_text.hpp>
#include <tenon/train/run/sink.hpp>
#include <tenon/train/run/step_metrics.hpp>

namespace tenon::training {

class Tracer;

/// A log with levels, whose records go to sinks. In a text each `{}` is replaced by the next value:
/// `log.info("epoch {}: loss {}", epoch, loss)`; values without one are appended. Records below the
/// level cost a comparison. A text of several lines is a record for each; other control characters
/// are escaped. Several threads may log. Throws what a sink throws. Python: `logging.Logger`.
class Logger {
 public:
  explicit Logger(std::vector<std::shared_ptr<Sink>> sinks, LogLevel level = LogLevel::info,
                  int rank = 0)
      : sinks_(std::move(sinks)), level_(level), rank_(rank) {}

  LogLevel level() const { return level_.load(std::memory_order_relaxed); }
  void set_level(LogLevel level) { level_.store(level, std::memory_order_relaxed); }

  void add_sink(std::shared_ptr<Sink> sink) {
    std::scoped_lock const lock(mutex_);
    sinks_.push_back(std::move(sink));
  }

  /// `log_step` writes once in this number of steps (at least 1).
  void set_every(std::int64_t steps) { every_ = steps < 1 ? 1 : steps; }

  /// Where the spans of this log go; none: nowhere.
  void set_tracer(Tracer* tracer) { tracer_ = tracer; }
  Tracer* tracer() const { return tracer_; }

  template <internal::training::Loggable... Values>
  void log(LogLevel level, std::string_view text, Values const&... values) const {
    if (level < this->level() || level == LogLevel::off) return;
    write(level, internal::training::with_values(text, values...));
  }
  template <internal::training::Loggable... Values>
  void trace(std::string_view text, Values const&... values) const {
    log(LogLevel::trace, text, values...);
  }
  template <internal::training::Loggable... Values>
  void debug(std::string_view text, Values const&... values) const {
    log(LogLevel::debug, text, values...);
  }
  template <internal::training::Loggable... Values>
  void info(std::string_view text, Values const&... values) const {
    log(LogLevel::info, text, values...);
  }
  template <internal::training::Loggable... Values>
  void warn(std::string_view text, Values const&... values) const {
    log(LogLevel::warn, text, values...);
  }
  template <internal::training::Loggable... Values>
  void error(std::string_view text, Values const&... values) const {
    log(LogLevel::error, text, values...);
  }

  /// "step 100, loss 0.5, rate 0.001", at the level `info`, if the step is one to be logged: a
  /// multiple of `set_every`, or none is given.
  void log_step(StepMetrics const& metrics) const;

 private:
  void write(LogLevel level, std::string_view text) const;

  std::vector<std::shared_ptr<Sink>> sinks_;
  std::atomic<LogLevel> level_;
  int rank_;
  std::int64_t every_ = 1;
  Tracer* tracer_ = nullptr;
  mutable std::mutex mutex_{};
};

}  // namespace tenon::training

#if TENON_DEFINES_RUNTIME

#include <algorithm>
#include <chrono>

#include <tenon/core/error.hpp>

namespace tenon::training {

TENON_RUNTIME void Logger::log_step(StepMetrics const& metrics) const {
  if (level() > LogLevel::info || metrics.step.value_or(0) % every_ != 0) return;
  write(LogLevel::info, internal::training::text_of(metrics));
}

TENON_RUNTIME void Logger::write(LogLevel level, std::string_view text) const {
  auto const time = std::chrono::system_clock::now();
  std::scoped_lock const lock(mutex_);
  for (bool is_first = true; is_first || !text.empty(); is_first = false) {
    std::size_t const end = (std::min)(text.find('\n'), text.size());
    std::string const line = internal::escaped(text.substr(0, end));
    for (auto const& sink : sinks_) sink->write({level, time, rank_, line});
    text.remove_prefix((std::min)(end + 1, text.size()));
  }
}

}  // namespace tenon::training

#endif
