// The rule of einsum: the resulting shapes and the mistakes.

#include "answers.hpp"

namespace answers {

using namespace tenon::internal;

// Names are variables; the result has them.
static_assert(einsum("b h q d, b h k d -> b h q k", "batch head=8 t depth=64",
                     "batch head=8 t depth=64") == "b h=8 q k");
static_assert(einsum("i j, j k -> i k", "2 3", "3 4") == "i=2 k=4");
static_assert(einsum("i j, j k -> k i", "2 3", "3 4") == "k=4 i=2");
static_assert(einsum("i j, j k -> ", "2 3", "3 4") == "");
static_assert(einsum("i, j -> i j", "a", "b") == "i j");
static_assert(einsum("i, i -> ", "n", "n") == "");
static_assert(einsum("i, i -> i", "n", "n") == "i");
static_assert(einsum("i j, k -> i", "2 3", "4") == "i=2");
static_assert(einsum("i j,j k->i k", "2 3", "3 4") == "i=2 k=4");
static_assert(einsum("  i   j ,j k  ->  i k ", "2 3", "3 4") == "i=2 k=4");
static_assert(einsum(", i -> i", "", "n") == "i");
static_assert(einsum("b d, d -> b", "batch=1..64 d", "d") == "b=1..64");
static_assert(einsum("b d, d -> b", "_ 3", "d") == "b");
static_assert(einsum("b d, d -> b", "n+1 3", "d") == "b");
static_assert(einsum("long_name other2, other2 x -> long_name x", "2 3", "3 4") ==
              "long_name=2 x=4");

// Sizes in the pattern.
static_assert(einsum("b d=64, d e -> b e", "batch depth", "64 e") == "b e");
static_assert(einsum("b d=64, d e -> b d", "batch depth", "depth e") == "b d=64");
static_assert(einsum("b d, d=64 e -> b d", "batch depth", "depth e") == "b d=64");
static_assert(einsum("b d, d e -> b d=64", "batch depth", "depth e") == "b d=64");
static_assert(einsum("b d=64, d e -> b e", "batch 32", "32 e") ==
              "d=64 is another size than its axis");
static_assert(einsum("b d=64, d e -> b e", "batch depth", "32 e") == "the axes of d do not agree");
static_assert(einsum("b d=64, d=32 e -> b e", "batch depth", "depth e") ==
              "d=32 is another size than its axis");
static_assert(einsum("b d, d e -> b d=64", "batch 32", "_ e") ==
              "d=64 is another size than its axis");

// Axes with one name have equal sizes and do not broadcast.
static_assert(einsum("b d, b d -> b", "a x", "b x") == "the axes of b do not agree");
static_assert(einsum("b d, b d -> b", "2 3", "2 4") == "the axes of d do not agree");
static_assert(einsum("b d, b d -> b", "1 3", "2 3") == "the axes of b do not agree");
static_assert(einsum("b d, b d -> b", "x y", "x y") == "b");
static_assert(einsum("b d, b d -> b", "height=28 3", "width=28 3") == "the axes of b do not agree");
static_assert(einsum("i i, i -> i", "3 4", "3") == "the axes of i do not agree");
static_assert(einsum("i, j j -> i", "3", "3 4") == "the axes of j do not agree");

// Every mistake has its message.
static_assert(einsum("i j, j k -> i z", "2 3", "3 4") == "z is in no operand");
static_assert(einsum("i j, j k -> i i", "2 3", "3 4") == "i stands twice in the result");
static_assert(einsum("i j k, j k -> i", "2 3", "3 4") == "left operand: fewer axes than words");
static_assert(einsum("i, j k -> i", "2 3", "3 4") == "left operand: more axes than words");
static_assert(einsum("i j, j -> i", "2 3", "3 4") == "right operand: more axes than words");
static_assert(einsum("i j, j k l -> i", "2 3", "3 4") == "right operand: fewer axes than words");
static_assert(einsum("i j -> i", "2 3", "3 4") == "a comma is missing before ->");
static_assert(einsum("i j, j k", "2 3", "3 4") == "an arrow is missing");
static_assert(einsum("i j, j k, k l -> i", "2 3", "3 4") == "an arrow is missing before ,");
static_assert(einsum("i j, j k -> i, k", "2 3", "3 4") == "a stray ,");
static_assert(einsum("i j, j k -> i -> k", "2 3", "3 4") == "a stray ->");
static_assert(einsum("i (j), j k -> i k", "2 3", "3 4") == "a stray (");
static_assert(einsum("i 3, j k -> i k", "2 3", "3 4") == "3: write a name");
static_assert(einsum("i _, j k -> i k", "2 3", "3 4") == "_: write a name");
static_assert(einsum("i *j, j k -> i k", "2 3", "3 4") == "*j: no modifier in this pattern");
static_assert(einsum("i ... , j k -> i k", "2 3", "3 4") == "a stray ...");
static_assert(einsum("i j=1..4, j k -> i k", "2 3", "3 4") == "j=1..4: no bounds in this pattern");
static_assert(einsum("i j+1, j k -> i k", "2 3", "3 4") == "j+1: write a name");
static_assert(einsum("", "2 3", "3 4") == "left operand: more axes than words");
static_assert(einsum("a b c d e, f g h i -> a b c d e f g h i", "2 2 2 2 2", "2 2 2 2") ==
              "the result has more than 8 axes");

// One operand.
static_assert(einsum("i j -> j i", "2 3") == "j=3 i=2");
static_assert(einsum("i j -> j", "2 n") == "j");
static_assert(einsum("i i -> i", "n n") == "i");
static_assert(einsum("i i ->", "3 3") == "");
static_assert(einsum("i i ->", "3 4") == "the axes of i do not agree");
static_assert(einsum("i j -> i", "2") == "operand: fewer axes than words");
static_assert(einsum("i -> i", "2 3") == "operand: more axes than words");
static_assert(einsum("i, j -> i", "2") == "an arrow is missing before ,");

// Labels in the order of the pattern; a repeated name reads the diagonal.
constexpr Contraction trace = einsum_rule("i i, i j -> j", shape("3 n"), shape("n 4"));
static_assert(trace.fits);
static_assert(trace.left == AxisMap{0, 0, -1, -1, -1, -1, -1, -1});
static_assert(trace.right == AxisMap{0, 1, -1, -1, -1, -1, -1, -1});
static_assert(trace.out == AxisMap{1, -1, -1, -1, -1, -1, -1, -1});
static_assert(trace.extents[0] == 3);
static_assert(trace.extents[1] == 4);
static_assert(trace.labels == 2);

// The mismatched axes; -1 if there is none.
constexpr Contraction twice = einsum_rule("i j, k j -> i k", shape("2 3"), shape("2 4"));
static_assert(twice.left_axis == 1 && twice.right_axis == 1);
constexpr Contraction within = einsum_rule("i j, k k -> i j", shape("2 3"), shape("2 4"));
static_assert(within.left_axis == -1 && within.right_axis == 1);
constexpr Contraction rank = einsum_rule("i, j -> i j", shape("2 3"), shape("4"));
static_assert(rank.left_axis == -1 && rank.right_axis == -1);

}  // namespace answers
