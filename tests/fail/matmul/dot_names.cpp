// expect: error::axes_do_not_fit
// expect: "dot"
// expect: "i"
// expect: "j"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"i"> const& x, Float32<"j"> const& y) { return dot(x, y); }
