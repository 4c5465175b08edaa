// Reductions of rows in lanes and chunks on an OpenCL device.

#include <tenon/tenon.hpp>

#include <tenon/backend/opencl.hpp>

#include "columns.hpp"
#include "long_rows.hpp"

namespace opencl_rows_test {

using namespace tenon;

TEST_CASE("rows of any length are reduced in lanes on an OpenCL device, long ones in chunks") {
  if (!OpenCl::is_available()) return;
  for (std::int64_t const length : {1, 63, 64, 255, 256, 257, 4096, 4099, 40009})
    long_rows::expect_reductions<OpenCl>(length);
  for (std::int64_t const length : {257, 40009}) {
    long_rows::expect_steps<OpenCl>(length);
    long_rows::expect_dtypes<OpenCl>(length);
  }
}

TEST_CASE("columns of any length are reduced on an OpenCL device") {
  if (!OpenCl::is_available()) return;
  columns::expect_sums<OpenCl>({1, 63, 64, 65, 129, 4097});
}

TEST_CASE("gradients of long rows on an OpenCL device") {
  if (!OpenCl::is_available()) return;
  long_rows::expect_gradients<OpenCl>(1021);
}

}  // namespace opencl_rows_test
