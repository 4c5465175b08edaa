// Deterministic sums of gradients of micro-batches: the same bits for any number of ranks.
#include "ranks.hpp"

#include <cstring>
#include <optional>
#include <vector>

#include <tenon/distributed/collectives/assert_same.hpp>
#include <tenon/distributed/communication/mesh.hpp>
#include <tenon/distributed/data_parallel/average_gradients.hpp>
#include <tenon/distributed/data_parallel/deterministic_sum.hpp>
#include <tenon/distributed/sharding/reshard.hpp>

namespace deterministic_sum_test {

using namespace ranks;

namespace {

struct Model {
  Linear<"in=3", "out=2"> first;
  Float64<"n"> second;
  Frozen<Float32<"n">> constant;
  std::vector<BFloat16<"n">> halves;
};

/// The gradients of a micro-batch: thirds, sevenths … of all magnitudes.
Model gradients_of(std::int64_t piece) {
  Model model;
  float const third = float(1 + piece * piece % 11) / 3 * (piece % 2 == 0 ? 1e3f : -1e-3f);
  model.first.weight = full_like(model.first.weight, third);
  model.first.bias = full_like(model.first.bias, third / 7);
  model.second = (iota<Float64<"n">>(5) - 2.5) * double(third) / 7;
  model.constant.value = ones<Float32<"n">>(2);
  model.halves = {ones<BFloat16<"n">>(3) * third, ones<BFloat16<"n">>(2) * -third};
  return model;
}

/// The number of elements that differ in any bit.
std::int64_t differing(Model const& a, Model const& b) {
  std::int64_t count = 0;
  tenon::tree::zip<tenon::internal::tree::Stored>(
      [&](auto const& x, auto const& y) {
        REQUIRE(x.size() == y.size());
        for (std::int64_t i = 0; i < x.size(); ++i)
          count += std::memcmp(x.data() + i, y.data() + i, sizeof(*x.data())) != 0;
      },
      a, b);
  return count;
}

/// The result of one rank with all micro-batches.
Model alone(std::int64_t pieces) {
  DeterministicSum sum;
  for (std::int64_t i = 0; i < pieces; ++i) sum.add(i, gradients_of(i));
  return sum.mean(gradients_of(0), Group());
}

}  // namespace

TEST_CASE("micro-batches have the same mean for any distribution over ranks") {
  World const world;
  std::int64_t const ranks = world.size(), rank = world.rank();
  for (std::int64_t const pieces : {1, 2, 7, 8, 24, 29}) {
    Model const expected = alone(pieces);
    auto const check = [&](auto const& is_own, bool backward) {
      DeterministicSum sum;
      for (std::int64_t k = 0; k < pieces; ++k) {
        std::int64_t const piece = backward ? pieces - 1 - k : k;
        if (is_own(piece)) sum.add(piece, gradients_of(piece));
      }
      CHECK(differing(sum.mean(gradients_of(0), world.group()), expected) == 0);
    };
    check([&](std::int64_t i) { return i * ranks / pieces == rank; }, false);
    check([&](std::int64_t i) { return i * ranks / pieces == rank; }, true);
    check([&](std::int64_t i) { return i % ranks == rank; }, false);
    check([&](std::int64_t i) { return i * i % 7 % ranks == rank; }, false);
    check([&](std::int64_t) { return rank == ranks - 1; }, true);  // the other ranks have none
  }
}

TEST_CASE("micro-batches are summed in the order of a binary tree") {
  World const world;
  Group const& group = world.group();
  using One = std::vector<Float32<"n=1">>;
  float const big = 0x1p24f;
  std::vector<float> const values{big, 1, 1, 1, -big};  // ((big + 1) + (1 + 1)) + -big
  DeterministicSum sum;
  for (std::int64_t i = 0; i < 5; ++i)
    if (i % group.size() == group.rank()) sum.add(i, One{{values[static_cast<std::size_t>(i)]}});
  CHECK(sum.sum(One{{0.0f}}, group)[0](0) == 2.0f);
  CHECK(sum.mean(One{{0.0f}}, group)[0](0) == 2.0f / 5);
}

TEST_CASE("consecutive micro-batches per rank, some ranks without any") {
  World const world;
  Group const& group = world.group();
  std::vector<Model> own;
  std::int64_t const first = (group.rank() + 1) / 2 * 2;  // 0 2 2 4 4 6 6 …
  for (std::int64_t i = first; group.rank() % 2 == 0 && i < first + 2; ++i)
    own.push_back(gradients_of(i));
  Model const mean = average_micro_batches(own, gradients_of(0), group);
  CHECK(differing(mean, alone((group.size() + 1) / 2 * 2)) == 0);
  Model const near = average_gradients(alone(4), group);
  Model const four = average_micro_batches<Model>({gradients_of(0), gradients_of(1)}, near, group);
  CHECK(max(abs(four.second)).item() > 0);
}

TEST_CASE("gradients of sharded models, over the ranks that have the same shard") {
  World const world;
  int const tp = world.size() % 2 == 0 ? 2 : 1;
  Mesh<"dp tp"> const mesh(world, world.size() / tp, tp);
  struct Layer {
    std::optional<Sharded<float, "in=5 hidden=8@tp">> up;
  };
  using AbstractOperand = Float32<"in=5 hidden=8">;
  auto const layer_of = [&](std::int64_t piece) {
    auto const each = mesh.independent("dp");  // ranks along dp have other micro-batches
    return Layer{shard<"in hidden@tp">(each, normal<AbstractOperand>(fold_in(Key(3), piece)))};
  };
  Group const& data = mesh.group<"dp">();
  DeterministicSum many, one;
  for (std::int64_t i = 0; i < 12; ++i) {
    if (i % data.size() == data.rank()) many.add(i, layer_of(i));
    one.add(i, layer_of(i));
  }
  Layer const found = many.mean(layer_of(0), data), expected = one.mean(layer_of(0), Group());
  CHECK(max(abs(found.up->unchecked_local - expected.up->unchecked_local)).item() == 0);
  assert_same(found, data);
}

TEST_CASE("each micro-batch is present once") {
  World const world;
  Group const& group = world.group();
  using One = std::vector<Float32<"n=1">>;
  One const one{{1.0f}};
  DeterministicSum twice;
  twice.add(0, one);
  if (group.rank() == group.size() - 1) twice.add(1, one);
  if (group.size() > 1)
    CHECK_THROWS_WITH_AS(
        (void)twice.sum(one, group),
        "tenon::DeterministicSum: 'micro-batch': expected each once, from 0 on, got two of 0",
        ValueError);
  DeterministicSum missing;
  if (group.rank() == 0) missing.add(0, one), missing.add(2, one);
  CHECK_THROWS_WITH_AS(
      (void)missing.sum(one, group),
      "tenon::DeterministicSum: 'micro-batch': expected each once, from 0 on, got none of 1",
      ValueError);
  CHECK_THROWS_AS((void)DeterministicSum().sum(one, group), ValueError);
  CHECK_THROWS_AS(missing.add(-1, one), ValueError);
  DeterministicSum same;
  same.add(3, one);
  CHECK_THROWS_AS(same.add(3, one), ValueError);
}

}  // namespace deterministic_sum_test
