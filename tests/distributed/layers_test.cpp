// Layers with sharded weights, compared with those of one rank: values and gradients.

#include <tenon/distributed/sharding/clip_gradients.hpp>
#include <tenon/distributed/sharding/init.hpp>
#include <tenon/distributed/tensor_parallel/layers.hpp>

#include <doctest/doctest.h>
#include <tenon/distributed/communication/mesh.hpp>
#include <tenon/tenon.hpp>

namespace layers_test {

using namespace tenon;

namespace {

/// An embedding, a norm and two matmuls; the stream between them is sharded along `t`.
struct Layers {
  ParallelEmbedding<"word=7@tp", "d=4", double> words;
  ParallelLayerNorm<"d=4", double> norm;
  ParallelLinear<"d=4", "hidden=6@tp", double> up;
  ParallelLinear<"hidden=6@tp", "d=4", double> down;

  auto operator()(ShardType auto const& ids) const {
    Sharded<double, "batch@dp t d=4"> const x = words(ids);
    Sharded<double, "batch@dp t@tp d=4"> const parts = reshard<"batch@dp t@tp d">(x);
    Sharded<double, "batch@dp t@tp d=4"> const rows = norm(parts);
    Sharded<double, "batch@dp t hidden=6@tp"> const hidden =
        tanh(up(reshard<"batch@dp t d">(rows)));
    Sharded<double, "batch@dp t@tp d=4"> const result = parts + down.scattered<"t">(hidden);
    return result;
  }
};

struct WholeLayers {
  Embedding<"word=7", "d=4", double> words;
  LayerNorm<"d=4", double> norm;
  Linear<"d=4", "hidden=6", double> up;
  Linear<"hidden=6", "d=4", double> down;

  Float64<"batch t d=4"> operator()(Int32<"batch t"> const& ids) const {
    Float64<"batch t d=4"> const x = words(ids);
    return x + down(tanh(up(norm(x))));
  }
};

template <class Ours, class Theirs>
double apart(Ours const& ours, Theirs const& theirs) {
  return max(abs(unshard(ours) - theirs)).item();
}

double worst(Layers const& ours, WholeLayers const& theirs) {
  return std::max({apart(ours.words.weight, theirs.words.weight),
                   apart(ours.norm.weight, theirs.norm.weight),
                   apart(ours.norm.bias, theirs.norm.bias), apart(ours.up.weight, theirs.up.weight),
                   apart(ours.up.bias, theirs.up.bias), apart(ours.down.weight, theirs.down.weight),
                   apart(ours.down.bias, theirs.down.bias)});
}

void compare(Topology const& mesh) {
  auto const layers = tenon::init::normal(Key(2), 0.5, on_mesh<Layers>(mesh));
  auto const one = tenon::init::normal<WholeLayers>(Key(2), 0.5);
  CHECK(worst(layers, one) == 0);

  auto const ids = uniform<Int32<"batch t">>(Key(3), 0, 7, 3, 5);
  auto const own = shard<"batch@dp t">(mesh, ids);
  CHECK(apart(layers(own), one(ids)) < 1e-13);

  auto const ours =
      grad([&](Layers const& l) { return unshard(all_reduce(sum(square(l(own))))); })(layers);
  auto const theirs = grad([&](WholeLayers const& l) { return eval(sum(square(l(ids)))); })(one);
  CHECK(worst(ours, theirs) < 1e-12);

  CHECK(global_norm(ours, Group()) == doctest::Approx(global_norm(theirs)));
  CHECK(worst(clip_by_global_norm(ours, 1, Group()), clip_by_global_norm(theirs, 1)) < 1e-13);
  CHECK(worst(clip_by_global_norm(ours, 1e9, Group()), theirs) < 1e-12);
}

}  // namespace

TEST_CASE("parallel layers agree with the layers of one rank") {
  World const world;
  for (int tp = 1; tp <= world.size(); ++tp) {
    if (world.size() % tp == 0) compare(Mesh<"dp tp">(world, world.size() / tp, tp));
  }
}

TEST_CASE("ids of a small dtype address the whole vocabulary in their range") {
  World const world;
  Mesh<"tp"> const mesh(world);
  auto const table = normal<Float64<"word=256 d=2">>(Key(8));
  Tensor<std::uint8_t, "n=4"> const ids{0, 1, 200, 255};
  auto const found = take<"word">(shard<"word@tp d">(mesh, table), replicated(mesh, ids));
  CHECK(apart(all_reduce(found), eval(take<"word">(table, ids))) == 0);
}

TEST_CASE("dropout of shards equals dropout of the whole") {
  World const world;
  Mesh<"tp"> const mesh(world);
  auto const x = normal<Float32<"batch t d=4">>(Key(5), 1, 2, 2, 7);
  auto const own = shard<"batch t@tp d">(mesh, x);
  CHECK(apart(ParallelDropout{0.4f}(own, Key(6)), eval(Dropout{0.4f}(x, Key(6)))) == 0);
  CHECK(apart(ParallelDropout{1}(own, Key(6)), eval(x * 0)) == 0);
  CHECK(apart(ParallelDropout{}(own), x) == 0);
  CHECK_THROWS_AS(ParallelDropout{2}(own, Key(6)), ValueError);
}

TEST_CASE("a norm includes the parameters of other stages") {
  World const world;
  Mesh<"pp"> const mesh(world);
  struct Tree {
    Float64<"n=2"> own;
  };
  Tree const tree{{3, 4}};
  CHECK(global_norm(tree, mesh.group<"pp">()) ==
        doctest::Approx(5 * std::sqrt(static_cast<double>(world.size()))));
}

}  // namespace layers_test
