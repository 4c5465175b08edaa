// Examples of docs/functions.md: random numbers.

#include <doctest/doctest.h>

#include <cmath>

#include <tenon/distributions.hpp>
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

}  // namespace functions_random_test
