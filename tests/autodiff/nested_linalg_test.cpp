#include "nested.hpp"

namespace nested_linalg_test {

using namespace nested;

namespace {

Matrix const square_matrix{{2, 1, 0.5}, {-0.3, 3, 0.2}, {0.1, -1, 2}};
Matrix const tall{{1, 2, 0.5}, {0.3, -1, 2}, {2, 0.4, -0.7}, {-0.6, 1.1, 0.9}};
Matrix const wide{{1, 0.3, 2, -0.6}, {2, -1, 0.4, 1.1}};

/// A positive definite matrix that depends on x.
Float64<"3 3"> definite(Matrix const& x) {
  Float64<"3 3"> const product = matmul(x, rename<"n -> k">(transpose(x)));
  return product + eye<Float64<"3 3">>();
}

}  // namespace

TEST_CASE("second derivatives of solutions, inverses and determinants") {
  check("inverse", square_matrix,
        [](Matrix const& a) { return sum(exp(tenon::linalg::inverse(a))); });
  check("det", square_matrix, [](Matrix const& a) { return square(tenon::linalg::det(a)) * 0.01; });
  check("solve", square_matrix, [](Matrix const& a) {
    return sum(exp(tenon::linalg::solve(a, Float64<"n k">{{1, 2}, {-1, 0.5}, {0.3, 1}})));
  });
  check("the right side of solve", square_matrix, [](Matrix const& b) {
    return sum(exp(tenon::linalg::solve(Float64<"n k">{{2, 1, 0}, {1, 3, 1}, {0, 1, 4}}, b)));
  });
}

TEST_CASE("second derivatives of factorizations of symmetric matrices") {
  check("cholesky", square_matrix,
        [](Matrix const& a) { return sum(exp(tenon::linalg::cholesky(definite(a)) * 0.3)); });
  check("values of eigh", square_matrix,
        [](Matrix const& a) { return sum(exp(tenon::linalg::eigh(definite(a)).values * 0.1)); });
  check("vectors of eigh", square_matrix, [](Matrix const& a) {
    auto const vectors = tenon::linalg::eigh(definite(a)).vectors;
    return sum(square(square(vectors)) * iota<Float64<"3">>());
  });
}

TEST_CASE(
    "derivatives along a tangent at equal eigenvalues: exact, or NaN where vectors are used") {
  Matrix const one = eye<Float64<"3 3">>();
  auto const values = [](Matrix const& a) -> Scalar {
    return sum(exp(tenon::linalg::eigh(as<"3 3">(a)).values));
  };
  CHECK(jvp(values, one, square_matrix).second.item() == doctest::Approx(7 * std::exp(1.0)));
  CHECK(std::isnan(sum(hvp(values, one, square_matrix)).item()));
  auto const vectors = [](Matrix const& a) -> Scalar {
    auto const v = tenon::linalg::eigh(as<"3 3">(a)).vectors;
    return sum(square(v) * iota<Float64<"3">>());
  };
  CHECK(std::isnan(jvp(vectors, one, square_matrix).second.item()));
  CHECK(std::isnan(sum(grad([&](Matrix const& a) { return sum(grad(vectors)(a)); })(one)).item()));
}

TEST_CASE("second derivatives of the QR decomposition") {
  for (Matrix const& x : {tall, wide, square_matrix}) {
    check("qr", x, [](Matrix const& a) {
      auto const [q, r] = tenon::linalg::qr(a);
      return sum(square(square(q))) + sum(sin(r));
    });
  }
}

TEST_CASE("second derivatives of singular values and vectors") {
  for (Matrix const& x : {tall, wide, square_matrix}) {
    check("svd", x, [](Matrix const& a) {
      auto const [u, s, vt] = tenon::linalg::svd(a);
      return sum(square(square(u))) + sum(sin(s)) + sum(square(square(vt)));
    });
  }
}

}  // namespace nested_linalg_test
