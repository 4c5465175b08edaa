// Parameters divided over the ranks of a batch: gathered for use, their gradients come in parts.
#include "ranks.hpp"

#include <vector>

#include <tenon/dist/mesh.hpp>
#include <tenon/dist/reduce_shards.hpp>
#include <tenon/dist/sharded.hpp>
#include <tenon/dist/unshard.hpp>
#include <tenon/dist/vocabulary.hpp>
#include <tenon/dist/zero.hpp>
#include <tenon/dist/zero_gather.hpp>

using namespace ranks;

namespace {

using Images = Float64<"batch in=6">;
Images const images = normal<Images>(Key(1), 13);

struct Layers {
  Float64<"in=6 hidden=7"> up = normal<Float64<"in=6 hidden=7">>(Key(2));
  Float64<"hidden=7"> bias = normal<Float64<"hidden=7">>(Key(3));
  Float64<"hidden=7 out=5"> down = normal<Float64<"hidden=7 out=5">>(Key(4));
};

auto loss_of(Layers const& layers, Images const& x) {
  auto const hidden = tanh(matmul(x, layers.up) + layers.bias);
  return mean(square(matmul(hidden, layers.down)));
}

/// Divided over dp for memory, over tp for work.
struct ShardedLayers {
  Sharded<double, "in=6@dp hidden=7@tp"> up;
  Sharded<double, "hidden=7@tp"> bias;
  Sharded<double, "hidden=7@tp@dp out=5"> down;
};

auto loss_of(ShardedLayers const& layers, Sharded<double, "batch@dp in=6"> const& x) {
  auto const hidden = tanh(matmul(x, unshard<"dp">(layers.up)) + unshard<"dp">(layers.bias));
  auto const out = all_reduce(matmul(hidden, unshard<"dp">(layers.down)));
  return whole(all_reduce(mean(square(out))));
}

template <Expression A, Expression B>
double distance(A const& a, B const& b) {
  return a.size() == 0 ? 0 : max(abs(a - b)).item();
}

Mesh<"dp tp"> mesh_of(World const& world) {
  int const tp = world.size() % 2 == 0 ? 2 : 1;
  return Mesh<"dp tp">(world, world.size() / tp, tp);
}

}  // namespace

TEST_CASE("weights divided over the ranks of the batch have the gradients of one rank, in parts") {
  World const world;
  auto const mesh = mesh_of(world);
  Layers const one;
  ShardedLayers const many{shard<"in@dp hidden@tp">(mesh, one.up),
                           shard<"hidden@tp">(mesh, one.bias),
                           shard<"hidden@tp@dp out">(mesh, one.down)};
  auto const x = shard<"batch@dp in">(mesh, images);
  auto const [expected, wanted] =
      value_and_grad([&](Layers const& layers) { return loss_of(layers, images); })(one);
  auto const [loss, got] =
      value_and_grad([&](ShardedLayers const& layers) { return loss_of(layers, x); })(many);
  CHECK(std::abs(loss.item() - expected.item()) < 1e-14);
  CHECK(distance(whole(got.up), wanted.up) < 1e-14);
  CHECK(distance(whole(got.bias), wanted.bias) < 1e-14);
  CHECK(distance(whole(got.down), wanted.down) < 1e-14);
  CHECK(many.up.local.size() <= 42 / world.size() + 7 + 6);
}

TEST_CASE(
    "a weight that is gathered late is sent once there and its gradient once back, in parts") {
  World const world;
  Mesh<"dp"> const mesh(world);
  auto const x = shard<"batch@dp in">(mesh, images);
  using W = Sharded<double, "in=6@dp hidden=7">;
  W const w = shard<"in@dp hidden">(mesh, Layers().up);
  auto const late = [&](W const& weight) {
    return whole(all_reduce(sum(square(matmul(x, unshard<"dp">(weight))))));
  };
  auto const early = [&](W const& weight) {
    return whole(all_reduce(sum(square(matmul(x, reshard<"in hidden">(weight))))));
  };
  mpi::Traffic const traffic;
  auto const found = grad(late)(w);
  std::int64_t const one = 8 * w.local.size(), all = 8 * 42, ranks = world.size();
  CHECK(traffic.by(mpi::Sends::all_gather).sent == one * (ranks - 1));
  CHECK(traffic.by(mpi::Sends::reduce_scatter).sent == all - one);
  CHECK(traffic.by(mpi::Sends::all_reduce).sent == mpi::bytes_of_all_reduce(8, world.size()));
  CHECK(distance(whole(found), whole(grad(early)(w))) < 1e-11);
}

TEST_CASE("a weight that all ranks use alike has one adjoint") {
  World const world;
  auto const mesh = mesh_of(world);
  auto const w = shard<"in@dp hidden">(mesh, Layers().up);
  auto const found = grad([&](Sharded<double, "in=6@dp hidden=7"> const& weight) {
    return whole(sum(square(unshard<"dp">(weight))));
  })(w);
  CHECK(distance(whole(found), 2 * Layers().up) < 1e-15);
}

