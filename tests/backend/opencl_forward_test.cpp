// The suite's formulas on an OpenCL device.

#include <doctest/doctest.h>

#include <tenon/tenon.hpp>

#include <tenon/backend/opencl.hpp>

#include "suite/forward.hpp"

namespace opencl_forward_test {

using namespace tenon;

TEST_CASE("an OpenCL device agrees with reference") {
  if (!OpenCl::is_available()) return;
  suite::expect_as_reference(suite::forward<OpenCl>(), suite::expected_forward());
}

}  // namespace opencl_forward_test
