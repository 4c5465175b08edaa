// Every planned kernel is emitted as C, as CUDA C and for Metal, from the same bodies, and agrees
// with `reference`.

#include <tenon/backend/cuda.hpp>

#include "cuda_text.hpp"
#include "expressions.hpp"
#include "source_cases.hpp"

namespace source_test {

using namespace tenon;
using namespace tenon::internal;
using source_cases::Cases;

namespace {

void add_all(Cases& cases, recipes::Inputs<Cpu> const& inputs) {
  recipes::add_all(cases, inputs);
  recipes::add_ops<float, Cpu>(cases, op::Joined<op::Unary, op::Predicates, op::Binary>{});
  recipes::add_ops<double, Cpu>(cases, op::List<op::Gelu, op::Sin, op::Pow>{});
  cases.add("16-bit dtypes are read, rounded and stored by their bits", 0,
            rounded(to<float>(to<float16>(inputs.x) * to<float16>(inputs.y * 1e-5f)) +
                    to<float>(to<bfloat16>(inputs.x))));
  cases.add("log(1 + x) and log(c + x)", 0, log(1 + inputs.y * 1e-6f) + log(inputs.y + 0.25f));
  cases.add("exp(x) - 1 and exp(x) - c", 1e-5,
            (exp(inputs.x * 1e-6f) - 1) * (exp(inputs.x) - 0.5f));
  auto const part = view<Float32<"r=4 c=3">>(inputs.small.data(), ViewStrides(5, 2));
  cases.add("a view", 0, part * 2.0f);
}

}  // namespace

TEST_CASE("every planned kernel emitted as C, optimised or not, agrees with reference") {
  for (bool const is_optimised : {true, false}) {
    Cases cases(tenon::dialect::C::text, is_optimised);
    recipes::Inputs<Cpu> const inputs;
    add_all(cases, inputs);
    Folder folder;
    void* const library = source_cases::compiled(cases.text(), folder);
    if (library == nullptr) {
      MESSAGE("skipped: there is no C compiler `cc`");
      return;
    }
    cases.run(library);
    dlclose(library);
  }
}

TEST_CASE("every planned kernel emitted as CUDA C compiles and agrees with reference") {
  if (!cuda_text::is_tested) return;
  Cases cases(tenon::dialect::CudaC::text);
  recipes::Inputs<Cpu> const inputs;
  add_all(cases, inputs);
  cuda_text::expect_compiles(cases.kernels_text());
  cuda_text::Library const library(cases.kernels_text());
  cases.run([&](auto const& kernel, auto const& arguments) { library.run(kernel, arguments); });
}

TEST_CASE("for an architecture unknown to NVRTC, the assembly of the newest known one is used") {
  if (!cuda_text::is_tested || !tenon::internal::cuda::Compiler::instance().is_there()) return;
  std::string const text = "extern \"C\" __global__ void one(float* x) { x[0] = 1.0f; }";
  std::string const known = std::to_string(tenon::internal::cuda::known_architecture(9999));
  CHECK(tenon::internal::cuda::compiled("one", text, 9999).find(".target sm_" + known) !=
        std::string::npos);
  CHECK(tenon::internal::cuda::compiled("one", text, 90).substr(1, 3) == "ELF");
}

TEST_CASE("without a CUDA driver there is no device, and the error is one line") {
  if (Cuda::is_available()) return;
  CHECK_THROWS_WITH_AS(Cuda::model(),
                       doctest::Contains("tenon::cuda: expected a device of CUDA, got "),
                       DeviceError);
  CHECK_THROWS_AS((ones<Float32<"n", Cuda>>(3)), DeviceError);
}

TEST_CASE("a kernel in CUDA C") {
  auto const x = zeros<Float32<"n k=8">>(3);
  auto const bias = zeros<Float32<"k=8">>();
  std::string const text = kernel_source<tenon::dialect::CudaC>(relu(x * 2.0f + bias));
  CHECK(text.substr(text.find("// out")) == R"(// out: float32 "n k=8"
// x0: float32 "n k=8"
// x1: float32 "k=8"
extern "C" __global__ void kernel_0(f32* __restrict__ out, f32 const* __restrict__ x0, f32 const* __restrict__ x1, i64 n_n) {
  for (i64 row = (i64)blockIdx.x * blockDim.x + threadIdx.x; row < n_n * 8; row += (i64)gridDim.x * blockDim.x) {
    f32 const v0 = x0[row];
    f32 const v1 = v0 * 2.0f;  // mul "n k=8"
    i64 const v2 = row % 8;
    f32 const v3 = x1[v2];
    f32 const v4 = v1 + v3;  // add "n k=8"
    mask const v5 = v4 <= 0.0f;
    f32 const v6 = v5 ? 0.0f : v4;  // relu "n k=8"
    out[row] = v6;
  }
}

)");
}

TEST_CASE("every planned kernel emitted for Metal compiles and agrees with reference") {
  if (!cuda_text::is_tested) return;
  Cases cases(tenon::dialect::MetalC::text);
  recipes::Inputs<Cpu> const inputs;
  add_all(cases, inputs);
  metal_text::expect_compiles(cases.kernels_text());
  metal_text::Library const library(cases.kernels_text());
  cases.run([&](auto const& kernel, auto const& arguments) { library.run(kernel, arguments); });
}

TEST_CASE("a kernel in Metal") {
  auto const x = zeros<Float32<"n">>(3);
  std::string const text = kernel_source<tenon::dialect::MetalC>(x * 2.0f);
  CHECK(text.find(R"(
kernel void kernel_0(device f32* out [[buffer(0)]], device f32 const* x0 [[buffer(1)]], constant i64& n_n [[buffer(2)]], u32 item_place [[thread_position_in_grid]], u32 item_count [[threads_per_grid]]) {
  for (i64 row = item_place; row < n_n; row += item_count) {
    f32 const v0 = x0[row];
    f32 const v1 = v0 * 2.0f;  // mul "n"
    out[row] = v1;
  }
}
)") != text.npos);
}

}  // namespace source_test
