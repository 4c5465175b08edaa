// expect: no matching function
#include <tenon/io/eigen.hpp>
#include <tenon/tenon.hpp>

void mistaken(Eigen::VectorXf const& a) {
  tenon::assign(tenon::view<"n">(a), tenon::Float32<"n">());
}
