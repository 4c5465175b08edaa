#include <doctest/doctest.h>

#include "checks.hpp"

namespace factors_test {

using namespace tenon::internal;

using namespace linalg_checks;

namespace {

template <class T, class D>
void check_qr(std::int64_t s, std::int64_t m, std::int64_t n, double tolerance) {
  CAPTURE(m);
  CAPTURE(n);
  auto const a = some<Batched<T, D>>(int(n), s, m, n);
  auto const [q, r] = tenon::linalg::qr(a);
  CHECK(apart(times(q, r), a) < tolerance);
  CHECK(apart(times(turned(q), q), identity<T>(s, std::min(m, n))) < tolerance);
  bool upper = true;
  for (std::int64_t i = 0; i < r.size(); ++i)
    upper &= i % n >= i / n % r.sizes()[1] || r.data()[i] == 0;
  CHECK(upper);
}

template <class T, class D>
void check_svd(std::int64_t s, std::int64_t m, std::int64_t n, double tolerance) {
  CAPTURE(m);
  CAPTURE(n);
  auto const a = some<Batched<T, D>>(int(n), s, m, n);
  auto const [u, values, vt] = tenon::linalg::svd(a);
  std::int64_t const k = std::min(m, n);
  CHECK(apart(times(columns_scaled(u, values), vt), a) < tolerance);
  CHECK(apart(times(turned(u), u), identity<T>(s, k)) < tolerance);
  CHECK(apart(times(vt, turned(vt)), identity<T>(s, k)) < tolerance);
  bool descends = true;
  for (std::int64_t i = 0; i < values.size(); ++i)
    descends &= values.data()[i] >= 0 && (i % k == 0 || values.data()[i] <= values.data()[i - 1]);
  CHECK(descends);
}

template <class T, class D>
void check_eigh(std::int64_t s, std::int64_t n, double tolerance) {
  CAPTURE(n);
  auto a = some<Batched<T, D>>(int(n), s, n, n);
  auto const [values, v] = tenon::linalg::eigh(a);
  auto const at = turned(a);
  for (std::int64_t i = 0; i < a.size(); ++i)
    a.mutable_data()[i] = (a.data()[i] + at.data()[i]) / 2;
  CHECK(apart(times(a, v), columns_scaled(v, values)) < tolerance);
  CHECK(apart(times(turned(v), v), identity<T>(s, n)) < tolerance);
  CHECK(std::is_sorted(values.data(), values.data() + (s == 1 ? n : 0)));
}

/// The columns of matrices, each scaled by the third power of an element of a vector.
template <class M, class V>
M scaled_thrice(M const& a, V const& by) {
  Sizes const s = a.sizes();
  M const rows =
      tenon::internal::linalg::repeated_row(reshaped<M>(by, {s[0], 1, s[2], 1, 1, 1, 1, 1}), s[1]);
  return tenon::internal::linalg::weighted(
      tenon::internal::linalg::weighted(tenon::internal::linalg::weighted(a, rows), rows), rows);
}

/// The gradient of a weighted sum of the result of `f`, compared with difference quotients.
template <class M, class F>
double error_of(F const& f, M const& at) {
  return derivative_error(
      [&](M const& x) {
        M const y = f(x);
        return total(y, some<M>(7, y.sizes()[0], y.sizes()[1], y.sizes()[2]));
      },
      at);
}

}  // namespace

TEST_CASE_TEMPLATE("the factors of qr, svd and eigh multiply to the matrix", D, Cpu, Reference) {
  for (std::int64_t m : {0, 1, 2, 3, 5, 33}) {
    for (std::int64_t n : {0, 1, 2, 4, 33}) {
      check_qr<double, D>(1, m, n, 1e-12);
      check_svd<double, D>(1, m, n, 1e-12);
    }
    check_eigh<double, D>(1, m, 1e-12);
    check_qr<double, D>(3, m, 3, 1e-12);
    check_svd<double, D>(3, m, 3, 1e-12);
    check_eigh<double, D>(3, m, 1e-12);
  }
}

TEST_CASE("the factors of matrices larger than a block of reflectors multiply to them") {
  check_qr<double, Cpu>(1, 97, 97, 1e-11);
  check_qr<double, Cpu>(1, 130, 66, 1e-11);
  check_qr<double, Cpu>(2, 66, 130, 1e-11);
  check_qr<float, Cpu>(1, 65, 65, 1e-3);
  check_eigh<double, Cpu>(1, 66, 1e-11);
  check_eigh<double, Cpu>(2, 97, 1e-11);
}

TEST_CASE("qr of a matrix larger than a block of reflectors is that of the reference") {
  auto const a = some<Batched<double, Cpu>>(1, 1, 100, 80);
  auto const [q, r] = tenon::linalg::qr(a);
  auto const [expected, upper] = tenon::linalg::qr(to<Reference>(a));
  CHECK(apart(q, to<Cpu>(expected)) < 1e-11);
  CHECK(apart(r, to<Cpu>(upper)) < 1e-11);
}

TEST_CASE("the factors of qr, svd and eigh multiply to a matrix of float") {
  for (std::int64_t n : {1, 3, 33}) {
    check_qr<float, Cpu>(2, n, 5, 1e-4);
    check_svd<float, Cpu>(2, n, 5, 1e-4);
    check_eigh<float, Cpu>(2, n, 1e-4);
  }
}

TEST_CASE_TEMPLATE("gradients of qr, eigh and svd", D, Cpu, Reference) {
  using M = Batched<double, D>;
  auto const tall = some<M>(3, 2, 4, 3), wide = some<M>(3, 2, 3, 4), square = some<M>(3, 2, 3, 3);
  auto const q = [](M const& x) { return tenon::linalg::qr(x).q; };
  auto const r = [](M const& x) { return tenon::linalg::qr(x).r; };
  for (M const& a : {tall, wide, square}) {
    CAPTURE(a.sizes()[2]);
    CHECK(error_of(q, a) < 1e-7);
    CHECK(error_of(r, a) < 1e-7);
    // Functions of matrices computed from their values and vectors, independent of the vectors'
    // signs.
    auto const cubed = [](M const& x) {
      auto const [u, values, vt] = tenon::linalg::svd(x);
      return M(matmul(scaled_thrice(u, values), vt));
    };
    CHECK(error_of(cubed, a) < 1e-7);
  }
  auto const cubed = [](M const& x) {
    auto const [values, v] = tenon::linalg::eigh(x);
    return M(matmul(scaled_thrice(v, values), M(transpose(v))));
  };
  CHECK(error_of(cubed, square) < 1e-7);
}

}  // namespace factors_test
