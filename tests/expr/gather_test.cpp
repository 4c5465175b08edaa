#include <doctest/doctest.h>

#include <tenon/tenon.hpp>

namespace gather_test {

using namespace tenon;

TEST_CASE_TEMPLATE("take gathers the rows given by ids", D, Cpu, Reference) {
  Float32<"vocab=3 embed=2", D> const table{{1, 2}, {3, 4}, {5, 6}};
  Int32<"batch t", D> const ids{{2, 0, 2}, {1, 1, 0}};
  auto const rows = eval(take<"vocab">(table, ids));
  static_assert(decltype(rows)::shape == "batch t embed=2");
  CHECK(rows(0, 0, 1) == 6);
  CHECK(rows(1, 1, 0) == 3);
  auto const columns = eval(take<"embed">(table, Int64<"n", D>{1, 1, 0}));
  CHECK(columns(2, 1) == 6);
  CHECK(columns(2, 2) == 5);
  CHECK(eval(take<"vocab">(table, ids) * 2.0f + 1.0f)(0, 2, 0) == 11);
}

TEST_CASE_TEMPLATE("pick gathers one element of each row", D, Cpu, Reference) {
  Float32<"batch digit=3", D> const x{{1, 2, 3}, {4, 5, 6}};
  Int32<"batch", D> const labels{2, 0};
  auto const picked = eval(pick<"digit">(x, labels));
  CHECK(picked(0) == 3);
  CHECK(picked(1) == 4);
}

TEST_CASE_TEMPLATE("an id out of range throws", D, Cpu, Reference) {
  auto const table = zeros<Float32<"vocab=3 embed=2", D>>();
  CHECK_THROWS_AS(take<"vocab">(table, Int32<"n", D>{3}), IndexError);
  CHECK_THROWS_AS(take<"vocab">(table, Int32<"n", D>{-1}), IndexError);
  CHECK_THROWS_AS(pick<"vocab">(table, Int32<"embed=2", D>{0, 7}), IndexError);
}

TEST_CASE_TEMPLATE("repeated ids add up their gradients", D, Cpu, Reference) {
  Float64<"vocab=4 embed=2", D> const table{{1, 2}, {3, 4}, {5, 6}, {7, 8}};
  Int32<"n", D> const ids{1, 3, 1};
  auto const gradient =
      grad([&](auto const& t) { return sum(square(take<"vocab">(t, ids))); })(table);
  CHECK(gradient(0, 0) == 0);
  CHECK(gradient(1, 0) == doctest::Approx(2 * 2 * 3));
  CHECK(gradient(3, 1) == doctest::Approx(2 * 8));
  auto const of_rows = grad([&](auto const& t) {
    return sum(pick<"embed">(t, Int32<"vocab=4", D>{0, 1, 1, 0}));
  })(table);
  CHECK(of_rows(0, 0) == 1);
  CHECK(of_rows(0, 1) == 0);
  CHECK(of_rows(2, 1) == 1);
}

}  // namespace gather_test
