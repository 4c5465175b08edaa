// expect: error::pattern_does_not_fit<
// expect: "print_bindings"
// expect: "argument 2 is no tensor"
#include <tenon/eval/print_bindings.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

void f(Float32<"2 3"> const& x) { print_bindings<"b n, n m">(x, 3); }
