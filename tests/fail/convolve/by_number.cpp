// expect: axes_do_not_fit
// expect: "convolve"
// expect: "t"
// expect: "channel=4"
#include <tenon/tenon.hpp>

using namespace tenon;

auto y = convolve<1>(Float32<"batch t channel=4">(), Float32<"t=3 channel=4 out">());
