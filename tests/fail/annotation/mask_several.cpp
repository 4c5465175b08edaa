// expect: pattern_does_not_fit
// expect: "check"
// expect: "*#b: expected 2 3, got 3 1"
// expect: "*b n, *#b n"
#include <tenon/tenon.hpp>

using namespace tenon;

void f(Float32<"2 3 4"> const& x, Mask<"3 1 4"> const& mask) { check<"*b n, *#b n">(x, mask); }
