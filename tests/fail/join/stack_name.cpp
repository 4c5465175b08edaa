// expect: pattern_does_not_fit
// expect: "stack"
// expect: "the new axis is one name"
// expect: "layer=3"
#include <tenon/tenon.hpp>

using namespace tenon;

auto x = stack<"layer=3">(Float32<"n">(), Float32<"n">());
