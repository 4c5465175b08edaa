#pragma once

// The record of a run: its folder, log, metrics, spans, and the line of progress.

#include <tenon/train/run/logger.hpp>
#include <tenon/train/run/progress.hpp>
#include <tenon/train/run/run_manager.hpp>
#include <tenon/train/run/sinks.hpp>
#include <tenon/train/run/span.hpp>
#include <tenon/train/run/summary_writer.hpp>
