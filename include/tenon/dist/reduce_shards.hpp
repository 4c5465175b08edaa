#pragma once

// Deprecated path: use <tenon/distributed/sharding/reduce_shards.hpp>.

#include <tenon/distributed/sharding/deprecated.hpp>
#include <tenon/distributed/sharding/reduce_shards.hpp>
