// expect: error::axis_is_not_found
// expect: "rfftn"
// expect: "depth"
#include <tenon/fft.hpp>

using namespace tenon;

auto mistaken(Float32<"height width"> const& x) { return fft::rfftn<"height depth">(x); }
