// The cases of tests/static/contraction_einsum.cpp at run time; a compiler has evaluated constexpr
// shapes to zeros there.

#include <doctest/doctest.h>

#include "late_answers.hpp"

namespace late {

using namespace tenon::internal;

TEST_CASE("einsum: names are variables, and the result has them") {
  CHECK(einsum("b h q d, b h k d -> b h q k", "batch head=8 t depth=64",
               "batch head=8 t depth=64") == "b h=8 q k");
  CHECK(einsum("i j, j k -> i k", "2 3", "3 4") == "i=2 k=4");
  CHECK(einsum("i j, j k -> k i", "2 3", "3 4") == "k=4 i=2");
  CHECK(einsum("i j, j k -> ", "2 3", "3 4") == "");
  CHECK(einsum("i, j -> i j", "a", "b") == "i j");
  CHECK(einsum("i, i -> ", "n", "n") == "");
  CHECK(einsum("i, i -> i", "n", "n") == "i");
  CHECK(einsum("i j, k -> i", "2 3", "4") == "i=2");
  CHECK(einsum("i j,j k->i k", "2 3", "3 4") == "i=2 k=4");
  CHECK(einsum("  i   j ,j k  ->  i k ", "2 3", "3 4") == "i=2 k=4");
  CHECK(einsum(", i -> i", "", "n") == "i");
  CHECK(einsum("b d, d -> b", "batch=1..64 d", "d") == "b=1..64");
  CHECK(einsum("b d, d -> b", "_ 3", "d") == "b");
  CHECK(einsum("b d, d -> b", "n+1 3", "d") == "b");
  CHECK(einsum("long_name other2, other2 x -> long_name x", "2 3", "3 4") == "long_name=2 x=4");
}

TEST_CASE("einsum: sizes in the pattern") {
  CHECK(einsum("b d=64, d e -> b e", "batch depth", "64 e") == "b e");
  CHECK(einsum("b d=64, d e -> b d", "batch depth", "depth e") == "b d=64");
  CHECK(einsum("b d, d=64 e -> b d", "batch depth", "depth e") == "b d=64");
  CHECK(einsum("b d, d e -> b d=64", "batch depth", "depth e") == "b d=64");
  CHECK(einsum("b d=64, d e -> b e", "batch 32", "32 e") == "d=64 is another size than its axis");
  CHECK(einsum("b d=64, d e -> b e", "batch depth", "32 e") == "the axes of d do not agree");
  CHECK(einsum("b d=64, d=32 e -> b e", "batch depth", "depth e") ==
        "d=32 is another size than its axis");
  CHECK(einsum("b d, d e -> b d=64", "batch 32", "_ e") == "d=64 is another size than its axis");
}

TEST_CASE("einsum: axes with one name have equal sizes and do not broadcast") {
  CHECK(einsum("b d, b d -> b", "a x", "b x") == "the axes of b do not agree");
  CHECK(einsum("b d, b d -> b", "2 3", "2 4") == "the axes of d do not agree");
  CHECK(einsum("b d, b d -> b", "1 3", "2 3") == "the axes of b do not agree");
  CHECK(einsum("b d, b d -> b", "x y", "x y") == "b");
  CHECK(einsum("b d, b d -> b", "height=28 3", "width=28 3") == "the axes of b do not agree");
  CHECK(einsum("i i, i -> i", "3 4", "3") == "the axes of i do not agree");
  CHECK(einsum("i, j j -> i", "3", "3 4") == "the axes of j do not agree");
}

TEST_CASE("einsum: every mistake has its message") {
  CHECK(einsum("i j, j k -> i z", "2 3", "3 4") == "z is in no operand");
  CHECK(einsum("i j, j k -> i i", "2 3", "3 4") == "i stands twice in the result");
  CHECK(einsum("i j k, j k -> i", "2 3", "3 4") == "left operand: fewer axes than words");
  CHECK(einsum("i, j k -> i", "2 3", "3 4") == "left operand: more axes than words");
  CHECK(einsum("i j, j -> i", "2 3", "3 4") == "right operand: more axes than words");
  CHECK(einsum("i j, j k l -> i", "2 3", "3 4") == "right operand: fewer axes than words");
  CHECK(einsum("i j -> i", "2 3", "3 4") == "a comma is missing before ->");
  CHECK(einsum("i j, j k", "2 3", "3 4") == "an arrow is missing");
  CHECK(einsum("i j, j k, k l -> i", "2 3", "3 4") == "an arrow is missing before ,");
  CHECK(einsum("i j, j k -> i, k", "2 3", "3 4") == "a stray ,");
  CHECK(einsum("i j, j k -> i -> k", "2 3", "3 4") == "a stray ->");
  CHECK(einsum("i (j), j k -> i k", "2 3", "3 4") == "a stray (");
  CHECK(einsum("i 3, j k -> i k", "2 3", "3 4") == "3: write a name");
  CHECK(einsum("i _, j k -> i k", "2 3", "3 4") == "_: write a name");
  CHECK(einsum("i *j, j k -> i k", "2 3", "3 4") == "*j: no modifier in this pattern");
  CHECK(einsum("i ... , j k -> i k", "2 3", "3 4") == "a stray ...");
  CHECK(einsum("i j=1..4, j k -> i k", "2 3", "3 4") == "j=1..4: no bounds in this pattern");
  CHECK(einsum("i j+1, j k -> i k", "2 3", "3 4") == "j+1: write a name");
  CHECK(einsum("", "2 3", "3 4") == "left operand: more axes than words");
  CHECK(einsum("a b c d e, f g h i -> a b c d e f g h i", "2 2 2 2 2", "2 2 2 2") ==
        "the result has more than 8 axes");
}

TEST_CASE("einsum: one operand") {
  CHECK(einsum("i j -> j i", "2 3") == "j=3 i=2");
  CHECK(einsum("i j -> j", "2 n") == "j");
  CHECK(einsum("i i -> i", "n n") == "i");
  CHECK(einsum("i i ->", "3 3") == "");
  CHECK(einsum("i i ->", "3 4") == "the axes of i do not agree");
  CHECK(einsum("i j -> i", "2") == "operand: fewer axes than words");
  CHECK(einsum("i -> i", "2 3") == "operand: more axes than words");
  CHECK(einsum("i, j -> i", "2") == "an arrow is missing before ,");
}

TEST_CASE("an einsum computed at compile time is the same at run time") {
  static constexpr Contraction compiled =
      einsum_rule("b h q d, b h k d -> b h q k", shape("b h=8 t d"), shape("b 8 t d=64"));
  CHECK(same(compiled,
             einsum_rule("b h q d, b h k d -> b h q k", shape("b h=8 t d"), shape("b 8 t d=64"))));
}

TEST_CASE("a size in the pattern is checked at run time") {
  Shape const a = shape("b d");
  Contraction const rule = einsum_rule("b d=64 -> b", a);
  CHECK_NOTHROW(label_sizes("einsum", rule, a, {2, 64, 1, 1, 1, 1, 1, 1}));
  CHECK_THROWS_WITH_AS(
      label_sizes("einsum", rule, a, {2, 32, 1, 1, 1, 1, 1, 1}),
      "tenon::einsum: 'd': expected 64, got 32 (axis 1 of the left operand, \"b d\")", ShapeError);
}

}  // namespace late
