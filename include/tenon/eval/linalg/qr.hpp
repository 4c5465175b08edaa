#pragma once

#include <tenon/eval/linalg/solve.hpp>
#include <tenon/expr/linalg/decompose.hpp>

namespace tenon::internal::linalg {

template <TensorType Q, TensorType R, TensorType A>
std::tuple<Q, R> qr_of(A const& a) {
  auto const m = extent<2>(a);
  auto const n = extent<1>(a);
  auto const k = smaller(m, n);
  std::tuple<Q, R> result(Q::uninitialised(factor_sizes(a, m, k)),
                          R::uninitialised(factor_sizes(a, k, n)));
  auto* const q = std::get<0>(result).own_memory();
  auto* const r = std::get<1>(result).own_memory();
  first_failure<A>(batch_size<2>(a), m * n * k, [&](std::int64_t i) {
    FactorsOf<A>::qr(m, n, a.data() + i * m * n, q + i * m * k, r + i * k * n);
    return true;
  });
  return result;
}

/// a = q r, as many rows as columns or more: the adjoint of a is (dq + q c) r⁻ᵀ, where c is r drᵀ -
/// dqᵀ q, its lower triangle mirrored (Walter and Lehmann 2012, in reverse).
struct QrBackward {
  template <TensorType M>
  M operator()(std::tuple<M, M> const& d, std::tuple<M, M> const& y, M const&) const {
    auto const& [dq, dr] = d;
    auto const& [q, r] = y;
    M const both =
        subtracted(chained(r, transposed_matrices(dr)), chained(transposed_matrices(dq), q));
    M const lower = weighted(both, weights_like(both, at(r.sizes(), 1), {0, 1, 2}));
    M const adjoint = added(dq, chained(q, added(lower, transposed_matrices(lower))));
    return transposed_matrices(recorded_solution(r, transposed_matrices(adjoint)));
  }
};

/// Columns of the n x n identity, `from` on: a matrix times it gives those columns.
template <TensorType M>
M columns_of_one(M const& x, std::int64_t n, std::int64_t columns, std::int64_t from) {
  M result = zeros_like(stack_like(x, n, columns));
  auto* const to = result.own_memory();
  for (std::int64_t i = 0; i < result.size(); ++i) to[i] = i / columns % n == i % columns + from;
  return result;
}

/// For a wide matrix the square on the left is factored; the rest of r is qᵀ times the rest.
template <TensorType M>
std::tuple<M, M> recorded_qr(M const& a) {
  std::int64_t const m = at(a.sizes(), 1), n = at(a.sizes(), 2);
  auto const factored = custom_vjp([](M const& x) { return qr_of<M, M>(x); }, QrBackward());
  if (m >= n) return factored(a);
  M const first = columns_of_one(a, n, m, 0), others = columns_of_one(a, n, n - m, m);
  auto const [q, r] = factored(chained(a, first));
  M const rest = chained(transposed_matrices(q), chained(a, others));
  return {
      q, added(chained(r, transposed_matrices(first)), chained(rest, transposed_matrices(others)))};
}

}  // namespace tenon::internal::linalg

namespace tenon::internal {

/// The value of `linalg::qr`.
template <TensorType Q, TensorType R, TensorType A>
linalg::QR<Q, R> orthogonal_factors(std::type_identity<linalg::QR<Q, R>>, A const& a) {
  tracing::refuse_while_on(linalg::QrName::name);
  if constexpr (!A::device::is_host) {
    auto const f = [](auto r, auto const& x) { return orthogonal_factors(r, x); };
    return BackendOf<typename A::device>::template linear_algebra<linalg::QrName, linalg::QR<Q, R>>(
        f, a);
  } else {
    if (!any_recorded(a)) {
      auto const [q, r] = linalg::qr_of<Q, R>(a);
      return {q, r};
    }
    auto const [q, r] = linalg::recorded_qr(linalg::as_matrices<2>(a));
    std::int64_t const m = q.sizes()[1], k = q.sizes()[2], n = r.sizes()[2];
    return {reshaped<Q>(q, linalg::factor_sizes(a, m, k)),
            reshaped<R>(r, linalg::factor_sizes(a, k, n))};
  }
}

}  // namespace tenon::internal
