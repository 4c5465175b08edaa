// Batches of a dataset: their types, their order, and the state in the middle of an epoch.

#include <doctest/doctest.h>

#include <cstdint>
#include <ranges>
#include <type_traits>
#include <vector>

#include <tenon/tenon.hpp>

#include <tenon/train/data.hpp>
#include <tenon/train/loop.hpp>

#include "../io/folder.hpp"

namespace data_loader_test {

using namespace tenon;
using namespace tenon::training;

namespace {

using Numbers = std::vector<std::int32_t>;

Numbers numbers(int count) {
  Numbers all(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) all[static_cast<std::size_t>(i)] = 100 + i;
  return all;
}

Numbers elements_of(Int32<"batch"> const& batch) {
  return {batch.data(), batch.data() + batch.size()};
}

/// The elements of the batches that a loader has until the end of the epoch.
template <class Loader>
std::vector<Numbers> rest_of(Loader& loader) {
  std::vector<Numbers> all;
  all.reserve(static_cast<std::size_t>(loader.batches()));
  for (auto const& batch : loader) all.push_back(elements_of(batch));
  return all;
}

/// A run whose unit is a step: what it has seen, and its place in the data.
struct Run {
  Float32<""> sum{};
  DataState data{};
  std::int64_t step = 0;
};

DataLoaderOptions const options_of_run{
    .batch_size = 3, .shuffle = true, .key = Key(9), .prefetch = 2};

/// Trains to step 14 of 4 steps an epoch, or until it is stopped at a step.
Run run_in(Folder const& folder, std::int64_t stops_at) {
  auto loader = data_loader<"batch">(numbers(10), options_of_run);
  CheckpointManager checkpoints(folder / "", {.unit = "step"});
  Run run{.data = loader.state()};
  if (checkpoints.load_latest(run)) loader.restore(run.data);
  auto const step = [&](Run& r) {
    Float32<""> const part = sum(to<float>(loader.next()));
    r.sum = r.sum * 1.01f + part;
    r.data = loader.state();
  };
  auto const stop = [&] { return run.step == stops_at; };
  train_until(run, {.counter = &Run::step, .end = 14, .every = 5}, checkpoints, stop, step);
  return run;
}

}  // namespace

TEST_CASE("numbers become a tensor of one axis, the last batch is shorter") {
  auto loader = data_loader<"batch">(numbers(5), {.batch_size = 2});
  static_assert(std::is_same_v<decltype(loader.next()), Int32<"batch">>);
  static_assert(std::ranges::input_range<decltype(loader)>);
  CHECK(loader.batches() == 3);
  CHECK(rest_of(loader) == std::vector<Numbers>{{100, 101}, {102, 103}, {104}});
  CHECK(loader.epoch() == 1);
  CHECK(data_loader<"batch">(numbers(5), {.batch_size = 2, .drop_last = true}).batches() == 2);
}

TEST_CASE("a loop after one that was left has the rest of the epoch") {
  auto loader = data_loader<"batch">(numbers(6), {.batch_size = 2});
  for (auto const& batch : loader) {
    CHECK(elements_of(batch) == Numbers{100, 101});
    CHECK(loader.state().batch == 1);
    break;
  }
  CHECK(rest_of(loader) == std::vector<Numbers>{{102, 103}, {104, 105}});
  CHECK(loader.state().epoch == 1);
  CHECK(loader.state().batch == 0);
}

TEST_CASE("an epoch that was left after its last batch has no more batches") {
  auto loader = data_loader<"batch">(numbers(2));
  (void)loader.next();
  (void)loader.next();
  CHECK(loader.state().epoch == 0);
  CHECK(loader.state().batch == 2);
  CHECK(rest_of(loader).empty());
  CHECK(loader.epoch() == 1);
  (void)rest_of(loader);
  (void)loader.next();
  CHECK(loader.state().epoch == 2);
}

TEST_CASE("from every state the same batches follow, also of the next epochs") {
  DataLoaderOptions const options{.batch_size = 3, .shuffle = true, .key = Key(4)};
  auto whole = data_loader<"batch">(numbers(10), options);
  std::vector<DataState> states;
  std::vector<Numbers> batches;
  states.reserve(12);
  batches.reserve(12);
  for (int i = 0; i < 12; ++i) {
    states.push_back(whole.state());
    batches.push_back(elements_of(whole.next()));
  }
  auto resumed = data_loader<"batch">(numbers(10), options);
  for (std::size_t start = states.size(); start-- > 0;) {
    resumed.restore(states[start]);
    for (std::size_t i = start; i < batches.size(); ++i)
      CHECK(elements_of(resumed.next()) == batches[i]);
  }
}

TEST_CASE("a state of other data is refused, and the loader stays where it was") {
  auto loader = data_loader<"batch">(numbers(4));
  (void)loader.next();
  DataState state = loader.state();
  state.size = 5;
  CHECK_THROWS_WITH_AS(loader.restore(state),
                       "tenon::Sampler: 'size': expected 4 as in the options, got 5 in the state",
                       ValueError);
  CHECK(elements_of(loader.next()) == Numbers{101});
}

TEST_CASE("the parts of the ranks, one after another, are the batch of one rank") {
  DataLoaderOptions options{.batch_size = 5, .shuffle = true, .key = Key(6)};
  auto one = data_loader<"batch">(numbers(13), options);
  auto const whole = rest_of(one);
  for (std::int64_t const ranks : {2, 4}) {
    std::vector<Numbers> joined(whole.size());
    options.ranks = ranks;
    for (options.rank = 0; options.rank < ranks; ++options.rank) {
      auto loader = data_loader<"batch">(numbers(13), options);
      std::size_t i = 0;
      for (auto const& part : rest_of(loader)) {
        joined[i].insert(joined[i].end(), part.begin(), part.end());
        ++i;
      }
    }
    CHECK(joined == whole);
  }
}

TEST_CASE("no elements are an epoch without batches") {
  auto loader = data_loader<"batch">(Numbers());
  CHECK(rest_of(loader).empty());
  CHECK(loader.epoch() == 1);
  CHECK_THROWS_WITH_AS(loader.next(), "tenon::DataLoader: expected data with a batch, got none",
                       ValueError);
}

TEST_CASE("an element that throws is thrown at its batch, which can be asked for again") {
  bool works = false;
  auto const source = map_dataset(numbers(4), [&](int x) {
    if (x == 102 && !works) throw ValueError("no element");
    return x;
  });
  auto loader = data_loader<"batch">(source);
  CHECK(elements_of(loader.next()) == Numbers{100});
  CHECK(elements_of(loader.next()) == Numbers{101});
  CHECK_THROWS_WITH_AS(loader.next(), "no element", ValueError);
  CHECK(loader.state().batch == 2);
  works = true;
  CHECK(elements_of(loader.next()) == Numbers{102});
}

TEST_CASE("options out of range are refused") {
  CHECK_THROWS_WITH_AS(data_loader<"batch">(numbers(1), {.prefetch = -1}),
                       "tenon::DataLoader: 'prefetch': expected at least 0, got -1", ValueError);
  CHECK_THROWS_AS(data_loader<"batch">(numbers(1), {.batch_size = 0}), ValueError);
}

TEST_CASE("an epoch is trained with the batches of a loader, and continued where it stopped") {
  auto loader = data_loader<"batch">(numbers(3), {.batch_size = 2});
  auto const step = [](Int32<"batch"> const& batch) {
    return StepResult{static_cast<double>(batch(0)), 0};
  };
  auto const begun = train_epoch(loader, step, [](StepResult const&) { return false; });
  CHECK_FALSE(begun.is_complete);
  CHECK(begun.count == 2);
  CHECK(loader.state().batch == 1);
  auto const rest = train_epoch(loader, step);
  CHECK(rest.is_complete);
  CHECK(rest.count == 1);
  CHECK(rest.loss == 102);
  CHECK(evaluate(0, loader, [](int, Int32<"batch"> const& b) { return b(0); }).count == 3);
}

TEST_CASE("a run that was stopped in an epoch goes on with the same batches") {
  Folder const whole;
  float const expected = run_in(whole, -1).sum.item();
  for (std::int64_t const stops_at : {0, 1, 4, 7, 13}) {
    Folder const folder;
    CHECK(run_in(folder, stops_at).step == stops_at);
    Run const resumed = run_in(folder, -1);
    CHECK(resumed.sum.item() == expected);
    CHECK(resumed.data.epoch == 3);
    CHECK(resumed.data.batch == 2);
  }
}

}  // namespace data_loader_test
