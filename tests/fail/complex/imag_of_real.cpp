// expect: error::dtype_is_not_supported
// expect: "imag"
// expect: "float32"
#include <tenon/complex.hpp>

using namespace tenon;

auto mistaken(Float32<"n"> const& x) { return imag(x); }
