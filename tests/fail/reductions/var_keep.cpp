// expect: error::axis_is_not_found
// expect: "var"
// expect: "width"
// expect: "batch hidden=8"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"batch hidden=8"> const& x) { return var<"width">(x, keep); }
