// expect: error::axis_does_not_split
// expect: "split"
// expect: "3 equal parts"
// expect: "t=8"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"t=8 c"> const& x) { return split<"t", 3>(x); }
