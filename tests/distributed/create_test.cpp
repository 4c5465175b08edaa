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

namespace {

/// All ranks throw the same, with a line for the call of rank 1.
template <class F>
void check_refused(std::string const& operation, std::string const& line, F const& call) {
  std::string words;
  try {
    call();
  } catch (CommunicationError const& error) {
    words = error.what();
  }
  CAPTURE(words);
  CHECK(words.starts_with("tenon::" + operation + ": expected one call on all ranks of group '"));
  CHECK(words.find("\n  rank 1: " + line) != words.npos);
}

}  // namespace

TEST_CASE("what differs between ranks is no sharded tensor") {
  World const world;
  if (world.size() == 1) return;
  Mesh<"dp"> const mesh(world);
  int const odd = world.rank() == 1 ? 1 : 0;
  Float32<"n"> const x = zeros<Float32<"n">>(7 + odd);
  check_refused("shard", "shard float32 \"n@dp\" of 8 (create_test.cpp:", [&] {
    (void)shard<"n@dp">(mesh, x);
  });
  check_refused("replicated", "replicated float32 \"n\" of 8 (create_test.cpp:", [&] {
    (void)replicated(mesh, x);
  });
  using X = Sharded<float, "n@dp">;
  check_refused("full", "full float32 \"n@dp\" of 8", [&] { (void)zeros<X>(mesh, 7 + odd); });
  check_refused("full", "full float32 \"n@dp\" of 7: filled with 1.0",
                [&] { (void)full<X>(mesh, odd, 7); });
  check_refused("full", "full float32 \"n@dp\" of 7: filled with 2e-09",
                [&] { (void)full<X>(mesh, 1e-9 * (1 + odd), 7); });
  std::int64_t const large = std::int64_t{1} << 53;  // beyond it not all integers are doubles
  check_refused("full", "full int64 \"n=2\" of 2: filled with 9007199254740993",
                [&] { (void)full<Sharded<std::int64_t, "n=2">>(mesh, large + odd); });
  check_refused("uniform", "uniform float32 \"n@dp\" of 7: Key of words 4 0",
                [&] { (void)uniform<X>(mesh, Key(3 + odd), 7); });
  check_refused("normal", "normal float32 \"n@dp\" of 7: Key of words 3 0, numbers 0.0",
                [&] { (void)normal<X>(mesh, Key(3), 0, 1 + odd, 7); });
  check_refused("normal", "normal float32 \"n@dp\" of 7: Key of words 3 0, numbers 0.0 2e-09",
                [&] { (void)normal<X>(mesh, Key(3), 0, 1e-9 * (1 + odd), 7); });
  X const like = zeros<X>(mesh, 7);
  check_refused("init", "init float32 \"n@dp\" of 7: Key of words",
                [&] { (void)tenon::init::normal(Key(3 + odd), 0.5, like); });
  auto const alone = mesh.independent("dp");
  CHECK(unshard(replicated(alone, x)).size() == 7 + odd);
}

TEST_CASE("values are compared if that is enabled") {
  World const world;
  if (world.size() == 1) return;
  Mesh<"dp"> const mesh(world);
  Float32<"n=2"> const x{1, world.rank() == 1 ? 3.0f : 2.0f};
  CHECK(unshard(replicated(mesh, x)).size() == 2);
  check_values(true);
  check_refused("replicated", "replicated float32 \"n=2\" of 2 (create_test.cpp:", [&] {
    (void)replicated(mesh, x);
  });
  check_refused("shard", "shard float32 \"n@dp\" of 2 (create_test.cpp:", [&] {
    (void)shard<"n@dp">(mesh, x);
  });
  CHECK(unshard(replicated(mesh, Float32<"n=2">{1, 2})).size() == 2);
  CHECK(unshard(replicated(mesh.independent("dp"), x)).size() == 2);
  check_values(false);
}

}  // namespace create_test
