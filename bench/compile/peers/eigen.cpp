#include <Eigen/Core>

Eigen::ArrayXf f(Eigen::ArrayXf const& a, Eigen::ArrayXf const& b) {
  return (a * b + 1.0f).max(0.0f);
}
