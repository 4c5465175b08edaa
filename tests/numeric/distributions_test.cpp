// Distributions: densities, moments and entropies of PyTorch 2.15 in double, and of SciPy, see
// golden/make_distributions.py; draws by their moments.

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <map>
#include <string>

#include <tenon/distributions.hpp>
#include <tenon/testing.hpp>

#include "../nn/cases.hpp"

namespace distributions_test {

using namespace tenon;
using namespace tenon::distributions;

namespace {

using Three = Float64<"n=3">;
using Line = Float64<"n">;

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

/// The parameters and the value of a density.
struct Arguments {
  Line a, b, c, x;
};

void near(Line const& got, cases::Case const& golden, std::string const& key, double tolerance) {
  auto const expected = golden.tensor<Line>(key);
  CAPTURE(key);
  CHECK(max(abs(got - expected) / (1 + abs(expected))).item() < tolerance);
}

/// Compares log_prob, entropy and moments, where the distribution has them, with a golden case, and
/// the gradients of log_prob and entropy with central differences.
template <class Make>
void check_golden(cases::Case const& golden, Make const& make) {
  auto const array = [&](std::string const& key) {
    return golden.arrays.contains(key) ? golden.tensor<Line>(key) : zeros<Line>(3);
  };
  Arguments const at{array("a"), array("b"), array("c"), array("x")};
  auto const p = make(at);
  constexpr bool has_entropy = requires { p.entropy(); };
  near(p.log_prob(at.x), golden, "log_prob", 1e-13);
  if constexpr (has_entropy) near(p.entropy(), golden, "entropy", 1e-13);
  if constexpr (requires { p.mean(); }) {
    near(p.mean(), golden, "mean", 1e-14);
    near(p.variance(), golden, "variance", 1e-14);
  }
  auto const loss = [&](Arguments const& to) {
    if constexpr (has_entropy) return sum(make(to).log_prob(to.x) + make(to).entropy());
    else return sum(make(to).log_prob(to.x));
  };
  CHECK_GRADIENT(loss, at);
}

/// The divergence of a golden case.
template <class Make>
void check_divergence(cases::Case const& golden, Make const& make) {
  auto const array = [&](std::string const& key) {
    return golden.arrays.contains(key) ? golden.tensor<Line>(key) : zeros<Line>(3);
  };
  auto const p = make({array("a"), array("b"), {}, {}}),
             q = make({array("q_a"), array("q_b"), {}, {}});
  near(kl_divergence(p, q), golden, "kl", 1e-9);
}

using Check = std::function<void(cases::Case const&)>;

template <bool has_divergence, class Make>
Check checked(Make make) {
  return [make](cases::Case const& golden) {
    check_golden(golden, make);
    if constexpr (has_divergence) check_divergence(golden, make);
  };
}
/// The others are compared with PyTorch below.
template <class Make>
Check divergence(Make make) {
  return [make](cases::Case const& golden) { check_divergence(golden, make); };
}

std::map<std::string, Check> const families{
    {"gamma", checked<true>([](Arguments const& at) {
       return Gamma{at.a, at.b};
     })},
    {"beta", checked<true>([](Arguments const& at) {
       return Beta{at.a, at.b};
     })},
    {"student_t", checked<false>([](Arguments const& at) {
       return StudentT{at.a, at.b, at.c};
     })},
    {"poisson", checked<true>([](Arguments const& at) { return Poisson{at.a}; })},
    {"binomial", checked<true>([](Arguments const& at) {
       return Binomial{at.a, at.b};
     })},
    {"gumbel", divergence([](Arguments const& at) {
       return Gumbel{at.a, at.b};
     })},
    {"lognormal", divergence([](Arguments const& at) {
       return LogNormal{at.a, at.b};
     })},
    {"cauchy", divergence([](Arguments const& at) {
       return Cauchy{at.a, at.b};
     })},
    {"geometric", divergence([](Arguments const& at) { return Geometric{at.a}; })},
};

void check_dirichlet(cases::Case const& golden) {
  using Rows = Float64<"row=2 k=3">;
  auto const a = golden.tensor<Rows>("a"), points = golden.tensor<Rows>("x");
  auto const p = Dirichlet{a};
  auto const log_prob = golden.tensor<Float64<"row=2">>("log_prob");
  CHECK(max(abs(p.log_prob(points) - log_prob)).item() < 1e-13);
  CHECK(max(abs(p.entropy() - golden.tensor<Float64<"row=2">>("entropy"))).item() < 1e-13);
  CHECK(max(abs(p.variance() - golden.tensor<Rows>("variance"))).item() < 1e-14);
  CHECK(max(abs(sum<"k">(p.mean()) - 1)).item() < 1e-14);
  // Of two concentrations it is the beta distribution.
  Float64<"k=2"> const two{0.4, 2.5}, other{1.5, 2};
  Float64<"1"> const a1{0.4}, b1{2.5}, c1{1.5}, d1{2};
  auto const expected = eval(kl_divergence(Beta{a1, b1}, Beta{c1, d1}));
  CHECK(kl_divergence(Dirichlet{two}, Dirichlet{other}).item() == doctest::Approx(expected(0)));
  auto const loss = [&](Rows const& at) {
    return eval(sum(Dirichlet{at}.log_prob(points) + Dirichlet{at}.entropy()));
  };
  CHECK_GRADIENT(loss, a);
}

void check_multivariate_normal(cases::Case const& golden) {
  auto const center = golden.tensor<Three>("a");
  auto const covariance = golden.tensor<Float64<"n=3 n=3">>("b");
  auto const points = golden.tensor<Float64<"row=2 n=3">>("x");
  auto const p = MultivariateNormal{center, covariance};
  auto const log_prob = golden.tensor<Float64<"row=2">>("log_prob");
  CHECK(max(abs(p.log_prob(points) - log_prob)).item() < 1e-13);
  Three const first = points[0];
  CHECK(p.log_prob(first).item() == doctest::Approx(log_prob(0)).epsilon(1e-13));
  CHECK(p.entropy().item() ==
        doctest::Approx(golden.tensor<Float64<"">>("entropy").item()).epsilon(1e-13));
  CHECK(p.variance()(1) == 0.5);
  // Of a diagonal covariance it is the sum of the divergences of each.
  auto const diagonal_of = [](Three const& d) { return eval(diag(square(d))); };
  Three const wide = 1.2 * scale;
  auto const expected = sum(kl_divergence(Normal{center, scale}, Normal{points[0], wide})).item();
  auto const found = kl_divergence(MultivariateNormal{center, diagonal_of(scale)},
                                   MultivariateNormal{first, diagonal_of(wide)});
  CHECK(found.item() == doctest::Approx(expected).epsilon(1e-12));
  auto const loss = [&](Three const& at) {
    return sum(MultivariateNormal{at, covariance}.log_prob(points));
  };
  CHECK_GRADIENT(loss, center);
}

}  // namespace

TEST_CASE("distributions, divergences and gradients are those of SciPy") {
  for (auto const& golden : cases::read("../../numeric/golden/distributions.txt")) {
    INFO(golden.name);
    if (golden.name == "dirichlet") check_dirichlet(golden);
    else if (golden.name == "multivariate_normal") check_multivariate_normal(golden);
    else families.at(golden.name)(golden);
  }
}

TEST_CASE("densities at and outside the ends of their range") {
  Three const ends{-1, 0, 1};
  double const infinite = std::numeric_limits<double>::infinity();
  CHECK(to_string(Gamma{Three{1, 1, 1}, 2.0}.log_prob(Three{-1, 0, 0})) ==
        to_string(Three{-infinite, std::log(2), std::log(2)}));
  CHECK(to_string(Gamma{Three{2, 0.5, 3}, 2.0}.log_prob(Three{0, 0, -1})) ==
        to_string(Three{-infinite, infinite, -infinite}));
  CHECK(to_string(Beta{Three{1, 1, 1}, 1.0}.log_prob(ends)) == to_string(Three{-infinite, 0, 0}));
  CHECK(to_string(Poisson{Three{2, 0, 0}}.log_prob(ends)) ==
        to_string(Three{-infinite, 0, -infinite}));
  CHECK(to_string(Binomial{2.0, Three{0.5, 0, 1}}.log_prob(Three{3, 0, 2})) ==
        to_string(Three{-infinite, 0, 0}));
  CHECK(to_string(LogNormal{loc, 1.0}.log_prob(Three{-1, 0, -infinite})) ==
        to_string(Three{-infinite, -infinite, -infinite}));
  CHECK(to_string(StudentT{Three{0.5, 2, 3}, 0.0, 1.0}.variance()) ==
        to_string(Three{std::nan(""), infinite, 3}));
  CHECK(std::isinf(kl_divergence(Uniform{loc, loc + 2}, Uniform{loc, loc + 1})(0)));
  CHECK(kl_divergence(Uniform{loc, loc + 1}, Uniform{loc, loc + 2})(0) ==
        doctest::Approx(std::log(2)));
}

TEST_CASE("classes of probability zero count nothing") {
  double const infinite = std::numeric_limits<double>::infinity();
  Float64<"row=2 k=3"> const logits{{0, std::log(3.0), -infinite}, {1, 1, 1}};
  auto const p = Categorical{logits};
  auto const log_prob = eval(p.log_prob(Int32<"row=2">{1, 2}));
  CHECK(log_prob(0) == doctest::Approx(std::log(0.75)));
  CHECK(log_prob(1) == doctest::Approx(-std::log(3)));
  CHECK(p.entropy()(0) == doctest::Approx(0.56233514461880829));
  CHECK(p.entropy()(1) == doctest::Approx(std::log(3)));
  auto const kl = kl_divergence(p, Categorical{Float64<"row=2 k=3">{{0, 0, 0}, {0, 0, -infinite}}});
  CHECK(kl(0) == doctest::Approx(std::log(3) - 0.56233514461880829));
  CHECK(std::isinf(kl(1)));
  CHECK(all(isfinite(grad([](auto const& at) { return sum(Categorical{at}.entropy()); })(
                eval(where(isinf(logits), -700, logits)))))
            .item());
  CHECK(p.sample(Key(1))(0) != 2);
}

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

TEST_CASE("distributions of log-odds are finite where a probability rounds to 0, and mix") {
  Float32<"n=2"> const rare{-110.0f, -200.0f};
  Float32<"n=2"> const entropy = Geometric{Logits{rare}}.entropy();
  CHECK(entropy(0) == doctest::Approx(111));
  CHECK(entropy(1) == doctest::Approx(201));
  Three const odds = log(probs / (1 - probs)), other = 0.5 * probs + 0.1;
  auto const same = [](auto const& a, auto const& b) { CHECK(allclose(Three(a), Three(b))); };
  same(kl_divergence(Geometric{Logits{odds}}, Geometric{other}),
       kl_divergence(Geometric{probs}, Geometric{other}));
  same(kl_divergence(Geometric{other}, Geometric{Logits{odds}}),
       kl_divergence(Geometric{other}, Geometric{probs}));
  same(kl_divergence(Bernoulli{Logits{odds}}, Bernoulli{other}),
       kl_divergence(Bernoulli{probs}, Bernoulli{other}));
  same(kl_divergence(Bernoulli{other}, Bernoulli{Logits{odds}}),
       kl_divergence(Bernoulli{other}, Bernoulli{probs}));
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
  check_draws(Gamma{0.3 * ones, 2.0});
  check_draws(Beta{2.0, 0.5 * ones});
  check_draws(StudentT{6.0, ones, 2.0});
  check_draws(Poisson{12 * ones});
  check_draws(Binomial{20.0, 0.7 * ones});
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

TEST_CASE(
    "draws by rejection have a gradient with respect to scales, none with respect to shapes") {
  auto const draw = [](Arguments const& at) { return Gamma{at.a, at.b}.sample(Key(1)); };
  Arguments const at{positive, scale, scale, scale};
  Arguments const g = grad([&](Arguments const& to) { return sum(draw(to)); })(at);
  near(g.b, eval(-draw(at) / scale));
  CHECK(to_string(g.a) == "[0. 0. 0.]");
  auto const outside = Poisson{Three{-1, 2, std::nan("")}}.sample(Key(1));
  CHECK((std::isnan(outside(0)) && outside(1) >= 0 && std::isnan(outside(2))));
}

TEST_CASE("parameters may have run-time sizes and float elements") {
  Float32<"batch"> const rates = full<Float32<"batch">>(2.0f, 5);
  static_assert(shape_of<decltype(Exponential{rates}.sample(Key(1)))> == "batch");
  CHECK(Exponential{rates}.sample(Key(1)).size() == 5);
}

TEST_CASE("densities of NaN are NaN, outside of the support 0 with finite gradients") {
  double const nan = std::nan("");
  Three const at{nan, -1, 0.5};
  CHECK(to_string(isnan(LogNormal{loc, scale}.log_prob(at))) == "[ True False False]");
  CHECK(to_string(isnan(Uniform{loc, loc + 2}.log_prob(at))) == "[ True False False]");
  Three const outside{-1, 2, -0.5}, ones{1, 1, 1};
  auto const density = [&](Three const& a) {
    return Three(where(isinf(Gamma{a, 1.0}.log_prob(outside)), 1, Beta{a, ones}.log_prob(outside)));
  };
  CHECK(all(isfinite(grad([&](Three const& a) { return sum(density(a)); })(ones))).item());
  CHECK(to_string(Binomial{Three{5, 5, 5}, Three{0, 1, 1}}.log_prob(Three{-1, 6, 5})) ==
        "[-inf -inf   0.]");
  CHECK(to_string(Poisson{Three{0, 0, 2}}.log_prob(Three{-1, 0, -1})) == "[-inf   0. -inf]");
}

TEST_CASE("a class of probability 0 leaves the gradient of an entropy finite") {
  Three const logits{0, 1, -std::numeric_limits<double>::infinity()};
  auto const entropy = [](Three const& at) { return sum(Categorical{at}.entropy()); };
  CHECK(all(isfinite(grad(entropy)(logits))).item());
  auto const divergence_of = [&](Three const& at) {
    return sum(kl_divergence(Categorical{at}, Categorical{Three(logits * 2)}));
  };
  CHECK(all(isfinite(grad(divergence_of)(logits))).item());
}

}  // namespace distributions_test
