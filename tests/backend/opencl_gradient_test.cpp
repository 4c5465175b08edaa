// Gradients on a device of OpenCL.

#include <doctest/doctest.h>

#include <tenon/tenon.hpp>

#include <tenon/backend/opencl.hpp>

#include "opencl_device.hpp"
#include "suite/gradients.hpp"

namespace opencl_gradient_test {

using namespace tenon;

namespace {}  // namespace

TEST_CASE("gradients on a device of OpenCL, by new kernels and by those that are known") {
  if (!has_device()) return;
  for (int time = 0; time < 2; ++time)
    suite::expect_as_reference(suite::gradients<OpenCl>(), suite::expected_gradients());
}

TEST_CASE("derivatives of derivatives on a device of OpenCL") {
  if (!has_device()) return;
  suite::expect_as_reference(suite::second_derivatives<OpenCl>(),
                             suite::expected_second_derivatives());
}

TEST_CASE("a model is trained on a device of OpenCL as on reference") {
  if (!has_device()) return;
  auto const losses = suite::training<OpenCl>();
  suite::expect_as_reference(losses, suite::expected_training());
  CHECK(losses.all.back().elements[0] < losses.all.front().elements[0]);
}

}  // namespace opencl_gradient_test
