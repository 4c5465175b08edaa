#pragma once

#include <memory>
#include <utility>

#include <tenon/core/config.hpp>
#include <tenon/train/run/sink.hpp>

namespace spdlog {

class logger;

}  // namespace spdlog

namespace tenon::training {

/// Log records go to a logger of spdlog (https://github.com/gabime/spdlog), with its sinks,
/// patterns and level; the rank stands before the text.
class SpdlogSink final : public Sink {
 public:
  explicit SpdlogSink(std::shared_ptr<spdlog::logger> logger) : logger_(std::move(logger)) {}

  void write(LogRecord const& record) override;

 private:
  std::shared_ptr<spdlog::logger> logger_;
};

}  // namespace tenon::training

#if TENON_DEFINES_RUNTIME

#include <spdlog/logger.h>
#include <array>
#include <cstddef>
#include <string>

namespace tenon::training {

TENON_RUNTIME void SpdlogSink::write(LogRecord const& record) {
  namespace level = spdlog::level;
  constexpr std::array<level::level_enum, 6> levels{level::trace, level::debug, level::info,
                                                    level::warn,  level::err,   level::off};
  std::string text = "[rank " + std::to_string(record.rank) + "] ";
  text.append(record.text);
  logger_->log(record.time, {}, levels[static_cast<std::size_t>(record.level)], text);
}

}  // namespace tenon::training

#endif
