#pragma once

#include <tuple>

#include <tenon/eval/linalg/operations.hpp>
#include <tenon/expr/linalg/solve.hpp>

namespace tenon::internal::linalg {

/// Throws `ShapeError` where a vector or matrix has another number of rows.
template <int own, TensorType A, TensorType B>
constexpr void require_rows(std::string_view who, A const& a, B const& b) {
  std::int64_t const rows = at(a.sizes(), A::rank - 2), got = at(b.sizes(), B::rank - own);
  if (rows != got) sizes_differ(who, B::shape, B::rank - own, rows, got);
}

/// The number of right-hand sides: one for a vector.
template <TensorType A, TensorType X>
constexpr auto right_sides(X const& x) {
  if constexpr (X::rank == A::rank) return extent<1>(x);
  else if constexpr (A::holds_elements) return Known<1>();
  else return std::int64_t{1};
}

/// x becomes a⁻¹ x, for every matrix of a batch.
template <TensorType A, TensorType X>
void solve_batch(std::string_view who, A const& a, X& x) {
  using T = typename A::value_type;
  auto const n = extent<1>(a);
  auto const k = right_sides<A>(x);
  T* const to = x.own_memory();
  std::int64_t const matrices = batch_size<2>(a);
  auto const solve_one = [&](std::int64_t i) {
    auto factors = workspace<T>(product_of(n, n));
    auto pivots = workspace<std::int32_t>(n);
    std::copy_n(a.data() + i * n * n, product_of(n, n), factors.data());
    if (FactorsOf<A>::lu(n, factors.data(), pivots.data()) >= 0) return false;
    FactorsOf<A>::solve(n, k, factors.data(), pivots.data(), to + i * n * k);
    return true;
  };
  auto const bad = first_failure<A>(matrices, n * n * (n + k), solve_one);
  if (bad >= 0) fail_matrix(who, "a matrix that has an inverse", "a singular one", bad, matrices);
}

template <TensorType R, TensorType A, TensorType B>
R solution(A const& a, B const& b) {
  R x = copied<R>(b.sizes(), b);
  solve_batch("solve", a, x);
  return x;
}

template <TensorType R, TensorType A>
R inverse_of(A const& a) {
  R x = copied<R>(a.sizes(), a);
  auto const n = extent<1>(a);
  auto* const to = x.own_memory();
  for (std::int64_t i = 0; i < x.size(); ++i) to[i] = i % (n * n) % (n + 1) == 0 ? 1 : 0;
  solve_batch("inverse", a, x);
  return x;
}

template <TensorType M>
M recorded_solution(M const& a, M const& b);

/// x = a⁻¹ b: the adjoint of b is a⁻ᵀ dx, that of a is -db xᵀ (Giles 2008, 2.3.1).
struct SolveBackward {
  template <TensorType M>
  std::tuple<M, M> operator()(M const& dx, M const& x, M const& a, M const&) const {
    M const db = recorded_solution(transposed_matrices(a), dx),
            negative = subtracted(zeros_like(db), db);
    return {chained(negative, transposed_matrices(x)), db};
  }
};

template <TensorType M>
M recorded_solution(M const& a, M const& b) {
  auto const forward = [](M const& x, M const& y) { return solution<M>(x, y); };
  return custom_vjp(forward, SolveBackward())(a, b);
}

/// x = a⁻¹: the adjoint of a is -xᵀ dx xᵀ (Giles 2008, 2.2.3).
struct InverseBackward {
  template <TensorType M>
  M operator()(M const& dx, M const& x, M const&) const {
    M const xt = transposed_matrices(x);
    return chained(chained(xt, subtracted(zeros_like(dx), dx)), xt);
  }
};

template <TensorType M>
M recorded_inverse(M const& a) {
  return custom_vjp([](M const& x) { return inverse_of<M>(x); }, InverseBackward())(a);
}

}  // namespace tenon::internal::linalg

namespace tenon::internal {

/// The value of `linalg::solve` as an `R`; the batch axes are equal.
template <TensorType R, TensorType A, TensorType B>
R solved(std::type_identity<R>, A const& a, B const& b) {
  tracing::refuse_while_on(linalg::SolveName::name);
  if constexpr (!A::device::is_host) {
    auto const f = [](auto r, auto const& x, auto const& y) { return solved(r, x, y); };
    return BackendOf<typename A::device>::template linear_algebra<linalg::SolveName, R>(f, a, b);
  } else {
    constexpr int own = B::rank - A::rank + 2;
    linalg::require_square("solve", a);
    linalg::require_rows<own>("solve", a, b);
    if (!any_recorded(a, b)) return linalg::solution<R>(a, b);
    auto const matrices = linalg::as_matrices<2>(a), right = linalg::as_matrices<own>(b);
    return reshaped<R>(linalg::recorded_solution(matrices, right), b.sizes());
  }
}

/// The value of `linalg::inverse` as an `R`.
template <TensorType R, TensorType A>
R inverted(std::type_identity<R>, A const& a) {
  tracing::refuse_while_on(linalg::InverseName::name);
  if constexpr (!A::device::is_host) {
    auto const f = [](auto r, auto const& x) { return inverted(r, x); };
    return BackendOf<typename A::device>::template linear_algebra<linalg::InverseName, R>(f, a);
  } else {
    linalg::require_square("inverse", a);
    if (!any_recorded(a)) return linalg::inverse_of<R>(a);
    return reshaped<R>(linalg::recorded_inverse(linalg::as_matrices<2>(a)), a.sizes());
  }
}

}  // namespace tenon::internal
