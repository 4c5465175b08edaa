// Examples of docs/functions/: random numbers.

#include <doctest/doctest.h>

#include <cmath>

#include <tenon/distributions.hpp>
#include <tenon/statistics.hpp>
#include <tenon/tenon.hpp>

namespace functions_random_test {

using namespace tenon;

TEST_CASE("keys") {
  Key const key{1};  // a seed
  CHECK(normal<Float32<"3">>(key)(0) == normal<Float32<"3">>(Key{1})(0));

  auto const [first, second] = split(Key{1});
  CHECK(normal<Float32<"3">>(first)(0) != normal<Float32<"3">>(second)(0));

  auto const at_step = fold_in(Key{1}, 7);
  CHECK(at_step.words() == fold_in(Key{1}, 7).words());
}

TEST_CASE("distributions with parameters that are tensors") {
  Float32<"n=2"> const loc{0, 1}, scale{1, 0.5};
  CHECK(to_string(distributions::Normal{loc, scale}.log_prob(loc)) == "[-0.9189385  -0.22579134]");
  CHECK(distributions::LogNormal{loc, 0.5}.mean()(0) == doctest::Approx(1.1331485));
  CHECK(to_string(distributions::Uniform{loc, loc + 2}.variance()) == "[0.33333334 0.33333334]");
  CHECK(to_string(distributions::Exponential{scale}.mean()) == "[1. 2.]");
  CHECK(to_string(distributions::Laplace{loc, scale}.variance()) == "[2.  0.5]");
  CHECK(isfinite(distributions::Cauchy{loc, scale}.sample(Key{1}))(0));
  CHECK(distributions::Gumbel{loc, scale}.entropy()(0) == doctest::Approx(1.5772157));
  CHECK(to_string(distributions::Bernoulli{scale}.sample(Key{1})) == "[1. 0.]");
  CHECK(to_string(distributions::Geometric{scale}.mean()) == "[0. 1.]");
  CHECK(to_string(distributions::Gamma{2.0, scale}.mean()) == "[2. 4.]");
  CHECK(distributions::Beta{scale, 2.0}.mean()(0) == doctest::Approx(1.0 / 3));
  CHECK(to_string(distributions::StudentT{6.0, loc, scale}.variance()) == "[1.5   0.375]");
  CHECK(distributions::Poisson{scale}.log_prob(loc)(0) == -1);
  CHECK(to_string(distributions::Binomial{10.0, scale}.variance()) == "[0.  2.5]");
  CHECK(to_string(distributions::Dirichlet{scale}.mean()) == "[0.6666667  0.33333334]");
  CHECK(distributions::Categorical{loc}.log_prob(Int32<"">(1)).item() ==
        doctest::Approx(-0.3132617));
  Float32<"class=3"> const p3{0.25, 0.5, 0.25};
  CHECK(distributions::Categorical{distributions::Probs{p3}}.log_prob(Int32<"">(1)).item() ==
        doctest::Approx(-0.693147));
  CHECK(distributions::Bernoulli{distributions::Logits{loc}}.mean()(0) == 0.5);
  CHECK(distributions::MultivariateNormal{loc, Float32<"n=2 n=2">{{1, 0}, {0, 1}}}
            .log_prob(loc)
            .item() == doctest::Approx(-1.837877));
  auto const p = distributions::Normal{loc, scale}, q = distributions::Normal{loc, scale};
  CHECK(to_string(distributions::kl_divergence(p, q)) == "[0. 0.]");
}

TEST_CASE("distributions") {
  auto const noise = normal<Float32<"n">>(Key{1}, 1000);
  CHECK(std::abs(mean(noise).item()) < 0.1);

  auto const u = uniform<Float32<"n">>(Key{1}, 1000);
  CHECK((min(u).item() >= 0 && max(u).item() < 1));

  auto const dice = uniform<Int32<"n">>(Key{1}, 1, 7, 1000);
  CHECK((min(dice).item() == 1 && max(dice).item() == 6));

  auto const coins = bernoulli<Mask<"n">>(Key{1}, 0.5, 1000);
  CHECK(std::abs(mean(coins).item() - 0.5) < 0.1);

  auto const chosen = categorical<"class">(Key{1}, Float32<"class=3">{0, -INFINITY, -INFINITY});
  CHECK(chosen.item() == 0);

  auto const order = permutation<Int32<"n">>(Key{1}, 4);
  CHECK(to_string(sort<"n">(order)) == "[0 1 2 3]");

  auto const bits = random_bits<UInt32<"n">>(Key{1}, 2);
  CHECK(bits(0) != bits(1));
}

TEST_CASE("draws of more distributions") {
  auto const waits = random::exponential<Float64<"n">>(Key{1}, 1000);
  CHECK(std::abs(mean(waits).item() - 1) < 0.1);

  CHECK(std::abs(median<"n">(random::laplace<Float64<"n">>(Key{1}, 1000)).item()) < 0.1);
  CHECK(std::abs(median<"n">(random::cauchy<Float64<"n">>(Key{1}, 1000)).item()) < 0.1);
  CHECK(std::abs(mean(random::gumbel<Float64<"n">>(Key{1}, 1000)).item() - 0.577) < 0.1);
  CHECK(min(random::lognormal<Float64<"n">>(Key{1}, 0.5, 1000)).item() > 0);

  auto const signs = random::rademacher<Int32<"n">>(Key{1}, 1000);
  CHECK(to_string(square(slice<"n", 0, 3>(signs))) == "[1 1 1]");

  auto const dice = random::randint<Int32<"n">>(Key{1}, 1, 7, 1000);  // 1 to 6
  CHECK(min(dice).item() == 1);
  CHECK(max(dice).item() == 6);

  auto const amounts = random::gamma<Float64<"n">>(Key{1}, 2.5, 1000);
  CHECK(std::abs(mean(amounts).item() - 2.5) < 0.2);

  auto const shares = random::beta<Float64<"n">>(Key{1}, 2, 3, 1000);
  CHECK(std::abs(mean(shares).item() - 0.4) < 0.05);

  CHECK(std::abs(mean(random::student_t<Float64<"n">>(Key{1}, 5, 1000)).item()) < 0.2);
  CHECK(max(random::truncated_normal<Float64<"n">>(Key{1}, -2, 2, 1000)).item() <= 2);

  auto const events = random::poisson<Int32<"n">>(Key{1}, 4.0, 1000);
  CHECK(std::abs(mean(to<double>(events)).item() - 4) < 0.3);

  auto const heads = random::binomial<Int32<"n">>(Key{1}, 10, 0.5, 1000);
  CHECK(max(heads).item() <= 10);

  Float64<"class=3"> const weights{1, 0, 3};
  auto const simplex = random::dirichlet<"class">(Key{1}, Float64<"class=3">{1, 2, 3});
  CHECK(sum(simplex).item() == doctest::Approx(1));

  auto const counts = random::multinomial<"class">(Key{1}, 8, weights);
  CHECK((sum(counts).item() == 8 && counts(1) == 0));

  auto const chosen = random::choice<Int32<"n">>(Key{1}, weights, 100);
  CHECK(to_string(take<"class">(weights, slice<"n", 0, 1>(chosen))) != "[0.]");
  auto const once = random::choice<Int32<"n">, random::Replacement::without>(Key{1}, 4, 4);
  CHECK(to_string(sort<"n">(once)) == "[0 1 2 3]");

  Float64<"d=2"> const center{1, -1};
  Float64<"d=2 d=2"> const covariance{{2, 0.5}, {0.5, 1}};
  auto const points =
      random::multivariate_normal<Float64<"n d=2">>(Key{1}, center, covariance, 1000);
  CHECK(std::abs(mean<"n">(points)(0) - 1) < 0.2);
}

}  // namespace functions_random_test
