// Gradients on an OpenCL device.

#include <doctest/doctest.h>

#include <tenon/tenon.hpp>

#include <tenon/backend/opencl.hpp>

#include "opencl_device.hpp"
#include "suite/gradients.hpp"

namespace opencl_gradient_test {

using namespace tenon;

namespace {}  // namespace

TEST_CASE("gradients on an OpenCL device, by new kernels and by cached ones") {
  if (!has_device()) return;
  for (int time = 0; time < 2; ++time)
    suite::expect_as_reference(suite::gradients<OpenCl>(), suite::expected_gradients());
}

TEST_CASE("second derivatives on an OpenCL device") {
  if (!has_device()) return;
  suite::expect_as_reference(suite::second_derivatives<OpenCl>(),
                             suite::expected_second_derivatives());
}

TEST_CASE("a model is trained on an OpenCL device as on reference") {
  if (!has_device()) return;
  auto const losses = suite::training<OpenCl>();
  suite::expect_as_reference(losses, suite::expected_training());
  CHECK(losses.all.back().elements[0] < losses.all.front().elements[0]);
}

}  // namespace opencl_gradient_test
