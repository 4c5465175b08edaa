#pragma once

#include <algorithm>
#include <cmath>

#include <tenon/tenon.hpp>

/// What the tests of linear algebra have in common. Loops over elements: few expressions to
/// compile.
namespace linalg_checks {

using namespace tenon;

template <class T, class D>
using Batched = Tensor<T, "_ _ _", D>;

/// Numbers without order; as a matrix far from singular.
template <TensorType E>
E some(int seed, auto... sizes) {
  E x = zeros<E>(sizes...);
  for (std::int64_t i = 0; i < x.size(); ++i) {
    auto const at = static_cast<double>((i + seed) * (i + seed));
    x.mutable_data()[i] = static_cast<typename E::value_type>(std::sin(1.3 * at));
  }
  return x;
}

/// The largest difference of two tensors, element by element; infinite where sizes or NaN differ.
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

/// a b, by the definition; a transposed first if asked for.
template <TensorType A, TensorType B>
Batched<typename A::value_type, Cpu> times(A const& a, B const& b, bool transposed = false) {
  std::int64_t const s = a.sizes()[0], n = a.sizes()[transposed ? 2 : 1];
  std::int64_t const k = a.sizes()[transposed ? 1 : 2], m = b.sizes()[2];
  auto c = zeros<Batched<typename A::value_type, Cpu>>(s, n, m);
  for (std::int64_t i = 0; i < s * n * m * k; ++i) {
    std::int64_t const l = i % k, j = i / k % m, r = i / k / m % n, p = i / k / m / n;
    c(p, r, j) += (transposed ? a(p, l, r) : a(p, r, l)) * b(p, l, j);
  }
  return c;
}

template <class T>
Batched<T, Cpu> identity(std::int64_t s, std::int64_t n) {
  auto result = zeros<Batched<T, Cpu>>(s, n, n);
  for (std::int64_t i = 0; i < s * n; ++i) result(i / n, i % n, i % n) = T(1);
  return result;
}

/// How far the gradient of f at x is from difference quotients.
template <TensorType E, class F>
double slope_error(F const& f, E const& x) {
  double const h = 1e-5;
  E const slope = grad(f)(x);
  E nudged = x;
  double most = 0;
  for (std::int64_t i = 0; i < x.size(); ++i) {
    double* const at = nudged.mutable_data() + i;
    *at = x.data()[i] + h;
    double const above = f(nudged).item();
    *at = x.data()[i] - h;
    double const below = f(nudged).item();
    *at = x.data()[i];
    most = std::max(most, std::abs((above - below) / (2 * h) - slope.data()[i]));
  }
  return most;
}

}  // namespace linalg_checks
