// expect: pattern_does_not_fit
// expect: "check"
// expect: "max(n,m): expected 5, got 3"
// expect: "n, m, max(n,m)"
#include <tenon/tenon.hpp>

using namespace tenon;

void f(Float32<"3"> const& x, Float32<"5"> const& y) { check<"n, m, max(n,m)">(x, y, x); }
