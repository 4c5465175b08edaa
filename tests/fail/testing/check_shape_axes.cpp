// expect: annotation_does_not_fit
// expect: digit=10
// expect: batch digit=9
#include <tenon/tenon.hpp>
#include <tenon/testing.hpp>

void f(tenon::Float32<"batch digit=9"> const& x) { CHECK_SHAPE(x, "batch digit=10"); }
