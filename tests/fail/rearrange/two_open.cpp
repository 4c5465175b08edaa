// expect: pattern_does_not_fit
// expect: "rearrange"
// expect: "an axis of two open factors, as h"
#include <tenon/tenon.hpp>

using namespace tenon;

auto y = rearrange<"(h d) -> h d">(Float32<"512">());
