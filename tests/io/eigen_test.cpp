// Views of Eigen objects, without copies.
#include <doctest/doctest.h>

#include <complex>
#include <cstdint>
#include <utility>

#include "eigen.hpp"

#include <tenon/io/eigen.hpp>
#include <tenon/tenon.hpp>
#include <tenon/tensor/complex.hpp>

namespace io_eigen {
namespace {

using namespace tenon;
using namespace eigen_matrices;

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

}  // namespace
}  // namespace io_eigen
