// expect: pattern_does_not_fit
// expect: "print_bindings"
// expect: "*b: expected 2, got 4"
#include <tenon/eval/print_bindings.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

void f(Float32<"2 3"> const& x, Float32<"4 5"> const& y) { print_bindings<"*b _, *b _">(x, y); }
