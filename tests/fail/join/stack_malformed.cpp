// expect: pattern_does_not_fit
// expect: "stack"
// expect: "the new axis is malformed"
// expect: "lay,er"
#include <tenon/tenon.hpp>

using namespace tenon;

auto x = stack<"lay,er">(Float32<"n">(), Float32<"n">());
