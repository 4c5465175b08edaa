// A run of training with a configuration, a folder, metrics, checkpoints and Ctrl-C.

#include <tenon/tenon.hpp>
#include <tenon/train/checkpoints.hpp>
#include <tenon/train/config.hpp>
#include <tenon/train/loop.hpp>
#include <tenon/train/run.hpp>
#include <tenon/train/stop.hpp>

using namespace tenon;

struct Config {
  std::int64_t steps = 100;
  double rate = 1e-3;
};

struct State {
  Linear<"feature=2", "class=2"> model = init::normal<Linear<"feature=2", "class=2">>(Key{1}, 0.5f);
  AdamWState<Linear<"feature=2", "class=2">> optimizer = AdamW().init(model);
  std::int64_t step = 0;
};

int main(int count, char** arguments) {
  auto const config = training::load_config<Config>(count, arguments);
  training::RunManager run(config, "points");
  training::CheckpointManager checkpoints(run.checkpoints(), {.unit = "step"});
  auto const loss = [](auto const& model, auto const& x) {
    Int32<"batch"> const label = to<std::int32_t>(sum<"feature">(x) > 0);
    return cross_entropy<"class">(model(x), label);
  };
  auto const step = [&](State& now) {
    auto const x = normal<Float32<"batch feature=2">>(fold_in(Key{2}, now.step), 32);
    auto const made = training::train_step(now.model, x, loss, AdamW{config.rate}, now.optimizer);
    run.metrics(training::StepMetrics{.step = now.step, .loss = made.loss});
  };
  State state;
  training::StopRequest const stop;
  training::train_until(state, {&State::step, config.steps}, checkpoints, stop, step);
}
