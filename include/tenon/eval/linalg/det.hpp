#pragma once

#include <algorithm>
#include <cmath>

#include <tenon/eval/linalg/solve.hpp>
#include <tenon/eval/linalg/svd.hpp>
#include <tenon/expr/linalg/decompose.hpp>

namespace tenon::internal::linalg {

/// The product of a sign and of numbers `stride` apart, also if partial products would overflow or
/// underflow.
template <class T, class N>
T long_product(N n, std::int64_t stride, T const* x, T sign) {
  T mantissa = sign;
  std::int64_t exponent = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    int part = 0, carry = 0;
    mantissa = std::frexp(mantissa * std::frexp(x[i * stride], &part), &carry);
    if (std::isfinite(mantissa)) exponent += part + carry;
  }
  return std::ldexp(mantissa, static_cast<int>(std::clamp<std::int64_t>(exponent, -5000, 5000)));
}

/// The determinant of one matrix, from its factors.
template <class F, class T, class N>
T determinant(N n, T const* a) {
  auto factors = workspace<T>(product_of(n, n));
  auto pivots = workspace<std::int32_t>(n);
  std::copy_n(a, product_of(n, n), factors.data());
  if (F::lu(n, factors.data(), pivots.data()) >= 0) return T(0);
  T sign = 1;
  for (std::int64_t i = 0; i < n; ++i) sign = pivots.data()[i] == i ? sign : -sign;
  T product = sign;
  for (std::int64_t i = 0; i < n; ++i) product *= factors.data()[i * (n + 1)];
  bool const plain = std::isfinite(product) && std::abs(product) >= (std::numeric_limits<T>::min)();
  return plain ? product : long_product(n, n + 1, factors.data(), sign);
}

template <TensorType R, TensorType A>
R determinant_of(A const& a, Sizes const& sizes) {
  R result = R::uninitialised(sizes);
  auto* const to = result.own_memory();
  auto const n = extent<1>(a);
  first_failure<A>(batch_size<2>(a), n * n * n, [&](std::int64_t i) {
    to[i] = determinant<FactorsOf<A>>(n, a.data() + i * n * n);
    return true;
  });
  return result;
}

/// The cofactors, also of singular matrices: det(u) det(v) u diag(products of the other singular
/// values) vᵀ. A constant: a singular matrix has no second derivative here.
template <TensorType M>
M cofactors(M const& a) {
  if (any_recorded(a)) throw Error("tenon::det: no second derivative where a matrix is singular");
  std::int64_t const n = at(a.sizes(), 2);
  auto const [u, s, vt] = svd_of<M, M, M>(a, factor_sizes(a, 1, n));
  M const left = determinant_of<M>(u, factor_sizes(a, 1, 1));
  M const right = determinant_of<M>(vt, factor_sizes(a, 1, 1));
  M scaled = u;
  auto* const to = scaled.own_memory();
  for (std::int64_t i = 0; i < a.size(); ++i) {
    std::int64_t const p = i / (n * n);
    to[i] *= left.data()[p] * right.data()[p];
    for (std::int64_t j = 0; j < n; ++j) to[i] *= j == i % n ? 1 : s.data()[p * n + j];
  }
  return chained(scaled, vt);
}

/// The adjoint of a is that of its determinant times the cofactors: det a⁻ᵀ for an invertible a.
struct DetBackward {
  template <TensorType M>
  M operator()(M const& d, M const& y, M const& a) const {
    std::int64_t const n = at(a.sizes(), 2);
    auto const everywhere = [&](M const& x) {
      return repeated_column(transposed_matrices(repeated_row(x, n)), n);
    };
    auto const* const first = stored_elements(y);
    bool const singular = std::find(first, first + y.size(), 0) != first + y.size();
    if (singular) return weighted(everywhere(d), cofactors(a));
    return weighted(everywhere(weighted(d, y)), transposed_matrices(recorded_inverse(a)));
  }
};

template <TensorType M>
M recorded_determinant(M const& a) {
  auto const forward = [](M const& x) { return determinant_of<M>(x, factor_sizes(x, 1, 1)); };
  return custom_vjp(forward, DetBackward())(a);
}

}  // namespace tenon::internal::linalg

namespace tenon::internal {

/// The value of `linalg::det` as an `R`.
template <TensorType R, TensorType A>
R determinants(std::type_identity<R>, A const& a) {
  tracing::refuse_while_on(linalg::DetName::name);
  if constexpr (!A::device::is_host) {
    auto const f = [](auto r, auto const& x) { return determinants(r, x); };
    return BackendOf<typename A::device>::template linear_algebra<linalg::DetName, R>(f, a);
  } else {
    linalg::require_square("det", a);
    Sizes const sizes = linalg::factor_sizes(a, 1, 1);
    if (!any_recorded(a)) return linalg::determinant_of<R>(a, sizes);
    return reshaped<R>(linalg::recorded_determinant(linalg::as_matrices<2>(a)), sizes);
  }
}

}  // namespace tenon::internal
