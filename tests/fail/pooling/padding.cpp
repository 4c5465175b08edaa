// expect: error::pattern_does_not_fit
// expect: "avg_pool"
// expect: "more padding than half a window"
// expect: "batch t"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"batch t"> const& x) { return avg_pool<"t", 3, Sliding{.padding = 2}>(x); }
