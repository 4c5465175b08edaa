// expect: static assertion failed
// expect note: "batch digit=12"
// expect note: "batch digit=10"
#include <tenon/tenon.hpp>
#include <tenon/testing/shape.hpp>

static_assert(tenon::testing::has_shape<tenon::Float32<"batch digit=12">, "batch digit=10">);
