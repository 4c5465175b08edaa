#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <tenon/eval/linalg/solve.hpp>
#include <tenon/numeric/matrices.hpp>

/// LU factors and logarithms of determinants.
namespace tenon::internal::linalg {

/// A = P L U: a permutation, a lower triangle with ones on its diagonal, an upper triangle.
template <TensorType P, TensorType L, TensorType U>
struct LU {
  P p;
  L l;
  U u;
};

/// det A = sign exp(logabsdet).
template <TensorType T>
struct SLogDet {
  T sign;
  T logabsdet;
};

/// "m n" as "m m".
template <class E>
struct RowsRule {
  static constexpr Shape shape =
      batch_and(E::shape, E::shape[E::shape.rank - 2], E::shape[E::shape.rank - 2]);
};

template <class E>
constexpr auto lu_type() {
  using mistake = typename decltype(matrix_mistake<Named<"lu">, E>())::type;
  if constexpr (!std::is_void_v<mistake>) return std::type_identity<mistake>{};
  else
    return std::type_identity<
        LU<TensorLike<E, RowsRule<E>>, TensorLike<E, LeftRule<E>>, TensorLike<E, RightRule<E>>>>{};
}
template <Expression X>
using LuOf = typename decltype(lu_type<TensorOf<X>>())::type;

/// Gaussian elimination with partial pivoting: a becomes U, and below its diagonal L; row i of
/// their product is row `order[i]` of a.
template <class T>
void eliminate(std::int64_t m, std::int64_t n, T* a, std::int64_t* order) {
  std::iota(order, order + m, std::int64_t{0});
  for (std::int64_t k = 0; k < (std::min)(m, n); ++k) {
    std::int64_t pivot = k;
    for (std::int64_t i = k + 1; i < m; ++i)
      if (std::abs(a[i * n + k]) > std::abs(a[pivot * n + k])) pivot = i;
    if (a[pivot * n + k] == 0) continue;
    if (pivot != k) std::swap_ranges(a + k * n, a + k * n + n, a + pivot * n);
    std::swap(order[k], order[pivot]);
    for (std::int64_t i = k + 1; i < m; ++i) {
      T const factor = a[i * n + k] /= a[k * n + k];
      for (std::int64_t j = k + 1; j < n; ++j) a[i * n + j] -= factor * a[k * n + j];
    }
  }
}

/// P, and L and U in one.
template <TensorType M>
std::pair<M, M> eliminated(M const& a) {
  std::int64_t const m = rows_of(a), n = columns_of(a);
  M factors = a, p = zeros_like(stack_like(a, m, m));
  auto* const to = p.own_memory();
  auto* const from = factors.own_memory();
  first_failure<M>(at(a.sizes(), 0), m * n * (std::min)(m, n), [&](std::int64_t i) {
    std::vector<std::int64_t> order(static_cast<std::size_t>(m));
    eliminate(m, n, from + i * m * n, order.data());
    for (std::int64_t k = 0; k < m; ++k)
      to[(i * m + order[static_cast<std::size_t>(k)]) * m + k] = 1;
    return true;
  });
  return {p, factors};
}

/// The lower triangle with ones on its diagonal, m x k, and the upper one, k x n, of two in one.
template <TensorType M>
std::pair<M, M> triangles(M const& factors) {
  std::int64_t const m = rows_of(factors), n = columns_of(factors), k = (std::min)(m, n);
  M l = columns_between(factors, 0, k), u = rows_between(factors, 0, k);
  auto* const lower = l.own_memory();
  auto* const upper = u.own_memory();
  for (std::int64_t i = 0; i < l.size(); ++i) {
    std::int64_t const row = i / k % m, column = i % k;
    lower[i] = row > column ? lower[i] : typename M::value_type(row == column);
  }
  for (std::int64_t i = 0; i < u.size(); ++i)
    if (i / n % k > i % n) upper[i] = 0;
  return {l, u};
}

/// b = l u, square: the adjoint of b is l⁻ᵀ (lᵀ dl, below its diagonal, and du uᵀ, above) u⁻ᵀ.
struct LuBackward {
  template <TensorType M>
  M operator()(std::tuple<M, M> const& d, std::tuple<M, M> const& y, M const&) const {
    auto const& [dl, du] = d;
    auto const& [l, u] = y;
    M const lt = transposed_matrices(l), ut = transposed_matrices(u);
    std::int64_t const n = rows_of(l);
    M const inner = added(weighted(chained(lt, dl), weights_like(l, n, {0, 0, 2})),
                          weighted(chained(du, ut), weights_like(l, n, {2, 2, 0})));
    return right_quotient(left_quotient(lt, inner), ut);
  }
};

/// The pivots are constant. What is beyond the square of l u = pᵀ a follows from it.
template <TensorType M>
std::tuple<M, M, M> recorded_lu(M const& a) {
  std::int64_t const m = rows_of(a), n = columns_of(a), k = (std::min)(m, n);
  M const p = eliminated(unmarked_leaves(a)).first;
  M const b = chained(transposed_matrices(p), a), top = rows_between(b, 0, k);
  auto const factored = custom_vjp(
      [](M const& x) {
        auto const [l, u] = triangles(eliminated(x).second);
        return std::tuple<M, M>(l, u);
      },
      LuBackward());
  auto [l, u] = factored(columns_between(top, 0, k));
  M const below = columns_between(rows_between(b, k, m), 0, k);
  if (m > k) return {p, above(l, right_quotient(below, u)), u};
  if (n > k) return {p, l, beside(u, left_quotient(l, columns_between(top, k, n)))};
  return {p, l, u};
}

/// A = P L U with partial pivoting, reduced: "m n" gives {p "m m", l "m k", u "k n"}, k = min(m,
/// n); P is a permutation, L has ones on its diagonal. Singular matrices have factors; their
/// gradient throws `ValueError`. JAX: `scipy.linalg.lu`. PyTorch: `linalg.lu`.
template <Expression X, Factored Result = LuOf<X&&>>
auto lu(X&& a) -> Result {
  auto const f = []<class P, class L, class U, TensorType A>(std::type_identity<LU<P, L, U>>,
                                                             A const& x) {
    auto const all = as_matrices<2>(x);
    auto const [p, l, u] = [&] {
      if (any_recorded(all)) return recorded_lu(all);
      auto const [permutation, factors] = eliminated(all);
      return std::tuple_cat(std::tuple(permutation), triangles(factors));
    }();
    std::int64_t const m = rows_of(all), n = columns_of(all), k = (std::min)(m, n);
    return LU<P, L, U>{reshaped<P>(p, factor_sizes(x, m, m)), reshaped<L>(l, factor_sizes(x, m, k)),
                       reshaped<U>(u, factor_sizes(x, k, n))};
  };
  return by_linear_algebra<Named<"lu">, Result>(f, keep_value(std::forward<X>(a)));
}
template <Expression X, Mistake Result = LuOf<X&&>>
auto lu(X&& a) -> Result;
template <class... X, class R = Refused<Named<"lu">, X...>>
auto lu(X const&...) -> R;

template <class E>
constexpr auto slogdet_type() {
  using mistake = typename decltype(square_mistake<Named<"slogdet">, E>())::type;
  if constexpr (!std::is_void_v<mistake>) return std::type_identity<mistake>{};
  else return std::type_identity<SLogDet<TensorLike<E, BatchRule<E>>>>{};
}
template <Expression X>
using SlogdetOf = typename decltype(slogdet_type<TensorOf<X>>())::type;

/// The sign and the logarithm of the magnitude of the determinant of one matrix.
template <class F, class T>
std::pair<T, T> sign_and_log(std::int64_t n, T const* a) {
  auto factors = workspace<T>(product_of(n, n));
  auto pivots = workspace<std::int32_t>(n);
  std::copy_n(a, n * n, factors.data());
  if (F::lu(n, factors.data(), pivots.data()) >= 0)
    return {T(0), -std::numeric_limits<T>::infinity()};
  T sign = 1, log = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    T const diagonal = factors.data()[i * (n + 1)];
    bool const is_negative = (diagonal < 0) != (pivots.data()[i] != i);
    sign = is_negative ? -sign : sign;
    log += std::log(std::abs(diagonal));
  }
  return {std::isnan(log) ? log : sign, log};
}

