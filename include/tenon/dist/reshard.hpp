#pragma once

// Deprecated path: use <tenon/distributed/sharding/reshard.hpp>.

#include <tenon/distributed/sharding/deprecated.hpp>
#include <tenon/distributed/sharding/reshard.hpp>
