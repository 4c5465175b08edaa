// Batches of a dataset: their types, their order, and the state in the middle of an epoch.

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <ranges>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <tenon/tenon.hpp>

#include <tenon/train/data.hpp>
#include <tenon/train/loop.hpp>

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
  for (auto const& batch : loader) all.push_back(elements_of(batch));
  return all;
}

struct Digit {
  Float32<"2 2"> image;
  std::int32_t label = 0;
};

struct Batch {
  Float32<"batch height=2 width=2"> images;
  Int32<"batch"> labels;
};

std::vector<Digit> digits() {
  return {{{{{1, 2}, {3, 4}}}, 7}, {{{{5, 6}, {7, 8}}}, 8}, {{{{9, 10}, {11, 12}}}, 9}};
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

TEST_CASE("bools, complex numbers and numbers of 16 bits become tensors too") {
  auto const flags = data_loader<"n">(std::vector<bool>{true, false}, {.batch_size = 2}).next();
  static_assert(std::is_same_v<decltype(flags), Mask<"n"> const>);
  CHECK(flags(0));
  CHECK_FALSE(flags(1));
  std::vector<bfloat16> const halves{bfloat16(0.5f), bfloat16(2.0f)};
  BFloat16<"n"> const values = data_loader<"n">(halves, {.batch_size = 2}).next();
  CHECK(static_cast<float>(values(1)) == 2);
}

TEST_CASE("tensors are stacked, with the axes of an element behind that of the batch") {
  std::vector<Float32<"row=2 column">> const source{{{1, 2, 3}, {4, 5, 6}}, {{7, 8, 9}, {0, 1, 2}}};
  auto const batch = data_loader<"batch">(source, {.batch_size = 4}).next();
  static_assert(std::is_same_v<decltype(batch), Float32<"batch row=2 column"> const>);
  CHECK(batch.sizes()[0] == 2);
  CHECK(batch.sizes()[2] == 3);
  CHECK(batch(0, 1, 0) == 4);
  CHECK(batch(1, 0, 2) == 9);
}

TEST_CASE("scalars, arrays of numbers and expressions are elements") {
  std::vector<std::array<float, 3>> const points{{1, 2, 3}, {4, 5, 6}};
  Float32<"batch 3"> const stacked = data_loader<"batch">(points, {.batch_size = 2}).next();
  CHECK(stacked(1, 0) == 4);
  auto const halves =
      map_dataset(points, [](std::array<float, 3> const& p) { return Float32<"axis=3">(p) / 2; });
  Float32<"batch axis=3"> const half = data_loader<"batch">(halves, {.batch_size = 2}).next();
  CHECK(half(1, 2) == 3);
  std::vector<Float32<"">> const scalars{{1.0f}, {2.0f}};
  CHECK(data_loader<"batch">(scalars, {.batch_size = 2}).next()(1) == 2);
}

TEST_CASE("pairs, tuples and arrays of others give a batch for each of their parts") {
  using Element = std::pair<std::int32_t, std::tuple<float, std::array<Float32<"2">, 2>>>;
  std::vector<Element> const source{{1, {0.5f, {{{1, 2}, {3, 4}}}}},
                                    {2, {1.5f, {{{5, 6}, {7, 8}}}}}};
  auto const [labels, parts] = data_loader<"batch">(source, {.batch_size = 2}).next();
  CHECK(labels(1) == 2);
  CHECK(std::get<0>(parts)(1) == 1.5f);
  std::array<Float32<"batch 2">, 2> const& pairs = std::get<1>(parts);
  CHECK(pairs[0](1, 0) == 5);
  CHECK(pairs[1](0, 1) == 4);
}

TEST_CASE("a struct of batches is filled from the fields of the elements, in order") {
  auto loader = data_loader<"batch", Batch>(digits(), {.batch_size = 2});
  Batch const first = loader.next();
  CHECK(first.images.sizes()[0] == 2);
  CHECK(first.images(1, 0, 1) == 6);
  CHECK(first.labels(0) == 7);
  CHECK(loader.next().labels(0) == 9);
  std::vector<std::pair<Float32<"2 2">, int>> const pairs{{{{1, 2}, {3, 4}}, 5}};
  CHECK(data_loader<"batch", Batch>(pairs).next().labels(0) == 5);
}

TEST_CASE("the rows of tensors are a dataset") {
  UInt8<"image 2"> const images{{1, 2}, {3, 4}, {5, 6}};
  Int32<"image"> const labels{7, 8, 9};
  auto const both = tensor_dataset(images, labels);
  REQUIRE(both.size() == 3);
  CHECK(std::get<0>(both[2])(1) == 6);
  CHECK(std::get<1>(both[1]).item() == 8);
  auto const [x, y] = data_loader<"batch">(both, {.batch_size = 3}).next();
  static_assert(std::is_same_v<decltype(x), UInt8<"batch 2"> const>);
  CHECK(x(2, 0) == 5);
  CHECK(y(2) == 9);
  CHECK(tensor_dataset(images)[1](1) == 4);
  CHECK_THROWS_WITH_AS(
      tensor_dataset(images, Int32<"n">{1, 2}),
      "tenon::tensor_dataset: 'first axis': expected 3 as in the first tensor, got 2", ShapeError);
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

TEST_CASE("a rank without a part of a batch has an empty one, with the sizes of elements") {
  std::vector<Float32<"row">> const source{{1, 2, 3}};
  auto const batch = data_loader<"batch">(source, {.rank = 1, .ranks = 2}).next();
  CHECK(batch.sizes()[0] == 0);
  CHECK(batch.sizes()[1] == 3);
}

TEST_CASE("no elements are an epoch without batches") {
  auto loader = data_loader<"batch">(Numbers());
  CHECK(rest_of(loader).empty());
  CHECK(loader.epoch() == 1);
  CHECK_THROWS_WITH_AS(loader.next(), "tenon::DataLoader: expected data with a batch, got none",
                       ValueError);
}

TEST_CASE("elements of different sizes do not fit into one batch") {
  std::vector<Float32<"row=2 n">> const source{{{1}, {2}}, {{1, 2}, {3, 4}}};
  CHECK(data_loader<"batch">(source).next().sizes()[2] == 1);
  CHECK_THROWS_WITH_AS(
      (data_loader<"batch">(source, {.batch_size = 2}).next()),
      R"(tenon::DataLoader: 'element 1': expected the sizes of the first element of its batch, "2 1", got "2 2")",
      ShapeError);
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
  auto loader = data_loader<"batch", Batch>(digits(), {.batch_size = 2});
  auto const step = [](Batch const& batch) {
    return StepResult{static_cast<double>(batch.labels(0)), 0};
  };
  auto const begun = train_epoch(loader, step, [](StepResult const&) { return false; });
  CHECK_FALSE(begun.is_complete);
  CHECK(begun.count == 2);
  CHECK(loader.state().batch == 1);
  auto const rest = train_epoch(loader, step);
  CHECK(rest.is_complete);
  CHECK(rest.count == 1);
  CHECK(rest.loss == 9);
  CHECK(evaluate(0, loader, [](int, Batch const& b) { return b.labels(0); }).count == 3);
}

}  // namespace data_loader_test
