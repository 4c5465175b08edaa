#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <tenon/train/config.hpp>

namespace config_hostile_test {

using tenon::training::ConfigError;

struct Layer {
  int width = 1;
};

struct Config {
  int seed = 1;
  double rate = 0.1;
  bool fast = false;
  std::string name;
  std::vector<int> sizes;
  Layer layer;
};

std::string repeated(std::string const& text, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

/// Documents that are no configuration.
std::vector<std::string> hostile_documents() {
  return {
      "seed",
      "seed =",
      "seed = = 1",
      "= 1",
      "seed = 1 2",
      "seed = 1\nseed = 2",
      "seed = 1e3",
      "seed = 1.0",
      "seed = 0x",
      "seed = 99999999999",
      "seed = -99999999999",
      "seed = 99999999999999999999999999",
      "seed = \"1\"",
      "seed = true",
      "seed = []",
      "seed = {}",
      "seed = 1979-05-27",
      "seed = 07:32:00",
      "seed = 1979-05-27T07:32:00Z",
      "seed = nan",
      "seed = inf",
      "seed = 'a",
      "seed = \"a",
      "name = \"\\q\"",
      "name = \"\\ud800\"",
      "name = \"\"\"",
      "name = '''",
      "name = \"a\nb\"",
      std::string("name = \"a\0b\"", 12),
      "name = \"\xff\"",
      "name = \"\xc0\xaf\"",
      "\xff\xfe",
      std::string("\0", 1),
      "name = 1",
      "name = [\"a\"]",
      "name = {a = 1}",
      "name = \"" + repeated("a", 100) + "\"\nother = 1",
      repeated("k", 100'000) + " = 1",
      "sizes = 1",
      "sizes = [1, \"a\"]",
      "sizes = [1, [2]]",
      "sizes = [1, 2",
      "sizes = [1 2]",
      "sizes = [1.5]",
      "sizes = [99999999999]",
      "rate = \"0.1\"",
      "rate = 1e",
      "rate = 0.1.2",
      "rate = .5",
      "rate = 1_",
      "fast = yes",
      "fast = 0",
      "fast = \"true\"",
      "layer = 1",
      "layer = \"a\"",
      "layer = []",
      "[layer]\nwidth = 1\n[layer]\nwidth = 2",
      "[[layer]]\nwidth = 1",
      "[layer]\ndepth = 1",
      "[layer.width]\na = 1",
      "[layer",
      "[]",
      "[layers]\nwidth = 1",
      "[seed]\na = 1",
      "layer.width.depth = 1",
      "layer = {width = 1\n}\n}",
      "include = \"/etc/passwd\"",
      "\"\" = 1",
      "seed = &a 1",
      "seed: 1",
      "{\"seed\": 1}",
      "<config/>",
      "a = " + repeated("[", 40) + repeated("]", 40),
      "a = " + repeated("[", 100'000),
      "a = " + repeated("{a = ", 1000),
      "\x1b[2J = 1",
      "\"\x1b[2J\" = 1",
      "\"a\\nb\" = 1",
      "name = \"a\" # \x01",
  };
}

TEST_CASE("a hostile document ends in one line that names its place") {
  auto const documents = hostile_documents();
  CHECK(documents.size() >= 60);
  for (auto const& document : documents) {
    INFO(document.substr(0, 100));
    std::string message = "nothing";
    try {
      tenon::training::config_from_toml<Config>(document, "my.toml");
    } catch (ConfigError const& error) {
      message = error.what();
    }
    INFO(message);
    CHECK(message.starts_with("tenon::load_config: "));
    CHECK(message.find("(my.toml:") != std::string::npos);
    CHECK(message.find_first_of("\n\r\x1b") == std::string::npos);
    CHECK(message.size() < 500);
  }
}

TEST_CASE("a file that is too large, a folder and a missing file are refused by name") {
  auto const folder = std::filesystem::temp_directory_path() / "tenon_config_hostile_test";
  std::filesystem::create_directories(folder);
  auto const large = folder / "large.toml";
  std::ofstream(large) << "name = \"";
  std::filesystem::resize_file(large, 17 << 20);
  auto const refused = [](std::filesystem::path const& path) -> std::string {
    try {
      tenon::training::parse_config<Config>({"--config", path.string()});
    } catch (ConfigError const& error) {
      return error.what();
    }
    return "nothing";
  };
  CHECK(refused(large).find("expected at most 16 MiB, got more (") != std::string::npos);
  CHECK(refused(folder).find("expected a file, got a folder (") != std::string::npos);
  CHECK(refused(folder / "none.toml").find("expected a file that can be read") !=
        std::string::npos);
  std::filesystem::remove_all(folder);
}

}  // namespace config_hostile_test
