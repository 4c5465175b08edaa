#pragma once

#include <tenon/core/mistake.hpp>

/// The error of the interchange with Eigen alone, `tenon/io/eigen.hpp`.
namespace tenon::error {

/// An Eigen object has at most two axes.
template <Spec Operation, Spec Advice, Spec Shape>
struct eigen_has_two_axes;

}  // namespace tenon::error
