#pragma once

#include <tenon/eval/linalg/solve.hpp>
#include <tenon/eval/linalg/symmetrise.hpp>
#include <tenon/expr/linalg/cholesky.hpp>

namespace tenon::internal::linalg {

template <TensorType R, TensorType A>
R cholesky_of(A const& a) {
  R result = R::uninitialised(a.sizes());
  auto* const to = result.own_memory();
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

/// a = l lᵀ: the adjoint of a is the symmetric part of l⁻ᵀ p l⁻¹, where p is the lower part of
/// lᵀ dl with its diagonal halved (Murray 2016, "Differentiation of the Cholesky decomposition").
struct CholeskyBackward {
  template <TensorType M>
  M operator()(M const& dl, M const& l, M const&) const {
    M const lt = transposed_matrices(l);
    M const p = weighted(chained(lt, dl), weights_like(l, at(l.sizes(), 1), {0, 1, 2}));
    M const left = recorded_solution(lt, transposed_matrices(p));
    return symmetric_part(recorded_solution(lt, transposed_matrices(left)));
  }
};

template <TensorType M>
M recorded_cholesky(M const& a) {
  return custom_vjp([](M const& x) { return cholesky_of<M>(x); }, CholeskyBackward())(a);
}

}  // namespace tenon::internal::linalg

namespace tenon::internal {

/// The value of `linalg::cholesky` as an `R`.
template <TensorType R, TensorType A>
R cholesky_factor(std::type_identity<R>, A const& a) {
  tracing::refuse_while_on(linalg::CholeskyName::name);
  if constexpr (!A::device::is_host) {
    auto const f = [](auto r, auto const& x) { return cholesky_factor(r, x); };
    return BackendOf<typename A::device>::template linear_algebra<linalg::CholeskyName, R>(f, a);
  } else {
    linalg::require_square("cholesky", a);
    if (!any_recorded(a)) return linalg::cholesky_of<R>(a);
    return reshaped<R>(linalg::recorded_cholesky(linalg::as_matrices<2>(a)), a.sizes());
  }
}

}  // namespace tenon::internal
