#include "interface.hpp"

#include <doctest/doctest.h>
#include <tenon/tenon.hpp>

using namespace tenon;

Float32<"batch digit=3"> classify(Classifier const& model, Float32<"batch pixel=6"> const& images) {
  return matmul(images, model.weight) + model.bias;
}

TEST_CASE("files of a program pass tensors through a header that includes types alone") {
  Classifier const model{full<Float32<"pixel=6 digit=3">>(0.5f), {1, 2, 3}};
  auto const images = ones<Float32<"batch pixel=6">>(2);
  auto const result = classify_twice(model, images);
  CHECK(result.sizes()[0] == 2);
  CHECK(result(1, 0) == 4);
  CHECK(result(1, 2) == 6);
}
