// expect: error::pattern_does_not_fit<
// expect: "n: sizes differ by 1: t and t=t-1"
// expect: "t t=t-1"
// expect lines: 9
#include <tenon/tenon.hpp>

using namespace tenon;

void mistaken(Float32<"t t=t-1"> const& x) { check<"n n">(x); }
