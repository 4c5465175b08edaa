// expect: error::matrix_is_not_square
// expect: "matrix_function"
// expect: "n=3 m=2"
#include <tenon/tenon.hpp>

using namespace tenon;

auto mistaken(Float64<"n=3 m=2"> const& a) { return linalg::matrix_function<op::Exp>(a); }
