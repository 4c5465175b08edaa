#pragma once

// Indexing: scatter_add index_add index_put segment_sum masked_select nonzero, take with modes,
// tile repeat_interleave block meshgrid rot90 tril_indices triu_indices.

#include <tenon/numeric/indexing.hpp>
#include <tenon/numeric/repetition.hpp>
#include <tenon/tenon.hpp>
