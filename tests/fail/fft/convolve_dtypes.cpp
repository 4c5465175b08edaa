// expect: error::dtypes_differ
// expect: "convolve"
#include <tenon/fft.hpp>

using namespace tenon;

auto mistaken(Float32<"t"> const& x, Float64<"t"> const& k) { return fft::convolve<"t">(x, k); }
