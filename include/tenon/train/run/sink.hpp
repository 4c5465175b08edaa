#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <string_view>

namespace tenon::training {

/// The severity of a log record, and the least one that a logger writes. Python: `logging.INFO` and
/// the others.
enum class LogLevel { trace, debug, info, warn, error, off };

/// One record of a log, as a sink receives it.
struct LogRecord {
  LogLevel level;
  std::chrono::system_clock::time_point time;
  int rank;
  std::string_view text;  ///< One line: control characters are escaped.
};

/// Where log records go. One of the user's derives from it; a logger calls it from one thread at a
/// time. It must not log. Python: `logging.Handler`.
class Sink {
 public:
  Sink() = default;
  Sink(Sink const&) = delete;
  Sink& operator=(Sink const&) = delete;
  virtual ~Sink() = default;
  virtual void write(LogRecord const& record) = 0;
};

}  // namespace tenon::training

namespace tenon::internal::training {

constexpr std::string_view level_name(tenon::training::LogLevel level) {
  constexpr std::array<std::string_view, 6> names{"trace", "debug", "info", "warn", "error", "off"};
  return names[static_cast<std::size_t>(level)];
}

}  // namespace tenon::internal::training
