#pragma once

// Deprecated path: use <tenon/distributed/sharding/clip_gradients.hpp>.

#include <tenon/distributed/sharding/clip_gradients.hpp>
