// The log through spdlog.

#include <doctest/doctest.h>

#include <memory>
#include <sstream>
#include <string>

#include <spdlog/logger.h>
#include <spdlog/sinks/ostream_sink.h>

#include <tenon/tenon.hpp>

#include <tenon/train/run.hpp>
#include <tenon/train/spdlog.hpp>

namespace spdlog_sink_test {

using namespace tenon;

TEST_CASE("records go to a logger of spdlog with level, rank and text") {
  std::ostringstream text;
  auto const logger = std::make_shared<spdlog::logger>(
      "tenon", std::make_shared<spdlog::sinks::ostream_sink_st>(text));
  logger->set_pattern("%n %l %v");
  logger->set_level(spdlog::level::debug);
  training::Logger const log({std::make_shared<training::SpdlogSink>(logger)},
                             training::LogLevel::trace, 2);
  log.trace("a"), log.debug("b {}", 1), log.info("{{}"), log.warn("{}", "{}"), log.error("e\t");
  CHECK(text.str() ==
        "tenon debug [rank 2] b 1\ntenon info [rank 2] {{}\ntenon warning [rank 2] {}\n"
        "tenon error [rank 2] e\\x09\n");
}

}  // namespace spdlog_sink_test
