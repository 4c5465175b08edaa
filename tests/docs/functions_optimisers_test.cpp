// Examples of docs/functions/: optimisers.

#include <doctest/doctest.h>

#include <tuple>

#include <tenon/optim.hpp>
#include <tenon/optim/newton_cg.hpp>
#include <tenon/tenon.hpp>

namespace functions_optimisers_test {

using namespace tenon;

Float32<"n=2"> const start{3, 4};

TEST_CASE("optimisers") {
  auto const loss = [](auto const& v) { return sum(v * v); };
  auto const sgd = SGD{.rate = 0.25};
  auto [model, state] = std::pair(start, sgd.init(start));
  std::tie(model, state) = sgd.step(model, grad(loss)(model), state);
  CHECK(to_string(model) == "[1.5 2. ]");

  auto const adam = AdamW{.rate = 0.1, .weight_decay = 0};
  auto const [after, moments] = adam.step(start, Float32<"n=2">{1, 1}, adam.init(start));
  CHECK(after(0) == doctest::Approx(2.9));

  AdamWState<Float32<"n=2">> const first = AdamW{}.init(start);
  CHECK(first.steps.item() == 0);

  SGDState<Float32<"n=2">> const velocity = SGD{}.init(start);
  CHECK(velocity.velocity(0) == 0);
}

TEST_CASE("minimize") {
  auto const f = [](auto const& v) { return sum(square(v - 2)); };
  MinimizeResult const found = minimize(f, start, {.gtol = 1e-6});
  CHECK(found.converged);
  CHECK(found.message == "the gradient is at most gtol");
  CHECK(found.x(1) == doctest::Approx(2));
  CHECK(minimize(f, start, NewtonCG{}).x(0) == doctest::Approx(2));
}

TEST_CASE("clipping and schedules") {
  CHECK(global_norm(start) == 5);
  CHECK(to_string(clip_by_global_norm(start, 2.5)) == "[1.5 2. ]");

  WarmupCosine const schedule{.peak = 0.1, .warmup = 10, .steps = 100};
  CHECK(schedule(4) == doctest::Approx(0.05));
}

TEST_CASE("optimisers by name") {
  Float32<"n=2"> const gradient{1, -2};
  auto const step = [&](auto const& optimizer) {
    return optimizer.step(start, gradient, optimizer.init(start)).first(0);
  };
  CHECK(step(Adam{.rate = 0.1}) == doctest::Approx(2.9));
  CHECK(step(RAdam{.rate = 0.1}) == doctest::Approx(2.9));
  CHECK(step(NAdam{.rate = 0.1}) == doctest::Approx(2.894).epsilon(0.01));
  CHECK(step(Adamax{.rate = 0.1}) == doctest::Approx(2.9));
  CHECK(step(RMSprop{.rate = 0.1}) == doctest::Approx(2));
  CHECK(step(Adagrad{.rate = 0.1}) == doctest::Approx(2.9));
  CHECK(step(Adadelta{}) == doctest::Approx(2.99684));
  CHECK(step(Lion{.rate = 0.1}) == doctest::Approx(2.9));
  CHECK(step(LAMB{.rate = 0.1}) == doctest::Approx(2.64645));
  CHECK(step(Muon{.adamw = {.rate = 0.1}}) == doctest::Approx(2.9));

  ParameterGroups const groups{AdamW{}, {{.paths = "*", .rate = 0.1}}};
  CHECK(step(groups) == doctest::Approx(2.9));
}

TEST_CASE("averages, clipping, schedules by name") {
  EMA const ema{.decay = 0.9};
  auto const average = ema.step(ema.step(ema.init(start), start), eval(2 * start));
  CHECK(average.model(0) == doctest::Approx(3.3));

  CHECK(to_string(clip_by_value(start, 3.5)) == "[3.  3.5]");

  CHECK(StepLR{.rate = 0.1, .step_size = 30}(30) == doctest::Approx(0.01));

  ReduceLROnPlateau const plateau{.rate = 0.1, .patience = 0};
  ReduceLROnPlateauState const reduced = plateau.step(plateau.step(plateau.init(), 1), 1);
  CHECK(reduced.rate == doctest::Approx(0.01));
}

}  // namespace functions_optimisers_test
