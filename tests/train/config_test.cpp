#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <tenon/tenon.hpp>
#include <tenon/train/config.hpp>

namespace config_test {

using namespace tenon;
using training::ConfigError;
using training::describe;

enum class Kind { adam, sgd, lion };

struct Inner {
  std::optional<int> depth;
  std::vector<double> rates{0.5, 0.25};
};

struct Optimizer {
  Kind kind = Kind::sgd;
  double rate = 1e-3;
  Inner inner;

  static auto descriptions() {
    return std::tuple(describe(&Optimizer::rate, "the learning rate",
                               {.least = 0, .most = 1, .short_name = "rate"}));
  }
};

struct Config {
  int seed = 1;
  std::int8_t small = 0;
  std::uint64_t large = 0;
  float scale = 0.1f;
  bool fast = false;
  std::string device = "cpu";
  std::filesystem::path out = "runs";
  std::vector<std::string> names;
  Optimizer optimizer;

  static auto descriptions() {
    return std::tuple(describe(&Config::seed, "of random numbers", {.least = 0}));
  }
};

Config from(std::string const& text) { return training::config_from_toml<Config>(text, "my.toml"); }

Config parsed(std::vector<std::string> const& arguments) {
  return training::parse_config<Config>(arguments);
}

/// The message of the error of a document.
std::string refused(std::string const& text) {
  try {
    from(text);
  } catch (ConfigError const& error) {
    return error.what();
  }
  return "nothing";
}

std::string refused_arguments(std::vector<std::string> const& arguments) {
  try {
    parsed(arguments);
  } catch (ConfigError const& error) {
    return error.what();
  }
  return "nothing";
}

TEST_CASE("keys that a document lacks keep their defaults") {
  auto const config = from("seed = 7\n[optimizer]\nrate = 1\n");
  CHECK(config.seed == 7);
  CHECK(config.optimizer.rate == 1);
  CHECK(config.optimizer.kind == Kind::sgd);
  CHECK(config.device == "cpu");
}

TEST_CASE("every type of field is read") {
  auto const config = from(
      "small = -128\nlarge = 9223372036854775807\nscale = 1e-3\nfast = true\ndevice = \"a b\"\n"
      "out = \"x/y\"\nnames = [\"p\", \"q\"]\n[optimizer]\nkind = \"lion\"\n"
      "[optimizer.inner]\ndepth = 3\nrates = [1, 2.5]\n");
  CHECK(config.small == -128);
  CHECK(config.large == 9223372036854775807u);
  CHECK(config.scale == 1e-3f);
  CHECK(config.fast);
  CHECK(config.device == "a b");
  CHECK(config.out == "x/y");
  CHECK(config.names == std::vector<std::string>{"p", "q"});
  CHECK(config.optimizer.kind == Kind::lion);
  CHECK(config.optimizer.inner.depth == 3);
  CHECK(config.optimizer.inner.rates == std::vector<double>{1, 2.5});
}

TEST_CASE("options of the command line come after the file") {
  auto const folder = std::filesystem::temp_directory_path() / "tenon_config_test";
  std::filesystem::create_directories(folder);
  std::string const file = (folder / "my.toml").string();
  std::ofstream(file) << "seed = 3\nfast = true\n[optimizer]\nrate = 0.5\n";
  auto const config = parsed({"--optimizer.rate=0.25", "--config", file, "--names", "[\"a\"]"});
  CHECK(config.seed == 3);
  CHECK(config.fast);
  CHECK(config.optimizer.rate == 0.25);
  CHECK(config.names == std::vector<std::string>{"a"});
  CHECK(parsed({"--config=" + file, "--fast=false"}).fast == false);
  std::filesystem::remove_all(folder);
}

TEST_CASE("an option has a value behind '=' or as the next argument, flags none") {
  CHECK(parsed({"--seed", "4", "--fast"}).seed == 4);
  CHECK(parsed({"--seed", "4", "--fast"}).fast);
  CHECK(parsed({"--rate", "1"}).optimizer.rate == 1);
  CHECK(parsed({"--seed=4", "--seed=5"}).seed == 5);
  CHECK(parsed({"--device", "-x y\"z"}).device == "-x y\"z");
  CHECK(parsed({"--device="}).device.empty());
  CHECK(parsed({"--optimizer.kind=lion"}).optimizer.kind == Kind::lion);
  CHECK(parsed({"--optimizer.rate", "0"}).optimizer.rate == 0);
  CHECK(parsed({"--small=-3"}).small == -3);
}

TEST_CASE("what is wrong is one line with the place and the nearest key") {
  std::string const who = "tenon::load_config: ";
  CHECK(refused("seed = \"a\"") == who + "'seed': expected an integer, got 'a' (my.toml:1)");
  CHECK(refused("\nsede = 1") ==
        who + "'sede': expected a known key, got none of that name; did you mean 'seed'? "
              "(my.toml:2)");
  CHECK(refused("xyz = 1") == who + "'xyz': expected a known key, got none of that name "
                                    "(my.toml:1)");
  CHECK(refused("optimizer = 3") == who + "'optimizer': expected a table, got 3 (my.toml:1)");
  CHECK(refused("[optimizer]\nrate = 2") ==
        who + "'optimizer.rate': expected from 0 to 1, got 2 (my.toml:2)");
  CHECK(refused("[optimizer]\nrate = nan") ==
        who + "'optimizer.rate': expected from 0 to 1, got nan (my.toml:2)");
  CHECK(refused("seed = -1") == who + "'seed': expected at least 0, got -1 (my.toml:1)");
  CHECK(refused("small = 128") ==
        who + "'small': expected an integer from -128 to 127, got 128 (my.toml:1)");
  CHECK(refused("[optimizer]\nkind = \"adm\"") ==
        who + "'optimizer.kind': expected one of 'adam', 'sgd', 'lion', got 'adm' (my.toml:2)");
  CHECK(refused("fast = 1") == who + "'fast': expected true or false, got 1 (my.toml:1)");
  CHECK(refused("scale = 1e39") ==
        who + "'scale': expected a smaller number, got 1e+39 (my.toml:1)");
  CHECK(refused("names = [1]") == who + "'names': expected a text, got 1 (my.toml:1)");
}

TEST_CASE("the command line has the same messages") {
  std::string const who = "tenon::load_config: ", where = " (the command line)";
  CHECK(refused_arguments({"--optimizer.rat=1"}) ==
        who + "'--optimizer.rat': expected an option, got none of that name; did you mean "
              "'optimizer.rate'?" + where);
  CHECK(refused_arguments({"seed"}) == who + "'seed': expected an option, got none of that name; did you mean "
                                   "'seed'?" + where);
  CHECK(refused_arguments({"--seed=x"}) == who + "'seed': expected an integer, got 'x'" + where);
  CHECK(refused_arguments({"--seed=1\nfast=true"}) ==
        who + "'seed': expected an integer, got '1\\x0afast=true'" + where);
  CHECK(refused_arguments({"--seed"}).starts_with(who + "expected options, got --seed: "));
  CHECK(refused_arguments({"--names=[1]"}) == who + "'names': expected a text, got 1" + where);
  CHECK(refused_arguments({"--config", "missing.toml"}).find("(missing.toml)") != std::string::npos);
  CHECK(refused_arguments({"--config", "missing.yaml"}).find("missing.yaml") != std::string::npos);
}

TEST_CASE("a configuration is written as TOML that gives it back to the bit") {
  Config config;
  config.scale = std::nextafter(0.1f, 1.0f);
  config.optimizer.rate = std::nextafter(1e-3, 1.0);
  config.optimizer.inner.rates = {std::numeric_limits<double>::denorm_min(),
                                  std::numeric_limits<double>::max(),
                                  -std::numeric_limits<double>::infinity(), -0.0, 3, 1e22};
  config.device = "quotes \" and \\ and \n and \t and \x7f and \xc3\xa4";
  config.names = {"", "#", "a = 1"};
  config.large = 9223372036854775807u;
  auto const back = from(training::to_toml(config));
  CHECK(training::to_toml(back) == training::to_toml(config));
  CHECK(back.scale == config.scale);
  CHECK(back.device == config.device);
  CHECK(back.names == config.names);
  CHECK(back.optimizer.inner.rates == config.optimizer.inner.rates);
  CHECK(std::signbit(back.optimizer.inner.rates[3]));
  CHECK(!back.optimizer.inner.depth);
}

TEST_CASE("random numbers are written so that they are read to the bit") {
  std::mt19937_64 words(1);
  Config config;
  config.optimizer.inner.rates.clear();
  for (int i = 0; i < 2000; ++i) {
    double const value = std::bit_cast<double>(words());
    if (std::isfinite(value)) config.optimizer.inner.rates.push_back(value);
  }
  CHECK(from(training::to_toml(config)).optimizer.inner.rates == config.optimizer.inner.rates);
}

TEST_CASE("the written document has tables in the order of fields, and the descriptions") {
  CHECK(training::to_toml(Optimizer{}) ==
        "kind = \"sgd\"\nrate = 0.001  # the learning rate\n\n[inner]\n# depth = absent\n"
        "rates = [0.5, 0.25]\n");
}

TEST_CASE("--help names every key with its description, range and default") {
  try {
    training::parse_config<Config>({"--help"}, "A program.");
    FAIL("expected the help");
  } catch (internal::training::HelpWanted const& help) {
    for (std::string const text :
         {"A program.", "--seed", "of random numbers: an integer at least 0 (1)",
          "--optimizer.rate,--rate", "the learning rate: a number from 0 to 1 (0.001)",
          "one of 'adam', 'sgd', 'lion' (\"sgd\")", "--config"}) {
      INFO(help.text);
      CHECK(help.text.find(text) != std::string::npos);
    }
  }
}

}  // namespace config_test
