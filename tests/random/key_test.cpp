#include <doctest/doctest.h>
#include <tenon/tenon.hpp>

#include <set>
#include <tuple>

namespace key_test {

using namespace tenon;

namespace {

using Words = op::PhiloxBlock<std::uint32_t>;

constexpr bool gives(Words const& counter, Key const& key, Words const& expected) {
  Words const y = op::philox(counter, key.words());
  return y.word0 == expected.word0 && y.word1 == expected.word1 && y.word2 == expected.word2 &&
         y.word3 == expected.word3;
}

// The vectors that Random123 publishes for philox4x32, 10 rounds (kat_vectors).
static_assert(gives({0, 0, 0, 0}, Key{0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
static_assert(gives({~0u, ~0u, ~0u, ~0u}, Key{-1},
                    {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
static_assert(gives({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, Key{0x299f31d0a4093822},
                    {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));

static_assert(Key{42} == Key{42u} && Key{42} != Key{43});
static_assert(split(Key{1}) == split<2>(Key{1}) && split(Key{1})[0] == split<5>(Key{1})[0]);
static_assert(fold_in(Key{1}, 7) == fold_in(Key{1}, 7u) &&
              fold_in(Key{1}, 7) != fold_in(Key{1}, 8));

TEST_CASE_TEMPLATE("the random bits of a key are the published ones", D, Cpu, Reference) {
  auto const words = random_bits<UInt32<"n", D>>(Key{0}, 4);
  CHECK(words(0) == 0x6627e8d5);
  CHECK(words(1) == 0xe169c58d);
  CHECK(words(2) == 0xbc57ac4c);
  CHECK(words(3) == 0x9b00dbd8);
}

TEST_CASE_TEMPLATE("number i is number i % 4 of block i / 4", D, Cpu, Reference) {
  Key const key{123456789012345};
  auto const words = random_bits<UInt32<"n", D>>(key, 40000);
  for (std::uint32_t block : {0u, 1u, 15u, 16u, 17u, 4095u, 4096u, 9999u}) {
    auto const y = op::philox(Words{block, 0, 0, 0}, key.words());
    CHECK(words(4 * block) == y.word0);
    CHECK(words(4 * block + 1) == y.word1);
    CHECK(words(4 * block + 2) == y.word2);
    CHECK(words(4 * block + 3) == y.word3);
  }
}

TEST_CASE("keys derived from one key differ") {
  std::set<std::tuple<std::uint32_t, std::uint32_t>> seen;
  std::size_t number = 0;
  auto const enter = [&](Key const& key) {
    seen.insert({key.words()[0], key.words()[1]});
    ++number;
  };
  for (int seed = 0; seed < 20; ++seed) {
    enter(Key{seed});
    for (Key const& key : split<20>(Key{seed})) enter(key);
    for (int step = 0; step < 20; ++step) enter(fold_in(Key{seed}, step));
    auto const [left, right] = split(split(Key{seed})[0]);
    enter(left), enter(right);
  }
  CHECK(seen.size() == number);
}

}  // namespace

}  // namespace key_test
