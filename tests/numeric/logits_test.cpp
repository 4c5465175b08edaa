// Distributions of probabilities and of log-odds.

#include <doctest/doctest.h>

#include <cmath>

#include <tenon/distributions.hpp>
#include <tenon/testing.hpp>

namespace logits_test {

using namespace tenon;
using namespace tenon::distributions;

namespace {

using Three = Float64<"n=3">;

Three const probs{0.2, 0.5, 0.9};

void near(Three const& got, Three const& expected) {
  CHECK(allclose(got, expected, {.relative = 1e-12}));
}

/// Draws have the mean and the variance of the distribution.
template <class D>
void check_draws(D const& d) {
  auto const draws = d.sample(Key(7));
  double const expected = mean(d.mean()).item(), variance = mean(d.variance()).item();
  auto const number = static_cast<double>(draws.size());
  CHECK(std::fabs(mean(draws).item() - expected) <= 5 * std::sqrt(variance / number));
  CHECK(var(draws).item() == doctest::Approx(variance).epsilon(0.1));
}

}  // namespace

TEST_CASE("a categorical distribution of probabilities is that of their logarithms") {
  Float64<"row=2 k=3"> const p{{1, 3, 0}, {2, 5, 3}};
  Int32<"row=2"> const labels{1, 2};
  auto const of_probs = Categorical{Probs{p}};
  auto const of_logits = Categorical{eval(log(p))};
  CHECK(allclose(of_probs.probs(), Float64<"row=2 k=3">{{0.25, 0.75, 0}, {0.2, 0.5, 0.3}}));
  CHECK(allclose(of_probs.log_prob(labels), of_logits.log_prob(labels)));
  CHECK(allclose(of_probs.entropy(), of_logits.entropy()));
  CHECK(std::isinf(eval(of_probs.log_prob(Int32<"row=2">{2, 0}))(0)));
  CHECK(all(of_probs.sample(Key(3)) == of_logits.sample(Key(3))).item());
  Float64<"row=2 k=3"> const q{{1, 2, 1}, {1, 1, 2}};
  CHECK(
      allclose(kl_divergence(of_probs, Categorical{q}), kl_divergence(of_logits, Categorical{q})));
  CHECK(std::isinf(kl_divergence(Categorical{q}, of_probs)(0)));
  auto const loss = [&](auto const& at) {
    auto const d = Categorical{Probs{at}};
    return sum(d.log_prob(labels) + d.entropy() + kl_divergence(d, Categorical{q}));
  };
  CHECK(all(isfinite(grad(loss)(p))).item());
  CHECK_GRADIENT(loss, q);
  Float64<"k=2"> const negative{-1, 2};
  CHECK_THROWS_AS(Categorical{Probs{negative}}.sample(Key(1)), ValueError);
}

TEST_CASE("distributions of log-odds are those of the probabilities") {
  Three const odds = log(probs / (1 - probs)), ones{1, 1, 1}, zeros{0, 0, 0}, other{0.3, -1, 2};
  auto const same = [](auto const& got, auto const& expected, Three const& at) {
    near(got.log_prob(at), expected.log_prob(at));
    near(got.mean(), expected.mean());
    near(got.variance(), expected.variance());
    near(got.entropy(), expected.entropy());
  };
  same(Bernoulli{Logits{odds}}, Bernoulli{probs}, ones);
  same(Bernoulli{Logits{odds}}, Bernoulli{probs}, zeros);
  same(Geometric{Logits{odds}}, Geometric{probs}, Three{0, 3, 1});
  Three const q = sigmoid(other);
  near(kl_divergence(Bernoulli{Logits{odds}}, Bernoulli{Logits{other}}),
       kl_divergence(Bernoulli{probs}, Bernoulli{q}));
  near(kl_divergence(Geometric{Logits{odds}}, Geometric{Logits{other}}),
       kl_divergence(Geometric{probs}, Geometric{q}));
  Three const large{60, -60, 800};
  near(Bernoulli{Logits{large}}.log_prob(Three{0, 1, 0}), {-60, -60, -800});
  auto const loss = [&](Three const& at) {
    return sum(Bernoulli{Logits{at}}.log_prob(ones) + Geometric{Logits{at}}.entropy());
  };
  CHECK_GRADIENT(loss, odds);
}

TEST_CASE("draws of log-odds have the moments of their distribution") {
  auto const odds = full<Float64<"n">>(-0.8, 20000);
  check_draws(Bernoulli{Logits{odds}});
  check_draws(Geometric{Logits{odds}});
}

}  // namespace logits_test
