#pragma once

// Deprecated path: use <tenon/distributed/checkpoint/load_shards.hpp>.

#include <tenon/distributed/checkpoint/deprecated.hpp>
#include <tenon/distributed/checkpoint/load_shards.hpp>
