// expect: axis_is_not_found
// expect: "convolve"
// expect: "width"
// expect: "out channel height=3 3"
#include <tenon/tenon.hpp>

using namespace tenon;

auto y = convolve<"height width">(Float32<"channel height width">(),
                                  Float32<"out channel height=3 3">());
