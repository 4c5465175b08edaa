// Every optimizer against PyTorch, by tests/optim/golden/make.py.

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include <tenon/optim.hpp>
#include <tenon/tenon.hpp>

#include "trees.hpp"

namespace pytorch_test {

using namespace tenon;
using optim_test::values;

namespace {

std::map<std::string, std::vector<double>> const golden{
#include "golden/optimisers.inc"
};

template <class T>
struct Model {
  Of<T, "in=3 out=2"> weight;
  Of<T, "out=2"> bias;
  Of<T, "n m"> empty;
};

template <class T, class F>
Model<T> filled(F const& number) {
  Model<T> model;
  int i = 0;
  tenon::tree::for_each(
      [&](auto& leaf) {
        for (int k = 0; k < leaf.size(); ++k) leaf.mutable_data()[k] = static_cast<T>(number(i++));
      },
      model);
  return model;
}
template <class T>
Model<T> start() {
  return filled<T>([](int i) { return 2 * std::sin(1 + 0.7 * i); });
}
template <class T>
Model<T> gradients(int t) {
  return filled<T>([t](int i) { return std::cos(0.9 * i + 1.3 * t) * (i % 3 == 0 ? 3 : 1); });
}

template <class T, class Optimizer>
void check_steps(std::string const& name, Optimizer const& optimizer) {
  auto model = start<T>();
  auto state = optimizer.init(model);
  std::vector<double> found;
  for (int t = 1; t <= 10; ++t) {
    std::tie(model, state) = optimizer.step(model, gradients<T>(t), state);
    auto const now = values(model);
    if (t <= 2 || t == 10) found.insert(found.end(), now.begin(), now.end());
  }
  auto const& expected = golden.at(name);
  double const tolerance = sizeof(T) == 4 ? 1e-5 : 1e-12;
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    CHECK(std::abs(found[i] - expected[i]) <= tolerance * (1 + std::abs(expected[i])));
}

/// The state after 5 steps, and copies of it, lead to the same bits; arguments are not changed.
template <class Optimizer>
void check_pure(Optimizer const& optimizer) {
  auto const model = start<float>();
  auto const state = optimizer.init(model);
  auto const before = values(model);
  auto run = [&](auto now, int from, int to) {
    for (int t = from; t < to; ++t)
      now = optimizer.step(std::move(now.first), gradients<float>(t), std::move(now.second));
    return now;
  };
  auto const whole = run(std::pair(model, state), 0, 8);
  auto const half = run(std::pair(model, state), 0, 5);
  auto const kept = values(half);
  CHECK(values(run(half, 5, 8)) == values(whole));
  CHECK(values(run(half, 5, 8)) == values(whole));
  CHECK(values(half) == kept);
  CHECK(values(model) == before);
  CHECK(values(state) == values(optimizer.init(model)));
}

/// Gradients of zero change nothing but by decay; NaN remains in its leaf.
template <class Optimizer>
void check_special(Optimizer const& optimizer) {
  auto const model = start<double>();
  auto const rest = optimizer.step(model, Model<double>(), optimizer.init(model));
  CHECK(rest.first.bias(1) == model.bias(1));
  auto const weight = eval(max(abs(rest.first.weight - model.weight))).item();
  CHECK(weight <= 1);  // decay; not NaN
  auto undefined = gradients<double>(1);
  undefined.bias.mutable_data()[0] = std::numeric_limits<double>::quiet_NaN();
  auto const after = optimizer.step(model, undefined, optimizer.init(model)).first;
  CHECK(after.weight(1, 1) ==
        optimizer.step(model, gradients<double>(1), optimizer.init(model)).first.weight(1, 1));
}

template <class Optimizer>
void check(std::string const& name, Optimizer const& optimizer) {
  CAPTURE(name);
  check_steps<float>(name, optimizer);
  check_steps<double>(name, optimizer);
  check_pure(optimizer);
  check_special(optimizer);
}

}  // namespace

TEST_CASE("SGD steps as PyTorch's") {
  check("SGD", SGD{});
  check("SGD, momentum", SGD{.rate = 0.1, .momentum = 0.9, .dampening = 0.3, .weight_decay = 0.1});
  check("SGD, Nesterov", SGD{.rate = 0.1, .momentum = 0.9, .weight_decay = 0.1, .nesterov = true});
}

TEST_CASE("the Adam family steps as PyTorch's") {
  check("AdamW", AdamW{.rate = 0.1, .weight_decay = 0.1});
  check("AdamW, amsgrad", AdamW{.rate = 0.1,
                                .beta1 = 0.5,
                                .beta2 = 0.6,
                                .weight_decay = 0.1,
                                .amsgrad = true,
                                .maximize = true});
  check("Adam, amsgrad",
        Adam{.rate = 0.1, .beta1 = 0.5, .beta2 = 0.6, .weight_decay = 0.1, .amsgrad = true});
  check("Adam", Adam{});
  check("Adam, decay",
        Adam{.rate = 0.1, .beta1 = 0.8, .beta2 = 0.9, .epsilon = 1e-3, .weight_decay = 0.1});
  check("Adamax", Adamax{});
  check("Adamax, decay",
        Adamax{.rate = 0.1, .beta1 = 0.8, .beta2 = 0.9, .epsilon = 1e-3, .weight_decay = 0.1});
  check("NAdam", NAdam{});
  check("NAdam, decay", NAdam{.rate = 0.1, .weight_decay = 0.1, .momentum_decay = 0.1});
  check("NAdam, decoupled",
        NAdam{.rate = 0.1, .weight_decay = 0.1, .decoupled_weight_decay = true});
  check("RAdam", RAdam{});
  check("RAdam, decay",
        RAdam{.rate = 0.1, .beta1 = 0.8, .beta2 = 0.99, .epsilon = 1e-3, .weight_decay = 0.1});
  check("RAdam, decoupled",
        RAdam{.rate = 0.1, .weight_decay = 0.1, .decoupled_weight_decay = true});
}

TEST_CASE("RMSprop, Adagrad and Adadelta step as PyTorch's") {
  check("RMSprop", RMSprop{});
  check("RMSprop, centered", RMSprop{.rate = 0.1,
                                     .alpha = 0.9,
                                     .epsilon = 1e-3,
                                     .weight_decay = 0.1,
                                     .momentum = 0.8,
                                     .centered = true});
  check("Adagrad", Adagrad{});
  check("Adagrad, decay",
        Adagrad{
            .rate = 0.1, .rate_decay = 0.2, .weight_decay = 0.1, .initial_accumulator_value = 0.5});
  check("Adadelta", Adadelta{});
  check("Adadelta, decay", Adadelta{.rate = 0.5, .rho = 0.8, .epsilon = 1e-3, .weight_decay = 0.1});
}

TEST_CASE("optimizers that maximize step as PyTorch's") {
  check("SGD, maximize", SGD{.rate = 0.1, .weight_decay = 0.1, .maximize = true});
  check("Adam, maximize", Adam{.rate = 0.1, .weight_decay = 0.1, .maximize = true});
  check("Adamax, maximize", Adamax{.rate = 0.1, .weight_decay = 0.1, .maximize = true});
  check("NAdam, maximize", NAdam{.rate = 0.1, .weight_decay = 0.1, .maximize = true});
  check("RAdam, maximize", RAdam{.rate = 0.1, .weight_decay = 0.1, .maximize = true});
  check("RMSprop, maximize", RMSprop{.rate = 0.1, .weight_decay = 0.1, .maximize = true});
  check("Adagrad, maximize", Adagrad{.rate = 0.1, .weight_decay = 0.1, .maximize = true});
  check("Adadelta, maximize", Adadelta{.rate = 0.1, .weight_decay = 0.1, .maximize = true});
}

TEST_CASE("Lion and LAMB step as in their papers, Muon as PyTorch's") {
  check("Lion", Lion{});
  check("Lion, decay", Lion{.rate = 0.1, .beta1 = 0.8, .beta2 = 0.9, .weight_decay = 0.1});
  check("LAMB", LAMB{});
  check("LAMB, decay", LAMB{.rate = 0.1, .beta1 = 0.8, .beta2 = 0.9, .weight_decay = 0.1});
  check("Muon", Muon{});
  check("Muon, match", Muon{.rate = 0.1,
                            .momentum = 0.8,
                            .nesterov = false,
                            .match_rms_adamw = true,
                            .adamw = AdamW{.rate = 1e-3}});
}

TEST_CASE("optimizers allocate nothing after their first step") {
  auto model = start<float>();
  auto const all = gradients<float>(1);
  RMSprop const rmsprop{.momentum = 0.9, .centered = true};
  auto state = rmsprop.init(model);
  std::tie(model, state) = rmsprop.step(model, all, state);
  auto const allocations = tenon::memory::system_allocations();
  std::tie(model, state) = rmsprop.step(model, all, state);
  CHECK(tenon::memory::system_allocations() == allocations);
}

TEST_CASE("groups of parameters have their own rate and weight decay") {
  auto const model = start<double>(), slope = gradients<double>(1);
  ParameterGroups const groups{SGD{.rate = 0.1, .weight_decay = 0.5},
                               {{.paths = "wei*", .rate = 0}, {.paths = "*", .weight_decay = 2}}};
  auto const after = groups.step(model, slope, groups.init(model), 0.2).first;
  CHECK(values(after.weight) == values(model.weight));
  CHECK(after.bias(1) ==
        doctest::Approx(model.bias(1) - 0.2 * (slope.bias(1) + 2 * model.bias(1))));
  ParameterGroups const half{SGD{.rate = 0.1}, {{.paths = "*.*"}, {.paths = "b*s", .rate = 0.05}}};
  CHECK_THROWS_WITH_AS(half.init(model),
                       "tenon::optim: '*.*': expected a pattern of the paths of some parameters, "
                       "got weight, bias, empty",
                       ValueError);
  auto const changed = half.step(model, slope, SGD{}.init(model), 0.2).first;
  CHECK(changed.bias(1) == doctest::Approx(model.bias(1) - 0.1 * slope.bias(1)));
  CHECK(changed.weight(0, 1) == doctest::Approx(model.weight(0, 1) - 0.2 * slope.weight(0, 1)));
}

TEST_CASE("parameters with a rate of 0 do not change, nor do their states") {
  auto const model = start<double>(), slope = gradients<double>(1);
  ParameterGroups const groups{AdamW{.rate = 0}, {{.paths = "bias", .rate = 0.1}}};
  auto const [after, state] = groups.step(model, slope, groups.init(model));
  CHECK(values(after.weight) == values(model.weight));
  CHECK(state.mean.weight(0, 0) == 0);
  CHECK(after.bias(1) == AdamW{.rate = 0.1}.step(model, slope, AdamW{}.init(model)).first.bias(1));
}

TEST_CASE("Muon leaves parameters of some paths to AdamW") {
  auto const model = start<double>(), slope = gradients<double>(1);
  Muon const muon{.adamw_paths = {"*weight"}};
  auto const expected = AdamW{}.step(model, slope, AdamW{}.init(model)).first;
  CHECK(values(muon.step(model, slope, muon.init(model)).first) == values(expected));
}

TEST_CASE("averages of weights, and gradients clipped by value") {
  auto const one = start<double>(), two = gradients<double>(1), three = gradients<double>(2);
  auto const average = [&](auto const& by) {
    return by.step(by.step(by.step(by.init(one), one), two), three).model.bias(1);
  };
  CHECK(average(EMA{0.9}) ==
        doctest::Approx(0.81 * one.bias(1) + 0.09 * two.bias(1) + 0.1 * three.bias(1)));
  CHECK(average(SWA{}) == doctest::Approx((one.bias(1) + two.bias(1) + three.bias(1)) / 3));
  Float32<"n=4"> const x{-3, 0.5f, std::nanf(""), 2};
  auto const clipped = clip_by_value(x, 1);
  CHECK(values(clipped)[0] == -1);
  CHECK(clipped(1) == 0.5f);
  CHECK(std::isnan(clipped(2)));
  CHECK(clipped(3) == 1.0f);
}

TEST_CASE("parameters that are frozen in a loss have no gradient") {
  auto const model = start<double>();
  auto const gradient = grad([](Model<double> const& m) {
    auto const frozen = freeze(m, "wei*");
    return sum(frozen.weight * frozen.bias);
  })(model);
  CHECK(all(gradient.weight == 0.0).item());
  CHECK(all(gradient.bias == sum<"in">(model.weight)).item());
  CHECK_THROWS_AS(freeze(model, "encoder.*"), ValueError);
}

}  // namespace pytorch_test
