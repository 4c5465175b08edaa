// expect: error::axes_do_not_fit
// expect: "n=1..2"
#include <tenon/io/eigen.hpp>

auto mistaken(Eigen::Vector3d& a) { return tenon::view<"n=1..2">(a); }
