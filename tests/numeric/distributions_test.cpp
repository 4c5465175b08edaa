// Distributions: densities, moments and entropies of PyTorch 2.15 in double; draws by their
// moments.

#include <doctest/doctest.h>

#include <cmath>

#include <tenon/distributions.hpp>

namespace distributions_test {

using namespace tenon;
using namespace tenon::distributions;

namespace {

using Three = Float64<"n=3">;

Three const loc{0.5, -1, 2}, scale{1.5, 0.25, 3}, x{0.7, -1.1, -2.5}, positive{0.7, 1.1, 2.5};
Three const probs{0.2, 0.5, 0.9};

void near(Three const& got, Three const& expected) {
  for (int i = 0; i < 3; ++i) CHECK(got(i) == doctest::Approx(expected(i)).epsilon(1e-12));
}

template <class D>
void check(D const& d, Three const& at, Three const& log_prob, Three const& entropy) {
  near(d.log_prob(at), log_prob);
  near(d.entropy(), entropy);
}

/// Draws have the mean of the distribution, and its variance, within five standard errors of the
/// first and a tenth of the second.
template <class D>
void check_draws(D const& d) {
  auto const draws = d.sample(Key(7));
  double const number = static_cast<double>(draws.size());
  double const expected = mean(d.mean()).item(), variance = mean(d.variance()).item();
  CHECK(std::fabs(mean(draws).item() - expected) <= 5 * std::sqrt(variance / number));
  CHECK(var(draws).item() == doctest::Approx(variance).epsilon(0.1));
  CHECK(all(isfinite(draws)).item());
}

}  // namespace

TEST_CASE("densities and entropies are those of PyTorch") {
  check(Normal{loc, scale}, x, {-1.33329253020173, 0.387355827915218, -3.14255082187278},
        {1.82440364131284, 0.0326441720847821, 2.51755082187278});
  check(LogNormal{loc, scale / 3}, positive,
        {-1.33690032785086, -84.9080581419958, -2.42244215398975},
        {1.22579135264473, -2.06596811658333, 3.41893853320467});
  check(Uniform{loc, loc + scale}, loc + 0.3 * scale,
        {-0.405465108108164, 1.38629436111989, -1.09861228866811},
        {0.405465108108164, -1.38629436111989, 1.09861228866811});
  check(Exponential{scale}, positive, {-0.644534891891835, -1.66129436111989, -6.40138771133189},
        {0.594534891891836, 2.38629436111989, -0.0986122886681098});
  check(Laplace{loc, scale}, x, {-1.23194562200144, 0.293147180559945, -3.29175946922805},
        {2.09861228866811, 0.306852819440055, 2.79175946922805});
  check(Cauchy{loc, scale}, x, {-1.56781659530738, 0.0931444701522169, -3.42199717085916},
        {2.93648935507746, 1.1447298858494, 3.6296365356374});
  check(Gumbel{loc, scale}, x, {-1.41397176048445, 0.29446966347862, -4.08030135900617},
        {1.9826807730097, 0.190921303781642, 2.67582795356964});
  check(Bernoulli{probs}, {1, 0, 1}, {-1.6094379124341, -0.693147180559945, -0.105360515657826},
        {0.500402423538188, 0.693147180559945, 0.325082973391448});
  check(Geometric{probs}, {0, 3, 1}, {-1.6094379124341, -2.77258872223978, -2.40794560865187},
        {2.50201211769094, 1.38629436111989, 0.361203303768276});
  CHECK(std::isinf(Three(Uniform{loc, loc + scale}.log_prob(loc - 1))(0)));
}

TEST_CASE("an infinite parameter does not reach what does not depend on it") {
  Three const wide{1.5, INFINITY, 3}, far{0.5, -1, -INFINITY};
  near(Normal{loc, wide}.mean(), loc);
  near(Laplace{loc, wide}.mean(), loc);
  near(Normal{far, scale}.variance(), {2.25, 0.0625, 9});
  near(Gumbel{far, scale}.entropy(), Gumbel{loc, scale}.entropy());
  CHECK(to_string(grad([&](Three const& at) {
          return sum(Normal{at, wide}.mean());
        })(loc)) == "[1. 1. 1.]");
  CHECK(std::isinf(Three(Exponential{scale}.log_prob(-1 * positive))(0)));
}

TEST_CASE("means and variances are those of PyTorch") {
  near(LogNormal{loc, scale / 3}.mean(), {1.86824595743222, 0.369159020548565, 12.1824939607035});
  near(LogNormal{loc, scale / 3}.variance(),
       {0.991346112876224, 0.000949671309230062, 255.015634390159});
  near(Gumbel{loc, scale}.mean(), {1.3658234973523, -0.855696083774617, 3.7316469947046});
  near(Gumbel{loc, scale}.variance(), {3.70110165040851, 0.102808379178014, 14.804406601634});
  near(Geometric{probs}.variance(), {20, 2, 0.123456790123457});
  near(Laplace{loc, scale}.variance(), {4.5, 0.125, 18});
  near(Uniform{loc, loc + scale}.variance(), {0.1875, 0.00520833333333333, 0.75});
}

TEST_CASE("divergences are those of PyTorch") {
  Three const other = loc + 0.3, wide = 1.2 * scale;
  near(kl_divergence(Normal{loc, scale}, Normal{other, wide}),
       {0.0434326679050657, 0.529543779016177, 0.033016001238399});
  near(kl_divergence(Exponential{scale}, Exponential{wide}),
       {0.0176784432060453, 0.0176784432060453, 0.0176784432060453});
  near(kl_divergence(Laplace{loc, scale}, Laplace{other, wide}),
       {0.031263851025606, 0.433316733387457, 0.0196860718239209});
  near(kl_divergence(Bernoulli{probs}, Bernoulli{Three{0.3, 0.4, 0.5}}),
       {0.0257320924779852, 0.0204109972601276, 0.368064207168497});
}

TEST_CASE("draws have the moments of their distribution") {
  auto const ones = full<Float64<"n">>(1.0, 20000);
  check_draws(Normal{-2 * ones, 0.5});
  check_draws(LogNormal{0.1 * ones, 0.5});
  check_draws(Uniform{-1.0, ones});
  check_draws(Exponential{3 * ones});
  check_draws(Laplace{ones, 2.0});
  check_draws(Gumbel{ones, 2.0});
  check_draws(Bernoulli{0.3 * ones});
  check_draws(Geometric{0.3 * ones});
  auto const draws = Cauchy{ones, 2.0}.sample(Key(7));
  CHECK(mean(draws < 1.0).item() == doctest::Approx(0.5).epsilon(0.03));
  CHECK(mean(abs(draws - 1) < 2).item() == doctest::Approx(0.5).epsilon(0.03));
}

TEST_CASE("the gradient of draws with respect to parameters flows") {
  auto const g = grad([](Three const& at) { return sum(Normal{at, 2.0}.sample(Key(1))); })(loc);
  CHECK(to_string(g) == "[1. 1. 1.]");
  auto const h = grad([](Three const& at) { return sum(Exponential{at}.sample(Key(1))); })(scale);
  Three const draws = Exponential{scale}.sample(Key(1));
  near(h, -draws / scale);
}

TEST_CASE("parameters may have run-time sizes and float elements") {
  Float32<"batch"> const rates = full<Float32<"batch">>(2.0f, 5);
  static_assert(shape_of<decltype(Exponential{rates}.sample(Key(1)))> == "batch");
  CHECK(Exponential{rates}.sample(Key(1)).size() == 5);
}

}  // namespace distributions_test
