// The code of docs/testing.md.

#include <doctest/doctest.h>

#include <tenon/tenon.hpp>
#include <tenon/testing.hpp>

namespace testing_test {

using namespace tenon;

struct Layer {
  Float64<"pixel=4 digit=3"> weight;
  Float64<"digit=3"> bias;

  auto operator()(Float<"batch pixel=4"> auto const& image) const {
    return eval(tanh(matmul(image, weight) + bias));  // "batch digit=3"
  }
};

Layer const layer{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}}, {0, 0, 1}};
Float64<"batch pixel=4"> const images{{0, 1, 0, 1}, {1, 0, 0, 1}};
Float64<"batch digit=3"> const expected{{0, 0.7615942, 0.7615942}, {0.7615942, 0, 0.7615942}};

TEST_CASE("the layer has three digits for each image") {
  auto const y = layer(images);
  CHECK_SHAPE(y, "batch=2 digit=3");
  CHECK_FINITE(y);
  CHECK_CLOSE(y, expected, {.relative = 1e-6, .absolute = 1e-6});
  CHECK_GRADIENT([&](Layer const& l) { return sum(square(l(images))); }, layer);
}

static_assert(testing::has_shape<decltype(layer(images)), "batch digit=3">);

}  // namespace testing_test
