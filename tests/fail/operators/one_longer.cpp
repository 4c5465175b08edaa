// expect: error::axes_do_not_fit
// expect: "less"
// expect: "n"
// expect: "n+1"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"n"> const& a, Float32<"n+1"> const& b) { return a < b; }