TEST_CASE("a table is gathered to look words up") {
  World const world;
  auto const mesh = mesh_of(world);
  auto const table = shard<"in@dp hidden">(mesh, Layers().up);
  auto const ids = iota<Int32<"batch">>(6);
  auto const own = shard<"batch@dp">(mesh, ids);
  auto const found = grad([&](Sharded<double, "in=6@dp hidden=7"> const& weight) {
    return whole(all_reduce(sum(square(take<"in">(unshard<"dp">(weight), own)))));
  })(table);
  CHECK(distance(whole(found), 2 * Layers().up) < 1e-15);
}

namespace {

/// A layer as its users write it, whole.
struct Layer {
  Float64<"d=32 e=32"> weight;
  Float64<"e=32"> bias;

  Float64<"batch d=32"> operator()(Float64<"batch d=32"> const& x) const {
    return rename<"e -> d">(tanh(matmul(x, weight) + bias));
  }
};
using Tokens = Float64<"batch d=32">;

struct Net {
  std::vector<Layer> layers;
  Float64<"d=32"> last;
};
/// The same, its layers in parts. What all ranks have stands beside them.
struct NetInParts {
  std::vector<ZeroParts<Layer>> layers;
  ZeroParts<Float64<"d=32">> last;
};

Net net() {
  Net made = {std::vector<Layer>(6), normal<Float64<"d=32">>(Key(1))};
  for (std::size_t i = 0; i < 6; ++i) {
    made.layers[i].weight = normal<Float64<"d=32 e=32">>(fold_in(Key(2), i), 0, 0.2);
    made.layers[i].bias = normal<Float64<"e=32">>(fold_in(Key(3), i));
  }
  return made;
}
NetInParts in_parts_of(Net const& whole, Group const& group) {
  NetInParts parts{{}, in_parts(whole.last, group)};
  for (auto const& layer : whole.layers) parts.layers.push_back(in_parts(layer, group));
  return parts;
}

Float64<""> loss_of(Net const& model, Tokens x) {
  for (auto const& layer : model.layers) x = layer(x);
  return mean(square(matmul(x, model.last)));
}
/// `in_use`: what of memory there is at the end.
Float64<""> loss_of(NetInParts const& model, Tokens x, std::int64_t& in_use) {
  auto const layer_of = [](ZeroParts<Layer> const& parts, Tokens const& in) {
    return gathered(parts)(in);
  };
  for (auto const& layer : model.layers) x = checkpoint(layer_of)(layer, x);
  in_use = bytes_in_use();
  return mean(square(matmul(x, gathered(model.last))));
}

}  // namespace

TEST_CASE("layers in parts are gathered one at a time, their gradients are those of one rank") {
  World const world;
  Group const& group = world.group();
  Net const one = net();
  auto const parts = in_parts_of(one, group);
  Tokens const all = normal<Tokens>(Key(5), 2 * group.size());
  Tokens const own = slice<"batch", 2>(all, 2 * group.rank());
  std::int64_t const before = bytes_in_use();
  std::int64_t during = 0;
  auto const [expected, wanted] =
      value_and_grad([&](Net const& model) { return loss_of(model, all); })(one);
  auto const [loss, got] = value_and_grad([&](NetInParts const& model) {
    return all_reduce<op::mean>(loss_of(model, own, during), group);
  })(parts);
  CHECK(std::abs(loss.item() - expected.item()) < 1e-13);
  for (std::size_t i = 0; i < 6; ++i) {
    Layer const found = gathered(got.layers[i]);
    CHECK(distance(found.weight, wanted.layers[i].weight) < 1e-13);
    CHECK(distance(found.bias, wanted.layers[i].bias) < 1e-13);
  }
  CHECK(distance(gathered(got.last), wanted.last) < 1e-13);
  MESSAGE(during - before, " ", sizeof(double) * 33 * 32);
}

TEST_CASE("parameters in parts are stepped where they are") {
  World const world;
  Net const one = net();
  auto const parts = in_parts_of(one, world.group());
  std::int64_t held = 0;
  tree::for_each([&](auto const& part) { held += part.size(); }, parts);
  CHECK(held <= tree::elements(one) / world.size() + 7 * 32);
  AdamW const adam{.rate = 0.1};
  auto const clipped = clip_by_global_norm(parts, 1.0);
  CHECK(global_norm(parts) == doctest::Approx(global_norm(one)));
  auto const stepped = adam.step(parts, clipped, adam.init(parts)).first;
  auto const expected = adam.step(one, clip_by_global_norm(one, 1.0), adam.init(one)).first;
  for (std::size_t i = 0; i < 6; ++i)
    CHECK(distance(gathered(stepped.layers[i]).weight, expected.layers[i].weight) < 1e-13);
}

TEST_CASE("gathering has derivatives of derivatives") {
  World const world;
  Float64<"n"> const x = normal<Float64<"n">>(Key(1), 5);
  auto const parts = in_parts(x, world.group());
  auto const loss = [&](auto const& p) {
    Float64<"n"> const all = gathered(p);
    return all_reduce<op::mean>(Float64<"">(sum(all * all * all)), world.group());
  };
  auto const slope = [&](auto const& p) {
    Float64<"n"> const g = gathered(grad(loss)(p));
    return all_reduce<op::mean>(Float64<"">(sum(square(g))), world.group());
  };
  CHECK(distance(gathered(grad(slope)(parts)), 36 * x * x * x) < 1e-12);
}
