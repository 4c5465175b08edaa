// expect: pattern_does_not_fit
// expect: "check"
// expect: "2*n: expected 6, got 7"
// expect: "n, 2*n"
#include <tenon/tenon.hpp>

using namespace tenon;

void f(Float32<"3"> const& x, Float32<"7"> const& y) { check<"n, 2*n">(x, y); }
