#pragma once

// `local_map`: types, and groups inside it.
#include <tenon/distributed/sharding/local_group.hpp>
#include <tenon/distributed/sharding/local_map_types.hpp>
#include <tenon/distributed/sharding/local_shard.hpp>
