#pragma once

// Deprecated path: use <tenon/distributed/data_parallel/deterministic_sum.hpp>.

#include <tenon/distributed/data_parallel/deprecated.hpp>
#include <tenon/distributed/data_parallel/deterministic_sum.hpp>
