// expect: error::shapes_do_not_align
// expect: "view"
// expect: "n"
// expect: "_ 3"
#include <tenon/io/eigen.hpp>

auto mistaken(Eigen::MatrixX3f& a) { return tenon::view<"n">(a); }
