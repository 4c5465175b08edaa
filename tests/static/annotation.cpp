// The language of annotations: which shapes fit, and which axis an error names.

#include "answers.hpp"

namespace answers {

using namespace tenon::internal;

// One shape: a name is the name of the axis.
static_assert(own("batch pixel=784", "batch pixel=784") == "fits");
static_assert(own("batch pixel=784", "batch=32 pixel=784") == "fits");
static_assert(own("batch pixel=784", "_ 784") == "fits");
static_assert(own("batch pixel=784", "32 784") == "fits");
static_assert(own("batch pixel=784", "batch pixel") == "open");
static_assert(own("batch pixel=784", "batch pixel=512") ==
              "pixel=784: expected pixel=784, got pixel=512");
static_assert(own("batch pixel=784", "row pixel=784") == "batch: expected batch, got row");
static_assert(own("batch pixel=784", "batch column=784") ==
              "pixel=784: expected pixel=784, got column=784");
static_assert(own("batch pixel=784", "batch") == "expected 2 axes, got 1 axis");
static_assert(own("batch pixel=784", "a batch pixel=784") == "expected 2 axes, got 3 axes");
static_assert(own("row", "column") == "row: expected row, got column");
static_assert(own("row", "n+1") == "fits");
static_assert(own("batch=32", "batch") == "open");
static_assert(own("batch=32", "batch=32") == "fits");
static_assert(own("batch=32", "batch=33") == "batch=32: expected batch=32, got batch=33");
static_assert(own("28", "height=28") == "fits");
static_assert(own("28", "28") == "fits");
static_assert(own("28", "n") == "open");
static_assert(own("28", "29") == "28: expected 28, got 29");
static_assert(own("", "") == "fits");
static_assert(own("", "n") == "expected 0 axes, got 1 axis");
static_assert(own("n n", "3 3") == "fits");
static_assert(own("n n", "3 4") == "n: expected n=3, got n=4");
static_assert(own("n n", "3 _") == "open");
static_assert(own("n n", "n n") == "open");
static_assert(own("batch=1..64", "batch=64") == "fits");
static_assert(own("batch=1..64", "batch=65") == "batch=1..64: expected batch=1..64, got batch=65");
static_assert(own("batch=1..64", "batch") == "open");
static_assert(own("batch=..64", "batch=65..") == "batch=..64: expected batch=..64, got batch=65..");
static_assert(own("batch=1..", "batch=0") == "batch=1..: expected batch=1.., got batch=0");
static_assert(own("_ _rows", "batch 3") == "fits");
static_assert(own("_", "") == "expected 1 axis, got 0 axes");

// Several axes.
static_assert(own("...", "a b c") == "fits");
static_assert(own("...", "") == "fits");
static_assert(own("... c=3", "a b c=3") == "fits");
static_assert(own("... c=3", "a b c=4") == "c=3: expected c=3, got c=4");
static_assert(own("... c=3", "") == "expected at least 1 axis, got 0 axes");
static_assert(own("a ... b", "a b") == "fits");
static_assert(own("a ... b", "a x y b") == "fits");
static_assert(own("*batch c", "c") == "fits");
static_assert(own("*batch c", "x y c") == "fits");
static_assert(own("+batch c", "x c") == "fits");
static_assert(own("+batch c", "c") == "expected at least 2 axes, got 1 axis");
static_assert(own("*_ c", "x y c") == "fits");
static_assert(own("+_ c", "c") == "expected at least 2 axes, got 1 axis");

// Broadcasting axes.
static_assert(own("#n m", "1 m") == "fits");
static_assert(own("#n m", "n m") == "fits");
static_assert(own("#n m", "n=1 m") == "fits");
static_assert(own("#n m", "x=1 m") == "#n: expected n, got x=1");
static_assert(own("#n m", "x m") == "#n: expected n, got x");
static_assert(own("#4", "1") == "fits");
static_assert(own("#4", "4") == "fits");
static_assert(own("#4", "5") == "#4: expected 4, got 5");

// Computed sizes.
static_assert(own("n n+1", "3 4") == "fits");
static_assert(own("n n+1", "3 5") == "n+1: expected 4, got 5");
static_assert(own("n n+1", "n n+1") == "open");
static_assert(own("n n+1", "n n+2") == "n+1: sizes differ by 1: n+1 and n+2");
static_assert(own("n n+1", "n 5") == "open");
static_assert(own("n n+1", "_ 5") == "open");
static_assert(own("n+1 n", "4 3") == "fits");
static_assert(own("n+1", "n+1") == "open" && own("n+1", "n") == "open");
static_assert(own("t=t-1", "t=8") == "open" &&
              own("t=t-1", "s=8") == "t=t-1: expected t=t-1, got s=8");
static_assert(own("t t=t-1", "t=5 t=4") == "fits" && own("t t=t-1", "t t=t-1") == "open");
static_assert(own("t t=t-1", "t=5 t=5") == "t=t-1: expected 4, got t=5");
static_assert(own("t t=t-1", "t t=t-2") == "t=t-1: sizes differ by 1: t-1 and t=t-2");
static_assert(own("t t", "t t=t-1") == "t: sizes differ by 1: t and t=t-1");
static_assert(own("t", "t=t-1") == "fits" && own("t", "t=_") == "fits" &&
              own("t=_", "t=4") == "fits");
static_assert(own("n+1", "m+1") == "open");
static_assert(own("2*3", "6") == "fits");
static_assert(own("2*3", "7") == "2*3: expected 6, got 7");
static_assert(own("n 2*n", "3 6") == "fits");
static_assert(own("n n//2", "7 3") == "fits");
static_assert(own("n n//2", "7 4") == "n//2: expected 3, got 4");
static_assert(own("n n%2", "7 1") == "fits");
static_assert(own("n m min(n,m)", "3 5 3") == "fits");
static_assert(own("n m min(n,m)", "3 5 5") == "min(n,m): expected 3, got 5");
static_assert(own("n m max(n,m)", "3 5 5") == "fits");
static_assert(own("n m max(n,m)", "3 5 3") == "max(n,m): expected 5, got 3");
static_assert(own("n k=max(n,4)", "3 k") == "open");
static_assert(own("n m n*m", "3 5 15") == "fits");
static_assert(own("n (n+1)*2", "3 8") == "fits");
static_assert(own("n #n+1", "3 1") == "fits");

// Patterns: a name is a variable.
static_assert(pattern("b n, n m", "batch 3", "3 4") == "fits");
static_assert(pattern("b n, n m", "batch 3", "5 4") == "n: expected 3, got 5");
static_assert(pattern("b n, n m", "x row", "row y") == "open");
static_assert(pattern("b n, n m", "x row", "column y") == "n: expected row, got column");
static_assert(pattern("b n, n m", "x row", "_ y") == "open");
static_assert(pattern("n, n", "n", "m") == "n: expected n, got m");
static_assert(pattern("n, n", "height=28", "width=28") == "n: expected height=28, got width=28");
static_assert(pattern("n, n", "height=28", "28") == "fits");
static_assert(pattern("n, n, n", "_", "a", "b") == "n: expected a, got b");
static_assert(pattern("n m, m", "x x", "x") == "open");
static_assert(pattern("n=3, n", "_", "4") == "n: expected 3, got 4");
static_assert(pattern("n, n=3", "4", "_") == "n=3: expected 4, got 3");
static_assert(pattern("n=1..4, n", "5", "5") == "n=1..4: expected n=1..4, got 5");
static_assert(pattern(", n", "", "n") == "fits");
static_assert(pattern("n, ", "", "") == "expected 1 axis, got 0 axes");
static_assert(pattern("b n", "batch n") == "fits");
static_assert(pattern("b, n m", "batch", "n") == "expected 2 axes, got 1 axis");

// Variadics are bound together.
static_assert(pattern("*b c, *b d", "x y 3", "x y 4") == "open");
static_assert(pattern("*b c, *b d", "x y 3", "x z 4") == "*b: expected x y, got x z");
static_assert(pattern("*b c, *b d", "2 3 3", "2 4 4") == "*b: expected 2 3, got 2 4");
static_assert(pattern("*b c, *b d", "x 3", "4") == "*b: expected x, got no axes");
static_assert(pattern("*b c, +b d", "3", "4") == "expected at least 2 axes, got 1 axis");
static_assert(pattern("*#b c, *#b d", "1 5 3", "4 1 3") == "fits");
static_assert(pattern("*#b c, *#b d", "5 3", "4 5 3") == "fits");
static_assert(pattern("*#b c, *#b d", "5 3", "4 6 3") == "*#b: expected 5, got 4 6");
static_assert(pattern("*b c, *#b d", "4 5 3", "5 3") == "fits");
static_assert(pattern("*b c, *#b d", "5 3", "4 5 3") == "*#b: expected 5, got 4 5");
static_assert(pattern("*b c, *#b d", "1 3", "4 3") == "*#b: expected 1, got 4");
static_assert(pattern("*#b c, *b d", "5 3", "4 5 3") == "fits");
static_assert(pattern("..., ...", "a b", "c") == "fits");
static_assert(pattern("#n, n", "1", "5") == "fits");
static_assert(pattern("n, #n", "5", "1") == "fits");
static_assert(pattern("n, #n", "1", "5") == "#n: expected 1, got 5");
static_assert(pattern("#n, #n, #n", "1", "5", "5") == "fits");
static_assert(pattern("#n, #n, #n", "1", "5", "6") == "#n: expected 5, got 6");
static_assert(pattern("#n, n+1", "1", "2") == "fits");

// Computed sizes with names of any argument, in any order.
static_assert(pattern("n+1, n", "4", "3") == "fits");
static_assert(pattern("n+1, n", "5", "3") == "n+1: expected 4, got 5");
// The names of two arguments are not related: only numbers prove that they fit.
static_assert(pattern("n+1, n", "k+1", "k") == "open" && pattern("n+1, n", "k", "k") == "open");
static_assert(pattern("n n+1", "k m=k+2") == "n+1: sizes differ by 1: k+1 and m=k+2");
static_assert(pattern("n n", "t t=t-1") == "n: sizes differ by 1: t and t=t-1");
static_assert(pattern("n=3 n", "3 t=4") == "n: expected 3, got t=4");
static_assert(pattern("n+1, n", "_", "3") == "open");
static_assert(pattern("n+1, n", "4", "_") == "open");
static_assert(pattern("n+1, n", "m", "k") == "open");
static_assert(pattern("n*m, n m", "6", "2 3") == "fits");
static_assert(pattern("n*m, n m", "a*b", "a b") == "open");
static_assert(pattern("n-1, n", "k", "k+1") == "open");
static_assert(pattern("min(n,m), n m", "3", "3 4") == "fits");
static_assert(pattern("max(n,m), n m", "4", "3 4") == "fits");
static_assert(pattern("max(n,m), n m", "3", "3 4") == "max(n,m): expected 4, got 3");
static_assert(pattern("n, max(n,8)", "n", "8") == "open");
static_assert(pattern("n//m, n m", "3", "7 0") == "n//m: expected a size, got division by zero");
static_assert(pattern("n-5, n", "2", "3") == "n-5: expected -2, got 2");

// The result.
static_assert(pattern("*batch c, c d -> *batch d", "a b 3", "3 4", "a b 4") == "open");
static_assert(pattern("*batch c, c d -> *batch d", "a b 3", "3 4", "a b 5") ==
              "d: expected 4, got 5");
static_assert(pattern("*batch c, c d -> *batch d", "a b 3", "3 4", "a 4") ==
              "*batch: expected a b, got a");
static_assert(pattern("*batch c, c d -> *batch d", "a b 3", "3 4") == "fits");
static_assert(pattern("n, m -> n+m", "2", "3", "5") == "fits");
static_assert(pattern("n, m -> n+m", "2", "3", "6") == "n+m: expected 5, got 6");
static_assert(pattern("n -> ", "2", "") == "fits");
static_assert(pattern("n+m -> m", "4", "3") == "open");
static_assert(pattern("n+m -> n m", "7") == "open");

// '?n' is bound for each leaf of a tree.
static_assert(tree("n", "3", "3") == "fits");
static_assert(tree("n", "3", "4") == "n: expected n=3, got n=4");
static_assert(tree("?n", "3", "4") == "fits");
static_assert(tree("?n m", "3 5", "4 5") == "fits");
static_assert(tree("?n m", "3 5", "4 6") == "m: expected m=5, got m=6");
static_assert(tree("?n ?n", "3 3", "4 4") == "fits");
static_assert(tree("?n ?n", "3 3", "4 5") == "?n: expected n=4, got n=5");
static_assert(tree("?n n2=2", "3 2", "n 2") == "fits");

// Invalid annotations.
static_assert(refused("?n") == "?n");
static_assert(refused("*4") == "*4");
static_assert(refused("?4") == "?4");
static_assert(refused("#_") == "#_");
static_assert(refused("*a *b") == "*b");
static_assert(refused("*a ...") == "...");
static_assert(refused("a, b") == "a,");
static_assert(refused("a #") == "#");
static_assert(refused("##n") == "##n");
static_assert(refused("a$") == "a$");
static_assert(refused("a -> b") == "->");
static_assert(refused("n=3 n=4") == "n=3");
static_assert(refused("n=1..3 n=4") == "n=1..3");
static_assert(refused("n *n") == "n");
static_assert(refused("n+") == "n+");
static_assert(refused("n++1") == "n++1");
static_assert(refused("(n+1") == "(n+1");
static_assert(refused("-n") == "-n");
static_assert(refused("n@dp") == "n@dp");
static_assert(refused("1 2 3 4 5 6 7 8 9") == "9");
static_assert(refused_pattern("n+1") == "n+1");
static_assert(refused_pattern("?n, n") == "?n");
static_assert(refused_pattern("n, *n") == "n");
static_assert(refused_pattern("n=3, n=4") == "n=3");
static_assert(refused_pattern("n -> n -> n") == "->");
static_assert(refused_pattern("n, n*k") == "n*k");
static_assert(refused_pattern("min(n,m, n m") == "min(n,m,");
static_assert(refused_tree("?n n") == "?n");

// The interface that the library uses.
static_assert(annotation_fits<"batch pixel=784">(shape("batch pixel=784")));
static_assert(!annotation_fits<"batch pixel=784">(shape("batch pixel=512")));
static_assert(pattern_fits<"b n, n m">(std::array{shape("2 3"), shape("3 4")}));
static_assert(!pattern_fits<"b n, n m">(std::array{shape("2 3"), shape("5 4")}));
static_assert(pattern_fits<"*b c, c d -> *b d">(std::array{shape("2 3"), shape("3 4")}));
static_assert(!pattern_fits<"*b c, c d -> *b d">(std::array{shape("2 3"), shape("3 4"),
                                                            shape("2 5")}));
static_assert(pattern_arguments<"*b c, min(c,d) d -> *b d"> == 2);
static_assert(pattern_arguments<""> == 1);
static_assert(pattern_has_result<"n, m -> n">);
static_assert(!pattern_has_result<"n, m">);
static_assert(WellFormedAnnotation<"*batch #n ?n2"> == false);
static_assert(WellFormedAnnotation<"*batch #n">);
static_assert(WellFormedAnnotation<"?n m", WordMeaning::leaves>);
static_assert(!WellFormedAnnotation<"n m, m+k", WordMeaning::variables>);
static_assert(match_pattern<"b n, n m">(std::array{shape("2 3"), shape("5 4")}).argument == 1);
static_assert(match_pattern<"b n, n m">(std::array{shape("2 3"), shape("5 4")}).axis == 0);

}  // namespace answers
