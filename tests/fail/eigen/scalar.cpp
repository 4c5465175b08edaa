// expect: error::scalar_is_no_dtype
// expect: "view"
// expect: long double
#include <tenon/io/eigen.hpp>

auto mistaken(Eigen::Vector<long double, 3>& a) { return tenon::view<"n">(a); }
