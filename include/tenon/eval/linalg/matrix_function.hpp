#pragma once

#include <cmath>
#include <limits>
#include <tuple>

#include <tenon/eval/linalg/eigh.hpp>
#include <tenon/eval/linalg/solve.hpp>
#include <tenon/expr/linalg/matrix_function.hpp>
#include <tenon/op/partials.hpp>

namespace tenon::internal::linalg {

template <class Op, class T>
T derivative_at(T x) {
  return op::backward_of(op::partial_of<0>(Op::d(x, Op::f(x))), T(1));
}

/// (f(a) - f(b)) / (a - b), at a = b the derivative. The quotient loses digits where a and b are
/// close; the mean of the derivative between them, by Gauss's rule of three points, does not. It is
/// taken where the rule of two points agrees and where it is within the rounding error of the
/// quotient: both rules miss a kink, and what happens between the points of a wide interval.
template <class Op, class T>
T divided_difference(T a, T b) {
  if (a == b) return derivative_at<Op>(a);
  T const fa = Op::f(a), fb = Op::f(b), middle = a / 2 + b / 2, half = a / 2 - b / 2;
  auto const pair = [&](double place) {
    T const step = half * static_cast<T>(place);
    return derivative_at<Op>(middle + step) + derivative_at<Op>(middle - step);
  };
  T const two = pair(0.57735026918962576451) / 2;
  T const three = (5 * pair(0.77459666924148337704) + 8 * derivative_at<Op>(middle)) / 18;
  T const quotient = (fa - fb) / (a - b);
  T const rounding = std::numeric_limits<T>::epsilon() * (std::abs(fa) + std::abs(fb));
  T const noise = rounding / std::abs(a - b);
  bool const is_smooth = std::abs(three - two) <= noise && std::abs(three - quotient) < 4 * noise;
  return is_smooth ? three : quotient;
}

/// The divided differences of all pairs of a row of eigenvalues.
template <class Op, TensorType M>
M divided_differences(M const& w) {
  std::int64_t const n = at(w.sizes(), 2);
  M result = stack_like(w, n, n);
  auto* const to = result.own_memory();
  for (std::int64_t i = 0; i < result.size(); ++i) {
    auto const* const row = w.data() + i / (n * n) * n;
    to[i] = divided_difference<Op>(row[i / n % n], row[i % n]);
  }
  return result;
}

/// y = v diag(f(w)) vᵀ, of which y is a result: the adjoint of a is v (f[w, w] ∘ vᵀ dy v) vᵀ, f[w,
/// w] the divided differences (Daleckii and Krein 1965; Higham 2008, "Functions of matrices", 3.2).
/// An adjoint of v is the second derivative's: it is not known.
template <class Op>
struct SpectralBackward {
  template <TensorType M>
  M operator()(std::tuple<M, M, M> const& d, std::tuple<M, M, M> const& y, M const& a,
               UsedLeaves const& used) const {
    using T = typename M::value_type;
    auto const& [unused, w, v] = y;
    if (used[1] || used[2])
      return full<M>(std::numeric_limits<T>::quiet_NaN(), at(a.sizes(), 0), at(a.sizes(), 1),
                     at(a.sizes(), 2));
    M const vt = transposed_matrices(v), dy = symmetric_part(std::get<0>(d));
    M const differences = divided_differences<Op>(unmarked_leaves(w));
    return chained(chained(v, weighted(differences, chained(chained(vt, dy), v))), vt);
  }
};

template <class Op, TensorType M>
M recorded_function(M const& a) {
  auto const forward = [](M const& x) {
    std::int64_t const n = at(x.sizes(), 2);
    auto [w, v] = eigen_of<M, M>(x, factor_sizes(x, 1, n));
    M values = w;
    auto* const to = values.own_memory();
    for (std::int64_t i = 0; i < values.size(); ++i) to[i] = Op::f(to[i]);
    M const y = chained(weighted(v, repeated_row(values, n)), transposed_matrices(v));
    return std::tuple<M, M, M>(symmetric_part(y), w, v);
  };
  return std::get<0>(custom_vjp(forward, SpectralBackward<Op>())(a));
}

/// a^n for n > 0.
template <TensorType M>
M positive_power(M a, std::int64_t n) {
  while (n % 2 == 0) a = chained(a, a), n /= 2;
  M result = a;
  while (n /= 2) {
    a = chained(a, a);
    if (n % 2 == 1) result = chained(result, a);
  }
  return result;
}

template <TensorType M>
M recorded_power(M const& a, std::int64_t n) {
  if (n == 0) return weights_like(a, at(a.sizes(), 2), {0, 2, 0});
  if (n > 0) return positive_power(a, n);
  if (n == (std::numeric_limits<std::int64_t>::min)())
    fail<ValueError>({.who = "matrix_power", .expected = "n > -2^63", .got = "-2^63"});
  return positive_power(recorded_inverse(a), -n);
}

}  // namespace tenon::internal::linalg

namespace tenon::internal {

/// The value of `linalg::matrix_function` as an `R`.
template <class Op, TensorType R, TensorType A>
R spectral_function(std::type_identity<R>, std::type_identity<Op>, A const& a) {
  tracing::refuse_while_on(linalg::MatrixFunctionName::name);
  if constexpr (!A::device::is_host) {
    auto const f = [](auto r, auto const& x) {
      return spectral_function(r, std::type_identity<Op>{}, x);
    };
    return BackendOf<typename A::device>::template linear_algebra<linalg::MatrixFunctionName, R>(f,
                                                                                                 a);
  } else {
    linalg::require_square("matrix_function", a);
    return reshaped<R>(linalg::recorded_function<Op>(linalg::as_matrices<2>(a)), a.sizes());
  }
}

/// The value of `linalg::matrix_power` as an `R`.
template <TensorType R, TensorType A>
R matrix_product_power(std::type_identity<R>, A const& a, std::int64_t n) {
  tracing::refuse_while_on(linalg::MatrixPowerName::name);
  if constexpr (!A::device::is_host) {
    auto const f = [n](auto r, auto const& x) { return matrix_product_power(r, x, n); };
    return BackendOf<typename A::device>::template linear_algebra<linalg::MatrixPowerName, R>(f, a);
  } else {
    linalg::require_square("matrix_power", a);
    return reshaped<R>(linalg::recorded_power(linalg::as_matrices<2>(a), n), a.sizes());
  }
}

}  // namespace tenon::internal
