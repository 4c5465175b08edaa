// Integrals, differential equations and interpolation against values of SciPy 1.17 and NumPy 2.

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>

#include <tenon/integrate.hpp>
#include <tenon/interp.hpp>

namespace integrate_test {

using namespace tenon;

namespace {

/// The two terms of a pendulum of angle and speed, with its stiffness.
auto const pendulum = [](Float64<"n=2"> const& y, double, Float64<""> const& stiffness) {
  auto const angle = slice<"n", 0, 1>(y);
  auto const speed = slice<"n", 1, 2>(y);
  return concat<"n">(eval(speed), eval(-stiffness * sin(angle)));
};
Float64<"time=4"> const times{0, 0.5, 1, 3};
Float64<"n=2"> const start{1, 0};

}  // namespace

TEST_CASE("a solution has the axis of its times") {
  auto const y = odeint(pendulum, start, times, Float64<"">(4));
  CHECK(shape_of<decltype(y)> == "time=4 n=2");
  CHECK(y(0, 0) == 1);
  CHECK(y(1, 0) == doctest::Approx(0.60008537).epsilon(1e-6));
  CHECK(y(3, 0) == doctest::Approx(0.79863842).epsilon(1e-6));
  CHECK(y(3, 1) == doctest::Approx(1.12207128).epsilon(1e-6));
  auto const decay = [](Float64<""> const& v, double t) { return v * -t; };
  auto const back = odeint(OdeOptions{.rtol = 1e-12, .atol = 1e-12}, decay, Float64<"">(1),
                           Float64<"time=2">{2, 0});
  CHECK(back(1) == doctest::Approx(std::exp(2.0)).epsilon(1e-10));
  auto const explodes = [](Float64<""> const& v, double) { return v * v; };
  CHECK_THROWS_AS(odeint(explodes, Float64<"">(1), Float64<"time=2">{0, 2}), ValueError);
}

TEST_CASE("the gradient of a solution is that of its steps") {
  auto const last = [](Float64<""> const& stiffness) {
    return sum(slice<"time", 3, 4>(odeint(pendulum, start, times, stiffness)));
  };
  double const h = 1e-4;
  double const slope = (last(Float64<"">(4 + h)).item() - last(Float64<"">(4 - h)).item()) / 2 / h;
  CHECK(grad(last)(Float64<"">(4)).item() == doctest::Approx(slope).epsilon(1e-6));
  auto const of_start = [](auto const& y) {
    auto const decay = [](auto const& v, double) { return -2.0 * v; };
    return sum(odeint(decay, y, Float64<"time=2">{0, 1}));
  };
  CHECK(grad(of_start)(start)(1) == doctest::Approx(1 + std::exp(-2.0)).epsilon(1e-6));
}

TEST_CASE("integrals are exact to their tolerance") {
  CHECK(quad([](auto const& x) { return exp(-x * x); }, 0, 3).item() ==
        doctest::Approx(std::sqrt(std::acos(-1.0)) / 2 * std::erf(3.0)).epsilon(1e-13));
  CHECK(quad([](auto const& x) { return sqrt(x); }, 0, 1).item() ==
        doctest::Approx(2.0 / 3).epsilon(1e-9));
  CHECK(quad([](auto const& x) { return x * x; }, 3, 0).item() == doctest::Approx(-9));
  Float64<"k=2"> const rates{1, 2};
  auto const both = [](Float64<"k=2"> const& rate) {
    return quad([&](auto const& x) { return exp(-rearrange<"k -> k 1">(rate) * x); }, 0, 1);
  };
  CHECK(shape_of<decltype(both(rates))> == "k=2");
  CHECK(both(rates)(1) == doctest::Approx((1 - std::exp(-2.0)) / 2));
  auto const g = grad([&](auto const& rate) { return sum(both(rate)); })(rates);
  CHECK(g(0) == doctest::Approx(2 / std::exp(1.0) - 1));
  CHECK_THROWS_AS(quad([](auto const& x) { return 1.0 / x; }, 0, 1), ValueError);
}

TEST_CASE("interpolation between points, constant outside of them") {
  Float64<"n=4"> const xp{0, 1, 3, 4}, fp{1, 3, -1, 0};
  Float64<"m=6"> const x{-1, 0, 0.5, 2, 4, 9};
  auto const y = interp(x, xp, fp);
  CHECK(shape_of<decltype(y)> == "m=6");
  CHECK(to_string(y) == "[1. 1. 2. 1. 0. 0.]");
  auto const by_values = grad([&](auto const& f) { return sum(interp(x, xp, f)); })(fp);
  CHECK(to_string(by_values) == "[2.5 1.  0.5 2. ]");
  auto const by_x =
      grad([&](auto const& at) { return sum(interp(at, xp, fp)); })(Float64<"m=2">{0.25, 2.5});
  CHECK(to_string(by_x) == "[ 2. -2.]");
  CHECK_THROWS_AS(interp(x, Float64<"n">{1.0}, Float64<"n">{1.0}), ValueError);
  CHECK_THROWS_AS(interp(x, Float64<"n">{1.0, 2.0}, Float64<"n">{1.0}), ShapeError);
}

}  // namespace integrate_test
