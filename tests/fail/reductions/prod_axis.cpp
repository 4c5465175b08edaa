// expect: error::axis_is_not_found
// expect: "prod"
// expect: "digits"
// expect: "batch digit=10"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"batch digit=10"> const& x) { return prod<"digits">(x, keep); }
