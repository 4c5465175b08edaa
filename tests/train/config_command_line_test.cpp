// Configurations from the command line.

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <vector>

#include <tenon/train/config.hpp>

#include "../io/folder.hpp"

namespace config_command_line {
namespace {

using namespace tenon::training;

enum class Optimiser { sgd, adam };

struct Schedule {
  int warm_up = 10;
};

struct Training {
  double learning_rate = 1e-3;
  Optimiser optimiser = Optimiser::adam;
  Schedule schedule{};

  static constexpr auto describe() {
    return fields(field<&Training::learning_rate>("the peak learning rate")
                      .range(-1, 1)
                      .short_name("lr")
                      .long_name("learning-rate"));
  }
};

struct Config {
  int seed = 1;
  std::string name = "x";
  Training training{};
  bool compiled = false;
  std::optional<int> limit = 3;
  std::optional<bool> saved{};
  std::vector<double> betas{};
  std::vector<Schedule> phases{};

  static constexpr auto describe() {
    return fields(field<&Config::seed>("of all random numbers").short_name("s"),
                  field<&Config::betas>("").range(0, 1));
  }
};

Config parse(std::vector<std::string> const& arguments) { return parse_config<Config>(arguments); }

std::string refusal(std::vector<std::string> const& arguments) {
  return words_of<ConfigError>([&] { (void)parse(arguments); });
}

std::string refused(std::string const& key, std::string const& words) {
  return "tenon::parse_config: '" + key + "': expected " + words + " (command line)";
}

TEST_CASE("options are keys with their values, after = or a space") {
  Config const config = parse({"--training.learning_rate=1e-2", "--seed", "5", "--name=a=b",
                               "--training.schedule.warm_up=3", "--training.optimiser", "sgd"});
  CHECK(config.training.learning_rate == 1e-2);
  CHECK(config.seed == 5);
  CHECK(config.name == "a=b");
  CHECK(config.training.schedule.warm_up == 3);
  CHECK(config.training.optimiser == Optimiser::sgd);
  CHECK(parse({}).seed == 1);
}

TEST_CASE("declared short names are options too") {
  CHECK(parse({"--lr=0.5"}).training.learning_rate == 0.5);
  CHECK(parse({"--learning-rate", "0.5"}).training.learning_rate == 0.5);
  CHECK(refusal({"--lr=0.5", "--learning-rate=0.5"}) ==
        refused("training.learning_rate", "one value, got 2"));
  CHECK(refusal({"--learning-rat=1"}) == refused("learning-rat",
                                                 "a known key, got none of that name; did you mean "
                                                 "'learning-rate'?"));
  CHECK(parse({"--lr", "-0.5"}).training.learning_rate == -0.5);
  CHECK(parse({"-s", "7"}).seed == 7);
  CHECK(parse({"-s=-7"}).seed == -7);
  CHECK(parse({"-s7"}).seed == 7);
}

TEST_CASE("a bool is set by its name alone") {
  CHECK(parse({"--compiled"}).compiled);
  CHECK(parse({"--compiled", "--seed=2"}).compiled);
  CHECK(parse({"--compiled", "true"}).compiled);
  CHECK(!parse({"--compiled=false"}).compiled);
  CHECK(parse({"--saved"}).saved == true);
  CHECK(refusal({"--compiled=yes"}) == refused("compiled", "bool, got 'yes'"));
  CHECK(refusal({"--compiled="}) == refused("compiled", "bool, got ''"));
}

TEST_CASE("strings are taken as they are") {
  CHECK(parse({"--name="}).name.empty());
  CHECK(parse({"--name", ""}).name.empty());
  CHECK(parse({"--name", "[a, b]"}).name == "[a, b]");
  CHECK(parse({"--name", "=x"}).name == "=x");
  CHECK(parse({"--name={a b}"}).name == "{a b}");
  CHECK(parse({"--name", "\"q\""}).name == "\"q\"");
}

TEST_CASE("lists are separated by commas, or written as in TOML") {
  CHECK(parse({"--betas=0.5,1"}).betas == std::vector{0.5, 1.0});
  CHECK(parse({"--betas", "[0.5, 1]"}).betas == std::vector{0.5, 1.0});
  CHECK(parse({"--betas="}).betas.empty());
  CHECK(parse({"--betas=[]"}).betas.empty());
  CHECK(parse({"--phases=[{warm_up=4}, {}]"}).phases.size() == 2);
  CHECK(refusal({"--betas=0.5,x"}) == refused("betas.1", "float64, got 'x'"));
  CHECK(refusal({"--betas=0.5,2"}) == refused("betas.1", "a number from 0 to 1, got '2'"));
  CHECK(refusal({"--betas=[1]\nseed = 3"}) == refused("betas", "one value, got more"));
  CHECK(refusal({"--phases=[{warm_up=x}]"}).find("expected valid TOML") != std::string::npos);
}

TEST_CASE("an optional value is none by an empty list") {
  CHECK(parse({"--limit=5"}).limit == 5);
  CHECK(!parse({"--limit=[]"}).limit.has_value());
}

TEST_CASE("the command line overrides the file, wherever it names the file") {
  Folder const folder;
  write_bytes(folder / "a.toml", "seed = 5\nname = \"file\"\n[training]\nlearning_rate = 0.25\n");
  std::string const file = (folder / "a.toml").string();
  for (auto const& arguments : {std::vector<std::string>{"--seed=9", "--config", file},
                                std::vector<std::string>{"--config=" + file, "--seed=9"}}) {
    Config const config = parse(arguments);
    CHECK(config.seed == 9);
    CHECK(config.name == "file");
    CHECK(config.training.learning_rate == 0.25);
  }
}

TEST_CASE("errors in a file name it and its line") {
  Folder const folder;
  write_bytes(folder / "a.toml", "seed = 5\nsede = 6\n");
  CHECK(refusal({"--config", (folder / "a.toml").string()}) ==
        "tenon::parse_config: 'sede': expected a known key, got none of that name; did you mean "
        "'seed'? (a.toml:2)");
  CHECK(refusal({"--config", (folder / "b.toml").string()}) ==
        "tenon::parse_config: expected a file that can be read, got No such file or directory "
        "(b.toml)");
  CHECK(refusal({"--config", folder.operator/("").string()}).find("got a directory") !=
        std::string::npos);
  write_bytes(folder / "c.toml", std::string((std::size_t{16} << 20) + 1, '#'));
  CHECK(refusal({"--config", (folder / "c.toml").string()}) ==
        "tenon::parse_config: expected at most 16 MiB of text, got 16777217 bytes (c.toml)");
}

TEST_CASE("options that are no keys are refused") {
  CHECK(refusal({"--training.learning_rat=1"}) ==
        refused("training.learning_rat",
                "a known key, got none of that name; did you mean 'training.learning_rate'?"));
  CHECK(refusal({"--lrr=1"}).ends_with("; did you mean 'lr'? (command line)"));
  CHECK(refusal({"--conifg=x"}).ends_with("; did you mean 'config'? (command line)"));
  CHECK(refusal({"--training=1"}) == refused("training", "a known key, got none of that name"));
  CHECK(refusal({"x"}) ==
        "tenon::parse_config: expected options, --key=value, got 'x' (command line)");
  CHECK(refusal({"--"}) ==
        "tenon::parse_config: expected options, --key=value, got '--' (command line)");
  CHECK(refusal({"--seed=1", "-s", "2"}) == refused("seed", "one value, got 2"));
  CHECK(refusal({"--name", "--seed=1"}) == refused("name", "a value, got the option '--seed'"));
  CHECK(refusal({"--seed"}).find("expected arguments of a configuration, got --seed") !=
        std::string::npos);
  CHECK(refusal({"--config=a", "--config=b"}) == refused("config", "one file, got 2"));
  CHECK(refusal({"--help"}) == refused("help", "a configuration, got --help"));
}

TEST_CASE("values of options are checked as those of files") {
  CHECK(refusal({"--seed=1e3"}) == refused("seed", "int32, got '1e3'"));
  CHECK(refusal({"--seed=007"}) == refused("seed", "int32, got '007'"));
  CHECK(refusal({"--seed="}) == refused("seed", "int32, got ''"));
  CHECK(refusal({"--seed=99999999999999999999"}) ==
        refused("seed", "int32, got '99999999999999999999'"));
  CHECK(refusal({"--lr=2"}) == refused("training.learning_rate", "a number from -1 to 1, got '2'"));
  CHECK(refusal({"--lr=1e999"}) ==
        refused("training.learning_rate", "float64, at most 1.7976931348623157e+308, got '1e999'"));
  CHECK(refusal({"--lr=1e-999"}) ==
        refused("training.learning_rate", "float64, 0 or at least 5e-324, got '1e-999'"));
  CHECK(refusal({"--training.optimiser=adma"}) ==
        refused("training.optimiser", "'sgd' or 'adam', got 'adma'; did you mean 'adam'?"));
  CHECK(refusal({"--name=\xff"}) ==
        "tenon::parse_config: expected text in UTF-8, got other bytes (command line:1)");
}

TEST_CASE("integers are decimal, or hexadecimal, octal and binary by a prefix") {
  CHECK(parse({"--seed=+12"}).seed == 12);
  CHECK(parse({"--seed=0x10"}).seed == 16);
  CHECK(parse({"--seed=0o17"}).seed == 15);
  CHECK(parse({"--seed=-0b101"}).seed == -5);
  CHECK_THROWS_AS(parse({"--seed=0x"}), ConfigError);
  CHECK_THROWS_AS(parse({"--seed=--1"}), ConfigError);
  CHECK_THROWS_AS(parse({"--seed= 1"}), ConfigError);
}

TEST_CASE("help has each key with its type, range, default and description") {
  std::string const help = config_help<Config>("train");
  CHECK(help.starts_with("usage: train [--config FILE] [--KEY=VALUE ...]\n"));
  CHECK(help.find("  --seed, -s  int32, default 1\n      of all random numbers\n") !=
        std::string::npos);
  CHECK(help.find("  --training.learning_rate, --lr, --learning-rate  float64, from -1 to 1, "
                  "default 0.001\n"
                  "      the peak learning rate\n") != std::string::npos);
  CHECK(help.find("  --training.optimiser  'sgd' or 'adam', default \"adam\"\n") !=
        std::string::npos);
  CHECK(help.find("  --training.schedule.warm_up  int32, default 10\n") != std::string::npos);
}

struct Twice {
  int seed = 1;
  int other = 2;

