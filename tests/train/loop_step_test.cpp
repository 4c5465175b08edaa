// One step of training against the same step written out; clipping, accumulation, memory, messages.

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <tuple>
#include <vector>

#include <tenon/tenon.hpp>

#include <tenon/train/loop.hpp>

namespace loop_step_test {

using namespace tenon;
using training::train_step;

namespace {

struct Model {
  Float32<"in=3 hidden=4"> w1;
  Float32<"hidden=4 digit=2"> w2;
  Float32<"digit=2"> bias;

  auto operator()(Float<"batch in=3"> auto const& x) const {
    return matmul(tanh(matmul(x, w1)), w2) + bias;
  }
};

struct Batch {
  Float32<"batch in=3"> x;
  Int32<"batch"> label;
};

auto const loss = [](Model const& m, Batch const& batch) {
  return cross_entropy<"digit">(m(batch.x), batch.label);
};

Model new_model() { return init::normal<Model>(Key{1}, 0.5f); }

Batch new_batch(std::int64_t size, std::uint64_t seed = 2) {
  Batch batch{tenon::normal<Float32<"batch in=3">>(Key{seed}, size), zeros<Int32<"batch">>(size)};
  for (std::int64_t i = 0; i < size; ++i) batch.label(i) = static_cast<std::int32_t>(i % 2);
  return batch;
}

/// The elements of two batches.
Batch joined(Batch const& a, Batch const& b) {
  return {concat<"batch">(a.x, b.x), concat<"batch">(a.label, b.label)};
}

double distance(Model const& a, Model const& b) {
  double most = 0;
  tree::zip(
      [&](auto const& x, auto const& y) {
        most = std::max(most, static_cast<double>(eval(max(abs(flatten(x) - flatten(y)))).item()));
      },
      a, b);
  return most;
}

/// A model after one step of SGD, and what the step reports.
struct After {
  Model model = new_model();
  training::StepResult result{};
};

template <class Loss = decltype(loss)>
After after(Batch const& batch, training::StepOptions const& options, Loss const& of = loss) {
  After after;
  auto const sgd = SGD{.rate = 0.1};
  auto state = sgd.init(after.model);
  after.result = train_step(after.model, batch, of, sgd, state, options);
  return after;
}

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE("a step is that of value_and_grad, clipping and the optimizer, to the bit") {
  auto const batch = new_batch(8);
  auto const adam = AdamW{.rate = 0.01};
  Model model = new_model(), expected = model;
  auto state = adam.init(model);
  auto expected_state = state;
  for (int i = 0; i < 3; ++i) {
    auto const [value, gradients] =
        value_and_grad([&](Model const& m) { return loss(m, batch); })(expected);
    auto const result = train_step(model, batch, loss, adam, state, {.clip_norm = 0.3});
    CHECK(result.loss == static_cast<double>(value.item()));
    CHECK(result.gradient_norm == global_norm(gradients));
    std::tie(expected, expected_state) =
        adam.step(expected, clip_by_global_norm(gradients, 0.3), expected_state);
  }
  CHECK(distance(model, expected) == 0);
  CHECK(distance(state.mean_square, expected_state.mean_square) == 0);
  CHECK(state.steps.item() == 3);
}

TEST_CASE("gradients are clipped to a norm of 1 unless other options are given") {
  auto const batch = new_batch(4);
  auto const steep = [](Model const& m, Batch const& b) { return 100 * loss(m, b); };
  auto const unclipped = after(batch, {.clip_norm = training::no_clipping}, steep);
  REQUIRE(unclipped.result.gradient_norm > 1);
  auto const clipped = after(batch, {}, steep);
  CHECK(clipped.result.gradient_norm == unclipped.result.gradient_norm);
  double const moved = distance(clipped.model, new_model());
  double const whole = distance(unclipped.model, new_model());
  CHECK(moved == doctest::Approx(whole / unclipped.result.gradient_norm).epsilon(1e-4));
  CHECK(distance(after(batch, {.clip_norm = infinity}, steep).model, unclipped.model) == 0);
}

TEST_CASE("a rate is that of the step") {
  auto const batch = new_batch(4);
  CHECK(distance(after(batch, {.rate = 0.1}).model, after(batch, {}).model) == 0);
  CHECK(distance(after(batch, {.rate = 0.0}).model, new_model()) == 0);
}

TEST_CASE("accumulated gradients are those of the whole batch") {
  for (std::int64_t const size : {8, 7, 3}) {
    auto const batch = new_batch(size);
    auto const whole = after(batch, {.clip_norm = infinity});
    for (std::int64_t const parts : {2, 3, 8}) {
      CAPTURE(size);
      CAPTURE(parts);
      auto const sum = after(batch, {.clip_norm = infinity, .accumulate = parts});
      CHECK(sum.result.loss == doctest::Approx(whole.result.loss).epsilon(1e-6));
      CHECK(sum.result.gradient_norm == doctest::Approx(whole.result.gradient_norm).epsilon(1e-5));
      CHECK(distance(sum.model, whole.model) < 1e-7);
    }
  }
}

TEST_CASE("a batch of one element is not divided") {
  auto const batch = new_batch(1);
  CHECK(distance(after(batch, {.accumulate = 4}).model, after(batch, {}).model) == 0);
}

TEST_CASE("a step with several batches is that of one with all their elements") {
  auto const a = new_batch(5, 3), b = new_batch(2, 4);
  auto const whole = after(joined(a, b), {});
  After sum;
  auto const sgd = SGD{.rate = 0.1};
  auto state = sgd.init(sum.model);
  sum.result = training::train_step_accumulated(sum.model, std::vector{a, b}, loss, sgd, state);
  CHECK(sum.result.loss == doctest::Approx(whole.result.loss).epsilon(1e-6));
  CHECK(distance(sum.model, whole.model) < 1e-7);
}

TEST_CASE("nothing is allocated after the first step") {
  auto const batch = new_batch(64);
  auto const adam = AdamW{};
  Model model = new_model();
  auto state = adam.init(model);
  for (std::int64_t const parts : {1, 4}) {
    training::StepOptions const options{.accumulate = parts};
    for (int i = 0; i < 2; ++i) train_step(model, batch, loss, adam, state, options);
    auto const allocations = memory::system_allocations();
    auto const bytes = memory::bytes_in_use();
    for (int i = 0; i < 5; ++i) train_step(model, batch, loss, adam, state, options);
    CHECK(memory::system_allocations() == allocations);
    CHECK(memory::bytes_in_use() == bytes);
  }
}

TEST_CASE("a loss that throws leaves the model and the state") {
  auto const sgd = SGD{.momentum = 0.9};
  Model model = new_model();
  auto state = sgd.init(model);
  auto const failing = [](Model const& m, Batch const& batch) {
    auto const value = eval(loss(m, batch));
    if (batch.x.size() > 0) throw std::runtime_error("the data end here");
    return value;
  };
  CHECK_THROWS_WITH(train_step(model, new_batch(4), failing, sgd, state), "the data end here");
  CHECK(distance(model, new_model()) == 0);
  CHECK(distance(state.velocity, sgd.init(model).velocity) == 0);
}

TEST_CASE("options that would end learning in silence are refused") {
  auto const batch = new_batch(2);
  CHECK_THROWS_WITH_AS(after(batch, {.clip_norm = 0}),
                       "tenon::train_step: 'clip_norm': expected a positive number; no_clipping "
                       "for none, got 0.000000",
                       ValueError);
  CHECK_THROWS_AS(after(batch, {.clip_norm = -1}), ValueError);
  CHECK_THROWS_AS(after(batch, {.clip_norm = nan}), ValueError);
  CHECK_THROWS_WITH_AS(after(batch, {.accumulate = 0}),
                       "tenon::train_step: 'accumulate': expected at least 1, got 0", ValueError);
  After none;
  auto state = SGD{}.init(none.model);
  CHECK_THROWS_WITH_AS(
      training::train_step_accumulated(none.model, std::vector<Batch>(), loss, SGD{}, state),
      "tenon::train_step_accumulated: expected a batch, got none", ValueError);
}

TEST_CASE("a batch that cannot be divided is refused with the name of its tensor") {
  Batch uneven = new_batch(4);
  uneven.label = zeros<Int32<"batch">>(3);
  CHECK_THROWS_WITH_AS(after(uneven, {.accumulate = 2}),
                       "tenon::batch_size: 'label': expected the first axis batch=4 of 'x', got "
                       "batch=3",
                       ShapeError);
  struct Fixed {
    Float32<"batch=4 in=3"> x;
  };
  Model model = new_model();
  auto state = SGD{}.init(model);
  auto const square_loss = [](Model const& m, Fixed const& batch) {
    return mean(square(m(batch.x)));
  };
  train_step(model, Fixed{}, square_loss, SGD{}, state);
  CHECK_THROWS_WITH_AS(
      train_step(model, Fixed{}, square_loss, SGD{}, state, {.accumulate = 2}),
      "tenon::train_step: 'x': expected a first axis without a size, to accumulate over its "
      "parts, got batch=4 in=3",
      ShapeError);
}

TEST_CASE("scalars of a batch belong to every part") {
  struct Scaled {
    Float32<"batch in=3"> x;
    Float32<""> scale;
    Key key{5};
  };
  CHECK(training::batch_size(Scaled{}) == 0);
  CHECK(training::batch_size(Float32<"">(1)) == 1);
  auto const scaled_loss = [](Model const& m, Scaled const& batch) {
    return mean(square(m(batch.x) * batch.scale));
  };
  Model one = new_model(), two = one;
  auto state = SGD{}.init(one), other = state;
  Scaled const batch{new_batch(6).x, Float32<"">(2.0f)};
  train_step(one, batch, scaled_loss, SGD{.rate = 0.1}, state);
  train_step(two, batch, scaled_loss, SGD{.rate = 0.1}, other, {.accumulate = 3});
  CHECK(distance(one, two) < 1e-7);
}

}  // namespace loop_step_test
