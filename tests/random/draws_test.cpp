#include <doctest/doctest.h>
#include <tenon/tenon.hpp>

#include <cmath>
#include <cstring>
#include <string>

namespace draws_test {

using namespace tenon;
using namespace tenon::internal;

namespace {

/// Bitwise equal.
template <class A, class B>
bool same_bits(A const& a, B const& b) {
  return a.size() == b.size() &&
         std::memcmp(a.data(), b.data(),
                     static_cast<std::size_t>(a.size()) * sizeof(typename A::value_type)) == 0;
}

/// True if a mean over n draws is within five standard deviations of the expected value.
bool is_near(double mean, double expected, double deviation, double n) {
  return std::abs(mean - expected) < 5 * deviation / std::sqrt(n);
}

constexpr int many = 200000;

TEST_CASE_TEMPLATE("uniform draws fill [0, 1) evenly", T, float, double, bfloat16, float16) {
  auto const x = eval(to<double>(uniform<Tensor<T, "n">>(Key{1}, many)));
  CHECK(min(x).item() >= 0);
  CHECK(max(x).item() < 1);
  double const step = std::is_same_v<T, bfloat16> ? 1.0 / 256 : HalfType<T> ? 1.0 / 2048 : 0;
  CHECK(is_near(mean(x).item(), 0.5 - step / 2, std::sqrt(1.0 / 12), many));
  CHECK(var(x).item() == doctest::Approx(1.0 / 12).epsilon(0.01));
  for (int i = 0; i < 16; ++i) {
    double const share = mean(to<double>(x >= i / 16.0 && x < (i + 1) / 16.0)).item();
    CHECK(is_near(share, 1.0 / 16, 0.242, many));
  }
}

TEST_CASE("uniform draws of another range are within it") {
  auto const x = uniform<Float32<"n">>(Key{2}, -3, 5, many);
  CHECK(min(x).item() >= -3.0f);
  CHECK(max(x).item() < 5.0f);
  CHECK(is_near(mean(to<double>(x)).item(), 1, 8 * std::sqrt(1.0 / 12), many));
  // Sums often round to 1 + 2^-23, which is not in this range.
  auto const narrow = uniform<Float32<"n">>(Key{3}, 1.0f, 1.0f + 0x1p-23f, 1000);
  CHECK(all(narrow == 1.0f).item());
}

TEST_CASE_TEMPLATE("integers are uniform below the upper bound", T, std::int8_t, std::int32_t,
                   std::int64_t, std::uint16_t) {
  auto const x = uniform<Tensor<T, "n">>(Key{4}, 3, 13, many);
  for (int i = 3; i < 13; ++i) {
    CHECK(is_near(mean(to<double>(to<std::int32_t>(x) == i)).item(), 0.1, 0.3, many));
  }
  CHECK(min(to<std::int32_t>(x)).item() == 3);
  CHECK(max(to<std::int32_t>(x)).item() == 12);
}

TEST_CASE("integers of the whole range, of one value, of an empty range") {
  auto const all_of_them =
      uniform<Int32<"n">>(Key{5}, std::int64_t{-2147483648}, std::int64_t{2147483647}, many);
  CHECK(is_near(mean(to<double>(all_of_them)).item(), 0, 0x1p32 * std::sqrt(1.0 / 12), many));
  CHECK(all(uniform<Int64<"n">>(Key{5}, -7, -6, 100) == -7).item());
  CHECK_THROWS_WITH_AS(uniform<Int64<"n">>(Key{5}, 3, 3, 100),
                       "tenon::uniform: expected 1 to 2^32 - 1 integers, got [3, 3)", ValueError);
  CHECK_THROWS_AS(uniform<Int64<"n">>(Key{5}, 0, std::int64_t{1} << 32, 100), ValueError);
}

TEST_CASE_TEMPLATE("large ranges are drawn uniformly", D, Cpu, Reference) {
  std::uint32_t const range = 3u << 30;  // of 2^32 words four would be for three of these
  auto const x = uniform<Tensor<std::uint32_t, "n", D>>(Key{7}, 0, range, many);
  for (std::uint32_t i = 0; i < 3; ++i)
    CHECK(is_near(mean(to<double>(x % 3u == i)).item(), 1.0 / 3, 0.472, many));
}

TEST_CASE_TEMPLATE("each integer is drawn from its own 64 bits", D, Cpu, Reference) {
  constexpr int most =
      40000;  // three chunks; in 300 of them the lower half carries, for the range of 2^26 - 5
  auto const high = random_bits<UInt32<"n">>(Key{8}, most);
  auto const low = random_words<UInt32<"n">>(Key{8}, 1, high.sizes());
  for (std::uint32_t const range : {1u, 2u, 3u, 1000u, 1u << 16, (1u << 26) - 5, 1u << 26,
                                    (1u << 26) + 1, 1u << 31, 4000000007u, ~0u}) {
    for (int const n : {1, 5, 67, most}) {
      auto const x = uniform<Tensor<std::uint32_t, "n", D>>(Key{8}, 0, range, n);
      int wrong = 0;
      for (int i = 0; i < n; ++i) wrong += x(i) != below(high(i), low(i), range);
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE_TEMPLATE("the same integers count from the lower bound in every dtype", T, std::int8_t,
                   std::int16_t, std::int32_t, std::int64_t) {
  auto const x = uniform<Tensor<T, "n">>(Key{8}, -100, 27, 100);
  auto const numbers = uniform<UInt8<"n">>(Key{8}, 0, 127, 100);
  for (int i = 0; i < 100; ++i) CHECK(x(i) == numbers(i) - 100);
}

TEST_CASE("bounds and deviations that give no distribution throw") {
  double const nan = std::nan(""), infinite = INFINITY;
  std::string const bounds = "tenon::uniform: expected finite bounds low <= high, got ";
  auto const between = [](auto low, auto high) {
    return uniform<Float32<"n">>(Key{1}, low, high, 3);
  };
  CHECK_THROWS_WITH_AS(between(2, 1), (bounds + "[2, 1)").c_str(), ValueError);
  CHECK_THROWS_WITH_AS(between(2, nan), (bounds + "[2, nan)").c_str(), ValueError);
  CHECK_THROWS_AS(between(-infinite, 0), ValueError);
  CHECK_THROWS_AS(between(-3e38, 3e38), ValueError);  // their difference is no float
  CHECK_THROWS_AS(between(0, 1e39), ValueError);
  CHECK(all(between(2, 2) == 2.0f).item());
  std::string const form =
      "tenon::normal: expected a finite mean and a finite deviation >= 0, got mean ";
  auto const spread = [](auto mean, auto width) {
    return normal<Float64<"n">>(Key{1}, mean, width, 3);
  };
  CHECK_THROWS_WITH_AS(spread(0, -1), (form + "0 and deviation -1").c_str(), ValueError);
  CHECK_THROWS_WITH_AS(spread(nan, 1), (form + "nan and deviation 1").c_str(), ValueError);
  CHECK_THROWS_AS(spread(0, infinite), ValueError);
  CHECK(all(spread(3, 0) == 3.0).item());
}

TEST_CASE("integers out of the dtype's range throw") {
  CHECK_THROWS_WITH_AS(uniform<UInt8<"n">>(Key{9}, 0, 300, 10),
                       "tenon::uniform: expected integers that uint8 holds, got [0, 300)",
                       ValueError);
  CHECK_THROWS_AS(uniform<UInt8<"n">>(Key{9}, -1, 3, 10), ValueError);
  CHECK(max(uniform<UInt8<"n">>(Key{9}, 250, 256, 1000)).item() == 255);
  std::uint64_t const large = ~std::uint64_t{0};
  CHECK(min(uniform<UInt64<"n">>(Key{9}, large - 2, large, 100)).item() == large - 2);
  CHECK_THROWS_AS(uniform<UInt64<"n">>(Key{9}, 0, large, 100), ValueError);
}

TEST_CASE_TEMPLATE("normal draws have the moments of the normal distribution", T, float, double) {
  auto const x = eval(to<double>(normal<Tensor<T, "n">>(Key{6}, many)));
  CHECK(is_near(mean(x).item(), 0, 1, many));
  CHECK(is_near(mean(square(x)).item(), 1, std::sqrt(2.0), many));
  CHECK(is_near(mean(x * x * x).item(), 0, std::sqrt(15.0), many));
  CHECK(is_near(mean(square(x * x)).item(), 3, std::sqrt(96.0), many));
  for (double limit : {0.5, 1.0, 2.0, 3.0}) {
    double const expected = std::erfc(limit / std::sqrt(2.0));
    double const deviation = std::sqrt(expected * (1 - expected));
    CHECK(is_near(mean(to<double>(abs(x) > limit)).item(), expected, deviation, many));
  }
}

TEST_CASE("normal draws of another mean and standard deviation") {
  auto const x = normal<Float32<"n">>(Key{6}, 3, 0.5, many);
  auto const unit = normal<Float32<"n">>(Key{6}, many);
  CHECK(max(abs(x - (unit * 0.5f + 3.0f))).item() < 1e-6f);
}

TEST_CASE("neighbours, keys and their children are uncorrelated") {
  auto const x = normal<Float64<"n">>(Key{7}, many);
  auto const correlation = [&](auto const& y) { return mean(x * y).item(); };
  CHECK(is_near(mean(slice<"n", 0, -1>(x) * slice<"n", 1, to_end>(x)).item(), 0, 1, many));
  CHECK(is_near(correlation(normal<Float64<"n">>(Key{8}, many)), 0, 1, many));
  for (Key const& key : split<3>(Key{7})) {
    CHECK(is_near(correlation(normal<Float64<"n">>(key, many)), 0, 1, many));
  }
  CHECK(is_near(correlation(normal<Float64<"n">>(fold_in(Key{7}, 1), many)), 0, 1, many));
}

TEST_CASE("both devices draw the same bits") {
  for (int n : {0, 1, 3, 4, 5, 15, 16, 17, 63, 64, 65, 20000}) {
    CHECK(same_bits(random_bits<UInt32<"n">>(Key{9}, n),
                    random_bits<UInt32<"n", Reference>>(Key{9}, n)));
    CHECK(same_bits(uniform<Float32<"n">>(Key{9}, n), uniform<Float32<"n", Reference>>(Key{9}, n)));
    CHECK(same_bits(uniform<Float64<"n">>(Key{9}, n), uniform<Float64<"n", Reference>>(Key{9}, n)));
    CHECK(same_bits(uniform<Float32<"n">>(Key{9}, -1, 7, n),
                    uniform<Float32<"n", Reference>>(Key{9}, -1, 7, n)));
    CHECK(same_bits(uniform<Int32<"n">>(Key{9}, -1, 7, n),
                    uniform<Int32<"n", Reference>>(Key{9}, -1, 7, n)));
    CHECK(same_bits(normal<Float32<"n">>(Key{9}, n), normal<Float32<"n", Reference>>(Key{9}, n)));
    CHECK(same_bits(normal<Float64<"n">>(Key{9}, n), normal<Float64<"n", Reference>>(Key{9}, n)));
  }
}

TEST_CASE_TEMPLATE("element i depends only on the key and i", D, Cpu, Reference) {
  auto const x = normal<Float32<"n", D>>(Key{10}, 1000);
  for (int n = 0; n < 70; ++n) {
    auto const y = normal<Float32<"n", D>>(Key{10}, n);
    for (int i = 0; i < n; ++i) CHECK(x(i) == y(i));
  }
  auto const matrix = normal<Float32<"10 100", D>>(Key{10});
  CHECK(matrix(9, 99) == x(999));
}

TEST_CASE("the first numbers of a key do not change between releases") {
  CHECK(uniform<Float32<"4">>(Key{42})(0) == 0x1.39d5ep-1f);
  CHECK(normal<Float32<"4">>(Key{42})(3) == doctest::Approx(-0.326155f).epsilon(1e-6));
}

}  // namespace

TEST_CASE("a range of the stream equals that range of the whole stream, for any length") {
  using Words = Tensor<std::uint32_t, "n">;
  auto const words = [](std::int64_t first, std::int64_t count) {
    return random_words<Words>(Key(4), 0, Words::with_run_time_sizes({count}), first);
  };
  for (std::int64_t const whole : {std::int64_t{0}, (std::int64_t{1} << 34) - 64}) {
    auto const all = words(whole, 200);
    for (std::int64_t const first : {1, 37, 60, 63, 64, 65, 130}) {
      auto const rest = words(whole + first, 70);
      for (std::int64_t i = 0; i < 70; ++i) REQUIRE(rest(i) == all(first + i));
    }
  }
  CHECK(words(std::int64_t{1} << 34, 1)(0) != words(0, 1)(0));
}

}  // namespace draws_test
