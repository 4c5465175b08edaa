// expect: error::dtype_is_not_supported
// expect: "max"
// expect: "complex64"
#include <tenon/tenon.hpp>
#include <tenon/tensor/complex.hpp>

using namespace tenon;

auto mistaken(Complex64<"n"> const& x) { return max(x); }
