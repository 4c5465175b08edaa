// Tensors and views as Eigen::Map, without copies.
#include <doctest/doctest.h>

#include <complex>
#include <concepts>
#include <cstdint>
#include <utility>

#include "eigen.hpp"

#include <tenon/io/eigen.hpp>
#include <tenon/tenon.hpp>
#include <tenon/tensor/complex.hpp>

namespace io_as_eigen {
namespace {

using namespace tenon;
using namespace eigen_matrices;

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
  {
    auto matrix = as_mutable_eigen(x);
    matrix.col(1).setConstant(5);
    CHECK(x(1, 1) == 5);
    CHECK(before(1, 1) == 0);
    auto const after = x;
    matrix(0, 0) = 9;
    CHECK(x(0, 0) == 9);
    CHECK(after(0, 0) == 0);
    auto y = x;
    matrix = as_mutable_eigen(y) * 2;
    matrix = as_mutable_eigen(y);  // the elements: both still write where they did
    auto const later = x;
    matrix(0, 0) = 1;
    CHECK(later(0, 0) == 9);
    Eigen::Ref<Eigen::Matrix<float, -1, -1, Eigen::RowMajor>> const part = matrix;
    CHECK(part(0, 0) == 1);
  }
  auto const shared = x;
  CHECK(shared.data() == std::as_const(x).data());
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
}  // namespace io_as_eigen
