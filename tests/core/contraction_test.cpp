// The cases of tests/static/contraction.cpp at run time; a compiler has evaluated constexpr shapes
// to zeros there.

#include <doctest/doctest.h>

#include "late_answers.hpp"

namespace late {

using namespace tenon::internal;

TEST_CASE("matmul: contracts the last axis of the left with the second to last of the right") {
  CHECK(product("batch pixel=784", "pixel=784 hidden=128") == "batch hidden=128");
  CHECK(product("2 3", "3 4") == "2 4");
  CHECK(product("n k", "k m") == "n m");
  CHECK(product("n k", "m k") == "the contracted axes do not agree");
  CHECK(product("n n", "n n") == "n n");
  CHECK(product("row 3", "_ column") == "row column");
  CHECK(product("row _", "k=3 column") == "row column");
  CHECK(product("n=2 k=3", "3 m=4") == "n=2 m=4");
  CHECK(product("n=1..64 k", "k m=..8") == "n=1..64 m=..8");
  CHECK(product("n k+1", "k+1 m") == "n m");
  CHECK(product("n k+1", "k+2 m") == "n m");
  CHECK(product("n k+1", "8 m") == "n m");
  CHECK(product("_ _", "_ _") == "_ _");
  CHECK(product("n 0", "0 m") == "n m");
}

TEST_CASE("matmul: vectors") {
  CHECK(product("k", "k") == "");
  CHECK(product("3", "3") == "");
  CHECK(product("k", "k m") == "m");
  CHECK(product("n k", "k") == "n");
  CHECK(product("batch n k", "k") == "batch n");
  CHECK(product("k", "batch k m") == "batch m");
  CHECK(product("k=3", "k=4") == "the contracted axes do not agree");
  CHECK(product("k", "batch n k") == "the contracted axes do not agree");
}

TEST_CASE("matmul: a scalar has no axis to contract") {
  CHECK(product("", "k") == "a scalar has no axis to contract");
  CHECK(product("k", "") == "a scalar has no axis to contract");
  CHECK(product("", "") == "a scalar has no axis to contract");
}

TEST_CASE("matmul: leading axes broadcast") {
  CHECK(product("batch n k", "batch k m") == "batch n m");
  CHECK(product("batch n k", "k m") == "batch n m");
  CHECK(product("n k", "batch k m") == "batch n m");
  CHECK(product("a batch n k", "batch k m") == "a batch n m");
  CHECK(product("a b n k", "b k m") == "a b n m");
  CHECK(product("a b n k", "a k m") == "a b n m");
  CHECK(product("1 n k", "batch k m") == "batch n m");
  CHECK(product("batch n k", "1 k m") == "batch n m");
  CHECK(product("batch=1 n k", "head k m") == "head n m");
  CHECK(product("batch n k", "head k m") == "the leading axes do not broadcast");
  CHECK(product("batch=3 n k", "batch=4 k m") == "the leading axes do not broadcast");
  CHECK(product("2 3 4 5", "2 3 5 6") == "2 3 4 6");
  CHECK(product("2 3 4 5", "3 5 6") == "2 3 4 6");
  CHECK(product("2 3 4 5", "7 5 6") == "the leading axes do not broadcast");
  CHECK(product("2 1 4 5", "3 5 6") == "2 3 4 6");
  CHECK(product("head query depth=64", "head depth=64 key") == "head query key");
}

TEST_CASE("matmul: contracted axes do not broadcast") {
  CHECK(product("n 1", "5 m") == "the contracted axes do not agree");
  CHECK(product("n 5", "1 m") == "the contracted axes do not agree");
  CHECK(product("n k=1", "k=5 m") == "the contracted axes do not agree");
  CHECK(product("n 1", "1 m") == "n m");
  CHECK(product("n 1", "k m") == "n m");
}

TEST_CASE("matmul: a name has one size") {
  CHECK(product("t=3 d", "d t=3") == "t=3 t=3");
  CHECK(product("t=3 d", "d t=5") == "t=3 t=5");
  CHECK(product("t d", "d t") == "t t");
  CHECK(product("t=3 d", "d t") == "t=3 t");
}

TEST_CASE("matmul: sizes and names") {
  CHECK(product("pixel=784 hidden=128", "batch pixel=784") == "the contracted axes do not agree");
  CHECK(product("batch pixel=784", "hidden=128 digit=10") == "the contracted axes do not agree");
  CHECK(product("2 3", "4 5") == "the contracted axes do not agree");
  CHECK(product("a b c d e f n k", "a b c d e f k m") == "a b c d e f n m");
  CHECK(product("n k=2..4", "k=5..7 m") == "the contracted axes do not agree");
  CHECK(product("n k=2..4", "k=3 m") == "n m");
  CHECK(product("n k=2..4", "k=8 m") == "the contracted axes do not agree");
}

TEST_CASE("a contraction computed at compile time is the same at run time") {
  static constexpr Contraction compiled = matmul_rule(shape("1 h q d=64"), shape("b h d k"));
  CHECK(same(compiled, matmul_rule(shape("1 h q d=64"), shape("b h d k"))));
  CHECK(compiled.extents[4] == 64);
}

TEST_CASE("labels have the run-time sizes") {
  Shape const a = shape("n k");
  Shape const b = shape("k 4");
  Contraction const rule = matmul_rule(a, b);
  LabelExtents const sizes =
      label_sizes("matmul", rule, a, {2, 3, 1, 1, 1, 1, 1, 1}, b, {3, 4, 1, 1, 1, 1, 1, 1});
  CHECK(sizes[0] == 2);
  CHECK(sizes[1] == 4);
  CHECK(sizes[2] == 3);
}

TEST_CASE("the error for two sizes of one label names it") {
  Shape const a = shape("n k");
  Shape const b = shape("k 4");
  Contraction const rule = matmul_rule(a, b);
  CHECK_THROWS_WITH_AS(
      label_sizes("matmul", rule, a, {2, 3, 1, 1, 1, 1, 1, 1}, b, {5, 4, 1, 1, 1, 1, 1, 1}),
      "tenon::matmul: 'k': expected 3, got 5 (axis 0 of the right operand, \"k 4\")", ShapeError);
}

TEST_CASE("the error for two sizes of axes without names shows the shape") {
  Shape const a = shape("_ _");
  Contraction const rule = matmul_rule(a, a);
  CHECK_THROWS_WITH_AS(
      label_sizes("matmul", rule, a, {2, 50, 1, 1, 1, 1, 1, 1}, a, {60, 4, 1, 1, 1, 1, 1, 1}),
      "tenon::matmul: expected 50, got 60 (axis 0 of the right operand, \"_ _\")", ShapeError);
}

TEST_CASE("a broadcast axis has no label, so it matches any size") {
  Shape const a = shape("1 n k");
  Shape const b = shape("b k m");
  Contraction const rule = matmul_rule(a, b);
  CHECK_NOTHROW(
      label_sizes("matmul", rule, a, {1, 2, 3, 1, 1, 1, 1, 1}, b, {7, 3, 4, 1, 1, 1, 1, 1}));
}

}  // namespace late
