// The code that docs/precision.md shows.

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <tuple>
#include <utility>

#include <tenon/io/safetensors.hpp>
#include <tenon/tenon.hpp>
#include <tenon/train/precision.hpp>

#include "../io/folder.hpp"

namespace docs_precision {
namespace {

using namespace tenon;

struct Batch {
  Float32<"batch feature=2"> x;
  Int32<"batch"> label;
};

template <class T>
struct Classifier {
  Linear<"feature=2", "hidden=16", T> up;
  Linear<"hidden=16", "class=2", T> down;

  auto operator()(Float<"batch feature=2"> auto const& x) const { return down(relu(up(x))); }
};

struct State {  // what a checkpoint saves
  Classifier<float> model;
  AdamWState<Classifier<float>> optimizer;
  training::Precision<float, bfloat16> precision{};  // parameters, compute; the loss in float
};

auto loss_of(auto const& model, Batch const& batch) {
  return cross_entropy<"class">(model(batch.x), batch.label);
}

training::StepResult step(State& state, Batch const& batch) {
  auto const loss = [](auto const& m, Batch const& b) { return loss_of(m, b); };
  return training::train_step(state.model, batch, loss, AdamW{.rate = 1e-2}, state.optimizer,
                              state.precision, {.clip_norm = 1.0});
}

training::StepResult step_over_ranks(State& state, Batch const& batch, auto const& average) {
  auto const loss = [](auto const& m, Batch const& b) { return loss_of(m, b); };
  auto [value, gradients] = value_and_grad([&](Classifier<float> const& m) {
    return training::scaled_loss(state.precision, loss)(m, batch);
  })(state.model);
  double const scale = state.precision.loss_scale.scale;
  double const norm = training::apply_gradients(state.model, average(gradients), AdamW{},
                                                state.optimizer, state.precision);
  return {static_cast<double>(value.item()) / scale, norm};
}

Classifier<float> new_model() { return init::normal<Classifier<float>>(Key{1}, 0.3f); }

State new_state() {
  auto model = new_model();
  auto optimizer = AdamW{}.init(model);
  return {std::move(model), std::move(optimizer)};
}

Batch new_batch() {
  Batch batch{tenon::normal<Float32<"batch feature=2">>(Key{3}, 64), zeros<Int32<"batch">>(64)};
  for (std::int64_t i = 0; i < 64; ++i) batch.label(i) = batch.x(i, 0) > batch.x(i, 1) ? 1 : 0;
  return batch;
}

template <class P>
bool train() {
  auto model = new_model();
  auto state = AdamW{}.init(model);
  P precision;
  auto const loss = [](auto const& m, Batch const& b) { return loss_of(m, b); };
  double last = 0;
  for (int i = 0; i < 100; ++i)
    last =
        training::train_step(model, new_batch(), loss, AdamW{.rate = 0.02}, state, precision).loss;
  return last < 0.2;
}

bool run(std::string const& compute) {  // "bf16", "bfloat16", "half", "float32", ...
  return visit_dtype<float, bfloat16>(dtype_from_string(compute), [](auto zero) {
    return train<training::Precision<float, decltype(zero)>>();
  });
}

}  // namespace

TEST_CASE("a classifier learns in bfloat16, and over ranks with the same steps") {
  State state = new_state(), over_ranks = new_state();
  auto const batch = new_batch();
  double const first = step(state, batch).loss;
  for (int i = 0; i < 100; ++i) step(state, batch);
  CHECK(step(state, batch).loss < first / 3);

  State alone = new_state();
  auto const same = [](auto const& gradients) { return gradients; };
  CHECK(step_over_ranks(over_ranks, batch, same).loss == step(alone, batch).loss);
}

TEST_CASE("a run goes on from a checkpoint with the same bits") {
  Folder const folder;
  State state = new_state();
  auto const batch = new_batch();
  for (int i = 0; i < 3; ++i) step(state, batch);
  save(folder / "state.safetensors", state);
  State loaded = load<State>(folder / "state.safetensors");
  CHECK(loaded.precision.loss_scale.scale == state.precision.loss_scale.scale);
  for (int i = 0; i < 3; ++i) CHECK(step(loaded, batch).loss == step(state, batch).loss);
}

TEST_CASE("a model of bfloat16 parameters learns with master weights") {
  auto const batch = new_batch();
  MasterWeights const adam{AdamW{.rate = 1e-2}};
  auto model = to<bfloat16>(new_model());
  auto state = adam.init(model);
  for (int i = 0; i < 100; ++i) {
    auto const gradients = grad([&](Classifier<bfloat16> const& m) {
      return to<float>(cross_entropy<"class">(m(to<bfloat16>(batch.x)), batch.label));
    })(model);
    std::tie(model, state) = adam.step(model, clip_by_global_norm(gradients, 1), state);
  }
  CHECK(static_cast<float>(
            eval(cross_entropy<"class">(model(to<bfloat16>(batch.x)), batch.label)).item()) < 0.3f);
}

TEST_CASE("the dtype of a configuration") {
  CHECK(run("bf16"));
  CHECK(run("float32"));
  CHECK_THROWS_AS(run("int8"), ValueError);
}

}  // namespace docs_precision
