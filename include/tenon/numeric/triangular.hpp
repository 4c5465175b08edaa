#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <utility>

#include <tenon/eval/linalg/solve.hpp>
#include <tenon/numeric/matrices.hpp>

/// Equations with triangular matrices.
namespace tenon::linalg {

/// Which triangle of a matrix `solve_triangular` reads, and whether its diagonal is one.
struct TriangularOptions {
  bool lower = false;
  bool unit_diagonal = false;
};

}  // namespace tenon::linalg

namespace tenon::internal::linalg {

using tenon::linalg::TriangularOptions;

/// b becomes a⁻¹ b: n equations, k right-hand sides. False for a zero on the diagonal.
template <class T>
bool substitute(std::int64_t n, std::int64_t k, T const* a, T* b, TriangularOptions const& how) {
  for (std::int64_t step = 0; step < n; ++step) {
    std::int64_t const i = how.lower ? step : n - 1 - step;
    for (std::int64_t other = 0; other < step; ++other) {
      std::int64_t const j = how.lower ? other : n - 1 - other;
      for (std::int64_t c = 0; c < k; ++c) b[i * k + c] -= a[i * n + j] * b[j * k + c];
    }
    if (how.unit_diagonal) continue;
    if (a[i * n + i] == 0) return false;
    for (std::int64_t c = 0; c < k; ++c) b[i * k + c] /= a[i * n + i];
  }
  return true;
}

template <TensorType M>
M recorded_substitution(M const& a, M const& b, TriangularOptions const& how);

/// x = a⁻¹ b: the adjoint of b is a⁻ᵀ dx, that of a is the triangle of -db xᵀ.
struct SubstitutionBackward {
  TriangularOptions how;

  template <TensorType M>
  std::tuple<M, M> operator()(M const& dx, M const& x, M const& a, M const&) const {
    TriangularOptions turned = how;
    turned.lower = !how.lower;
    M const db = recorded_substitution(transposed_matrices(a), dx, turned);
    int const diagonal = how.unit_diagonal ? 0 : -2;
    M const triangle =
        weights_like(a, rows_of(a), {how.lower ? 0 : -2, diagonal, how.lower ? -2 : 0});
    return {weighted(triangle, chained(db, transposed_matrices(x))), db};
  }
};

template <TensorType M>
M recorded_substitution(M const& a, M const& b, TriangularOptions const& how) {
  auto const forward = [how](M const& matrices, M const& right) {
    M x = right;
    auto* const to = x.own_memory();
    std::int64_t const n = rows_of(matrices), k = columns_of(x), all = at(x.sizes(), 0);
    std::int64_t const bad = first_failure<M>(all, n * n * k, [&](std::int64_t i) {
      return substitute(n, k, matrices.data() + i * n * n, to + i * n * k, how);
    });
    if (bad >= 0)
      fail_matrix("solve_triangular", "a diagonal without zeros", "a singular matrix", bad, all);
    return x;
  };
  return custom_vjp(forward, SubstitutionBackward{how})(a, b);
}

/// A function of matrices and right-hand sides, for operands that broadcast as those of `solve`.
template <class Name, TensorType R, TensorType A, TensorType B, class F>
R for_right_sides(A const& a, B const& b, F const& solve) {
  using Rule = SolveRule<A, B>;
  auto const f = [&]<class Q, TensorType X, TensorType Y>(std::type_identity<Q>, X const& matrix,
                                                          Y const& right) {
    constexpr int own = Y::rank - X::rank + 2;
    require_square(Name::name, matrix);
    require_rows<own>(Name::name, matrix, right);
    return reshaped<Q>(solve(as_matrices<2>(matrix), as_matrices<own>(right)), right.sizes());
  };
  return by_linear_algebra<Name, R>(f, stretched<Rule, 0>(a, b), stretched<Rule, 1>(b, a));
}

/// X of A X = B for a triangular A, of which the other triangle is not read: axes are those of
/// `solve`. Throws `ValueError` for a zero on the diagonal. SciPy, JAX: `linalg.solve_triangular`.
/// PyTorch: `linalg.solve_triangular(upper=not lower)`.
template <Expression A, Expression B,
          WellFormed Result = Solution<A&&, B&&, Named<"solve_triangular">>>
auto solve_triangular(A&& a, B&& b, TriangularOptions const& options = {}) -> Result {
  auto const solve = [&]<TensorType M>(M const& matrices, M const& right) {
    return recorded_substitution(matrices, right, options);
  };
  return for_right_sides<Named<"solve_triangular">, Result>(keep_value(std::forward<A>(a)),
                                                            keep_value(std::forward<B>(b)), solve);
}
template <Expression A, Expression B,
          IllFormed Result = Solution<A&&, B&&, Named<"solve_triangular">>>
auto solve_triangular(A&& a, B&& b, TriangularOptions const& options = {}) -> Result;
template <class A, class B, class R = Refused<Named<"solve_triangular">, A, B>>
auto solve_triangular(A const&, B const&, TriangularOptions const& = {}) -> R;

/// X of L Lᵀ X = B for the factor L of `cholesky`: axes are those of `solve`. Throws `ValueError`
/// for a zero on the diagonal. SciPy: `linalg.cho_solve((l, True), b)`. PyTorch: `cholesky_solve`.
template <Expression L, Expression B, WellFormed Result = Solution<L&&, B&&, Named<"cho_solve">>>
auto cho_solve(L&& l, B&& b) -> Result {
  auto const solve = []<TensorType M>(M const& factors, M const& right) {
    M const half = recorded_substitution(factors, right, {.lower = true});
    return recorded_substitution(transposed_matrices(factors), half, {.lower = false});
  };
  return for_right_sides<Named<"cho_solve">, Result>(keep_value(std::forward<L>(l)),
                                                     keep_value(std::forward<B>(b)), solve);
}
template <Expression L, Expression B, IllFormed Result = Solution<L&&, B&&, Named<"cho_solve">>>
auto cho_solve(L&& l, B&& b) -> Result;
template <class... X, class R = Refused<Named<"cho_solve">, X...>>
auto cho_solve(X const&...) -> R;

}  // namespace tenon::internal::linalg

namespace tenon::linalg {

using internal::linalg::cho_solve;
using internal::linalg::solve_triangular;

}  // namespace tenon::linalg
