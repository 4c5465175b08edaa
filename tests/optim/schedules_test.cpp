// Every schedule against PyTorch, by tests/optim/golden/make.py.

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include <tenon/optim/schedules.hpp>

namespace schedules_test {

using namespace tenon;

namespace {

std::map<std::string, std::vector<double>> const golden{
#include "golden/schedules.inc"
};

using Schedule = std::function<double(std::int64_t)>;

std::map<std::string, Schedule> const schedules{
    {"StepLR", StepLR{.rate = 0.1, .step_size = 7, .gamma = 0.3}},
    {"MultiStepLR", MultiStepLR{.rate = 0.1, .milestones = {3, 11, 12}, .gamma = 0.5}},
    {"ExponentialLR", ExponentialLR{.rate = 0.1}},
    {"ConstantLR", ConstantLR{.rate = 0.1}},
    {"LinearLR", LinearLR{.rate = 0.1, .start_factor = 0.25, .end_factor = 0.9, .total_iters = 8}},
    {"PolynomialLR", PolynomialLR{.rate = 0.1, .total_iters = 12, .power = 2}},
    {"CosineAnnealingLR", CosineAnnealingLR{.rate = 0.1, .t_max = 12, .eta_min = 0.01}},
    {"CosineAnnealingWarmRestarts",
     CosineAnnealingWarmRestarts{.rate = 0.1, .t_0 = 4, .t_mult = 2, .eta_min = 0.01}},
    {"CosineAnnealingWarmRestarts, equal", CosineAnnealingWarmRestarts{.rate = 0.1, .t_0 = 4}},
    {"OneCycleLR", OneCycleLR{.max_rate = 0.5, .total_steps = 30}},
    {"OneCycleLR, three phases", OneCycleLR{.max_rate = 0.5,
                                            .total_steps = 30,
                                            .pct_start = 0.2,
                                            .is_linear = true,
                                            .div_factor = 10,
                                            .final_div_factor = 100,
                                            .three_phase = true}},
    {"ChainedScheduler",
     ChainedScheduler{std::tuple(ConstantLR{.rate = 0.1, .factor = 0.1, .total_iters = 4},
                                 ExponentialLR{.rate = 1})}},
    {"SequentialLR",
     SequentialLR{std::tuple(LinearLR{.rate = 0.1, .start_factor = 0.1}, ExponentialLR{.rate = 0.1},
                             StepLR{.rate = 0.1, .step_size = 4}),
                  std::array<std::int64_t, 2>{5, 15}}},
};

void check_plateau(std::string const& name, ReduceLROnPlateau const& plateau) {
  auto state = plateau.init();
  for (std::size_t i = 0; i < 30; ++i) {
    auto const x = static_cast<double>(i);
    state = plateau.step(state, std::abs(std::sin(0.35 * x)) + 0.02 * x);
    CAPTURE(i);
    CHECK(state.rate == doctest::Approx(golden.at(name)[i]).epsilon(1e-12));
  }
}

}  // namespace

TEST_CASE("schedules have the rates of PyTorch's") {
  for (auto const& [name, schedule] : schedules) {
    for (std::size_t step = 0; step < 30; ++step) {
      CAPTURE(name);
      CAPTURE(step);
      double const expected = golden.at(name)[step];
      CHECK(std::abs(schedule(static_cast<std::int64_t>(step)) - expected) <= 1e-14);
    }
  }
}

TEST_CASE("the rate is reduced on a plateau as PyTorch's") {
  check_plateau("ReduceLROnPlateau", ReduceLROnPlateau{.rate = 0.1, .patience = 3});
  check_plateau("ReduceLROnPlateau, max", ReduceLROnPlateau{.rate = 0.1,
                                                            .is_max = true,
                                                            .factor = 0.5,
                                                            .patience = 1,
                                                            .threshold = 0.05,
                                                            .is_absolute = true,
                                                            .cooldown = 2,
                                                            .min_rate = 0.02});
}

TEST_CASE("warm-up, stable, decay") {
  WarmupStableDecay const rate{.peak = 2, .warmup = 4, .steps = 20, .decay = 10, .floor = 1};
  CHECK(rate(0) == 0.5);
  CHECK(rate(3) == 2);
  CHECK(rate(9) == 2);
  CHECK(rate(15) == 1.5);
  CHECK(rate(20) == 1);
  CHECK(rate(99) == 1);
  CHECK(WarmupStableDecay{.peak = 3, .steps = 5}(7) == 3);
}

}  // namespace schedules_test
