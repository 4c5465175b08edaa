#pragma once

// Deprecated path: use <tenon/distributed/sharding/exact_shards.hpp>.

#include <tenon/distributed/sharding/deprecated.hpp>
#include <tenon/distributed/sharding/exact_shards.hpp>
