// The text that devices compile, on any machine: `kernel_source<Cuda>(…)`.

#include <doctest/doctest.h>

#include <tenon/tenon.hpp>

#include <tenon/backend/codegen/attention/attention_source.hpp>
#include <tenon/backend/codegen/print/device_source.hpp>
#include <tenon/backend/cuda.hpp>
#include <tenon/backend/metal.hpp>
#include <tenon/backend/opencl.hpp>

namespace device_source_test {

using namespace tenon;

namespace {

Float32<"n"> const x{1, 2, 3};

/// The kernels without types, intrinsics and functions.
std::string kernels_of(std::string const& text) {
  return text.substr(
      text.find("kernel_0") == text.npos ? 0 : text.rfind('\n', text.find("kernel_0")) + 1);
}

}  // namespace

TEST_CASE("the text for a CUDA device") {
  CHECK(
      kernels_of(kernel_source<Cuda>(2 * x)) ==
      R"(extern "C" __global__ void kernel_0(f32* __restrict__ out, f32 const* __restrict__ x0, i64 n_n, f32 c0) {
  for (i64 row = (i64)blockIdx.x * blockDim.x + threadIdx.x; row < n_n; row += (i64)gridDim.x * blockDim.x) {
    f32 const v0 = x0[row];
    f32 const v1 = c0 * v0;  // mul "n"
    out[row] = v1;
  }
}

)");
}

TEST_CASE("the text for Metal and OpenCL, from a function and its arguments") {
  auto const twice = [](auto const& v) { return 2 * v; };
  CHECK(kernel_source<Mps>(twice, x).find("thread_position_in_grid") != std::string::npos);
  CHECK(kernel_source<OpenCl>(twice, x).find("__global f32 const* restrict x0") !=
        std::string::npos);
}

TEST_CASE("the text without comments has the same statements") {
  std::string const with = kernel_source<Cuda>(softmax<"n">(x));
  std::string const without = kernel_source<Cuda>(softmax<"n">(x), {.comments = false});
  CHECK(with.find("// exp \"n\"") != std::string::npos);
  CHECK(without.find("//") == std::string::npos);
  CHECK(std::ranges::count(with, ';') == std::ranges::count(without, ';'));
}

TEST_CASE("the text that is not optimised has every operation where the formula has it") {
  auto const count = [](std::string const& text, std::string_view part) {
    int number = 0;
    for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++number;
    return number;
  };
  auto const twice = exp(x) * exp(x);
  CHECK(count(kernel_source<Cuda>(twice), "= exp_f32(") == 1);
  CHECK(count(kernel_source<Cuda>(twice, {.optimise = false}), "= exp_f32(") == 2);
  auto const sums = sum<"n">(x, keep) + sum<"n">(x, keep);
  CHECK(count(kernel_source<dialect::CudaC>(sums), "for (i64 j") == 1);
  CHECK(count(kernel_source<dialect::CudaC>(sums, {.optimise = false}), "for (i64 j") == 2);
  auto const y = zeros<Float32<"n m">>(2, 3);
  CHECK(kernel_source<Cuda>(2 * y).find("x0[row]") != std::string::npos);
  std::string const apart = kernel_source<Cuda>(2 * y, {.optimise = false});
  CHECK(apart.find("row / n_m") != apart.npos);
  CHECK(apart.find("x0[row]") == apart.npos);
}

TEST_CASE("lines of the text begin with their numbers, from 1 on") {
  std::string const text = kernel_source<Mps>(2 * x);
  std::string const numbered = kernel_source<Mps>(2 * x, {.line_numbers = true});
  CHECK(std::ranges::count(numbered, '\n') == std::ranges::count(text, '\n'));
  CHECK(numbered.starts_with(" 1  #include <metal_stdlib>\n 2  #pragma"));
  auto const before = text.substr(0, text.find("kernel void"));
  std::string const line = std::to_string(std::ranges::count(before, '\n') + 1);
  CHECK(numbered.find("\n" + line + "  kernel void kernel_0(") != numbered.npos);
}

TEST_CASE("a number beside a logarithm is compared with 1 on the device") {
  CHECK(kernel_source<Cuda>(log(1 + x)).find(" == 1.0f") != std::string::npos);
}

TEST_CASE("the text for 16-bit expressions computes in float and rounds once") {
  Float16<"n"> const half{float16(1), float16(2)};
  std::string const text = kernel_source<Cuda>(half * half + half);
  CHECK(text.find("u16 const* __restrict__ x0") != std::string::npos);
  CHECK(kernels_of(text).find("f32 const") != std::string::npos);
  CHECK(kernel_source<OpenCl>(sum<"n">(zeros<BFloat16<"n">>(2))).find("kernel_0") !=
        std::string::npos);
  CHECK(!kernel_source<Cuda>(to<float16>(to<double>(x))).empty());
}

TEST_CASE("a matmul is printed as the tiles that a device runs, with its epilogue in the kernel") {
  auto const a = zeros<Float32<"n k">>(256, 128);
  auto const b = zeros<Float32<"k m">>(128, 256);
  std::string const text = kernel_source<Cuda>(relu(matmul(a, b) + 1.0f));
  CHECK(text.find("__shared__ f32") != text.npos);
  CHECK(text.find("__launch_bounds__(256) kernel_0(") != text.npos);
  CHECK(text.find("kernel_1(") == text.npos);
  // An operand is computed when the product is made.
  CHECK(kernel_source<Cuda>(matmul(exp(a), b)).find("__shared__ f32") != text.npos);
}

