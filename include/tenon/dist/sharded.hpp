#pragma once

// Deprecated path: use <tenon/distributed/sharding/sharded.hpp>.

#include <tenon/distributed/sharding/sharded.hpp>
