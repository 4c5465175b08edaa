// expect: error::dtype_is_not_supported
// expect: "less"
// expect: "complex64"
#include <tenon/tenon.hpp>
#include <tenon/tensor/complex.hpp>

using namespace tenon;

auto mistaken(Complex64<"n"> const& a, Complex64<"n"> const& b) { return a < b; }
