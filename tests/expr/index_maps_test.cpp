// Moved elementwise expressions over tensors with run-time sizes: a moved-from expression throws,
// and no buffer leaks.
#include <utility>

#include <doctest/doctest.h>

#include <tenon/tenon.hpp>

namespace moved_nodes_test {

using namespace tenon;

namespace {

using Row = Float32<"n">;
using Table = Float32<"batch n">;

bool is_alone(Row const& x) { return x.storage().buffer.unique(); }

}  // namespace

TEST_CASE("a moved expression has the operands of the original") {
  Row const x{1, 2, 3}, y{4, 5, 6};
  auto e = x + y * 2;
  auto const f = std::move(e) - 1;
  Row const value = f;
  CHECK(value(0) == 8);
  CHECK(value(2) == 14);
  CHECK(f.sizes()[0] == 3);
}

TEST_CASE("a moved-from expression throws") {
  Row const x{1, 2, 3};
  auto e = x + x;
  auto const f = std::move(e);
  CHECK_THROWS_AS((void)eval(e), Error);
  CHECK_THROWS_AS([copy = e] { (void)copy; }(), Error);
  CHECK_THROWS_AS((void)(e * 2), Error);
  CHECK_THROWS_AS((void)sum(e), Error);
  CHECK_THROWS_AS((void)e(0), Error);
  CHECK(f(1) == 4);
}

TEST_CASE("an expression that contains a moved-from expression throws") {
  Table const x{{1, 2, 3}, {4, 5, 6}};
  auto part = slice<"n">(x + x, 1, 2);
  auto turned = transpose<"n batch">(x + x);
  auto total = sum<"n">(x + x);
  auto const part_of = std::move(part);
  auto const turned_of = std::move(turned);
  auto const total_of = std::move(total);
  CHECK_THROWS_AS((void)eval(part), Error);
  CHECK_THROWS_AS((void)eval(turned), Error);
  CHECK_THROWS_AS((void)turned(1, 1), Error);
  CHECK_THROWS_AS((void)eval(total), Error);
  CHECK(eval(part_of)(1, 0) == 10);
  CHECK(turned_of(2, 1) == 12);
  CHECK(eval(total_of)(0) == 12);
}

TEST_CASE("no expression is built over a moved-from one, and no reference count is lost") {
  Row const x{1, 2, 3};
  Table const y{{1, 2, 3}, {4, 5, 6}};
  auto e = y + y;
  auto const f = std::move(e);
  CHECK_THROWS_WITH_AS((void)(x + std::move(e)), doctest::Contains("moved from"), Error);
  CHECK(is_alone(x));
  CHECK(f(1, 2) == 12);
}

TEST_CASE("assigning an expression keeps the members after it") {
  Row const x{1, 2, 3};
  struct Pair {
    [[no_unique_address]] decltype(x * 2) e;
    float f;
  };
  Pair pair{x * 2, 7.5f};
  pair.e = x * 3;
  CHECK(pair.f == 7.5f);
  CHECK(pair.e(1) == 6);
}

TEST_CASE("moving, copying and assigning expressions releases each tensor once") {
  Row const x{1, 2, 3}, y{4, 5, 6};
  {
    auto e = x + y;
    auto f = e;
    auto g = std::move(e);
    e = f;
    f = x + x;
    g = std::move(f);
    f = x + y;
    std::swap(f, g);
    auto const& same = g;
    g = same;
    auto const h = where(x > 1, e, x);
    auto const copy = h;
    CHECK(copy(0) == 1);
    CHECK(copy(1) == 7);
    CHECK(e(0) == 5);
    CHECK(f(0) == 2);
    CHECK(g(0) == 5);
    CHECK_FALSE(is_alone(x));
  }
  CHECK(is_alone(x));
  CHECK(is_alone(y));
}

TEST_CASE("an operation whose sizes differ keeps no reference to its operands") {
  Row const x{1, 2, 3}, y{4, 5};
  CHECK_THROWS_AS((void)(x * 2 + (y + 1)), ShapeError);
  CHECK_THROWS_AS((void)where(x > 0, x * 2, y), ShapeError);
  CHECK(is_alone(x));
  CHECK(is_alone(y));
}

TEST_CASE("the sizes of an expression are those of its operands, in any position") {
  Row const row{1, 2};
  Table const table{{1, 2}, {3, 4}, {5, 6}};
  Float32<"batch=3 n"> const tall{{1, 2}, {3, 4}, {5, 6}};
  CHECK((row + table).sizes()[0] == 3);
  CHECK((row + table).sizes()[1] == 2);
  CHECK((table * row + tall).sizes()[0] == 3);
  Float32<"batch"> const column{1, 2, 3};
  CHECK((column * 2 + table - row).sizes()[1] == 2);
  Table const wrong{{1, 2}};
  CHECK_THROWS_WITH_AS((void)(wrong + tall),
                       "tenon::add: 'batch=3': expected 3, got 1 (run-time sizes of \"batch=3 n\")",
                       ShapeError);
  CHECK_THROWS_AS((void)(tall + wrong), ShapeError);
  CHECK_THROWS_AS((void)(table + wrong), ShapeError);
}

}  // namespace moved_nodes_test
