// expect: errors/stack.cpp:10
// expect: axes_do_not_fit
// expect: "stack"
// expect within 3: axes_do_not_fit
// expect lines: 12
#include <tenon/tenon.hpp>

using namespace tenon;

auto f(Float32<"a=2"> const& x, Float32<"a=3"> const& y) { return stack<"layer">(x, y); }
