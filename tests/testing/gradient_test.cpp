#include <doctest/doctest.h>
#include <tenon/tenon.hpp>

#include <limits>

#include <tenon/testing.hpp>

namespace gradient_test {

using namespace tenon;
using testing::check_gradient;

struct Model {
  Float64<"in=2 out=3"> weight{{1, 2, 3}, {4, 5, 6}};
  Float64<"out=3"> bias{1, 2, 3};
};

using Vector = Float64<"n=2">;

/// x * x with a wrong derivative: 3 x.
auto const wrong_square =
    custom_vjp([](Vector const& x) { return x * x; },
               [](auto const& dy, auto const&, auto const& x) { return 3.0 * x * dy; });

TEST_CASE("gradients of tensors and structs agree with central differences") {
  CHECK_GRADIENT([](auto const& x) { return sum(sin(x)); }, Float64<"n=3">{1, -2, 1e3});
  CHECK_GRADIENT([](auto const& x) { return sum(exp(x)); }, Float32<"n=3">{1, -2, 0});
  CHECK_GRADIENT([](Model const& m) { return sum(tanh(m.weight * m.bias)); }, Model{}, 1e-7);
}

TEST_CASE("a wrong derivative is reported with its position") {
  auto const result =
      check_gradient([](Vector const& x) { return sum(wrong_square(x)); }, Vector{1, 2}, 1e-3);
  CHECK(!result);
  CHECK(result.text.find("expected 4") == 0);
  CHECK(result.text.find(", got 6 at n=1: ") != std::string::npos);
  CHECK(result.text.find("(2 of 2 elements differ)") != std::string::npos);
}

TEST_CASE("at a kink the gradient and the differences disagree") {
  CHECK(!check_gradient([](auto const& x) { return sum(relu(x)); }, Float64<"n=1">{0}));
}

TEST_CASE("NaN and infinities are reported") {
  Float32<"row=2 column=2"> x{{1, 2}, {3, 4}};
  CHECK_FINITE(x);
  CHECK_FINITE(Model{});
  CHECK_FINITE(Int32<"n=1">{1});
  CHECK_FINITE(1.0);
  CHECK(testing::check_finite(log(x - 3.0f)).text ==
        "expected finite numbers, got nan at row=0 column=0 (3 of 4 are not finite)");
  Model model;
  model.bias(2) = std::numeric_limits<double>::infinity();
  CHECK(testing::check_finite(model).text ==
        "expected finite numbers, got inf at bias, out=2 (1 of 9 are not finite)");
}

}  // namespace gradient_test
