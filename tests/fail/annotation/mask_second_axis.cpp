// expect: pattern_does_not_fit
// expect: "check"
// expect: "k: expected 4, got 1"
// expect: "q k, #q k"
#include <tenon/tenon.hpp>

using namespace tenon;

void f(Float32<"3 4"> const& x, Mask<"1 1"> const& mask) { check<"q k, #q k">(x, mask); }
