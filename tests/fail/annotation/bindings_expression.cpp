// expect: pattern_does_not_fit
// expect: "print_bindings"
// expect: "2*n: expected 4, got 5"
#include <tenon/eval/print_bindings.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

void f(Float32<"2 3"> const& x, Float32<"4 5"> const& y) { print_bindings<"n _, _ 2*n">(x, y); }
