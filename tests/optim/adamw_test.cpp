#include <doctest/doctest.h>

#include "../bits/record.hpp"
#include "adamw_formula.hpp"
#include "trees.hpp"

namespace adamw_test {

using namespace optim_test;

namespace {

template <class T, class D>
void check_steps(AdamW const& adam) {
  auto model = optim_test::model<T, D>(1);
  auto state = adam.init(model);
  auto const decays = in_matrix(model);
  std::vector<OneNumber> expected;
  for (double const value : values(model)) expected.push_back({value});
  for (int t = 1; t <= 5; ++t) {
    auto const gradients = optim_test::model<T, D>(10 + t);
    double const rate = adam.rate / t;
    std::tie(model, state) = adam.step(model, gradients, state, rate);
    bits::record(bits::name_of<T, D>(), std::pair(model, state));
    auto const got = values(model), g = values(gradients);
    double const tolerance = sizeof(T) == 4 ? 1e-6 : 1e-14;
    for (std::size_t i = 0; i < got.size(); ++i) {
      expected[i].step(adam, rate, g[i], decays[i], t);
      CHECK(std::abs(got[i] - expected[i].parameter) <= tolerance * (1 + std::abs(got[i])));
    }
  }
  CHECK(state.steps.item() == 5);
}

void check_all(AdamW const& adam) {
  check_steps<float, Cpu>(adam);
  check_steps<float, Reference>(adam);
  check_steps<double, Cpu>(adam);
  check_steps<double, Reference>(adam);
}

}  // namespace

TEST_CASE("AdamW follows its formula, and decays matrices only") {
  check_all(AdamW{});
  check_all(AdamW{.rate = 0.1, .beta1 = 0.8, .beta2 = 0.95, .epsilon = 1e-3, .weight_decay = 0.3});
  check_all(AdamW{.beta1 = 0, .beta2 = 0, .weight_decay = 0});
}

TEST_CASE("AdamW of a zero gradient only decays") {
  auto const adam = AdamW{.rate = 0.5, .weight_decay = 0.5};
  Float32<"a=2 b=2"> const model{{1, 2}, {3, 4}};
  auto const [decayed, state] = adam.step(model, Float32<"a=2 b=2">(), adam.init(model));
  CHECK(decayed(1, 1) == 3.0f);
  CHECK(state.mean_square(1, 1) == 0.0f);
}

TEST_CASE("AdamW does not change leaves that are excluded by name or not learned") {
  auto const before = optim_test::model<float, Cpu>(1);
  auto const adam = AdamW{};
  auto const state = adam.init(before);
  auto const expected = values(before);
  auto const [after, next] = adam.step(before, optim_test::model<float, Cpu>(2), state);
  CHECK(values(before) == expected);
  CHECK(state.steps.item() == 0);
  CHECK(values(state.mean) == std::vector<double>(expected.size(), 0.0));
  CHECK(values(after) != expected);
  CHECK(after.table->data()[3] == before.table->data()[3]);
}

TEST_CASE("the state of AdamW is a tree with the names of the model") {
  auto const paths = tenon::tree::paths(AdamW{}.init(optim_test::model<float, Cpu>(1)));
  CHECK(paths.front() == "mean.weight");
  CHECK(paths.back() == "mean_square.scale");
}

TEST_CASE(
    "AdamW runs two kernels per rank of small leaves, and allocates nothing after its first step") {
  auto model = optim_test::model<float, Cpu>(1);
  auto const gradients = optim_test::model<float, Cpu>(2);
  auto const adam = AdamW{};
  auto state = adam.init(model);
  std::tie(model, state) = adam.step(model, gradients, state);
  auto const allocations = tenon::memory::system_allocations();
  auto const kernels = kernels_run;
  std::tie(model, state) = adam.step(model, gradients, state);
  CHECK(tenon::memory::system_allocations() == allocations);
  CHECK(kernels_run - kernels == 4);  // with weight decay, and without
}

TEST_CASE("the error for trees of different sizes names the leaf") {
  auto const model = optim_test::model<float, Cpu>(1);
  auto gradients = model;
  gradients.layers.pop_back();
  CHECK_THROWS_WITH_AS(AdamW{}.step(model, gradients, AdamW{}.init(model)),
                       "tenon::tree: 'layers': expected 2 elements, got 1", ShapeError);
  gradients = model;
  gradients.layers[1] = gradients.layers[0];
  CHECK_THROWS_AS(AdamW{}.step(model, gradients, AdamW{}.init(model)), ShapeError);
}

}  // namespace adamw_test
