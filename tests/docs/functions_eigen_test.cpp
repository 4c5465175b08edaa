// The code that docs/from_pytorch_numpy_eigen.md and docs/functions/ show of Eigen.

#include <doctest/doctest.h>

#include <tenon/io/eigen.hpp>
#include <tenon/tenon.hpp>

namespace functions_eigen_test {

using namespace tenon;

TEST_CASE("a view of a matrix") {
  Eigen::Matrix<float, 2, Eigen::Dynamic> a(2, 3);  // column-major
  a << 1, 2, 3, 4, 5, 6;
  auto const x = view<"row column">(a);
  static_assert(shape_of<decltype(x)> == "row=2 column");
  Float32<"row=2"> const sums = sum<"column">(x);  // read where it is
  CHECK(sums(1) == 15);
  assign(x, 2 * x);  // writes to a
  CHECK(a(1, 2) == 12);
  CHECK(sum(view<"row">(a.col(1))).item() == 14);
}

TEST_CASE("a tensor is a Map") {
  auto const x = normal<Float64<"row column=3">>(Key{1}, 5);
  Eigen::Matrix3d const covariance = as_eigen(x).transpose() * as_eigen(x);
  auto y = x;
  as_mutable_eigen(y).rowwise().normalize();
  CHECK(as_eigen(y).row(4).norm() == doctest::Approx(1));
  CHECK(allclose(view<"column column">(covariance), matmul(transpose(x), x)));
}

}  // namespace functions_eigen_test
