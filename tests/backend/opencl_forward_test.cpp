// The same formulas on a device of OpenCL.

#include <doctest/doctest.h>

#include <tenon/tenon.hpp>

#include <tenon/backend/opencl.hpp>

#include "suite/forward.hpp"

namespace opencl_forward_test {

using namespace tenon;

TEST_CASE("a device of OpenCL gives what reference gives") {
  if (!OpenCl::is_available()) return;
  suite::expect_as_reference(suite::forward<OpenCl>(), suite::expected_forward());
}

}  // namespace opencl_forward_test
