// expect: error::axes_do_not_fit
// expect: "add"
// expect: "batch=1..4"
// expect: "batch=5..9"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"batch=1..4"> const& a, Float32<"batch=5..9"> const& b) { return a + b; }
