// expect: axes_do_not_fit
// expect: "stack"
// expect: "n=2"
// expect: "n=3"
#include <tenon/tenon.hpp>

using namespace tenon;

auto x = stack<"layer">(Float32<"n=2">(), Float32<"n=3">());
