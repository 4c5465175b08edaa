// The cases of tests/static/rearrange.cpp at run time; a compiler has evaluated constexpr shapes to
// zeros there.

#include <doctest/doctest.h>

#include "late_answers.hpp"

namespace late {

using namespace tenon::internal;

TEST_CASE("patterns: axes are permuted, split and merged; the result has the names") {
  CHECK(rearranged("a b -> b a", "2 3") == "b=3 a=2");
  CHECK(rearranged("a b -> b a", "n m") == "b a");
  CHECK(rearranged("b t (h=8 d) -> b h t d", "batch t embed=512") == "b h=8 t d=64");
  CHECK(rearranged("b t (h=8 d) -> b h t d", "batch t embed") == "b h=8 t d");
  CHECK(rearranged("b t (h d=64) -> b h t d", "batch t 512") == "b h=8 t d=64");
  CHECK(rearranged("b h t d -> b t (h d)", "batch head=8 t depth=64") == "b t 512");
  CHECK(rearranged("b h t d -> b t (h d)", "batch head=8 t depth") == "b t 8*d");
  CHECK(rearranged("b h t d -> b t (h d)", "batch head t depth") == "b t d*h");
  CHECK(rearranged("b h t d -> (t b) (d h)", "batch head t depth") == "b*t d*h");
  CHECK(rearranged("b h w c -> b (h w c)", "batch 28 28 3") == "b 2352");
  CHECK(rearranged("(h d) -> h=8 d", "512") == "h=8 d=64");
  CHECK(rearranged("(h=8 d) -> h=8 d", "512") == "h=8 d=64");
  CHECK(rearranged("(a b c=2) -> a b=3 c", "24") == "a=4 b=3 c=2");
  CHECK(rearranged("(a=4 b=6) -> b a", "24") == "b=6 a=4");
  CHECK(rearranged("(a=4 b=6) -> b a", "n") == "b=6 a=4");
  CHECK(rearranged("(a) -> a", "n") == "a");
  CHECK(rearranged("a -> (a)", "n") == "a");
  CHECK(rearranged("a b->b a", "2 3") == "b=3 a=2");
  CHECK(rearranged("a=2 b -> b a", "n m") == "b a=2");
  CHECK(rearranged("a b=3 -> b a", "n m") == "b=3 a");
  CHECK(rearranged("a -> a=5", "n") == "a=5");
  CHECK(rearranged("a b -> b a", "n=1..64 m=3") == "b=3 a=1..64");
  CHECK(rearranged("a -> a", "n+1") == "a");
  CHECK(rearranged("", "") == "an arrow is missing");
  CHECK(rearranged(" -> ", "") == "");
}

TEST_CASE("patterns: axes of size one are added and removed") {
  CHECK(rearranged("i d -> i 1 d", "n m") == "i 1 d");
  CHECK(rearranged("i 1 d -> i d", "n 1 m") == "i d");
  CHECK(rearranged("i 1 d -> d 1 i", "n 1 m") == "d 1 i");
  CHECK(rearranged("i 1 -> i", "n k") == "i");
  CHECK(rearranged("i 1 -> i", "n 3") == "1 does not make up its axis");
  CHECK(rearranged("i () -> () i", "n 1") == "1 i");
  CHECK(rearranged("(i 1) -> i", "n") == "i");
  CHECK(rearranged("i -> (i 1)", "n") == "i");
  CHECK(rearranged("-> 1 1", "") == "1 1");
}

TEST_CASE("patterns: '...' keeps axes unchanged") {
  CHECK(rearranged("... a b -> ... b a", "batch n=3 2 3") == "batch n=3 b=3 a=2");
  CHECK(rearranged("... a b -> ... b a", "2 3") == "b=3 a=2");
  CHECK(rearranged("a ... -> ... a", "x y=2 z+1") == "y=2 z+1 a");
  CHECK(rearranged("a ... b -> (a b) ...", "2 y 3") == "6 y");
  CHECK(rearranged("a ... -> a (...)", "n 2 3") == "a 6");
  CHECK(rearranged("a ... -> a (...)", "n") == "a 1");
  CHECK(rearranged("a ... -> a (...)", "n x y") == "a x*y");
  CHECK(rearranged("a ... -> a (...)", "n x _") == "a _");
  CHECK(rearranged("a ... -> a ...", "x a=3") == "a a=3");
}

TEST_CASE("patterns: every mistake has its message") {
  CHECK(rearranged("a b -> a", "2 3") == "b is not on the right");
  CHECK(rearranged("a -> a b", "2") == "b is not on the left");
  CHECK(rearranged("a -> a b=3", "2") == "b=3 is not on the left");
  CHECK(rearranged("a -> a 3", "2") == "3 is not on the left");
  CHECK(rearranged("a 2 -> a", "n 2") == "2 is not on the right");
  CHECK(rearranged("a b c -> a b c", "2 3") == "fewer axes than in the pattern");
  CHECK(rearranged("a -> a", "2 3") == "more axes than in the pattern");
  CHECK(rearranged("a ... b -> a b ...", "2") == "fewer axes than in the pattern");
  CHECK(rearranged("a a -> a", "2 2") == "a stands twice on one side");
  CHECK(rearranged("a b -> a a b", "2 2") == "a stands twice on one side");
  CHECK(rearranged("(h d) -> h d", "512") == "an axis of two open factors, as h");
  CHECK(rearranged("(h=7 d) -> h d", "512") == "h=7 does not make up its axis");
  CHECK(rearranged("(h=8 d=8) -> h d", "512") == "h=8 does not make up its axis");
  CHECK(rearranged("(h=0 d) -> h d", "512") == "a factor is open beside a size 0");
  CHECK(rearranged("a=3 -> a", "4") == "a=3 does not make up its axis");
  CHECK(rearranged("a=3 -> a=4", "n") == "a has two sizes");
  CHECK(rearranged("(a (b c)) -> a b c", "8") == "parentheses do not nest");
  CHECK(rearranged("(a b -> a b", "8") == "a ( is not closed");
  CHECK(rearranged("a) -> a", "8") == "a ) closes nothing");
  CHECK(rearranged("a -> (a", "8") == "a ( is not closed");
  CHECK(rearranged("a b", "2 3") == "an arrow is missing");
  CHECK(rearranged("a -> a -> a", "2") == "a stray ->");
  CHECK(rearranged("a, b -> a b", "2 3") == "a stray ,");
  CHECK(rearranged("... a ... -> a ...", "2 3") == "... stands twice on one side");
  CHECK(rearranged("a -> a ...", "2") == "... is not on the left");
  CHECK(rearranged("a ... -> a", "2 3") == "... is not on the right");
  CHECK(rearranged("a _ -> a", "2 3") == "_ is not on the right");
  CHECK(rearranged("a b -> a _", "2 3") == "b is not on the right");
  CHECK(rearranged("*a b -> b", "2 3") == "*a: no modifier in this pattern");
  CHECK(rearranged("#a -> a", "2") == "#a: no modifier in this pattern");
  CHECK(rearranged("a=1..3 -> a", "2") == "a=1..3: no bounds in this pattern");
  CHECK(rearranged("a+1 -> a", "2") == "a+1: write a name");
  CHECK(rearranged("a ... -> a ...", "x a=3 a=3") == "a a=3 a=3");
  CHECK(rearranged("b ... -> b ...", "x b=3") == "b b=3");
  CHECK(rearranged("b=2 ... -> b ...", "x b=3") == "b=2 b=3");
  CHECK(rearranged("(a=2 b=2 c=2 d=2 e=2) f g h i j -> a b c d e f g h i j", "32 2 2 2 2 2") ==
        "the factors are more than 8 axes");
}

TEST_CASE("patterns: reduce omits names") {
  CHECK(reduced("b h w c -> b c", "batch 28 28 channel=3") == "b c=3");
  CHECK(reduced("b h w c -> b 1 1 c", "batch 28 28 3") == "b 1 1 c=3");
  CHECK(reduced("b (h h2=2) (w w2=2) c -> b h w c", "batch 28 28 3") == "b h=14 w=14 c=3");
  CHECK(reduced("b (h 2) (w 2) c -> b h w c", "batch 28 28 3") == "b h=14 w=14 c=3");
  CHECK(reduced("b (h 2) -> b h", "batch m") == "b h");
  CHECK(reduced("b _ _ c -> b c", "batch 28 28 3") == "b c=3");
  CHECK(reduced("b ... -> b", "batch 28 28 3") == "b");
  CHECK(reduced("... c -> c", "batch 28 28 3") == "c=3");
  CHECK(reduced("a b -> b a", "2 3") == "b=3 a=2");
  CHECK(reduced("a b ->", "2 3") == "");
  CHECK(reduced("a b -> ()", "2 3") == "1");
  CHECK(reduced("a b -> a c", "2 3") == "c is not on the left");
  CHECK(reduced("a b -> a c=2", "2 3") == "c=2 is not on the left");
  CHECK(reduced("a b -> a 2", "2 3") == "2 is not on the left");
}

TEST_CASE("patterns: repeat adds names") {
  CHECK(repeated("h w -> h w c=3", "2 n") == "h=2 w c=3");
  CHECK(repeated("h w -> h w 3", "2 n") == "h=2 w 3");
  CHECK(repeated("h w -> (h h2=2) (w w2=2)", "4 n") == "8 2*w");
  CHECK(repeated("h w -> (2 h) w", "4 n") == "8 w");
  CHECK(repeated("h w -> (2 h) w", "m n") == "2*h w");
  CHECK(repeated("-> n=4", "") == "n=4");
  CHECK(repeated("h -> h c", "2") == "c is new: write its size, c=3");
  CHECK(repeated("h w -> h c=3", "2 3") == "w is not on the right");
  CHECK(repeated("h -> h 1 c=2", "n") == "h 1 c=2");
  CHECK(repeated("... -> ... c=2", "a b") == "a b c=2");
  CHECK(repeated("h=2 -> h h2=2", "n") == "h=2 h2=2");
  CHECK(repeated("h -> h _", "n") == "_ is no name for a result");
}

TEST_CASE("a rearrangement computed at compile time is the same at run time") {
  static constexpr Rearrangement compiled =
      rearrange_rule("b t (h=8 d) -> (b h) t d 1", shape("batch t 512"));
  CHECK(same(compiled, rearrange_rule("b t (h=8 d) -> (b h) t d 1", shape("batch t 512"))));
}

TEST_CASE("the open factor of each axis is solved at run time") {
  auto const rule = rearrange_rule("(b c) (h=8 d) -> c=2 (b h) 1 d", shape("n m"));
  CHECK(rule.fits);
  Sizes const split = split_sizes(rule, {10, 24, 1, 1, 1, 1, 1, 1});
  CHECK(split == Sizes{5, 2, 8, 3, 1, 1, 1, 1});
  Sizes const permuted = permuted_sizes(rule, split);
  CHECK(permuted == Sizes{2, 5, 8, 1, 3, 1, 1, 1});
  CHECK(merged_sizes(rule, permuted) == Sizes{2, 40, 1, 3, 1, 1, 1, 1});
}

TEST_CASE("factors that do not multiply to their axis throw at run time") {
  auto const rule = rearrange_rule("a (h=8 d) -> a h d", shape("n m"));
  CHECK_THROWS_WITH_AS(split_sizes(rule, {3, 20, 1, 1, 1, 1, 1, 1}),
                       "tenon::rearrange: 'axis 1': expected a multiple of 8, got 20", ShapeError);
  auto const whole = reduce_rule("a 1 (h=2 d=2) -> a", shape("n m k"));
  CHECK_THROWS_WITH_AS(split_sizes(whole, {3, 1, 5, 1, 1, 1, 1, 1}, "reduce"),
                       "tenon::reduce: 'axis 2': expected 4, got 5", ShapeError);
  CHECK_THROWS_AS(split_sizes(whole, {3, 2, 4, 1, 1, 1, 1, 1}), ShapeError);
}

TEST_CASE("axes of size zero are split") {
  auto const rule = rearrange_rule("(h=8 d) -> h d", shape("n"));
  CHECK(split_sizes(rule, {0, 1, 1, 1, 1, 1, 1, 1}) == Sizes{8, 0, 1, 1, 1, 1, 1, 1});
}

}  // namespace late
