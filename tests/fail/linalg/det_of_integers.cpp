// expect: error::dtype_is_not_supported
// expect: "det"
// expect: "int32"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Int32<"n n"> const& a) { return linalg::det(a); }
