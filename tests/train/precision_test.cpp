// Steps in several dtypes, against steps written out and against float.

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <tuple>
#include <vector>

#include <tenon/tenon.hpp>

#include <tenon/train/loop.hpp>
#include <tenon/train/precision.hpp>

#include "../optim/trees.hpp"

namespace precision_test {

using namespace tenon;
using optim_test::values;
using training::LossScale;
using training::Precision;
using training::train_step;

namespace {

template <class T>
struct Model {
  Linear<"in=3", "hidden=8", T> first;
  Linear<"hidden=8", "digit=2", T> second;

  auto operator()(Float<"batch in=3"> auto const& x) const -> Tensor<T, "batch digit=2"> {
    return second(Tensor<T, "batch hidden=8">(tanh(first(x))));
  }
};

struct Batch {
  Float32<"batch in=3"> x;
  Int32<"batch"> label;
};

auto const loss = [](auto const& model, Batch const& batch) {
  return cross_entropy<"digit">(model(batch.x), batch.label);
};

Batch new_batch(std::int64_t size, std::uint64_t seed = 2) {
  Batch batch{tenon::normal<Float32<"batch in=3">>(Key{seed}, size), zeros<Int32<"batch">>(size)};
  for (std::int64_t i = 0; i < size; ++i)
    batch.label(i) = batch.x(i, 0) + batch.x(i, 1) * batch.x(i, 2) > 0 ? 1 : 0;
  return batch;
}

template <class P>
struct Training {
  Model<float> model = init::normal<Model<float>>(Key{1}, 0.5f);
  AdamWState<Model<float>> state = AdamW{}.init(model);
  P precision{};

  training::StepResult step(Batch const& batch, training::StepOptions const& options = {}) {
    return train_step(model, batch, loss, AdamW{.rate = 0.02}, state, precision, options);
  }
};

}  // namespace

TEST_CASE("a step is that of a model whose parameters and inputs are rounded") {
  Training<Precision<>> of;
  auto const before = of.model;
  auto const batch = new_batch(8);
  auto const [value, gradients] = value_and_grad([&](Model<float> const& m) {
    auto const rounded = to<bfloat16>(m);
    Float32<"batch digit=2"> const logits =
        to<float>(rounded(BFloat16<"batch in=3">(to<bfloat16>(batch.x))));
    return cross_entropy<"digit">(logits, batch.label);
  })(before);
  auto const result = of.step(batch, {.clip_norm = training::no_clipping});
  CHECK(result.loss == static_cast<double>(value.item()));
  CHECK(result.gradient_norm == global_norm(gradients));
  auto const [expected, state] = AdamW{.rate = 0.02}.step(before, gradients, AdamW{}.init(before));
  CHECK(values(of.model) == values(expected));
  CHECK(values(of.state.mean) == values(state.mean));
}

TEST_CASE("with float throughout a step is that without a precision") {
  Training<Precision<float, float>> of;
  auto model = of.model;
  auto state = of.state;
  auto const batch = new_batch(8);
  auto const expected = train_step(model, batch, loss, AdamW{.rate = 0.02}, state);
  auto const got = of.step(batch);
  CHECK(got.loss == expected.loss);
  CHECK(got.gradient_norm == expected.gradient_norm);
  CHECK(values(of.model) == values(model));
}

template <class P>
double loss_after(int steps) {
  Training<P> of;
  double last = 0;
  for (int i = 0; i < steps; ++i) last = of.step(new_batch(64, 10)).loss;
  return last;
}

TEST_CASE("a classifier learns as well in 16 bits as in float") {
  double const expected = loss_after<Precision<float, float>>(150);
  CHECK(expected < 0.2);
  CHECK(loss_after<Precision<float, bfloat16>>(150) == doctest::Approx(expected).epsilon(0.1));
  CHECK(loss_after<Precision<float, float16>>(150) == doctest::Approx(expected).epsilon(0.02));
}

TEST_CASE("a step is the same for every constant scale that is a power of two") {
  Training<Precision<float, bfloat16>> plain, scaled;
  scaled.precision.loss_scale = LossScale::constant(1024);
  auto const batch = new_batch(8);
  auto const expected = plain.step(batch), got = scaled.step(batch);
  CHECK(got.loss == expected.loss);
  CHECK(got.gradient_norm == expected.gradient_norm);
  CHECK(values(scaled.model) == values(plain.model));
}

TEST_CASE("a step whose gradients overflow leaves model and state, and halves the scale") {
  Training<Precision<float, float16>> of;
  double const first = std::pow(2.0, 140);  // beyond float
  of.precision.loss_scale.scale = first;
  auto const model = values(of.model), mean = values(of.state.mean);
  int left_out = 0;
  while (!std::isfinite(of.step(new_batch(8)).gradient_norm)) {
    ++left_out;
    CHECK(values(of.model) == model);
    CHECK(values(of.state.mean) == mean);
    CHECK(of.state.steps.item() == 0);
    CHECK(of.precision.loss_scale.scale == first * std::pow(0.5, left_out));
    REQUIRE(left_out < 40);
  }
  CHECK(left_out > 11);
  CHECK(values(of.model) != model);
  CHECK(of.precision.loss_scale.finite_steps == 1);
}

TEST_CASE("a loss that is NaN is left out too, one step, and training goes on") {
  Training<Precision<float, float16>> of;
  auto const model = values(of.model);
  auto batch = new_batch(8);
  batch.x(3, 1) = std::numeric_limits<float>::quiet_NaN();
  CHECK(std::isnan(of.step(batch).loss));
  CHECK(values(of.model) == model);
  CHECK(std::isfinite(of.step(new_batch(8)).gradient_norm));
  CHECK(values(of.model) != model);
}

TEST_CASE("the scale grows after an interval of finite steps") {
  LossScale scale{.scale = 4, .growth_interval = 3};
  for (bool const is_finite : {true, true, false, true, true}) scale.update(is_finite);
  CHECK(scale.scale == 2);
  CHECK(scale.finite_steps == 2);
  scale.update(true);
  CHECK(scale.scale == 4);
  CHECK(scale.finite_steps == 0);
  LossScale constant = LossScale::constant(8);
  constant.update(false);
  CHECK(constant.scale == 8);
}

TEST_CASE("micro-batches give the gradients of the whole batch") {
  Training<Precision<float, bfloat16>> whole, parts;
  auto const batch = new_batch(12);
  auto const expected = whole.step(batch), got = parts.step(batch, {.accumulate = 3});
  CHECK(got.loss == doctest::Approx(expected.loss).epsilon(1e-5));
  CHECK(got.gradient_norm == doctest::Approx(expected.gradient_norm).epsilon(1e-2));
}

TEST_CASE("a sum with a count is scaled, and of no elements there is no step") {
  auto const sum_of = [](auto const& m, Batch const& batch) {
    return training::LossSum{loss(m, batch) * 12, 12};
  };
  Training<Precision<float, float16>> whole, sums;
  whole.precision.loss_scale = sums.precision.loss_scale = LossScale::constant(256);
  auto const batch = new_batch(12);
  auto const expected = whole.step(batch);
  auto const got =
      train_step(sums.model, batch, sum_of, AdamW{.rate = 0.02}, sums.state, sums.precision);
  CHECK(got.loss == doctest::Approx(expected.loss).epsilon(1e-5));
  CHECK(got.gradient_norm == doctest::Approx(expected.gradient_norm).epsilon(1e-2));
  CHECK(got.weight == 12);
  CHECK(sums.step(new_batch(0)).weight == 0);
  CHECK(sums.state.steps.item() == 1);
}

TEST_CASE("a scale that makes every loss zero or infinite is refused") {
  Training<Precision<float, float16>> of;
  of.precision.loss_scale.scale = 0;
  CHECK_THROWS_WITH((void)of.step(new_batch(4)),
                    "tenon::train_step: 'loss_scale.scale': expected a positive number less than "
                    "1e300, got 0.000000");
}

TEST_CASE("the outputs of a model have the dtype of the precision, its fields that of computing") {
  auto const model = init::normal<Model<float>>(Key{1}, 0.5f);
  auto const in16 = training::in_compute_dtype<Precision<float, bfloat16, double>>(model);
  auto const y = in16(new_batch(3).x);
  static_assert(std::same_as<std::remove_cvref_t<decltype(y)>, Tensor<double, "batch digit=2">>);
  static_assert(std::same_as<std::remove_cvref_t<decltype(in16.first)>,
                             Linear<"in=3", "hidden=8", bfloat16>>);
}

namespace {

/// Results within a tuple and a pair.
template <class T>
struct SeveralResults {
  Tensor<T, "n=2"> weight;

