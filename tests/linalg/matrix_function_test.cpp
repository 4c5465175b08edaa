#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <type_traits>

#include <tenon/autodiff/higher_order.hpp>

#include "checks.hpp"

namespace matrix_function_test {

using namespace linalg_checks;

namespace {

using Square2 = Float64<"2 2">;
using Square3 = Float64<"n=3 n=3">;

/// (x + xᵀ) / 2 and weights, for gradients of all elements.
Square3 symmetric(double a, double b, double c) {
  return {{a, 0.3, -0.2}, {0.3, b, 0.1}, {-0.2, 0.1, c}};
}
Square3 const weights{{1, -2, 0.5}, {0.7, 3, -1}, {2, 0.4, -0.6}};

template <class Op>
auto weighted_function() {
  return [](Square3 const& x) { return sum(tenon::linalg::matrix_function<Op>(x) * weights); };
}

}  // namespace

TEST_CASE("functions of matrices: exp and log are inverse, sqrt squared is the matrix") {
  Square3 const a = symmetric(2, 1.5, 3);
  Square3 const exponential = tenon::linalg::matrix_function<op::Exp>(a);
  CHECK(apart(tenon::linalg::matrix_function<op::Log>(exponential), a) < 1e-13);
  Square3 const root = tenon::linalg::matrix_function<op::Sqrt>(a);
  CHECK(apart(tenon::linalg::matrix_power(root, 2), a) < 1e-14);
}

TEST_CASE("gradients of functions of matrices are those of difference quotients") {
  for (Square3 const& a :
       {symmetric(2, 1.5, 3), symmetric(2, 2, 2), Square3{{2, 0, 0}, {0, 2, 0}, {0, 0, 2}},
        Square3{{2, 0, 0}, {0, 2 + 1e-7, 0}, {0, 0, 3}}}) {
    CHECK(derivative_error(weighted_function<op::Exp>(), a) < 1e-8);
    CHECK(derivative_error(weighted_function<op::Log>(), a) < 1e-8);
    CHECK(derivative_error(weighted_function<op::Relu>(), a) < 1e-8);
  }
}

TEST_CASE("the gradient of a square at the identity is exact") {
  Square2 const one{{1, 0}, {0, 1}}, of_elements{{1, 2}, {3, 5}};
  auto const squared = [&](Square2 const& x) {
    return sum(tenon::linalg::matrix_function<op::Square>(x) * of_elements);
  };
  CHECK(apart(grad(squared)(one), Square2{{2, 5}, {5, 10}}) < 1e-14);
  auto const product = [&](Square2 const& x) {
    return sum(tenon::linalg::matrix_power(x, 2) * of_elements);
  };
  CHECK(apart(grad(product)(one), Square2{{2, 4}, {6, 10}}) < 1e-14);
}

TEST_CASE("divided differences of close and of distant numbers have full precision") {
  using tenon::internal::linalg::divided_difference;
  for (double const gap : {0.0, 1e-15, 1e-9, 1e-4, 0.02, 0.5, 3.0, 40.0}) {
    double const exact =
        gap == 0 ? std::exp(2.0) : std::exp(2.0) * std::expm1(2 + gap - 2) / (2 + gap - 2);
    CHECK(divided_difference<op::Exp>(2 + gap, 2.0) == doctest::Approx(exact).epsilon(2e-13));
    double const logarithm =
        gap == 0 ? 1e-6 : std::log1p((1e6 + gap - 1e6) / 1e6) / (1e6 + gap - 1e6);
    if (gap == 0 || 1e6 + gap != 1e6)
      CHECK(divided_difference<op::Log>(1e6 + gap, 1e6) ==
            doctest::Approx(logarithm).epsilon(2e-13));
  }
}

TEST_CASE_TEMPLATE("divided differences of distant numbers and across kinks", T, float, double) {
  struct Case {
    T (*difference)(T, T);
    double a, b, exact;
  };
  using tenon::internal::linalg::divided_difference;
  auto const exponential = divided_difference<op::Exp, T>,
             sigmoid = divided_difference<op::Sigmoid, T>,
             tangent = divided_difference<op::Tanh, T>, kink = divided_difference<op::Relu, T>,
             size = divided_difference<op::Abs, T>, step = divided_difference<op::Sign, T>,
             logarithm = divided_difference<op::Log, T>;
  for (auto const& [difference, a, b, exact] :
       {Case{kink, 3, -1, 0.75}, Case{kink, 10, -1, 10.0 / 11}, Case{kink, -1, -2, 0},
        Case{size, 10, -1, 9.0 / 11}, Case{step, 1, -1, 1}, Case{exponential, 0, -200, 1.0 / 200},
        Case{exponential, 0, -400, 1.0 / 400}, Case{sigmoid, 1000, -20, 1.0 / 1020},
        Case{tangent, 60, 5, 1.6508315892e-6}, Case{logarithm, 1, 0, INFINITY}}) {
    CAPTURE(a);
    CAPTURE(b);
    double const tolerance = std::is_same_v<T, float> ? 1e-3 : 1e-8;
    for (double const found : {difference(T(a), T(b)), difference(T(b), T(a))})
      CHECK((found == exact || std::abs(found - exact) <= tolerance * exact));
  }
}

TEST_CASE("gradients of functions of matrices with kinks between distant eigenvalues") {
  auto const total = [](Square2 const& x) {
    return sum(tenon::linalg::matrix_function<op::Relu>(x));
  };
  Square2 const between{{1, 10.0 / 11}, {10.0 / 11, 0}};
  CHECK(apart(grad(total)(Square2{{10, 0}, {0, -1}}), between) < 1e-15);
}

TEST_CASE("derivatives of functions of matrices along a tangent; second derivatives are NaN") {
  Square2 const one{{1, 0}, {0, 1}}, direction{{1, 2}, {2, 5}};
  auto const f = [](Square2 const& x) { return eval(tenon::linalg::matrix_function<op::Exp>(x)); };
  CHECK(apart(jvp(f, one, direction).second, eval(std::exp(1.0) * direction)) < 1e-13);
  auto const scalar = [&](Square2 const& x) { return sum(f(x)); };
  CHECK(std::isnan(hvp(scalar, one, direction)(0, 0)));
}

TEST_CASE("powers of matrices: zero, positive, negative, of a batch") {
  Square3 const a = symmetric(2, 1.5, 3);
  CHECK(apart(tenon::linalg::matrix_power(a, 0), Square3(eye<Float64<"3 3">>())) == 0);
  Square3 const fifth = matmul(matmul(matmul(matmul(a, a), a), a), a);
  CHECK(apart(tenon::linalg::matrix_power(a, 5), fifth) < 1e-11);
  CHECK(
      apart(Square3(matmul(tenon::linalg::matrix_power(a, -3), tenon::linalg::matrix_power(a, 3))),
            Square3(eye<Float64<"3 3">>())) < 1e-12);
  CHECK(derivative_error(
            [](Square3 const& x) { return sum(tenon::linalg::matrix_power(x, -2) * weights); }, a) <
        1e-7);
  auto const batch = some<Batched<double, Cpu>>(3, 2, 3, 3);
  CHECK(apart(tenon::linalg::matrix_power(batch, 3), times(times(batch, batch), batch)) < 1e-14);
  CHECK_THROWS_WITH_AS(tenon::linalg::matrix_power(a, ~std::uint64_t{0}),
                       "tenon::matrix_power: expected a number that int64 holds, got "
                       "18446744073709551615",
                       ValueError);
}

}  // namespace matrix_function_test
