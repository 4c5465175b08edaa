// Tiled matmuls, by one work item per work group (on a processor) and by many: forward with
// epilogues, and backward.

#include <doctest/doctest.h>

#include <cmath>
#include <span>

#include <tenon/tenon.hpp>

#include <tenon/backend/opencl.hpp>

#include "numbers.hpp"

namespace opencl_tiles_test {

using namespace tenon;

namespace {

/// The same device, with kernels optionally emitted as for a device that is not a processor.
/// (Kernels are cached per expression and sizes, so each way of emitting has its own sizes.)
struct Choosing : OpenCl {
  static constexpr std::string_view name = "choosing";
  static inline bool is_crowd = false;
  static bool loops_along_axis() { return !is_crowd && OpenCl::loops_along_axis(); }
};

}  // namespace
}  // namespace opencl_tiles_test

template <>
struct tenon::BackendFor<opencl_tiles_test::Choosing> {
  using type = tenon::codegen::SourceBackend<opencl_tiles_test::Choosing, tenon::dialect::OpenClC>;
};

namespace opencl_tiles_test {
namespace {

/// The value and the gradients of a function of tensors on a device.
template <class D, class F, class... X>
auto on(D, F const& f, X const&... x) {
  auto const loss = [&](auto const& all) {
    return std::apply([&](auto const&... leaf) { return sum(square(f(leaf...))); }, all);
  };
  auto const here = std::tuple(to<D>(x)...);
  auto const y = to<Cpu>(eval(std::apply(f, here)));
  return std::apply([&](auto const&... own) { return std::tuple(y, to<Cpu>(own)...); },
                    grad(loss)(here));
}

template <class X>
std::span<float const> elements(X const& x) {
  return {x.data(), static_cast<std::size_t>(x.size())};
}

/// Checks that no difference exceeds a fraction of the largest element.
void expect_near(std::span<float const> got, std::span<float const> expected) {
  REQUIRE(got.size() == expected.size());
  float difference = 0, largest = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    float const own = std::abs(got[i] - expected[i]);
    if (!(own <= difference)) difference = own;  // NaN is kept
    largest = std::max(largest, std::abs(expected[i]));
  }
  CHECK(difference <= 2e-5f * largest);
}

template <class F, class... X>
void expect_same(F const& f, X const&... x) {
  if (!OpenCl::is_available()) {
    MESSAGE("skipped: there is no OpenCL device");
    return;
  }
  auto const expected = on(Cpu(), f, x...), got = on(Choosing(), f, x...);
  [&]<std::size_t... k>(std::index_sequence<k...>) {
    (expect_near(elements(std::get<k>(got)), elements(std::get<k>(expected))), ...);
  }(std::make_index_sequence<sizeof...(X) + 1>());
}

/// Calls `expect(more)` for a processor, and for other devices with sizes that are larger by
/// `more`.
template <class F>
void in_both_ways(F const& expect) {
  for (bool const is_crowd : {false, true}) {
    INFO("as a crowd: " << is_crowd);
    Choosing::is_crowd = is_crowd;
    expect(is_crowd ? 1 : 0);
  }
}

auto const layer = [](auto const& a, auto const& w, auto const& b) {
  return tanh(matmul(a, w) * 0.1f + b);
};

}  // namespace

TEST_CASE("tiled matmuls: remainders, bias and activation") {
  in_both_ways([](int more) {
    for (auto const& [n, k, m] : {std::tuple(37, 70, 150), std::tuple(130, 9, 33)}) {
      auto const a = numbers<Tensor<float, "n k">>(1, n + more, k);
      auto const w = numbers<Tensor<float, "k m">>(2, k, m);
      auto const b = numbers<Tensor<float, "m">>(3, m);
      expect_same(layer, a, w, b);
    }
  });
}

TEST_CASE("tiled matmuls: transposed operands, batches, several contracted axes") {
  in_both_ways([](int more) {
    auto const q = numbers<Tensor<float, "b t h=2 d=12">>(4, 3, 21 + more);
    auto const k = numbers<Tensor<float, "b s h=2 d=12">>(5, 3, 19);
    expect_same(
        [](auto const& x, auto const& y) { return einsum<"b t h d, b s h d -> b h t s">(x, y); }, q,
        k);
    expect_same(
        [](auto const& x, auto const& y) { return einsum<"b t h d, b s h d -> t s">(x, y); }, q, k);
  });
}

}  // namespace opencl_tiles_test
