#pragma once

// Tensors sharded over a mesh of ranks, and functions of them: the part that needs no MPI.
// Communication is in reshard.hpp and reduce_shards.hpp.
#include <tenon/distributed/sharding/dispatch.hpp>
#include <tenon/distributed/sharding/evaluate.hpp>
#include <tenon/distributed/sharding/rearrange.hpp>
#include <tenon/distributed/sharding/reduction.hpp>
