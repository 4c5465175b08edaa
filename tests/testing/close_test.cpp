#include <doctest/doctest.h>
#include <tenon/tenon.hpp>

#include <complex>
#include <cstdint>
#include <limits>

#include <tenon/testing.hpp>

namespace close_test {

using namespace tenon;
using testing::check_close;

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

struct Layer {
  Float32<"in=2 out=2"> weight;
  Float32<"out=2"> bias;
  int steps = 3;
};
struct Model {
  std::array<Layer, 2> layers;
};

TEST_CASE("equal and close values pass") {
  Float32<"row=2 column=2"> const x{{1, 2}, {3, 4}};
  CHECK_CLOSE(x, x);
  CHECK_CLOSE(x, x * 1.001f, 1e-2);
  CHECK_CLOSE(x, x + 0.5f, {.absolute = 0.6});
  CHECK_CLOSE(x, x * 2.0f, {.relative = 0.51});
  CHECK_CLOSE(to<double>(x), x);
  CHECK_CLOSE(sum(x), 10.0f);
  CHECK_CLOSE(10, sum(x));
  CHECK_CLOSE(0.1 + 0.2, 0.3);
  CHECK_CLOSE(Float32<"n=2">{infinity, -infinity}, Float32<"n=2">{infinity, -infinity});
  CHECK_CLOSE(ones<Float32<"n">>(0), ones<Float32<"n">>(0));
  CHECK_CLOSE(Model{}, Model{});
}

TEST_CASE("the largest difference is reported with its position") {
  Float32<"row=2 column=3"> const expected{{1, 2, 3}, {4, 5, 6}};
  auto got = expected;
  got(0, 1) = 2.5f;
  got(1, 2) = 8;
  CHECK(
      check_close(got, expected, 1e-3).text ==
      "expected 6, got 8 at row=1 column=2: the difference is 2, at most 0.001 + 0.001 |expected| "
      "is allowed (2 of 6 elements differ)");
  CHECK(check_close(3.5, 3.0, {.absolute = 0.25}).text ==
        "expected 3, got 3.5: the difference is 0.5, at most 0.25 + 0 |expected| is allowed "
        "(1 of 1 elements differ)");
}

TEST_CASE("NaN is not close, and is the largest difference") {
  Float32<"3"> const got{nan, 1, infinity}, expected{0, 100, 1};
  CHECK(check_close(got, expected, 1e-3).text ==
        "expected 0, got nan at _=0: the difference is nan, at most 0.001 + 0.001 |expected| is "
        "allowed (3 of 3 elements differ)");
  CHECK(!check_close(nan, nan));
  CHECK(!check_close(1.0f, infinity, 1e9));
}

TEST_CASE("sizes that differ at run time are reported") {
  auto const result = check_close(ones<Float32<"row 2">>(3), ones<Float32<"row 2">>(4));
  CHECK(result.text == "expected the sizes (4, 2), got (3, 2)");
}

TEST_CASE("without a tolerance it depends on the dtype") {
  CHECK(check_close(1.0f, 1.0f + 5e-6f));
  CHECK(!check_close(1.0f, 1.0f + 5e-5f));
  CHECK(check_close(1.0, 1.0 + 1e-7));
  CHECK(!check_close(1.0, 1.0 + 1e-6));
  CHECK(check_close(bfloat16(1.0f), bfloat16(1.0078125f)));
  CHECK(!check_close(float16(1.0f), float16(1.0078125f)));
  CHECK(!check_close(std::int64_t{1} << 62, (std::int64_t{1} << 62) + 1));
  CHECK(!check_close(true, false));
}

TEST_CASE("complex numbers are compared by the modulus") {
  using Complex = std::complex<float>;
  Complex64<"n=2"> const got{Complex(1, 2), Complex(0, 1)}, expected{Complex(1, 2), Complex(0, 2)};
  CHECK_CLOSE(got, got);
  CHECK(check_close(got, expected).text ==
        "expected (0, 2), got (0, 1) at n=1: the difference is 1, at most 1e-05 + 1.3e-06 "
        "|expected| is allowed (1 of 2 elements differ)");
}

TEST_CASE("a leaf of a struct is reported with its path") {
  Model expected, got;
  got.layers[1].bias(1) = 7;
  CHECK(check_close(got, expected).text ==
        "expected 0, got 7 at layers.1.bias, out=1: the difference is 7, at most 1e-05 + 1.3e-06 "
        "|expected| is allowed (1 of 14 elements differ)");
  got = expected;
  got.layers[0].steps = 4;
  CHECK(check_close(got, expected).text ==
        "expected 3, got 4 at layers.0.steps: the difference is 1, at most 0 + 0 |expected| is "
        "allowed (1 of 14 elements differ)");
}

}  // namespace close_test
