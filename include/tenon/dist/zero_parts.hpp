#pragma once

// Deprecated path: use <tenon/distributed/zero/shards.hpp>.

#include <tenon/distributed/zero/deprecated.hpp>
#include <tenon/distributed/zero/shards.hpp>
