// The code that docs/randomness.md shows, and what it says of keys and draws.

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>

#include <tenon/tenon.hpp>

namespace docs_randomness {
namespace {

using namespace tenon;

template <class X>
bool same(X const& a, X const& b) {
  return a.sizes() == b.sizes() && eval(all(a == b)).item();
}

struct Model {
  Float32<"in=8 out=4"> weight;
  Float32<"out=4"> gamma = ones<Float32<"out=4">>();
};

TEST_CASE("draws are a function of the key") {
  Key const key{42};
  auto const a = normal<Float32<"n">>(key, 1000);
  auto const b = normal<Float32<"n">>(key, 1000);
  CHECK(same(a, b));  // the same key, the same numbers
  CHECK_FALSE(same(a, normal<Float32<"n">>(Key{43}, 1000)));
}

TEST_CASE("split makes keys for several draws") {
  auto const [for_weights, for_noise] = split(Key{42});
  auto const weights = normal<Float32<"n">>(for_weights, 1000);
  auto const noise = normal<Float32<"n">>(for_noise, 1000);
  auto const keys = split<5>(Key{42});
  CHECK(keys[0] == for_weights);
  CHECK(std::abs(mean(weights * noise).item()) < 0.2f);  // 0 up to 1 / sqrt(1000) and its like
}

TEST_CASE("fold_in makes the key of a step") {
  Key const key{42};
  double total = 0;
  for (int step = 0; step < 100; ++step)
    total += double(mean(normal<Float32<"n">>(fold_in(key, step), 1000)).item());
  CHECK(std::abs(total / 100) < 0.02);
  CHECK(fold_in(key, 7) == fold_in(key, 7u));
  CHECK(fold_in(key, 7) != fold_in(key, 8));
  CHECK(fold_in(fold_in(key, 1), 2) != fold_in(fold_in(key, 2), 1));
}

TEST_CASE("a key is known at compile time") {
  constexpr Key key = fold_in(split(Key{42})[1], 7);
  static_assert(key != Key{42});
}

TEST_CASE("each distribution") {
  auto const [a, b, c, d, e, f, g] = split<7>(Key{1});
  auto const unit = uniform<Float32<"n">>(a, 1000);           // in [0, 1)
  auto const angle = uniform<Float32<"n">>(b, -3, 3, 1000);   // in [-3, 3)
  auto const dice = uniform<Int32<"n">>(c, 1, 7, 1000);       // 1 to 6
  auto const z = normal<Float32<"n">>(d, 1000);               // mean 0, deviation 1
  auto const scores = normal<Float32<"n">>(e, 60, 15, 1000);  // mean 60, deviation 15
  auto const coins = bernoulli<Mask<"n">>(f, 0.25, 1000);     // true with probability 0.25
  auto const order = permutation<Int32<"n">>(g, 1000);        // 0 to 999, shuffled
  CHECK((min(unit).item() >= 0 && max(unit).item() < 1));
  CHECK((min(angle).item() >= -3 && max(angle).item() < 3));
  CHECK((min(dice).item() == 1 && max(dice).item() == 6));
  CHECK(std::abs(mean(z).item()) < 0.2f);
  CHECK(mean(scores).item() == doctest::Approx(60).epsilon(0.05));
  CHECK(mean(coins).item() == doctest::Approx(0.25).epsilon(0.2));
  CHECK(sum(order).item() == 999 * 1000 / 2);
}

TEST_CASE("categorical draws a class for each row of logits") {
  Float32<"row class=3"> const logits{{0, 50, 0}, {50, 0, 0}};
  auto const drawn = categorical<"class">(Key{1}, logits);  // Int32<"row">
  CHECK(drawn(0) == 1);
  CHECK(drawn(1) == 0);
}

TEST_CASE("models and dropout take keys") {
  auto const model = init::normal<Model>(Key{1}, 0.02);
  CHECK(model.gamma(0) == 1);  // a default in the struct is kept
  CHECK(std::abs(model.weight(0, 0)) < 0.2f);

  auto const x = ones<Float32<"n">>(1000);
  Dropout const dropout{.rate = 0.5f};
  Float32<"n"> const dropped = dropout(x, Key{2});  // in training
  Float32<"n"> const kept = dropout(x);             // without a key: x
  CHECK(eval(all((dropped == 0) | (dropped == 2))).item());
  CHECK(same(kept, x));
}

TEST_CASE("element i depends on the key and i alone") {
  auto const three = uniform<Float32<"n">>(Key{1}, 3);
  auto const many = uniform<Float32<"row column=5">>(Key{1}, 1000);
  CHECK(three(2) == many(0, 2));
}

TEST_CASE("the number of threads and the device change no bit") {
  int const before = threads();
  set_threads(1);
  auto const one = normal<Float64<"n">>(Key{1}, 100'000);
  set_threads(2);
  auto const two = normal<Float64<"n">>(Key{1}, 100'000);
  set_threads(before);
  CHECK(same(one, two));
  auto const other = uniform<Float32<"n", Reference>>(Key{1}, 100);
  auto const cpu = uniform<Float32<"n">>(Key{1}, 100);
  CHECK(std::memcmp(other.data(), cpu.data(), 400) == 0);
}

TEST_CASE("the words are those of Philox 4x32-10, as Random123 publishes them") {
  auto const words = random_bits<UInt32<"n">>(Key{0}, 4);
  CHECK(words(0) == 0x6627e8d5);
  CHECK(words(3) == 0x9b00dbd8);
  CHECK(uniform<Float32<"n">>(Key{0}, 4)(0) == 0x6627e8p-24f);  // its upper 24 bits
}

TEST_CASE("a key is restored from its words") {
  Key const key = fold_in(Key{42}, 7);
  CHECK(Key(key.words()) == key);
}

TEST_CASE("ranges that a dtype does not hold throw") {
  CHECK_THROWS_WITH_AS(uniform<Int64<"n">>(Key{1}, 3, 3, 10),
                       "tenon::uniform: expected 1 to 2^32 - 1 integers, got [3, 3)", ValueError);
  CHECK_THROWS_WITH_AS(uniform<UInt8<"n">>(Key{1}, 0, 300, 10),
                       "tenon::uniform: expected integers that uint8 holds, got [0, 300)",
                       ValueError);
}

}  // namespace
}  // namespace docs_randomness
