// expect: error::temporary_has_no_lasting_elements
// expect: "view"
#include <tenon/io/eigen.hpp>

Eigen::MatrixXf const a(2, 3);
auto const mistaken = tenon::view<"n m">(Eigen::Ref<Eigen::MatrixXf const>(a));
