// expect: pattern_does_not_fit
// expect: "stack"
// expect: "no place for a new axis"
#include <tenon/tenon.hpp>

using namespace tenon;

auto x = stack<"layer", 2>(Float32<"n">(), Float32<"n">());
