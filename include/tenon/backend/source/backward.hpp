#pragma once

#include <tenon/backend/source/kernel.hpp>
#include <tenon/backend/source/pull.hpp>

/// Kernels that pass an adjoint back to the leaves of a recipe.
namespace tenon::source {

/// Every leaf's adjoint is asked for.
inline bool every_leaf(TapeMark) { return true; }

/// What a backward kernel is printed with.
struct Backward {
  Functions& functions;
  std::string name;
  Wanted wanted = every_leaf;
};

/// The kernels that pass the adjoint of a settled recipe back to its leaves; none where no leaf
/// asks for it. Of a product those of both factors.
std::vector<Kernel> pulled(Backward const& how, Node e);

/// The same where the recipe reads as `own_product` what kernel `number` computed: `value`.
std::vector<Kernel> pulled(Backward const& how, Node value, int number, Node e);

}  // namespace tenon::source

#if TENON_DEFINES_RUNTIME
#include <tenon/backend/source/backward.ipp>
#endif
