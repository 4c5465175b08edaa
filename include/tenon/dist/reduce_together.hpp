#pragma once

// Deprecated path: use <tenon/distributed/sharding/reduce_together.hpp>.

#include <tenon/distributed/sharding/deprecated.hpp>
#include <tenon/distributed/sharding/reduce_together.hpp>
