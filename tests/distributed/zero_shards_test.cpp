// Models with parameters sharded over ranks, layer by layer, and unsharded for use.
#include "ranks.hpp"

#include <vector>

#include <tenon/distributed/zero/gather.hpp>
#include <tenon/distributed/zero/zero.hpp>

namespace zero_shards_test {

using namespace tenon::internal;

using namespace ranks;

namespace {

double distance(auto const& a, auto const& b) { return max(abs(a - b)).item(); }

/// A layer as users write it, unsharded.
struct Layer {
  Float64<"d=32 e=32"> weight;
  Float64<"e=32"> bias;

  Float64<"batch d=32"> operator()(Float64<"batch d=32"> const& x) const {
    return rename<"e -> d">(tanh(matmul(x, weight) + bias));
  }
};
using Inputs = Float64<"batch d=32">;

struct Net {
  std::vector<Layer> layers;
  Float64<"d=32"> last;
};
/// The same with sharded layers and a replicated parameter.
struct NetInParts {
  std::vector<ZeroShards<Layer>> layers;
  ZeroShards<Float64<"d=32">> last;
};

Net net() {
  Net made = {std::vector<Layer>(6), normal<Float64<"d=32">>(Key(1))};
  for (std::size_t i = 0; i < 6; ++i) {
    made.layers[i].weight = normal<Float64<"d=32 e=32">>(fold_in(Key(2), i), 0, 0.2);
    made.layers[i].bias = normal<Float64<"e=32">>(fold_in(Key(3), i));
  }
  return made;
}
NetInParts in_parts_of(Net const& whole, Group const& group) {
  NetInParts parts{{}, in_parts(whole.last, group)};
  for (auto const& layer : whole.layers) parts.layers.push_back(in_parts(layer, group));
  return parts;
}

Float64<""> loss_of(Net const& model, Inputs x) {
  for (auto const& layer : model.layers) x = layer(x);
  return mean(square(matmul(x, model.last)));
}
/// `in_use`: the bytes in use at the end.
Float64<""> loss_of(NetInParts const& model, Inputs x, std::int64_t& in_use) {
  auto const layer_of = [](ZeroShards<Layer> const& parts, Inputs const& in) {
    return gathered(parts)(in);
  };
  for (auto const& layer : model.layers) x = checkpoint(layer_of)(layer, x);
  in_use = tenon::memory::bytes_in_use();
  return mean(square(matmul(x, gathered(model.last))));
}

}  // namespace

TEST_CASE("sharded layers are unsharded one at a time, and their gradients agree with one rank") {
  World const world;
  Group const& group = world.group();
  Net const one = net();
  auto const parts = in_parts_of(one, group);
  Inputs const all = normal<Inputs>(Key(5), 2 * group.size());
  Inputs const own = slice<"batch", 2>(all, 2 * group.rank());
  std::int64_t during = 0;
  auto const [expected, wanted] =
      value_and_grad([&](Net const& model) { return loss_of(model, all); })(one);
  std::int64_t const before = tenon::memory::bytes_in_use(), layer = 8 * 33 * 32;
  auto const [loss, got] = value_and_grad([&](NetInParts const& model) {
    return all_reduce<op::mean>(loss_of(model, own, during), group);
  })(parts);
  CHECK(std::abs(loss.item() - expected.item()) < 1e-13);
  for (std::size_t i = 0; i < 6; ++i) {
    Layer const found = gathered(got.layers[i]);
    CHECK(distance(found.weight, wanted.layers[i].weight) < 1e-13);
    CHECK(distance(found.bias, wanted.layers[i].bias) < 1e-13);
  }
  CHECK(distance(gathered(got.last), wanted.last) < 1e-13);
  CHECK(during - before < layer);  // none of the six is in memory
}

TEST_CASE("sharded parameters are updated in place") {
  World const world;
  Net const one = net();
  auto const parts = in_parts_of(one, world.group());
  std::int64_t held = 0;
  tenon::tree::for_each([&](auto const& part) { held += part.size(); }, parts);
  CHECK(held <= tenon::tree::elements(one) / world.size() + 7 * 32);
  AdamW const adam{.rate = 0.1};
  auto const clipped = clip_by_global_norm(parts, 1.0);
  CHECK(global_norm(parts) == doctest::Approx(global_norm(one)));
  auto const stepped = adam.step(parts, clipped, adam.init(parts)).first;
  auto const expected = adam.step(one, clip_by_global_norm(one, 1.0), adam.init(one)).first;
  for (std::size_t i = 0; i < 6; ++i)
    CHECK(distance(gathered(stepped.layers[i]).weight, expected.layers[i].weight) < 1e-13);
}

TEST_CASE("unsharding has second derivatives") {
  World const world;
  Float64<"n"> const x = normal<Float64<"n">>(Key(1), 5);
  auto const parts = in_parts(x, world.group());
  auto const loss = [&](auto const& p) {
    Float64<"n"> const all = gathered(p);
    return all_reduce<op::mean>(Float64<"">(sum(all * all * all)), world.group());
  };
  auto const derivative = [&](auto const& p) {
    Float64<"n"> const g = gathered(grad(loss)(p));
    return all_reduce<op::mean>(Float64<"">(sum(square(g))), world.group());
  };
  CHECK(distance(gathered(grad(derivative)(parts)), 36 * x * x * x) < 1e-12);
}

}  // namespace zero_shards_test
