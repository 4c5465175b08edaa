// The code that docs/reinforcement_learning.md shows.

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

#include <tenon/distributions.hpp>
#include <tenon/nn.hpp>
#include <tenon/optim.hpp>

namespace docs_reinforcement_learning {
namespace {

using namespace tenon;

/// A pole on a cart that is pushed to the left (action 0) or to the right (1), in steps of 0.02 s.
struct CartPole {
  float x = 0, speed = 0, angle = 0.05f, turn = 0;  // m, m/s, rad, rad/s

  Float32<"state=4"> state() const { return {x, speed, angle, turn}; }
  bool has_fallen() const { return std::abs(x) > 2.4f || std::abs(angle) > 0.21f; }
  void push(int action) {
    float const sine = std::sin(angle), cosine = std::cos(angle), force = action == 1 ? 10 : -10;
    float const pull = (force + 0.05f * turn * turn * sine) / 1.1f;
    float const lever = 0.5f * (4.0f / 3 - 0.1f * cosine * cosine / 1.1f);
    float const bend = (9.8f * sine - cosine * pull) / lever;
    x += 0.02f * speed, speed += 0.02f * (pull - 0.05f * bend * cosine / 1.1f);
    angle += 0.02f * turn, turn += 0.02f * bend;
  }
};

using Policy = MLP<"state=4", "hidden=16", "action=2">;

/// The steps of several episodes, one after the other.
struct Steps {
  std::vector<float> states, returns;
  std::vector<std::int32_t> actions;
};

/// Adds an episode of up to 200 steps: the reward of each is 1, its return 1 + 0.95 of the next.
void play(Policy const& policy, Key const& key, Steps& steps) {
  CartPole pole;
  std::size_t const start = steps.actions.size();
  for (int t = 0; t < 200 && !pole.has_fallen(); ++t) {
    auto const state = pole.state();
    auto const action = categorical<"action">(fold_in(key, t), policy(state)).item();
    steps.states.insert(steps.states.end(), {pole.x, pole.speed, pole.angle, pole.turn});
    steps.actions.push_back(action);
    pole.push(action);
  }
  float ahead = 0;
  steps.returns.resize(steps.actions.size());
  for (std::size_t t = steps.returns.size(); t > start; --t)
    steps.returns[t - 1] = ahead = 1 + 0.95f * ahead;
}

TEST_CASE("a policy learns to balance a pole") {
  auto policy = init::reset_parameters<Policy>(Key{1});
  Adam const adam{.rate = 2e-2};
  auto state = adam.init(policy);
  for (int update = 0; update < 40; ++update) {
    Steps steps;
    for (int i = 0; i < 8; ++i) play(policy, fold_in(Key{2}, 8 * update + i), steps);
    auto const number = std::ssize(steps.actions);
    auto const states = from_span<Float32<"step state=4">>(steps.states, number);
    auto const actions = from_span<Int32<"step">>(steps.actions, number);
    auto const returns = from_span<Float32<"step">>(steps.returns, number);
    auto const weights = eval((returns - mean(returns)) / (stddev(returns) + 1e-6f));
    auto const gradients = grad([&](Policy const& p) {
      auto const log_prob = distributions::Categorical{p(states)}.log_prob(actions);
      return -mean(log_prob * weights);
    })(policy);
    std::tie(policy, state) = adam.step(policy, gradients, state);
  }
  Steps after;
  for (int i = 0; i < 10; ++i) play(policy, fold_in(Key{3}, i), after);
  CHECK(after.actions.size() > 800);  // of 2000; about 250 before

  Float32<"action=2"> const logits{0, 1};
  auto const entropy = distributions::Categorical{logits}.entropy();
  CHECK(entropy.item() == doctest::Approx(0.5822));
  auto const log_prob = distributions::Categorical{logits}.log_prob(Int32<"">(1));
  CHECK(log_prob.item() == doctest::Approx(-cross_entropy<"action">(logits, Int32<"">(1)).item()));
}

}  // namespace
}  // namespace docs_reinforcement_learning
