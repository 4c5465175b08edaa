// Examples of docs/functions/: linear algebra.

#include <doctest/doctest.h>

#include <cmath>

#include <tenon/linalg.hpp>
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

TEST_CASE("factors and solutions of linalg.hpp") {
  auto const [p, l, u] = linalg::lu(a);
  CHECK(allclose(matmul(p, matmul(l, u)), a));

  auto const [sign, logabsdet] = linalg::slogdet(a);
  CHECK(sign.item() * std::exp(logabsdet.item()) == doctest::Approx(8));

  auto const y = linalg::solve_triangular(tril(s), b, {.lower = true});
  CHECK(y(0) == 0.5);

  CHECK(allclose(linalg::cho_solve(linalg::cholesky(s), b), linalg::solve(s, b)));

  Float64<"row=3 n=2"> const tall{{1, 0}, {1, 1}, {1, 2}};
  auto const line = linalg::lstsq(tall, Float64<"row=3">{1, 3, 5});  // "n=2"
  CHECK(allclose(line, Float64<"n=2">{1, 2}));

  CHECK(allclose(linalg::pinv(a), linalg::inverse(a)));
  CHECK(linalg::matrix_rank(Float64<"2 2">{{1, 2}, {2, 4}}).item() == 1);
  CHECK(linalg::null_space(Float64<"2 n=2">{{1, 2}, {2, 4}}).sizes()[1] == 1);
  CHECK(linalg::orth(Float64<"n=2 2">{{1, 2}, {2, 4}}).sizes()[1] == 1);
}

TEST_CASE("norms, functions and products of linalg.hpp") {
  CHECK(linalg::vector_norm(b, 1).item() == 5);
  CHECK(linalg::matrix_norm(a, 1.0).item() == 6);
  CHECK(linalg::cond(eye<Float64<"2 2">>()).item() == doctest::Approx(1));

  auto const power = linalg::expm(Float64<"n=2 n=2">{{0, 1}, {0, 0}});
  CHECK(to_string(power) == "[[1. 1.]\n [0. 1.]]");

  auto const blocks = linalg::kron(eye<Float64<"2 2">>(), a);  // "4 4"
  CHECK(blocks(3, 3) == 3);

  auto const constant_diagonals = linalg::toeplitz(b);  // "n=2 n=2"
  CHECK(to_string(constant_diagonals) == "[[2. 3.]\n [3. 2.]]");

  auto const powers = linalg::vander(b, 3);  // "n=2 _"
  CHECK(to_string(powers) == "[[1. 2. 4.]\n [1. 3. 9.]]");

  auto const z = linalg::cross<"xyz">(Float64<"xyz=3">{1, 0, 0}, Float64<"xyz=3">{0, 1, 0});
  CHECK(to_string(z) == "[0. 0. 1.]");
}

}  // namespace functions_linalg_test
