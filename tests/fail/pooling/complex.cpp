// expect: error::dtype_is_not_supported
// expect: "max_pool_with_indices"
// expect: "complex64"
#include <tenon/tenon.hpp>
#include <tenon/tensor/complex.hpp>

using namespace tenon;

auto mistaken(Complex64<"t"> const& x) { return max_pool_with_indices<"t", 2>(x).values; }
