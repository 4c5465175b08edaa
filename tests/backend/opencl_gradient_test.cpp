// Gradients on a device of OpenCL are those of the CPU.

#include <doctest/doctest.h>

#include <cmath>

#include <tenon/tenon.hpp>

#include <tenon/backend/opencl.hpp>

#include "numbers.hpp"

using namespace tenon;

namespace {

template <class X, class G>
void expect_same(X const& expected, G const& got) {
  auto const here = to<Cpu>(got);
  REQUIRE(here.size() == expected.size());
  if constexpr (std::is_floating_point_v<typename X::value_type>) {
    double largest = 1e-30;
    for (std::int64_t i = 0; i < here.size(); ++i)
      largest = std::max(largest, std::abs(double(expected.data()[i])));
    for (std::int64_t i = 0; i < here.size(); ++i)
      CHECK(std::abs(double(here.data()[i]) - double(expected.data()[i])) <= 1e-5 * largest);
  }
}

/// The gradient of a scalar function of some tensors, here and there; twice there: what is known
/// already is started for other memory.
template <class F, class... X>
void expect_gradient(F const& f, X const&... x) {
  if (!OpenCl::is_available()) {
    MESSAGE("skipped: there is no device of OpenCL");
    return;
  }
  auto const whole = [&](auto const& all) {
    return std::apply([&](auto const&... leaf) { return f(leaf...); }, all);
  };
  auto const expected = grad(whole)(std::tuple(x...));
  for (int time = 0; time < 2; ++time) {
    auto const got = grad(whole)(std::tuple(to<OpenCl>(x)...));
    [&]<std::size_t... k>(std::index_sequence<k...>) {
      (expect_same(std::get<k>(expected), std::get<k>(got)), ...);
    }(std::index_sequence_for<X...>());
  }
}

auto const x = numbers<Tensor<float, "n k">>(1, 7, 70);
auto const y = numbers<Tensor<float, "n k">>(2, 7, 70);
auto const gain = numbers<Tensor<float, "k">>(3, 70);
auto const bias = numbers<Tensor<float, "k">>(4, 70);

}  // namespace

TEST_CASE("gradients on a device: maps, repeated operands, numbers that change") {
  expect_gradient([](auto const& a, auto const& b) { return sum(tanh(a + b) * a); }, x, bias);
  for (float const factor : {0.5f, 3.0f})
    expect_gradient([&](auto const& a) { return sum(exp(a * factor)) * factor; }, x);
  expect_gradient([](auto const& a, auto const& b) { return sum(a * b); }, x, x);
}

TEST_CASE("gradients on a device: softmax, layer norm, a maximum") {
  expect_gradient([](auto const& a, auto const& b) { return sum(softmax<"k">(a) * b); }, x, y);
  expect_gradient(
      [](auto const& a, auto const& g, auto const& b) {
        auto const scale = rsqrt(var<"k">(a, keep) + 1e-5f);
        return sum(square((a - mean<"k">(a, keep)) * scale * g + b));
      },
      x, gain, bias);
  expect_gradient([](auto const& a) { return sum(max<"k">(a)); }, x);
}

TEST_CASE("gradients on a device: layers, with a product's value in between") {
  auto const w = numbers<Tensor<float, "k m=3">>(5, 70);
  auto const b = numbers<Tensor<float, "m=3">>(6);
  expect_gradient(
      [](auto const& a, auto const& v, auto const& c) {
        auto const hidden = eval(tanh(matmul(a, v) * 0.1f + c));
        return mean(square(matmul(hidden, transpose<"k m">(v)) - a));
      },
      x, w, b);
}

TEST_CASE("gradients on a device: rows of a table, several times each") {
  auto const table = numbers<Tensor<float, "v=9 d">>(7, 5);
  Tensor<std::int32_t, "t"> const ids = to<std::int32_t>(iota<Tensor<float, "t">>(20) * 0.4f);
  expect_gradient([](auto const& all, auto const& at) { return sum(exp(take<"v">(all, at))); },
                  table, ids);
}

TEST_CASE("a gradient moves back with what was moved") {
  if (!OpenCl::is_available()) return;
  auto const there = grad([](auto const& a) {
    auto const squares = to<Cpu>(square(to<OpenCl>(a)));
    return sum(squares * a);
  });
  auto const slope = there(bias);
  expect_same(Float32<"k">(3.0f * square(bias)), slope);
}
