// expect: error::pattern_does_not_fit
// expect: "expand"
// expect: an axis shrinks
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"3 4"> const& x) { return expand<"1 4">(x); }
