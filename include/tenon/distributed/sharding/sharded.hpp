#pragma once

// Tensors sharded over a mesh of ranks, and functions of them: the part that needs no MPI.
// Communication is in reshard.hpp and reduce_shards.hpp.
#include <tenon/distributed/sharding/dispatch.hpp>
#include <tenon/distributed/sharding/evaluate.hpp>
#include <tenon/distributed/sharding/rearrange.hpp>
#include <tenon/distributed/sharding/reduction.hpp>
#include <tenon/expr/contract/matmul.hpp>
#include <tenon/expr/join/join.hpp>
#include <tenon/expr/join/pad.hpp>
#include <tenon/expr/reduction/softmax.hpp>
#include <tenon/expr/view/expand.hpp>
#include <tenon/expr/view/flip.hpp>
#include <tenon/expr/view/rename.hpp>
#include <tenon/expr/view/row.hpp>
#include <tenon/expr/view/slice.hpp>
#include <tenon/expr/view/views.hpp>
#include <tenon/expr/view/window.hpp>
