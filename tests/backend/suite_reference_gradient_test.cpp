// What reference gives for the gradients of the suite, computed once for all devices.

#include "suite/gradients.hpp"

suite::Values const& suite::expected_gradients() {
  static Values const values = gradients<Reference>();
  return values;
}
suite::Values const& suite::expected_second_derivatives() {
  static Values const values = second_derivatives<Reference>();
  return values;
}
suite::Values const& suite::expected_training() {
  static Values const values = training<Reference>();
  return values;
}
