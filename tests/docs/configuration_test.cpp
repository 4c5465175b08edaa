#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <tuple>

#include <tenon/train/config.hpp>

namespace configuration_test {

// The code of docs/configuration.md.
using tenon::training::describe;

enum class Schedule { constant, cosine };

struct Training {
  int steps = 1000;
  double learning_rate = 1e-3;
  Schedule schedule = Schedule::cosine;

  static auto descriptions() {
    return std::tuple(
        describe(&Training::steps, "training steps", {.least = 1, .short_name = "steps"}),
        describe(&Training::learning_rate, "the largest learning rate", {.least = 0, .most = 1}));
  }
};

struct Config {
  int seed = 1;
  std::string device = "cpu";
  Training training;
};

Config config_of(int count, char** arguments) {
  return tenon::training::load_config<Config>(count, arguments, "Trains a model.");
}

TEST_CASE("the configuration of a program") {
  std::string program = "train", option = "--training.steps=300";
  char* arguments[] = {program.data(), option.data()};
  CHECK(config_of(2, arguments).training.steps == 300);

  auto const config = tenon::training::config_from_toml<Config>(R"(
seed = 7

[training]
learning_rate = 0.01
schedule = "constant"
)");
  CHECK(config.seed == 7);
  CHECK(config.training.learning_rate == 0.01);
  CHECK(config.training.schedule == Schedule::constant);

  std::string const text = tenon::training::to_toml(config);
  CHECK(tenon::training::to_toml(tenon::training::config_from_toml<Config>(text)) == text);
}

TEST_CASE("a mistake is one line") {
  std::string message;
  try {
    tenon::training::config_from_toml<Config>("[training]\nstep = 3\n", "my.toml");
  } catch (tenon::training::ConfigError const& error) {
    message = error.what();
  }
  CHECK(message ==
        "tenon::load_config: 'training.step': expected a known key, got none of that name; did you "
        "mean 'training.steps'? (my.toml:2)");
}

}  // namespace configuration_test
