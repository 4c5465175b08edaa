// The batches of a loader that is divided over ranks, together those of one rank; steps with
// sharded batches; requests to stop.

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include <tenon/distributed/communication/mesh.hpp>
#include <tenon/distributed/communication/world.hpp>
#include <tenon/distributed/sharding/reduce_shards.hpp>
#include <tenon/distributed/sharding/reshard.hpp>
#include <tenon/distributed/sharding/sharded.hpp>
#include <tenon/distributed/zero/zero.hpp>
#include <tenon/train/data.hpp>
#include <tenon/train/loop.hpp>
#include <tenon/train/precision.hpp>
#include <tenon/train/stop_over_ranks.hpp>

#include "ranks.hpp"

namespace train_data_test {

using namespace tenon;
using training::data_loader;
using training::DataLoaderOptions;

namespace {

std::vector<std::int64_t> numbers(std::int64_t count) {
  std::vector<std::int64_t> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), std::int64_t{0});
  return all;
}

/// How often each of `count` numbers is in the batches `batch` of all ranks.
std::vector<std::int64_t> counted(Int64<"batch"> const& batch, std::int64_t count,
                                  Group const& group) {
  std::vector<std::int64_t> times(static_cast<std::size_t>(count), 0);
  for (std::int64_t i = 0; i < batch.size(); ++i) ++times[static_cast<std::size_t>(batch(i))];
  tenon::internal::mpi::all_reduce<op::sum>(times.data(), count, group);
  return times;
}

/// Two epochs of a loader over the ranks have the batches of a loader of one rank.
void check_divided(std::int64_t count, DataLoaderOptions options, World const& world) {
  auto alone = data_loader<"batch">(numbers(count), options);
  options.rank = world.rank();
  options.ranks = world.size();
  auto divided = data_loader<"batch">(numbers(count), options);
  Group const own;
  for (int epoch = 0; epoch < 2; ++epoch) {
    std::vector<Int64<"batch">> expected;
    for (auto const& batch : alone) expected.push_back(batch);
    std::size_t at = 0;
    for (auto const& batch : divided) {
      REQUIRE(at < expected.size());
      CHECK(counted(batch, count, world.group()) == counted(expected[at++], count, own));
    }
    CHECK(at == expected.size());
  }
}

/// A model that all ranks have, and batches of which each rank has a part, maybe none.
struct Line {
  Float64<"in=2"> w{1, 2};
};
using Rows = Float64<"batch in=2">;
using Parts = Sharded<double, "batch@dp in=2">;
struct Labelled {
  Parts x;
  Int32<"batch"> y;  // of all rows
};

/// What a step does to a model.
template <class Batch, class Loss>
training::StepResult step(Line& line, Batch const& batch, Loss const& loss) {
  SGD const sgd{.rate = 0.5};
  auto state = sgd.init(line);
  return training::train_step(line, batch, loss, sgd, state);
}

}  // namespace

TEST_CASE("the batches of all ranks are those of one, each element once") {
  World const world;
  for (std::int64_t const count : {0, 1, 23, 48})
    for (std::int64_t const prefetch : {0, 3})
      for (bool const shuffle : {false, true})
        check_divided(count,
                      {.batch_size = 6,
                       .shuffle = shuffle,
                       .key = Key{count == 23 ? 1u : 2u},
                       .prefetch = prefetch},
                      world);
}

TEST_CASE("a loader over ranks continues in the middle of an epoch from its state") {
  World const world;
  DataLoaderOptions const options{.batch_size = 5,
                                  .shuffle = true,
                                  .key = Key{3},
                                  .prefetch = 2,
                                  .rank = world.rank(),
                                  .ranks = world.size()};
  auto whole = data_loader<"batch">(numbers(31), options);
  training::DataState state;
  std::vector<std::vector<std::int64_t>> rest;
  for (auto const& batch : whole) {
    if (whole.state().batch > 3) rest.push_back(to_vector(batch));
    else state = whole.state();
  }
  auto again = data_loader<"batch">(numbers(31), options);
  again.restore(state);
  std::vector<std::vector<std::int64_t>> continued;
  for (auto const& batch : again) continued.push_back(to_vector(batch));
  CHECK(rest.size() == 4);  // of 7 batches
  CHECK(continued == rest);
}

TEST_CASE("all ranks stop where one is asked to") {
  World const world;
  training::StopRequest const stop;
  CHECK_FALSE(training::on_any_rank(bool(stop), world.group()));
  for (int asked = 0; asked < world.size(); ++asked)
    CHECK(training::on_any_rank(world.rank() == asked, world.group()));
}

