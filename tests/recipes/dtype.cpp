// The dtype that CONTRIBUTING.md adds to the library.

#include <doctest/doctest.h>

#include <cmath>
#include <sstream>
#include <string>
#include <type_traits>

#include <tenon/tenon.hpp>

namespace {

using namespace tenon;

using Numbers = Tensor<truncated16, "n=5">;

/// What a float is in 16 bits: rounded towards zero.
float cut(float x) { return static_cast<float>(truncated16(x)); }

template <class X>
std::string text_of(X const& x) {
  std::ostringstream out;
  out << x;
  return out.str();
}

TEST_CASE("tensors of an added dtype are converted and printed") {
  Float32<"n=5"> const x{1.0f, -0.5f, 3.14159f, 1e30f, 0.0f};
  Numbers const y = to<truncated16>(x);
  Float32<"n=5"> const back = to<float>(y);
  for (int i = 0; i < 5; ++i) CHECK(back(i) == cut(x(i)));
  CHECK(back(2) == 3.140625f);
  CHECK(text_of(to<truncated16>(Float32<"n=3">{1.0f, -0.5f, 2.5f})) == "[ 1.  -0.5  2.5]");
  CHECK(Numbers(to<truncated16>(Int32<"n=5">{1, 2, 3, 4, 259}))(4) == truncated16(258));
}

TEST_CASE("an expression of an added dtype is computed in float and rounded once") {
  Numbers const x = to<truncated16>(Float32<"n=5">{1.0f, -0.7f, 3.1f, 2e-3f, 40.0f});
  Numbers const y = exp(x * 0.1f) / 3.0f;
  for (int i = 0; i < 5; ++i) {
    float const exact = std::exp(static_cast<float>(x(i)) * 0.1f) / 3.0f;
    CHECK(static_cast<float>(y(i)) <= exact);
    CHECK(static_cast<float>(y(i)) > exact * (1 - 1.0f / 128));
  }
  CHECK(static_cast<float>(sum(x)()) == cut(sum(to<float>(x))()));
}

TEST_CASE("an added dtype has products and gradients") {
  using Matrix = Tensor<truncated16, "row column">;
  Matrix const x = to<truncated16>(normal<Float32<"row column">>(Key(1), 3, 4));
  auto const product = eval(matmul(x, transpose(x)));
  auto const wide = eval(matmul(to<float>(x), transpose(to<float>(x))));
  CHECK(static_cast<float>(product(1, 2)) == doctest::Approx(wide(1, 2)).epsilon(0.01));
  auto const gradient = grad([](auto const& v) { return sum(square(v)); })(x);
  static_assert(std::is_same_v<decltype(gradient), Matrix const>);
  CHECK(static_cast<float>(gradient(2, 1)) == 2 * static_cast<float>(x(2, 1)));
}

}  // namespace
