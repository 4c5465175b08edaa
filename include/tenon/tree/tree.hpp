#pragma once

// Trees: plain structs, arrays, tuples, vectors and optionals of tensors, traversed together (JAX:
// pytrees).

#include <tenon/tree/annotation.hpp>
#include <tenon/tree/collect.hpp>
#include <tenon/tree/map.hpp>
#include <tenon/tree/sizes.hpp>
#include <tenon/tree/walk.hpp>
