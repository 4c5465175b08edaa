// expect: error::dtype_is_not_supported
// expect: "atan2"
// expect: "float64"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float64<"n n"> const& a) { return linalg::matrix_function<op::Atan2>(a); }
