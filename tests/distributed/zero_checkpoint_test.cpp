// Sharded optimiser state is loaded by any other number of ranks, and by one.
#include <doctest/doctest.h>

#include "checkpoint_trees.hpp"

#include <tenon/distributed/sharding/reduce_shards.hpp>
#include <tenon/distributed/sharding/sharded.hpp>
#include <tenon/distributed/zero/checkpoint.hpp>
#include <tenon/distributed/zero/gather.hpp>
#include <tenon/distributed/zero/zero.hpp>

namespace zero_checkpoint_test {

using checkpoint_trees::Folder;
using namespace tenon;
using namespace tenon::internal;

namespace {

struct Layer {
  Float64<"in=5 hidden=7"> up;
  Float32<"hidden=7"> bias;
};
struct Model {
  std::vector<Layer> layers;
  std::optional<Float64<"">> scale, missing;
  Float64<"n 3"> empty;
  Frozen<Float32<"m">> constant;
  int number = 0;
};

/// Elements with consecutive numbers from `first` on.
Model model_from(double first) {
  Model model{std::vector<Layer>(2), Float64<"">(0), {}, zeros<Float64<"n 3">>(0), {}, 0};
  tenon::tree::for_each(
      [&](auto& leaf) {
        for (std::int64_t i = 0; i < leaf.size(); ++i, ++first)
          leaf.mutable_data()[i] =
              static_cast<typename Unqualified<decltype(leaf)>::value_type>(first);
      },
      model);
  model.constant.value = ones<Float32<"m">>(4) * static_cast<float>(first);
  model.number = static_cast<int>(first);
  return model;
}

AdamWState<Model> whole_state() {
  return {model_from(1), model_from(1000), AdamWState<Model>::Steps(7)};
}
AdamWState<ZeroShards<Model>> state_in_parts(AdamWState<Model> const& whole, Group const& group) {
  return {in_parts(whole.mean, group), in_parts(whole.mean_square, group), whole.steps};
}
bool same(Model const& a, Model const& b) {
  bool yes = a.number == b.number && a.constant.value(3) == b.constant.value(3);
  tenon::tree::zip(
      [&](auto const& x, auto const& y) {
        yes = yes && std::equal(x.data(), x.data() + x.size(), y.data());
      },
      a, b);
  return yes;
}
bool is_loaded(AdamWState<ZeroShards<Model>> const& state) {
  return same(gathered(state.mean), model_from(1)) &&
         same(gathered(state.mean_square), model_from(1000)) && state.steps.item() == 7;
}

}  // namespace

TEST_CASE("sharded optimiser state is loaded by fewer ranks, by one, and back") {
  World const world;
  Folder const folder(world);
  auto const empty = Zero{AdamW(), world.group()}.init(model_from(0));
  save_shards(folder / "all", state_in_parts(whole_state(), world.group()), world);
  CHECK(is_loaded(load_shards(folder / "all", empty, world)));

  bool const is_first = world.rank() < (world.size() + 1) / 2;
  Group const some = world.group().split(is_first ? 0 : 1, 0, "some");
  auto const fewer = load_shards(folder / "all", Zero{AdamW(), some}.init(model_from(0)), some);
  CHECK(is_loaded(fewer));
  save_shards(folder / (is_first ? "first" : "second"), fewer, some);
  barrier(world.group());
  CHECK(is_loaded(load_shards(folder / "first", empty, world)));

  auto const one = load_shards(folder / "first", AdamW().init(model_from(0)), Group());
  CHECK(same(one.mean, model_from(1)));
  CHECK(same(one.mean_square, model_from(1000)));
  if (world.rank() == 0) save_shards(folder / "one", whole_state(), Group());
  barrier(world.group());
  CHECK(is_loaded(load_shards(folder / "one", empty, world)));
}

namespace {

struct OnMesh {
  Sharded<double, "in=5 hidden=7@tp"> up;
  Sharded<double, "row=9@dp hidden=7@tp"> down;
};
using InParts = ZeroShards<OnMesh>;

OnMesh on_mesh_times(Topology const& mesh, double factor) {
  auto const numbers = [&](std::int64_t n) { return iota<Float64<"n">>(n) * factor; };
  return {shard<"in hidden@tp">(mesh, reshape<"in=5 hidden=7">(numbers(35))),
          shard<"row@dp hidden@tp">(mesh, reshape<"row=9 hidden=7">(numbers(63)))};
}

}  // namespace

TEST_CASE("shards of parameters on a mesh are loaded on another mesh") {
  World const world;
  Folder const folder(world);
  int const tp = world.size() % 2 == 0 ? 2 : 1;
  Mesh<"dp tp"> const mesh(world, world.size() / tp, tp), other(world, 1, world.size());
  save_shards(folder, in_parts(on_mesh_times(mesh, 1), mesh.group<"dp">()), mesh);
  InParts const loaded =
      load_shards(folder, in_parts(on_mesh_times(other, 0), other.group<"dp">()), other);
  OnMesh const tree = gathered(loaded), expected = on_mesh_times(other, 1);
  CHECK(max(abs(unshard(tree.up) - unshard(expected.up))).item() == 0);
  CHECK(max(abs(unshard(tree.down) - unshard(expected.down))).item() == 0);
}

}  // namespace zero_checkpoint_test
