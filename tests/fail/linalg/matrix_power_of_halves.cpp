// expect: error::dtype_is_not_supported
// expect: "matrix_power"
// expect: "bfloat16"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(BFloat16<"n n"> const& a) { return linalg::matrix_power(a, 2); }
