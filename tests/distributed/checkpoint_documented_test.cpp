// The code of docs/parallel.md about checkpoints.

#include <doctest/doctest.h>

#include "checkpoint_trees.hpp"

#include <tenon/distributed/sharding/init.hpp>
#include <tenon/distributed/sharding/reduce_shards.hpp>
#include <tenon/distributed/sharding/sharded.hpp>

namespace checkpoint_documented_test {

using namespace checkpoint_trees;

namespace {

/// All that a run goes on from.
struct Run {
  Sharded<float, "in=6 hidden=10@tp"> up;
  Sharded<float, "hidden=10@tp out=4"> down;
  Key key = Key(42);
  std::int64_t step = 0;
};

/// The same with another sharding, and the state of a single rank.
struct RunElsewhere {
  Sharded<float, "in=6@dp hidden=10"> up;
  Sharded<float, "hidden=10 out=4@tp@dp"> down;
  Key key;
  std::int64_t step = 0;
};
struct RunOfOne {
  Float32<"in=6 hidden=10"> up;
  Float32<"hidden=10 out=4"> down;
  Key key;
  std::int64_t step = 0;
};

}  // namespace

TEST_CASE("a run resumes on other ranks") {
  World const world;
  auto const mesh = mesh_of(world.group());
  Folder const folder(world);
  Run run = tenon::init::normal(Key(1), 0.5, on_mesh<Run>(mesh));
  run.step = 100;

  save_shards(folder, run, mesh);
  run = load_shards(folder, on_mesh<Run>(mesh), mesh);
  CHECK(run.step == 100);

  auto const other = load_shards(folder, on_mesh<RunElsewhere>(mesh), mesh);
  CHECK(all(unshard(other.up) == unshard(run.up)).item());
  CHECK(all(unshard(other.down) == unshard(run.down)).item());

  if (world.rank() == 0) {
    auto const one = load_shards(folder, RunOfOne(), Group());  // this rank alone
    save(folder / "run.safetensors", one);
  }
  barrier(world.group());
  run = load_shards(folder / "run.safetensors", on_mesh<Run>(mesh), mesh);
  CHECK(run.key == Key(42));
  CHECK(all(unshard(run.down) == unshard(other.down)).item());
}

}  // namespace checkpoint_documented_test
