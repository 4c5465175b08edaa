// expect: error::dtype_is_not_supported
// expect: "rfft"
// expect: "complex64"
#include <tenon/fft.hpp>

using namespace tenon;

auto mistaken(Complex64<"t"> const& x) { return fft::rfft<"t">(x); }
