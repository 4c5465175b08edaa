#pragma once

#include <tenon/core/mistake.hpp>

/// The errors of the interchange with Eigen, `tenon/io/eigen.hpp`.
namespace tenon::error {

/// The operation, and what to do instead: the elements are not computed yet, or are not in memory
/// with strides.
template <Spec Operation, Spec Advice>
struct expression_has_no_elements;

/// The operation, and what to do instead: the elements would be freed with the temporary.
template <Spec Operation, Spec Advice>
struct temporary_has_no_lasting_elements;

/// The type of the elements of an Eigen object is no dtype.
template <Spec Operation, class Scalar>
struct scalar_is_no_dtype;

/// An Eigen object has at most two axes.
template <Spec Operation, Spec Advice, Spec Shape>
struct eigen_has_two_axes;

/// The operation, and what to do instead: it writes the elements.
template <Spec Operation, Spec Advice>
struct elements_are_constant;

/// Eigen reads the memory of the host.
template <Spec Operation, Spec Advice, Spec Device>
struct elements_are_on_a_device;

}  // namespace tenon::error
