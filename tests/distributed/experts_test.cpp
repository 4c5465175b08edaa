// A mixture of experts over ranks agrees with one rank, including gradients: numbers of experts
// that do not divide evenly, ranks without experts or tokens, and dropped tokens.

#include <tenon/distributed/communication/mesh.hpp>
#include <tenon/distributed/experts/experts.hpp>
#include <tenon/distributed/experts/sharded_experts.hpp>
#include <tenon/distributed/sharding/init.hpp>

#include "ranks.hpp"

namespace experts_test {

using namespace tenon;
using namespace tenon::internal;

namespace {

using One = MixtureOfExperts<"embed=4", "hidden=6", "expert=5", 2, double>;
using Many = ShardedMixtureOfExperts<"embed=4", "hidden=6", "expert=5@ep", 2, double>;
using OpenMany = ShardedMixtureOfExperts<"embed=4", "hidden=6@tp", "expert@ep", 2, double>;
using OpenOne = MixtureOfExperts<"embed=4", "hidden=6", "expert", 2, double>;
using Batch = Float64<"batch t embed=4">;

/// Random weights and tokens, the same on every rank.
template <class Model>
Model random(int seed, Model const& like = Model()) {
  std::int64_t number = 0;
  return tenon::tree::map(
      [&](auto const& leaf) {
        return tenon::internal::init::DrawNormal{0.7}(leaf, fold_in(Key(seed), number++));
      },
      like);
}

/// A scalar in which each element has a different weight.
template <class Mixture, class X>
auto weighed(Mixture const& made, X const& x) {
  return sum(sin(made * 3.0) * x);
}

template <class A, class B>
double difference(A const& a, B const& b) {
  return a.size() == 0 ? 0.0 : double(max(abs(a - b)).item());
}

template <class A, class B, class F>
void for_each_pair(A& a, B& b, F const& f) {
  f(a.gate, b.gate), f(a.up, b.up), f(a.up_bias, b.up_bias);
  f(a.down, b.down), f(a.down_bias, b.down_bias);
}

/// A layer and its tokens, as the argument of the gradient.
template <class Layer, class X>
struct Problem {
  Layer layer;
  X x;
};

template <class Layer, class X>
auto loss_of(Problem<Layer, X> const& p) {
  auto const made = p.layer.with_losses(p.x);
  auto const total = weighed(made.value, p.x);
  if constexpr (AnyShard<X>)
    return unshard(all_reduce_if_partial(total) + made.balance_loss * 2.0 + made.z_loss * 0.5);
  else return eval(total + made.balance_loss * 2.0 + made.z_loss * 0.5);
}

/// Batch sharded as in `S` and experts over `ep`, compared with one rank.
template <class Layer, Spec S, class Mesh>
void compare(Mesh const& mesh, RouterOptions const& options) {
  Problem<One, Batch> one{random<One>(1), normal<Batch>(Key(2), 7, 3)};
  one.layer.options = options;
  Problem<Layer, Sharded<double, S>> many{{}, shard<S>(mesh, one.x)};
  many.layer.options = options;
  for_each_pair(many.layer, one.layer, [&](auto& to, auto const& from) {
    to = shard<Unqualified<decltype(to)>::spec>(mesh, from);
  });
  auto const f = [](auto const& p) { return loss_of(p); };
  auto const [expected, wanted] = value_and_grad(f)(one);
  auto const [loss, got] = value_and_grad(f)(many);
  CHECK(std::abs(loss.item() - expected.item()) < 1e-12);
  CHECK(difference(unshard(many.layer(many.x)), one.layer(one.x)) < 1e-13);
  CHECK(difference(unshard(got.x), wanted.x) < 1e-12);
  for_each_pair(got.layer, wanted.layer, [](auto const& ours, auto const& theirs) {
    CHECK(difference(unshard(ours), theirs) < 1e-12);
  });
}

}  // namespace

template <class X>
using Refusal = decltype(std::declval<Many const&>()(std::declval<X const&>()));
static_assert(std::same_as<Refusal<Sharded<double, "batch@ep embed=4@tp">>,
                           compile_error::axis_is_divided_reshard_first<
                               "MixtureOfExperts", "embed=4@tp", "batch@ep embed=4@tp">>);
static_assert(std::same_as<Refusal<Sharded<double, "batch@ep embed=3">>,
                           compile_error::axes_do_not_fit<"MixtureOfExperts", "embed=3", "embed=4",
                                                          "batch embed=3", "embed=4">>);
static_assert(
    std::same_as<
        Refusal<PartialShard<Float64<"batch embed=4">, "batch@ep embed=4", "tp", op::SumReduction>>,
        compile_error::value_is_partial_over<"MixtureOfExperts", "tp", "batch@ep embed=4">>);

TEST_CASE("experts over a mesh agree with one rank, and drop the same tokens") {
  World const world;
  for (int ep = 1; ep <= world.size(); ++ep) {
    if (world.size() % ep != 0) continue;
    Mesh<"dp ep"> const mesh(world, world.size() / ep, ep);
    for (float const factor : {100.0f, 0.6f}) {
      RouterOptions const options{.capacity_factor = factor};
      compare<Many, "batch@dp@ep t embed=4">(mesh, options);
    }
    compare<Many, "batch@dp t embed=4">(mesh, {.capacity_factor = 0.6f});  // ep: the same tokens
  }
}

TEST_CASE("a run-time number of experts, and their hidden units, are sharded") {
  World const world;
  for (int ep = 1; ep <= world.size(); ++ep) {
    if (world.size() % ep != 0) continue;
    Mesh<"ep tp"> const mesh(world, ep, world.size() / ep);
    compare<OpenMany, "batch@ep t embed=4">(mesh, {.capacity_factor = 0.6f});
  }
}

TEST_CASE("experts are sharded over two axes of a mesh, sequences over one of them") {
  using Layer = ShardedMixtureOfExperts<"embed=4", "hidden=6", "expert=5@ep@cp", 2, double>;
  World const world;
  for (int ep = 1; ep <= world.size(); ++ep) {
    if (world.size() % ep != 0) continue;
    Mesh<"ep cp"> const mesh(world, ep, world.size() / ep);
    compare<Layer, "batch@ep t@cp embed=4">(mesh, {});
  }
}

TEST_CASE("experts are initialised like those of one rank, each rank with its shard") {
  World const world;
  Mesh<"ep tp=1"> const mesh(world);
  auto const one = tenon::init::gpt2(Key(5), 2, OpenOne::with_experts(3));
  auto const many = tenon::init::gpt2(Key(5), 2, OpenMany::with_experts(mesh, 3));
  for_each_pair(many, one, [](auto const& ours, auto const& theirs) {
    CHECK(difference(unshard(ours), theirs) == 0);
  });
  CHECK(max(abs(one.down)).item() > 0);
}

TEST_CASE("with a capacity per rank, each rank drops the tokens that it would drop alone") {
  World const world;
  Mesh<"ep"> const mesh(world);
  auto one = random<One>(1);
  auto const x = shard<"batch@ep t embed=4">(mesh, normal<Batch>(Key(2), 7, 3));
  Many many;
  for_each_pair(many, one, [&](auto& to, auto const& from) {
    to = shard<Unqualified<decltype(to)>::spec>(mesh, from);
  });
  one.options = many.options = {.capacity_factor = 0.6f, .capacity_per_rank = true};
  CHECK(difference(many(x).unchecked_local, one(Batch(x.unchecked_local))) < 1e-13);
}

TEST_CASE("a mixture over groups of ranks agrees with one rank, and drops the same tokens") {
  World const world;
  Problem<One, Batch> one{random<One>(1), normal<Batch>(Key(2), 7, 3)};
  for (int ep = 1; ep <= world.size(); ++ep) {
    if (world.size() % ep != 0) continue;
    Mesh<"dp ep"> const mesh(world, world.size() / ep, ep);
    one.layer.options.capacity_factor = 0.6f;
    ExpertGroups const groups{mesh.group<"ep">(), mesh.group<"dp">(), mesh.group()};
    Problem<OpenOne, Batch> const own{part_of_experts(one.layer, groups.experts),
                                      part_of<"batch">(one.x, groups.tokens)};
    auto const [expected, wanted] = value_and_grad([](auto const& p) { return loss_of(p); })(one);
    auto const [loss, got] = value_and_grad([&](auto const& p) {
      auto const made = mixed_over_ranks(p.layer, p.x, groups);
      auto const total = all_reduce(weighed(made.value, p.x), groups.tokens);
      return eval(total + made.balance_loss * 2.0 + made.z_loss * 0.5);
    })(own);
    CHECK(std::abs(loss.item() - expected.item()) < 1e-12);
    CHECK(difference(all_gather<"batch">(got.x, groups.tokens), wanted.x) < 1e-12);
    auto const part = part_of_experts(wanted.layer, groups.experts);
    for_each_pair(got.layer, part, [](auto const& ours, auto const& theirs) {
      CHECK(difference(ours, theirs) < 1e-12);
    });
  }
}

}  // namespace experts_test
