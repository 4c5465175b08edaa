// expect: error::axis_is_not_found
// expect: "split"
// expect: "s"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"t=8 c"> const& x) { return split<"s", 2>(x); }
