// The dialect that docs/kernels.md adds.

#include <doctest/doctest.h>

#include <tenon/tenon.hpp>

#include <tenon/backend/codegen/c.hpp>

using namespace tenon;

struct OpenClC {
  static constexpr source::Dialect text{
      .name = "OpenCL C",
      .prelude =
          "typedef float f32;\ntypedef long i64;\ntypedef uchar mask;\n"
          "#define fma_f32 fma\n#define bits_f32 as_uint\n",  // and the other intrinsics
      .function = "inline $0 $1($2)",
      .parameter = "$0 $1",
      .table = "__constant u64 $0[$1] = {$2};",
      .kernel = "__kernel void $0($1)",
      .result = "__global $0* restrict $1",
      .operand = "__global $0 const* restrict $1",
      .size = "$0 $1",
      .rows = "for (i64 row = get_global_id(0); row < $0; row += get_global_size(0))"};
};

TEST_CASE("a kernel is printed in a dialect of a user's own") {
  Float32<"n"> const x{1, 2, 3};
  std::string const text = kernel_source<OpenClC>(2 * x);
  CHECK(
      text.find(
          R"(__kernel void kernel_0(__global f32* restrict out, __global f32 const* restrict x0, i64 n_n) {
  for (i64 row = get_global_id(0); row < n_n; row += get_global_size(0)) {
    f32 const v0 = x0[row];
    f32 const v1 = 2.0f * v0;  // mul "n"
    out[row] = v1;
  }
})") != std::string::npos);
}
