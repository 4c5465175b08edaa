// The dialect, the op and the options of docs/kernels.md.

#include <doctest/doctest.h>

#include <array>

#include <tenon/tenon.hpp>

#include <tenon/backend/codegen/c.hpp>

using namespace tenon;

struct OpenClC {
  static constexpr codegen::Dialect text{
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

struct Cubed {
  static constexpr std::string_view name = "cubed";
  template <op::FloatingValue V>
  static constexpr V f(V x) {
    return x * x * x;
  }
};

template <>
inline constexpr auto codegen::op_text<Cubed> =
    std::array{codegen::OpText{&dialect::C::text, "f32",
                               "f32 const square = x * x;\n"
                               "return square * x;"}};

TEST_CASE("an op has a text by hand in one language") {
  Float32<"n"> const x{1, 2, 3};
  CHECK(kernel_source(map<Cubed>(x)).find("return square * x;") != std::string::npos);
  CHECK(kernel_source<OpenClC>(map<Cubed>(x)).find("square") == std::string::npos);
}

TEST_CASE("the text of kernels has options") {
  Float32<"n"> const x{1, 2, 3};
  std::string const plain = kernel_source<dialect::C>(
      softmax<"n">(x), {.optimise = false, .comments = false, .line_numbers = true});
  CHECK(plain.starts_with("  1  #include <math.h>"));
}

TEST_CASE("a kernel is emitted in a user-defined dialect") {
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
