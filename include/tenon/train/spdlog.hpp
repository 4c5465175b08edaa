#pragma once

// Logs through spdlog: `run.log().add_sink(std::make_shared<training::SpdlogSink>(logger))`.

#include <tenon/train/run/logger.hpp>
#include <tenon/train/run/spdlog_sink.hpp>
