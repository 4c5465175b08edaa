#include <doctest/doctest.h>

#include <tenon/testing.hpp>

#include "counting.hpp"

namespace words_gradient_test {

namespace {

using namespace counting;

/// The weighted sum of the squares of the elements of an expression.
template <class E>
Float64<""> weighed(E const& e) {
  Float64<"p"> const value = reshape<"p">(e);
  Float64<"p"> const weights = counted<Float64<"p">>(value.size()) / 4.0 + 1.0;
  return sum(value * value * weights);
}

TEST_CASE("gradients pass through strided views") {
  Float64<"n n"> const x = counted<Float64<"n n">>(5, 5) / 8.0;
  CHECK_GRADIENT(
      [](auto const& v) {
        return weighed(flip<0>(v)) + weighed(diagonal(v)) + square(trace(v)) +
               weighed(slice<1, 1, to_end, 2>(v)) + weighed(diag(take<0>(v, 1)));
      },
      x);
}

TEST_CASE("gradients of overlapping windows add up") {
  Float64<"batch t"> const x = counted<Float64<"batch t">>(3, 9) / 8.0;
  Float64<"window=3 k=2"> const w = counted<Float64<"window=3 k=2">>() / 4.0 - 0.5;
  CHECK_GRADIENT([](auto const& v) { return weighed(window<"t", 3>(v)); }, x);
  CHECK_GRADIENT([](auto const& v) { return weighed(window<"t", 3, 2, 2>(v)); }, x);
  CHECK_GRADIENT([&](auto const& v) { return weighed(matmul(window<"t", 3>(v), w)); }, x);
  CHECK_GRADIENT([&](auto const& v) { return weighed(matmul(window<"t", 3>(x), v)); }, w);
}

TEST_CASE("a matmul with a diagonal leaves the other elements of its adjoint zero") {
  Float64<"n n"> const x = counted<Float64<"n n">>(3, 3) / 8.0;
  CHECK_GRADIENT([&](auto const& v) { return weighed(einsum<"i i, i j -> j">(flip<0>(v), x)); }, x);
}

TEST_CASE("windows over many chunks add up in each of them") {
  auto const gradient = grad([](auto const& v) { return sum(window<"t", 3>(v)); })(
      zeros<Float64<"batch t">>(2, 70000));
  CHECK(eval(min(gradient)).item() == 1);
  CHECK(gradient(1, 1) == 2);
  CHECK(eval(all(slice<"t", 2, -2>(gradient) == 3.0)).item());
}

TEST_CASE("strided views and windows have second derivatives") {
  Float64<"t"> const x{1, 2, 3, 4};
  auto const cubes = [](auto const& v) { return sum(window<"t", 2>(v * v * v)) + sum(flip(v)); };
  auto const second = grad([&](Float64<"t"> const& v) { return sum(grad(cubes)(v)); })(x);
  CHECK(elements(second) == elements(Float64<"t">{6, 24, 36, 24}));
  auto const steps = [](auto const& v) { return sum(square(window<"t", 2, 2>(v))) / 2; };
  auto const along = grad([&](Float64<"t"> const& v) { return sum(flip(grad(steps)(v)) * v); })(x);
  CHECK(elements(along) == elements(Float64<"t">{8, 6, 4, 2}));
}

TEST_CASE("gradients pass through split, outer products and moved axes") {
  Float64<"n=6"> const x = counted<Float64<"n=6">>() / 8.0 - 0.25;
  CHECK_GRADIENT(
      [](auto const& v) {
        auto const [a, b] = split<"n", 2>(v);
        return weighed(outer(a, b)) + square(dot(v, flip(v))) + square(dot(a, b));
      },
      x);
  CHECK_GRADIENT([](auto const& v) { return weighed(roll<"n">(v, 2) * v); }, x);
  CHECK_GRADIENT(
      [](auto const& v) {
        auto const square = reshape<"2 3">(v * v);
        return weighed(flatten(transpose(square)) * v) + weighed(expand<"batch=2 n">(v)) +
               weighed(squeeze(unsqueeze<"c", -1>(v)));
      },
      x);
}

}  // namespace

}  // namespace words_gradient_test
