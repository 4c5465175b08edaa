// Pipelines of layers in a tuple, with streams of different types between them, and with sharded
// streams.
#include "ranks.hpp"

#include <array>
#include <tuple>
#include <vector>

#include <tenon/distributed/communication/mesh.hpp>
#include <tenon/distributed/pipeline/layers.hpp>
#include <tenon/distributed/sharding/reduce_shards.hpp>
#include <tenon/distributed/sharding/sharded.hpp>

namespace pipeline_layers_test {

using namespace tenon::internal;

using namespace ranks;

namespace {

struct Look {
  Float64<"word=7 d=4"> table;
  Float64<"n d=4"> operator()(Int32<"n"> const& ids) const { return take<"word">(table, ids); }
};
struct Widen {
  Float64<"d=4 wide=6"> weight;
  auto operator()(Float64<"n d=4"> const& x) const { return tanh(matmul(x, weight)); }
};
/// The stream is two tensors, one of an integer dtype.
struct Split {
  Float64<"wide=6"> bias;
  auto operator()(Float64<"n wide=6"> const& x) const {
    return std::tuple(Float64<"n wide=6">(x + bias), Mask<"n">(sum<"wide">(x) > 0.0));
  }
};
struct Choose {
  Float64<""> scale;
  Float64<"n"> operator()(std::tuple<Float64<"n wide=6">, Mask<"n">> const& x) const {
    return sum<"wide">(where(unsqueeze<-1>(std::get<1>(x)), std::get<0>(x) * scale, 0.5));
  }
};

auto const all_layers =
    std::tuple(tenon::init::normal<Look>(Key(1), 1.0), tenon::init::normal<Widen>(Key(2), 1.0),
               tenon::init::normal<Split>(Key(3), 1.0), tenon::init::normal<Choose>(Key(4), 1.0));

Int32<"n"> ids(int i) { return uniform<Int32<"n">>(Key(std::uint64_t(9 + i)), 0, 7, 5 - i); }
auto const loss_of = [](Float64<"n"> const& x, int i) { return mean(square(x - double(i))); };

/// The output without a pipeline.
auto const output_of = [](auto const& layers, int i) {
  auto const& [look, widen, split, choose] = layers;
  return choose(split(eval(widen(look(ids(i))))));
};

template <class Tree>
std::vector<double> elements(Tree const& tree) {
  std::vector<double> all;
  tenon::tree::for_each(
      [&](auto const& x) { all.insert(all.end(), x.data(), x.data() + x.size()); }, tree);
  return all;
}

}  // namespace

TEST_CASE("layers of a tuple with streams of different types") {
  World const world;
  int const batches = 3;
  auto const expected = value_and_grad([&](auto const& layers) -> Float64<""> {
    Float64<""> total = 0;
    for (int i = 0; i < batches; ++i) total = total + loss_of(output_of(layers, i), i);
    return total / double(batches);
  })(all_layers);
  for (auto const& schedule : {gpipe, one_forward_one_backward}) {
    Stages const stages(world.group(), schedule);
    auto const own = layers_of_stage(all_layers, stages);
    auto const [loss, gradient] = pipelined_value_and_grad(own, batches, stages, ids, loss_of);
    CHECK(std::abs(loss.item() - expected.first.item()) < 1e-13);
    auto const same = [](auto const& x, int) { return std::tuple(x, eval(argmax<"n">(x))); };
    auto const outputs = pipelined_forward(own, batches, stages, ids, same);
    for (int i = 0; i < batches; ++i) {
      auto const [output, place] = outputs[std::size_t(i)];
      CHECK(max(abs(output - output_of(all_layers, i))).item() < 1e-13);
      CHECK(place.item() == argmax<"n">(output).item());
    }
    auto const check = [&](auto const& got, auto const& kept, auto const& wanted) {
      CHECK(got.has_value() == kept.has_value());
      if (!got) return;
      auto const a = elements(*got), b = elements(wanted);
      for (std::size_t k = 0; k < a.size(); ++k) CHECK(std::abs(a[k] - b[k]) < 1e-13);
    };
    [&]<std::size_t... k>(std::index_sequence<k...>) {
      (check(std::get<k>(gradient), std::get<k>(own), std::get<k>(expected.second)), ...);
    }(std::make_index_sequence<4>());
  }
}

TEST_CASE("the error for a layer that no stage has names it") {
  auto own = layers_of_stage(all_layers, Stages(Group()));
  std::get<1>(own).reset();
  CHECK_THROWS_WITH_AS(pipelined_forward(own, 1, Stages(Group()), ids, loss_of),
                       "tenon::pipelined: 'layer 1': expected one stage that has "
                       "it, got none",
                       ValueError);
}

namespace {

/// Megatron's two layers, over tp, and a residual stream that is sharded over dp.
template <template <Spec> class Part>
struct Block {
  Part<"d=4 hidden=6@tp"> up;
  Part<"hidden=6@tp d=4"> down;
};
template <Spec S>
using There = Sharded<double, S>;
template <Spec S>
using Here = Float64<spec_of<ShardingOf<canonical_sharding<S>>>>;

template <template <Spec> class Part>
using Blocks = std::array<std::optional<Block<Part>>, 3>;

auto const through = [](auto const& blocks, auto x) {
  for (auto const& block : blocks) {
    if (!block) continue;
    auto const hidden = tanh(matmul(x, block->up));
    if constexpr (AnyShard<decltype(x)>) x = x + all_reduce(matmul(hidden, block->down));
    else x = x + matmul(hidden, block->down);
  }
  return x;
};

Float64<"n d=4"> rows_of(int i) {
  return normal<Float64<"n d=4">>(Key(std::uint64_t(30 + i)), 3 + 2 * i);
}

void compare_sharded(World const& world, int pp, int tp) {
  Mesh<"pp dp tp"> const mesh(world, pp, world.size() / pp / tp, tp);
  Stages const stages(mesh, "pp");
  int const batches = 3;
  auto const expected = value_and_grad([&](Blocks<Here> const& blocks) -> Float64<""> {
    Float64<""> total = 0;
    for (int i = 0; i < batches; ++i) total = total + mean(square(through(blocks, rows_of(i))));
    return total / double(batches);
  });
  Blocks<Here> one;
  Blocks<There> own;
  for (int k = 0; k < 3; ++k) {
    auto const j = std::size_t(k);
    one[j] = tenon::init::normal<Block<Here>>(Key(std::uint64_t(70 + k)), 0.5);
    if (layers_of_stage(3, stages).contains(k))
      own[j] = Block<There>{shard<"d=4 hidden=6@tp">(*stages.mesh, one[j]->up),
                            shard<"hidden=6@tp d=4">(*stages.mesh, one[j]->down)};
  }
  auto const [loss, gradient] = pipelined_value_and_grad(
      own, batches, stages,
      [&](auto const&, int i) -> Sharded<double, "n@dp d=4"> {
        return shard<"n@dp d=4">(*stages.mesh, rows_of(i));
      },
      through,
      [](auto const&, auto const& x, int) { return unshard(all_reduce(mean(square(x)))); });
  auto const [plain, plain_gradient] = expected(one);
  CHECK(std::abs(loss.item() - plain.item()) < 1e-13);
  for (std::size_t k = 0; k < 3; ++k) {
    CHECK(gradient[k].has_value() == own[k].has_value());
    if (!gradient[k]) continue;
    CHECK(max(abs(unshard(gradient[k]->up) - plain_gradient[k]->up)).item() < 1e-13);
    CHECK(max(abs(unshard(gradient[k]->down) - plain_gradient[k]->down)).item() < 1e-13);
  }
}

}  // namespace

TEST_CASE("a sharded stream is sent to the rank with the same coordinates in the next stage") {
  World const world;
  for (int pp = 1; pp <= world.size(); ++pp)
    for (int tp = 1; tp <= world.size() / pp; ++tp)
      if (world.size() % (pp * tp) == 0) compare_sharded(world, pp, tp);
}

TEST_CASE("a sharded stream needs a mesh") {
  World const world;
  Mesh<"pp"> const mesh(world);
  using Stream = Sharded<double, "n d=4">;
  auto const layout = tenon::internal::mpi::layout_of(replicated(mesh, rows_of(0)), 0);
  CHECK_THROWS_WITH_AS(
      (tenon::internal::mpi::blank<Stream>(layout, nullptr)),
      "tenon::Stages: 'mesh': expected a mesh, as the stream is sharded, got a group alone",
      ValueError);
}

}  // namespace pipeline_layers_test
