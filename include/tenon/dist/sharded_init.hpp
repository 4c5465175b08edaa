#pragma once

// Deprecated path: use <tenon/distributed/sharding/init.hpp>.

#include <tenon/distributed/sharding/init.hpp>
