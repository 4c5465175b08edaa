#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <tenon/testing.hpp>

#include "layer.hpp"

TEST_CASE("the layer") {
  Layer const layer{{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {1, 1, 1}}};
  tenon::Float64<"batch pixel=4"> const images{{1, 0, 0, 0}, {0, 1, 0, 1}};
  CHECK_SHAPE(layer(images), "batch=2 digit=3");
  CHECK_CLOSE(layer(images), (tenon::Float64<"batch digit=3">{{1, 2, 3}, {5, 6, 7}}));
  CHECK_FINITE(layer(images));
  CHECK_GRADIENT([&](Layer const& l) { return tenon::sum(tenon::tanh(l(images))); }, layer);
}
