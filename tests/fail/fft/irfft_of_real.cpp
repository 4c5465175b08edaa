// expect: error::dtype_is_not_supported
// expect: "irfft"
// expect: "float32"
#include <tenon/fft.hpp>

using namespace tenon;

auto mistaken(Float32<"t"> const& x) { return fft::irfft<"t">(x); }
