// Reductions of rows by work groups on a CUDA device: a real one, or the fake of `shim/`.

#include <tenon/tenon.hpp>

#include <tenon/backend/codegen/print/gradient_source.hpp>
#include <tenon/backend/cuda.hpp>

#include "columns.hpp"
#include "long_rows.hpp"
#include "shim/cuda_device.hpp"

namespace cuda_rows_test {

using namespace tenon;

namespace {

bool has_device() { return shim::cuda_device() != shim::Device::none; }

}  // namespace

TEST_CASE("rows of any length are reduced by work groups on a CUDA device, long ones in chunks") {
  if (!has_device()) return;
  for (std::int64_t const length : {2, 65, 257, 16411}) long_rows::expect_reductions<Cuda>(length);
  for (std::int64_t const length : {257, 16411}) long_rows::expect_steps<Cuda>(length);
  long_rows::expect_dtypes<Cuda>(1021);
}

TEST_CASE("columns of any length are reduced on a CUDA device, in chunks if they are few") {
  if (!has_device()) return;
  columns::expect_sums<Cuda>({1, 63, 64, 65, 129, 4097, 4200});
}

TEST_CASE("transposes of any sizes are computed in tiles on a CUDA device") {
  if (has_device()) columns::expect_transposes<Cuda>();
}

TEST_CASE("gradients of long rows by work groups on a CUDA device") {
  if (!has_device()) return;
  long_rows::expect_gradients<Cuda>(521);
  long_rows::expect_gradient_of_scalar<Cuda>(16411);
  long_rows::expect_gradients_of_many<Cuda>(4100);
}

TEST_CASE("a work group computes a row if no two work items would add to the same element") {
  auto const x = zeros<Float32<"n k">>(2, 100);
  auto const backward_of = [](std::string const& text) {
    return text.substr(text.find(" pull_0("));
  };
  std::string const apart = backward_of(gradient_source<tenon::dialect::CudaC>(softmax<"k">(x)));
  std::string const meeting =
      backward_of(gradient_source<tenon::dialect::CudaC>(softmax<"k">(x * flip<"k">(x))));
  CHECK(apart.find("member") != apart.npos);
  CHECK(meeting.find("member") == meeting.npos);
}

}  // namespace cuda_rows_test
