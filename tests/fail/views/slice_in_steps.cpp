// expect: error::range_is_outside
// expect: "slice"
// expect: "2..9"
// expect: "t=8"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"t=8"> const& x) { return slice<"t", 2, 9, 2>(x); }
