// expect: error::pattern_does_not_fit
// expect: "reshape"
// expect: more than one axis is open
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"2 3"> const& x) { return reshape<"p q">(x); }
