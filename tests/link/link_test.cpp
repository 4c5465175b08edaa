#include <doctest/doctest.h>

#include "shared.hpp"

using namespace tenon;

TEST_CASE("two translation units link and agree") {
  Model const model = full<Model>(0.25f);
  auto const images = full<Float32<"batch pixel=6">>(0.5f, 4);
  auto const a = first(model, images);
  auto const b = second(model, images);
  CHECK(a.value == b.value);
  CHECK(a.shape == b.shape);
  for (int i = 0; i < 6; ++i) {
    for (int k = 0; k < 3; ++k) CHECK(a.gradient(i, k) == b.gradient(i, k));
  }
}

TEST_CASE("a tape mark made in one translation unit is known in the other") {
  auto const images = ones<Float32<"batch pixel=6">>(2);
  auto const model = full<Model>(0.5f);
  auto const one = train_once(model, images);
  CHECK(one.value == second(model, images).value);
}

TEST_CASE("one file of a program provides second derivatives for all files") {
  CHECK(curvature_of_first({1, 2})(1) == 12);
}
