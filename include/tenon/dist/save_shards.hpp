#pragma once

// Deprecated path: use <tenon/distributed/checkpoint/save_shards.hpp>.

#include <tenon/distributed/checkpoint/deprecated.hpp>
#include <tenon/distributed/checkpoint/save_shards.hpp>
