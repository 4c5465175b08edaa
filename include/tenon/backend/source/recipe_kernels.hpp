#pragma once

#include <tenon/backend/source/backward.hpp>
#include <tenon/backend/source/pieces.hpp>
#include <tenon/backend/source/tiled.hpp>
#include <tenon/eval/access.hpp>

/// The kernels that a device runs for a recipe.
namespace tenon::source {

/// The kernel of a recipe whose result lies row-major, or as `part` says, after those that fold
/// pieces of long rows.
std::vector<Kernel> kernels_of(Functions& functions, Node e, MemoryAccess const* part,
                               int row_axes);

/// The kernel of a product in tiles that goes on to compute the recipe that reads it.
std::vector<Kernel> kernels_of(Functions& functions, Node product, ProductValue own, Node e);

}  // namespace tenon::source

#if TENON_DEFINES_RUNTIME
#include <tenon/backend/source/recipe_kernels.ipp>
#endif
