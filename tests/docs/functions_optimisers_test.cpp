// Examples of docs/functions.md: optimisers.

#include <doctest/doctest.h>

#include <tuple>

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

TEST_CASE("clipping and schedules") {
  CHECK(global_norm(start) == 5);
  CHECK(to_string(clip_by_global_norm(start, 2.5)) == "[1.5 2. ]");

  WarmupCosine const schedule{.peak = 0.1, .warmup = 10, .steps = 100};
  CHECK(schedule(4) == doctest::Approx(0.05));
}

}  // namespace functions_optimisers_test
