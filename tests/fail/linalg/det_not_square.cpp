// expect: error::matrix_is_not_square
// expect: "det"
// expect: "n"
// expect: "n+1"
// expect: "b n n+1"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float64<"b n n+1"> const& a) { return linalg::det(a); }
