// Epochs and evaluations: means over elements, what ends them, structs with more fields.

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <ranges>
#include <vector>

#include <tenon/tenon.hpp>

#include <tenon/train/loop.hpp>

namespace loop_epoch_test {

using namespace tenon;
using training::evaluate;
using training::Metrics;

namespace {

using Batch = Float32<"batch">;

/// Batches of 2, 2 and 1 elements: 0 to 4.
std::vector<Batch> batches() { return {Batch{{0, 1}}, Batch{{2, 3}}, full<Batch>(4.0f, 1)}; }

struct Model {
  Float32<""> factor{2.0f};
};

auto const mean_of = [](Model const& m, Batch const& x) { return mean(x * m.factor); };

/// Batches whose number of elements is not the size of the first axis of the first tensor.
struct Sequences {
  Float32<"time batch"> x;
  Float32<"batch"> y;
};

std::vector<Sequences> sequences() {
  return {{ones<Float32<"time batch">>(3, 1), full<Batch>(1.0f, 1)},
          {ones<Float32<"time batch">>(3, 9), full<Batch>(2.0f, 9)}};
}

}  // namespace

TEST_CASE("the mean loss is that of all elements, also with a smaller last batch") {
  auto const metrics = evaluate(Model{}, batches(), mean_of);
  static_assert(std::is_same_v<decltype(metrics), Metrics const>);
  CHECK(metrics.loss == 4);
  CHECK(std::isnan(metrics.accuracy));
  CHECK(metrics.count == 5);
  CHECK(metrics.time_seconds >= 0);
}

TEST_CASE("any range of batches is evaluated") {
  auto const view = std::views::iota(1, 4) | std::views::transform([](int size) {
                      return zeros<Batch>(size) + static_cast<float>(size);
                    }) |
                    std::views::transform([](auto const& x) { return Batch(x); });
  auto const metrics = evaluate(Model{{1.0f}}, view, mean_of);
  CHECK(metrics.count == 6);
  CHECK(metrics.loss == doctest::Approx((1 + 4 + 9) / 6.0));
  CHECK(evaluate(Model{}, batches(), [](Model const&, Batch const&) { return 1; }).loss == 1);
}

TEST_CASE("of no elements the means are NaN, and the count 0") {
  auto const none = evaluate(Model{}, std::vector<Batch>(), mean_of);
  CHECK(std::isnan(none.loss));
  CHECK(none.count == 0);
  CHECK(evaluate(Model{}, std::vector{zeros<Batch>(0)}, mean_of).count == 0);
}

TEST_CASE("an empty batch is not measured, and is not in the means of an epoch") {
  auto all = batches();
  all.insert(all.begin(), zeros<Batch>(0));
  all.push_back(zeros<Batch>(0));
  auto const metrics = evaluate(Model{}, all, [](Model const& m, Batch const& x) {
    return Metrics{.loss = 1.0 * mean_of(m, x).item(), .accuracy = 1.0 * max(x).item()};
  });
  CHECK(metrics.loss == 4);
  CHECK(metrics.accuracy == doctest::Approx((2 * 1 + 2 * 3 + 4) / 5.0));
  CHECK(metrics.count == 5);
  auto const epoch = training::train_epoch(all, [](Batch const& x) {
    return training::StepResult{1.0 * mean(x).item(), 0};  // NaN of an empty batch
  });
  CHECK(epoch.loss == 2);
  CHECK(epoch.count == 5);
  CHECK(epoch.steps == 5);
}

TEST_CASE("a sum with a count has the weight of its count, also of none") {
  auto const positive = [](Model const& m, Batch const& x) {
    Batch const mask = to<float>(x > 1);
    return training::LossSum{sum(x * m.factor * mask), sum(mask)};
  };
  auto const metrics = evaluate(Model{}, batches(), positive);
  CHECK(metrics.loss == 2 * (2 + 3 + 4) / 3.0);
  CHECK(metrics.count == 3);
  CHECK(std::isnan(evaluate(Model{}, std::vector{batches()[0]}, positive).loss));
  auto const negative = [](Model const&, Batch const& x) { return training::LossSum{sum(x), -1}; };
  CHECK_THROWS_WITH_AS(
      evaluate(Model{}, batches(), negative),
      "tenon::LossSum: 'count': expected a finite number of at least 0, got -1.000000", ValueError);
}

TEST_CASE("tensors of a batch that do not have the first axis in common need a weight") {
  auto const all = sequences();
  auto const of_y = [](Model const&, Sequences const& batch) { return mean(batch.y); };
  constexpr auto message =
      "tenon::batch_size: 'y': expected the first axis time=3 of 'x', got batch=1";
  CHECK_THROWS_WITH_AS(evaluate(Model{}, all, of_y), message, ShapeError);
  auto const step = [](Sequences const& batch) {
    return training::StepResult{1.0 * mean(batch.y).item(), 0};
  };
  CHECK_THROWS_WITH_AS(training::train_epoch(all, step), message, ShapeError);
  CHECK(training::batch_size<"batch">(all[1]) == 9);
  CHECK_THROWS_WITH_AS(training::batch_size<"row">(all[1]),
                       "tenon::batch_size: expected a tensor with the axis row, got none",
                       ShapeError);
  Sequences const uneven{all[1].x, all[0].y};
  CHECK_THROWS_WITH_AS(training::batch_size<"batch">(uneven),
                       "tenon::batch_size: 'y': expected the axis batch=9 of 'x', got batch=1",
                       ShapeError);
  auto const counted = [](Model const&, Sequences const& batch) {
    return Metrics{.loss = 1.0 * mean(batch.y).item(), .count = batch.y.size()};
  };
  CHECK(evaluate(Model{}, all, counted).loss == 1.9);
  auto const weighted = [&](Sequences const& batch) {
    return training::StepResult{step(batch).loss, 0, static_cast<double>(batch.y.size())};
  };
  CHECK(training::train_epoch(all, weighted).loss == 1.9);
}

TEST_CASE("a NaN in one batch is a NaN of the mean") {
  auto all = batches();
  all[1](0) = std::numeric_limits<float>::quiet_NaN();
  CHECK(std::isnan(evaluate(Model{}, all, mean_of).loss));
}

TEST_CASE("a struct with more fields: means of floating ones, sums of integers") {
  struct Scores {
    double loss;
    float largest;
    std::int64_t above_two;
  };
  auto const scores = evaluate(Model{}, batches(), [](Model const&, Batch const& x) {
    return Scores{.loss = static_cast<double>(eval(mean(x)).item()),
                  .largest = eval(max(x)).item(),
                  .above_two = eval(sum(to<std::int64_t>(x > 2))).item()};
  });
  CHECK(scores.loss == 2);
  CHECK(scores.largest == doctest::Approx((2 * 1 + 2 * 3 + 4) / 5.0));
  CHECK(scores.above_two == 2);
}

TEST_CASE("a count that is measured is the weight of its batch") {
  auto const metrics = evaluate(Model{}, batches(), [](Model const&, Batch const& x) {
    auto const first = static_cast<std::int64_t>(x(0));
    return Metrics{.loss = static_cast<double>(first), .accuracy = 1, .count = first};
  });
  CHECK(metrics.count == 2 + 2 + 4);  // a count of 0: the size of the batch
  CHECK(metrics.loss == (2 * 0 + 2 * 2 + 4 * 4) / 8.0);
  CHECK(metrics.accuracy == 1);
}

TEST_CASE("the accuracy is the share of elements whose largest score is at their label") {
  Float32<"batch digit=3"> const scores{{{0, 1, 2}, {3, 1, 2}, {1, 5, 2}, {1, 1, 0}}};
  Int32<"batch"> const labels{{2, 1, 1, 0}};
  CHECK(training::accuracy<"digit">(scores, labels) == 0.75);
  CHECK(std::isnan(
      training::accuracy<"digit">(zeros<Float32<"batch digit=3">>(0), zeros<Int32<"batch">>(0))));
}

TEST_CASE("an epoch makes a step with every batch, in order") {
  std::vector<double> losses;
  auto const epoch = training::train_epoch(
      batches(),
      [](Batch const& x) {
        return training::StepResult{static_cast<double>(eval(mean(x)).item()), 0};
      },
      [&](training::StepResult const& result) { losses.push_back(result.loss); });
  CHECK(losses == std::vector<double>{0.5, 2.5, 4});
  CHECK(epoch.loss == 2);
  CHECK(epoch.steps == 3);
  CHECK(epoch.count == 5);
  CHECK(epoch.is_complete);
  CHECK(epoch.time_seconds >= 0);
}

TEST_CASE("an epoch ends where a function of the step returns false") {
  int steps = 0;
  auto const step = [&](Batch const&) { return training::StepResult{1.0 * ++steps, 0}; };
  auto const epoch = training::train_epoch(batches(), step, [&](auto const&) { return steps < 2; });
  CHECK(steps == 2);
  CHECK(epoch.steps == 2);
  CHECK(epoch.loss == 1.5);
  CHECK_FALSE(epoch.is_complete);
  CHECK(std::isnan(training::train_epoch(std::vector<Batch>(), step).loss));
}

TEST_CASE("early stopping waits for epochs without a decrease") {
  training::EarlyStopping const stopping{.patience = 2, .min_delta = 0.1};
  training::EarlyStoppingState state;
  CHECK(stopping.update(state, 1.0));
  CHECK_FALSE(stopping.update(state, 0.95));
  CHECK_FALSE(stopping.should_stop(state));
  CHECK(stopping.update(state, 0.85));
  CHECK(state.best == 0.85);
  CHECK_FALSE(stopping.update(state, std::nan("")));
  CHECK_FALSE(stopping.update(state, 0.85));
  CHECK(stopping.should_stop(state));
  CHECK(state.best == 0.85);
}

}  // namespace loop_epoch_test
