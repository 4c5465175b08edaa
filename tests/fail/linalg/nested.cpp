// expect: error::matrix_is_not_square
// expect: "inverse"
// expect: "n=3"
// expect: "m=4"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float64<"n=3 m=4"> const& a) { return linalg::det(linalg::inverse(a)); }
