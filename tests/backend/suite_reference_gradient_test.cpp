// The gradients of the suite on reference, computed once for all devices; and a user-defined
// backend with adjoints in memory that the host cannot read. (It delegates to reference; in one
// file, the code of both is compiled once.)

#include <doctest/doctest.h>

#include "suite/gradients.hpp"
#include "toy_device.hpp"

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

TEST_CASE("gradients on a user-defined device agree with reference") {
  suite::expect_as_reference(suite::gradients<Toy>(), suite::expected_gradients());
  suite::expect_as_reference(suite::training<Toy>(), suite::expected_training());
}
