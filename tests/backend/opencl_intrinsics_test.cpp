// The intrinsics of OpenCL C, of which all ops consist.

#include <doctest/doctest.h>

#include <tenon/tenon.hpp>

#include <tenon/backend/opencl.hpp>

#include "suite/forward.hpp"

namespace opencl_intrinsics_test {

using namespace tenon;

TEST_CASE("ops of each intrinsic of OpenCL C agree with reference, also at the limits") {
  if (!OpenCl::is_available()) return;
  suite::expect_as_reference(suite::ops<OpenCl>(), suite::expected_ops());
}

}  // namespace opencl_intrinsics_test
