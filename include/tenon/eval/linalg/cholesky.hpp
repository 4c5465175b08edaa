#pragma once

#include <tenon/eval/linalg/solve.hpp>

namespace tenon::linalg {

/// (a + aᵀ) / 2, to `to`.
template <class T, class N>
constexpr void symmetrise(N n, T const* a, T* to) {
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j) to[i * n + j] = a[i * n + j] / 2 + a[j * n + i] / 2;
}

template <TensorType R, TensorType A>
R cholesky_of(A const& a) {
  R result = R::uninitialised(a.sizes());
  auto* const to = result.mutable_data();
  auto const n = extent<1>(a);
  std::int64_t const matrices = batch_size<2>(a);
  auto const factor_one = [&](std::int64_t i) {
    symmetrise(n, a.data() + i * n * n, to + i * n * n);
    return FactorsOf<A>::cholesky(n, to + i * n * n) < 0;
  };
  auto const bad = first_failure<A>(matrices, n * n * n, factor_one);
  if (bad >= 0) fail_matrix("cholesky", "a positive definite matrix", "another one", bad, matrices);
  return result;
}

/// Ones below the diagonal of an n x n matrix, `diagonal` on it.
template <TensorType M>
auto lower_weights(std::int64_t n, typename M::value_type diagonal) {
  using T = typename M::value_type;
  auto weights = Tensor<T, "_ _", typename M::device>::uninitialised({n, n, 1, 1, 1, 1, 1, 1});
  T* const to = weights.mutable_data();
  for (std::int64_t i = 0; i < n * n; ++i)
    to[i] = i % n == i / n ? diagonal : T(i % n < i / n ? 1 : 0);
  return weights;
}

/// (x + xᵀ) / 2 of matrices.
template <TensorType M>
M symmetric_part(M const& x) {
  using T = typename M::value_type;
  return T(0.5) * (x + transpose(x));
}

/// a = l lᵀ: the adjoint of a is the symmetric part of l⁻ᵀ p l⁻¹, where p is the lower part of
/// lᵀ dl with its diagonal halved (Murray 2016, "Differentiation of the Cholesky decomposition").
struct CholeskyBackward {
  template <TensorType M>
  M operator()(M const& dl, M const& l, M const&) const {
    using T = typename M::value_type;
    M const lt = transpose(l);
    M const p = matmul(lt, dl) * lower_weights<M>(at(l.sizes(), 1), T(0.5));
    M const left = recorded_solution(lt, M(transpose(p)));
    return symmetric_part(recorded_solution(lt, M(transpose(left))));
  }
};

template <TensorType M>
M recorded_cholesky(M const& a) {
  return custom_vjp([](M const& x) { return cholesky_of<M>(x); }, CholeskyBackward())(a);
}

}  // namespace tenon::linalg

namespace tenon {

/// The value of `linalg::cholesky` as an `R`.
template <TensorType R, TensorType A>
R cholesky_factor(std::type_identity<R>, A const& a) {
  linalg::require_square("cholesky", a);
  if (!any_recorded(a)) return linalg::cholesky_of<R>(a);
  return reshaped<R>(linalg::recorded_cholesky(linalg::as_matrices<2>(a)), a.sizes());
}

}  // namespace tenon
