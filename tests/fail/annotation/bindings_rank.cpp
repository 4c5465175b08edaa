// expect: pattern_does_not_fit
// expect: "print_bindings"
// expect: "argument 2: expected 1 axis, got 2
#include <tenon/eval/print_bindings.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

void f(Float32<"2 3"> const& x, Float32<"4 5"> const& y) { print_bindings<"b n, m">(x, y); }
