#pragma once

// Looking inside a program that trains: times, memory, models, values that are not finite.

#include <tenon/train/inspect/determinism.hpp>
#include <tenon/train/inspect/device.hpp>
#include <tenon/train/inspect/finite.hpp>
#include <tenon/train/inspect/finite_checks.hpp>
#include <tenon/train/inspect/memory.hpp>
#include <tenon/train/inspect/profile_range.hpp>
#include <tenon/train/inspect/profiler.hpp>
#include <tenon/train/inspect/statistics.hpp>
#include <tenon/train/inspect/summary.hpp>
#include <tenon/train/inspect/timer.hpp>
