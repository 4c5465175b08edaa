// Examples of docs/functions/: products, einsum, convolution.

#include <doctest/doctest.h>

#include <tenon/tenon.hpp>

namespace functions_products_test {

using namespace tenon;

Float32<"row=2 column=3"> const x{{1, 2, 3}, {4, 5, 6}};
Float32<"column=3"> const v{3, 0, -1};

TEST_CASE("products") {
  CHECK(to_string(matmul(x, v)) == "[0. 6.]");
  CHECK(to_string(einsum<"r c, c -> r">(x, v)) == "[0. 6.]");
  CHECK(dot(v, v).item() == 10);
  CHECK(to_string(outer(v, Float32<"k=2">{1, 2})) == "[[ 3.  6.]\n [ 0.  0.]\n [-1. -2.]]");
}

TEST_CASE("convolution") {
  Float32<"channel=1 t=4"> const signal{{1, 2, 3, 4}};
  Float32<"out=1 channel=1 t=2"> const difference{{{-1, 1}}};
  CHECK(to_string(convolve<"t">(signal, difference)) == "[[1. 1. 1.]]");
  CHECK(to_string(convolve<"t", Sliding{.stride = 2}>(signal, difference)) == "[[1. 1.]]");
  Float32<"image=1 channel=1 height=3 width=3"> const image{{{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}}};
  auto const mean = full<Float32<"out=1 channel=1 height=3 width=3">>(1 / 9.0f);
  constexpr Sliding permits{.padding = 1, .allow_winograd = true};
  CHECK(shape_of<decltype(convolve<"height width", permits>(image, mean))> ==
        "image=1 out=1 height=3 width=3");
}

}  // namespace functions_products_test
