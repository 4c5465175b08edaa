#pragma once

#include <algorithm>
#include <cmath>

#include <tenon/tenon.hpp>

/// Common parts of the linear algebra tests. Loops over elements, so that few expressions are
/// compiled.
namespace linalg_checks {

using namespace tenon;

template <class T, class D>
using Batched = Tensor<T, "_ _ _", D>;

/// Pseudo-random numbers; as a matrix well-conditioned.
template <TensorType E>
E some(int seed, auto... sizes) {
  E x = zeros<E>(sizes...);
  for (std::int64_t i = 0; i < x.size(); ++i) {
    auto const at = static_cast<double>((i + seed) * (i + seed));
    x.mutable_data()[i] = static_cast<typename E::value_type>(std::sin(1.3 * at));
  }
  return x;
}

/// The largest difference of elements of two tensors; infinite if sizes or NaN differ.
template <TensorType A, TensorType B>
double apart(A const& a, B const& b) {
  if (a.size() != b.size()) return INFINITY;
  double most = 0;
  for (std::int64_t i = 0; i < a.size(); ++i) {
    double const x = double(a.data()[i]), y = double(b.data()[i]);
    if (std::isnan(x) != std::isnan(y)) return INFINITY;
    if (!std::isnan(x)) most = std::max(most, std::abs(x - y));
  }
  return most;
}

template <TensorType A>
A turned(A const& a) {
  std::int64_t const s = a.sizes()[0], m = a.sizes()[1], n = a.sizes()[2];
  A result = zeros<A>(s, n, m);
  for (std::int64_t i = 0; i < a.size(); ++i)
    result.mutable_data()[i / (m * n) * m * n + i % n * m + i / n % m] = a.data()[i];
  return result;
}

/// a b, by the definition.
template <TensorType A>
A times(A const& a, A const& b) {
  std::int64_t const s = a.sizes()[0], n = a.sizes()[1], k = a.sizes()[2], m = b.sizes()[2];
  A c = zeros<A>(s, n, m);
  auto* const to = c.mutable_data();
  for (std::int64_t i = 0; i < s * n * m; ++i) {
    auto const *row = a.data() + i / m * k, *column = b.data() + i / (n * m) * k * m + i % m;
    for (std::int64_t l = 0; l < k; ++l) to[i] += row[l] * column[l * m];
  }
  return c;
}

/// The columns of matrices, each scaled by an element of a vector.
template <TensorType A, TensorType V>
A columns_scaled(A a, V const& by) {
  std::int64_t const n = a.sizes()[2], each = a.sizes()[1] * n;
  for (std::int64_t i = 0; i < a.size(); ++i)
    a.mutable_data()[i] *= by.data()[i / each * n + i % n];
  return a;
}

template <class T>
Batched<T, Cpu> identity(std::int64_t s, std::int64_t n) {
  auto result = zeros<Batched<T, Cpu>>(s, n, n);
  for (std::int64_t i = 0; i < s * n; ++i) result(i / n, i % n, i % n) = T(1);
  return result;
}

/// The sum of the products of corresponding elements of two batches.
template <TensorType M>
Tensor<typename M::value_type, "", typename M::device> total(M const& a, M const& b) {
  return sum(a * b);
}

/// The error of the gradient of f at x relative to difference quotients.
template <TensorType E, class F>
double derivative_error(F const& f, E const& x) {
  double const h = 1e-5;
  E const derivative = grad(f)(x);
  E nudged = x;
  double most = 0;
  for (std::int64_t i = 0; i < x.size(); ++i) {
    double* const at = nudged.mutable_data() + i;
    *at = x.data()[i] + h;
    double const above = f(nudged).item();
    *at = x.data()[i] - h;
    double const below = f(nudged).item();
    *at = x.data()[i];
    most = std::max(most, std::abs((above - below) / (2 * h) - derivative.data()[i]));
  }
  return most;
}

}  // namespace linalg_checks
