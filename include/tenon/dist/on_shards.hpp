#pragma once

// Deprecated path: use <tenon/distributed/sharding/on_shards.hpp>.

#include <tenon/distributed/sharding/on_shards.hpp>
