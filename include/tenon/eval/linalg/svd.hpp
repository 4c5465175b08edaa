#pragma once

#include <algorithm>
#include <tuple>

#include <tenon/eval/linalg/operations.hpp>
#include <tenon/expr/linalg/decompose.hpp>

namespace tenon::internal::linalg {

template <TensorType U, TensorType S, TensorType Vt, TensorType A>
std::tuple<U, S, Vt> svd_of(A const& a, Sizes const& value_sizes) {
  auto const m = extent<2>(a);
  auto const n = extent<1>(a);
  auto const k = smaller(m, n);
  std::tuple<U, S, Vt> result(U::uninitialised(factor_sizes(a, m, k)),
                              S::uninitialised(value_sizes),
                              Vt::uninitialised(factor_sizes(a, k, n)));
  auto* const u = std::get<0>(result).own_memory();
  auto* const s = std::get<1>(result).own_memory();
  auto* const vt = std::get<2>(result).own_memory();
  std::int64_t const matrices = batch_size<2>(a);
  auto const bad = first_failure<A>(matrices, 10 * m * n * k, [&](std::int64_t i) {
    return FactorsOf<A>::svd(m, n, a.data() + i * m * n, u + i * m * k, s + i * k, vt + i * k * n);
  });
  if (bad >= 0) fail_matrix("svd", "steps that converge", "others", bad, matrices);
  return result;
}

/// a = u diag(s) vt (Townsend 2016, "Differentiating the singular value decomposition"). The terms
/// of a non-square matrix are added for such matrices only. Vectors of equal values, and those of
/// zero on the longer side, have no derivative: NaN where vectors are used.
struct SvdBackward {
  template <TensorType M>
  M operator()(std::tuple<M, M, M> const& d, std::tuple<M, M, M> const& y, M const& a,
               UsedLeaves const& used) const {
    auto const& [du, ds, dvt] = d;
    auto const& [u, s, vt] = y;
    std::int64_t const m = at(a.sizes(), 1), n = at(a.sizes(), 2);
    M const u_turns = chained(transposed_matrices(u), du),
            v_turns = chained(vt, transposed_matrices(dvt));
    M inner = diagonal_matrix(ds);
    if (used[0] || used[2]) inner = added(inner, turns(s, skew(u_turns), skew(v_turns)));
    M before = chained(u, inner);
    if (used[0] && m > n) {
      M const beyond = subtracted(du, chained(u, u_turns));
      before = added(before, weighted(beyond, repeated_row(inverse_or_nan<true>(s), m)));
    }
    if (!used[2] || n <= m) return chained(before, vt);
    M const beyond = subtracted(dvt, chained(transposed_matrices(v_turns), vt));
    M const scaled = weighted(repeated_column(inverse_or_nan<true>(s), n), beyond);
    return added(chained(before, vt), chained(u, scaled));
  }

 private:
  /// (u_ij s_j + s_i v_ij) / (s_j² - s_i²), without squares, which underflow.
  template <TensorType M>
  static M turns(M const& s, M const& u, M const& v) {
    M const rows = repeated_row(s, at(s.sizes(), 2)), columns = transposed_matrices(rows);
    M const share = weighted(rows, inverse_or_nan<false>(added(rows, columns)));
    M const both = added(weighted(u, share), weighted(v, transposed_matrices(share)));
    return weighted(both, inverse_or_nan<false>(subtracted(rows, columns)));
  }
};

template <TensorType M>
std::tuple<M, M, M> recorded_svd(M const& a) {
  auto const forward = [](M const& x) {
    std::int64_t const k = (std::min)(at(x.sizes(), 1), at(x.sizes(), 2));
    return svd_of<M, M, M>(x, factor_sizes(x, 1, k));
  };
  return custom_vjp(forward, SvdBackward())(a);
}

}  // namespace tenon::internal::linalg

namespace tenon::internal {

/// The value of `linalg::svd`.
template <TensorType U, TensorType S, TensorType Vt, TensorType A>
linalg::SVD<U, S, Vt> singular_factors(std::type_identity<linalg::SVD<U, S, Vt>>, A const& a) {
  tracing::refuse_while_on(linalg::SvdName::name);
  if constexpr (!A::device::is_host) {
    auto const f = [](auto r, auto const& x) { return singular_factors(r, x); };
    return BackendOf<typename A::device>::template linear_algebra<linalg::SvdName,
                                                                  linalg::SVD<U, S, Vt>>(f, a);
  } else {
    std::int64_t const m = at(a.sizes(), A::rank - 2), n = at(a.sizes(), A::rank - 1);
    std::int64_t const k = (std::min)(m, n);
    Sizes const sizes = linalg::vector_sizes(a, k);
    if (!any_recorded(a)) {
      auto const [u, s, vt] = linalg::svd_of<U, S, Vt>(a, sizes);
      return {u, s, vt};
    }
    auto const [u, s, vt] = linalg::recorded_svd(linalg::as_matrices<2>(a));
    return {reshaped<U>(u, linalg::factor_sizes(a, m, k)), reshaped<S>(s, sizes),
            reshaped<Vt>(vt, linalg::factor_sizes(a, k, n))};
  }
}

}  // namespace tenon::internal
