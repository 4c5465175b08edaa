#pragma once

// Deprecated path: use <tenon/distributed/checkpoint/tensor_shards.hpp>.

#include <tenon/distributed/checkpoint/deprecated.hpp>
#include <tenon/distributed/checkpoint/tensor_shards.hpp>
