// The code of docs/configuration.md, and its message.

#include <doctest/doctest.h>

#include <cstdint>
#include <string>

#include <tenon/tenon.hpp>
#include <tenon/train/config.hpp>

#include "../io/folder.hpp"

namespace docs_configuration {
namespace {

using namespace tenon;

enum class Optimiser { sgd, adam };

struct Training {
  double learning_rate = 1e-3;
  std::int64_t steps = 1000;
  Optimiser optimiser = Optimiser::adam;

  static constexpr auto describe() {
    return training::fields(training::field<&Training::learning_rate>("the peak learning rate")
                                .range(0, 1)
                                .short_name("lr"));
  }
};

struct Config {
  int seed = 1;
  std::string device = "cpu";
  Training training{.steps = 300};
};

TEST_CASE("a struct is set by options, and comes back from its text") {
  auto const config = training::parse_config<Config>({"--lr=0.5", "--training.optimiser", "sgd"});
  auto const again = training::config_from_toml<Config>(training::to_toml(config));
  CHECK(again.training.learning_rate == 0.5);
  CHECK(again.training.optimiser == Optimiser::sgd);
  CHECK(again.training.steps == 300);
}

TEST_CASE("a file sets the keys that it has") {
  auto const config = training::config_from_toml<Config>(R"(seed = 7

[training]
learning_rate = 0.01
optimiser = "sgd"
)");
  CHECK(config.seed == 7);
  CHECK(config.training.learning_rate == 0.01);
}

TEST_CASE("an unknown key in a file is reported") {
  Folder const folder;
  write_bytes(folder / "my.toml", "seed = 7\n\n[training]\nlearning_rat = 0.01\n");
  auto const load = [&] {
    (void)training::parse_config<Config>({"--config", (folder / "my.toml").string()});
  };
  CHECK(
      words_of<training::ConfigError>(load) ==
      "tenon::parse_config: 'training.learning_rat': expected a known key, got none of that name; "
      "did you mean 'training.learning_rate'? (my.toml:4)");
}

}  // namespace
}  // namespace docs_configuration
