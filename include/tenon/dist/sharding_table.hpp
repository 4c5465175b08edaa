#pragma once

// Deprecated path: use <tenon/distributed/sharding/sharding_table.hpp>.

#include <tenon/distributed/sharding/sharding_table.hpp>
