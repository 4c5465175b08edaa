// expect: pattern_does_not_fit
// expect: "repeat"
// expect: "c is new: write its size, c=3"
// expect: "h w -> h w c"
#include <tenon/tenon.hpp>

using namespace tenon;

auto y = repeat<"h w -> h w c">(Float32<"2 3">());
