// Eigenvalues and matrix functions of Eigen, by what defines them.

#include <doctest/doctest.h>

#include <cmath>
#include <complex>

#include <tenon/autodiff/higher_order.hpp>
#include <tenon/complex.hpp>
#include <tenon/eigenvalues.hpp>
#include <tenon/linalg.hpp>

namespace matrices_eigen_test {

using namespace tenon;

namespace {

using Batch = Float64<"b n n">;
Batch const a{{{4, 1, 0}, {2, 3, 1}, {0, 1, 5}}, {{2, -1, 0}, {1, 2, 0}, {0, 0, 1}}};

/// The error of the gradient of f at x relative to difference quotients.
template <class F>
double derivative_error(F const& f, Batch const& x) {
  auto const weights = cos(iota<Batch>(2, 3, 3));
  auto const total = [&](Batch const& at) { return sum(f(at) * weights); };
  Batch const derivative = grad(total)(x);
  double most = 0;
  double const h = 1e-5;
  for (std::int64_t i = 0; i < x.size(); ++i) {
    Batch above = x, below = x;
    above.mutable_data()[i] += h;
    below.mutable_data()[i] -= h;
    double const slope = (total(above).item() - total(below).item()) / (2 * h);
    most = std::max(most, std::abs(slope - derivative.data()[i]));
  }
  return most;
}

}  // namespace

TEST_CASE("A v = v diag(w) for the eigenvalues and eigenvectors of a matrix") {
  auto const [w, v] = linalg::eig(a);
  CHECK(shape_of<decltype(w)> == "b n");
  CHECK(shape_of<decltype(v)> == "b n n");
  double most = 0;
  for (int b = 0; b < 2; ++b)
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) {
        std::complex<double> product = 0;
        for (int j = 0; j < 3; ++j) product += a(b, i, j) * v(b, j, k);
        most = std::max(most, std::abs(product - v(b, i, k) * w(b, k)));
      }
  CHECK(most < 1e-14);
  CHECK(std::abs(w(1, 0) - std::conj(w(1, 1))) < 1e-15);
  CHECK(linalg::eigvals(a)(0, 1) == w(0, 1));
  CHECK(linalg::eigvals(Float64<"1 1">{{7.0}})(0) == std::complex<double>(7));
  CHECK(linalg::eigvals(zeros<Float64<"n n">>(0, 0)).size() == 0);
  CHECK(std::isnan(linalg::eigvals(Float64<"1 1">{{NAN}})(0).real()));
}

TEST_CASE("eigenvalues of a general matrix have no gradient: a recorded one is refused") {
  auto const sum_of_values = [](auto const& x) { return sum(real(linalg::eigvals(x))); };
  CHECK_THROWS_WITH_AS(
      grad(sum_of_values)(Float64<"n=2 n=2">{{2, 1}, {1, 3}}),
      "tenon::eigvals: 'gradient': expected a constant, as of stop_gradient, got a "
      "recorded matrix",
      Error);
}

TEST_CASE("the square of sqrtm, the exponential of logm is the matrix") {
  auto const root = linalg::sqrtm(a);
  CHECK(allclose(matmul(root, root), a, {1e-13, 1e-13}));
  CHECK(allclose(linalg::expm(linalg::logm(a)), a, {1e-13, 1e-13}));
  CHECK(std::isnan(linalg::sqrtm(Float64<"1 1">{{NAN}})(0, 0)));
  CHECK(linalg::logm(zeros<Float64<"n n">>(0, 0)).size() == 0);
  CHECK(linalg::sqrtm(Float32<"1 1">{{9.0f}})(0, 0) == 3);
}

TEST_CASE("gradients of sqrtm, logm and expm") {
  CHECK(derivative_error([](Batch const& x) { return linalg::sqrtm(x); }, a) < 1e-8);
  CHECK(derivative_error([](Batch const& x) { return linalg::logm(x); }, a) < 1e-8);
  Batch const small = 0.2 * a;
  CHECK(derivative_error([](Batch const& x) { return linalg::expm(x); }, small) < 1e-8);
  auto const total = [](Batch const& x) { return sum(linalg::expm(x)); };
  CHECK(derivative_error([&](Batch const& x) { return grad(total)(x); }, small) < 1e-8);
}

}  // namespace matrices_eigen_test
