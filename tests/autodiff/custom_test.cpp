#include <doctest/doctest.h>

#include <string>
#include <tuple>

#include <tenon/tenon.hpp>

namespace custom_test {

using namespace tenon;

namespace {

using Vector = Float64<"n">;

/// A square with a deliberately wrong gradient: ten times too large.
auto const steep =
    custom_vjp([](Vector const& x) { return square(x); },
               [](auto const& dy, auto const&, auto const& x) { return 20 * x * dy; });

struct Line {
  Float64<""> derivative, offset;
};

Vector on_line(Line const& line, Vector const& x) { return line.derivative * x + line.offset; }

auto deep(Vector x) {
  for (int i = 0; i < 3; ++i) x = sin(x);
  return x;
}

}  // namespace

TEST_CASE("a custom backward replaces the derived one") {
  Vector const x{1, 2, 3};
  CHECK(steep(x)(2) == 9);
  CHECK(grad([](auto const& v) { return sum(steep(v)); })(x)(2) == 60);
  CHECK(grad([](auto const& v) { return sum(3 * steep(2 * v)); })(x)(1) == 20 * 4 * 2 * 3);
}

TEST_CASE("a custom backward of several arguments returns one adjoint for each") {
  auto const product = custom_vjp([](Vector const& a, Vector const& b) { return a * b; },
                                  [](auto const& dy, auto const&, auto const& a, auto const& b) {
                                    return std::tuple(b * dy, a * dy);
                                  });
  Vector const x{1, 2, 3};
  CHECK(grad([&](auto const& v) { return sum(product(v, v)); })(x)(2) == 6);
  CHECK(grad([&](auto const& v) { return sum(product(v, Vector{7, 8, 9})); })(x)(2) == 9);
}

TEST_CASE(
    "a custom backward of several results takes one adjoint for each; those of unused results are "
    "zero") {
  using Two = std::tuple<Vector, Vector>;
  auto const pair = custom_vjp([](Vector const& x) { return Two(sin(x), 2 * x); },
                               [](Two const& dy, Two const&, Vector const& x) {
                                 return cos(x) * std::get<0>(dy) + 2 * std::get<1>(dy);
                               });
  Vector const x{1, 2, 3};
  auto const first = grad([&](auto const& v) { return sum(std::get<0>(pair(v))); })(x);
  auto const second = grad([&](auto const& v) { return sum(std::get<1>(pair(v))); })(x);
  CHECK(first(1) == doctest::Approx(std::cos(2.0)));
  CHECK(second(1) == 2);
}

TEST_CASE("the captures of a custom function must be constants") {
  Vector const x{1, 2, 3};
  auto const captures = [](Vector const& v) {
    return sum(custom_vjp([&](Vector const& w) { return v * w; },
                          [](auto const& dy, auto const&, auto const& w) { return w * dy; })(v));
  };
  CHECK_THROWS_WITH_AS(grad(captures)(x),
                       "tenon::value_and_grad: a recorded tensor is used outside of its recording: "
                       "captured by a custom_vjp or a checkpoint: pass it as an argument",
                       Error);
}

TEST_CASE("an adjoint of the wrong size throws") {
  auto const wrong =
      custom_vjp([](Vector const& x) { return 2 * x; }, [](auto const&...) { return Vector{1}; });
  CHECK_THROWS_AS(grad([&](auto const& v) { return sum(wrong(v)); })(Vector{1, 2}), ShapeError);
}

TEST_CASE("a checkpointed function has the same value and gradient, bit for bit") {
  Vector const x{0.5, 1, 2};
  auto const plain = value_and_grad([](auto const& v) { return sum(exp(deep(v))); })(x);
  auto const kept = value_and_grad([](auto const& v) { return sum(exp(checkpoint(deep)(v))); })(x);
  CHECK(plain.first.item() == kept.first.item());
  for (int i = 0; i < 3; ++i) CHECK(plain.second(i) == kept.second(i));
}

TEST_CASE(
    "a checkpointed function has gradients with respect to its arguments, which may be any tree") {
  Line const line{2.0, 1.0};
  Vector const x{1, 2, 3};
  auto const loss = [&](Line const& l) { return sum(square(checkpoint(on_line)(l, x))); };
  auto const gradient = grad(loss)(line);
  CHECK(gradient.derivative.item() == doctest::Approx(2 * (3 * 1 + 5 * 2 + 7 * 3)));
  CHECK(gradient.offset.item() == doctest::Approx(2 * (3 + 5 + 7)));
  CHECK_THROWS_AS(grad([&](Line const& l) {
                    return sum(checkpoint([&](Vector const& v) { return on_line(l, v); })(x));
                  })(line),
                  Error);
}

TEST_CASE("a gradient within a loss links with the second derivatives") {
  using Line = Float64<"in_a_loss">;  // no other file instantiates this sum
  Line const x{1, 2, 3};
  auto const loss = [](auto const& v) -> Float64<""> { return sum(square(cumsum<0>(v))); };
  Line const derivative = grad([&](auto const& v) { return loss(v); })(x);
  CHECK(derivative(0) == 20);
  CHECK(derivative(2) == 12);
}

}  // namespace custom_test
