// The shape rules at run time: the same functions, and constants from compile time. (g++ 12
// evaluated constants with default-initialised array elements to zeros.)

#include <doctest/doctest.h>

#include <string>

#include "../static/rules.hpp"

using namespace tenon::internal;

using namespace rules;

namespace {

/// A text that is opaque to the optimizer.
std::string opaque(Characters text) {
  volatile char nothing = 0;
  std::string result;
  for (char c : text) result.push_back(static_cast<char>(c + nothing));
  return result;
}

/// A shape constant from a spec equals the shape parsed at run time, in every byte of the axes in
/// use.
template <Spec S>
void check_constant(Characters canonical_text) {
  static constexpr Shape constant = parsed<S>.shape;
  std::string const spec = opaque(S.view());
  Shape const read = parse(spec).shape;
  CHECK(constant.rank == read.rank);
  for (int i = 0; i < read.rank; ++i) {
    CAPTURE(i);
    CHECK(constant[i].name.view() == read[i].name.view());
    CHECK(constant[i].expression.view() == read[i].expression.view());
    CHECK(constant[i].size == read[i].size);
    CHECK(constant[i].lower == read[i].lower);
    CHECK(constant[i].upper == read[i].upper);
  }
  Shape const copy = constant;
  CHECK(copy == read);
  CHECK(std::string(format(copy).view()) == canonical_text);
  CHECK(std::string(canonical<S>.view()) == canonical_text);
}

struct Reading {
  Characters spec, canonical;
};
constexpr Reading readings[] = {
    {"", ""},
    {"28", "28"},
    {" batch  digit=10 ", "batch digit=10"},
    {"batch=..64 _doc 3", "batch=..64 _ 3"},
    {"n=3..3", "n=3"},
    {"a b c d e f g h", "a b c d e f g h"},
    {"n 1+n", "n n+1"},
    {"n=4 m n*m", "n=4 m 4*m"},
    {"(n+1)*(n-1) (4*n+6)//2", "n*n-1 2*n+3"},
    {"min(n,m)+min(m,n) m-n//2", "2*min(m,n) m-(n//2)"},
    {"max(n,m)+max(m,n) max(m,m+2)", "2*max(m,n) m+2"},
};

struct Fitting {
  Characters a, b, result;
};
constexpr Fitting fittings[] = {
    {"", "3 4", "3 4"},        {"batch digit=10", "digit", "batch digit=10"},
    {"a b c", "a c", "a b c"}, {"batch 28 28", "height width=28", "batch height=28 width=28"},
    {"i 1 d", "j d", "i j d"}, {"digit=1", "batch digit=10", "batch digit=10"},
    {"n n+1", "4 _", "n=4 5"}, {"batch=1..64 3", "batch=32.. _", "batch=32..64 3"},
    {"b n n", "n n", "b n n"},
};

}  // namespace

TEST_CASE("a compile-time shape equals the one parsed at run time") {
  check_constant<"">("");
  check_constant<"28">("28");
  check_constant<"  batch digit=10">("batch digit=10");
  check_constant<"a b c d e f g h">("a b c d e f g h");
  check_constant<"batch=1..64 784 _doc">("batch=1..64 784 _");
  check_constant<"n m n*m (1+n)//2 min(n,m)">("n m m*n (n+1)//2 min(m,n)");
  check_constant<"n=4 n+1 n">("n=4 5 n");
}

TEST_CASE("specs are parsed at run time as at compile time") {
  for (auto const& reading : readings) {
    CAPTURE(std::string(reading.spec));
    CHECK(reads(opaque(reading.spec), opaque(reading.canonical)));
  }
}

TEST_CASE("malformed specs throw at run time with the same message") {
  CHECK(refuses(opaque("*4"), "* takes a name, not a size"));
  CHECK(refuses(opaque("a b,"), "a comma: separate axes by spaces", "b,"));
  CHECK(refuses(opaque("n//(2-2)"), "division by zero"));
  CHECK(refuses(opaque("n=3 n=4 n+1"), "one name stands for two sizes", "n+1"));
}

TEST_CASE("shapes broadcast at run time as at compile time") {
  for (auto const& fitting : fittings) {
    CAPTURE(std::string(fitting.a));
    CAPTURE(std::string(fitting.b));
    CHECK(fits(opaque(fitting.a), opaque(fitting.b), opaque(fitting.result)));
  }
  CHECK(mismatches(opaque("i d"), opaque("j d"), 0, 0));
  CHECK(mismatches(opaque("n n"), opaque("n")));
  CHECK(maps(opaque("b"), opaque("a b c"), "1", "012"));
}

TEST_CASE("a compile-time broadcast keeps its index maps at run time") {
  static constexpr auto made = broadcast_shapes(parsed<"b d=1">.shape, parsed<"a b d">.shape);
  CHECK(made.fits);
  CHECK(made.shape == parse(opaque("a b d")).shape);
  int const expected[2][4] = {{1, -1, -1, -1}, {0, 1, 2, -1}};
  for (std::size_t operand = 0; operand < 2; ++operand) {
    for (std::size_t axis = 0; axis < max_rank; ++axis) {
      CHECK(made.maps[operand][axis] == (axis < 4 ? expected[operand][axis] : -1));
    }
  }
}

TEST_CASE("axes are selected and dropped at run time as at compile time") {
  CHECK(reductions(opaque("batch height width"), opaque("width height"), false, "batch"));
  CHECK(reductions(opaque("batch digit=10"), opaque("digit"), true, "batch digit=1"));
  CHECK(cannot_choose(opaque("n n"), opaque("n"), AxisSearch::ambiguous, "n"));
  static constexpr Shape kept = reduced(parsed<"n 3">.shape, every_axis(parsed<"n 3">.shape), true);
  CHECK(kept == parse(opaque("n=1 1")).shape);
  CHECK(std::string(format(kept).view()) == "n=1 1");
}

TEST_CASE("axes are joined at run time as at compile time") {
  CHECK(sums(opaque("n+1"), opaque("m=4"), "m=n+5"));
  CHECK(grows(opaque("n+1"), -1, "n"));
  static constexpr Shape joined =
      with_axis(parsed<"n d">.shape, 0, sum_of(parsed<"n d">.shape[0], axis("m")));
  CHECK(joined == parse(opaque("m+n d")).shape);
  CHECK(std::string(format(joined).view()) == "m+n d");
  static constexpr Shape turned = permuted(parsed<"a b=2 3">.shape, {2, 0, 1});
  CHECK(turned == parse(opaque("3 a b=2")).shape);
}
