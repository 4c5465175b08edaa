#pragma once

// Checkpoints of sharded trees.
#include <tenon/dist/load_shards.hpp>
#include <tenon/dist/save_shards.hpp>
