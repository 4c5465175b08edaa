#include <tenon/autodiff/grad.hpp>
#include <tenon/expr/reduction/norms.hpp>

#include "counting.hpp"

namespace norms_test {

namespace {

using namespace counting;

TEST_CASE_TEMPLATE("norms and standard deviations along axes", D, Cpu, Reference) {
  Float64<"a=2 b=4", D> const x{{3, 0, 4, 0}, {1, 1, 1, 1}};
  CHECK(elements(norm<"b">(x)) == std::vector<double>{5, 2});
  CHECK(spec(norm<"b">(x, keep)) == "a=2 b=1");
  CHECK(norm(x).item() == std::sqrt(29.0));
  CHECK(elements(stddev<"b">(x))[0] == doctest::Approx(std::sqrt(3.1875)));  // 6.25 - 1.75^2
  CHECK(elements(stddev<"b">(x, keep))[1] == 0);
  CHECK(norm(zeros<Float64<"n", D>>(0)).item() == 0);
}

TEST_CASE_TEMPLATE("the gradient of a norm is the direction of the vector", D, Cpu, Reference) {
  auto const derivative = grad([](auto const& m) { return norm(m); })(Float64<"2", D>{3, 4});
  CHECK(derivative(0) == doctest::Approx(0.6));
  CHECK(derivative(1) == doctest::Approx(0.8));
}

template <class X>
concept HasNorm = requires(X x) { norm<"b">(x); };
static_assert(HasNorm<Float32<"a b">> && !HasNorm<Float32<"a">> && !HasNorm<Int32<"b">>);

}  // namespace

}  // namespace norms_test
