#pragma once

// Deprecated path: use <tenon/distributed/zero/unshard.hpp>.

#include <tenon/distributed/sharding/deprecated.hpp>
#include <tenon/distributed/zero/unshard.hpp>
