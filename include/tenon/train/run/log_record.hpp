#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <string>
#include <string_view>

namespace tenon::training {

/// The severity of a log record. Python: `logging.INFO` and the others.
enum class LogLevel { trace, debug, info, warning, error, off };

/// One record of a log, as a sink receives it.
struct LogRecord {
  LogLevel level;
  std::chrono::system_clock::time_point time;
  int rank;
  std::string_view text;  ///< Without control characters.
};

}  // namespace tenon::training

namespace tenon::internal::training {

constexpr std::string_view level_name(tenon::training::LogLevel level) {
  constexpr std::array<std::string_view, 6> names{"trace",   "debug", "info",
                                                  "warning", "error", "off"};
  return names[static_cast<std::size_t>(level)];
}

/// A time of the local clock, in a format of `strftime`.
inline std::string time_text(std::chrono::system_clock::time_point time, char const* format) {
  std::time_t const seconds = std::chrono::system_clock::to_time_t(time);
  std::tm parts{};
#if defined(_WIN32)
  localtime_s(&parts, &seconds);
#else
  localtime_r(&seconds, &parts);
#endif
  std::array<char, 64> text{};
  return {text.data(), std::strftime(text.data(), text.size(), format, &parts)};
}

/// Seconds since 1970.
inline double unix_seconds(std::chrono::system_clock::time_point time) {
  return std::chrono::duration<double>(time.time_since_epoch()).count();
}

}  // namespace tenon::internal::training
