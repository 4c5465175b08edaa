// Which matmuls of expressions are computed by cuBLASLt, with their epilogues and gradients: on a
// real CUDA device, or on the fake of `shim/`, which counts calls. (Matrix layouts are tested in
// `cuda_matrices_test.cpp`.)

#include <doctest/doctest.h>

#include <tenon/tenon.hpp>

#include <tenon/backend/cuda.hpp>

#include "near.hpp"
#include "numbers.hpp"
#include "shim/cuda_device.hpp"

namespace cuda_products_test {

using namespace tenon;
using namespace tenon::internal;

namespace {

bool has_device() { return shim::cuda_device() != shim::Device::none; }

auto const a = numbers<Tensor<float, "m k">>(1, 5, 7);
auto const b = numbers<Tensor<float, "k n">>(2, 7, 6);
auto const c = numbers<Tensor<float, "n">>(3, 6);

/// The matmul of `a` and `b`, with the epilogue `end` of each element and its column.
template <class F>
Float32<"m n"> expected(F const& end) {
  Float32<"m n"> result = zeros<Float32<"m n">>(5, 6);
  result.set_elements([&](float* to) {
    for (std::int64_t i = 0; i < 5; ++i)
      for (std::int64_t j = 0; j < 6; ++j) {
        double sum = 0;
        for (std::int64_t p = 0; p < 7; ++p)
          sum += double(a.data()[i * 7 + p]) * double(b.data()[p * 6 + j]);
        to[i * 6 + j] = end(static_cast<float>(sum), j);
      }
  });
  return result;
}
float gelu_of(float x) {
  return 0.5f * x * (1 + std::tanh(0.79788456f * (x + 0.044715f * x * x * x)));
}

}  // namespace

TEST_CASE("a bias is fused into a matmul: no kernel is launched") {
  if (!has_device()) return;
  auto const x = to<Cuda>(a);
  auto const y = to<Cuda>(b);
  auto const bias = to<Cuda>(c);
  auto const sum = expected([&](float s, std::int64_t j) { return s + c.data()[j]; });
  auto before = shim::counts();
  auto const first = eval(matmul(x, y) + bias);
  auto const second = eval(bias + matmul(x, y));
  CHECK(shim::was_asked(before, 2, 0));
  expect_near(first, sum, 1e-5);
  expect_near(second, sum, 1e-5);
}

TEST_CASE("gelu_tanh after a matmul is a kernel, or an epilogue where that is allowed") {
  if (!has_device()) return;
  auto const x = to<Cuda>(a * 0.25f);
  auto const y = to<Cuda>(b);
  auto const bias = to<Cuda>(c);
  auto const active =
      expected([&](float s, std::int64_t j) { return gelu_of(0.25f * s + c.data()[j]); });
  auto const f = [&] { return eval(gelu_tanh(matmul(x, y) + bias)); };
  auto before = shim::counts();
  expect_near(f(), active, 1e-4);
  CHECK(shim::was_asked(before, 1, 1));
  tenon::cuda::MathMode const mode({.gelu_tanh = true});
  before = shim::counts();
  expect_near(f(), active, 1e-4);
  CHECK(shim::was_asked(before, 1, 0));
  CHECK((shim::cuda_device() != shim::Device::fake || shim::counts().epilogue == 36));
}

TEST_CASE("batch axes that are not contiguous are several matmuls") {
  if (!has_device()) return;
  auto const q = numbers<Tensor<float, "b t h d">>(5, 2, 3, 4, 5);
  auto const before = shim::counts();
  auto const there = eval(einsum<"b t h d, b s h d -> b h t s">(to<Cuda>(q), to<Cuda>(q)));
  CHECK(shim::was_asked(before, 2, 0));
  auto const here = to<Cpu>(there);
  auto const place = [](std::int64_t i, std::int64_t t, std::int64_t h) {
    return ((i * 3 + t) * 4 + h) * 5;
  };
  for (std::int64_t i = 0; i < 2; ++i)
    for (std::int64_t h = 0; h < 4; ++h)
      for (std::int64_t s = 0; s < 9; ++s) {
        double sum = 0;
        for (std::int64_t d = 0; d < 5; ++d)
          sum +=
              double(q.data()[place(i, s / 3, h) + d]) * double(q.data()[place(i, s % 3, h) + d]);
        CHECK(double(here.data()[(i * 4 + h) * 9 + s]) == doctest::Approx(sum).epsilon(1e-5));
      }
}

/// The adjoints of x, y and the bias for a given adjoint of x y + bias, which is a row of numbers
/// for each m.
template <class T>
auto gradient_of() {
  using Sum = Tensor<T, "m n", Cuda>;
  auto const f = [](auto const& leaves) -> Sum {
    auto const& [x, y, bias] = leaves;
    return matmul(x, y) + bias;
  };
  std::tuple const all(to<Cuda>(to<T>(a)), to<Cuda>(to<T>(b)), to<Cuda>(to<T>(c)));
  auto [value, backward] = vjp(f, all);
  return backward(
      to<Cuda>(eval(to<T>(expected([](float, std::int64_t j) { return float(j) - 2.5f; })))));
}

/// The numbers have few significant bits, so only sums are rounded.
template <class G>
void expect_gradient(G const& gradient, double tolerance) {
  auto const of_x = to<Cpu>(std::get<0>(gradient));
  for (std::int64_t i = 0; i < of_x.size(); ++i) {
    double sum = 0;
    for (std::int64_t j = 0; j < 6; ++j)
      sum +=
          double(typename decltype(of_x)::value_type(b.data()[i % 7 * 6 + j])) * (double(j) - 2.5);
    CHECK(double(of_x.data()[i]) == doctest::Approx(sum).epsilon(tolerance));
  }
  auto const of_bias = to<Cpu>(std::get<2>(gradient));
  for (std::int64_t j = 0; j < 6; ++j)
    CHECK(double(of_bias.data()[j]) == doctest::Approx(5 * (double(j) - 2.5)));
  auto const of_y = to<Cpu>(std::get<1>(gradient));
  for (std::int64_t p = 0; p < of_y.size(); ++p) {
    double sum = 0;
    for (std::int64_t i = 0; i < 5; ++i)
      sum += double(typename decltype(of_y)::value_type(a.data()[i * 7 + p / 6]));
    CHECK(double(of_y.data()[p]) ==
          doctest::Approx(sum * (double(p % 6) - 2.5)).epsilon(tolerance));
  }
}

TEST_CASE("gradients of a matmul with its bias: three matmuls, and two kernels for the bias") {
  if (!has_device()) return;
  auto const before = shim::counts();
  expect_gradient(gradient_of<float>(), 1e-5);
  CHECK(shim::was_asked(before, 3, 2));
}

TEST_CASE(
    "adjoints of 16-bit factors are computed by cuBLASLt: split, widened, or rounded where "
    "allowed") {
  if (!has_device()) return;
  // Kernels: the adjoint as floats, two for the bias, the rounding of three gradients;
  auto before = shim::counts();
  expect_gradient(gradient_of<bfloat16>(), 1e-2);
  CHECK(shim::was_asked(before, 1 + 2 * tenon::internal::codegen::split_parts,
                        6 + 1));  // and the split,
  before = shim::counts();
  expect_gradient(gradient_of<float16>(), 1e-2);
  CHECK(shim::was_asked(before, 3, 6 + 2));  // or the widening of each factor,
  tenon::cuda::MathMode const mode({.rounded_adjoints = true});
  before = shim::counts();
  expect_gradient(gradient_of<bfloat16>(), 1e-2);
  CHECK(shim::was_asked(before, 3, 6 + 1));  // or the rounding of the adjoint.
}

TEST_CASE("the bfloat16 parts of floats sum to them") {
  if (!has_device()) return;
  float const infinity = std::numeric_limits<float>::infinity();
  std::vector<float> const all{0, 1, -3.14159274f, 1e-20f, 3e38f, 0.1f, infinity, 16777215};
  Float32<"n"> const numbers(std::span<float const>(all), std::int64_t(all.size()));
  auto const there = to<Cuda>(numbers);
  SharedBuffer const parts = tenon::internal::codegen::split<Cuda>(there.data(), there.size());
  std::vector<bfloat16> here(3 * all.size());
  Cuda::copy_to_host(here.data(), parts.data(), parts.bytes());
  for (std::size_t i = 0; i < all.size(); ++i) {
    float const sum =
        float(here[i]) + float(here[i + all.size()]) + float(here[i + 2 * all.size()]);
    CHECK(sum == all[i]);
  }
}

}  // namespace cuda_products_test
