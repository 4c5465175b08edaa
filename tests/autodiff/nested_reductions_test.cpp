#include "nested.hpp"

namespace nested_folds_test {

using namespace nested;

namespace {

Matrix const point{{0.4, 1.3, 0.8}, {-0.6, 0.9, 1.7}};
Matrix const one_zero{{0.4, 0, 0.8}, {-0.6, 0.9, 1.7}};
Matrix const two_zeros{{0.4, 0, 0}, {-0.6, 0.9, 1.7}};
Matrix const three_zeros{{0, 0, 0}, {-0.6, 0.9, 1.7}};

}  // namespace

TEST_CASE("second derivatives of sums, means and variances") {
  check("sum", point, [](Matrix const& x) { return mixed(sum<"m">(x)); });
  check("sum of squares", point, [](Matrix const& x) { return mixed(sum<"n">(x * x, keep)); });
  check("mean", point, [](Matrix const& x) { return mixed(mean<"n">(exp(x))); });
  check("var", point, [](Matrix const& x) { return mixed(var<"m">(x)); });
  check("stddev", point, [](Matrix const& x) { return mixed(stddev<"m">(x)); });
  check("norm", point, [](Matrix const& x) { return mixed(norm<"m">(x)); });
}

TEST_CASE("second derivatives of prod, also at zeros") {
  for (Matrix const& at : {point, one_zero, two_zeros, three_zeros}) {
    check("prod", at, [](Matrix const& x) { return mixed(prod<"m">(x)); });
    check("cumprod", at, [](Matrix const& x) { return mixed(cumprod<"m">(x)); });
  }
}

TEST_CASE("third derivatives of prod at zeros are the other factors") {
  Float64<"n"> const x{0, 3, 5, 2};
  auto const along = [](auto const& f) {
    return [f](Float64<"n"> const& at) -> Scalar { return sum(grad(f)(at)); };
  };
  auto const third = grad(along(along([](Float64<"n"> const& at) -> Scalar { return prod(at); })));
  CHECK(third(x)(0) == doctest::Approx(2 * (3 + 5 + 2)));
}

TEST_CASE("second derivatives of extremes, sort and topk") {
  check("max", point, [](Matrix const& x) { return mixed(exp(max<"m">(x, keep)) * x); });
  check("min", point, [](Matrix const& x) { return mixed(min<"n">(x)); });
  check("sort", point, [](Matrix const& x) { return mixed(sort<"m">(x)); });
  check("topk", point, [](Matrix const& x) { return mixed(topk<"m", 2>(x).values); });
}

TEST_CASE("second derivatives of scans and of softmax") {
  check("cumsum", point, [](Matrix const& x) { return mixed(cumsum<"n">(x)); });
  check("softmax", point, [](Matrix const& x) { return mixed(softmax<"m">(x)); });
  check("log_softmax", point, [](Matrix const& x) { return mixed(log_softmax<"n">(x)); });
  check("logsumexp", point, [](Matrix const& x) { return mixed(logsumexp<"m">(x)); });
}

}  // namespace nested_folds_test
