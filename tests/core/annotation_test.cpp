// The cases of tests/static/annotation.cpp at run time; a compiler has evaluated constexpr shapes
// to zeros there.

#include <doctest/doctest.h>

#include "late_answers.hpp"

namespace late {

TEST_CASE("annotations: one shape: a name is the name of the axis") {
  CHECK(own("batch pixel=784", "batch pixel=784") == "fits");
  CHECK(own("batch pixel=784", "batch=32 pixel=784") == "fits");
  CHECK(own("batch pixel=784", "_ 784") == "fits");
  CHECK(own("batch pixel=784", "32 784") == "fits");
  CHECK(own("batch pixel=784", "batch pixel") == "open");
  CHECK(own("batch pixel=784", "batch pixel=512") ==
        "pixel=784: expected pixel=784, got pixel=512");
  CHECK(own("batch pixel=784", "row pixel=784") == "batch: expected batch, got row");
  CHECK(own("batch pixel=784", "batch column=784") ==
        "pixel=784: expected pixel=784, got column=784");
  CHECK(own("batch pixel=784", "batch") == "expected 2 axes, got 1 axis");
  CHECK(own("batch pixel=784", "a batch pixel=784") == "expected 2 axes, got 3 axes");
  CHECK(own("row", "column") == "row: expected row, got column");
  CHECK(own("row", "n+1") == "fits");
  CHECK(own("batch=32", "batch") == "open");
  CHECK(own("batch=32", "batch=32") == "fits");
  CHECK(own("batch=32", "batch=33") == "batch=32: expected batch=32, got batch=33");
  CHECK(own("28", "height=28") == "fits");
  CHECK(own("28", "28") == "fits");
  CHECK(own("28", "n") == "open");
  CHECK(own("28", "29") == "28: expected 28, got 29");
  CHECK(own("", "") == "fits");
  CHECK(own("", "n") == "expected 0 axes, got 1 axis");
  CHECK(own("n n", "3 3") == "fits");
  CHECK(own("n n", "3 4") == "n: expected n=3, got n=4");
  CHECK(own("n n", "3 _") == "open");
  CHECK(own("n n", "n n") == "open");
  CHECK(own("batch=1..64", "batch=64") == "fits");
  CHECK(own("batch=1..64", "batch=65") == "batch=1..64: expected batch=1..64, got batch=65");
  CHECK(own("batch=1..64", "batch") == "open");
  CHECK(own("batch=..64", "batch=65..") == "batch=..64: expected batch=..64, got batch=65..");
  CHECK(own("batch=1..", "batch=0") == "batch=1..: expected batch=1.., got batch=0");
  CHECK(own("_ _rows", "batch 3") == "fits");
  CHECK(own("_", "") == "expected 1 axis, got 0 axes");
}

TEST_CASE("annotations: several axes") {
  CHECK(own("...", "a b c") == "fits");
  CHECK(own("...", "") == "fits");
  CHECK(own("... c=3", "a b c=3") == "fits");
  CHECK(own("... c=3", "a b c=4") == "c=3: expected c=3, got c=4");
  CHECK(own("... c=3", "") == "expected at least 1 axis, got 0 axes");
  CHECK(own("a ... b", "a b") == "fits");
  CHECK(own("a ... b", "a x y b") == "fits");
  CHECK(own("*batch c", "c") == "fits");
  CHECK(own("*batch c", "x y c") == "fits");
  CHECK(own("+batch c", "x c") == "fits");
  CHECK(own("+batch c", "c") == "expected at least 2 axes, got 1 axis");
  CHECK(own("*_ c", "x y c") == "fits");
  CHECK(own("+_ c", "c") == "expected at least 2 axes, got 1 axis");
}

TEST_CASE("annotations: broadcasting axes") {
  CHECK(own("#n m", "1 m") == "fits");
  CHECK(own("#n m", "n m") == "fits");
  CHECK(own("#n m", "n=1 m") == "fits");
  CHECK(own("#n m", "x=1 m") == "#n: expected n, got x=1");
  CHECK(own("#n m", "x m") == "#n: expected n, got x");
  CHECK(own("#4", "1") == "fits");
  CHECK(own("#4", "4") == "fits");
  CHECK(own("#4", "5") == "#4: expected 4, got 5");
}

TEST_CASE("annotations: expressions") {
  CHECK(own("n n+1", "3 4") == "fits");
  CHECK(own("n n+1", "3 5") == "n+1: expected 4, got 5");
  CHECK(own("n n+1", "n n+1") == "open");
  CHECK(own("n n+1", "n n+2") == "n+1: sizes differ by 1: n+1 and n+2");
  CHECK(own("n n+1", "n 5") == "open");
  CHECK(own("n n+1", "_ 5") == "open");
  CHECK(own("n+1 n", "4 3") == "fits");
  CHECK(own("n+1", "n+1") == "open");
  CHECK(own("n+1", "n") == "open");
  CHECK(own("n+1", "m+1") == "open");
  CHECK(own("2*3", "6") == "fits");
  CHECK(own("2*3", "7") == "2*3: expected 6, got 7");
  CHECK(own("n 2*n", "3 6") == "fits");
  CHECK(own("n n//2", "7 3") == "fits");
  CHECK(own("n n//2", "7 4") == "n//2: expected 3, got 4");
  CHECK(own("n n%2", "7 1") == "fits");
  CHECK(own("n m min(n,m)", "3 5 3") == "fits");
  CHECK(own("n m min(n,m)", "3 5 5") == "min(n,m): expected 3, got 5");
  CHECK(own("n m max(n,m)", "3 5 5") == "fits");
  CHECK(own("n m max(n,m)", "3 5 3") == "max(n,m): expected 5, got 3");
  CHECK(own("n m n*m", "3 5 15") == "fits");
  CHECK(own("n (n+1)*2", "3 8") == "fits");
  CHECK(own("n #n+1", "3 1") == "fits");
}

TEST_CASE("annotations: patterns: a name is a variable") {
  CHECK(pattern("b n, n m", "batch 3", "3 4") == "fits");
  CHECK(pattern("b n, n m", "batch 3", "5 4") == "n: expected 3, got 5");
  CHECK(pattern("b n, n m", "x row", "row y") == "open");
  CHECK(pattern("b n, n m", "x row", "column y") == "n: expected row, got column");
  CHECK(pattern("b n, n m", "x row", "_ y") == "open");
  CHECK(pattern("n, n", "n", "m") == "n: expected n, got m");
  CHECK(pattern("n, n", "height=28", "width=28") == "n: expected height=28, got width=28");
  CHECK(pattern("n, n", "height=28", "28") == "fits");
  CHECK(pattern("n, n, n", "_", "a", "b") == "n: expected a, got b");
  CHECK(pattern("n m, m", "x x", "x") == "open");
  CHECK(pattern("n=3, n", "_", "4") == "n: expected 3, got 4");
  CHECK(pattern("n, n=3", "4", "_") == "n=3: expected 4, got 3");
  CHECK(pattern("n=1..4, n", "5", "5") == "n=1..4: expected n=1..4, got 5");
  CHECK(pattern(", n", "", "n") == "fits");
  CHECK(pattern("n, ", "", "") == "expected 1 axis, got 0 axes");
  CHECK(pattern("b n", "batch n") == "fits");
  CHECK(pattern("b, n m", "batch", "n") == "expected 2 axes, got 1 axis");
}

TEST_CASE("annotations: variadic axes are bound together") {
  CHECK(pattern("*b c, *b d", "x y 3", "x y 4") == "open");
  CHECK(pattern("*b c, *b d", "x y 3", "x z 4") == "*b: expected x y, got x z");
  CHECK(pattern("*b c, *b d", "2 3 3", "2 4 4") == "*b: expected 2 3, got 2 4");
  CHECK(pattern("*b c, *b d", "x 3", "4") == "*b: expected x, got no axes");
  CHECK(pattern("*b c, +b d", "3", "4") == "expected at least 2 axes, got 1 axis");
  CHECK(pattern("*#b c, *#b d", "1 5 3", "4 1 3") == "fits");
  CHECK(pattern("*#b c, *#b d", "5 3", "4 5 3") == "fits");
  CHECK(pattern("*#b c, *#b d", "5 3", "4 6 3") == "*#b: expected 5, got 4 6");
  CHECK(pattern("*b c, *#b d", "4 5 3", "5 3") == "fits");
  CHECK(pattern("*b c, *#b d", "5 3", "4 5 3") == "*#b: expected 5, got 4 5");
  CHECK(pattern("*b c, *#b d", "1 3", "4 3") == "*#b: expected 1, got 4");
  CHECK(pattern("*#b c, *b d", "5 3", "4 5 3") == "fits");
  CHECK(pattern("..., ...", "a b", "c") == "fits");
  CHECK(pattern("#n, n", "1", "5") == "fits");
  CHECK(pattern("n, #n", "5", "1") == "fits");
  CHECK(pattern("n, #n", "1", "5") == "#n: expected 1, got 5");
  CHECK(pattern("#n, #n, #n", "1", "5", "5") == "fits");
  CHECK(pattern("#n, #n, #n", "1", "5", "6") == "#n: expected 5, got 6");
  CHECK(pattern("#n, n+1", "1", "2") == "fits");
}

TEST_CASE("annotations: computed axes with names of any argument, in any order") {
  CHECK(pattern("n+1, n", "4", "3") == "fits");
  CHECK(pattern("n+1, n", "5", "3") == "n+1: expected 4, got 5");
  CHECK(pattern("n+1, n", "k+1", "k") == "open");
  CHECK(pattern("n+1, n", "k+2", "k") == "open");
  CHECK(pattern("n+1, n", "k", "k") == "open");
  CHECK(pattern("n+1, n", "_", "3") == "open");
  CHECK(pattern("n+1, n", "4", "_") == "open");
  CHECK(pattern("n+1, n", "m", "k") == "open");
  CHECK(pattern("n*m, n m", "6", "2 3") == "fits");
  CHECK(pattern("n*m, n m", "a*b", "a b") == "open");
  CHECK(pattern("n-1, n", "k", "k+1") == "open");
  CHECK(pattern("min(n,m), n m", "3", "3 4") == "fits");
  CHECK(pattern("n//m, n m", "3", "7 0") == "n//m: expected a size, got division by zero");
  CHECK(pattern("n-5, n", "2", "3") == "n-5: expected -2, got 2");
}

TEST_CASE("annotations: the result") {
  CHECK(pattern("*batch c, c d -> *batch d", "a b 3", "3 4", "a b 4") == "open");
  CHECK(pattern("*batch c, c d -> *batch d", "a b 3", "3 4", "a b 5") == "d: expected 4, got 5");
  CHECK(pattern("*batch c, c d -> *batch d", "a b 3", "3 4", "a 4") ==
        "*batch: expected a b, got a");
  CHECK(pattern("*batch c, c d -> *batch d", "a b 3", "3 4") == "fits");
  CHECK(pattern("n, m -> n+m", "2", "3", "5") == "fits");
  CHECK(pattern("n, m -> n+m", "2", "3", "6") == "n+m: expected 5, got 6");
  CHECK(pattern("n -> ", "2", "") == "fits");
  CHECK(pattern("n+m -> m", "4", "3") == "open");
  CHECK(pattern("n+m -> n m", "7") == "open");
}

TEST_CASE("annotations: '?n' is bound for each leaf of a tree") {
  CHECK(tree("n", "3", "3") == "fits");
  CHECK(tree("n", "3", "4") == "n: expected n=3, got n=4");
  CHECK(tree("?n", "3", "4") == "fits");
  CHECK(tree("?n m", "3 5", "4 5") == "fits");
  CHECK(tree("?n m", "3 5", "4 6") == "m: expected m=5, got m=6");
  CHECK(tree("?n ?n", "3 3", "4 4") == "fits");
  CHECK(tree("?n ?n", "3 3", "4 5") == "?n: expected n=4, got n=5");
  CHECK(tree("?n n2=2", "3 2", "n 2") == "fits");
}

TEST_CASE("annotations: invalid annotations are rejected") {
  CHECK(refused("?n") == "?n");
  CHECK(refused("*4") == "*4");
  CHECK(refused("?4") == "?4");
  CHECK(refused("#_") == "#_");
  CHECK(refused("*a *b") == "*b");
  CHECK(refused("*a ...") == "...");
  CHECK(refused("a, b") == "a,");
  CHECK(refused("a #") == "#");
  CHECK(refused("##n") == "##n");
  CHECK(refused("a$") == "a$");
  CHECK(refused("a -> b") == "->");
  CHECK(refused("n=3 n=4") == "n=3");
  CHECK(refused("n=1..3 n=4") == "n=1..3");
  CHECK(refused("n *n") == "n");
  CHECK(refused("n+") == "n+");
  CHECK(refused("n++1") == "n++1");
  CHECK(refused("(n+1") == "(n+1");
  CHECK(refused("-n") == "-n");
  CHECK(refused("n@dp") == "n@dp");
  CHECK(refused("1 2 3 4 5 6 7 8 9") == "9");
  CHECK(refused_pattern("n+1") == "n+1");
  CHECK(refused_pattern("?n, n") == "?n");
  CHECK(refused_pattern("n, *n") == "n");
  CHECK(refused_pattern("n=3, n=4") == "n=3");
  CHECK(refused_pattern("n -> n -> n") == "->");
  CHECK(refused_pattern("n, n*k") == "n*k");
  CHECK(refused_pattern("min(n,m, n m") == "min(n,m,");
  CHECK(refused_tree("?n n") == "?n");
}

}  // namespace late
