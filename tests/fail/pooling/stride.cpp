// expect: error::pattern_does_not_fit
// expect: "max_pool"
// expect: "a number below 1"
// expect: "batch t"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"batch t"> const& x) { return max_pool<"t", 3, Sliding{.stride = 0}>(x); }
