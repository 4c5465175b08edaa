#pragma once

#include <array>
#include <cstddef>
#include <string>

#include <spdlog/logger.h>

#include <tenon/core/config.hpp>
#include <tenon/train/run/spdlog_sink.hpp>

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
