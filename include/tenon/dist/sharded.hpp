#pragma once

// Tensors divided over a mesh of ranks, and Tenon's functions of them: all that types say, without
// MPI. reshard.hpp and reduce_shards.hpp are what moves them.
#include <tenon/dist/sharded_eval.hpp>
#include <tenon/dist/sharded_fold.hpp>
#include <tenon/dist/sharded_map.hpp>
#include <tenon/dist/sharded_moves.hpp>
#include <tenon/dist/sharded_product.hpp>
#include <tenon/dist/sharded_rearrange.hpp>
#include <tenon/dist/sharded_rows.hpp>
#include <tenon/dist/sharded_unknown.hpp>