TEST_CASE("a sum of a long row is printed as the kernels that reduce its chunks and combine them") {
  std::string const text = kernel_source<Cuda>(sum(zeros<Float32<"n">>(1000000)));
  CHECK(text.find("// out: pieces of float32") != text.npos);
  CHECK(text.find("__shared__ f32") != text.npos);
  CHECK(text.find("kernel_1(") != text.npos);
}

TEST_CASE("a sum over the first axis is printed as chunks of columns and their combination") {
  auto const columns = sum<"n">(zeros<Float32<"n m">>(8192, 4096));
  std::string const text = kernel_source<Cuda>(columns, {.comments = false});
  CHECK(kernel_source<Cuda>(columns, {.comments = false}) == text);
  CHECK(
      kernels_of(text) ==
      R"(extern "C" __global__ void kernel_0(f32 const* __restrict__ x0, i64 n_m, i64 pieces, i64 n_n, f32* __restrict__ out) {
  for (i64 row = (i64)blockIdx.x * blockDim.x + threadIdx.x; row < n_m * pieces; row += (i64)gridDim.x * blockDim.x) {
    i64 const piece = row / n_m;
    i64 const v0 = row % n_m;
    i64 const b1 = (n_n + pieces - 1 - piece) / pieces;
    f32 a2 = 0.0f;
    for (i64 b3 = 0; b3 < b1; b3 += 64) {
      i64 const b3_past = b1 - b3 < 64 ? b1 : b3 + 64;
      f32 a4 = 0.0f;
      for (i64 j5 = b3; j5 < b3_past; ++j5) {
        i64 const v6 = j5 * pieces + piece;
        f32 const v7 = x0[v6 * n_m + v0];
        f32 const v8 = a4 + v7;
        a4 = v8;
      }
      f32 const v9 = a2 + a4;
      a2 = v9;
    }
    out[row] = a2;
  }
}

extern "C" __global__ void kernel_1(f32* __restrict__ out, f32 const* __restrict__ x0, i64 n_m, i64 pieces, f32 const* __restrict__ p0) {
  for (i64 row = (i64)blockIdx.x * blockDim.x + threadIdx.x; row < n_m; row += (i64)gridDim.x * blockDim.x) {
    f32 a0 = 0.0f;
    for (i64 j1 = 0; j1 < pieces; ++j1) {
      f32 const v2 = p0[j1 * n_m + row];
      f32 const v3 = a0 + v2;
      a0 = v3;
    }
    out[row] = a0;
  }
}

)");
  // Shorter columns are reduced by one kernel, many chunks are combined by groups.
  CHECK(kernel_source<Cuda>(sum<"n">(zeros<Float32<"n m">>(100, 4096))).find("pieces") ==
        text.npos);
  CHECK(kernel_source<Cuda>(sum<"n">(zeros<Float32<"n m">>(8192, 3))).find("member") != text.npos);
}

TEST_CASE("a transpose is printed in tiles of indices") {
  auto const matrix = zeros<Float32<"n m">>(300, 200);
  CHECK(
      kernels_of(kernel_source<Cuda>(transpose<"m n">(matrix), {.comments = false})) ==
      R"(extern "C" __global__ void kernel_0(f32* __restrict__ out, f32 const* __restrict__ x0, i64 n_n, i64 n_m, i64 n_m_2) {
  i64 const v0 = (n_n + 15) / 16;
  i64 const v1 = (n_m + 63) / 64;
  for (i64 row = (i64)blockIdx.x * blockDim.x + threadIdx.x; row < v1 * v0 * 256; row += (i64)gridDim.x * blockDim.x) {
    i64 const v2 = row / 256;
    i64 const v3 = v2 / v0 % v1 * 64 + row % 256 / 16;
    i64 const v4 = v2 % v0 * 16 + row % 16;
    for (i64 j6 = 0; j6 < 4; ++j6) {
      i64 const v7 = v3 + j6 * 16;
      if (v7 < n_m && v4 < n_n) {
        f32 const v8 = x0[v4 * n_m_2 + v7];
        out[v7 * n_n + v4] = v8;
      }
    }
  }
}

)");
  // A row that is added to all rows is read in order, and so are few elements.
  auto const bias = zeros<Float32<"n">>(300);
  CHECK(kernel_source<Cuda>(matrix + bias).find("/ 64") == std::string::npos);
  CHECK(kernel_source<Cuda>(transpose<"m n">(zeros<Float32<"n m">>(15, 200))).find("/ 64") ==
        std::string::npos);
}

TEST_CASE("the kernel of attention that a device runs is printed for tensors of these sizes") {
  auto const q = zeros<Float32<"batch query head feature">>(2, 100, 4, 16);
  auto const k = zeros<Float32<"batch key head feature">>(2, 100, 4, 16);
  std::string const text = attention_source<Cuda>(q, k);
  CHECK(text.find(" attention(f32* __restrict__ out, f32* __restrict__ log_sums, ") != text.npos);
  CHECK(text.find("__shared__ ") != text.npos);
  CHECK(text.find("0.25") != text.npos);  // the scale of 16 features
  CHECK(attention_source<Cuda>(q, k, false) != text);
}

}  // namespace device_source_test
