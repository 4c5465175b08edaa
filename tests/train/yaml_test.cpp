#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include <tenon/train/yaml.hpp>

namespace yaml_test {

using tenon::training::config_from_yaml;
using tenon::training::ConfigError;

struct Layer {
  int width = 1;
  std::vector<double> rates;
};

struct Config {
  int seed = 1;
  double rate = 0.1;
  bool fast = false;
  std::string name;
  Layer layer;
};

TEST_CASE("a YAML document gives the same configuration as TOML") {
  auto const config = config_from_yaml<Config>(
      "seed: 7  # a comment\nrate: 1e-3\nfast: true\nname: 'true'\nlayer:\n  width: 3\n"
      "  rates: [1, .5, .inf, -.inf]\n");
  CHECK(config.seed == 7);
  CHECK(config.rate == 1e-3);
  CHECK(config.fast);
  CHECK(config.name == "true");
  CHECK(config.layer.width == 3);
  CHECK(config.layer.rates == std::vector<double>{1, .5, INFINITY, -INFINITY});
  CHECK(tenon::training::to_toml(config_from_yaml<Config>("")) ==
        tenon::training::to_toml(Config{}));
  CHECK(config_from_yaml<Config>("layer: &a {width: 2}").layer.width == 2);
  CHECK(config_from_yaml<Config>("name: plain text").name == "plain text");
  CHECK(std::isnan(config_from_yaml<Config>("rate: .nan").rate));
}

TEST_CASE("--config takes a YAML file") {
  auto const folder = std::filesystem::temp_directory_path() / "tenon_yaml_test";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "my.yaml") << "seed: 5\n";
  auto const config = tenon::training::parse_config<Config>(
      {"--config", (folder / "my.yaml").string(), "--rate=1"});
  CHECK(config.seed == 5);
  CHECK(config.rate == 1);
  std::filesystem::remove_all(folder);
}

std::string repeated(std::string const& text, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

/// Each key in a table one deeper than the one before.
std::string indented(int depth) {
  std::string text;
  for (int i = 0; i < depth; ++i) text += std::string(static_cast<std::size_t>(i), ' ') + "a:\n";
  return text;
}

/// The "billion laughs": each level has ten aliases of the one before.
std::string many_aliases() {
  std::string text = "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n";
  for (int i = 1; i < 9; ++i) {
    std::string const before = "*a" + std::to_string(i - 1);
    text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + before +
            repeated(", " + before, 9) + "]\n";
  }
  return text;
}

std::vector<std::string> hostile_documents() {
  return {
      "seed: a",
      "seed: 1.5",
      "seed: 1e3",
      "seed: '1'",
      "seed: !!str 1",
      "seed: yes",
      "seed: null",
      "seed: ~",
      "seed:",
      "seed: [1]",
      "seed: {a: 1}",
      "seed: 99999999999",
      "seed: 99999999999999999999999",
      "seed: 0x10",
      "seed: 1\nseed: 2",
      "sede: 1",
      "rate: a",
      "rate: 1e",
      "rate: .5.",
      "fast: 1",
      "fast: 'true'",
      "fast: True",
      "name: 1",
      "name: [a]",
      "name: true",
      "layer: 1",
      "layer: [1]",
      "layer: {depth: 1}",
      "layer: {width: 1, width: 2}",
      "layer: {rates: 1}",
      "layer: {rates: [a]}",
      "<<: {seed: 1}",
      "a: &a {seed: 1}\n<<: *a",
      "[seed, 1]",
      "1",
      "text",
      "- a\n- b",
      "? [a]\n: 1",
      "seed: *missing",
      "seed: &a *a",
      "a: &a [*a]",
      "seed: 1\n---\nseed: 2",
      "seed: @",
      "seed: `",
      "seed: \"a",
      "seed: 'a",
      "seed: [1",
      "seed: {a",
      "\tseed: 1",
      "seed: 1\n bad: 2",
      "name: \"\\q\"",
      "name: |\n\tx\n y\n:",
      "%YAML 9.9\n%FOO\n---\nseed: a",
      "!!python/object/apply:os.system ['x']",
      "seed: !include /etc/passwd",
      std::string("seed: \0", 7),
      "\xff: 1",
      indented(1000),
      repeated("[", 100'000),
      repeated("{a: ", 100'000),
      repeated("- ", 100'000),
      many_aliases(),
      repeated("k", 10'000) + ": 1",
  };
}

TEST_CASE("a hostile document ends in one line") {
  auto const documents = hostile_documents();
  CHECK(documents.size() >= 60);
  for (auto const& document : documents) {
    INFO(document.substr(0, 100));
    std::string message = "nothing";
    try {
      config_from_yaml<Config>(document, "my.yaml");
    } catch (ConfigError const& error) {
      message = error.what();
    }
    INFO(message);
    CHECK(message.starts_with("tenon::load_config: "));
    CHECK(message.find("(my.yaml") != std::string::npos);
    CHECK(message.find_first_of("\n\r\x1b") == std::string::npos);
    CHECK(message.size() < 500);
  }
}

}  // namespace yaml_test
