// minimize against SciPy, by tests/optim/golden/make_minimize.py.

#include <doctest/doctest.h>

#include <cmath>
#include <concepts>
#include <map>
#include <string>
#include <vector>

#include <tenon/linalg.hpp>
#include <tenon/optim.hpp>
#include <tenon/optim/newton_cg.hpp>
#include <tenon/tenon.hpp>

namespace minimize_test {

using namespace tenon;

namespace {

std::map<std::string, std::vector<double>> const golden{
#include "golden/minimize.inc"
};

using Vector = Float64<"n">;

Float64<""> rosenbrock(Vector const& x) {
  auto const after = slice<"n", 1, to_end>(x), before = slice<"n", 0, -1>(x);
  auto const low = reshape<"m">(eval(before)), high = reshape<"m">(eval(after));
  return 100 * sum(square(high - square(low))) + sum(square(1 - low));
}

Float64<"n=3 n=3"> const matrix{{4, 1, 0}, {1, 3, -1}, {0, -1, 2}};
Float64<"n=3"> const vector{1, 2, 3};
Float64<""> quadratic(Vector const& x) { return dot(x, matmul(matrix, x)) / 2 - dot(vector, x); }

/// Infinite or NaN where an element is not positive.
Float64<""> logarithm(Vector const& x) { return sum(x - vector * log(x)); }

struct Logistic {
  Float64<"n=3"> weight;
  Float64<""> bias;
};
Float64<"row=5 n=3"> const rows{
    {0.5, 1, -1}, {1.5, -0.5, 2}, {-1, 0.25, 0.5}, {2, 1, 1}, {-0.5, -2, 1}};
Float64<"row=5"> const labels{1, 0, 1, 0, 1};
Float64<""> logistic(Logistic const& m) {
  auto const score = eval(matmul(rows, m.weight) + m.bias);
  return sum(softplus(score) - labels * score) + 0.5 * sum(square(m.weight));
}

// What is not a scalar function of a tree of parameters is refused.
struct Squares {
  auto operator()(Vector const& x) const { return square(x); }
};
static_assert(std::same_as<decltype(minimize(Squares{}, Vector{})),
                           compile_error::is_not_a_scalar<"minimize", "n">>);
static_assert(std::same_as<decltype(minimize(Squares{}, Int32<"n">{})),
                           compile_error::function_does_not_take<"minimize", Int32<"n">>>);

MinimizeOptions const exact{.gtol = 1e-8, .ftol = 0};

void agrees(std::string const& name, double value, std::vector<double> const& x) {
  CAPTURE(name);
  auto const& expected = golden.at(name);
  CHECK(std::abs(value - expected[0]) <= 1e-10 * (1 + std::abs(expected[0])));
  REQUIRE(x.size() + 1 == expected.size());
  for (std::size_t i = 0; i < x.size(); ++i) CHECK(std::abs(x[i] - expected[i + 1]) <= 1e-7);
}

using Function = Float64<""> (*)(Vector const&);

template <class Options>
MinimizeResult<Vector> check(std::string const& name, Function f, Vector const& start,
                             Options const& options) {
  auto const found = minimize(f, start, options);
  CHECK(found.converged);
  CHECK(found.gradient_norm <= 1e-8);
  CHECK(found.evaluations >= found.iterations);
  agrees(name, found.value, {found.x.data(), found.x.data() + found.x.size()});
  return found;
}

}  // namespace

TEST_CASE("minimize finds SciPy's minima") {
  auto const found = check("Rosenbrock", rosenbrock, {1.3, 0.7, 0.8, 1.9}, exact);
  CHECK(found.message == "the gradient is at most gtol");
  CHECK(found.iterations < 100);
  check("quadratic", quadratic, {0, 0, 0}, exact);
  check("logarithm", logarithm, {0.01, 9, 1}, exact);
  auto const model = minimize(logistic, Logistic{}, exact);
  CHECK(model.converged);
  auto const& w = model.x.weight;
  agrees("logistic", model.value, {w(0), w(1), w(2), model.x.bias.item()});
}

TEST_CASE("minimize by Newton's method finds them in fewer iterations") {
  NewtonCG const newton{.gtol = 1e-8, .ftol = 0};
  CHECK(check("Rosenbrock", rosenbrock, {1.3, 0.7, 0.8, 1.9}, newton).iterations < 30);
  CHECK(check("quadratic", quadratic, {0, 0, 0}, newton).iterations <= 8);
  CHECK(check("logarithm", logarithm, {0.01, 9, 1}, newton).iterations < 30);
  auto const two = minimize(rosenbrock, Vector{1.3, 0.7}, NewtonCG{.max_iter = 2});
  CHECK(two.message == "max_iter iterations were made");
  auto const stuck = minimize(logarithm, Vector{1, 2, 3}, NewtonCG{.gtol = -1, .ftol = -1});
  CHECK(stuck.message == "there is no lower value along the gradient");
  // From a place of negative curvature it goes down.
  Function const hill = [](Vector const& x) -> Float64<""> { return -sum(cos(x)); };
  CHECK(minimize(hill, Vector{3, -2}, newton).value == doctest::Approx(-2));
}

TEST_CASE("minimize ends at the minimum, by ftol, and by its limits") {
  Vector const start{1.3, 0.7, 0.8, 1.9};
  auto const at_minimum = minimize(rosenbrock, Vector{1, 1, 1, 1});
  CHECK(at_minimum.iterations == 0);
  CHECK(at_minimum.evaluations == 1);
  CHECK(at_minimum.converged);
  auto const by_value = minimize(rosenbrock, start, {.gtol = 0, .ftol = 1e-3});
  CHECK(by_value.message == "the value decreases by at most ftol");
  CHECK(by_value.converged);
  auto const two = minimize(rosenbrock, start, {.max_iter = 2});
  CHECK(two.iterations == 2);
  CHECK(two.message == "max_iter iterations were made");
  CHECK(!two.converged);
  CHECK(two.value < rosenbrock(start).item());
  CHECK(two.value == rosenbrock(two.x).item());
  auto const one = minimize(rosenbrock, start, {.max_eval = 1});
  CHECK(one.message == "max_eval evaluations were made");
  auto const impossible = minimize(logarithm, Vector{1, 2, 3}, {.gtol = -1, .ftol = -1});
  CHECK(impossible.message == "there is no lower value along the gradient");
  CHECK(!impossible.converged);
  auto const nothing = [](Vector const& x) -> Float64<""> { return sum(square(x)); };
  CHECK(minimize(nothing, Vector{}).converged);
  CHECK(minimize(nothing, Vector{3, 4}, {.history_size = 0}).value < 1e-9);
}

TEST_CASE(
    "minimize refuses a start where the function is not finite, and is no part of a gradient") {
  CHECK_THROWS_WITH_AS(minimize(logarithm, Vector{0, 1, 1}),
                       "tenon::minimize: 'x0': expected a finite value there, got inf", ValueError);
  CHECK_THROWS_WITH_AS(minimize(quadratic, Vector{std::nan(""), 1, 1}),
                       "tenon::minimize: 'x0': expected a finite value there, got nan", ValueError);
  auto const root = [](Vector const& x) -> Float64<""> { return sum(sqrt(x)); };
  CHECK_THROWS_WITH_AS(
      minimize(root, Vector{0, 1, 1}),
      "tenon::minimize: 'x0': expected a finite gradient there, got one that is not", ValueError);
  auto const outer = [](Vector const& x) -> Float64<""> {
    return sum(minimize(quadratic, x).x * x);
  };
  Vector const g = grad(outer)(Vector{0, 0, 0});
  CHECK(g(2) == doctest::Approx(golden.at("quadratic")[3]).epsilon(1e-4));
}

}  // namespace minimize_test
