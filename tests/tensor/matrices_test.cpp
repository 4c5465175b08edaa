#include <tenon/tenon.hpp>
#include <tenon/tensor/matrices.hpp>

#include <doctest/doctest.h>

namespace matrices_test {

namespace {

using namespace tenon;

TEST_CASE("the example of the page for users of Eigen") {
  Matrix const a{{1, 2}, {3, 4}, {5, 6}};
  Matrix const b = transpose(a);
  Vector const v{1, 10};
  Vector const image = matmul(a, v);
  Matrix const product = matmul(a, b);
  Matrix const squares = a * a;  // elementwise
  RowVector3 const row{{1, 2, 3}};
  Matrix3 const outer = transpose(row) * row;
  CHECK(to_string(image) == "[21. 43. 65.]");
  CHECK(product(2, 0) == 17);
  CHECK(squares(2, 1) == 36);
  CHECK(outer(1, 2) == 6);
}

TEST_CASE("sizes without a number are known at run time, and compared") {
  CHECK(zeros<Matrix>(2, 3).size() == 6);
  CHECK(zeros<Vector>(4).size() == 4);
  CHECK(zeros<RowVector>(4).size() == 4);
  CHECK(zeros<ColumnVector>(4).size() == 4);
  CHECK_THROWS_AS(eval(zeros<Matrix>(2, 3) + zeros<Matrix>(2, 4)), ShapeError);
  CHECK_THROWS_AS(eval(matmul(zeros<Matrix>(2, 3), zeros<Vector>(2))), ShapeError);
}

TEST_CASE("a vector is a row or a column, and a matrix of one row or column is neither") {
  Matrix3 const m{{1, 0, 0}, {2, 0, 0}, {0, 0, 3}};
  Vector3 const v{1, 2, 3}, right = matmul(m, v), left = matmul(v, m);
  CHECK(to_string(right) == "[1. 2. 9.]");
  CHECK(to_string(left) == "[5. 0. 9.]");
  RowVector3 const row{{1, 2, 3}};
  ColumnVector3 const column = transpose(row);
  CHECK(eval(matmul(row, column))(0, 0) == 14);
  Matrix3 const shifted = m + row;
  CHECK(shifted(2, 2) == 6);
}

template <class X, class Y>
concept HasProduct = requires(X x, Y y) { matmul(x, y); };
static_assert(HasProduct<Matrix3, ColumnVector3> && !HasProduct<Matrix3, RowVector3>);
static_assert(HasProduct<Matrix, Matrix4> && !HasProduct<Matrix3, Matrix4>);
static_assert(std::is_same_v<decltype(eval(matmul(Matrix(), Matrix()))), Matrix>);
static_assert(std::is_same_v<decltype(eval(Matrix() * Matrix())), Matrix>);
static_assert(std::is_same_v<decltype(eval(matmul(Matrix(), Vector()))), Vector>);

}  // namespace

}  // namespace matrices_test
