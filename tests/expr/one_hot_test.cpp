#include "counting.hpp"

namespace one_hot_test {

using namespace counting;

TEST_CASE_TEMPLATE("one_hot expands ids along a new axis", D, Cpu, Reference) {
  Int32<"batch", D> const ids{2, 0, 1};
  auto const rows = one_hot<"class=3">(ids);
  CHECK(spec(rows) == "batch class=3");
  CHECK(elements(rows) == std::vector<double>{0, 0, 1, 1, 0, 0, 0, 1, 0});
  Tensor<std::uint8_t, "batch t=1", D> const bytes{{1}, {0}};
  auto const sized = one_hot<"class", double>(bytes, 2);
  CHECK(spec(sized) == "batch t=1 class");
  CHECK(elements(sized) == std::vector<double>{0, 1, 1, 0});
  CHECK(elements(one_hot<"2", bool>(bytes)) == std::vector<double>{0, 1, 1, 0});
  CHECK_THROWS_AS(one_hot<"class=2">(ids), IndexError);
  CHECK_THROWS_AS(one_hot<"class=2">(Int32<"batch", D>{-1}), IndexError);
}

namespace {

/// The triangle of a matrix with three axes, by the definition.
std::vector<double> triangle(std::int64_t rows, std::int64_t columns, auto const& keeps) {
  return loop(2, rows, columns, [&](auto b, auto i, auto j) {
    return keeps(i, j) ? (b * rows + i) * columns + j : 0;
  });
}

static_assert(eval(tril(Float32<"2 2">{{1, 2}, {3, 4}}))(0, 1) == 0);
static_assert(eval(one_hot<"3">(Int32<"2">{2, 0}))(1, 0) == 1);

}  // namespace

TEST_CASE_TEMPLATE("triangles keep the elements on one side of a diagonal", D, Cpu, Reference) {
  auto const x = counted<Float32<"b row=3 column", D>>(2, 5);
  for (std::int64_t const k : {-9, -3, -1, 0, 2, 4, 9}) {
    CHECK(elements(tril(x, k)) == triangle(3, 5, [&](auto i, auto j) { return j <= i + k; }));
    CHECK(elements(triu(x, k)) == triangle(3, 5, [&](auto i, auto j) { return j >= i + k; }));
  }
  CHECK(spec(tril(x)) == "b row=3 column");
  CHECK(elements(tril(x, std::numeric_limits<std::int64_t>::max())) == elements(x));
  CHECK(elements(triu(x, std::numeric_limits<std::int64_t>::min())) == elements(x));
}

TEST_CASE("the diagonals of a wide matrix are beyond int32") {
  std::int64_t const columns = std::numeric_limits<std::int32_t>::max();
  auto const wide = expand<"row column">(Float32<"">{1}, 2, columns);
  CHECK(elements(diagonal_columns(wide, columns)) == std::vector<double>{0x1p31 - 1, 0x1p31});
}

TEST_CASE("triangles take any dtype, and adjoints pass through the elements they keep") {
  auto const m = full<Mask<"2 2">>(true);
  CHECK(elements(tril(m)) == std::vector<double>{1, 0, 1, 1});
  CHECK(elements(triu(full<Int64<"n n">>(7, 2, 2), 1)) == std::vector<double>{0, 7, 0, 0});
  auto const derivative =
      grad([](auto const& x) { return sum(square(tril(x, -1))); })(Float64<"2 2">{{1, 2}, {3, 4}});
  CHECK(elements(derivative) == std::vector<double>{0, 0, 6, 0});
}

}  // namespace one_hot_test