TEST_CASE("a sharded batch has the elements of all ranks, of which some may have none") {
  World const world;
  Mesh<"dp"> const mesh(world, world.size());
  for (std::int64_t const count : {0, 1, 3, 8}) {
    CAPTURE(count);
    Rows const rows = normal<Rows>(Key(1), count);
    Labelled const batch{shard<"batch@dp in">(mesh, rows), zeros<Int32<"batch">>(count)};
    CHECK(training::batch_size(batch) == count);
    CHECK(training::batch_size<"batch">(batch.x) == count);
    Line whole, divided;
    auto const expected = step(
        whole, rows, [](Line const& m, Rows const& x) { return mean(square(matmul(x, m.w))); });
    auto const mean_loss = [&](Line const& m, Parts const& x) {
      return unshard(all_reduce(mean(square(matmul(x, replicated(mesh, m.w))))));
    };
    auto const result = step(divided, batch.x, mean_loss);
    CHECK(result.weight == static_cast<double>(count));
    CHECK(result.loss == doctest::Approx(expected.loss));
    CHECK(max(abs(divided.w - whole.w)).item() < 1e-12);
    auto const measured =
        training::evaluate(Line{}, std::vector{batch},
                           [&](Line const& m, Labelled const& one) { return mean_loss(m, one.x); });
    CHECK(measured.count == count);
    if (count > 0) CHECK(measured.loss == doctest::Approx(expected.loss));
  }
}

TEST_CASE("a sharded batch is not split to accumulate over its parts") {
  World const world;
  Mesh<"dp"> const mesh(world, world.size());
  auto const x = shard<"batch@dp in">(mesh, ones<Rows>(4));
  auto const loss = [&](Line const& m, Parts const& part) {
    return unshard(all_reduce(mean(square(matmul(part, replicated(mesh, m.w))))));
  };
  Line line;
  auto state = SGD{}.init(line);
  CHECK_THROWS_WITH_AS(training::train_step(line, x, loss, SGD{}, state, {.accumulate = 2}),
                       "tenon::train_step: expected a tensor that is not sharded, to "
                       "accumulate over its parts, got batch@dp in=2",
                       ShapeError);
}

TEST_CASE("a step of Zero needs elements on every rank") {
  World const world;
  Zero const zero{SGD{}, world.group()};
  Line line;
  auto state = zero.init(line);
  auto const loss = [](Line const& m, Rows const& x) { return mean(matmul(x, m.w)); };
  auto const of_none = [&] {
    return training::train_step(line, zeros<Rows>(0), loss, zero, state);
  };
  if (world.size() == 1) CHECK(of_none().weight == 0);
  else
    CHECK_THROWS_WITH_AS(
        of_none(),
        "tenon::train_step: expected elements on every rank, as the optimizer steps "
        "on all together, got an empty batch",
        ValueError);
  CHECK(training::train_step(line, ones<Rows>(2), loss, zero, state).weight == 2);
}

TEST_CASE("a step of Zero clips the mean gradient by one norm on all ranks") {
  World const world;
  Zero const zero{SGD{.rate = 1}, world.group()};
  auto const loss = [](Line const& m, Rows const& x) { return mean(matmul(x, m.w)); };
  auto const rows = [](double number) { return full<Rows>(static_cast<float>(number), 1); };
  auto const step = [&](Line& model, Rows const& x, auto const& optimizer) {
    auto state = optimizer.init(model);
    return training::train_step(model, x, loss, optimizer, state, {.clip_norm = 0.5});
  };
  // A rank has inputs of 3^rank, so a gradient of that: the mean is that of the mean input.
  double sum = 0;
  for (int rank = 0; rank < world.size(); ++rank) sum += std::pow(3, rank);
  Line own, whole;
  auto const over_ranks = step(own, rows(std::pow(3, world.rank())), zero);
  auto const alone = step(whole, rows(sum / world.size()), SGD{.rate = 1});
  CHECK(over_ranks.gradient_norm == doctest::Approx(alone.gradient_norm));
  CHECK(allclose(own.w, whole.w));
}

TEST_CASE("a step of Zero in a precision is left out on all ranks or on none") {
  struct FloatLine {
    Float32<"in=2"> w{1, 2};
  };
  World const world;
  Zero const zero{SGD{.rate = 1}, world.group()};
  auto const loss = [](auto const& model, Float32<"batch in=2"> const& x) {
    return mean(matmul(x, model.w));
  };
  training::Precision<float, float> precision{.loss_scale = {.growth_interval = 10}};
  FloatLine line;
  auto state = zero.init(line);
  float const number = world.rank() == 0 ? std::numeric_limits<float>::infinity() : 1.0f;
  auto const result = training::train_step(line, full<Float32<"batch in=2">>(number, 1), loss, zero,
                                           state, precision);
  CHECK(!std::isfinite(result.gradient_norm));
  CHECK(line.w(0) == 1);
  CHECK(precision.loss_scale.scale == 32768);
}

}  // namespace train_data_test
