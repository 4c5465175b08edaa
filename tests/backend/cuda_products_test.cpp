// Products on a device of CUDA go to cuBLASLt where they are batches of products of matrices: on a
// real device, or on the fake of `shim/`, which counts them.

#include <doctest/doctest.h>

#include <tenon/tenon.hpp>

#include <tenon/backend/cuda.hpp>
#include <tenon/eval/capture.hpp>

#include "numbers.hpp"
#include "shim/cuda_device.hpp"

using namespace tenon;

namespace {

/// How many products the library was asked for; not known of a real one.
int products() {
  if (shim::cuda_device() != shim::Device::fake) return 0;
  return *shim::fake_function<int*>("fake_products");
}
/// Has it been asked for so many more than before?
bool went_there(int before, int more) {
  return shim::cuda_device() != shim::Device::fake || products() - before == more;
}

template <class X, class Y>
void expect_near(X const& got, Y const& expected, double tolerance) {
  auto const here = to<Cpu>(got);
  REQUIRE(here.size() == expected.size());
  double largest = 1e-30;
  for (std::int64_t i = 0; i < here.size(); ++i)
    largest = std::max(largest, std::abs(double(expected.data()[i])));
  for (std::int64_t i = 0; i < here.size(); ++i) {
    INFO("at " << i);
    CHECK(std::abs(double(here.data()[i]) - double(expected.data()[i])) <= tolerance * largest);
  }
}

/// A product there and here, which asks the library for so many.
template <class F, class A, class B>
void expect_product(int count, F const& f, A const& a, B const& b) {
  if (shim::cuda_device() == shim::Device::none) return;
  auto const x = to<Cuda>(a);
  auto const y = to<Cuda>(b);
  int const before = products();
  auto const there = f(x, y);
  CHECK(went_there(before, count));
  expect_near(there, f(a, b), 1e-5);
}

auto const a = numbers<Tensor<float, "m k">>(1, 5, 7);
auto const b = numbers<Tensor<float, "k n">>(2, 7, 6);
auto const left = numbers<Tensor<float, "z m k">>(3, 4, 5, 7);
auto const right = numbers<Tensor<float, "z k n">>(4, 4, 7, 6);

}  // namespace

TEST_CASE("products by cuBLASLt: operands as they lie, or transposed") {
  expect_product(
      1, [](auto const& x, auto const& y) { return eval(matmul(x, y)); }, a, b);
  expect_product(
      1, [](auto const& x, auto const& y) { return eval(einsum<"m k, k n -> n m">(x, y)); }, a, b);
  Float32<"k m"> const a_turned = transpose<"m k">(a);
  Float32<"n k"> const b_turned = transpose<"k n">(b);
  expect_product(
      1, [](auto const& x, auto const& y) { return eval(einsum<"k m, n k -> m n">(x, y)); },
      a_turned, b_turned);
  expect_product(
      1, [](auto const& x, auto const& y) { return eval(einsum<"m k, n k -> m n">(x, y)); }, a,
      b_turned);
}

TEST_CASE("products by cuBLASLt: batches, also of axes that do not lie side by side") {
  expect_product(
      1, [](auto const& x, auto const& y) { return eval(matmul(x, y)); }, left, right);
  expect_product(
      1, [](auto const& x, auto const& y) { return eval(einsum<"z m k, k n -> z m n">(x, y)); },
      left, b);
  auto const q = numbers<Tensor<float, "b t h d">>(5, 2, 3, 4, 5);
  auto const k = numbers<Tensor<float, "b s h d">>(6, 2, 6, 4, 5);
  expect_product(
      2,
      [](auto const& x, auto const& y) {
        return eval(einsum<"b t h d, b s h d -> b h t s">(x, y));
      },
      q, k);
}

TEST_CASE("products by cuBLASLt: one row, one column, one sum, parts of tensors") {
  auto const row = numbers<Tensor<float, "k">>(7, 7);
  expect_product(
      1, [](auto const& x, auto const& y) { return eval(einsum<"k, k n -> n">(x, y)); }, row, b);
  expect_product(
      1, [](auto const& x, auto const& y) { return eval(einsum<"m k, k -> m">(x, y)); }, a, row);
  expect_product(
      1,
      [](auto const& x, auto const& y) {
        return eval(matmul(slice<"k", 3>(x, 2), slice<"k", 3>(y, 1)));
      },
      a, b);
}

TEST_CASE("gradients of products by cuBLASLt are added to what is there") {
  if (shim::cuda_device() == shim::Device::none) return;
  auto const gradient = [](auto const& x, auto const& y) {
    return grad([&](auto const& both) {
      auto const& [p, q] = both;
      return sum(square(matmul(p, q))) + sum(p * 2.0f) + sum(square(matmul(p, q) * 0.5f));
    })(std::tuple(x, y));
  };
  int const before = products();
  auto const there = gradient(to<Cuda>(left), to<Cuda>(right));
  CHECK((shim::cuda_device() != shim::Device::fake || products() - before >= 6));
  auto const here = gradient(left, right);
  expect_near(std::get<0>(there), std::get<0>(here), 1e-5);
  expect_near(std::get<1>(there), std::get<1>(here), 1e-5);
}

TEST_CASE("products by cuBLASLt: doubles and 16-bit numbers") {
  expect_product(
      1, [](auto const& x, auto const& y) { return eval(matmul(x, y)); }, to<double>(a),
      to<double>(b));
  if (shim::cuda_device() == shim::Device::none) return;
  auto const halves = [&]<class T>(T) {
    auto const x = eval(to<T>(a));
    auto const y = eval(to<T>(b));
    int const before = products();
    auto const there = to<Cpu>(eval(matmul(to<Cuda>(x), to<Cuda>(y))));
    CHECK(went_there(before, 1));
    expect_near(eval(to<float>(there)), eval(to<float>(eval(matmul(x, y)))), 1e-2);
  };
  halves(bfloat16());
  halves(float16());
}

TEST_CASE("a sum over two axes that do not lie side by side is no product of matrices") {
  auto const x = numbers<Tensor<float, "p m q">>(8, 3, 4, 5);
  auto const y = numbers<Tensor<float, "q p n">>(9, 5, 3, 2);
  expect_product(
      0, [](auto const& u, auto const& v) { return eval(einsum<"p m q, q p n -> m n">(u, v)); }, x,
      y);
}

TEST_CASE("a recorded product is asked for again, of other values") {
  if (shim::cuda_device() == shim::Device::none) return;
  auto const f = [](Float32<"m k", Cuda> const& x, Float32<"k n", Cuda> const& y) {
    return eval(matmul(x, y));
  };
  auto step = capture<Cuda>(f);
  for (int round = 0; round < 3; ++round) {
    Float32<"m k"> const x = a + static_cast<float>(round);
    expect_near(step(to<Cuda>(x), to<Cuda>(b)), eval(matmul(x, b)), 1e-5);
  }
}
