// Cubic splines against SciPy, see golden/make_spline.py.

#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include <tenon/autodiff/higher_order.hpp>
#include <tenon/interp.hpp>

#include "../nn/cases.hpp"

namespace spline_test {

using namespace tenon;

namespace {

using Vector = Float64<"n">;

struct Arguments {
  Vector x, xp, fp;
};

double difference(Vector const& x, Vector const& expected) {
  return max(abs(x - expected) / (1 + abs(expected))).item();
}

}  // namespace

TEST_CASE("cubic splines have SciPy's values, derivatives and gradients") {
  for (auto const& golden : cases::read("../../numeric/golden/spline.txt")) {
    INFO(golden.name);
    auto const array = [&](std::string const& key) { return golden.tensor<Vector>(key); };
    auto const ends = static_cast<SplineEnds>(static_cast<int>(golden.option("ends", 0)));
    auto const spline = cubic_spline(array("xp"), array("fp"), ends);
    for (int order = 0; order < 4; ++order)
      CHECK(difference(spline(array("x"), order), array("order" + std::to_string(order))) < 2e-14);
    CHECK(max(abs(spline(array("x"), 4))).item() == 0);
    auto const loss = [&](Arguments const& a) {
      return sum(cubic_spline(a.xp, a.fp, ends)(a.x) * (1 + iota<Vector>(a.x.size())));
    };
    auto const g = grad(loss)(Arguments{array("inner"), array("xp"), array("fp")});
    CHECK(difference(g.x, array("grad_x")) < 2e-14);
    CHECK(difference(g.xp, array("grad_xp")) < 1e-8);
    CHECK(difference(g.fp, array("grad_fp")) < 1e-11);
  }
}

TEST_CASE("a spline outside of its domain, of other axes, and of points that make none") {
  Vector const xp{0, 1, 3}, fp{1, 2, 0};
  auto const spline = cubic_spline(xp, fp);
  CHECK(std::isnan(spline(Vector{std::nan("")})(0)));
  CHECK(spline(Vector{}).size() == 0);
  auto const grid = spline(Float64<"row=2 column=1">{{0}, {3}});
  CHECK(shape_of<decltype(grid)> == "row=2 column=1");
  CHECK(grid(1, 0) == doctest::Approx(0));
  CHECK_THROWS_WITH_AS(cubic_spline(Vector{1.0}, Vector{1.0}),
                       "tenon::cubic_spline: expected two points or more", ValueError);
  CHECK_THROWS_WITH_AS(cubic_spline(Vector{0, 1, 1}, fp),
                       "tenon::cubic_spline: 'xp': expected ascending points", ValueError);
  CHECK_THROWS_AS(cubic_spline(Vector{0, std::nan(""), 1}, fp), ValueError);
  CHECK_THROWS_AS(cubic_spline(xp, Vector{1, 2}), ShapeError);
  CHECK_THROWS_WITH_AS(spline(xp, -1), "tenon::cubic_spline: 'order': expected 0 or more, got -1",
                       ValueError);
  using Mistake = decltype(cubic_spline(xp, Float64<"n m">{}));
  static_assert(
      std::same_as<Mistake, compile_error::wrong_number_of_axes<"cubic_spline", "n m", 1, 2>>);
}

TEST_CASE("a second derivative by the points of a spline throws, that by x does not") {
  Vector const xp{0, 1, 3}, fp{1, 2, 0};
  auto const by_x = [&](Vector const& x) { return sum(cubic_spline(xp, fp)(x)); };
  Vector const x{0.5, 2};
  CHECK(difference(hvp(by_x, x, Vector{1, 1}), cubic_spline(xp, fp)(x, 2)) < 1e-14);
  auto const by_fp = [&](Vector const& y) { return sum(square(cubic_spline(xp, y)(x))); };
  CHECK_THROWS_AS(hvp(by_fp, fp, fp), Error);
}

}  // namespace spline_test
