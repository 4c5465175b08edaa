#pragma once

// Checkpoints of trees that are divided over ranks.
#include <tenon/dist/load_shards.hpp>
#include <tenon/dist/save_shards.hpp>
