// expect: error::pattern_does_not_fit
// expect: "reshape"
// expect: another number of elements
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float32<"2 3"> const& x) { return reshape<"4 2">(x); }
