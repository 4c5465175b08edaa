// Draws against the distribution functions of SciPy, see golden/make_draws.py.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include <tenon/distributions.hpp>

#include "../nn/cases.hpp"

namespace draws_test {

using namespace tenon;

namespace {

using R = Float64<"n">;
using Draw = R (*)(Key const&, double a, double b);
constexpr int number = 20000;

std::map<std::string, Draw> const draws{
    {"exponential",
     [](Key const& key, double, double) { return random::exponential<R>(key, number); }},
    {"laplace", [](Key const& key, double, double) { return random::laplace<R>(key, number); }},
    {"cauchy", [](Key const& key, double, double) { return random::cauchy<R>(key, number); }},
    {"gumbel", [](Key const& key, double, double) { return random::gumbel<R>(key, number); }},
    {"lognormal",
     [](Key const& key, double a, double) { return random::lognormal<R>(key, a, number); }},
    {"gamma", [](Key const& key, double a, double) { return random::gamma<R>(key, a, number); }},
    {"beta", [](Key const& key, double a, double b) { return random::beta<R>(key, a, b, number); }},
    {"student_t",
     [](Key const& key, double a, double) { return random::student_t<R>(key, a, number); }},
    {"truncated_normal", [](Key const& key, double a,
                            double b) { return random::truncated_normal<R>(key, a, b, number); }},
    {"poisson",
     [](Key const& key, double a, double) { return random::poisson<R>(key, a, number); }},
    {"binomial",
     [](Key const& key, double a, double b) { return random::binomial<R>(key, a, b, number); }},
};

/// The largest difference between the share of draws of at most `at` and its probability, in
/// deviations of that share.
double deviation(R const& drawn, cases::Array const& at, cases::Array const& below) {
  double largest = 0;
  for (std::size_t i = 0; i < at.numbers.size(); ++i) {
    double const p = below.numbers[i];
    if (p == 1) continue;
    auto const few = std::count_if(drawn.data(), drawn.data() + number,
                                   [&](double x) { return x <= at.numbers[i]; });
    double const off = static_cast<double>(few) / number - p;
    largest = (std::max)(largest, std::fabs(off) / std::sqrt(p * (1 - p) / number));
  }
  return largest;
}

}  // namespace

TEST_CASE("draws have the distribution functions of SciPy") {
  std::int64_t seed = 0;
  for (auto const& golden : cases::read("../../numeric/golden/draws.txt")) {
    double const a = golden.option("a", 0), b = golden.option("b", 0);
    CAPTURE(golden.name);
    CAPTURE(a);
    CAPTURE(b);
    R const drawn = draws.at(golden.name)(Key(++seed), a, b);
    CHECK(deviation(drawn, golden.arrays.at("at"), golden.arrays.at("below")) < 4.5);
    CHECK(all(isfinite(drawn)).item());
  }
}

TEST_CASE("an element depends on the key and its position alone") {
  auto const many = random::gamma<R>(Key(5), 0.3, 5000);
  set_threads(1);
  auto const few = random::gamma<Float64<"row column=2">>(Key(5), 0.3, 2);
  CHECK(few(1, 1) == many(3));
  CHECK(all(random::gamma<R>(Key(5), 0.3, 5000) == many).item());
  set_threads(4);
  CHECK(all(random::gamma<R>(Key(5), 0.3, 5000) == many).item());
  static_assert([] {
    internal::random::Sequence numbers(Key(1), 7);
    double const count = internal::random::BinomialDraw::of(numbers, 100, 0.4);
    return count > 10 && count < 70;
  }());
}

TEST_CASE("draws of float have the quartiles of double") {
  using F = Float32<"n">;
  auto const share = [](F const& x, float at) {
    CHECK(all(isfinite(x)).item());
    return static_cast<double>(
               std::count_if(x.data(), x.data() + number, [=](float y) { return y <= at; })) /
           number;
  };
  CHECK(std::fabs(share(random::gumbel<F>(Key(2), number), -0.32663426f) - 0.25) < 0.015);
  CHECK(std::fabs(share(random::laplace<F>(Key(2), number), 0.69314718f) - 0.75) < 0.015);
  CHECK(std::fabs(share(random::gamma<F>(Key(2), 0.7, number), 0.12976492f) - 0.25) < 0.015);
}

TEST_CASE("parameters at the edge of their range") {
  CHECK(max(random::poisson<R>(Key(1), 0, 100)).item() == 0);
  CHECK(max(random::binomial<R>(Key(1), 0, 0.5, 100)).item() == 0);
  CHECK(max(random::binomial<R>(Key(1), 9, 0, 100)).item() == 0);
  CHECK(min(random::binomial<R>(Key(1), 9, 1, 100)).item() == 9);
  CHECK(min(random::truncated_normal<R>(Key(1), 2, 2, 100)).item() == 2);
  CHECK(min(random::truncated_normal<R>(Key(1), 1e200, INFINITY, 100)).item() == 1e200);
  CHECK(max(random::gamma<R>(Key(1), 1e-300, 100)).item() == 0);
  CHECK(max(random::poisson<Int8<"n">>(Key(1), 1e6, 100)).item() == 127);
  double const mean_of_large = mean(random::poisson<R>(Key(1), 1e18, 1000)).item();
  CHECK(std::fabs(mean_of_large - 1e18) < 4 * 1e9 / std::sqrt(1000));
  double const tries = mean(random::binomial<R>(Key(1), 1e15, 0.25, 1000)).item();
  CHECK(std::fabs(tries - 0.25e15) < 4 * std::sqrt(0.1875e15 / 1000));
}

TEST_CASE("parameters outside their range are refused") {
  CHECK_THROWS_WITH(random::gamma<R>(Key(1), 0, 3),
                    "tenon::gamma: expected a finite shape above 0, got 0");
  CHECK_THROWS_WITH(
      random::binomial<R>(Key(1), 2.5, 0.5, 3),
      "tenon::binomial: expected a finite integer n >= 0 and p from 0 to 1, got 2.5 and 0.5");
  CHECK_THROWS_AS(random::poisson<R>(Key(1), -1, 3), ValueError);
  CHECK_THROWS_AS(random::truncated_normal<R>(Key(1), 2, 1, 3), ValueError);
  CHECK_THROWS_AS(random::beta<R>(Key(1), NAN, 1, 3), ValueError);
  CHECK_THROWS_AS(random::multinomial<"k">(Key(1), 3, Float64<"k=2">{-1, 2}), ValueError);
  CHECK_THROWS_WITH((random::choice<Int32<"n">, random::Replacement::without>(Key(1), 3, 4)),
                    "tenon::choice: expected at most 3 positions, got 4");
}

TEST_CASE("points of Dirichlet's distribution have its moments, for small concentrations too") {
  auto const a = eval(full<Float64<"n k=3">>(1.0, number) * Float64<"k=3">{0.5, 1, 2.5});
  auto const points = random::dirichlet<"k">(Key(3), rearrange<"n k -> k n">(a));
  CHECK(max(abs(sum<"k">(points) - 1)).item() < 1e-14);
  auto const mean_of = eval(mean<"n">(points)), variance = eval(var<"n">(points));
  for (int k = 0; k < 3; ++k) {
    double const share = a(0, k) / 4;
    CHECK(std::fabs(mean_of(k) - share) < 0.006);
    CHECK(std::fabs(variance(k) - share * (1 - share) / 5) < 0.002);
  }
  auto const corners = random::dirichlet<"k">(Key(3), full<Float64<"k n">>(1e-4, 3, 1000));
  CHECK(max(abs(sum<"k">(corners) - 1)).item() < 1e-14);
  CHECK(mean(max<"k">(corners) > 0.99).item() > 0.99);
}

TEST_CASE("multinomial counts have the moments of their distribution") {
  auto const weights = eval(full<Float64<"n k=4">>(2.0, number) * Float64<"k=4">{0.5, 0, 0.3, 0.2});
  auto const counts = random::multinomial<"k">(Key(4), 12, weights);
  CHECK(all(sum<"k">(counts) == 12).item());
  auto const mean_of = eval(mean<"n">(counts)), variance = eval(var<"n">(counts));
  for (int k = 0; k < 4; ++k) {
    double const p = weights(0, k) / 2;
    CHECK(std::fabs(mean_of(k) - 12 * p) < 0.06);
    CHECK(std::fabs(variance(k) - 12 * p * (1 - p)) < 0.15);
  }
}

TEST_CASE("normal vectors have the mean and the covariance") {
  Float64<"d=2"> const center{1, -2};
  Float64<"d=2 d=2"> const covariance{{2, -0.6}, {-0.6, 0.5}};
  using Points = Float64<"n d=2">;
  auto const draw = [](auto const& m, auto const& c) {
    return random::multivariate_normal<Points>(Key(6), m, c, number);
  };
  Points const x = draw(center, covariance), from = eval(x - center);
  Float64<"d=2 d=2"> const found = matmul(transpose(from), from) / number;
  CHECK(max(abs(mean<"n">(from))).item() < 0.03);
  CHECK(max(abs(found - covariance)).item() < 0.05);
  auto const g = grad([&](auto const& m) { return sum(draw(m, covariance)); })(center);
  CHECK(g(0) == doctest::Approx(number));
}

TEST_CASE("choices follow the weights, with and without replacement") {
  Float64<"k=4"> const weights{1, 0, 3, 4};
  auto const often = random::choice<Int32<"n">>(Key(8), weights, number);
  for (int k = 0; k < 4; ++k)
    CHECK(std::fabs(double(mean(often == k).item()) - weights(k) / 8) < 0.015);
  using random::Replacement;
  auto const once = random::choice<Int32<"n">, Replacement::without>(Key(8), weights, 3);
  CHECK(to_string(sort<"n">(once)) == "[0 2 3]");
  double first = 0;
  for (int i = 0; i < 2000; ++i)
    first +=
        random::choice<Int32<"n">, Replacement::without>(fold_in(Key(9), i), weights, 2)(0) == 3;
  CHECK(std::fabs(first / 2000 - 0.5) < 0.04);
  CHECK(max(random::choice<Int32<"n">>(Key(1), 5, 100)).item() == 4);
  auto const all_of = random::choice<Int32<"n">, Replacement::without>(Key(1), 5, 5);
  CHECK(to_string(sort<"n">(all_of)) == "[0 1 2 3 4]");
}

TEST_CASE("signs are even") {
  auto const signs = random::rademacher<Int8<"n">>(Key(1), number);
  CHECK(all(abs(signs) == 1).item());
  CHECK(std::fabs(mean(to<double>(signs)).item()) < 0.03);
}

TEST_CASE("integers of randint are those of uniform") {
  auto const dice = random::randint<Int32<"n">>(Key(4), 1, 7, number);
  CHECK(all(dice == uniform<Int32<"n">>(Key(4), 1, 7, number)).item());
  for (int face = 1; face < 7; ++face)
    CHECK(std::fabs(mean(to<double>(dice == face)).item() - 1.0 / 6) < 0.02);
  CHECK(random::randint<UInt8<"2">>(Key(1), 255, 256)(1) == 255);
  CHECK_THROWS_WITH_AS(random::randint<Int8<"2">>(Key(1), 0, 200),
                       "tenon::randint: expected integers that int8 holds, got [0, 200)",
                       ValueError);
  CHECK_THROWS_WITH_AS(random::randint<Int8<"2">>(Key(1), 5, 5),
                       "tenon::randint: expected 1 to 2^32 - 1 integers, got [5, 5)", ValueError);
}

TEST_CASE("draws at the ends of the range of double end") {
  Key const key(3);
  double const inf = std::numeric_limits<double>::infinity();
  CHECK(random::truncated_normal<Float64<"1">>(key, 1e308, inf)(0) >= 1e308);
  CHECK(random::truncated_normal<Float64<"1">>(key, 1.7e308, 1.7e308)(0) == 1.7e308);
  CHECK(random::choice<Int32<"4">>(key, Float64<"1">{5e-324})(3) == 0);
  for (std::uint64_t i = 0; i < 50; ++i)
    CHECK(sum(random::multinomial<0>(Key(i), 1e16, Float64<"2">{1e16, 3})).item() == 1e16);
  using Narrow = Tensor<std::int8_t, "3">;
  CHECK_THROWS_WITH_AS(random::choice<Narrow>(key, ones<Float64<"n">>(1000)),
                       "tenon::choice: expected weights whose positions int8 has, got 1000",
                       ValueError);
}

}  // namespace draws_test
