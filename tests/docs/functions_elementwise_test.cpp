// Examples of docs/functions/: elementwise functions.

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include <tenon/elementwise.hpp>
#include <tenon/tenon.hpp>

namespace functions_elementwise_test {

using namespace tenon;

Float64<"n=2"> const x{0.5, 1};
Float64<"n=2"> const y{-2.5, 3};
Int32<"n=2"> const i{-7, 7};
Mask<"n=2"> const yes{true, false};

TEST_CASE("arithmetic") {
  CHECK(to_string(abs(y)) == "[2.5 3. ]");
  CHECK(to_string(sqrt(4 * x * x)) == "[1. 2.]");
  CHECK(to_string(rsqrt(x * x)) == "[2. 1.]");
  CHECK(to_string(reciprocal(x)) == "[2. 1.]");
  CHECK(to_string(square(y)) == "[6.25 9.  ]");
  CHECK(to_string(relu(y)) == "[0. 3.]");
  CHECK(to_string(pow(x, 2)) == "[0.25 1.  ]");
  CHECK(to_string(floor_divide(i, 2)) == "[-4  3]");
  CHECK(to_string(remainder(i, 4)) == "[1 3]");
}

TEST_CASE("exponentials and their kin") {
  CHECK(exp(x)(1) == doctest::Approx(2.718281828));
  CHECK(log(x)(0) == doctest::Approx(-0.693147181));
  CHECK(expm1(x)(1) == doctest::Approx(1.718281828));
  CHECK(log1p(x)(1) == doctest::Approx(0.693147181));
  CHECK(tanh(x)(1) == doctest::Approx(0.761594156));
  CHECK(sinh(x)(1) == doctest::Approx(1.175201194));
  CHECK(cosh(x)(1) == doctest::Approx(1.543080635));
  CHECK(sigmoid(x)(1) == doctest::Approx(0.731058579));
  CHECK(silu(x)(1) == doctest::Approx(0.731058579));
  CHECK(softplus(x)(1) == doctest::Approx(1.313261688));
  CHECK(erf(x)(1) == doctest::Approx(0.842700793));
  CHECK(gelu(x)(1) == doctest::Approx(0.841344746));
  CHECK(gelu_tanh(x)(1) == doctest::Approx(0.841191991));
}

TEST_CASE("logarithms, roots and functions without cancellation") {
  CHECK(to_string(log2(x)) == "[-1.  0.]");
  CHECK(log10(x)(0) == doctest::Approx(-0.301029996));
  CHECK(exp2(x)(0) == doctest::Approx(1.414213562));
  CHECK(to_string(cbrt(8 * x * x * x)) == "[1. 2.]");
  CHECK(to_string(hypot(6 * x, 8 * x)) == "[ 5. 10.]");
  CHECK(asinh(x)(1) == doctest::Approx(0.881373587));
  CHECK(acosh(x + 1)(1) == doctest::Approx(1.316957897));
  CHECK(atanh(x)(0) == doctest::Approx(0.549306144));
  CHECK(erfc(x)(1) == doctest::Approx(0.157299207));
  CHECK(logaddexp(x, x)(1) == doctest::Approx(1.693147181));
  CHECK(to_string(copysign(x, y)) == "[-0.5  1. ]");
  CHECK(to_string(frac(y)) == "[-0.5  0. ]");
  CHECK(to_string(heaviside(y, 0.5)) == "[0. 1.]");
  CHECK(to_string(nan_to_num(0 * log(0 * x))) == "[0. 0.]");
  CHECK(deg2rad(x)(1) == doctest::Approx(0.017453293));
  CHECK(rad2deg(x)(1) == doctest::Approx(57.29577951));
  CHECK(sinc(x)(0) == doctest::Approx(0.636619772));
  CHECK(to_string(xlogy(y, x + y + 3)) == "[-0.          5.83773045]");
}

TEST_CASE("special functions, remainders and neighbours") {
  CHECK(erfinv(x - 0.5)(1) == doctest::Approx(0.476936276));
  CHECK(lgamma(x)(0) == doctest::Approx(0.572364943));
  CHECK(digamma(x)(1) == doctest::Approx(-0.577215665));
  CHECK(polygamma<1>(x)(1) == doctest::Approx(1.644934067));
  CHECK(i0(x)(1) == doctest::Approx(1.266065878));
  CHECK(i1(x)(1) == doctest::Approx(0.565159104));
  CHECK(to_string(fmod(y, 2)) == "[-0.5  1. ]");
  CHECK(nextafter(x, y)(1) == 1 + 0x1p-52);
  CHECK(to_string(ldexp(x, 3)) == "[4. 8.]");
  CHECK(to_string(isposinf(1 / (x - 1))) == "[False  True]");
  CHECK(to_string(isneginf(1 / (x - 1))) == "[False False]");
  CHECK(to_string(lerp(x, y, 0.5)) == "[-1.  2.]");
  CHECK(to_string(gcd(Int32<"2">{12, -8}, Int32<"2">{18, 20})) == "[6 4]");
  CHECK(to_string(lcm(Int32<"2">{12, -8}, Int32<"2">{18, 20})) == "[36 40]");
}

TEST_CASE("trigonometric functions") {
  CHECK(sin(x)(1) == doctest::Approx(0.841470985));
  CHECK(cos(x)(1) == doctest::Approx(0.540302306));
  CHECK(tan(x)(1) == doctest::Approx(1.557407725));
  CHECK(asin(x)(1) == doctest::Approx(1.570796327));
  CHECK(acos(x)(0) == doctest::Approx(1.047197551));
  CHECK(atan(x)(1) == doctest::Approx(0.785398163));
  CHECK(atan2(x, y)(0) == doctest::Approx(2.944197094));
}

TEST_CASE("rounding, bounds and masks") {
  CHECK(to_string(sign(y)) == "[-1.  1.]");
  CHECK(to_string(floor(y)) == "[-3.  3.]");
  CHECK(to_string(ceil(y)) == "[-2.  3.]");
  CHECK(to_string(round(y)) == "[-2.  3.]");
  CHECK(to_string(trunc(y)) == "[-2.  3.]");
  CHECK(to_string(max(x, y)) == "[0.5 3. ]");
  CHECK(to_string(min(x, y)) == "[-2.5  1. ]");
  CHECK(to_string(maximum(y, 0)) == "[0. 3.]");
  CHECK(to_string(minimum(y, 0)) == "[-2.5  0. ]");
  CHECK(to_string(clamp(y, -1, 1)) == "[-1.  1.]");
  CHECK(to_string(where(y > 0, y, 0)) == "[0. 3.]");
  CHECK(to_string(isnan(log(y))) == "[ True False]");
  CHECK(to_string(isinf(1 / (x - 1))) == "[False  True]");
  CHECK(to_string(isfinite(log(y))) == "[False  True]");
  CHECK(to_string(isclose(x, x + 1e-12)) == "[ True  True]");
  CHECK(allclose(x, x + 1e-12));
  CHECK(to_string(logical_and(yes, x > 0)) == "[ True False]");
  CHECK(to_string(logical_or(yes, x > 0)) == "[ True  True]");
  CHECK(to_string(logical_xor(yes, x > 0)) == "[False  True]");
  CHECK(to_string(logical_not(yes)) == "[False  True]");
  CHECK(to_string(to<std::int32_t>(y)) == "[-2  3]");
}

}  // namespace functions_elementwise_test
