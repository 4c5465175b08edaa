#include "checks.hpp"

#include <doctest/doctest.h>

#include <limits>

namespace solve_test {

using namespace linalg_checks;

namespace {

/// Checks that `a` times the result of the function is the expected matrix.
template <class T, class D>
void check_solve(std::int64_t s, std::int64_t n, double tolerance) {
  CAPTURE(n);
  auto const a = some<Batched<T, D>>(int(n), s, n, n), b = some<Batched<T, D>>(3, s, n, 3);
  CHECK(apart(times(a, tenon::linalg::solve(a, b)), b) < tolerance);
  CHECK(apart(times(a, tenon::linalg::inverse(a)), identity<T>(s, n)) < tolerance);
}

/// a aᵀ + 1
template <class T, class D>
Batched<T, D> positive(std::int64_t s, std::int64_t n) {
  auto const a = some<Batched<T, D>>(5, s, n, n);
  Batched<T, D> result = zeros<Batched<T, D>>(s, n, n);
  for (std::int64_t i = 0; i < s * n * n * n; ++i) {
    std::int64_t const l = i % n, c = i / n % n, r = i / n / n % n, p = i / n / n / n;
    result(p, r, c) += a(p, r, l) * a(p, c, l) + (l == r && l == c ? T(1) : T(0));
  }
  return result;
}

template <class T, class D>
void check_cholesky(std::int64_t s, std::int64_t n, double tolerance) {
  CAPTURE(n);
  auto const a = positive<T, D>(s, n);
  auto const l = eval(tenon::linalg::cholesky(a));
  CHECK(apart(times(l, eval(transpose(l))), a) < tolerance);
  bool lower = true;
  for (std::int64_t i = 0; i < s * n * n; ++i) lower &= i % n <= i / n % n || l.data()[i] == 0;
  CHECK(lower);
}

}  // namespace

TEST_CASE_TEMPLATE("a solve(a, b) = b, a inverse(a) = 1, L Lᵀ = a", D, Cpu, Reference) {
  for (std::int64_t n : {0, 1, 2, 3, 5, 33, 130}) check_solve<double, D>(1, n, 1e-9);
  for (std::int64_t n : {1, 4, 33}) check_solve<float, D>(3, n, 1e-3);
  for (std::int64_t n : {0, 1, 2, 3, 5, 33, 130}) check_cholesky<double, D>(1, n, 1e-9);
  for (std::int64_t n : {1, 4, 33}) check_cholesky<float, D>(3, n, 1e-3);
  check_solve<double, D>(0, 3, 0.1);
}

TEST_CASE_TEMPLATE("gradients of solve, inverse and cholesky", D, Cpu, Reference) {
  using M = Batched<double, D>;
  auto const a = positive<double, D>(2, 3), b = some<M>(3, 2, 3, 2), w = some<M>(4, 2, 3, 2);
  auto const v = some<M>(9, 2, 3, 3);
  CHECK(derivative_error([&](M const& x) { return sum(tenon::linalg::solve(x, b) * w); }, a) <
        1e-8);
  CHECK(derivative_error([&](M const& x) { return sum(tenon::linalg::solve(a, x) * w); }, b) <
        1e-8);
  CHECK(derivative_error([&](M const& x) { return sum(tenon::linalg::inverse(x) * v); }, a) < 1e-8);
  CHECK(derivative_error([&](M const& x) { return sum(tenon::linalg::cholesky(x) * v); }, a) <
        1e-8);
}

}  // namespace solve_test
