// Configurations in YAML.

#include <doctest/doctest.h>

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <tenon/train/yaml.hpp>

#include "../io/folder.hpp"
#include "random_config.hpp"

namespace yaml {
namespace {

using namespace tenon::training;

struct Schedule {
  int warm_up = 10;
};

struct Training {
  double learning_rate = 1e-3;
  Schedule schedule{};

  static constexpr auto describe() {
    return fields(field<&Training::learning_rate>("the peak learning rate").range(0, 1));
  }
};

struct Nothing {};

struct Config {
  int seed = 1;
  Training training{};
  std::string device = "cpu";
  std::optional<int> rank = 4;
  std::vector<Schedule> phases{{}};
  std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  Nothing nothing{};
  std::optional<Schedule> last{};
};

Config read(std::string const& text) { return config_from_yaml<Config>(text, "my.yaml"); }

std::string refusal(std::string const& text) {
  return words_of<ConfigError>([&] { (void)read(text); });
}

TEST_CASE("a document has the fields in their order, with descriptions as comments") {
  CHECK(to_yaml(Config{}) ==
        "seed: 1\n"
        "training:\n"
        "  # the peak learning rate, from 0 to 1\n"
        "  learning_rate: 0.001\n"
        "  schedule:\n"
        "    warm_up: 10\n"
        "device: \"cpu\"\n"
        "rank: 4\n"
        "phases: [{warm_up: 10}]\n"
        "most: 18446744073709551615\n"
        "nothing: {}\n"
        "last: []\n");
  CHECK(to_yaml(Nothing{}) == "{}\n");
  (void)config_from_yaml<Nothing>("{}\n");
}

TEST_CASE("random configurations come back from YAML to the bit") {
  random_config::Random random(8);
  for (int i = 0; i < 500; ++i) {
    auto const config = random_config::random_value(random);
    auto const text = to_yaml(config);
    CAPTURE(text);
    CHECK(random_config::same(config_from_yaml<random_config::Config>(text), config));
  }
}

TEST_CASE("keys of three levels are set, in block and flow style") {
  CHECK(read("training:\n  schedule:\n    warm_up: 3\n").training.schedule.warm_up == 3);
  CHECK(read("training: {schedule: {warm_up: 3}}").training.schedule.warm_up == 3);
  CHECK(read("phases:\n- warm_up: 1\n- {}\n").phases.size() == 2);
  CHECK(read("").seed == 1);
  CHECK(read("# nothing\n").seed == 1);
  CHECK(read("---\nseed: 2\n...\n").seed == 2);
}

TEST_CASE("a plain scalar has the type of its field") {
  CHECK(read("device: no").device == "no");
  CHECK(read("device: 1.10").device == "1.10");
  CHECK(read("device: 'true'").device == "true");
  CHECK(read("device: |\n  a\n  b\n").device == "a\nb\n");
  CHECK(read("seed: 0x10").seed == 16);
  CHECK(read("training: {learning_rate: 1}").training.learning_rate == 1);
  CHECK(refusal("seed: '1'") ==
        "tenon::config_from_yaml: 'seed': expected int32, got the string \"1\" (my.yaml:1)");
  CHECK(refusal("seed: 010") ==
        "tenon::config_from_yaml: 'seed': expected int32, got '010' (my.yaml:1)");
}

TEST_CASE("an optional value is none by null or an empty list") {
  CHECK(!read("rank: null").rank.has_value());
  CHECK(!read("rank: ~").rank.has_value());
  CHECK(!read("rank:").rank.has_value());
  CHECK(!read("rank: []").rank.has_value());
  CHECK(read("last: {warm_up: 2}").last->warm_up == 2);
  CHECK(refusal("device: null") ==
        "tenon::config_from_yaml: 'device': expected string, got null (my.yaml:1)");
}

TEST_CASE("a key twice is refused, and an unknown one has the line of its own") {
  CHECK(refusal("seed: 1\nseed: 2") ==
        "tenon::config_from_yaml: expected each key once, got 'seed' again (my.yaml:2)");
  CHECK(refusal("training:\n  learning_rat:\n    1\n") ==
        "tenon::config_from_yaml: 'training.learning_rat': expected a known key, got none of that "
        "name; did you mean 'training.learning_rate'? (my.yaml:2)");
}

TEST_CASE("files of YAML are known by their extension") {
  Folder const folder;
  for (std::string const name : {"a.yaml", "a.yml"}) {
    write_bytes(folder / name, "seed: 5\n");
    std::string const file = (folder / name).string();
    CHECK(parse_config<Config>({"--config", file}).seed == 5);
    CHECK(parse_config<Config>({"--config", file, "--seed=6"}).seed == 6);
  }
}

}  // namespace
}  // namespace yaml
