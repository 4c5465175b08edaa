// expect: axes_do_not_fit
// expect: "convolve"
// expect: "t=4"
// expect: "t=5"
#include <tenon/tenon.hpp>

using namespace tenon;

auto y = convolve<"t">(Float32<"t=4">(), Float32<"out t=5">());
