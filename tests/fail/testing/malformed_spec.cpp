// expect: malformed_spec
// expect: batch digit=
#include <tenon/tenon.hpp>
#include <tenon/testing/shape.hpp>

void mistake(tenon::Float32<"batch digit=10"> const& x) { CHECK_SHAPE(x, "batch digit="); }
