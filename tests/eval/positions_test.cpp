// Indices of extremes and reductions of masks: ties, NaN, axes of no elements, long rows.

#include <doctest/doctest.h>
#include <tenon/tenon.hpp>

#include <cstdint>
#include <limits>
#include <vector>

namespace positions_test {

using namespace tenon;
using namespace tenon::internal;

namespace {

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();

/// Lengths around the size of one vector, of four vectors, and of a block of vectors.
std::vector<int> lengths() {
  std::vector<int> all{1};
  for (int vectors : {1, 2, 4, 64}) {
    for (int more : {-1, 0, 1}) all.push_back(vectors * lane_count + more);
  }
  return all;
}

template <class T, class D>
Tensor<T, "n", D> row_of(int n, T value) {
  return full<Tensor<T, "n", D>>(value, n);
}

template <class D>
void expect_positions(Float32<"n", D> const& x, int largest, int smallest) {
  CHECK(argmax(x).item() == largest);
  CHECK(argmin(x).item() == smallest);
  CHECK(argmax<"n">(x + 0.0f).item() == largest);
  CHECK(argmin<"n">(x + 0.0f).item() == smallest);
}

}  // namespace

TEST_CASE_TEMPLATE("argmax and argmin find extremes at every position", D, Cpu, Reference) {
  for (int n : lengths()) {
    for (int i = 0; i<n; i += n> 100 ? 37 : 1) {
      auto x = row_of<float, D>(n, 1);
      x(i) = 2;
      expect_positions<D>(x, i, i == 0 && n > 1 ? 1 : 0);
      x(i) = -infinity;
      expect_positions<D>(x, i == 0 && n > 1 ? 1 : 0, i);
    }
  }
}

TEST_CASE_TEMPLATE("the first of equal elements is found", D, Cpu, Reference) {
  for (int n : lengths()) {
    auto x = row_of<float, D>(n, 3);
    expect_positions<D>(x, 0, 0);
    x(n - 1) = 4;
    x(n / 2) = 4;
    expect_positions<D>(x, n / 2, n / 2 == 0 && n > 1 ? 1 : 0);
    if (n < 2) continue;
    x(n - 1) = 2;
    x(1) = 2;
    CHECK(argmin(x).item() == 1);
  }
  CHECK(argmax(Float32<"4", D>{-0.0f, 0.0f, -0.0f, 0.0f}).item() == 0);
  CHECK(argmin(Float32<"4", D>{0.0f, -0.0f, 0.0f, -0.0f}).item() == 0);
}

TEST_CASE_TEMPLATE("the first NaN is found", D, Cpu, Reference) {
  for (int n : lengths()) {
    for (int i = 0; i<n; i += n> 100 ? 41 : 1) {
      auto x = row_of<float, D>(n, infinity);
      x(0) = -infinity;
      x(n - 1) = not_a_number;
      x(i) = -not_a_number;
      expect_positions<D>(x, i, i);
    }
    expect_positions<D>(row_of<float, D>(n, not_a_number), 0, 0);
  }
}

TEST_CASE_TEMPLATE("the lowest value of a dtype is found among equal elements", D, Cpu, Reference) {
  CHECK(argmax(Float32<"3", D>{-infinity, -infinity, -infinity}).item() == 0);
  CHECK(argmin(Float32<"3", D>{infinity, infinity, infinity}).item() == 0);
  constexpr auto least = std::numeric_limits<std::int8_t>::min();
  CHECK(argmax(Int8<"3", D>{least, least, least + 1}).item() == 2);
  CHECK(argmin(UInt8<"3", D>{255, 255, 254}).item() == 2);
  CHECK(argmax(UInt64<"3", D>{1, ~0ull, ~0ull - 1}).item() == 1);
  CHECK(argmax(Int64<"3", D>{1, (1ll << 53) + 1, 1ll << 53}).item() == 1);
}

TEST_CASE_TEMPLATE("indices along any axis, and over all axes in row-major order", D, Cpu,
                   Reference) {
  Float32<"a b c", D> x = zeros<Float32<"a b c", D>>(3, 5, lane_count + 1);
  x(2, 1, 3) = 5;
  x(0, 4, 3) = 5;
  x(1, 1, 0) = not_a_number;
  auto const along_a = eval(argmax<"a">(x));
  CHECK(along_a(1, 3) == 2);
  CHECK(along_a(1, 0) == 1);
  CHECK(along_a(4, 3) == 0);
  CHECK(eval(argmax<"b">(x))(0, 3) == 4);
  CHECK(eval(argmax<"c">(x))(2, 1) == 3);
  CHECK(argmax(x).item() == 6 * (lane_count + 1));
  CHECK(eval(argmax<"a c">(x))(1) == lane_count + 1);
  x(1, 1, 0) = 0;
  CHECK(argmax(x).item() == 4 * (lane_count + 1) + 3);
}

TEST_CASE_TEMPLATE("an axis without elements has no index of an extreme", D, Cpu, Reference) {
  auto const flat = zeros<Float32<"a b", D>>(3, 0);
  CHECK_THROWS_WITH_AS(eval(argmax<"b">(flat)), "tenon::argmax: an empty axis", ValueError);
  CHECK_THROWS_WITH_AS(eval(argmin<"b">(flat)), "tenon::argmin: an empty axis", ValueError);
  CHECK_THROWS_AS(eval(argmax(flat)), ValueError);
  CHECK_THROWS_AS(eval(argmax<"a">(zeros<Float32<"a b", D>>(0, 3))), ValueError);
  CHECK(eval(argmax<"a">(flat)).size() == 0);
  CHECK(eval(argmin<"b">(zeros<Float32<"a b", D>>(0, 3))).size() == 0);
}

TEST_CASE_TEMPLATE("any and all read every element of a row", D, Cpu, Reference) {
  for (int n : lengths()) {
    for (int i = 0; i<n; i += n> 100 ? 37 : 1) {
      auto x = row_of<bool, D>(n, false);
      CHECK(!any(x).item());
      x(i) = true;
      CHECK(any(x).item());
      CHECK(all(x).item() == (n == 1));
      auto const others = eval(!x);
      CHECK(any(others).item() == (n > 1));
      CHECK(!all(others).item());
      CHECK(all(x || others).item());
    }
  }
}

TEST_CASE_TEMPLATE("NaN compares unequal, also in any and all", D, Cpu, Reference) {
  for (int n : lengths()) {
    auto x = row_of<float, D>(n, 1);
    CHECK(all(x == x).item());
    CHECK(!any(x != x).item());
    x(n - 1) = not_a_number;
    CHECK(!all(x == x).item());
    CHECK(any(x != x).item());
    CHECK(!any(x > 1.0f).item());
    CHECK(all(x <= 1.0f).item() == false);
  }
}

TEST_CASE_TEMPLATE("over no elements, any is false and all is true", D, Cpu, Reference) {
  auto const none = zeros<Mask<"a b", D>>(3, 0);
  CHECK(!any(none).item());
  CHECK(all(none).item());
  CHECK(!eval(any<"b">(none))(2));
  CHECK(eval(all<"b">(none))(2));
  CHECK(eval(any<"a">(none)).size() == 0);
  CHECK(all(zeros<Mask<"a b", D>>(0, 3)).item());
}

TEST_CASE_TEMPLATE("rows longer than 2^16", D, Cpu, Reference) {
  int const n = (1 << 17) + lane_count + 1;
  for (int i : {0, 65535, 65536, 65537, 1 << 17, n - 1}) {
    auto x = zeros<Float32<"row=2 n", D>>(n);
    x(1, i) = 1;
    CHECK(eval(argmax<"n">(x))(1) == i);
    CHECK(eval(argmin<"n">(-x))(1) == i);
    CHECK(argmax(x).item() == n + i);
    CHECK(eval(any<"n">(x > 0.0f))(1));
    CHECK(!eval(any<"n">(x > 0.0f))(0));
    CHECK(!eval(all<"n">(x == 0.0f))(1));
    CHECK(eval(all<"n">(x == 0.0f))(0));
    auto column = zeros<Float32<"n column=2", D>>(n);
    column(i, 1) = 1;
    CHECK(eval(argmax<"n">(column))(1) == i);
  }
}

TEST_CASE("indices beyond int32 throw") {
  Float32<""> const x(1.0f);
  std::int64_t const many = std::int64_t{1} << 31;
  auto const line = expand<"n">(x, many);
  CHECK_THROWS_WITH_AS(argmax<"n">(line),
                       "tenon::argmax: expected at most 2147483647 elements, got more (n)",
                       ShapeError);
  CHECK_THROWS_AS(argmin(expand<"n m">(x, many / 2, 2)), ShapeError);
  CHECK_THROWS_WITH_AS(argsort<"n">(line),
                       "tenon::argsort: expected at most 2147483647 elements, got more (n)",
                       ShapeError);
  CHECK_THROWS_AS(sort<0>(line), ShapeError);
  CHECK_THROWS_AS((topk<"n", 3>(line)), ShapeError);
  CHECK_NOTHROW(argmax<"m">(expand<"n m">(x, many, 2)));
  CHECK_NOTHROW(argmax(expand<"n m k">(x, many, many, 0)));
}

}  // namespace positions_test
