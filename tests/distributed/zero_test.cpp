// A sharded optimiser takes the step of one rank and keeps its shard of the state.
#include "ranks.hpp"

#include <array>
#include <cstring>
#include <optional>
#include <vector>

#include <tenon/distributed/communication/mesh.hpp>
#include <tenon/distributed/data_parallel/average_gradients.hpp>
#include <tenon/distributed/sharding/reduce_shards.hpp>
#include <tenon/distributed/sharding/sharded.hpp>
#include <tenon/distributed/zero/gather.hpp>
#include <tenon/distributed/zero/zero.hpp>

namespace zero_test {

using namespace tenon::internal;

using namespace ranks;

namespace {

/// Leaves of many kinds: fewer rows than ranks, no rows, scalars, both dtypes.
struct Model {
  Float64<"in=5 hidden=7"> up;
  Float64<"hidden=7"> bias;
  std::vector<Float64<"hidden=7 rest">> more;
  std::array<Float32<"n">, 2> small;
  std::optional<Float32<"2 3 4">> there, missing;
  Float64<""> scale;
  Float64<"n 3"> empty;
  Frozen<Float32<"m">> constant;
  int number = 0;
};

/// Random numbers in all leaves.
template <class Tree>
Tree filled(Tree tree, Key key) {
  tenon::tree::for_each(
      [&](auto& leaf) {
        key = fold_in(key, 1);
        auto const drawn = normal<Float64<"n">>(key, leaf.size());
        using T = typename Unqualified<decltype(leaf)>::value_type;
        std::transform(drawn.data(), drawn.data() + leaf.size(), leaf.mutable_data(),
                       [](double x) { return static_cast<T>(x); });
      },
      tree);
  return tree;
}

Model model_of(Key key) {
  Model model;
  model.more.resize(2, zeros<Float64<"hidden=7 rest">>(3));
  model.small = {zeros<Float32<"n">>(1), zeros<Float32<"n">>(19)};
  model.there.emplace();
  model.empty = zeros<Float64<"n 3">>(0);
  model.constant.value = ones<Float32<"m">>(4);
  model.number = 3;
  return filled(model, key);
}

/// True if two trees have the same bits.
template <class Tree>
bool same(Tree const& a, Tree const& b) {
  bool yes = true;
  tenon::tree::zip(
      [&](auto const& x, auto const& y) {
        yes = yes && x.sizes() == y.sizes() && std::equal(x.data(), x.data() + x.size(), y.data());
      },
      a, b);
  return yes;
}

/// True if two trees agree up to the order of summation over ranks.
template <class Tree>
bool is_near(Tree const& a, Tree const& b) {
  bool yes = true;
  tenon::tree::zip(
      [&](auto const& x, auto const& y) {
        double const limit = sizeof(*x.data()) == 4 ? 1e-6 : 1e-14;
        for (std::int64_t i = 0; i < x.size(); ++i)
          yes = yes && std::abs(double(x.data()[i]) - double(y.data()[i])) < limit;
      },
      a, b);
  return yes;
}

template <Expression A, Expression B>
double distance(A const& a, B const& b) {
  return max(abs(a - b)).item();
}

template <class Tree>
std::int64_t bytes_of(Tree const& tree) {
  std::int64_t bytes = 0;
  tenon::tree::for_each(
      [&](auto const& leaf) {
        bytes += leaf.size() * static_cast<std::int64_t>(sizeof(*leaf.data()));
      },
      tree);
  return bytes;
}

/// Three steps of a sharded optimiser, compared with one that has the whole state.
template <class Optimiser>
void compare(Optimiser const& optimiser, Group const& group, std::int64_t bucket) {
  Zero const zero{optimiser, group, bucket};
  Model model = model_of(Key(1)), expected = model;
  auto state = zero.init(model);
  auto whole_state = optimiser.init(model);
  for (std::uint64_t i = 0; i < 3; ++i) {
    Model const own = model_of(Key(10 * i + static_cast<std::uint64_t>(group.rank()) + 100));
    Model const mean = gathered(zero.reduce(own));
    CHECK(is_near(mean, average_gradients(own, group)));
    std::tie(expected, whole_state) =
        optimiser.step(expected, mean, whole_state, 0.1 / double(i + 1));
    std::tie(model, state) = zero.step(model, own, state, 0.1 / double(i + 1));
    CHECK(same(model, expected));
  }
}

/// Sharded over three axes of a mesh, with an unsharded leaf.
struct ShardedModel {
  Sharded<double, "in=5 hidden=7@tp"> up;
  Sharded<double, "hidden=7"> bias;
  Sharded<double, "expert=3@dp d=2"> experts;
  Float64<"n"> scale;
};
struct OneModel {
  Float64<"in=5 hidden=7"> up;
  Float64<"hidden=7"> bias;
  Float64<"expert=3 d=2"> experts;
  Float64<"n"> scale;
};
OneModel one_model(Key key) { return filled(OneModel{{}, {}, {}, ones<Float64<"n">>(2)}, key); }
ShardedModel many_of(Topology const& mesh, OneModel const& one) {
  return {shard<"in hidden@tp">(mesh, one.up), replicated(mesh, one.bias),
          shard<"expert@dp d">(mesh, one.experts), one.scale};
}

}  // namespace

TEST_CASE("a sharded step equals the step of one rank bit for bit, with buckets of any size") {
  World const world;
  for (std::int64_t const bucket : {std::int64_t{1}, std::int64_t{300}, bucket_bytes}) {
    compare(AdamW{.weight_decay = 0.3}, world.group(), bucket);
    compare(SGD{.momentum = 0.9}, world.group(), bucket);
  }
}

TEST_CASE("a rank keeps its share of the state, also of many small leaves") {
  World const world;
  std::vector<Float64<"n">> model(64, ones<Float64<"n">>(3));
  model.push_back(ones<Float64<"n">>(100 * world.size()));
  auto const state = Zero{AdamW(), world.group()}.init(model);
  std::int64_t const whole = 8 * (64 * 3 + 100 * world.size()), own = bytes_of(state.mean);
  CHECK(std::abs(own - whole / world.size()) <= 8);
  CHECK(bytes_of(state.mean_square) == own);
}

TEST_CASE(
    "gradients accumulate as shards over several batches, and are clipped by the norm of all") {
  World const world;
  Zero const zero{SGD{.rate = 0.5}, world.group()};
  Model const model = model_of(Key(1));
  Key const own = Key(100 + world.rank());
  Model const first = model_of(fold_in(own, 1)), second = model_of(fold_in(own, 2));
  auto sum = zero.reduce(first);
  tenon::tree::zip([](auto& to, auto const& from) { to = to + from; }, sum, zero.reduce(second));
  Model const whole = gathered(sum);
  CHECK(global_norm(sum) == doctest::Approx(global_norm(whole)));
  tenon::mpi::Traffic const traffic;
  auto const clipped = clip_by_global_norm(sum, 0.1);
  CHECK(traffic.calls() == (world.size() > 1 ? 1 : 0));
  CHECK(global_norm(clipped) == doctest::Approx(0.1));
  auto const [stepped, state] = zero.step(model, clipped, zero.init(model));
  auto const expected = SGD{.rate = 0.5}.step(model, gathered(clipped), SGD().init(model)).first;
  CHECK(same(stepped, expected));
  CHECK(same(clip_by_global_norm(sum, 1e9), sum));
}

TEST_CASE("sharded leaves are distributed among the ranks that hold the same shard") {
  World const world;
  int const tp = world.size() % 2 == 0 ? 2 : 1;
  Mesh<"dp tp"> const mesh(world, world.size() / tp, tp);
  Group const& data = mesh.group<"dp">();
  Zero const zero{AdamW{.rate = 0.1, .weight_decay = 0.3}, data};
  OneModel one = one_model(Key(1)), mean = one_model(Key(2));
  ShardedModel model = many_of(mesh, one), gradients = many_of(mesh, mean);
  // The gradient of an expert is already summed over all ranks.
  tenon::tree::for_each([&](auto& x) { x = x * double(data.rank() + 1); }, gradients);
  double const sum = data.size() * (data.size() + 1) / 2.0;
  tenon::tree::for_each([&](auto& x) { x = x * (sum / data.size()); }, mean);
  gradients.experts = shard<"expert@dp d">(mesh, mean.experts * double(data.size()));

  auto const parts = zero.reduce(gradients);
  CHECK(std::abs(global_norm(parts) - global_norm(mean)) < 1e-12);
  auto const state = zero.init(model);
  CHECK(bytes_of(state.mean) <= 8 * (35 / world.size() + 7 + 3 * 2 + 2 + 8));
  auto const summed = in_parts(many_of(mesh, mean), data);  // if ranks already had the mean
  auto const other = zero.step(model, clip_by_global_norm(summed, 1.0), state).first;
  model = zero.step(model, clip_by_global_norm(parts, 1.0), state).first;
  CHECK(is_near(other, model));
  one = AdamW{.rate = 0.1, .weight_decay = 0.3}
            .step(one, clip_by_global_norm(mean, 1.0), AdamW().init(one))
            .first;
  CHECK(distance(unshard(model.up), one.up) < 1e-13);
  CHECK(distance(unshard(model.bias), one.bias) < 1e-13);
  CHECK(distance(unshard(model.experts), one.experts) < 1e-13);
  CHECK(distance(model.scale, one.scale) < 1e-13);
}

TEST_CASE("a step sends as many bytes as averaging") {
  World const world;
  std::int64_t const ranks = world.size(), bytes = 8 * 24 * 10;
  auto const model = ones<Float64<"row=24 column=10">>();
  Zero const zero{SGD(), world.group()};
  auto const state = zero.init(model);
  tenon::mpi::Traffic const traffic;
  auto const parts = zero.reduce(model);
  CHECK(traffic.sent() == bytes / ranks * (ranks - 1));
  (void)zero.step(model, parts, state);
  CHECK(traffic.sent() == tenon::internal::mpi::bytes_of_all_reduce(bytes, world.size()));
}

TEST_CASE("a group that is not along axes of the mesh distributes no sharded leaf") {
  World const world;
  Mesh<"dp"> const mesh(world);
  Group const some = world.group().split(world.rank() % 2, 0, "every other");
  struct Leaf {
    Sharded<double, "n=8"> up;
  } const leaf{replicated(mesh, ones<Float64<"n=8">>())};
  if (some.size() > 1)
    CHECK_THROWS_WITH_AS(in_parts(leaf, some),
                         "tenon::Zero: 'up': expected a group along axes of the mesh of the leaf, "
                         "got every other",
                         ValueError);
}

}  // namespace zero_test
