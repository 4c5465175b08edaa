#include <doctest/doctest.h>

#include <tenon/tenon.hpp>

namespace fusion_test {

using namespace tenon;

namespace {

template <class F>
std::int64_t kernels(F const& f) {
  std::int64_t const before = kernels_run;
  f();
  return kernels_run - before;
}

/// Distinct numbers.
template <TensorType E>
E some(auto... sizes) {
  E x = zeros<E>(sizes...);
  for (std::int64_t i = 0; i < x.size(); ++i)
    x.own_memory()[i] = static_cast<float>((i * 37 % 101) - 50) / 25.0f;
  return x;
}

using Rows = Float32<"batch hidden=24">;
using Weights = Float32<"hidden=24 out=40">;
using Outputs = Float32<"batch out=40">;

struct Data {
  Rows x = some<Rows>(9);
  Weights w = some<Weights>();
  Float32<"out=40"> bias = some<Float32<"out=40">>();
  Outputs residual = some<Outputs>(9);
  Int32<"batch"> labels = iota<Int32<"batch">>(9);
};

}  // namespace

TEST_CASE("a * b + c is one kernel") {
  Data d;
  CHECK(kernels([&] { Rows y = d.x * d.x + d.x; }) == 1);
}

TEST_CASE("softmax, log_softmax and logsumexp are one kernel each") {
  Data d;
  CHECK(kernels([&] { Rows y = softmax<"hidden">(d.x); }) == 1);
  CHECK(kernels([&] { Rows y = log_softmax<"hidden">(d.x); }) == 1);
  CHECK(kernels([&] { Float32<"batch"> y = logsumexp<"hidden">(d.x); }) == 1);
}

TEST_CASE("layer norm written as a formula is one kernel") {
  Data d;
  Float32<"hidden=24"> const gamma = some<Float32<"hidden=24">>(), beta = gamma;
  CHECK(kernels([&] {
          auto const centred = d.x - mean<"hidden">(d.x, keep);
          Rows y = centred * rsqrt(var<"hidden">(d.x, keep) + 1e-5f) * gamma + beta;
        }) == 1);
}

TEST_CASE("bias and activation are fused into a matmul") {
  Data d;
  CHECK(kernels([&] { Outputs y = relu(matmul(d.x, d.w) + d.bias); }) == 1);
}

TEST_CASE("bias, activation and residual are fused into a matmul") {
  Data d;
  CHECK(kernels([&] { Outputs y = gelu(matmul(d.x, d.w) + d.bias) + d.residual; }) == 1);
}

TEST_CASE("the cross-entropy of rows, written as a formula, is one kernel") {
  Data d;
  CHECK(kernels([&] {
          Float32<"batch"> y = logsumexp<"hidden">(d.x) - pick<"hidden">(d.x, d.labels);
        }) == 1);
  CHECK(kernels([&] {
          Float32<"batch"> y = -pick<"hidden">(d.x, d.labels) + logsumexp<"hidden">(d.x);
        }) == 1);
}

TEST_CASE("a mask and where are fused into the kernel") {
  Data d;
  CHECK(kernels([&] { Rows y = softmax<"hidden">(where(d.x > 0.0f, d.x, -1e9f)); }) == 1);
}

TEST_CASE("a transposed operand is a flag of the matmul, not a kernel") {
  Data d;
  CHECK(kernels([&] { Outputs y = matmul(transpose(eval(transpose(d.x))), d.w); }) == 2);
  auto const turned = eval(transpose(d.w));
  CHECK(kernels([&] { Outputs y = matmul(d.x, transpose(turned)); }) == 1);
}

TEST_CASE("a gather with the elementwise maps around it is one kernel") {
  auto const table = some<Float32<"vocab embed=8">>(11);
  Int32<"t"> const ids{3, 0, 10, 3};
  Float32<"t embed=8"> const positions = some<Float32<"t embed=8">>(4);
  CHECK(kernels([&] { Float32<"t embed=8"> y = take<"vocab">(table, ids) + positions; }) == 1);
}

TEST_CASE("a named matmul is evaluated once, however often it is used") {
  Data d;
  CHECK(kernels([&] {
          auto const product = matmul(d.x, d.w);
          Outputs once = product, again = product;
          Outputs more = product + d.bias;
        }) == 2);
  CHECK(kernels([&] {
          auto const scores = matmul(d.x, d.w) * 0.5f;
          Outputs y = softmax<"out">(scores);
        }) == 2);
  CHECK(kernels([&] {
          auto const product = matmul(d.x, d.w);
          float const sum = product(0, 0) + product(1, 1) + product(2, 2);
          CHECK(sum == sum);
        }) == 1);
}

TEST_CASE("reading an element of an elementwise expression computes that element only") {
  Data d;
  auto const y = exp(d.x) + 1.0f;
  CHECK(kernels([&] { CHECK(y(0, 0) == doctest::Approx(std::exp(d.x(0, 0)) + 1.0f)); }) == 0);
}

TEST_CASE("an expression is lazy; it can be returned and outlives its operands") {
  auto const make = [](float scale) {
    auto const x = some<Rows>(3);
    auto const w = some<Weights>();
    auto const local = x * scale;
    return matmul(local, w) + exp(local * 0.0f)(0, 0);
  };
  auto const kept = make(2.0f);
  auto const x = some<Rows>(3);
  Outputs const expected = matmul(x * 2.0f, some<Weights>()) + 1.0f;
  Outputs const got = kept;
  for (std::int64_t i = 0; i < got.size(); ++i) CHECK(got.data()[i] == expected.data()[i]);
}

}  // namespace fusion_test
