// Folds of rows by groups of work items, on a device of CUDA: a real one, or the fake of `shim/`.

#include <tenon/tenon.hpp>

#include <tenon/backend/cuda.hpp>

#include "long_rows.hpp"
#include "shim/cuda_device.hpp"

using namespace tenon;

namespace {

bool has_device() { return shim::cuda_device() != shim::Device::none; }

}  // namespace

TEST_CASE("rows of any length are folded by groups on a device of CUDA, long ones in pieces") {
  if (!has_device()) return;
  for (std::int64_t const length : {2, 65, 257, 16411}) long_rows::expect_folds<Cuda>(length);
  for (std::int64_t const length : {257, 16411}) long_rows::expect_steps<Cuda>(length);
  long_rows::expect_dtypes<Cuda>(1021);
}

TEST_CASE("gradients of long rows by groups, on a device of CUDA") {
  if (!has_device()) return;
  long_rows::expect_gradients<Cuda>(521);
}
