#pragma once

#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/core/config.hpp>
#include <tenon/train/run/sink.hpp>
#include <tenon/train/run/step_metrics.hpp>

namespace tenon::internal::training {

inline std::string log_text(std::string_view text) { return std::string(text); }
template <std::same_as<bool> T>  // (a pointer would convert to bool)
std::string log_text(T value) {
  return value ? "true" : "false";
}
inline std::string log_text(char value) { return {value}; }
template <std::integral T>
  requires(!std::same_as<T, bool>)
std::string log_text(T value) {
  return std::to_string(value);
}
template <std::floating_point T>
std::string log_text(T value) {
  return short_number(static_cast<double>(value));
}

/// What a log can show: numbers, bools, characters, texts.
template <class T>
concept Loggable = requires(T const& value) { log_text(value); };

/// Moves the text up to the next `{}`, and the value in its place; a value without one is appended
/// after a space.
void append_value(std::string& all, std::string_view& rest, std::string const& value);

/// The text with each `{}` replaced by the next value.
template <Loggable... Values>
std::string with_values(std::string_view text, Values const&... values) {
  std::string all;
  (append_value(all, text, log_text(values)), ...);
  return all.append(text);
}

}  // namespace tenon::internal::training

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

namespace tenon::internal::training {

TENON_RUNTIME void append_value(std::string& all, std::string_view& rest,
                                std::string const& value) {
  auto const at = rest.find("{}");
  bool const has_place = at != std::string_view::npos;
  all.append(rest.substr(0, at)).append(has_place ? "" : " ").append(value);
  rest.remove_prefix(has_place ? at + 2 : rest.size());
}

}  // namespace tenon::internal::training

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
