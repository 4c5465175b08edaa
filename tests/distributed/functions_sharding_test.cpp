// Examples of docs/functions/: sharded tensors, ZeRO, parallel layers, pipelines, checkpoints.

#include <doctest/doctest.h>

#include "checkpoint_trees.hpp"

#include <tenon/distributed/checkpoint/load_shards.hpp>
#include <tenon/distributed/checkpoint/save_shards.hpp>
#include <tenon/distributed/communication/mesh.hpp>
#include <tenon/distributed/pipeline/schedule.hpp>
#include <tenon/distributed/sharding/exact_shards.hpp>
#include <tenon/distributed/sharding/init.hpp>
#include <tenon/distributed/sharding/local_map.hpp>
#include <tenon/distributed/sharding/on_shards.hpp>
#include <tenon/distributed/sharding/reshard.hpp>
#include <tenon/distributed/sharding/reshard_bytes.hpp>
#include <tenon/distributed/sharding/sharded.hpp>
#include <tenon/distributed/sharding/sharding_table.hpp>
#include <tenon/distributed/tensor_parallel/layers.hpp>
#include <tenon/distributed/tensor_parallel/losses.hpp>
#include <tenon/distributed/zero/unshard.hpp>
#include <tenon/distributed/zero/zero.hpp>
#include <tenon/tenon.hpp>

