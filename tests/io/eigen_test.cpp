// Interchange with Eigen: views of Eigen objects, tensors as Eigen::Map, without copies.
#include <doctest/doctest.h>

#include <complex>
#include <concepts>
#include <cstdint>
#include <utility>

#include <tenon/io/eigen.hpp>
#include <tenon/tenon.hpp>

namespace io_eigen {
namespace {

using namespace tenon;
using Eigen::Dynamic;

template <class T>
using RowMajor = Eigen::Matrix<T, Dynamic, Dynamic, Eigen::RowMajor>;

/// 0, 1, 2, ... in the order of rows.
template <class M>
M numbered(Eigen::Index rows, Eigen::Index columns) {
  M matrix(rows, columns);
  for (Eigen::Index i = 0; i < rows; ++i)
    for (Eigen::Index k = 0; k < columns; ++k)
      matrix(i, k) = static_cast<typename M::Scalar>(static_cast<float>(i * columns + k));
  return matrix;
}

/// Whether a tensor, view or expression of two axes and an Eigen object are equal.
template <class E, class M>
bool equal(E const& e, M const& matrix) {
  if (e.sizes()[0] != matrix.rows() || e.sizes()[1] != matrix.cols()) return false;
  for (Eigen::Index i = 0; i < matrix.rows(); ++i)
    for (Eigen::Index k = 0; k < matrix.cols(); ++k)
      if (e(i, k) != matrix(i, k)) return false;
  return true;
}

template <class V>
inline constexpr bool is_writable_view = requires(V const& v) { v.mutable_data(); };

// Sizes that Eigen's type has are static.
template <class M>
inline constexpr Shape const& viewed = decltype(view<"row column">(std::declval<M&>()))::shape;
static_assert(viewed<Eigen::MatrixXf> == "row column");
static_assert(viewed<Eigen::Matrix3d> == "row=3 column=3");
static_assert(viewed<Eigen::Matrix<float, 3, Dynamic>> == "row=3 column");
static_assert(viewed<Eigen::Array<int, Dynamic, 4>> == "row column=4");
static_assert(viewed<Eigen::VectorXf> == "row column=1");
static_assert(viewed<Eigen::RowVector4f> == "row=1 column=4");
static_assert(viewed<Eigen::Block<Eigen::MatrixXf, 2, 2>> == "row=2 column=2");

template <Spec S, class M>
using ViewOf = decltype(view<S>(std::declval<M>()));
static_assert(shape_of<ViewOf<"n", Eigen::Vector3f&>> == "n=3");
static_assert(shape_of<ViewOf<"n", Eigen::RowVectorXd&>> == "n");
static_assert(shape_of<ViewOf<"_ _", Eigen::Matrix2f&>> == "2 2");
static_assert(shape_of<ViewOf<"row=3 n=1..9", Eigen::Matrix<float, Dynamic, 4>&>> == "row=3 n=4");
static_assert(shape_of<ViewOf<"row=3 n=1..9", Eigen::MatrixXf&>> == "row=3 n=1..9");
static_assert(shape_of<ViewOf<"n n+1", Eigen::Matrix<float, 3, 4>&>> == "n=3 4");

// Constness follows the Eigen object.
static_assert(is_writable_view<ViewOf<"n", Eigen::VectorXf&>>);
static_assert(!is_writable_view<ViewOf<"n", Eigen::VectorXf const&>>);
static_assert(is_writable_view<ViewOf<"n", Eigen::Map<Eigen::VectorXf>&>>);
static_assert(!is_writable_view<ViewOf<"n", Eigen::Map<Eigen::VectorXf const>&>>);
static_assert(!is_writable_view<ViewOf<"n", Eigen::Ref<Eigen::VectorXf const>&>>);
static_assert(is_writable_view<ViewOf<"n", Eigen::Ref<Eigen::VectorXf>&>>);

template <Spec S, class M>
concept HasView = requires(M&& matrix) {
  { view<S>(std::forward<M>(matrix)) } -> ExpressionType;
};
static_assert(HasView<"n", Eigen::VectorXf&>);
static_assert(!HasView<"n", Eigen::VectorXf>, "a temporary");
static_assert(!HasView<"n", Eigen::ArrayXf const>, "a temporary");
static_assert(!HasView<"n", Eigen::Ref<Eigen::VectorXf const>>, "a temporary that may own a copy");
static_assert(HasView<"n", Eigen::Map<Eigen::VectorXf>>, "a temporary that owns nothing");
static_assert(!HasView<"n", Eigen::MatrixXf&>);
static_assert(!HasView<"a b c", Eigen::MatrixXf&>);
static_assert(!HasView<"n=4", Eigen::Vector3f&>);
static_assert(!HasView<"n=1..2", Eigen::Vector3f&>);
static_assert(!HasView<"n", Eigen::Matrix<long double, Dynamic, 1>&>);

TEST_CASE_TEMPLATE("a view of a matrix reads it in either storage order", M, Eigen::MatrixXf,
                   Eigen::MatrixXd, Eigen::MatrixXi, Eigen::MatrixXcf, Eigen::MatrixXcd,
                   Eigen::ArrayXXd, RowMajor<float>, RowMajor<std::uint8_t>,
                   RowMajor<std::int64_t>) {
  M const matrix = numbered<M>(4, 3);
  auto const x = view<"row column">(matrix);
  CHECK(x.data() == matrix.data());
  CHECK(equal(x, matrix));
  Tensor<typename M::Scalar, "row column"> const copy = x;
  CHECK(equal(copy, matrix));
}

TEST_CASE("a view of a mask") {
  Eigen::Array<bool, Dynamic, Dynamic> mask = numbered<Eigen::ArrayXXf>(2, 3) > 2;
  Mask<"row column"> const inverse = ~view<"row column">(mask);
  CHECK(inverse(0, 2));
  CHECK(!inverse(1, 0));
  CHECK(equal(inverse, !mask));
  CHECK((as_eigen(inverse).array() == !mask).all());
}

TEST_CASE("views of blocks, maps, references, transposes and strides read the same elements") {
  auto matrix = numbered<Eigen::MatrixXd>(5, 4);
  CHECK(equal(view<"row column">(matrix.block(1, 1, 3, 2)), matrix.block(1, 1, 3, 2)));
  CHECK(equal(view<"row column">(matrix.topRows<2>()), matrix.topRows<2>()));
  CHECK(equal(view<"row column">(matrix.transpose()), matrix.transpose()));
  CHECK(equal(view<"row column">(matrix.array()), matrix));
  Eigen::Ref<Eigen::MatrixXd const> const reference = matrix.leftCols(3);
  CHECK(equal(view<"row column">(reference), reference));
  using Strides = Eigen::Stride<Dynamic, Dynamic>;
  Eigen::Map<Eigen::MatrixXd, 0, Strides> const apart(matrix.data(), 2, 3, Strides(6, 2));
  CHECK(equal(view<"row column">(apart), apart));
  Eigen::Map<RowMajor<double>, 0, Strides> const back(matrix.data() + 19, 2, 3, Strides(-6, -2));
  CHECK(equal(view<"row column">(back), back));
}

TEST_CASE("a vector is one axis, a row or a diagonal of a matrix too") {
  auto const matrix = numbered<RowMajor<float>>(3, 3);
  CHECK(all(view<"n">(matrix.row(1)) == Float32<"n">{3, 4, 5}).item());
  CHECK(all(view<"n">(matrix.col(1)) == Float32<"n">{1, 4, 7}).item());
  CHECK(all(view<"n">(matrix.diagonal()) == Float32<"n">{0, 4, 8}).item());
  Eigen::VectorXf const vector = matrix.col(2);
  CHECK(all(view<"n">(vector.segment(1, 2)) == Float32<"n">{5, 8}).item());
  CHECK(equal(view<"n one=1">(vector), vector));
}

TEST_CASE("the parts of complex numbers are strided views") {
  Eigen::MatrixXcd z = numbered<Eigen::MatrixXcd>(2, 2) * std::complex<double>(1, 2);
  CHECK(equal(view<"row column">(z.real()), z.real()));
  CHECK(equal(view<"row column">(z.imag()), z.imag()));
}

TEST_CASE("assign writes an Eigen object through its view") {
  auto matrix = numbered<Eigen::MatrixXf>(3, 3);
  Eigen::MatrixXf const before = matrix;
  auto const x = view<"row column">(matrix);
  assign(x, 2 * x);
  CHECK(matrix == 2 * before);
  assign(x, view<"row column">(matrix.transpose()));  // computed first
  CHECK(matrix == 2 * before.transpose());
  assign(view<"n">(matrix.row(0)), Float32<"n">{7, 8, 9});
  CHECK(matrix(0, 2) == 9);
  CHECK(matrix(1, 2) == 2 * before(2, 1));
}

TEST_CASE("run-time sizes are checked against the spec") {
  Eigen::MatrixXf const matrix(2, 3);
  CHECK_NOTHROW(view<"row=2 column=3">(matrix));
  CHECK_THROWS_AS(view<"row=3 column">(matrix), ShapeError);
  CHECK_THROWS_AS(view<"row column=..2">(matrix), ShapeError);
  CHECK_THROWS_AS(view<"n n">(matrix), ShapeError);
}

TEST_CASE("empty objects and objects of one element have views") {
  Eigen::MatrixXf const empty(0, 3);
  auto const none = view<"row column=3">(empty);
  CHECK(none.size() == 0);
  CHECK(sum(none).item() == 0);
  Eigen::VectorXd const no_vector;
  CHECK(view<"n">(no_vector).size() == 0);
  Eigen::Matrix<float, 1, 1> one(5.f);
  CHECK(view<"row column">(one)(0, 0) == 5);
  CHECK(view<"n">(one)(0) == 5);
}

template <class E>
using EigenOf = decltype(as_eigen(std::declval<E&>()));
static_assert(std::same_as<EigenOf<Float32<"n">>, Eigen::Map<Eigen::VectorXf const>>);
static_assert(std::same_as<EigenOf<Float64<"n=3">>, Eigen::Map<Eigen::Vector3d const>>);
static_assert(std::same_as<EigenOf<Float32<"a b">>, Eigen::Map<RowMajor<float> const>>);
static_assert(std::same_as<EigenOf<Int32<"a b=3">>,
                           Eigen::Map<Eigen::Matrix<int, Dynamic, 3, Eigen::RowMajor> const>>);
static_assert(std::same_as<EigenOf<Float32<"a=1 b">>, Eigen::Map<Eigen::RowVectorXf const>>);
static_assert(std::same_as<EigenOf<Float32<"a b=1">>, Eigen::Map<Eigen::VectorXf const>>);
static_assert(EigenOf<Float64<"a=128 b=128">>::RowsAtCompileTime == 128);
static_assert(EigenOf<Float64<"a=128 b=129">>::RowsAtCompileTime == Dynamic, "above 128 KiB");
static_assert(EigenOf<Float32<"">>::SizeAtCompileTime == 1);

template <class E>
concept HasEigen = requires(E&& e) { as_eigen(std::forward<E>(e)).rows(); };
template <class E>
concept HasMutableEigen = requires(E&& e) { as_mutable_eigen(std::forward<E>(e)).rows(); };
static_assert(HasEigen<Float32<"n">&> && HasEigen<Float32<"n"> const&>);
static_assert(!HasEigen<Float32<"n">>, "a temporary");
static_assert(!HasEigen<Float16<"n">&> && !HasEigen<Float32<"a b c">&>);
static_assert(!HasEigen<decltype(Float32<"n">() + 1)&>, "an expression");
static_assert(HasMutableEigen<Float32<"n">&> && !HasMutableEigen<Float32<"n"> const&>);
static_assert(HasEigen<View<float, "n">> && !HasMutableEigen<View<float, "n">&>);
static_assert(HasMutableEigen<MutableView<float, "n"> const&>);
static_assert(!HasMutableEigen<MutableView<float, "n">>, "a temporary may own what it writes");

TEST_CASE_TEMPLATE("a tensor is a Map of its own elements", T, float, double, std::int8_t,
                   std::int64_t, std::complex<float>, std::complex<double>) {
  auto const x = to<T>(iota<Tensor<float, "row column">>(4, 3));
  Tensor<T, "row column"> const tensor = x;
  CHECK(as_eigen(tensor).data() == tensor.data());
  CHECK(equal(tensor, as_eigen(tensor)));
  Tensor<T, "row=4 column=3"> const fixed = x;
  CHECK(as_eigen(fixed).data() == fixed.data());
  CHECK(equal(fixed, as_eigen(fixed)));
}

TEST_CASE("Eigen computes with tensors, Tenon with the result") {
  Float64<"row=2 column=3"> const x{{1, 2, 3}, {4, 5, 6}};
  Float64<"column=3"> const v{1, 0, -1};
  Eigen::Vector2d const product = as_eigen(x) * as_eigen(v);
  CHECK(all(view<"row">(product) == matmul(x, v)).item());
}

TEST_CASE("an empty tensor and one of one element are Maps") {
  auto const none = zeros<Float32<"row column=3">>(0);
  CHECK(as_eigen(none).rows() == 0);
  CHECK(as_eigen(none).sum() == 0);
  Float32<""> const one(3);
  CHECK(as_eigen(one)(0, 0) == 3);
}

TEST_CASE("writing through a mutable Map does not change copies") {
  auto x = zeros<Float32<"row column">>(2, 3);
  auto const before = x;
  auto matrix = as_mutable_eigen(x);
  matrix.col(1).setConstant(5);
  CHECK(x(1, 1) == 5);
  CHECK(before(1, 1) == 0);
  auto const after = x;
  matrix(0, 0) = 9;
  CHECK(x(0, 0) == 9);
  CHECK(after(0, 0) == 0);
  Float32<"n=3"> small{1, 2, 3};
  as_mutable_eigen(small) *= 2;
  CHECK(small(2) == 6);
}

TEST_CASE("a view is a Map with its strides") {
  auto columns = numbered<Eigen::MatrixXf>(3, 4);
  auto const x = view<"row column">(columns);
  CHECK(as_eigen(x) == columns);
  CHECK(as_eigen(view<"column row">(columns.transpose())) == columns.transpose());
  auto const column = view<"n">(columns.row(1));
  CHECK(as_eigen(column) == columns.row(1).transpose());
  as_mutable_eigen(column).setZero();
  CHECK(columns.row(1).isZero());
  CHECK(!columns.row(2).isZero());
}

TEST_CASE("a recorded tensor is no Map") {
  CHECK_THROWS_WITH_AS(
      grad([](Float32<"n=2"> const& x) { return as_eigen(x)(0) * sum(x); })(Float32<"n=2">{1, 2}),
      doctest::Contains("tenon::as_eigen: expected a constant"), Error);
}

}  // namespace
}  // namespace io_eigen
