#pragma once

// `local_map`: types, and groups inside it.
#include <tenon/dist/local_group.hpp>
#include <tenon/dist/local_map_types.hpp>
#include <tenon/dist/own_part.hpp>
