#include <doctest/doctest.h>

#include <tenon/backend/cpu/simd/lanes.hpp>
#include <tenon/op/philox.hpp>

using namespace tenon;
using namespace tenon::internal;
using Word = std::uint32_t;
using Block = op::PhiloxBlock<Word>;

namespace {

constexpr bool same(Block const& a, Block const& b) {
  return a.word0 == b.word0 && a.word1 == b.word1 && a.word2 == b.word2 && a.word3 == b.word3;
}

// Random123, tests/kat_vectors, "philox4x32 10".
static_assert(same(op::philox(Block{0, 0, 0, 0}, {0, 0}),
                   {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
static_assert(same(op::philox(Block{~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}),
                   {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
static_assert(same(op::philox(Block{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
                              {0xa4093822, 0x299f31d0}),
                   {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));

static_assert(op::uniform_float(Word{0}) == 0.0f);
static_assert(op::uniform_float(~Word{0}) == 1.0f - 0x1p-24f);
static_assert(op::uniform_double(Word{0}, Word{0}) == 0.0);
static_assert(op::uniform_double(~Word{0}, ~Word{0}) == 1.0 - 0x1p-53);

}  // namespace

TEST_CASE("the published vectors also hold at run time") {
  Word volatile zero = 0;
  CHECK(same(op::philox(Block{zero, zero, zero, zero}, {zero, zero}),
             {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
}

TEST_CASE("lanes give the random numbers of the scalar code") {
  Word counter[lane_count];
  for (int i = 0; i < lane_count; ++i) counter[i] = static_cast<Word>(i) * 0x9876543u;
  auto const c = Lanes<Word>::load(counter);
  auto const lanes = op::philox(op::PhiloxBlock<Lanes<Word>>{c, Word{7}, c, ~Word{0}}, {1, 2});
  auto const floats = op::uniform_float(lanes.word0);
  auto const doubles = op::uniform_double(lanes.word1, lanes.word2);
  for (int i = 0; i < lane_count; ++i) {
    auto const scalar = op::philox(Block{counter[i], 7, counter[i], ~Word{0}}, {1, 2});
    CHECK(same(scalar, {lanes.word0.lane(i), lanes.word1.lane(i), lanes.word2.lane(i),
                        lanes.word3.lane(i)}));
    CHECK(floats.lane(i) == op::uniform_float(scalar.word0));
    CHECK(doubles.lane(i) == op::uniform_double(scalar.word1, scalar.word2));
  }
}

TEST_CASE("uniform numbers fill their interval evenly") {
  int const draws = 1 << 16;
  double sum = 0, squares = 0;
  for (Word i = 0; i < draws; ++i) {
    auto const block = op::philox(Block{i, 0, 0, 0}, {42, 0});
    double const u = op::uniform_float(block.word0);
    sum += u;
    squares += u * u;
  }
  CHECK(sum / draws == doctest::Approx(0.5).epsilon(0.01));
  CHECK(squares / draws == doctest::Approx(1.0 / 3).epsilon(0.01));
}
