// expect: error::axis_is_not_found
// expect: "logsumexp"
// expect: "class"
// expect: "batch digit=10"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"batch digit=10"> const& x) { return logsumexp<"class">(x, keep); }
