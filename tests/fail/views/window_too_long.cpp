// expect: error::range_is_outside
// expect: "window"
// expect: "0..5"
// expect: "t=4"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"t=4"> const& x) { return window<"t", 3, 1, 2>(x); }
