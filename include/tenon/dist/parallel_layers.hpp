#pragma once

// Deprecated path: use <tenon/distributed/tensor_parallel/layers.hpp>.

#include <tenon/distributed/sharding/deprecated.hpp>
#include <tenon/distributed/tensor_parallel/layers.hpp>
