// expect: error::dtype_is_not_supported
// expect: "grad"
// expect: "complex64"
#include <tenon/complex.hpp>

using namespace tenon;

auto mistaken(Complex64<"n"> const& z) {
  return grad([](auto const& at) { return sum(at); })(z);
}
