// expect: error::pattern_does_not_fit<
// expect: "check"
// expect: "argument 2 is no tensor"
// expect lines: 9
#include <tenon/tenon.hpp>

using namespace tenon;

void f(Float32<"n=3"> const& x) { check<"n, n">(x, 3); }
