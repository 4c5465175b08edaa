#pragma once

#include <complex>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include <tenon/core/config.hpp>
#include <tenon/expr/linalg/eigh.hpp>
#include <tenon/numeric/matrix_exponential.hpp>
#include <tenon/tensor/complex.hpp>

/// Functions of matrices that need not be symmetric, computed by Eigen in `double`: eigenvalues,
/// square roots and logarithms. With CMake, `tenon::eigen` finds it.
namespace tenon::internal::linalg {

/// The eigenvalues of a row-major matrix and, unless it is null, its eigenvectors as columns. False
/// without convergence.
bool general_eigen(std::int64_t n, double const* a, std::complex<double>* values,
                   std::complex<double>* vectors);
/// The principal square root, and the principal logarithm, of a row-major matrix; NaN where it is
/// not real.
void principal_root(std::int64_t n, double const* a, double* to);
void principal_logarithm(std::int64_t n, double const* a, double* to);

/// A complex tensor with the axes of a rule.
template <class E, class Rule>
using ComplexLike = Tensor<std::complex<typename E::value_type>, spec_of<Rule>, typename E::device>;

template <class Name, class E>
constexpr auto general_eigen_type() {
  using mistake = typename decltype(symmetric_mistake<Name, E>())::type;
  if constexpr (!std::is_void_v<mistake>) return std::type_identity<mistake>{};
  else
    return std::type_identity<
        Eigen<ComplexLike<E, EigenvaluesRule<E>>, ComplexLike<E, EigenvectorsRule<E>>>>{};
}
template <class Name, Expression X>
using GeneralEigen = typename decltype(general_eigen_type<Name, TensorOf<X>>())::type;

/// The elements of a tensor as `double`.
template <TensorType A>
std::vector<double> in_double(A const& a) {
  return std::vector<double>(a.data(), a.data() + a.size());
}

/// The eigenvalues of all matrices and, where they are wanted, the vectors.
template <class Values, class Vectors, TensorType A>
Eigen<Values, Vectors> general_eigen_of(std::string_view who, A const& a, bool with_vectors) {
  using Complex = typename Values::value_type;
  require_square(who, a);
  if (depends_on_recording(a))
    fail({who, "gradient", "a constant, as of stop_gradient", "a recorded matrix", {}});
  std::int64_t const n = at(a.sizes(), A::rank - 1), matrices = batch_size<2>(a);
  auto const from = in_double(unmarked_leaves(a));
  std::vector<std::complex<double>> values(static_cast<std::size_t>(n)), vectors(from.size());
  Eigen<Values, Vectors> result{Values::uninitialised(vector_sizes(a, n)),
                                Vectors::uninitialised(a.sizes())};
  for (std::int64_t i = 0; i < matrices; ++i) {
    auto* const own = with_vectors ? vectors.data() + i * n * n : nullptr;
    if (!general_eigen(n, from.data() + i * n * n, values.data(), own))
      fail_matrix(who, "steps that converge", "others", i, matrices);
    for (std::int64_t k = 0; k < n; ++k)
      result.values.own_memory()[i * n + k] = Complex(values[static_cast<std::size_t>(k)]);
  }
  auto* const to = result.vectors.own_memory();
  for (std::size_t i = 0; i < vectors.size(); ++i) to[i] = Complex(vectors[i]);
  return result;
}

template <class Name, bool with_vectors, class Result, TensorType A>
Result compute_general_eigen(A const& a) {
  auto const f = []<class V, class W, TensorType X>(std::type_identity<Eigen<V, W>>, X const& x) {
    return general_eigen_of<V, W>(Name::name, x, with_vectors);
  };
  return by_linear_algebra<Name, Result>(f, a);
}

/// The eigenvalues of a matrix, in no order, and its eigenvectors of norm 1, as columns, both
/// complex: "n n" gives {values "n", vectors "n n"}. NaN or infinity gives NaN. Throws `ValueError`
/// without convergence, `Error` where a gradient is recorded: there is none. NumPy, JAX, PyTorch:
/// `linalg.eig`.
template <Expression X, Factored Result = GeneralEigen<Named<"eig">, X&&>>
auto eig(X&& a) -> Result {
  return compute_general_eigen<Named<"eig">, true, Result>(keep_value(std::forward<X>(a)));
}
template <Expression X, Mistake Result = GeneralEigen<Named<"eig">, X&&>>
auto eig(X&& a) -> Result;
template <class... X, class R = Refused<Named<"eig">, X...>>
auto eig(X const&...) -> R;

/// The eigenvalues of `eig` alone: "n n" gives "n", complex. NumPy, JAX, PyTorch:
/// `linalg.eigvals`.
template <Expression X, Factored Result = GeneralEigen<Named<"eigvals">, X&&>>
auto eigvals(X&& a) {
  using Name = Named<"eigvals">;
  return compute_general_eigen<Name, false, Result>(keep_value(std::forward<X>(a))).values;
}
template <Expression X, Mistake Result = GeneralEigen<Named<"eigvals">, X&&>>
auto eigvals(X&& a) -> Result;
template <class... X, class R = Refused<Named<"eigvals">, X...>>
auto eigvals(X const&...) -> R;

/// A function of one matrix in `double`, of each matrix of a batch.
template <TensorType M, class F>
M each_in_double(M const& a, F const& f) {
  std::int64_t const n = rows_of(a);
  return for_each_matrix(a, [&](M one) {
    std::vector<double> const from = in_double(one);
    std::vector<double> to(from.size());
    f(n, from.data(), to.data());
    auto* const own = one.own_memory();
    for (std::size_t i = 0; i < to.size(); ++i) own[i] = static_cast<typename M::value_type>(to[i]);
    return one;
  });
}

struct SquareRoot {
  static constexpr std::string_view name = "sqrtm";
  template <TensorType M>
  static M of(M const& a) {
    return each_in_double(a, principal_root);
  }
};
struct Logarithm {
  static constexpr std::string_view name = "logm";
  template <TensorType M>
  static M of(M const& a) {
    return each_in_double(a, principal_logarithm);
  }
};

/// The principal square root of a matrix: "n n" gives "n n". NaN where it is not real, for an
/// eigenvalue below zero. The gradient is exact, and differentiable again. SciPy, JAX:
/// `linalg.sqrtm`.
template <Expression X, WellFormed Result = Endomorphism<SquareRoot, X&&>>
auto sqrtm(X&& a) -> Result {
  return analytic_function<SquareRoot, Result>(keep_value(std::forward<X>(a)));
}
template <Expression X, IllFormed Result = Endomorphism<SquareRoot, X&&>>
auto sqrtm(X&& a) -> Result;
template <class... X, class R = Refused<SquareRoot, X...>>
auto sqrtm(X const&...) -> R;

/// The principal logarithm of a matrix, whose exponential it is: "n n" gives "n n". NaN where it is
/// not real, for an eigenvalue below zero. The gradient is exact, and differentiable again. SciPy:
/// `linalg.logm`.
template <Expression X, WellFormed Result = Endomorphism<Logarithm, X&&>>
auto logm(X&& a) -> Result {
  return analytic_function<Logarithm, Result>(keep_value(std::forward<X>(a)));
}
template <Expression X, IllFormed Result = Endomorphism<Logarithm, X&&>>
auto logm(X&& a) -> Result;
template <class... X, class R = Refused<Logarithm, X...>>
auto logm(X const&...) -> R;

}  // namespace tenon::internal::linalg

namespace tenon::linalg {

using internal::linalg::eig;
using internal::linalg::eigvals;
using internal::linalg::logm;
using internal::linalg::sqrtm;

}  // namespace tenon::linalg

#if TENON_DEFINES_RUNTIME
#include <tenon/numeric/eigenvalues.ipp>
#endif
