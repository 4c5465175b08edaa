// expect: pattern_does_not_fit
// expect: "check"
// expect: "#n+1: expected 4, got 3"
// expect: "n, #n+1"
#include <tenon/tenon.hpp>

using namespace tenon;

void f(Float32<"3"> const& x, Mask<"3"> const& mask) { check<"n, #n+1">(x, mask); }
