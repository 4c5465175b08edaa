// expect: error::dtypes_differ
// expect: "float32"
// expect: "float64"
#include <tenon/complex.hpp>

using namespace tenon;

auto mistaken(Complex64<"n"> const& z, Float64<"n"> const& bias) { return mod_relu(z, bias); }
