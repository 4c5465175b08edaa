// expect: errors/check.cpp:11
// expect: pattern_does_not_fit
// expect g++: "argument 2: expected 1 axis, got 2 axes"
// expect clang++: "argument 2: expected 1 axis, got 2[...]"
// expect within 5: pattern_does_not_fit
// expect lines: 12
#include <tenon/tenon.hpp>

using namespace tenon;

void g(Float<"n"> auto const& x, Float<"..."> auto const& y) { check<"n, 2*n">(x, y); }
void f(Float32<"n"> const& x, Float32<"m k"> const& y) { g(x, y); }
