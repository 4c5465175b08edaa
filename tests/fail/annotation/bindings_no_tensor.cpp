// expect: no match
#include <tenon/eval/print_bindings.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

void f(Float32<"2 3"> const& x, Float32<"4 5"> const& y) { print_bindings<"b n, n m">(x, 3); }
