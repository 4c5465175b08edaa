#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include <tenon/numeric/eigenvalues.hpp>

/// The only file that includes the decompositions and the matrix functions of Eigen.
#if !__has_include(<Eigen/Eigenvalues>)
#error "tenon/eigenvalues.hpp needs Eigen 3.4 or newer, whose folder is not among the include paths"
#endif
#include <Eigen/Eigenvalues>
#include <unsupported/Eigen/MatrixFunctions>

namespace tenon::internal::linalg {

using EigenMatrix = ::Eigen::Matrix<double, ::Eigen::Dynamic, ::Eigen::Dynamic, ::Eigen::RowMajor>;

inline ::Eigen::Map<EigenMatrix const> mapped_matrix(std::int64_t n, double const* a) {
  ::Eigen::Index const size = n;
  return {a, size, size};
}
inline bool is_finite(std::int64_t n, double const* a) {
  return std::all_of(a, a + n * n, [](double x) { return std::isfinite(x); });
}

TENON_RUNTIME bool general_eigen(std::int64_t n, double const* a, std::complex<double>* values,
                                 std::complex<double>* vectors) {
  double constexpr nan = std::numeric_limits<double>::quiet_NaN();
  if (n == 0) return true;
  if (!is_finite(n, a)) {
    std::fill_n(values, n, std::complex<double>(nan, nan));
    if (vectors != nullptr) std::fill_n(vectors, n * n, std::complex<double>(nan, nan));
    return true;
  }
  ::Eigen::EigenSolver<::Eigen::MatrixXd> const solver(mapped_matrix(n, a), vectors != nullptr);
  if (solver.info() != ::Eigen::Success) return false;
  for (::Eigen::Index k = 0; k < n; ++k) values[k] = solver.eigenvalues()[k];
  if (vectors == nullptr) return true;
  auto const all = solver.eigenvectors();
  for (::Eigen::Index i = 0; i < n * n; ++i) vectors[i] = all(i / n, i % n);
  return true;
}

/// A function of complex matrices, of a real one; NaN where a matrix is not finite or the result is
/// not real. (Eigen's functions of real matrices take three times as long to compile.)
template <class F>
void store_function(std::int64_t n, double const* a, double* to, F const& f) {
  if (n == 0) return;
  ::Eigen::Index const size = n;
  ::Eigen::Map<EigenMatrix> real(to, size, size);
  real.setConstant(std::numeric_limits<double>::quiet_NaN());
  if (!is_finite(n, a)) return;
  ::Eigen::MatrixXcd const result = f(mapped_matrix(n, a).cast<std::complex<double>>().eval());
  double const most = 1e6 * std::numeric_limits<double>::epsilon() * result.cwiseAbs().maxCoeff();
  if (result.imag().cwiseAbs().maxCoeff() <= most) real = result.real();
}

TENON_RUNTIME void principal_root(std::int64_t n, double const* a, double* to) {
  store_function(n, a, to, [](::Eigen::MatrixXcd const& x) { return x.sqrt().eval(); });
}
TENON_RUNTIME void principal_logarithm(std::int64_t n, double const* a, double* to) {
  store_function(n, a, to, [](::Eigen::MatrixXcd const& x) { return x.log().eval(); });
}

}  // namespace tenon::internal::linalg