  auto operator()(Float<"n=2"> auto const& x, Int32<""> const& label) const {
    static_assert(std::same_as<typename std::remove_cvref_t<decltype(x)>::value_type, T>);
    Tensor<T, "n=2"> const y = x * weight;
    return std::tuple(y, label, std::pair(label, y));
  }
};

}  // namespace

TEST_CASE("arguments that are not floating are unchanged, results are converted in tuples") {
  auto const in16 =
      training::in_compute_dtype<Precision<>>(SeveralResults<float>{Float32<"n=2">{1.5f, 2}});
  auto const [y, label, both] = in16(Float32<"n=2">{2, 1.00001f}, Int32<"">(7));
  static_assert(std::same_as<std::remove_cvref_t<decltype(y)>, Float32<"n=2">>);
  CHECK(y(0) == 3.0f);
  CHECK(y(1) == 2.0f);  // 1.00001 is rounded to 1
  CHECK(label.item() == 7);
  CHECK(std::get<1>(both)(0) == 3.0f);
}

TEST_CASE("the gradients of several batches are those of one") {
  Training<Precision<>> whole, parts;
  auto const a = new_batch(6, 3), b = new_batch(6, 4);
  Batch const joined{concat<"batch">(a.x, b.x), concat<"batch">(a.label, b.label)};
  auto const expected = whole.step(joined);
  auto const got = training::train_step_accumulated(
      parts.model, std::vector{a, b}, loss, AdamW{.rate = 0.02}, parts.state, parts.precision);
  CHECK(got.loss == doctest::Approx(expected.loss).epsilon(1e-5));
  CHECK(got.gradient_norm == doctest::Approx(expected.gradient_norm).epsilon(1e-2));
}

}  // namespace precision_test
