#include <doctest/doctest.h>
#include <tenon/tenon.hpp>
#include <tenon/tensor/complex.hpp>

#include <array>
#include <string>
#include <vector>

namespace create_test {

using namespace tenon;
using namespace tenon::internal;

namespace {

static_assert(zeros<Float32<"3 3">>()(1, 1) == 0);
static_assert(ones<Float64<"3">>()(2) == 1);
static_assert(ones<Complex64<"2 3">>()(1, 2) == std::complex<float>(1));
static_assert(full<Mask<"2 3">>(true)(1, 2));
static_assert(full<Int8<"2">>(-7)(1) == -7);
static_assert(iota<Int32<"2 3">>()(1, 2) == 5);
static_assert(iota<Complex128<"n=3">>()(2) == std::complex<double>(2));
static_assert(eye<Float32<"3 3">>()(1, 1) == 1 && eye<Float32<"3 3">>()(1, 2) == 0);
static_assert(eye<Float32<"2 3">>()(1, 1) == 1 && eye<Float32<"3 2">>()(2, 1) == 0);
static_assert(full<Float32<"">>(2.5f).item() == 2.5f);

constexpr std::array numbers{1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f};
static_assert(from_span<Float32<"2 3">>(numbers)(1, 0) == 4);

TEST_CASE_TEMPLATE("run-time sizes are given in order", D, Cpu, Reference) {
  auto const x = zeros<Float32<"batch 4 channel", D>>(2, 3);
  CHECK(x.sizes() == Sizes{2, 4, 3, 1, 1, 1, 1, 1});
  CHECK(x(1, 3, 2) == 0);
  CHECK(to_string(full<Float32<"n m", D>>(2.5, 2, 3)) == "[[2.5 2.5 2.5]\n [2.5 2.5 2.5]]");
  CHECK(to_string(ones<Int64<"n", D>>(3)) == "[1 1 1]");
  CHECK(to_string(zeros<Mask<"n", D>>(2)) == "[False False]");
  CHECK(to_string(iota<Int16<"n m=2", D>>(3)) == "[[0 1]\n [2 3]\n [4 5]]");
}

TEST_CASE_TEMPLATE("eye has ones on the diagonal, square or not", D, Cpu, Reference) {
  CHECK(to_string(eye<Float32<"n n", D>>(2)) == "[[1. 0.]\n [0. 1.]]");
  CHECK(to_string(eye<Int32<"n n", D>>(2, 2)) == "[[1 0]\n [0 1]]");
  CHECK(to_string(eye<Int32<"n m", D>>(2, 3)) == "[[1 0 0]\n [0 1 0]]");
  CHECK(to_string(eye<Int32<"n m=2", D>>(3)) == "[[1 0]\n [0 1]\n [0 0]]");
  CHECK(eye<Float64<"40 40", D>>()(39, 39) == 1);
  CHECK(to_string(eye<Float32<"n n", D>>(0)) == "[]");
}

TEST_CASE_TEMPLATE("16-bit dtypes can be created like others", D, Cpu, Reference) {
  CHECK(static_cast<float>(iota<BFloat16<"n", D>>(5)(4)) == 4.0f);
  CHECK(static_cast<float>(full<Float16<"n", D>>(2.5f, 3)(2)) == 2.5f);
  CHECK(static_cast<float>(ones<Float16<"3", D>>()(0)) == 1.0f);
}

TEST_CASE("from_span copies from whatever converts to a span") {
  std::vector<double> const range{1, 2, 3, 4};
  CHECK(to_string(from_span<Float64<"n 2">>(range, 2)) == "[[1. 2.]\n [3. 4.]]");
  CHECK_THROWS_WITH_AS(from_span<Float64<"n 2">>(range, 3),
                       "tenon::from_span: expected 6 elements, got 4 (n 2)", ShapeError);
}

TEST_CASE("sizes are checked against the spec") {
  CHECK_THROWS_AS(zeros<Float32<"n=1..4">>(5), ShapeError);
  CHECK_THROWS_AS(zeros<Float32<"n n">>(2, 3), ShapeError);
  CHECK_THROWS_AS(zeros<Float32<"n n+1">>(2, 2), ShapeError);
  CHECK_THROWS_AS(ones<Float32<"n">>(-1), ShapeError);
  CHECK(zeros<Float32<"n n+1">>(2, 3).size() == 6);
}

}  // namespace

}  // namespace create_test
