// expect: shapes_do_not_align
// expect: "convolve"
// expect: "channel t"
// expect: "8 channel t=3"
#include <tenon/tenon.hpp>

using namespace tenon;

auto y = convolve<"t">(Float32<"channel t">(), Float32<"8 channel t=3">());
