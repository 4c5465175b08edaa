// Operations that are not kernels, and dtypes that C does not have, on an OpenCL device.

#include <doctest/doctest.h>

#include <tenon/tenon.hpp>

#include <tenon/backend/opencl.hpp>

#include "suite/whole_ops.hpp"

namespace opencl_ops_test {

using namespace tenon;

TEST_CASE("functions on an OpenCL device that are not kernels, and random numbers") {
  if (!OpenCl::is_available()) return;
  suite::expect_as_reference(suite::whole_ops<OpenCl>(), suite::expected_whole_ops());
}

TEST_CASE("16-bit dtypes have the same bits on an OpenCL device; complex dtypes are supported") {
  if (!OpenCl::is_available()) return;
  suite::expect_as_reference(suite::other_dtypes<OpenCl>(), suite::expected_other_dtypes());
}

}  // namespace opencl_ops_test
