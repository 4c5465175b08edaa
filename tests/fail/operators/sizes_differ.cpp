// expect: error::axes_do_not_fit
// expect: "sub"
// expect: "4"
// expect: "5"
// expect: "3 4"
// expect: "3 5"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"3 4"> const& a, Float32<"3 5"> const& b) { return a - b; }
