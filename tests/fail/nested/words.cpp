// expect: error::axis_is_not_found
// expect: "flip"
// expect: "s"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"t=4 c=4"> const& x) { return trace(reshape<"4 4">(flip<"s">(x))); }
