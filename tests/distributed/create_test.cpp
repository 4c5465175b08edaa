// Tensors that are created sharded equal the shards of tensors created on one rank.

#include <tenon/distributed/communication/mesh.hpp>
#include <tenon/distributed/sharding/init.hpp>
#include <tenon/distributed/sharding/reshard.hpp>
#include <tenon/distributed/sharding/sharded.hpp>

#include <doctest/doctest.h>
#include <tenon/tenon.hpp>

namespace create_test {

using namespace tenon;

namespace {

bool equal(Expression auto const& a, Expression auto const& b) { return all(a == b).item(); }

struct Layers {
  Sharded<float, "in=5 head@tp feature=3"> rows;
  Sharded<double, "out=7@dp@tp"> vector;
  Sharded<bfloat16, "in=3@dp out=5@tp"> halves;
};
struct WholeLayers {
  Float32<"in=5 head feature=3"> rows;
  Float64<"out=7"> vector;
  BFloat16<"in=3 out=5"> halves;
};

}  // namespace

TEST_CASE("sharded random draws form one tensor, the same on every mesh") {
  World const world;
  for (int tp = 1; tp <= world.size(); ++tp) {
    if (world.size() % tp != 0) continue;
    Mesh<"dp tp"> const mesh(world, world.size() / tp, tp);
    Key const key(5);
    using X = Sharded<float, "a b@tp c=6@dp">;
    CHECK(equal(unshard(normal<X>(mesh, key, 1, 0.5, 3, 5)),
                normal<Float32<"a b c=6">>(key, 1, 0.5, 3, 5)));
    CHECK(equal(unshard(uniform<X>(mesh, key, 2, 3)), uniform<Float32<"a b c=6">>(key, 2, 3)));
    CHECK(unshard(zeros<X>(mesh, 0, 3)).size() == 0);
    CHECK(equal(unshard(full<Sharded<double, "a=2 b=9@dp@tp">>(mesh, 2.5)),
                full<Float64<"a=2 b=9">>(2.5)));
  }
}

TEST_CASE("a sharded model is initialised like the whole one") {
  World const world;
  int const tp = world.size() % 2 == 0 ? 2 : 1;
  Mesh<"dp tp"> const mesh(world, world.size() / tp, tp);
  Layers sizes = on_mesh<Layers>(mesh);
  sizes.rows = zeros<decltype(sizes.rows)>(mesh, 3);
  auto const parts = tenon::init::normal(Key(7), 0.5, sizes);
  WholeLayers whole_sizes;
  whole_sizes.rows = zeros<decltype(whole_sizes.rows)>(3);
  auto const expected = tenon::init::normal(Key(7), 0.5, whole_sizes);
  CHECK(equal(unshard(parts.rows), expected.rows));
  CHECK(equal(unshard(parts.vector), expected.vector));
  CHECK(equal(to<float>(unshard(parts.halves)), to<float>(expected.halves)));
}

TEST_CASE("a model that is not on a mesh cannot be drawn") {
  CHECK_THROWS_WITH(tenon::init::normal(Key(1), 1.0, Layers()),
                    "tenon::Sharded: expected a tensor on a mesh, got none");
}

}  // namespace create_test
