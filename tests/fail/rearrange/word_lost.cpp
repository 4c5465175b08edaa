// expect: pattern_does_not_fit
// expect: "rearrange"
// expect: "d is not on the right"
// expect: "b d -> b"
// expect: "batch t"
#include <tenon/tenon.hpp>

using namespace tenon;

auto y = rearrange<"b d -> b">(Float32<"batch t">());
