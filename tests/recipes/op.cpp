// The operation that CONTRIBUTING.md adds to the library.

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <utility>

#include <tenon/tenon.hpp>

#include <tenon/backend/codegen/c.hpp>

#include "../every_op/gradients.hpp"
#include "../every_op/unary_values.hpp"
#include "../op/accuracy_verdict.hpp"

namespace {

using namespace tenon;

TEST_CASE("an added operation has values, a gradient and a name") {
  Float64<"n=4"> const x{-1.0, 0.25, 3.0, -2.5};
  Float64<"n=4"> const y = softsign(x);
  auto const total = [](auto const& v) { return sum(softsign(v) * v); };
  auto const gradient = grad(total)(x);
  double const step = 1e-6;
  for (int i = 0; i < 4; ++i) {
    CHECK(y(i) == doctest::Approx(x(i) / (1 + std::fabs(x(i)))));
    auto const near = [&](double value) { return value * value / (1 + std::fabs(value)); };
    double const difference = (near(x(i) + step) - near(x(i) - step)) / (2 * step);
    CHECK(gradient(i) == doctest::Approx(difference));
  }
  CHECK(kernel_source(softsign(x)).find("softsign") != std::string::npos);
}

TEST_CASE("an added operation names the operands that do not fit it") {
  using Wrong = decltype(softsign(std::declval<Mask<"n"> const&>()));
  static_assert(IllFormed<Wrong>);
}

TEST_CASE("the tests of every operation hold for an added one") {
  every_op::unary_values<op::Softsign, float, Cpu>();
  every_op::unary_gradient<op::Softsign, every_op::Full, Cpu>();
  accuracy::Worst worst;
  accuracy::look<op::Softsign>(worst, accuracy::sample_of_floats(0));
  accuracy::look_in_every_lane<op::Softsign>(worst, accuracy::borders<float>());
  accuracy::expect_within_bounds<op::Softsign, float>(worst);
}

}  // namespace
