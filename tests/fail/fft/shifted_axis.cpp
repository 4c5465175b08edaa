// expect: error::axis_is_not_found
// expect: "fftshift"
#include <tenon/fft.hpp>

using namespace tenon;

auto mistaken(Float32<"t"> const& x) { return fft::fftshift<"k">(x); }
