// expect: pattern_does_not_fit
// expect: "check"
// expect: "n n"
// expect: "n: expected 2, got 3"
#include <tenon/tenon.hpp>

using namespace tenon;

constexpr Spec tail = "n";
void g(Float32<"2 3"> const& x) { check<"n" + tail>(x); }
