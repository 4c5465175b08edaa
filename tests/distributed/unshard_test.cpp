// Parameters sharded over the ranks of a batch: unsharded for use, with sharded gradients.
#include "ranks.hpp"

#include <tenon/distributed/communication/mesh.hpp>
#include <tenon/distributed/sharding/reduce_shards.hpp>
#include <tenon/distributed/sharding/sharded.hpp>
#include <tenon/distributed/tensor_parallel/vocabulary.hpp>
#include <tenon/distributed/zero/unshard.hpp>

namespace unshard_test {

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

/// Sharded over dp to save memory and over tp for tensor parallelism.
struct ShardedLayers {
  Sharded<double, "in=6@dp hidden=7@tp"> up;
  Sharded<double, "hidden=7@tp"> bias;
  Sharded<double, "hidden=7@tp@dp out=5"> down;
};

auto loss_of(ShardedLayers const& layers, Sharded<double, "batch@dp in=6"> const& x) {
  auto const hidden = tanh(matmul(x, unshard<"dp">(layers.up)) + unshard<"dp">(layers.bias));
  auto const out = all_reduce(matmul(hidden, unshard<"dp">(layers.down)));
  return unshard(all_reduce(mean(square(out))));
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

TEST_CASE("weights sharded over the ranks of the batch have the gradients of one rank, as shards") {
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
  CHECK(distance(unshard(got.up), wanted.up) < 1e-14);
  CHECK(distance(unshard(got.bias), wanted.bias) < 1e-14);
  CHECK(distance(unshard(got.down), wanted.down) < 1e-14);
  CHECK(many.up.unchecked_local.size() <= 42 / world.size() + 7 + 6);
}

TEST_CASE("a weight that is unsharded late is sent once forward, and its gradient once backward") {
  World const world;
  Mesh<"dp"> const mesh(world);
  auto const x = shard<"batch@dp in">(mesh, images);
  using W = Sharded<double, "in=6@dp hidden=7">;
  W const w = shard<"in@dp hidden">(mesh, Layers().up);
  auto const late = [&](W const& weight) {
    return unshard(all_reduce(sum(square(matmul(x, unshard<"dp">(weight))))));
  };
  auto const early = [&](W const& weight) {
    return unshard(all_reduce(sum(square(matmul(x, reshard<"in hidden">(weight))))));
  };
  tenon::mpi::Traffic const traffic;
  auto const found = grad(late)(w);
  std::int64_t const one = 8 * w.unchecked_local.size(), all = 8 * 42, ranks = world.size();
  CHECK(traffic.by(tenon::mpi::Sends::all_gather).sent == one * (ranks - 1));
  CHECK(traffic.by(tenon::mpi::Sends::reduce_scatter).sent == all - one);
  CHECK(traffic.by(tenon::mpi::Sends::all_reduce).sent ==
        tenon::internal::mpi::bytes_of_all_reduce(8, world.size()));
  CHECK(distance(unshard(found), unshard(grad(early)(w))) < 1e-11);
}

TEST_CASE("a weight that all ranks use alike has one adjoint") {
  World const world;
  auto const mesh = mesh_of(world);
  auto const w = shard<"in@dp hidden">(mesh, Layers().up);
  auto const found = grad([&](Sharded<double, "in=6@dp hidden=7"> const& weight) {
    return unshard(sum(square(unshard<"dp">(weight))));
  })(w);
  CHECK(distance(unshard(found), 2 * Layers().up) < 1e-15);
}

TEST_CASE("an embedding table is unsharded for lookups") {
  World const world;
  auto const mesh = mesh_of(world);
  auto const table = shard<"in@dp hidden">(mesh, Layers().up);
  auto const ids = iota<Int32<"batch">>(6);
  auto const own = shard<"batch@dp">(mesh, ids);
  auto const found = grad([&](Sharded<double, "in=6@dp hidden=7"> const& weight) {
    return unshard(all_reduce(sum(square(take<"in">(unshard<"dp">(weight), own)))));
  })(table);
  CHECK(distance(unshard(found), 2 * Layers().up) < 1e-15);
}

TEST_CASE("gather_to has the adjoints of all ranks") {
  World const world;
  Group const& group = world.group();
  auto const own = rows(world.rank(), world.rank() % 3);  // some have none
  auto const loss = [&](Float64<"n d=2"> const& x) {
    auto const all = gather_to<"n">(x, group);
    return all_reduce(Float64<"">(sum(all * all * all) * (1.0 + world.rank())), group);
  };
  CHECK(worst_gradient(loss, own, group) < 1e-4);
  auto const other = [&](Float64<"n d=2"> const& x) {
    auto const all = gather_to<"d">(x, group);
    return all_reduce(Float64<"">(sum(all * all * all) * (1.0 + world.rank())), group);
  };
  CHECK(worst_gradient(other, rows(world.rank(), 3), group) < 1e-4);
}

TEST_CASE("an outer axis of the mesh cannot be unsharded before the inner ones") {
  using Inner = Sharded<double, "in=6@dp@tp hidden=7">;
  static_assert(std::same_as<decltype(unshard<"dp">(std::declval<Inner const&>())),
                             compile_error::mesh_axis_does_not_divide_last<"dp", Inner::spec>>);
  using Outer = decltype(unshard<"tp">(std::declval<Inner const&>()));
  static_assert(sharding_of<Outer> == "in=6@dp hidden=7");
  using Same = Sharded<double, "in=6 hidden=7@tp">;
  static_assert(std::same_as<decltype(unshard<"dp">(std::declval<Same const&>())), Same>);
}

}  // namespace unshard_test