  static constexpr auto describe() { return fields(field<&Twice::other>("").short_name("seed")); }
};

struct TwiceLong {
  int seed = 1;
  int other = 2;

  static constexpr auto describe() {
    return fields(field<&TwiceLong::other>("").long_name("seed"));
  }
};

TEST_CASE("two options of one name are refused") {
  CHECK_THROWS_AS((void)parse_config<TwiceLong>({}), ConfigError);
  CHECK(words_of<ConfigError>([] { (void)parse_config<Twice>({}); }) ==
        "tenon::parse_config: expected options of different names, got two of '--seed' (command "
        "line)");
}

TEST_CASE("help is an option among others") {
  CHECK(refusal({"--seed=1", "-h"}) == refused("help", "a configuration, got --help"));
  CHECK(refusal({"--hepl"}).ends_with("none of that name; did you mean 'help'? (command line)"));
  CHECK(refusal({""}) ==
        "tenon::parse_config: expected options, --key=value, got '' (command line)");
  CHECK(refusal({"-"}) ==
        "tenon::parse_config: expected options, --key=value, got '-' (command line)");
  CHECK(refusal({"--config", "--seed=1"}) == refused("config", "a value, got the option '--seed'"));
  CHECK(refusal({"-x7"}) == refused("x7", "a known key, got none of that name"));
}

}  // namespace
}  // namespace config_command_line
