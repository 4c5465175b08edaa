// The words of OpenCL's C, of which all ops are made.

#include <doctest/doctest.h>

#include <tenon/tenon.hpp>

#include <tenon/backend/opencl.hpp>

#include "suite/forward.hpp"

namespace opencl_intrinsics_test {

using namespace tenon;

TEST_CASE("ops of each word of OpenCL's C give what reference gives, at the edges too") {
  if (!OpenCl::is_available()) return;
  suite::expect_as_reference(suite::ops<OpenCl>(), suite::expected_ops());
}

}  // namespace opencl_intrinsics_test
