#pragma once

// Functions of the parts of sharded tensors: what types say, and the groups that they take.
#include <tenon/dist/local_group.hpp>
#include <tenon/dist/local_map_types.hpp>
#include <tenon/dist/own_part.hpp>
