#pragma once

// Checkpoints of sharded trees.
#include <tenon/distributed/checkpoint/load_shards.hpp>
#include <tenon/distributed/checkpoint/save_shards.hpp>
