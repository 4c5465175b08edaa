#pragma once

// Deprecated path: use <tenon/distributed/sharding/local_map.hpp>.

#include <tenon/distributed/sharding/local_map.hpp>
