// expect: error::dtype_is_not_supported
// expect: "kernel_source"
// expect: "complex64"
#include <tenon/tenon.hpp>

#include <tenon/backend/codegen/c.hpp>
#include <tenon/tensor/complex.hpp>

using namespace tenon;

auto mistaken(Complex64<"n"> const& x) { return kernel_source<dialect::C>(x + x); }
