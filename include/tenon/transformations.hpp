#pragma once

// Transformations of functions: jvp hvp linearize jacrev jacfwd jacobian hessian vmap custom_jvp
// fixed_point root.

#include <tenon/autodiff/custom_jvp.hpp>
#include <tenon/autodiff/higher_order.hpp>
#include <tenon/autodiff/implicit.hpp>
#include <tenon/autodiff/jacobian.hpp>
#include <tenon/autodiff/linearize.hpp>
#include <tenon/autodiff/vmap.hpp>
#include <tenon/tenon.hpp>
