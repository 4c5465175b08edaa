// expect: error::temporary_has_no_lasting_elements
// expect: "view"
// expect: "name the Eigen object first"
#include <tenon/io/eigen.hpp>

auto const mistaken = tenon::view<"row column">(Eigen::MatrixXf(2, 3));
