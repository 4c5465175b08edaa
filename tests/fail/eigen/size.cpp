// expect: error::axes_do_not_fit
// expect: "view"
// expect: "row=4"
// expect: "row=4 column"
// expect: "3 _"
#include <tenon/io/eigen.hpp>

auto mistaken(Eigen::Matrix3Xf& a) { return tenon::view<"row=4 column">(a); }