/// The adjoint of a is that of the logarithm times a⁻ᵀ.
struct SlogdetBackward {
  template <TensorType M>
  M operator()(std::tuple<M, M> const& d, std::tuple<M, M> const&, M const& a) const {
    std::int64_t const n = rows_of(a);
    M const everywhere = repeated_column(transposed_matrices(repeated_row(std::get<1>(d), n)), n);
    return weighted(everywhere, transposed_matrices(recorded_inverse(a)));
  }
};

template <TensorType M>
std::tuple<M, M> recorded_slogdet(M const& a) {
  auto const forward = [](M const& x) {
    std::int64_t const n = rows_of(x);
    M sign = stack_like(x, 1, 1), log = sign;
    auto* const signs = sign.own_memory();
    auto* const logs = log.own_memory();
    first_failure<M>(at(x.sizes(), 0), n * n * n, [&](std::int64_t i) {
      std::tie(signs[i], logs[i]) = sign_and_log<FactorsOf<M>>(n, x.data() + i * n * n);
      return true;
    });
    return std::tuple<M, M>(sign, log);
  };
  return custom_vjp(forward, SlogdetBackward())(a);
}

/// The determinant as its sign and the logarithm of its magnitude, which does not overflow:
/// "*batch n n" gives {sign "*batch", logabsdet "*batch"}; of a singular matrix 0 and -inf, whose
/// gradient throws `ValueError`. JAX, PyTorch: `linalg.slogdet`.
template <Expression X, Factored Result = SlogdetOf<X&&>>
auto slogdet(X&& a) -> Result {
  auto const f = []<class T, TensorType A>(std::type_identity<SLogDet<T>>, A const& x) {
    require_square("slogdet", x);
    auto const [sign, log] = recorded_slogdet(as_matrices<2>(x));
    Sizes const sizes = factor_sizes(x, 1, 1);
    return SLogDet<T>{reshaped<T>(sign, sizes), reshaped<T>(log, sizes)};
  };
  return by_linear_algebra<Named<"slogdet">, Result>(f, keep_value(std::forward<X>(a)));
}
template <Expression X, Mistake Result = SlogdetOf<X&&>>
auto slogdet(X&& a) -> Result;
template <class... X, class R = Refused<Named<"slogdet">, X...>>
auto slogdet(X const&...) -> R;

}  // namespace tenon::internal::linalg

namespace tenon::linalg {

using internal::linalg::lu;
using internal::linalg::slogdet;

}  // namespace tenon::linalg
