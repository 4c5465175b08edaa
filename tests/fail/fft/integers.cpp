// expect: error::dtype_is_not_supported
// expect: "fft"
// expect: "int32"
#include <tenon/fft.hpp>

using namespace tenon;

auto mistaken(Int32<"t"> const& x) { return fft::fft<"t">(x); }
