// expect: error::dtype_is_not_supported
// expect: "rfftn"
// expect: "complex64"
#include <tenon/fft.hpp>

using namespace tenon;

auto mistaken(Complex64<"height width"> const& x) { return fft::rfftn<"height width">(x); }
