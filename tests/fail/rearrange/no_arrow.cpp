// expect: pattern_does_not_fit
// expect: "rearrange"
// expect: "an arrow is missing"
#include <tenon/tenon.hpp>

using namespace tenon;

auto y = rearrange<"b t">(Float32<"2 3">());
