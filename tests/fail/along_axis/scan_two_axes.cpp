// expect: error::pattern_does_not_fit
// expect: "cumsum"
// expect: "one axis is needed"
// expect: "batch t"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"batch t"> const& x) { return cumsum<"batch t">(x); }