namespace functions_sharding_test {

using namespace tenon;

TEST_CASE("sharded tensors") {
  World const world;
  Mesh<"dp"> const mesh(world);
  Float32<"batch d=2"> const rows = iota<Float32<"batch d=2">>(8);
  auto const x = shard<"batch@dp d=2">(mesh, rows);

  auto const value = eval(x + 1);
  CHECK(unshard(value)(7, 1) == 16);

  static_assert(sharding_of<decltype(x)> == "batch@dp d=2");
  CHECK(unshard(x)(7, 1) == 15);

  static_assert(ShardType<decltype(x)> && !ShardType<Float32<"n">>);

  static_assert(AnyShard<decltype(x)>);

  static_assert(PartialShardType<decltype(sum<"batch">(x))>);

  Sharded<float, "batch@dp d=2"> const y = 2 * x;
  CHECK(unshard(y)(7, 1) == 30);

  auto const columns = unshard(reshard<"batch d">(x));
  CHECK(columns(7, 1) == 15);

  CHECK(all_reduce(sum<"batch">(x)).sizes()[0] == 2);

  CHECK(unshard(exact_sum<"batch">(x))(0) == 56);

  CHECK(unshard(exact_mean<"batch">(x))(0) == 7);

  auto const local = to_local(x);
  CHECK(local.size() == 2 * part_of<"batch">(rows, world.group()).sizes()[0]);

  auto const same = replicated(mesh, Float32<"d=2">{1, 2});
  CHECK(unshard(x * same)(7, 1) == 30);

  auto const ones_of_all = ones<Sharded<float, "batch@dp d=2">>(mesh, 8);
  CHECK(unshard(ones_of_all).size() == 16);

  auto const zeros_of_all = zeros<Sharded<float, "batch@dp d=2">>(mesh, 8);
  CHECK(unshard(zeros_of_all)(0, 0) == 0);

  auto const sevens = full<Sharded<float, "batch@dp d=2">>(mesh, 7, 8);
  CHECK(unshard(sevens)(0, 0) == 7);

  auto const drawn = uniform<Sharded<float, "batch@dp d=2">>(mesh, Key{1}, 8);
  CHECK(unshard(drawn)(3, 1) == uniform<Float32<"batch d=2">>(Key{1}, 8)(3, 1));

  auto const noise = normal<Sharded<float, "batch@dp d=2">>(mesh, Key{1}, 0, 1, 8);
  CHECK(unshard(noise)(3, 1) == normal<Float32<"batch d=2">>(Key{1}, 0, 1, 8)(3, 1));

  auto const product = matmul(x, replicated(mesh, Float32<"d=2 k=1">{{1}, {1}}));
  CHECK(unshard(product)(7, 0) == 29);

  auto const probabilities = softmax<"d">(x);
  CHECK(unshard(sum<"d">(probabilities))(0) == doctest::Approx(1));

  auto const scale = on_shards([](auto const& own) { return own / sum<"d">(own + 1, keep); });
  CHECK(unshard(scale(x))(0, 1) == doctest::Approx(1.0 / 3));

  auto const twice = local_map<"batch@dp d=2">([](auto const& own) { return eval(2 * own); });
  CHECK(unshard(twice(x))(7, 1) == 30);

  CHECK(sharding_table(x).find("dp") != std::string::npos);

  CHECK(global_norm(x, Group()) == doctest::Approx(35.2136));
  CHECK(global_norm(clip_by_global_norm(x, 1, Group()), Group()) == doctest::Approx(1));

  auto const cost = reshard_bytes<"batch d">(x);
  CHECK((cost.sent == 0) == (world.size() == 1));
}

TEST_CASE("tensor parallelism") {
  World const world;
  Mesh<"tp"> const mesh(world);
  auto const x = replicated(mesh, ones<Float32<"batch embed=4">>(3));

  using Up = ParallelLinear<"embed=4", "hidden=8@tp">;
  auto const up = init::normal(Key{1}, 0.1, on_mesh<Up>(mesh));
  static_assert(sharding_of<decltype(eval(up(x)))> == "batch hidden=8@tp");

  using Words = ParallelEmbedding<"word=97@tp", "embed=4">;
  auto const words = init::normal(Key{1}, 0.1, on_mesh<Words>(mesh));
  auto const looked_up = eval(words(replicated(mesh, Int32<"batch">{3, 96})));
  CHECK(unshard(looked_up).size() == 8);

  using Norm = ParallelLayerNorm<"embed=4">;
  auto const norm = init::normal(Key{1}, 0.1, on_mesh<Norm>(mesh));
  CHECK(unshard(norm(x))(0, 0) == 0);

  ParallelDropout const dropout{.rate = 0.5f};
  CHECK(unshard(eval(dropout(x)))(0, 0) == 1);  // without a key

  auto const logits = zeros<Sharded<float, "batch digit=10@tp">>(mesh, 2);
  auto const labels = replicated(mesh, Int32<"batch">{3, 1});
  CHECK(unshard(cross_entropy<"digit">(logits, labels)).item() == doctest::Approx(2.302585));

  auto const table = ones<Sharded<float, "word=97@tp embed=4">>(mesh);
  auto const ids = replicated(mesh, Int32<"batch">{3, 96});
  CHECK(unshard(all_reduce(take<"word">(table, ids))).size() == 8);
}

TEST_CASE("ZeRO") {
  World const world;
  Mesh<"dp"> const mesh(world);
  Float64<"n=2"> const model{3, 4};

  Zero const sgd{SGD{.rate = 0.5}, world.group()};
  auto const [next, state] = sgd.step(model, Float64<"n=2">{1, 1}, sgd.init(model));
  CHECK(next(0) == 2.5);

  ZeroShards<Float64<"n=2">> const rows = in_parts(model, world.group());
  CHECK(global_norm(rows) == doctest::Approx(5));

  auto const shards = in_parts(model, world.group());
  CHECK(global_norm(clip_by_global_norm(shards, 2.5)) == doctest::Approx(2.5));

  auto const weight = shard<"d@dp k=2">(mesh, ones<Float32<"d=4 k=2">>());
  auto const gathered = eval(unshard<"dp">(weight) + 1);
  static_assert(sharding_of<decltype(gathered)> == "d=4 k=2");
}

TEST_CASE("pipelines") {
  CHECK(bubble(4, 12) == doctest::Approx(0.2));

  LayerRange const range = layers_of_stage(10, 4, 0);
  CHECK(range.end == 3);

  Schedule const schedule = one_forward_one_backward;
  CHECK(schedule.in_flight(4, 0, 12) == 4);

  CHECK(gpipe.in_flight(4, 0, 12) == 12);

  Action const first = actions_of(gpipe, 4, 0, 12).front();
  CHECK(first.micro_batch == 0);
}

TEST_CASE("checkpoints") {
  World const world;
  Mesh<"dp"> const mesh(world);
  auto const x = shard<"batch@dp d=2">(mesh, iota<Float32<"batch d=2">>(8));

  checkpoint_trees::Folder const temporary(world);
  std::filesystem::path const folder = temporary / "run";

  save_shards(folder, x, mesh, SaveShardsOptions{.keep = 2});
  auto const again = load_shards(folder, x, mesh);
  CHECK(unshard(again)(7, 1) == 15);

  CHECK(load_shards_metadata(folder).empty());
}

}  // namespace functions_sharding_test
