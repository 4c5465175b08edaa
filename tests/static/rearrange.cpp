// The rules of rearrange, reduce and repeat: the resulting shapes and the mistakes.

#include "answers.hpp"

namespace answers {

using namespace tenon::internal;

// Axes are permuted, split and merged; the result has the names.
static_assert(rearranged("a b -> b a", "2 3") == "b=3 a=2");
static_assert(rearranged("a b -> b a", "n m") == "b a");
static_assert(rearranged("b t (h=8 d) -> b h t d", "batch t embed=512") == "b h=8 t d=64");
static_assert(rearranged("b t (h=8 d) -> b h t d", "batch t embed") == "b h=8 t d");
static_assert(rearranged("b t (h d=64) -> b h t d", "batch t 512") == "b h=8 t d=64");
static_assert(rearranged("b h t d -> b t (h d)", "batch head=8 t depth=64") == "b t 512");
static_assert(rearranged("b h t d -> b t (h d)", "batch head=8 t depth") == "b t 8*d");
static_assert(rearranged("b h t d -> b t (h d)", "batch head t depth") == "b t d*h");
static_assert(rearranged("b h t d -> (t b) (d h)", "batch head t depth") == "b*t d*h");
static_assert(rearranged("b h w c -> b (h w c)", "batch 28 28 3") == "b 2352");
static_assert(rearranged("(h d) -> h=8 d", "512") == "h=8 d=64");
static_assert(rearranged("(h=8 d) -> h=8 d", "512") == "h=8 d=64");
static_assert(rearranged("(a b c=2) -> a b=3 c", "24") == "a=4 b=3 c=2");
static_assert(rearranged("(a=4 b=6) -> b a", "24") == "b=6 a=4");
static_assert(rearranged("(a=4 b=6) -> b a", "n") == "b=6 a=4");
static_assert(rearranged("(a) -> a", "n") == "a");
static_assert(rearranged("a -> (a)", "n") == "a");
static_assert(rearranged("a b->b a", "2 3") == "b=3 a=2");
static_assert(rearranged("a=2 b -> b a", "n m") == "b a=2");
static_assert(rearranged("a b=3 -> b a", "n m") == "b=3 a");
static_assert(rearranged("a -> a=5", "n") == "a=5");
static_assert(rearranged("a b -> b a", "n=1..64 m=3") == "b=3 a=1..64");
static_assert(rearranged("a -> a", "n+1") == "a");
static_assert(rearranged("", "") == "an arrow is missing");
static_assert(rearranged(" -> ", "") == "");

// Axes of size one are added and removed.
static_assert(rearranged("i d -> i 1 d", "n m") == "i 1 d");
static_assert(rearranged("i 1 d -> i d", "n 1 m") == "i d");
static_assert(rearranged("i 1 d -> d 1 i", "n 1 m") == "d 1 i");
static_assert(rearranged("i 1 -> i", "n k") == "i");
static_assert(rearranged("i 1 -> i", "n 3") == "1 does not make up its axis");
static_assert(rearranged("i () -> () i", "n 1") == "1 i");
static_assert(rearranged("(i 1) -> i", "n") == "i");
static_assert(rearranged("i -> (i 1)", "n") == "i");
static_assert(rearranged("-> 1 1", "") == "1 1");

// '...' keeps axes unchanged.
static_assert(rearranged("... a b -> ... b a", "batch n=3 2 3") == "batch n=3 b=3 a=2");
static_assert(rearranged("... a b -> ... b a", "2 3") == "b=3 a=2");
static_assert(rearranged("a ... -> ... a", "x y=2 z+1") == "y=2 z+1 a");
static_assert(rearranged("a ... b -> (a b) ...", "2 y 3") == "6 y");
static_assert(rearranged("a ... -> a (...)", "n 2 3") == "a 6");
static_assert(rearranged("a ... -> a (...)", "n") == "a 1");
static_assert(rearranged("a ... -> a (...)", "n x y") == "a x*y");
static_assert(rearranged("a ... -> a (...)", "n x _") == "a _");
static_assert(rearranged("a ... -> a ...", "x a=3") == "a a=3");

// Every mistake has its message.
static_assert(rearranged("a b -> a", "2 3") == "b is not on the right");
static_assert(rearranged("a -> a b", "2") == "b is not on the left");
static_assert(rearranged("a -> a b=3", "2") == "b=3 is not on the left");
static_assert(rearranged("a -> a 3", "2") == "3 is not on the left");
static_assert(rearranged("a 2 -> a", "n 2") == "2 is not on the right");
static_assert(rearranged("a b c -> a b c", "2 3") == "fewer axes than in the pattern");
static_assert(rearranged("a -> a", "2 3") == "more axes than in the pattern");
static_assert(rearranged("a ... b -> a b ...", "2") == "fewer axes than in the pattern");
static_assert(rearranged("a a -> a", "2 2") == "a stands twice on one side");
static_assert(rearranged("a b -> a a b", "2 2") == "a stands twice on one side");
static_assert(rearranged("(h d) -> h d", "512") == "an axis of two open factors, as h");
static_assert(rearranged("(h=7 d) -> h d", "512") == "h=7 does not make up its axis");
static_assert(rearranged("(h=8 d=8) -> h d", "512") == "h=8 does not make up its axis");
static_assert(rearranged("(h=0 d) -> h d", "512") == "a factor is open beside a size 0");
static_assert(rearranged("a=3 -> a", "4") == "a=3 does not make up its axis");
static_assert(rearranged("a=3 -> a=4", "n") == "a has two sizes");
static_assert(rearranged("(a (b c)) -> a b c", "8") == "parentheses do not nest");
static_assert(rearranged("(a b -> a b", "8") == "a ( is not closed");
static_assert(rearranged("a) -> a", "8") == "a ) closes nothing");
static_assert(rearranged("a -> (a", "8") == "a ( is not closed");
static_assert(rearranged("a b", "2 3") == "an arrow is missing");
static_assert(rearranged("a -> a -> a", "2") == "a stray ->");
static_assert(rearranged("a, b -> a b", "2 3") == "a stray ,");
static_assert(rearranged("... a ... -> a ...", "2 3") == "... stands twice on one side");
static_assert(rearranged("a -> a ...", "2") == "... is not on the left");
static_assert(rearranged("a ... -> a", "2 3") == "... is not on the right");
static_assert(rearranged("a _ -> a", "2 3") == "_ is not on the right");
static_assert(rearranged("a b -> a _", "2 3") == "b is not on the right");
static_assert(rearranged("*a b -> b", "2 3") == "*a: no modifier in this pattern");
static_assert(rearranged("#a -> a", "2") == "#a: no modifier in this pattern");
static_assert(rearranged("a=1..3 -> a", "2") == "a=1..3: no bounds in this pattern");
static_assert(rearranged("a+1 -> a", "2") == "a+1: write a name");
static_assert(rearranged("a ... -> a ...", "x a=3 a=3") == "a a=3 a=3");
static_assert(rearranged("b ... -> b ...", "x b=3") == "b b=3");
static_assert(rearranged("b=2 ... -> b ...", "x b=3") == "b=2 b=3");
static_assert(rearranged("(a=2 b=2 c=2 d=2 e=2) f g h i j -> a b c d e f g h i j",
                         "32 2 2 2 2 2") == "the factors are more than 8 axes");

// Reduce omits names.
static_assert(reduced("b h w c -> b c", "batch 28 28 channel=3") == "b c=3");
static_assert(reduced("b h w c -> b 1 1 c", "batch 28 28 3") == "b 1 1 c=3");
static_assert(reduced("b (h h2=2) (w w2=2) c -> b h w c", "batch 28 28 3") == "b h=14 w=14 c=3");
static_assert(reduced("b (h 2) (w 2) c -> b h w c", "batch 28 28 3") == "b h=14 w=14 c=3");
static_assert(reduced("b (h 2) -> b h", "batch m") == "b h");
static_assert(reduced("b _ _ c -> b c", "batch 28 28 3") == "b c=3");
static_assert(reduced("b ... -> b", "batch 28 28 3") == "b");
static_assert(reduced("... c -> c", "batch 28 28 3") == "c=3");
static_assert(reduced("a b -> b a", "2 3") == "b=3 a=2");
static_assert(reduced("a b ->", "2 3") == "");
static_assert(reduced("a b -> ()", "2 3") == "1");
static_assert(reduced("a b -> a c", "2 3") == "c is not on the left");
static_assert(reduced("a b -> a c=2", "2 3") == "c=2 is not on the left");
static_assert(reduced("a b -> a 2", "2 3") == "2 is not on the left");

// Repeat adds names.
static_assert(repeated("h w -> h w c=3", "2 n") == "h=2 w c=3");
static_assert(repeated("h w -> h w 3", "2 n") == "h=2 w 3");
static_assert(repeated("h w -> (h h2=2) (w w2=2)", "4 n") == "8 2*w");
static_assert(repeated("h w -> (2 h) w", "4 n") == "8 w");
static_assert(repeated("h w -> (2 h) w", "m n") == "2*h w");
static_assert(repeated("-> n=4", "") == "n=4");
static_assert(repeated("h -> h c", "2") == "c is new: write its size, c=3");
static_assert(repeated("h w -> h c=3", "2 3") == "w is not on the right");
static_assert(repeated("h -> h 1 c=2", "n") == "h 1 c=2");
static_assert(repeated("... -> ... c=2", "a b") == "a b c=2");
static_assert(repeated("h=2 -> h h2=2", "n") == "h=2 h2=2");
static_assert(repeated("h -> h _", "n") == "_ is no name for a result");

// The steps: split, permute, merge.
constexpr Rearrangement heads = rearrange_rule("b t (h=8 d) -> (b h) t d", shape("batch t 512"));
static_assert(heads.split == "b t h=8 d=64");
static_assert(heads.split_from == AxisMap{0, 1, 2, 2, -1, -1, -1, -1});
static_assert(heads.order == AxisMap{0, 2, 1, 3, -1, -1, -1, -1});
static_assert(heads.kept == 4);
static_assert(heads.permuted == "b h=8 t d=64");
static_assert(heads.merged_into == AxisMap{0, 0, 1, 2, -1, -1, -1, -1});
static_assert(heads.shape == "8*b t d=64");

constexpr Rearrangement pooled = reduce_rule("(h 2) c -> c 1 h", shape("28 3"));
static_assert(pooled.split == "h=14 2 c=3");
static_assert(pooled.order == AxisMap{2, -1, 0, -1, -1, -1, -1, -1});
static_assert(pooled.kept == 3);

constexpr Rearrangement tiled = repeat_rule("h -> (2 h) c=3", shape("n"));
static_assert(tiled.order == AxisMap{-1, 0, -1, -1, -1, -1, -1, -1});
static_assert(tiled.permuted == "2 h c=3");
static_assert(tiled.merged_into == AxisMap{0, 0, 1, -1, -1, -1, -1, -1});

}  // namespace answers
