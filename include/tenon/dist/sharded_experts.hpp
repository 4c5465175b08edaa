#pragma once

// Deprecated path: use <tenon/distributed/experts/sharded_experts.hpp>.

#include <tenon/distributed/experts/sharded_experts.hpp>
#include <tenon/distributed/sharding/deprecated.hpp>
