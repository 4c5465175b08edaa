#pragma once

// Trees: plain structs, arrays, tuples, vectors and optionals of tensors, walked as one.

#include <tenon/tree/collect.hpp>
#include <tenon/tree/map.hpp>
#include <tenon/tree/sizes.hpp>
#include <tenon/tree/walk.hpp>
