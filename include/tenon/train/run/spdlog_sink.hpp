#pragma once

#include <memory>
#include <utility>

#include <spdlog/logger.h>

#include <tenon/train/run/sinks.hpp>

namespace tenon::training {

/// Log records go to a logger of spdlog (https://github.com/gabime/spdlog), with its sinks,
/// patterns and levels; the rank stands before the text.
class SpdlogSink final : public LogSink {
 public:
  explicit SpdlogSink(std::shared_ptr<spdlog::logger> logger) : logger_(std::move(logger)) {}

  void write(LogRecord const& record) override {
    static constexpr spdlog::level::level_enum levels[] = {
        spdlog::level::trace, spdlog::level::debug, spdlog::level::info,
        spdlog::level::warn,  spdlog::level::err,   spdlog::level::off};
    logger_->log(record.time, {}, levels[static_cast<int>(record.level)],
                 "[rank " + std::to_string(record.rank) + "] " + std::string(record.text));
  }

 private:
  std::shared_ptr<spdlog::logger> logger_;
};

}  // namespace tenon::training
