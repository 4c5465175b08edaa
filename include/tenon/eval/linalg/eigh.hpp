#pragma once

#include <tuple>

#include <tenon/eval/linalg/operations.hpp>
#include <tenon/eval/linalg/symmetrise.hpp>
#include <tenon/expr/linalg/eigh.hpp>
#include <tenon/expr/linalg/factors.hpp>

namespace tenon::internal::linalg {

template <TensorType Values, TensorType Vectors, TensorType A>
std::tuple<Values, Vectors> eigen_of(A const& a, Sizes const& value_sizes) {
  auto const n = extent<1>(a);
  std::tuple<Values, Vectors> result(Values::uninitialised(value_sizes),
                                     Vectors::uninitialised(a.sizes()));
  auto* const values = std::get<0>(result).own_memory();
  auto* const v = std::get<1>(result).own_memory();
  std::int64_t const matrices = batch_size<2>(a);
  auto const bad = first_failure<A>(matrices, 10 * n * n * n, [&](std::int64_t i) {
    symmetrise(n, a.data() + i * n * n, v + i * n * n);
    return FactorsOf<A>::eigh(n, v + i * n * n, values + i * n);
  });
  if (bad >= 0) fail_matrix("eigh", "steps that converge", "others", bad, matrices);
  return result;
}

/// a v = v diag(w): the adjoint of a is v (diag(dw) + f ∘ vᵀ dv) vᵀ, where f is 1 / (w_j - w_i)
/// (Giles 2008, 3.1). Where two values are equal, f is NaN: their vectors have no derivative.
struct EighBackward {
  template <TensorType M>
  M operator()(std::tuple<M, M> const& d, std::tuple<M, M> const& y, M const&,
               UsedLeaves const& used) const {
    auto const& [dw, dv] = d;
    auto const& [w, v] = y;
    M const vt = transposed_matrices(v);
    M inner = diagonal_matrix(dw);
    if (used[1]) {
      M const f = inverse_or_nan<false>(skew(repeated_row(w, at(w.sizes(), 2))));
      inner = added(inner, weighted(f, chained(vt, dv)));
    }
    return symmetric_part(chained(chained(v, inner), vt));
  }
};

template <TensorType M>
std::tuple<M, M> recorded_eigen(M const& a) {
  auto const forward = [](M const& x) {
    return eigen_of<M, M>(x, factor_sizes(x, 1, at(x.sizes(), 2)));
  };
  return custom_vjp(forward, EighBackward())(a);
}

}  // namespace tenon::internal::linalg

namespace tenon::internal {

/// The value of `linalg::eigh`.
template <TensorType Values, TensorType Vectors, TensorType A>
linalg::Eigen<Values, Vectors> symmetric_eigen(std::type_identity<linalg::Eigen<Values, Vectors>>,
                                               A const& a) {
  tracing::refuse_while_on(linalg::EighName::name);
  if constexpr (!A::device::is_host) {
    auto const f = [](auto r, auto const& x) { return symmetric_eigen(r, x); };
    return BackendOf<typename A::device>::template linear_algebra<linalg::EighName,
                                                                  linalg::Eigen<Values, Vectors>>(
        f, a);
  } else {
    linalg::require_square("eigh", a);
    Sizes const sizes = linalg::vector_sizes(a, at(a.sizes(), A::rank - 1));
    if (!any_recorded(a)) {
      auto const [values, vectors] = linalg::eigen_of<Values, Vectors>(a, sizes);
      return {values, vectors};
    }
    auto const [values, vectors] = linalg::recorded_eigen(linalg::as_matrices<2>(a));
    return {reshaped<Values>(values, sizes), reshaped<Vectors>(vectors, a.sizes())};
  }
}

}  // namespace tenon::internal
