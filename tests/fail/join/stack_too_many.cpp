// expect: pattern_does_not_fit
// expect: "stack"
// expect: "a tensor has at most eight axes"
// expect: "a b c d e f g h"
#include <tenon/tenon.hpp>

using namespace tenon;

auto x = stack<"layer">(Float32<"a b c d e f g h">(), Float32<"a b c d e f g h">());
