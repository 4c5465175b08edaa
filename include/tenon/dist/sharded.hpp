#pragma once

// Tensors sharded over a mesh of ranks, and functions of them: the part that needs no MPI.
// Communication is in reshard.hpp and reduce_shards.hpp.
#include <tenon/dist/sharded_eval.hpp>
#include <tenon/dist/sharded_fold.hpp>
#include <tenon/dist/sharded_map.hpp>
#include <tenon/dist/sharded_moves.hpp>
#include <tenon/dist/sharded_product.hpp>
#include <tenon/dist/sharded_rearrange.hpp>
#include <tenon/dist/sharded_rows.hpp>
#include <tenon/dist/sharded_unknown.hpp>
