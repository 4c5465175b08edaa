#pragma once

#include <array>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/core/error.hpp>

#include <tenon/train/run/log_record.hpp>
#include <tenon/train/run/sinks.hpp>

namespace tenon::internal::training {

inline std::string log_text(std::string_view text) { return std::string(text); }
inline std::string log_text(bool value) { return value ? "true" : "false"; }
template <std::integral T>
std::string log_text(T value) {
  return std::to_string(value);
}
template <std::floating_point T>
std::string log_text(T value) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.6g", static_cast<double>(value));
  return text.data();
}

/// The text with each `{}` replaced by the next value.
inline std::string replace_braces(std::string_view text, std::vector<std::string> const& values) {
  std::string all;
  for (std::string const& value : values) {
    auto const at = text.find("{}");
    if (at == std::string_view::npos) break;
    all.append(text.substr(0, at)).append(value);
    text.remove_prefix(at + 2);
  }
  return all.append(text);
}

}  // namespace tenon::internal::training

namespace tenon::training {

/// A log with levels, whose records go to sinks. In a text each `{}` is replaced by the next value:
/// `log.info("epoch {}: loss {}", epoch, loss)`. Records below the level cost a comparison. Control
/// characters in texts are escaped, so that each record is one line. Python: `logging.Logger`.
class Logger {
 public:
  explicit Logger(std::vector<std::shared_ptr<LogSink>> sinks, LogLevel level = LogLevel::info,
                  int rank = 0)
      : sinks_(std::move(sinks)), level_(level), rank_(rank) {}

  LogLevel level() const { return level_; }
  void set_level(LogLevel level) { level_ = level; }
  void add_sink(std::shared_ptr<LogSink> sink) { sinks_.push_back(std::move(sink)); }

  template <class... Values>
  void log(LogLevel level, std::string_view text, Values const&... values) const {
    if (level < level_) return;
    write(level,
          internal::training::replace_braces(text, {internal::training::log_text(values)...}));
  }
  template <class... Values>
  void debug(std::string_view text, Values const&... values) const {
    log(LogLevel::debug, text, values...);
  }
  template <class... Values>
  void info(std::string_view text, Values const&... values) const {
    log(LogLevel::info, text, values...);
  }
  template <class... Values>
  void warning(std::string_view text, Values const&... values) const {
    log(LogLevel::warning, text, values...);
  }
  template <class... Values>
  void error(std::string_view text, Values const&... values) const {
    log(LogLevel::error, text, values...);
  }

 private:
  void write(LogLevel level, std::string const& text) const {
    std::string const line = internal::escaped(text);
    LogRecord const record{level, std::chrono::system_clock::now(), rank_, line};
    for (auto const& sink : sinks_) sink->write(record);
  }

  std::vector<std::shared_ptr<LogSink>> sinks_;
  LogLevel level_;
  int rank_;
};

}  // namespace tenon::training
