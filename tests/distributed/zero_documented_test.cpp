// The code of docs/parallel.md about sharded optimiser state, gradients and parameters.
#include "ranks.hpp"

#include <vector>

#include <tenon/distributed/communication/mesh.hpp>
#include <tenon/distributed/sharding/reduce_shards.hpp>
#include <tenon/distributed/sharding/sharded.hpp>
#include <tenon/distributed/zero/gather.hpp>
#include <tenon/distributed/zero/unshard.hpp>
#include <tenon/distributed/zero/zero.hpp>

namespace zero_documented_test {

using namespace ranks;

namespace {

using Batch = Float64<"batch in=6">;
Batch const images = normal<Batch>(Key(1), 24);

/// Hidden units are sharded over tp.
struct Net {
  Sharded<double, "in=6 hidden=8@tp"> up;
  Sharded<double, "hidden=8@tp"> bias;
  Sharded<double, "hidden=8@tp out=2"> down;
};

Net net_on(Topology const& mesh) {
  return {shard<"in hidden@tp">(mesh, normal<Float64<"in=6 hidden=8">>(Key(2))),
          shard<"hidden@tp">(mesh, zeros<Float64<"hidden=8">>()),
          shard<"hidden@tp out">(mesh, normal<Float64<"hidden=8 out=2">>(Key(3)))};
}

/// The loss of the images of this rank's coordinate on dp, which are the same on the other axes.
Float64<""> loss_of(Net const& net, Batch const& own) {
  auto const each = net.up.place.topology()->independent("dp");
  auto const hidden = tanh(matmul(replicated(each, own), net.up) + net.bias);
  return unshard(mean(square(all_reduce(matmul(hidden, net.down)))));
}

/// The training below on one rank, with all images of a step.
Net trained_alone(WarmupCosine const& rate, int ranks) {
  Net model = net_on(Mesh<"dp tp">(Group(), 1, 1));
  AdamW const adam;
  auto state = adam.init(model);
  for (std::int64_t step = 0; step < 4; ++step) {
    auto const gradients = grad([&](Net const& net) {
      auto const loss_at = [&](int first) {
        return loss_of(net, take<"batch">(images, iota<Int32<"batch">>(ranks) + first));
      };
      return Float64<"">(loss_at(0) + loss_at(8));
    })(model);
    std::tie(model, state) = adam.step(model, clip_by_global_norm(gradients, 1.0, Group()),
                                       std::move(state), rate(step));
  }
  return model;
}

template <Expression A, Expression B>
double distance(A const& a, B const& b) {
  return max(abs(a - b)).item();
}

}  // namespace

TEST_CASE("training on a mesh: weights sharded over tp, the optimiser's state over dp as well") {
  World const world;
  Mesh<"dp tp"> const mesh(world, world.size() % 2 == 0 ? world.size() / 2 : world.size(),
                           world.size() % 2 == 0 ? 2 : 1);
  Group const& data = mesh.group<"dp">();
  Net model = net_on(mesh);
  Zero const adam{AdamW{.rate = 0.05}, data};
  auto state = adam.init(model);
  WarmupCosine const rate{.peak = 0.05, .warmup = 1, .steps = 4};
  for (std::int64_t step = 0; step < 4; ++step) {
    auto const own = [&](std::int64_t micro) {
      return eval(slice<"batch", 1>(images, 8 * micro + data.rank()));
    };
    auto const gradient = [&](std::int64_t micro) {
      return grad([&](Net const& net) { return loss_of(net, own(micro)); })(model);
    };
    auto gradients = adam.reduce(gradient(0));  // this rank's rows of the mean over dp
    tenon::tree::zip([](auto& sum, auto const& next) { sum = sum + next; }, gradients,
                     adam.reduce(gradient(1)));
    gradients = clip_by_global_norm(std::move(gradients), 1.0);
    std::tie(model, state) = adam.step(model, gradients, state, rate(step));
  }

  Net const expected = trained_alone(rate, data.size());
  CHECK(distance(unshard(model.up), unshard(expected.up)) < 1e-12);
  CHECK(distance(unshard(model.bias), unshard(expected.bias)) < 1e-12);
  CHECK(distance(unshard(model.down), unshard(expected.down)) < 1e-12);
  CHECK(global_norm(state.mean) > 0);
}

namespace {

/// A layer as without ranks, and a model with sharded layers.
struct Layer {
  Float64<"in=6 e=6"> weight;

  Batch operator()(Batch const& x) const { return rename<"e -> in">(tanh(matmul(x, weight))); }
};
struct Deep {
  std::vector<ZeroShards<Layer>> layers;
};

Float64<""> loss_of(Deep const& model, Batch x) {
  auto const layer_of = [](ZeroShards<Layer> const& parts, Batch const& in) {
    return gathered(parts)(in);  // gathered here, dropped after, gathered again for the gradient
  };
  for (auto const& layer : model.layers) x = checkpoint(layer_of)(layer, x);
  return mean(square(x));
}

}  // namespace

TEST_CASE("training with sharded parameters") {
  World const world;
  Group const& data = world.group();
  Batch const own = eval(slice<"batch", 3>(images, 3 * data.rank()));
  Deep model;
  for (int i = 0; i < 4; ++i)
    model.layers.push_back(in_parts(tenon::init::normal<Layer>(fold_in(Key(5), i), 0.4), data));
  AdamW const adam{.rate = 0.01};
  auto state = adam.init(model);  // of the parts alone
  double first = 0, last = 0;
  for (int step = 0; step < 5; ++step) {
    auto const [loss, gradients] = value_and_grad([&](Deep const& deep) {
      return all_reduce<op::mean>(loss_of(deep, own), data);  // one loss of all ranks
    })(model);
    std::tie(model, state) =
        adam.step(model, clip_by_global_norm(gradients, 1.0), std::move(state));
    (step == 0 ? first : last) = loss.item();
  }
  CHECK(last < first);
}

namespace {

/// Each weight is sharded over dp to save memory and over tp for tensor parallelism.
struct FullyDivided {
  Sharded<double, "in=6@dp hidden=8@tp"> up;
  Sharded<double, "hidden=8@tp@dp out=2"> down;
};

auto loss_of(FullyDivided const& net, Sharded<double, "batch@dp in=6"> const& x) {
  auto const hidden = tanh(matmul(x, unshard<"dp">(net.up)));
  auto const out = all_reduce(matmul(hidden, unshard<"dp">(net.down)));
  return unshard(all_reduce(mean(square(out))));
}

}  // namespace

TEST_CASE("training with weights sharded over a whole mesh, as declared by their types") {
  World const world;
  Mesh<"dp tp"> const mesh(world, world.size() % 2 == 0 ? world.size() / 2 : world.size(),
                           world.size() % 2 == 0 ? 2 : 1);
  auto const x = shard<"batch@dp in">(mesh, images);
  auto const start = net_on(mesh);
  FullyDivided model{reshard<"in@dp hidden@tp">(start.up), reshard<"hidden@tp@dp out">(start.down)};
  AdamW const adam{.rate = 0.01};
  auto state = adam.init(model);
  double first = 0, last = 0;
  for (int step = 0; step < 5; ++step) {
    auto const [loss, gradients] =
        value_and_grad([&](FullyDivided const& net) { return loss_of(net, x); })(model);
    std::tie(model, state) = adam.step(model, gradients, std::move(state));
    (step == 0 ? first : last) = loss.item();
  }
  CHECK(last < first);
}

}  // namespace zero_documented_test
