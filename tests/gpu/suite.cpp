// The suite of devices on CUDA, compared with the reference device. Built by scripts/gpu.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <tenon/tenon.hpp>

#include <tenon/backend/cuda.hpp>

#include "../backend/shim/cuda_device.hpp"
#ifdef TENON_SUITE_OF_GRADIENTS
#include "../backend/suite_reference_gradient_test.cpp"
#else
#include "../backend/suite_reference_test.cpp"
#endif

using tenon::Cuda;

namespace {

bool has_device() { return shim::cuda_device() != shim::Device::none; }

}  // namespace

#ifdef TENON_SUITE_OF_GRADIENTS
TEST_CASE("gradients on a CUDA device, by new kernels and by cached ones") {
  REQUIRE(has_device());
  for (int time = 0; time < 2; ++time)
    suite::expect_as_reference(suite::gradients<Cuda>(), suite::expected_gradients());
}
TEST_CASE("second derivatives on a CUDA device") {
  REQUIRE(has_device());
  suite::expect_as_reference(suite::second_derivatives<Cuda>(),
                             suite::expected_second_derivatives());
}
TEST_CASE("a model is trained on a CUDA device as on reference") {
  REQUIRE(has_device());
  suite::expect_as_reference(suite::training<Cuda>(), suite::expected_training());
}
#else
TEST_CASE("values on a CUDA device") {
  REQUIRE(has_device());
  suite::expect_as_reference(suite::forward<Cuda>(), suite::expected_forward());
}
TEST_CASE("each intrinsic on a CUDA device") {
  REQUIRE(has_device());
  suite::expect_as_reference(suite::ops<Cuda>(), suite::expected_ops());
}
TEST_CASE("functions that are not kernels, and random numbers, on a CUDA device") {
  REQUIRE(has_device());
  suite::expect_as_reference(suite::whole_ops<Cuda>(), suite::expected_whole_ops());
}
TEST_CASE("16-bit dtypes have the same bits on a CUDA device; integers and complex numbers") {
  REQUIRE(has_device());
  suite::expect_as_reference(suite::other_dtypes<Cuda>(), suite::expected_other_dtypes());
}
#endif
