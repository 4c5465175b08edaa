// What is no kernel, or in other dtypes than C has, on a device of OpenCL.

#include <doctest/doctest.h>

#include <tenon/tenon.hpp>

#include <tenon/backend/opencl.hpp>

#include "suite/whole_ops.hpp"

namespace opencl_ops_test {

using namespace tenon;

TEST_CASE("functions on a device of OpenCL that are no kernels, and random numbers") {
  if (!OpenCl::is_available()) return;
  suite::expect_as_reference(suite::whole_ops<OpenCl>(), suite::expected_whole_ops());
}

TEST_CASE("16-bit dtypes have the same bits on a device of OpenCL; complex numbers are there") {
  if (!OpenCl::is_available()) return;
  suite::expect_as_reference(suite::other_dtypes<OpenCl>(), suite::expected_other_dtypes());
}

}  // namespace opencl_ops_test
