// Products in tiles, by one member of a group (on a processor) and by many: forward with the maps
// that follow, and backward.

#include <doctest/doctest.h>

#include <tenon/tenon.hpp>

#include <tenon/backend/opencl.hpp>

#include "numbers.hpp"

using namespace tenon;

namespace {

/// The same device, whose kernels are printed as for one that is no processor.
struct Crowd : OpenCl {
  static constexpr std::string_view name = "crowd";
  static bool walks_lines() { return false; }
};

}  // namespace

template <>
struct tenon::BackendFor<Crowd> {
  using type = source::SourceBackend<Crowd, dialect::OpenClC>;
};

namespace {

/// What a function of some tensors gives on a device, with its gradient by all of them.
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

template <class F, class... X>
void expect_same(F const& f, X const&... x) {
  if (!OpenCl::is_available()) {
    MESSAGE("skipped: there is no device of OpenCL");
    return;
  }
  auto const expected = on(Cpu(), f, x...);
  auto const compare = [&](auto const& got) {
    [&]<std::size_t... k>(std::index_sequence<k...>) {
      auto const is_near = [](auto const& a, auto const& b) {
        CHECK(max(abs(a - b)).item() <= 2e-5f * max(abs(b)).item());
      };
      (is_near(std::get<k>(got), std::get<k>(expected)), ...);
    }(std::make_index_sequence<sizeof...(X) + 1>());
  };
  compare(on(OpenCl(), f, x...));
  compare(on(Crowd(), f, x...));
}

auto const layer = [](auto const& a, auto const& w, auto const& b) {
  return tanh(matmul(a, w) * 0.1f + b);
};

}  // namespace

TEST_CASE("products in tiles: rests, bias and activation") {
  for (auto const& [n, k, m] : {std::tuple(37, 70, 150), std::tuple(130, 9, 33)}) {
    auto const a = numbers<Tensor<float, "n k">>(1, n, k);
    auto const w = numbers<Tensor<float, "k m">>(2, k, m);
    auto const b = numbers<Tensor<float, "m">>(3, m);
    expect_same(layer, a, w, b);
  }
}

TEST_CASE("products in tiles: transposed operands, batches, several axes summed") {
  auto const q = numbers<Tensor<float, "b t h=2 d=12">>(4, 3, 21);
  auto const k = numbers<Tensor<float, "b s h=2 d=12">>(5, 3, 19);
  expect_same(
      [](auto const& x, auto const& y) { return einsum<"b t h d, b s h d -> b h t s">(x, y); }, q,
      k);
  expect_same([](auto const& x, auto const& y) { return einsum<"b t h d, b s h d -> t s">(x, y); },
              q, k);
}
