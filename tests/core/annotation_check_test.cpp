// Run-time checks of annotations.

#include <doctest/doctest.h>

#include <array>

#include <tenon/core/annotation/check.hpp>

#include "late_answers.hpp"

namespace late {

using namespace tenon::internal;

TEST_CASE("sizes that the types leave open are checked at run time") {
  std::array const shapes{shape("batch n"), shape("n m")};
  using Two = std::array<Sizes, 2>;
  CHECK_NOTHROW(check_words<"b n, n m">("f", shapes,
                                        Two{{{2, 3, 1, 1, 1, 1, 1, 1}, {3, 4, 1, 1, 1, 1, 1, 1}}}));
}

TEST_CASE("a name with two different run-time sizes throws") {
  std::array const shapes{shape("_ _"), shape("_ m")};
  std::array<Sizes, 2> const sizes{{{2, 3, 1, 1, 1, 1, 1, 1}, {5, 4, 1, 1, 1, 1, 1, 1}}};
  CHECK_THROWS_WITH_AS((check_words<"b n, n m">("f", shapes, sizes)),
                       "tenon::f: 'n': expected 3, got 5 (axis 0 of argument 2; b=2, n=3)",
                       ShapeError);
  CHECK_THROWS_WITH_AS((check_words<"b n, n+1 m">("f", shapes, sizes)),
                       "tenon::f: 'n+1': expected 4, got 5 (axis 0 of argument 2; b=2, n=3, m=4)",
                       ShapeError);
  CHECK_THROWS_WITH_AS((check_words<"a -> *b n n">("f", {shape("_"), shape("_ _")}, sizes)),
                       "tenon::f: 'n': expected 5, got 4 (axis 1 of the result; a=2, n=5, *b=())",
                       ShapeError);
}

TEST_CASE("an annotation of one shape is checked at run time") {
  Shape const axes = shape("batch pixel");
  CHECK_NOTHROW(check_annotation<"batch pixel=784">("f", axes, {7, 784, 1, 1, 1, 1, 1, 1}));
  CHECK_THROWS_WITH_AS(
      check_annotation<"batch pixel=784">("f", axes, {7, 512, 1, 1, 1, 1, 1, 1}),
      "tenon::f: 'pixel=784': expected pixel=784, got pixel=512 (axis 1 of argument 1; batch=7)",
      ShapeError);
  CHECK_THROWS_AS(check_annotation<"batch=..6 pixel">("f", axes, {7, 512, 1, 1, 1, 1, 1, 1}),
                  ShapeError);
}

}  // namespace late
