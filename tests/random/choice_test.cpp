#include <doctest/doctest.h>
#include <tenon/tenon.hpp>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

namespace choice_test {

using namespace tenon;
using namespace tenon::internal;

namespace {

constexpr int many = 100000;

bool is_near(double share, double expected) {
  return std::abs(share - expected) < 5 * std::sqrt(expected * (1 - expected) / many) + 1e-12;
}

TEST_CASE_TEMPLATE("bernoulli is true with its probability", D, Cpu, Reference) {
  for (double p : {0.0, 0.1, 0.5, 0.99, 1.0}) {
    CHECK(is_near(mean(to<double>(bernoulli<Mask<"n", D>>(Key{1}, p, many))).item(), p));
  }
  CHECK(bernoulli<Mask<"3 4", D>>(Key{1}, 1)(2, 3));
}

TEST_CASE_TEMPLATE("bernoulli compares all bits of its random numbers", D, Cpu, Reference) {
  auto const words = random_bits<UInt32<"n", D>>(Key{5}, 1000);
  for (int i : {0, 17, 999}) {
    double const share = words(i) * 0x1p-32;
    CHECK(bernoulli<Mask<"n", D>>(Key{5}, share + 0x1p-33, 1000)(i));
    CHECK(!bernoulli<Mask<"n", D>>(Key{5}, share, 1000)(i));
  }
}

TEST_CASE("a probability that is none throws") {
  std::string const form = "tenon::bernoulli: expected a probability from 0 to 1, got ";
  auto const drawn = [](auto p) { return bernoulli<Mask<"n">>(Key{5}, p, 10); };
  CHECK_THROWS_WITH_AS(drawn(2), (form + "2").c_str(), ValueError);
  CHECK_THROWS_WITH_AS(drawn(-0.5), (form + "-0.5").c_str(), ValueError);
  CHECK_THROWS_WITH_AS(drawn(std::nanf("")), (form + "nan").c_str(), ValueError);
}

TEST_CASE_TEMPLATE("logits without a softmax throw", D, Cpu, Reference) {
  float const infinite = std::numeric_limits<float>::infinity();
  auto const drawn = [](float a, float b) {
    return categorical<"c">(Key{1}, Float32<"row c", D>{{0, 1}, {a, b}})(1);
  };
  std::string const words =
      "tenon::categorical: expected logits without NaN and infinity, and one above -infinity, got "
      "others";
  CHECK_THROWS_WITH_AS(drawn(-infinite, -infinite), words.c_str(), ValueError);
  CHECK_THROWS_WITH_AS(drawn(0, std::nanf("")), words.c_str(), ValueError);
  CHECK_THROWS_WITH_AS(drawn(infinite, 0), words.c_str(), ValueError);
  CHECK(drawn(-infinite, 3e38f) == 1);
  CHECK(categorical<"c">(Key{1}, zeros<Float32<"row c", D>>(0, 2)).size() == 0);
  auto const loss = [](Float32<"row c"> const& x) {
    return sum(pick<"c">(x, categorical<"c">(Key{1}, x)));
  };
  CHECK(sum(grad(loss)(Float32<"row c">{{0, 1}, {1, 2}})).item() == 2);
}

TEST_CASE_TEMPLATE("categorical draws with the probabilities of softmax", D, Cpu, Reference) {
  Float32<"class=4", D> const logits{0.5f, -1.0f, 2.0f, 0.0f};
  auto const rows = logits + zeros<Float32<"n class=4", D>>(many);
  auto const chosen = categorical<"class">(Key{2}, rows);
  static_assert(std::is_same_v<typename decltype(chosen)::value_type, std::int32_t>);
  CHECK(shape_of<decltype(chosen)> == "n");
  auto const p = eval(softmax<"class">(logits));
  for (int k = 0; k < 4; ++k) CHECK(is_near(mean(to<double>(chosen == k)).item(), p(k)));
}

TEST_CASE("impossible categories are not drawn, certain ones are") {
  float const never = -std::numeric_limits<float>::infinity();
  auto const logits = Float32<"3">{never, 0, never};
  for (int seed = 0; seed < 50; ++seed) CHECK(categorical<0>(Key{seed}, logits).item() == 1);
  auto const doubles = Float64<"row class">{{0, 800}, {800, 0}};
  auto const chosen = categorical<"class">(Key{1}, doubles);
  CHECK(chosen(0) == 1);
  CHECK(chosen(1) == 0);
}

TEST_CASE("both devices draw the same categories") {
  auto const coins = bernoulli<Mask<"n">>(Key{3}, 0.3, 20000);
  auto const same_coins = bernoulli<Mask<"n", Reference>>(Key{3}, 0.3, 20000);
  CHECK(std::memcmp(coins.data(), same_coins.data(), 20000) == 0);
  auto const a = categorical<"c">(Key{3}, normal<Float32<"n c">>(Key{4}, 500, 7));
  auto const b = categorical<"c">(Key{3}, normal<Float32<"n c", Reference>>(Key{4}, 500, 7));
  for (int i = 0; i < 500; ++i) CHECK(a(i) == b(i));
}

TEST_CASE_TEMPLATE("a permutation contains every number once", T, std::int32_t, std::int64_t,
                   std::uint8_t) {
  for (int n : {0, 1, 2, 7, 200}) {
    auto const order = permutation<Tensor<T, "n">>(Key{n}, n);
    std::vector<int> seen(static_cast<std::size_t>(n), 0);
    for (int i = 0; i < n; ++i) ++seen[static_cast<std::size_t>(order(i))];
    for (int times : seen) CHECK(times == 1);
  }
}

TEST_CASE("a permutation has at most 2^32 elements, and fits its dtype") {
  constexpr std::int64_t most = std::int64_t{1} << 32;
  CHECK_NOTHROW(check_permutation<std::int64_t>(most));
  CHECK_NOTHROW(check_permutation<std::uint64_t>(most));
  CHECK_NOTHROW(check_permutation<std::uint32_t>(most));
  CHECK_NOTHROW(check_permutation<std::int32_t>(most / 2));
  CHECK_THROWS_AS(check_permutation<std::int32_t>(most / 2 + 1), ShapeError);
  CHECK_THROWS_WITH_AS(permutation<Int64<"n">>(Key{1}, most + 1),
                       "tenon::permutation: expected at most 4294967296 elements, got 4294967297",
                       ShapeError);
  CHECK(permutation<Int8<"n">>(Key{1}, 128).size() == 128);
  CHECK_THROWS_AS(permutation<Int8<"n">>(Key{1}, -1), ShapeError);
  CHECK_THROWS_AS(permutation<Int8<"n">>(Key{1}, 129), ShapeError);
}

TEST_CASE("draws below 2^32 reach both limits") {
  constexpr std::uint32_t last = 0xffffffff;
  CHECK(below(0, 0, std::uint64_t{1} << 32) == 0);
  CHECK(below(last, last, std::uint64_t{1} << 32) == last);
  CHECK(below(last, last, 3) == 2);
}

TEST_CASE("permutations of three are equally frequent") {
  std::vector<int> times(27, 0);
  for (int seed = 0; seed < 6000; ++seed) {
    auto const order = permutation<Int32<"3">>(Key{seed});
    ++times[static_cast<std::size_t>(order(0) + 3 * order(1) + 9 * order(2))];
  }
  int kinds = 0;
  for (int number : times) {
    if (number == 0) continue;
    ++kinds;
    CHECK(std::abs(number - 1000) < 150);  // five standard deviations of 29
  }
  CHECK(kinds == 6);
}

TEST_CASE_TEMPLATE("a permutation is the same on every device", D, Cpu, Reference) {
  auto const order = permutation<Int32<"n", D>>(Key{42}, 100);
  auto const other = permutation<Int32<"100">>(Key{42});
  for (int i = 0; i < 100; ++i) CHECK(order(i) == other(i));
  auto const x = iota<Float32<"n 2", D>>(100);
  CHECK(take<"n">(x, order)(7, 1) == x(order(7), 1));
}

}  // namespace

}  // namespace choice_test
