// Sharded tensors: computations on shards agree with one rank on the whole, including gradients.

#include <tenon/distributed/communication/mesh.hpp>
#include <tenon/distributed/sharding/dispatch.hpp>
#include <tenon/distributed/sharding/on_shards.hpp>
#include <tenon/distributed/sharding/reduce_shards.hpp>
#include <tenon/distributed/sharding/reduction.hpp>

#include <doctest/doctest.h>
#include <tenon/tenon.hpp>

namespace sharded_test {

using namespace tenon;
using namespace tenon::internal;

namespace {

/// As square as possible for any number of ranks.
Mesh<"dp tp"> mesh_of(World const& world) {
  int const tp = world.size() % 2 == 0 ? 2 : 1;
  return Mesh<"dp tp">(world, world.size() / tp, tp);
}

template <Expression A, Expression B>
double distance(A const& a, B const& b) {
  return a.size() == 0 ? 0 : max(abs(a - b)).item();
}

using X = Float64<"batch in=5">;
using W1 = Float64<"in=5 hidden=7">;
using W2 = Float64<"hidden=7 out=3">;

X const images = normal<X>(Key(1), 11);

/// The layers on one rank.
struct Layers {
  W1 up = normal<W1>(Key(2));
  Float64<"hidden=7"> bias = normal<Float64<"hidden=7">>(Key(3));
  W2 down = normal<W2>(Key(4));
};

auto loss_of(Layers const& layers, X const& x) {
  auto const hidden = tanh(matmul(x, layers.up) + layers.bias);
  return mean(square(matmul(hidden, layers.down)));
}

/// Megatron's two layers: the first divided by columns, the second by rows.
struct ShardedLayers {
  Sharded<double, "in=5 hidden=7@tp"> up;
  Sharded<double, "hidden=7@tp"> bias;
  Sharded<double, "hidden=7@tp out=3"> down;
};

auto loss_of(ShardedLayers const& layers, Sharded<double, "batch@dp in=5"> const& x) {
  auto const hidden = tanh(matmul(x, layers.up) + layers.bias);
  static_assert(sharding_of<decltype(hidden)> == "batch@dp hidden=7@tp");
  auto const out = all_reduce(matmul(hidden, layers.down));
  static_assert(sharding_of<decltype(out)> == "batch@dp out=3");
  return unshard(all_reduce(mean(square(out))));
}

}  // namespace

TEST_CASE("any layout is resharded to any other and back") {
  World const world;
  auto const mesh = mesh_of(world);
  auto const x = shard<"batch@dp in">(mesh, images);
  static_assert(sharding_of<decltype(x)> == "batch@dp in=5");
  CHECK(x.unchecked_local.sizes()[0] <= images.sizes()[0]);
  CHECK(distance(unshard(x), images) == 0);
  CHECK(distance(unshard(reshard<"batch in@tp">(x)), images) == 0);
  CHECK(distance(unshard(reshard<"batch in@dp">(x)), images) == 0);
  auto const grid = reshard<"batch@tp in@dp">(reshard<"batch@dp in@tp">(x));
  static_assert(sharding_of<decltype(grid)> == "batch@tp in=5@dp");
  CHECK(distance(unshard(grid), images) == 0);
  CHECK(distance(unshard(reshard<"batch@dp@tp in">(grid)), images) == 0);
}

TEST_CASE("two sharded layers have the loss and the gradients of one rank") {
  World const world;
  auto const mesh = mesh_of(world);
  Layers const one;
  ShardedLayers const many{shard<"in hidden@tp">(mesh, one.up), shard<"hidden@tp">(mesh, one.bias),
                           shard<"hidden@tp out">(mesh, one.down)};
  auto const x = shard<"batch@dp in">(mesh, images);
  auto const [expected, wanted] =
      value_and_grad([&](Layers const& layers) { return loss_of(layers, images); })(one);
  auto const [loss, got] =
      value_and_grad([&](ShardedLayers const& layers) { return loss_of(layers, x); })(many);
  CHECK(std::abs(loss.item() - expected.item()) < 1e-14);
  CHECK(distance(unshard(got.up), wanted.up) < 1e-14);
  CHECK(distance(unshard(got.bias), wanted.bias) < 1e-14);
  CHECK(distance(unshard(got.down), wanted.down) < 1e-14);
}

TEST_CASE("reduce_scatter of a partial sum") {
  World const world;
  auto const mesh = mesh_of(world);
  Layers const one;
  auto const x = shard<"batch in@tp">(mesh, images);
  auto const w = shard<"in@tp hidden">(mesh, one.up);
  auto const y = reduce_scatter<"batch">(matmul(x, w));
  static_assert(sharding_of<decltype(y)> == "batch@tp hidden=7");
  CHECK(distance(unshard(y), matmul(images, one.up)) < 1e-13);
}

TEST_CASE("reductions over sharded axes agree with the whole") {
  World const world;
  auto const mesh = mesh_of(world);
  auto const x = shard<"batch@dp in@tp">(mesh, images);
  CHECK(std::abs(unshard(all_reduce(sum(x))).item() - sum(images).item()) < 1e-13);
  CHECK(unshard(all_reduce(max(x))).item() == max(images).item());
  CHECK(distance(unshard(all_reduce(mean<"batch">(x))), mean<"batch">(images)) < 1e-15);
  CHECK(distance(unshard(all_reduce(min<"in">(x * 2.0))), min<"in">(images * 2.0)) == 0);
  CHECK(unshard(all_reduce(all(x < 100.0))).item());
}

TEST_CASE("the adjoint of a replicated value is summed over all axes of the mesh") {
  World const world;
  auto const mesh = mesh_of(world);
  auto const x = shard<"batch@dp in@tp">(mesh, images);
  auto const loss = [&](Sharded<double, ""> const& scale) {
    return unshard(all_reduce(sum(square(x * scale))));
  };
  auto const derivative = grad(loss)(replicated(mesh, Float64<"">(3.0)));
  CHECK(std::abs(unshard(derivative).item() - 6 * sum(square(images)).item()) < 1e-11);
}

TEST_CASE("run-time sizes are checked") {
  World const world;
  auto const mesh = mesh_of(world);
  CHECK_THROWS_AS((shard<"batch=9@dp in">(mesh, images)), ShapeError);
  auto const x = shard<"batch@dp in">(mesh, images);
  CHECK_THROWS_AS((reshard<"batch=9 in">(x)), ShapeError);
  using Nine = Sharded<double, "batch=9@dp in=5">;
  CHECK_THROWS_AS(void(Nine(x * 2.0)), ShapeError);
  auto const other = mesh_of(world);
  CHECK_THROWS_WITH_AS(x + shard<"batch@dp in">(other, images),
                       "tenon::Sharded: the operands lie on two meshes", Error);
}

TEST_CASE("elementwise maps are fused into a sharded matmul") {
  World const world;
  auto const mesh = mesh_of(world);
  Layers const one;
  auto const x = shard<"batch@dp in">(mesh, images);
  auto const w = shard<"in hidden@tp">(mesh, one.up);
  auto const y = relu(matmul(x, w) + shard<"hidden@tp">(mesh, one.bias));
  static_assert(has_product<decltype(y.unchecked_local)>);
  CHECK(distance(unshard(y), relu(matmul(images, one.up) + one.bias)) < 1e-13);
}

TEST_CASE("a function of shards reads no size of one shard") {
  World const world;
  Mesh<"dp tp"> const mesh(world, world.size(), 1);
  auto const x = shard<"batch@dp in">(mesh, images);
  auto const mean_by_local_size = on_shards(
      [](auto const& own) { return sum<"batch">(own / static_cast<double>(size<"batch">(own))); });
  if (mesh.size<"dp">() == 1) {
    CHECK(distance(unshard(all_reduce(mean_by_local_size(x))), mean<"batch">(images)) < 1e-14);
  } else {
    auto const ranks = mesh.size<"dp">();
    auto const words = [](std::int64_t local, std::int64_t all) {
      return "tenon::on_shards: expected a function that reads no size of a divided axis, got the "
             "number " +
             std::to_string(local) + ".0 of a shard, " + std::to_string(all) +
             ".0 of the whole tensor: read sizes() of the sharded tensor before";
    };
    CHECK_THROWS_WITH_AS(mean_by_local_size(x), words((11 + ranks - 1) / ranks, 11).c_str(),
                         ValueError);
    auto const one_row = shard<"batch@dp in">(mesh, normal<X>(Key(1), 1));  // all in one shard
    CHECK_THROWS_WITH_AS(mean_by_local_size(one_row), words(0, 1).c_str(), ValueError);
  }
  auto const whole = static_cast<double>(x.sizes()[0]);
  auto const by_whole_size =
      on_shards([=](auto const& own) { return sum<"batch">(own / whole); })(x);
  CHECK(distance(unshard(all_reduce(by_whole_size)), mean<"batch">(images)) < 1e-14);
  auto const of_rows = on_shards([](auto const& own) { return own - mean<"in">(own, keep); })(x);
  CHECK(distance(unshard(of_rows), images - mean<"in">(images, keep)) < 1e-14);
}

}  // namespace sharded_test
