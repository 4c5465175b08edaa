// expect: error::axis_is_not_one
// expect: "squeeze"
// expect: "c=3"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"n c=3"> const& x) { return squeeze<"c">(x); }
