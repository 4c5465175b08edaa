// expect: error::pattern_does_not_fit
// expect: "expand"
// expect: another number of new axes
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"n"> const& x) { return expand<"batch n">(x); }
