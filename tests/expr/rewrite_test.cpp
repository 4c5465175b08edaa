// Formulas that are replaced when they are composed: types, values at the extremes, gradients.

#include <doctest/doctest.h>

#include <cmath>
#include <concepts>
#include <limits>

#include <tenon/tenon.hpp>

#include <tenon/eval/print_graph.hpp>
#include <tenon/testing/gradient.hpp>

namespace rewrite_test {

using namespace tenon;
namespace op = tenon::op;
using internal::ConstantNode;
using internal::Elementwise;
using internal::graph_text;
using testing::check_gradient;

namespace {

using Row = Float32<"class=2">;
using Batch = Float64<"batch class=5">;
using Integers = Int32<"n">;
using Small = Int8<"3">;

// What has a rule.
static_assert(std::same_as<decltype(log(softmax<"class">(Batch()))),
                           decltype(log_softmax<"class">(Batch()))>);
static_assert(std::same_as<decltype(log(softmax<"class">(BFloat16<"batch class">()))),
                           decltype(log_softmax<"class">(BFloat16<"batch class">()))>);
static_assert(std::same_as<decltype(log(sigmoid(Row()))), decltype(-softplus(-Row()))>);
static_assert(std::same_as<decltype(log(1 + Row())), decltype(log(Row() + 1))>);
static_assert(
    std::same_as<decltype(log(1 + Row())), Elementwise<op::LogOfSum, ConstantNode<float>, Row>>);
static_assert(
    std::same_as<decltype(exp(Row()) - 1), Elementwise<op::ExpMinus, Row, ConstantNode<float>>>);
static_assert(std::same_as<decltype(2 * (3 * Integers())), decltype(6 * Integers())>);
static_assert(std::same_as<decltype(2 * (Integers() * 3)), decltype(Integers() * 6)>);
static_assert(std::same_as<decltype(Integers() * 2 * 3 * 4), decltype(Integers() * 24)>);
static_assert(std::same_as<decltype((2 * Integers()) * 3), decltype(6 * Integers())>);

// What has none.
template <class Op, class... E>
using Plain = Elementwise<Op, E...>;
using Number = ConstantNode<float>;
static_assert(std::same_as<decltype(log(Row())), Plain<op::Log, Row>>);
static_assert(std::same_as<decltype(Row() - 1), Plain<op::Sub, Row, Number>>);
static_assert(std::same_as<decltype(1 - exp(Row())), Plain<op::Sub, Number, Plain<op::Exp, Row>>>);
static_assert(std::same_as<decltype(exp(Row()) - Row()), Plain<op::Sub, Plain<op::Exp, Row>, Row>>);
static_assert(std::same_as<decltype(log(Row() + Row())), Plain<op::Log, Plain<op::Add, Row, Row>>>);
static_assert(std::same_as<decltype(log(1 - Row())), Plain<op::Log, Plain<op::Sub, Number, Row>>>);
static_assert(std::same_as<decltype(2 * Row()), Plain<op::Mul, Number, Row>>);
static_assert(
    std::same_as<decltype(2 * (3 * Row())), Plain<op::Mul, Number, Plain<op::Mul, Number, Row>>>);
static_assert(
    std::same_as<decltype(Integers() * (2 * Integers())),
                 Plain<op::Mul, Integers, Plain<op::Mul, ConstantNode<std::int32_t>, Integers>>>);

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("log(softmax(x)) is log_softmax(x) where softmax is zero") {
  Row const x{0, -200};
  Row const y = log(softmax<"class">(x));
  CHECK(y(0) == 0);
  CHECK(y(1) == -200);
  auto const named = softmax<"class">(x);
  CHECK(eval(log(named))(1) == -200);
  CHECK(eval(log(eval(named)))(1) == -infinity);  // a tensor: its values count
}

TEST_CASE("the logarithm of another quotient by a sum takes each from its own operand") {
  Float64<"batch=2 class=2"> const a{{1, 2}, {3, 4}}, b{{0, 1}, {-1, 5}};
  auto const y = eval(log(exp(a) / sum<"class">(exp(b), keep)));
  for (int i : {0, 1}) {
    for (int j : {0, 1}) {
      double const total = std::exp(b(i, 0)) + std::exp(b(i, 1));
      CHECK(y(i, j) == doctest::Approx(a(i, j) - std::log(total)));
    }
  }
}

TEST_CASE("log(sigmoid(x)) has no underflow") {
  Float32<"n"> const x{-200, -1, 0, 1, 30, 80};
  Float32<"n"> const y = log(sigmoid(x));
  for (int i = 0; i < 6; ++i) {
    double const at = x(i), expected = -(std::fmax(-at, 0) + std::log1p(std::exp(-std::fabs(at))));
    CHECK(std::fabs(y(i) - expected) <= 4 * 1.2e-7 * std::fabs(expected));
  }
  CHECK(y(0) == -200);
  CHECK(y(4) < 0);
}

TEST_CASE("log(1 + x) is log1p(x), with another number the logarithm of the sum") {
  Float32<"n"> const x{1e-10f, -1e-10f, 0.0f, -0.0f, 3, -1, -2};
  for (auto const& y : {eval(log(1 + x)), eval(log(x + 1)), eval(log(x + 1.0))}) {
    CHECK(y(0) == static_cast<float>(std::log1p(double(x(0)))));
    for (int i = 0; i < 6; ++i) CHECK(y(i) == log1p(x)(i));
    CHECK(std::signbit(y(3)));
    CHECK(std::isnan(y(6)));
  }
  float const epsilon = 1e-8f;
  Float32<"n"> const z{0.3f, 1e-9f, 0, 1e20f, -1, 7};
  Float32<"n"> const sum = z + epsilon, plain = log(sum), composed = log(z + epsilon);
  for (int i : {0, 1, 2, 3, 5}) CHECK(composed(i) == plain(i));
  CHECK(std::isnan(composed(4)));
}

TEST_CASE("exp(x) - 1 is expm1(x), with another number the difference") {
  Float32<"n"> const x{1e-10f, -1e-10f, -0.0f, 1, -50, 100};
  Float32<"n"> const y = exp(x) - 1, shifted = exp(x) - 2.5f, power = exp(x);
  CHECK(y(0) == static_cast<float>(std::expm1(double(x(0)))));
  CHECK(y(5) == std::numeric_limits<float>::infinity());
  for (int i = 0; i < 6; ++i) {
    CHECK(y(i) == expm1(x)(i));
    CHECK(shifted(i) == power(i) - 2.5f);
  }
  CHECK(std::signbit(y(2)));
}

TEST_CASE("numbers that multiply integers are one number, which wraps around") {
  Integers const x{1, -2, 3};
  Integers const y = 2 * (3 * x), z = x * 2 * 3, large = 65536 * (65537 * x);
  for (int i = 0; i < 3; ++i) {
    CHECK(y(i) == 6 * x(i));
    CHECK(z(i) == 6 * x(i));
    CHECK(large(i) == 65536 * x(i));
  }
  Small const narrow{1, 2, 3}, wrapped = 100 * (narrow * 3);
  CHECK(wrapped(0) == 44);
  static_assert((2 * (3 * Small{1, 2, 3}))(2) == 18);
}

TEST_CASE("numbers that multiply floating values stay: each product is rounded") {
  Float32<"n"> const x{0.1f, 1e30f};
  Float32<"n"> const y = 0.1f * (0.1f * x), z = 1e-30f * (1e-30f * x);
  CHECK(y(0) == 0.1f * (0.1f * x(0)));
  CHECK(z(1) == 1e-30f * (1e-30f * x(1)));
  CHECK(z(1) > 0);
  Float32<"2"> const edge{std::numeric_limits<float>::infinity(), -1};
  CHECK(std::isnan(eval(0 * edge)(0)));
  CHECK(std::signbit(eval(0 * edge)(1)));
}

TEST_CASE("the gradients of the replaced forms are finite at the extremes") {
  Row const x{0, -200};
  auto const of_softmax = grad([](Row const& r) { return sum(log(softmax<"class">(r))); })(x);
  CHECK(of_softmax(0) == -1);
  CHECK(of_softmax(1) == 1);
  auto const of_sigmoid = grad([](Row const& r) { return sum(log(sigmoid(r))); })(x);
  CHECK(of_sigmoid(0) == 0.5f);
  CHECK(of_sigmoid(1) == 1);
  auto const of_exp = grad([](Row const& r) { return sum(exp(r) - 1); })(Row{-20, -80});
  CHECK(of_exp(0) == doctest::Approx(std::exp(-20.0)));
  CHECK(of_exp(1) == doctest::Approx(std::exp(-80.0)).epsilon(1e-5).scale(0));
}

TEST_CASE("gradients of the replaced forms are those of finite differences") {
  Float64<"batch=2 class=3"> const x{{0.5, -1, 2}, {0.1, 0.2, 3}};
  Float64<"batch=2 class=3"> const weights{{1, 2, -1}, {0.5, 3, 1}};
  auto const check = [&](auto f) {
    CHECK(check_gradient([&](auto const& at) { return sum(f(at) * weights); }, x));
  };
  check([](auto const& at) { return log(softmax<"class">(at)); });
  check([](auto const& at) { return log(sigmoid(at)); });
  check([](auto const& at) { return log(1 + at * at); });
  check([](auto const& at) { return log(at * at + 0.25); });
  check([](auto const& at) { return exp(at) - 1; });
  check([](auto const& at) { return exp(at) - 0.5; });
}

TEST_CASE("the printed graph shows what replaces a formula") {
  CHECK(graph_text(log(softmax<"class">(Batch()))) == graph_text(log_softmax<"class">(Batch())));
  CHECK(graph_text(log(sigmoid(Row()))).find("softplus") != std::string::npos);
  CHECK(graph_text(log(1 + Row())).find("log_of_sum") != std::string::npos);
  CHECK(graph_text(exp(Row()) - 1).find("exp_minus") != std::string::npos);
  CHECK(graph_text(2 * (3 * Integers())) == graph_text(6 * Integers()));
}

}  // namespace rewrite_test
