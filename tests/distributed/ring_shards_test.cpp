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

using Queries = Float64<"batch query head=4 feature=3">;
using Keys = Float64<"batch key head=4 feature=3">;

/// A batch over dp, a sequence over cp, heads over tp.
struct Parts {
  Sharded<double, "batch@dp query@cp head=4@tp feature=3"> q;
  Sharded<double, "batch@dp key@cp head=4@tp feature=3"> k, v;
};
struct Wholes {
  Queries q = normal<Queries>(Key(1), 3, 13);
  Keys k = normal<Keys>(Key(2), 3, 13), v = normal<Keys>(Key(3), 3, 13);
};

Parts parts_of(Topology const& mesh, Wholes const& x) {
  return {shard<"batch@dp query@cp head@tp feature">(mesh, x.q),
          shard<"batch@dp key@cp head@tp feature">(mesh, x.k),
          shard<"batch@dp key@cp head@tp feature">(mesh, x.v)};
}

template <Expression A, Expression B>
double distance(A const& a, B const& b) {
  return a.size() == 0 ? 0 : max(abs(a - b)).item();
}

/// Attention over ranks, with gradients, compared with one rank.
void compare(Topology const& mesh) {
  CAPTURE(mesh.text());
  Wholes const one;
  auto const [expected, wanted] = value_and_grad(
      [](Wholes const& x) { return sum(square(causal_attention(x.q, x.k, x.v))); })(one);
  auto const parts = parts_of(mesh, one);
  auto const [loss, got] = value_and_grad([](Parts const& x) {
    auto const y = causal_attention(x.q, x.k, x.v);
    static_assert(sharding_of<decltype(y)> == "batch@dp query@cp head=4@tp feature=3");
    return unshard(all_reduce(sum(square(y))));
  })(parts);
  CHECK(std::abs(loss.item() - expected.item()) < 1e-12);
  CHECK(distance(unshard(got.q), wanted.q) < 1e-12);
  CHECK(distance(unshard(got.k), wanted.k) < 1e-12);
  CHECK(distance(unshard(got.v), wanted.v) < 1e-12);
  CHECK(distance(unshard(full_attention(parts.q, parts.k, parts.v)),
                 full_attention(one.q, one.k, one.v)) < 1e-12);
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
  auto const q = shard<"batch@dp query head@tp feature">(mesh, one.q);
  auto const k = shard<"batch@dp key head@tp feature">(mesh, one.k);
  auto const v = shard<"batch@dp key head@tp feature">(mesh, one.v);
  tenon::mpi::Traffic const traffic;
  auto const y = causal_attention(q, k, v);
  CHECK(traffic.sent() == 0);
  CHECK(distance(unshard(y), causal_attention(one.q, one.k, one.v)) < 1e-12);
}

TEST_CASE("heads are exchanged for the sequence by all_to_all, and back") {
  World const world;
  Mesh<"cp"> const mesh(world);
  Wholes const one;
  auto const q = shard<"batch query@cp head feature">(mesh, one.q);
  auto const k = shard<"batch key@cp head feature">(mesh, one.k);
  auto const v = shard<"batch key@cp head feature">(mesh, one.v);
  auto const heads = causal_attention(reshard<"batch query head@cp feature">(q),
                                      reshard<"batch key head@cp feature">(k),
                                      reshard<"batch key head@cp feature">(v));
  auto const y = reshard<"batch query@cp head feature">(heads);
  CHECK(distance(unshard(y), unshard(causal_attention(q, k, v))) < 1e-12);
}

TEST_CASE("a sequence over two axes of a mesh, in their order") {
  World const world;
  int const rows = world.size() % 2 == 0 ? 2 : 1;
  Mesh<"row column"> const mesh(world, rows, world.size() / rows);
  Wholes const one;
  auto const q = shard<"batch query@row@column head feature">(mesh, one.q);
  auto const k = shard<"batch key@row@column head feature">(mesh, one.k);
  CHECK(distance(unshard(causal_attention(q, k, k)), causal_attention(one.q, one.k, one.k)) <
        1e-12);
  auto const other = shard<"batch query@column@row head feature">(mesh, one.q);
  auto const keys = shard<"batch key@column@row head feature">(mesh, one.k);
  CHECK_THROWS_WITH_AS((void)causal_attention(other, keys, keys), doctest::Contains("row@column"),
                       ValueError);
}

}  // namespace ring_shards_test
