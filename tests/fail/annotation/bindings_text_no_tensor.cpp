// expect: error::pattern_does_not_fit<
// expect: "bindings_text"
// expect: "argument 1 is no tensor"
#include <tenon/eval/print_bindings.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

auto f(Float32<"2 3"> const& x) { return bindings_text<"b n, n m">(3.0f, x); }
