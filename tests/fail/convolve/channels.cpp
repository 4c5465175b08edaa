// expect: axes_do_not_fit
// expect: "convolve"
// expect: "channel=3"
// expect: "channel=4"
#include <tenon/tenon.hpp>

using namespace tenon;

auto y = convolve<"t">(Float32<"channel=3 t">(), Float32<"out channel=4 t=5">());
