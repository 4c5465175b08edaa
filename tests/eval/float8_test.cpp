#include <doctest/doctest.h>

#include <cmath>
#include <sstream>

#include <tenon/tenon.hpp>

namespace float8_tensors_test {

using namespace tenon;

TEST_CASE("tensors of 8-bit floats are made and read by casts") {
  Float32<"n"> const x{0.3f, 1.1f, 500, -7, 0.001f};
  Float8E4M3FN<"n"> const small = to<float8_e4m3fn>(x);
  Float32<"n"> const back = to<float>(small);
  CHECK(back(0) == 0.3125f);
  CHECK(back(1) == 1.125f);
  CHECK(std::isnan(back(2)));
  CHECK(back(3) == -7);
  CHECK(back(4) == 0x1p-9f);
  CHECK(eval(to<float>(to<float8_e4m3fn>(x)))(0) == 0.3125f);
  CHECK(static_cast<float>(small(1)) == 1.125f);
}

TEST_CASE("every number of elements and every floating dtype is cast") {
  for (int n : {1, 2, 7, 8, 15, 16, 17, 31, 1000}) {
    auto const x = eval(to<bfloat16>(ones<Float32<"n">>(n) * 3));
    auto const y = eval(to<double>(to<float8_e5m2>(x)));
    CHECK(y(n - 1) == 3);
    CHECK(sum(y).item() == 3 * n);
  }
  CHECK(static_cast<float>(to<float16>(Float8E5M2<"2">{1, 2.5f})(1)) == 2.5f);
  CHECK(static_cast<float>(to<float8_e5m2>(Int32<"1">{9})(0)) == 8);
  CHECK(static_cast<float>(to<float8_e5m2>(Float8E4M3FN<"1">{1.125f})(0)) == 1);
  CHECK(to<std::int32_t>(Float8E5M2<"1">{-2.5f})(0) == -2);
  CHECK(to<bool>(Float8E5M2<"2">{0, 1})(1));
}

TEST_CASE("views, joins and copies of 8-bit floats") {
  Float8E5M2<"2 3"> const x{{1, 2, 3}, {4, 5, 6}};
  CHECK(static_cast<float>(transpose(x)(2, 1)) == 6);
  CHECK(static_cast<float>(eval(slice<1, 1, 3>(x))(1, 0)) == 5);
  CHECK(static_cast<float>(eval(concat<0>(x, x))(3, 2)) == 6);
  CHECK(static_cast<float>(x[1](0)) == 4);
  CHECK(static_cast<float>(zeros<Float8E4M3FN<"n">>(3)(2)) == 0);
}

TEST_CASE("8-bit floats are printed with the digits that identify them") {
  std::ostringstream text;
  text << Float8E4M3FN<"2">{0.3f, 1.5f};
  CHECK(text.str() == "[0.3 1.5]");
}

TEST_CASE("gradients pass a cast to 8 bits, which has no gradient of its own") {
  auto const lazy = [](Float32<"n"> const& x) { return sum(to<float>(to<float8_e4m3fn>(x)) * 2); };
  CHECK(grad(lazy)(Float32<"n">{1, 2, 3})(1) == 2);
  auto const kept = [](Float32<"n"> const& x) {
    Float8E4M3FN<"n"> const small = to<float8_e4m3fn>(x);
    return sum(square(to<float>(small)));
  };
  CHECK(grad(kept)(Float32<"n">{1, 2, 0.3f})(2) == 0.625f);
  struct Model {
    Float32<"2"> weight;
    Float8E4M3FN<"2"> small;
  };
  auto const both = [](Model const& m) { return sum(m.weight * to<float>(m.small)); };
  auto const gradient = grad(both)(Model{{1, 2}, {3, 4}});
  CHECK(gradient.weight(1) == 4);
  CHECK(static_cast<float>(gradient.small(1)) == 4);
}

static_assert(Shaped<Float8E4M3FN<"3">, "n"> && !Num<Float8E4M3FN<"3">, "n"> &&
              !Float<Float8E5M2<"3">, "n">);

}  // namespace float8_tensors_test
