// Attention of tensors with a sharded sequence agrees with one rank on any mesh.

#include <tenon/distributed/communication/mesh.hpp>
#include <tenon/distributed/context_parallel/ring_attention.hpp>
#include <tenon/distributed/sharding/reduce_shards.hpp>
#include <tenon/distributed/sharding/sharded.hpp>

#include <doctest/doctest.h>
#include <tenon/tenon.hpp>

namespace ring_shards_test {

using namespace tenon;

namespace {

using Queries = Float64<"batch head=4 query feature=3">;
using Keys = Float64<"batch head=4 key feature=3">;

/// A batch over dp, a sequence over cp, heads over tp.
struct Parts {
  Sharded<double, "batch@dp head=4@tp query@cp feature=3"> q;
  Sharded<double, "batch@dp head=4@tp key@cp feature=3"> k, v;
};
struct Wholes {
  Queries q = normal<Queries>(Key(1), 3, 13);
  Keys k = normal<Keys>(Key(2), 3, 13), v = normal<Keys>(Key(3), 3, 13);
};

Parts parts_of(Topology const& mesh, Wholes const& x) {
  return {shard<"batch@dp head@tp query@cp feature">(mesh, x.q),
          shard<"batch@dp head@tp key@cp feature">(mesh, x.k),
          shard<"batch@dp head@tp key@cp feature">(mesh, x.v)};
}

template <Expression A, Expression B>
double distance(A const& a, B const& b) {
  return a.size() == 0 ? 0 : max(abs(a - b)).item();
}

/// Attention over ranks, with gradients, compared with one rank.
void compare(Topology const& mesh) {
  CAPTURE(mesh.text());
  Wholes const one;
  auto const [expected, wanted] = value_and_grad([](Wholes const& x) {
    return sum(square(scaled_dot_product_attention(x.q, x.k, x.v, is_causal)));
  })(one);
  auto const parts = parts_of(mesh, one);
  auto const [loss, got] = value_and_grad([](Parts const& x) {
    auto const y = scaled_dot_product_attention(x.q, x.k, x.v, is_causal);
    static_assert(sharding_of<decltype(y)> == "batch@dp head=4@tp query@cp feature=3");
    return unshard(all_reduce(sum(square(y))));
  })(parts);
  CHECK(std::abs(loss.item() - expected.item()) < 1e-12);
  CHECK(distance(unshard(got.q), wanted.q) < 1e-12);
  CHECK(distance(unshard(got.k), wanted.k) < 1e-12);
  CHECK(distance(unshard(got.v), wanted.v) < 1e-12);
  CHECK(distance(unshard(scaled_dot_product_attention(parts.q, parts.k, parts.v)),
                 scaled_dot_product_attention(one.q, one.k, one.v)) < 1e-12);
}

}  // namespace

TEST_CASE("batch, sequence and heads are sharded simultaneously") {
  World const world;
  for (int cp = 1; cp <= world.size(); ++cp) {
    if (world.size() % cp != 0) continue;
    int const others = world.size() / cp, tp = others % 2 == 0 ? 2 : 1;
    compare(Mesh<"dp cp tp">(world, others / tp, cp, tp));
  }
}

TEST_CASE("where the sequence is whole each rank attends to it alone") {
  World const world;
  Mesh<"dp tp"> const mesh(world, 1, world.size());
  Wholes const one;
  auto const q = shard<"batch@dp head@tp query feature">(mesh, one.q);
  auto const k = shard<"batch@dp head@tp key feature">(mesh, one.k);
  auto const v = shard<"batch@dp head@tp key feature">(mesh, one.v);
  tenon::mpi::Traffic const traffic;
  auto const y = scaled_dot_product_attention(q, k, v, is_causal);
  CHECK(traffic.sent() == 0);
  CHECK(distance(unshard(y), scaled_dot_product_attention(one.q, one.k, one.v, is_causal)) < 1e-12);
}

TEST_CASE("heads are exchanged for the sequence by all_to_all, and back") {
  World const world;
  Mesh<"cp"> const mesh(world);
  Wholes const one;
  auto const q = shard<"batch head query@cp feature">(mesh, one.q);
  auto const k = shard<"batch head key@cp feature">(mesh, one.k);
  auto const v = shard<"batch head key@cp feature">(mesh, one.v);
  auto const heads = scaled_dot_product_attention(
      reshard<"batch head@cp query feature">(q), reshard<"batch head@cp key feature">(k),
      reshard<"batch head@cp key feature">(v), is_causal);
  auto const y = reshard<"batch head query@cp feature">(heads);
  CHECK(distance(unshard(y), unshard(scaled_dot_product_attention(q, k, v, is_causal))) < 1e-12);
}

TEST_CASE("a sequence over two axes of a mesh, in their order") {
  World const world;
  int const rows = world.size() % 2 == 0 ? 2 : 1;
  Mesh<"row column"> const mesh(world, rows, world.size() / rows);
  Wholes const one;
  auto const q = shard<"batch head query@row@column feature">(mesh, one.q);
  auto const k = shard<"batch head key@row@column feature">(mesh, one.k);
  CHECK(distance(unshard(scaled_dot_product_attention(q, k, k, is_causal)),
                 scaled_dot_product_attention(one.q, one.k, one.k, is_causal)) < 1e-12);
  auto const other = shard<"batch head query@column@row feature">(mesh, one.q);
  auto const keys = shard<"batch head key@column@row feature">(mesh, one.k);
  CHECK_THROWS_WITH_AS((void)scaled_dot_product_attention(other, keys, keys, is_causal),
                       doctest::Contains("row@column"), ValueError);
}

}  // namespace ring_shards_test
