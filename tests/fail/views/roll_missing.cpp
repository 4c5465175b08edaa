// expect: error::axis_is_not_found
// expect: "roll"
// expect: "s"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"t"> const& x) { return roll<"s">(x, 1); }
