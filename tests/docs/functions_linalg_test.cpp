// Examples of docs/functions.md: linear algebra.

#include <doctest/doctest.h>

#include <tenon/tenon.hpp>

namespace functions_linalg_test {

using namespace tenon;

Float64<"n=2 m=2"> const a{{4, 2}, {2, 3}};
Float64<"n=2 n=2"> const s{{4, 2}, {2, 3}};
Float64<"n=2"> const b{2, 3};

TEST_CASE("equations and factors") {
  CHECK(allclose(linalg::solve(a, b), Float64<"m=2">{0, 1}));
  CHECK(allclose(matmul(a, linalg::inverse(a)), eye<Float64<"2 2">>()));
  CHECK(linalg::det(a).item() == doctest::Approx(8));

  auto const l = linalg::cholesky(s);
  CHECK(allclose(matmul(l, transpose(l)), s));

  auto const [q, r] = linalg::qr(a);
  CHECK(allclose(matmul(q, r), a));

  auto const [u, singular, vt] = linalg::svd(a);
  CHECK(singular(0) * singular(1) == doctest::Approx(8));

  auto const [values, vectors] = linalg::eigh(s);
  CHECK(sum(values).item() == doctest::Approx(7));

  auto const root = linalg::matrix_function<op::Sqrt>(s);
  CHECK(allclose(linalg::matrix_power(root, 2), s));
}

}  // namespace functions_linalg_test
