#pragma once

// Deprecated path: use <tenon/distributed/sharding/reshard_bytes.hpp>.

#include <tenon/distributed/sharding/deprecated.hpp>
#include <tenon/distributed/sharding/reshard_bytes.hpp>
