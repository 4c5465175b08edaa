#include <doctest/doctest.h>
#include <tenon/tenon.hpp>

#include <tenon/testing.hpp>

namespace shape_test {

using namespace tenon;

TEST_CASE("axes and sizes that fit an annotation pass") {
  auto const x = ones<Float32<"batch digit=10">>(4);
  CHECK_SHAPE(x, "batch digit=10");
  CHECK_SHAPE(x, "batch=4 10");
  CHECK_SHAPE(x * 2.0f, "*any digit=10");
  CHECK_SHAPE(sum(x), "");
  CHECK_SHAPE(ones<Float32<"batch">>(0), "batch=0");
}

TEST_CASE("a run-time size that does not fit is reported") {
  auto const x = ones<Float32<"batch digit=10">>(4);
  testing::Result const result = testing::check_shape<"batch=3 digit=10">(x);
  CHECK(!result);
  CHECK(result.text ==
        "tenon::check_shape: 'batch=3': expected batch=3, got batch=4 "
        "(axis 0 of argument 1)");
}

}  // namespace shape_test
