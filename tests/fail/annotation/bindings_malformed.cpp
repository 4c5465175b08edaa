// expect: malformed_spec
// expect: "* takes a name, not a size"
// expect: "*4"
#include <tenon/eval/print_bindings.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

void f(Float32<"2 3"> const& x, Float32<"4 5"> const& y) { print_bindings<"*4, n m">(x, y); }
