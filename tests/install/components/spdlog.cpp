#include <tenon/train/spdlog.hpp>

#include <memory>
#include <sstream>

#include <spdlog/logger.h>
#include <spdlog/sinks/ostream_sink.h>

int main() {
  using namespace tenon;
  std::ostringstream text;
  auto const logger = std::make_shared<spdlog::logger>(
      "run", std::make_shared<spdlog::sinks::ostream_sink_mt>(text));
  training::Logger const log({std::make_shared<training::SpdlogSink>(logger)});
  log.info("step {}", 3);
  return text.str().find("[rank 0] step 3") != std::string::npos ? 0 : 1;
}
