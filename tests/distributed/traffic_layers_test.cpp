// The bytes that layers over ranks send, forward and backward, are the minimum.

#include <tenon/distributed/communication/mesh.hpp>
#include <tenon/distributed/data_parallel/average_gradients.hpp>
#include <tenon/distributed/sharding/init.hpp>
#include <tenon/distributed/sharding/reshard_bytes.hpp>
#include <tenon/distributed/tensor_parallel/layers.hpp>
#include <tenon/distributed/zero/zero.hpp>

#include <doctest/doctest.h>
#include <tenon/tenon.hpp>

namespace traffic_layers_test {

using namespace tenon;
using tenon::internal::mpi::bytes_of_all_reduce;

namespace {

using Rows = Sharded<double, "batch@dp d=4">;

struct Pair {
  ParallelLinear<"d=4", "hidden=6@tp", double> up;
  ParallelLinear<"hidden=6@tp", "d=4", double> down;

  auto operator()(Rows const& x) const { return Rows(down(tanh(up(x)))); }
};

struct Words {
  ParallelEmbedding<"word=7@tp", "d=4", double> words;
  ParallelLinear<"d=4", "word=7@tp", double> logits;

  auto operator()(Sharded<std::int32_t, "batch@dp"> const& ids) const {
    Rows const x = words(ids);
    Sharded<double, "batch@dp word=7@tp"> const scores = logits(x);
    return cross_entropy<"word">(scores, ids);
  }
};

template <class F>
void for_each_mesh(F const& f) {
  World const world;
  for (int tp = 1; tp <= world.size(); ++tp)
    if (world.size() % tp == 0) f(Mesh<"dp tp">(world, world.size() / tp, tp));
}

/// The bytes that the gradient of `f` sends from this rank, all of it by all_reduce.
template <class F, class Model>
std::int64_t sent_by_gradient(F const& f, Model const& model) {
  tenon::mpi::Traffic const traffic;
  (void)grad(f)(model);
  CHECK(traffic.sent() == traffic.by(tenon::mpi::Sends::all_reduce).sent);
  return traffic.sent();
}

/// The bytes that averages over dp of the shards of a model's weights send.
template <class... X>
std::int64_t averages(int dp, X const&... weights) {
  return (bytes_of_all_reduce(8 * weights.unchecked_local.size(), dp) + ...);
}

}  // namespace

TEST_CASE(
    "column-parallel and row-parallel layers send their rows once forward and once backward") {
  for_each_mesh([](Topology const& mesh) {
    int const tp = mesh.size("tp"), dp = mesh.size("dp");
    auto const model = tenon::init::normal(Key(2), 0.5, on_mesh<Pair>(mesh));
    Rows const x = shard<"batch@dp d=4">(mesh, normal<Float64<"batch d=4">>(Key(3), 8));
    std::int64_t const once = bytes_of_all_reduce(8 * x.unchecked_local.size(), tp);
    tenon::mpi::Traffic const forward;
    (void)model(x);
    CHECK(forward.sent() == once);
    auto const loss = [&](auto const& parts) {
      return unshard(all_reduce(sum(square(parts.layers(parts.rows)))));
    };
    struct Both {
      Pair layers;
      Rows rows;
    };
    std::int64_t const weights =
        averages(dp, model.up.weight, model.up.bias, model.down.weight, model.down.bias) +
        bytes_of_all_reduce(8, dp);
    CHECK(sent_by_gradient(loss, Both{model, x}) == 2 * once + weights);
  });
}

TEST_CASE("a sharded vocabulary sends rows, and three numbers per label") {
  for_each_mesh([](Topology const& mesh) {
    int const tp = mesh.size("tp"), dp = mesh.size("dp");
    auto const model = tenon::init::normal(Key(2), 0.5, on_mesh<Words>(mesh));
    auto const ids = shard<"batch@dp">(mesh, uniform<Int32<"batch">>(Key(3), 0, 7, 8));
    std::int64_t const label = 8 * ids.unchecked_local.size(),
                       rows = bytes_of_all_reduce(4 * label, tp);
    std::int64_t const classes =
        bytes_of_all_reduce(label, tp) + bytes_of_all_reduce(2 * label, tp);
    std::int64_t const weights =
        averages(dp, model.words.weight, model.logits.weight, model.logits.bias);
    auto const loss = [&](Words const& words) { return unshard(words(ids)); };
    CHECK(sent_by_gradient(loss, model) ==
          2 * rows + classes + weights + bytes_of_all_reduce(8, dp));
  });
}

TEST_CASE("an optimiser with sharded state sends no more than an average") {
  World const world;
  int const n = world.size();
  struct Model {
    Float32<"row=24 d=8"> weight;
    Float32<"row=24"> bias;
  };
  Model const model{ones<Float32<"row=24 d=8">>(), ones<Float32<"row=24">>()};
  std::int64_t const bytes = 4 * 24 * 9;
  tenon::mpi::Traffic const averaged;
  (void)average_gradients(model, world.group());
  CHECK(averaged.sent() == bytes_of_all_reduce(bytes, n));
  Zero const adam{AdamW{.rate = 1e-3}, world.group()};
  auto const state = adam.init(model);
  tenon::mpi::Traffic const traffic;
  (void)adam.step(model, model, state);
  CHECK(traffic.sent() == bytes_of_all_reduce(bytes, n));
  CHECK(traffic.received() == traffic.sent());
}

TEST_CASE("the bytes of a resharding are known in advance") {
  for_each_mesh([](Topology const& mesh) {
    auto const x = normal<Float64<"n m k">>(Key(1), 7, 5, 3);
    auto const first = shard<"n@dp m k">(mesh, x);
    auto const check = []<class To>(To, auto const& from) {
      constexpr auto spec = To::spec;
      tenon::mpi::Traffic const before;
      tenon::internal::mpi::TransferCounts const expected = reshard_bytes<spec>(from);
      CHECK(before.by(tenon::mpi::Sends::agreement).calls == 0);
      tenon::mpi::Traffic const traffic;
      auto const result = reshard<spec>(from);
      CHECK(traffic.all() == expected);
      return result;
    };
    auto const one = check(Sharded<double, "n@dp@tp m k">(), first);
    auto const two = check(Sharded<double, "n@dp m@tp k">(), one);
    auto const three = check(Sharded<double, "n m@tp k@dp">(), two);
    auto const last = check(Sharded<double, "n m k">(), three);
    CHECK(max(abs(last.unchecked_local - x)).item() == 0);
  });
}

}  // namespace traffic_layers_test
