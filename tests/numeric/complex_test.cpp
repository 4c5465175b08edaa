// Complex numbers against values and gradients of JAX, see golden/make_complex.py.

#include <doctest/doctest.h>

#include <complex>
#include <map>
#include <string>

#include <tenon/autodiff/higher_order.hpp>
#include <tenon/complex.hpp>
#include <tenon/testing.hpp>

#include "../nn/cases.hpp"

namespace complex_test {

using namespace tenon;

namespace {

using C = std::complex<double>;
using Vector = Complex128<"n">;

Vector numbers(cases::Case const& golden, std::string const& key) {
  auto const& parts = golden.arrays.at(key).numbers;
  auto result = zeros<Vector>(parts.size() / 2);
  result.set_elements([&](C* to) {
    for (std::size_t i = 0; i + 1 < parts.size(); i += 2) *to++ = {parts[i], parts[i + 1]};
  });
  return result;
}

double difference(Vector const& x, Vector const& expected) {
  return max(abs(x - expected) / (1 + abs(expected))).item();
}

using Function = Vector (*)(Vector const&);

Vector complex_of(Float64<"n"> const& x) { return to<C>(x); }

std::map<std::string, Function> const functions{
    {"real", [](Vector const& z) { return complex_of(real(z)); }},
    {"imag", [](Vector const& z) { return complex_of(imag(z)); }},
    {"conj", [](Vector const& z) -> Vector { return conj(z); }},
    {"angle", [](Vector const& z) { return complex_of(angle(z)); }},
    {"abs", [](Vector const& z) { return complex_of(abs(z)); }},
    {"exp", [](Vector const& z) -> Vector { return exp(z); }},
    {"log", [](Vector const& z) -> Vector { return log(z); }},
    {"sqrt", [](Vector const& z) -> Vector { return sqrt(z); }},
    {"reciprocal", [](Vector const& z) -> Vector { return reciprocal(z); }},
    {"square", [](Vector const& z) -> Vector { return square(z); }},
    {"sin", [](Vector const& z) -> Vector { return sin(z); }},
    {"cos", [](Vector const& z) -> Vector { return cos(z); }},
    {"tan", [](Vector const& z) -> Vector { return tan(z); }},
    {"sinh", [](Vector const& z) -> Vector { return sinh(z); }},
    {"cosh", [](Vector const& z) -> Vector { return cosh(z); }},
    {"tanh", [](Vector const& z) -> Vector { return tanh(z); }},
    {"pow", [](Vector const& z) -> Vector { return pow(z, C(2, -0.5)); }},
    {"base", [](Vector const& z) -> Vector { return pow(C(2, -0.5), z); }},
    {"quotient", [](Vector const& z) -> Vector { return (z + 1) / (z * z + 3); }},
    {"norm", [](Vector const& z) -> Vector { return to<C>(sqrt(sum(square(abs(z))))) * z; }},
    {"cumsum", [](Vector const& z) -> Vector { return cumsum<"n">(z); }},
    {"prod", [](Vector const& z) -> Vector { return prod(z) * z; }},
    {"outer",
     [](Vector const& z) -> Vector {
       return matmul(matmul(rearrange<"n -> n 1">(z), rearrange<"n -> 1 n">(conj(z))), z);
     }},
    {"flip", [](Vector const& z) -> Vector { return flip<"n">(z) * z; }},
};

}  // namespace

TEST_CASE("complex functions and their gradients are those of JAX") {
  Vector const w{{1, -1}, {2, -1. / 2}, {3, -1. / 3}, {4, -1. / 4}, {5, -1. / 5}, {6, -1. / 6}};
  for (auto const& golden : cases::read("../../numeric/golden/complex.txt")) {
    INFO(golden.name);
    Function const f = functions.at(golden.name);
    Vector const x = numbers(golden, "x");
    auto const loss = [&](Vector const& z) { return real(sum(w * f(z))); };
    CHECK(difference(f(x), numbers(golden, "value")) < 2e-15);
    CHECK(difference(grad(loss)(x), numbers(golden, "grad x")) < 4e-15);
  }
}

TEST_CASE("complex numbers are made of real ones, and the gradient passes to both parts") {
  Float64<"n=2"> const re{1, -2}, im{0.5, 3};
  CHECK(to_string(complex(re, im)) == "[ 1.+0.5j -2.+3.j ]");
  auto const loss = [&](auto const& x) { return sum(imag(square(complex(x, im)))); };
  CHECK(to_string(grad(loss)(re)) == "[1. 6.]");
  auto const by_imag = [&](auto const& y) { return sum(real(square(complex(re, y)))); };
  CHECK(to_string(grad(by_imag)(im)) == "[-1. -6.]");
  CHECK(abs(polar(re, im) - complex(re * cos(im), re * sin(im)))(1) == 0);
}

TEST_CASE("complex numbers and pairs of real ones are views of each other, with gradients") {
  Complex128<"n=3"> const z{{1, 2}, {-0.5, 0.25}, {0, -1}};
  Float64<"n=3 part=2"> const parts = view_as_real(z);
  CHECK(to_string(parts) == "[[ 1.    2.  ]\n [-0.5   0.25]\n [ 0.   -1.  ]]");
  CHECK(shape_of<decltype(view_as_real(z))> == "n=3 part=2");
  CHECK(max(abs(view_as_complex(parts) - z)).item() == 0);
  CHECK(shape_of<decltype(view_as_complex(as<"n _">(parts)))> == "n");
  auto const w = normal<Float64<"n=3 part=2">>(Key{8});
  auto const by_parts = [&](auto const& at) { return sum(w * exp(view_as_real(at))); };
  CHECK_GRADIENT(by_parts, z);
  auto const by_whole = [](auto const& at) { return sum(imag(exp(view_as_complex(at)))); };
  CHECK_GRADIENT(by_whole, parts);
  CHECK(view_as_real(zeros<Vector>(0)).size() == 0);
  CHECK_THROWS_WITH(view_as_complex(zeros<Float64<"n k">>(2, 3)),
                    "tenon::view_as_complex: 'last axis': expected 2, got 3");
}

TEST_CASE("inline tensors have the same gradient as those in memory") {
  auto const loss = [](auto const& z) { return sum(real(exp(conj(z)) / z) + abs(z) * imag(z)); };
  Complex128<"n=5"> const x{{1, 2}, {-0.5, 0.25}, {3, -1}, {-2, -0.75}, {0, 0.125}};
  CHECK(difference(as<"n">(grad(loss)(x)), grad(loss)(as<"n">(x))) < 1e-15);
}

TEST_CASE("the gradient of the absolute value is zero at zero") {
  auto const loss = [](auto const& z) { return sum(abs(z)); };
  CHECK(to_string(grad(loss)(Complex128<"n=2">{C(0, 0), C(3, -4)})) == "[0. +0.j  0.6+0.8j]");
}

TEST_CASE("powers of and to zero") {
  Complex64<"n=2"> const z{{0, 0}, {2, 0}};
  CHECK(to_string(pow(z, 0)) == "[1.+0.j 1.+0.j]");
  CHECK(pow(z, 1)(0) == std::complex<float>());
}

TEST_CASE("predicates of complex numbers look at both parts") {
  float const inf = INFINITY;
  Complex64<"n=3"> const z{{1, 2}, {inf, 0}, {0, NAN}};
  CHECK(to_string(isfinite(z)) == "[ True False False]");
  CHECK(to_string(isinf(z)) == "[False  True False]");
  CHECK(to_string(isnan(z)) == "[False False  True]");
  CHECK(to_string(z == conj(z)) == "[False  True False]");
}

TEST_CASE("complex draws have variance one") {
  auto const z = normal<Complex64<"n">>(Key{7}, 20000);
  CHECK(mean(square(abs(z))).item() == doctest::Approx(1).epsilon(0.03));
  CHECK(std::abs(mean(z).item()) < 0.02f);
}

TEST_CASE("a matmul of complex matrices passes its adjoint to both") {
  auto const a = normal<Complex128<"i=9 k=8">>(Key{1});
  auto const b = normal<Complex128<"k=8 j=7">>(Key{2});
  auto const loss = [&](auto const& left) { return sum(square(abs(matmul(left, b)))); };
  auto const expected = 2 * matmul(conj(matmul(a, b)), rearrange<"k j -> j k">(b));
  CHECK(max(abs(grad(loss)(a) - expected)).item() < 1e-12);
}

TEST_CASE("a second derivative through complex numbers is refused") {
  auto const outer = [](auto const& x) {
    return sum(grad([](auto const& at) { return sum(abs(complex(at, at))); })(x));
  };
  CHECK_THROWS_WITH(grad(outer)(Float64<"n=2">{1, 2}),
                    "tenon::grad: expected real numbers in a derivative of a derivative, got "
                    "complex ones");
}

}  // namespace complex_test
