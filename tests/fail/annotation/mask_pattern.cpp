// expect: pattern_does_not_fit
// expect: "check"
// expect: "#n: expected 3, got 2"
// expect: "n, #n"
#include <tenon/tenon.hpp>

using namespace tenon;

void f(Float32<"3"> const& x, Mask<"2"> const& mask) { check<"n, #n">(x, mask); }
