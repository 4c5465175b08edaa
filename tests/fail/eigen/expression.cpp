// expect: error::expression_has_no_elements
// expect: "view"
// expect: "evaluate it into a Matrix first"
#include <tenon/io/eigen.hpp>

auto mistaken(Eigen::MatrixXf const& a) { return tenon::view<"row column">(a + a); }
