// Gradients by a backend that is not in the library: adjoints in memory that the host cannot read.

#include <doctest/doctest.h>

#include "suite/gradients.hpp"
#include "toy_device.hpp"

using namespace tenon;

TEST_CASE("gradients on a device of one's own are those of reference") {
  suite::expect_as_reference(suite::gradients<Toy>(), suite::expected_gradients());
  suite::expect_as_reference(suite::training<Toy>(), suite::expected_training());
}
