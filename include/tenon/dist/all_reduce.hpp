#pragma once

// Deprecated path: use <tenon/distributed/collectives/all_reduce.hpp>.

#include <tenon/distributed/collectives/all_reduce.hpp>
