// expect: error::malformed_spec
// expect: "row=-1"
#include <tenon/io/eigen.hpp>

auto mistaken(Eigen::MatrixXf& a) { return tenon::view<"row=-1 column">(a); }
