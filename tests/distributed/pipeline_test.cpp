// A pipelined model agrees with one rank for any stages and schedule.
#include "ranks.hpp"

#include <array>
#include <cstring>
#include <optional>
#include <tuple>
#include <vector>

#include <tenon/distributed/communication/mesh.hpp>
#include <tenon/distributed/pipeline/pipeline.hpp>

namespace pipeline_test {

using namespace ranks;

namespace {

using Stream = Float64<"n d=6">;

struct Embedding {
  Float64<"word=5 d=6"> table;
};
struct Layer {
  Float64<"d=6 e=6"> weight;
  Float64<"d=6"> bias;

  Stream operator()(Stream const& x) const {
    return x + tanh(rename<"e -> d">(matmul(x, weight)) + bias);
  }
};
struct Head {
  Float64<"d=6"> weight;
};
template <int count>
struct Net {
  std::optional<Embedding> in;
  std::array<std::optional<Layer>, count> layers;
  std::optional<Head> out;
};

/// All layers, as on one rank; all numbers differ.
template <int count>
Net<count> whole_net() {
  Net<count> net;
  net.in = tenon::init::normal<Embedding>(Key(1), 0.5);
  for (int k = 0; k < count; ++k)
    net.layers[std::size_t(k)] = tenon::init::normal<Layer>(Key(std::uint64_t(2 + k)), 0.2);
  net.out = tenon::init::normal<Head>(Key(99), 0.3);
  return net;
}

template <int count>
Net<count> own_net(Stages const& stages) {
  Net<count> net = whole_net<count>();
  if (!stages.is_first()) net.in.reset();
  LayerRange const own = layers_of_stage(count, stages);
  for (int k = 0; k < count; ++k)
    if (!own.contains(k)) net.layers[std::size_t(k)].reset();
  if (!stages.is_last()) net.out.reset();
  return net;
}

/// The number of micro-batches between their forward and their backward.
int live = 0, peak = 0;

auto const counted = custom_vjp(
    [](Stream const& x) {
      peak = std::max(peak, ++live);
      return x;
    },
    [](Stream const& adjoint, Stream const&, Stream const&) {
      --live;
      return adjoint;
    });

Int32<"n"> words(int i) { return uniform<Int32<"n">>(Key(std::uint64_t(50 + i)), 0, 5, 3 + i); }

auto const first = [](auto const& net, int i) -> Stream {
  return take<"word">(net.in->table, words(i));
};
auto const middle = [](auto const& net, Stream x) {
  for (auto const& layer : net.layers)
    if (layer) x = (*layer)(x);
  return x;
};
auto const last = [](auto const& net, Stream const& x, int i) {
  return mean(square(matmul(x, net.out->weight) - 0.1 * i));
};
auto const counted_middle = [](auto const& net, Stream const& x) {
  return Stream(counted(middle(net, x)));
};

/// The same loss without a pipeline.
template <int count>
auto expected_of(int batches) {
  return value_and_grad([&](Net<count> const& net) -> Float64<""> {
    Float64<""> sum = 0;
    for (int i = 0; i < batches; ++i) sum = sum + last(net, middle(net, first(net, i)), i);
    return sum / double(batches);
  })(whole_net<count>());
}

/// The elements of all learned tensors that exist on this rank, in order.
template <class Part>
std::vector<double> elements(Part const& part) {
  std::vector<double> all;
  tenon::tree::for_each(
      [&](auto const& x) { all.insert(all.end(), x.data(), x.data() + x.size()); }, part);
  return all;
}

/// Calls `f(own leaf, leaf of the whole model)` for the leaves that this rank has.
template <class Own, class All, class F>
void for_each_part(Own const& own, All const& all, F const& f) {
  if (own.in) f(elements(*own.in), elements(*all.in));
  for (std::size_t k = 0; k < own.layers.size(); ++k)
    if (own.layers[k]) f(elements(*own.layers[k]), elements(*all.layers[k]));
  if (own.out) f(elements(*own.out), elements(*all.out));
}

template <int count>
void compare(Topology const& mesh, Schedule const& schedule, int batches) {
  Stages const stages(mesh, "pp", schedule);
  auto const [plain, plain_gradient] = expected_of<count>(batches);
  auto const one = pipelined_value_and_grad(whole_net<count>(), batches, Stages(Group(), schedule),
                                            first, counted_middle, last);
  live = peak = 0;
  Net<count> const own = own_net<count>(stages);
  auto const [loss, gradient] =
      pipelined_value_and_grad(own, batches, stages, first, counted_middle, last);
  CHECK(live == 0);
  CHECK(peak == std::min(batches, schedule.in_flight(stages.size(), stages.rank(), batches)));

  CHECK(std::abs(loss.item() - plain.item()) < 1e-13);
  CHECK(loss.item() == one.first.item());  // bit for bit
  CHECK(gradient.in.has_value() == stages.is_first());
  CHECK(gradient.out.has_value() == stages.is_last());
  for (std::size_t k = 0; k < count; ++k)
    CHECK(gradient.layers[k].has_value() == own.layers[k].has_value());
  for_each_part(gradient, one.second, [](auto const& a, auto const& b) { CHECK(a == b); });
  for_each_part(gradient, plain_gradient, [](auto const& a, auto const& b) {
    double worst = 0;
    for (std::size_t k = 0; k < a.size(); ++k) worst = std::max(worst, std::abs(a[k] - b[k]));
    CHECK(a.size() == b.size());
    CHECK(worst < 1e-13);
  });
  double sum = 0;
  for (auto const& of_batch : pipelined_forward(own, batches, stages, first, counted_middle, last))
    sum += of_batch.item();
  CHECK(sum / batches == loss.item());
}

/// Calls `f(mesh)` for every number of stages that divides the number of ranks.
template <class F>
void for_all_stages(World const& world, F const& f) {
  for (int pp = 1; pp <= world.size(); ++pp)
    if (world.size() % pp == 0) f(Mesh<"pp other">(world, pp, world.size() / pp));
}

}  // namespace

TEST_CASE("a pipeline with any number of stages has the bits of one rank") {
  World const world;
  for_all_stages(world, [](Topology const& mesh) {
    for (auto const& schedule : {gpipe, one_forward_one_backward})
      for (int batches = 1; batches <= 5; ++batches) compare<5>(mesh, schedule, batches);
  });
}

TEST_CASE("stages without layers forward their stream") {
  World const world;
  for_all_stages(world, [](Topology const& mesh) {
    compare<1>(mesh, one_forward_one_backward, 3);
    compare<1>(mesh, gpipe, 2);
  });
}

TEST_CASE("the stages of a group have the loss of all layers on one rank") {
  World const world;
  Stages const stages(world.group());
  Net<1> const own = own_net<1>(stages);
  int const batches = 2;
  auto const [loss, gradient] = pipelined_value_and_grad(own, batches, stages, first, middle, last);
  CHECK(std::abs(loss.item() - expected_of<1>(batches).first.item()) < 1e-13);
}

TEST_CASE("ranks with different pipelines, and invalid numbers of micro-batches, throw") {
  World const world;
  Stages const stages(world.group());
  auto const net = own_net<1>(stages);
  CHECK_THROWS_WITH_AS(
      pipelined_value_and_grad(net, 0, stages, first, middle, last),
      "tenon::pipelined_value_and_grad: 'micro_batches': expected 1 or more, got 0", ValueError);
  if (world.size() == 1) return;
  CHECK_THROWS_AS(
      pipelined_value_and_grad(net, world.rank() == 0 ? 2 : 3, stages, first, middle, last),
      CommunicationError);
  Stages const other(world.group(), world.rank() == 0 ? gpipe : one_forward_one_backward);
  CHECK_THROWS_AS(pipelined_value_and_grad(net, 2, other, first, middle, last), CommunicationError);
}

namespace {

using Long = Float64<"n">;
[[maybe_unused]] auto const to_itself = [](Long const& w, int) { return w; };
[[maybe_unused]] auto const to_number = [](Long const&, int) { return 1.0; };
[[maybe_unused]] auto const to_scalar = [](Long const&, Long const& x, int) { return sum(x); };
[[maybe_unused]] auto const to_vector = [](Long const&, Long const& x, int) { return x; };
template <class First, class Last>
using LossWith = tenon::internal::mpi::PipelinedLoss<Long, First, Last>;

// Mistakes have named errors.
static_assert(std::same_as<LossWith<decltype(to_itself), decltype(to_scalar)>, Float64<"">>);
static_assert(std::same_as<LossWith<decltype(to_itself), decltype(to_vector)>,
                           compile_error::is_not_a_scalar<"pipelined_value_and_grad", "n">>);
static_assert(std::same_as<LossWith<decltype(to_number), decltype(to_scalar)>,
                           compile_error::is_not_a_stream<"pipelined_value_and_grad", double>>);
static_assert(!StreamType<std::vector<Long>>);
static_assert(StreamType<std::tuple<std::optional<Long>, std::array<Mask<"n">, 2>>>);

}  // namespace

TEST_CASE("streams larger than the limit of one MPI message do not deadlock") {
  World const world;
  Stages const stages(world.group());
  auto const [loss, gradient] = pipelined_value_and_grad(
      full<Long>(1.0, 4), 4, stages,
      [](Long const& w, int) { return Long(full<Long>(1.0, 1 << 18) * sum(w)); },
      [](Long const& w, Long const& x) { return Long(x * sum(w)); },
      [](Long const&, Long const& x, int) { return mean(x); });
  double const stages_of_4 = std::pow(4.0, world.size() + 1);
  CHECK(loss.item() == stages_of_4);
  CHECK(gradient(0) == (stages.is_first() ? 2 : 1) * stages_of_4 / 4);
}

}  // namespace pipeline_test
