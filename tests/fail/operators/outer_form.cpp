// expect: error::axes_do_not_fit
// expect: "add"
// expect: "row"
// expect: "column"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"row"> const& a, Float32<"column"> const& b) { return a + b; }
