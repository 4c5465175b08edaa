// expect: error::axis_is_not_found
// expect: "flip"
// expect: "s"
// expect: "t c"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"t c"> const& x) { return flip<"s">(x); }
