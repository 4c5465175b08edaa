#pragma once

// Deprecated path: use <tenon/distributed/collectives/exact_reduction.hpp>.

#include <tenon/distributed/collectives/exact_reduction.hpp>
