#include <tenon/io/eigen.hpp>
#include <tenon/tenon.hpp>

int main() {
  Eigen::Matrix2d matrix;
  matrix << 1, 2, 3, 4;
  return tenon::sum(tenon::view<"row column">(matrix)).item() == 10 ? 0 : 1;
}
