#include <cmath>
#include <limits>

#include <tenon/autodiff/higher_order.hpp>

#include "reduction_definitions.hpp"

namespace edges_test {

// Gradients at points without a derivative, as documented in docs/numerics.md.

using namespace every_op;

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// Elements are equal, or both NaN.
template <class X>
bool are(X const& expression, std::initializer_list<double> expected) {
  auto const x = eval(expression);
  std::int64_t i = 0;
  for (double const e : expected) {
    double const got = x.data()[i++];
    if (got != e && !(got != got && e != e)) return false;
  }
  return i == x.size();
}

}  // namespace

TEST_CASE_TEMPLATE("the derivatives of a max or min that is NaN are NaN", D, Cpu, Reference) {
  Float64<"2 3", D> const x{{1, not_a_number, 3}, {2, 5, 5}};
  auto const of_max = grad([](auto const& m) { return sum(max<1>(m)); })(x);
  CHECK(are(of_max, {not_a_number, not_a_number, not_a_number, 0, 0.5, 0.5}));
  auto const of_min = grad([](auto const& m) { return sum(min<0>(m)); })(eval(transpose(x)));
  CHECK(are(of_min, {not_a_number, 1, not_a_number, 0, not_a_number, 0}));
  auto x_long = full<Float64<"n", D>>(1, 100);
  x_long(57) = not_a_number;
  CHECK(std::isnan(grad([](auto const& v) { return max(v); })(x_long)(3)));
  Float64<"2", D> const one_infinite{infinite, 1};
  CHECK(are(grad([](auto const& v) { return max(v); })(one_infinite), {1, 0}));
}

TEST_CASE_TEMPLATE("both operands of a binary max or min with a NaN get the adjoint", D, Cpu,
                   Reference) {
  Float64<"3", D> const x{not_a_number, 1, 2}, y{0, not_a_number, 2};
  auto const both = [&](auto const& v) { return sum(max(v, y)) + sum(min(y, v)); };
  CHECK(are(grad(both)(x), {2, 2, 1}));
  CHECK(are(grad([](auto const& v) { return sum(relu(v)); })(x), {0, 1, 1}));
}

TEST_CASE_TEMPLATE("the derivative of 0^y with respect to y is zero for y >= 0", D, Cpu,
                   Reference) {
  Float64<"5", D> const x{0, 0, 0, 2, 1}, y{2, 0.5, 0, 3, 0};
  auto const along_y = grad([&](auto const& v) { return sum(pow(x, v)); })(y);
  CHECK(are(slice<0, 0, 3>(along_y), {0, 0, 0}));
  CHECK(along_y(3) == doctest::Approx(8 * std::log(2.0)));
  CHECK(along_y(4) == 0);
  auto const below = grad([](auto const& v) { return pow(Float64<"", D>(0), v); });
  CHECK(below(Float64<"", D>(-1)).item() == -infinite);
  auto const along_x = grad([](auto const& v) { return sum(pow(v, 2.0)); });
  CHECK(are(along_x(x), {0, 0, 0, 4, 2}));
}

TEST_CASE_TEMPLATE("roots, absolute values and norms at zero", D, Cpu, Reference) {
  Float64<"2", D> const zero{0, 0};
  CHECK(are(grad([](auto const& v) { return sum(sqrt(v)); })(zero), {infinite, infinite}));
  CHECK(are(grad([](auto const& v) { return sum(abs(v)); })(zero), {0, 0}));
  CHECK(are(grad([](auto const& v) { return norm(v); })(zero), {0, 0}));
  CHECK(are(grad([](auto const& v) { return stddev(v); })(eval(zero + 3.0)), {0, 0}));
  Float64<"2", D> const x{3, 4}, across{4, -3};
  Float64<"2", D> const curved = hvp([](auto const& v) { return norm(v); }, x, across);
  CHECK(allclose(curved, Float64<"2", D>{0.8, -0.6}));
}

}  // namespace edges_test
