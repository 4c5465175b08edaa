#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include <tenon/eval/linalg/solve.hpp>
#include <tenon/numeric/matrices.hpp>

/// The exponential of a matrix, and derivatives of functions of matrices.
namespace tenon::internal::linalg {

/// A rational approximation of exp for matrices whose 1-norm is at most `radius`: b₀ + b₁ a + …,
/// its numerator (Higham 2005, "The scaling and squaring method for the matrix exponential
/// revisited", table 2.3).
struct ExponentialPade {
  double radius;
  std::array<double, 14> b;
};
template <class T>
inline constexpr ExponentialPade exponential_pade{
    3.925724783138660, {17297280, 8648640, 1995840, 277200, 25200, 1512, 56, 1}};
template <>
inline constexpr ExponentialPade exponential_pade<double>{
    5.371920351148152,
    {64764752532480000.0, 32382376266240000.0, 7771770303897600, 1187353796428800, 129060195264000,
     10559470521600, 670442572800, 33522128640, 1323241920, 40840800, 960960, 16380, 182, 1}};

/// The largest sum of magnitudes of a column.
template <class T>
double one_norm(std::int64_t n, T const* a) {
  double largest = 0;
  for (std::int64_t j = 0; j < n; ++j) {
    double sum = 0;
    for (std::int64_t i = 0; i < n; ++i) sum += std::abs(static_cast<double>(a[i * n + j]));
    largest = sum > largest || std::isnan(sum) ? sum : largest;
    if (std::isnan(sum)) break;
  }
  return largest;
}

/// x6 a⁶ + x4 a⁴ + x2 a².
template <TensorType M>
M even_sum(std::array<M, 3> const& powers, double x2, double x4, double x6) {
  using T = typename M::value_type;
  return powers[0] * static_cast<T>(x2) + powers[1] * static_cast<T>(x4) +
         powers[2] * static_cast<T>(x6);
}

/// b₀ + b₂ a² + … b₁₂ a¹² for the coefficients from `first` on, every second one.
template <TensorType M>
M even_polynomial(M const& one, std::array<M, 3> const& powers, std::array<double, 14> const& b,
                  std::size_t first) {
  M const low =
      added(even_sum(powers, b[first + 2], b[first + 4], b[first + 6]), scaled(one, b[first]));
  if (b[first + 8] == 0) return low;
  return added(chained(powers[2], even_sum(powers, b[first + 8], b[first + 10], b[first + 12])),
               low);
}

/// exp(a) of one matrix.
template <TensorType M>
M exponential_of_one(M const& a) {
  auto const& [radius, b] = exponential_pade<typename M::value_type>;
  double const norm = one_norm(rows_of(a), a.data());
  if (!std::isfinite(norm))
    return scaled(identity_like(a), std::numeric_limits<double>::quiet_NaN());
  int const halvings = norm > radius ? static_cast<int>(std::ceil(std::log2(norm / radius))) : 0;
  M const x = scaled(a, std::ldexp(1.0, -halvings)), x2 = chained(x, x), x4 = chained(x2, x2);
  std::array<M, 3> const powers{x2, x4, chained(x4, x2)};
  M const one = identity_like(a);
  M const odd = chained(x, even_polynomial(one, powers, b, 1));
  M const even = even_polynomial(one, powers, b, 0);
  M result = left_quotient(subtracted(even, odd), added(even, odd));
  for (int i = 0; i < halvings; ++i) result = chained(result, result);
  return result;
}

/// A function of one matrix for each of a batch.
template <TensorType M, class F>
M for_each_matrix(M const& a, F const& f) {
  M result = M::uninitialised(a.sizes());
  auto* const to = result.own_memory();
  std::int64_t const each = rows_of(a) * columns_of(a);
  for (std::int64_t i = 0; i < at(a.sizes(), 0); ++i) {
    M const one = f(M(slice<0>(a, i, i + 1)));
    std::copy_n(one.data(), each, to + i * each);
  }
  return result;
}

template <class F, TensorType M>
M recorded_matrix_function(M const& a);

/// y = f(a) for an analytic f: the adjoint of a is the derivative of f at aᵀ along dy, which is in
/// the corner of f([aᵀ dy; 0 aᵀ]) (Mathias 1996; Higham 2008, "Functions of matrices", 3.6). dy is
/// scaled to 1, so that f needs no more steps for it.
template <class F>
struct AnalyticBackward {
  template <TensorType M>
  M operator()(M const& dy, M const&, M const& a) const {
    std::int64_t const n = rows_of(a);
    M const at = transposed_matrices(a), plain = unmarked_leaves(dy);
    double largest = 0;
    for (std::int64_t i = 0; i < plain.size(); ++i)
      largest = (std::max)(largest, std::abs(static_cast<double>(plain.data()[i])));
    double const unit = largest > 0 && std::isfinite(largest) ? largest : 1;
    M const upper = beside(at, scaled(dy, 1 / unit)), lower = beside(zeros_like(at), at);
    M const both = recorded_matrix_function<F>(above(upper, lower));
    return scaled(columns_between(rows_between(both, 0, n), n, 2 * n), unit);
  }
};

template <class F, TensorType M>
M recorded_matrix_function(M const& a) {
  return custom_vjp([](M const& x) { return F::of(x); }, AnalyticBackward<F>())(a);
}

struct Exponential {
  static constexpr std::string_view name = "expm";
  template <TensorType M>
  static M of(M const& a) {
    return for_each_matrix(a, [](M const& one) { return exponential_of_one(one); });
  }
};

/// A function of matrices, "n n" to "n n".
template <class F, TensorType R, TensorType A>
R analytic_function(A const& a) {
  auto const f = []<class Q, TensorType X>(std::type_identity<Q>, X const& x) {
    require_square(F::name, x);
    return reshaped<Q>(recorded_matrix_function<F>(as_matrices<2>(x)), x.sizes());
  };
  return by_linear_algebra<F, R>(f, a);
}

/// The exponential 1 + A + A²/2 + … of a matrix: "n n" gives "n n", by scaling and squaring (Higham
/// 2005). The gradient is exact, and differentiable again. NaN or infinity gives NaN. SciPy, JAX:
/// `linalg.expm`. PyTorch: `linalg.matrix_exp`.
template <Expression X, WellFormed Result = Endomorphism<Exponential, X&&>>
auto expm(X&& a) -> Result {
  return analytic_function<Exponential, Result>(keep_value(std::forward<X>(a)));
}
template <Expression X, IllFormed Result = Endomorphism<Exponential, X&&>>
auto expm(X&& a) -> Result;
template <class... X, class R = Refused<Exponential, X...>>
auto expm(X const&...) -> R;

}  // namespace tenon::internal::linalg

namespace tenon::linalg {

using internal::linalg::expm;

}  // namespace tenon::linalg
