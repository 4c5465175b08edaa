// expect: error::axes_do_not_fit
// expect: "max"
// expect: "batch=32"
// expect: "batch=64"
// expect: "batch=32 8"
// expect: "batch=64 8"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"batch=32 8"> const& a, Float32<"batch=64 8"> const& b) { return max(a, b); }
