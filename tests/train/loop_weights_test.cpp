// The weights of losses in a step: sums with counts, empty batches, batches without a common axis.

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include <tenon/tenon.hpp>

#include <tenon/train/loop.hpp>

namespace loop_weights_test {

using namespace tenon;
using training::train_step;

namespace {

/// A linear model whose gradients are the inputs, and whose loss is a mean where a mask is 1.
struct Line {
  Float32<"in=2"> w{1, 1};
};

struct Masked {
  Float32<"batch in=2"> x;
  Float32<"batch"> mask;
};

auto const masked_sum = [](Line const& m, Masked const& batch) {
  return training::LossSum{sum(matmul(batch.x, m.w) * batch.mask), sum(batch.mask)};
};

Masked masked_batch() {
  return {{{-2, 1}, {7, 7}, {-3, 2}, {-4, 3}, {9, 9}, {9, 9}, {9, 9}, {9, 9}},
          {1, 0, 1, 1, 0, 0, 0, 0}};
}

auto const mean_of = [](Line const& m, Masked const& batch) { return mean(matmul(batch.x, m.w)); };

Masked ones_of(std::int64_t size) {
  return {ones<Float32<"batch in=2">>(size), zeros<Float32<"batch">>(size)};
}

}  // namespace

TEST_CASE("parts of a masked mean have the weight of their counts, to the bit") {
  Masked const batch = masked_batch();
  for (std::int64_t const parts : {1, 2, 3, 8}) {
    CAPTURE(parts);
    Line line;
    auto state = SGD{.momentum = 0.5}.init(line);
    auto const result = train_step(line, batch, masked_sum, SGD{.rate = 1}, state,
                                   {.clip_norm = training::no_clipping, .accumulate = parts});
    CHECK(result.loss == -1);
    CHECK(line.w(0) == 1 + 3);
    CHECK(line.w(1) == 1 - 2);
    CHECK(result.weight == 3);
  }
  Line line;
  auto state = SGD{}.init(line);
  std::vector<Masked> const two{{batch.x, batch.mask}, {ones<Float32<"batch in=2">>(1), {1}}};
  auto const result =
      training::train_step_accumulated(line, two, masked_sum, SGD{.rate = 1}, state);
  CHECK(result.loss == (-3 + 2) / 4.0);
  CHECK(result.weight == 4);
}

TEST_CASE("a batch without elements makes no step, and is nothing beside others") {
  auto const adam = AdamW{.rate = 0.1};
  Line line;
  auto state = adam.init(line);
  train_step(line, ones_of(4), mean_of, adam, state);  // with a momentum
  Line expected = line;
  auto expected_state = state;
  for (std::int64_t const parts : {1, 2}) {
    auto const result = train_step(line, ones_of(0), mean_of, adam, state, {.accumulate = parts});
    CHECK(result.loss == 0);
    CHECK(result.gradient_norm == 0);
    CHECK(result.weight == 0);
  }
  std::vector const none{ones_of(0), ones_of(0)};
  CHECK(training::train_step_accumulated(line, none, mean_of, adam, state).weight == 0);
  CHECK(line.w(0) == expected.w(0));
  CHECK(state.steps.item() == 1);

  train_step(expected, ones_of(4), mean_of, adam, expected_state);
  std::vector const some{ones_of(0), ones_of(4), ones_of(0)};
  CHECK(training::train_step_accumulated(line, some, mean_of, adam, state).weight == 4);
  CHECK(line.w(0) == expected.w(0));
}

TEST_CASE("a mask of zeros makes no step, whatever its sum") {
  Line line;
  auto state = SGD{}.init(line);
  auto const divided = [](Line const& m, Masked const& batch) {
    auto [total, count] = masked_sum(m, batch);
    return training::LossSum{total / count, count};  // NaN, as are its gradients
  };
  CHECK(train_step(line, ones_of(2), divided, SGD{}, state).weight == 0);
  CHECK(line.w(0) == 1);
}

TEST_CASE("a batch whose tensors have no axis in common is one step, of unknown weight") {
  struct Graph {
    Float32<"node in=2"> nodes;
    Float32<"edge"> edges;
  };
  Graph const graph{ones<Float32<"node in=2">>(2), ones<Float32<"edge">>(3)};
  auto const of_graph = [](Line const& m, Graph const& g) {
    return mean(matmul(g.nodes, m.w)) + sum(g.edges);
  };
  Line line;
  auto state = SGD{}.init(line);
  auto const result = train_step(line, graph, of_graph, SGD{}, state);
  CHECK(result.loss == 5);
  CHECK_FALSE(result.weight);
  CHECK_THROWS_WITH_AS(
      train_step(line, graph, of_graph, SGD{}, state, {.accumulate = 2}),
      "tenon::batch_size: 'edges': expected the first axis node=2 of 'nodes', got edge=3",
      ShapeError);
}

}  // namespace loop_weights_test
