// expect: pattern_does_not_fit
// expect: "rearrange"
// expect: "c is not on the left"
// expect: "b -> b c"
#include <tenon/tenon.hpp>

using namespace tenon;

auto y = rearrange<"b -> b c">(Float32<"batch">());
