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
#include <tenon/train/run/spdlog_sink.ipp>
#endif
