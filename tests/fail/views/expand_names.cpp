// expect: error::pattern_does_not_fit
// expect: "expand"
// expect: the axes do not align
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"n"> const& x) { return expand<"batch=2 m">(x); }
