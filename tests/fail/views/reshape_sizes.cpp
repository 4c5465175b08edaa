// expect: error::pattern_does_not_fit
// expect: "reshape"
// expect: another number of open axes
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"2 3"> const& x) { return reshape<"p q">(x, 6); }
