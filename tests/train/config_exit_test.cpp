// What `load_config` prints, and the code with which it ends a process.

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include <tenon/train/config.hpp>

#include "child_process.hpp"

namespace config_exit {
namespace {

using namespace tenon::training;
using child_process::Ended;

struct Config {
  int seed = 1;
};

/// Calls `load_config` in another process, which ends with 77 if that returns.
Ended load(std::vector<char const*> const& arguments) {
  return child_process::ended([&] {
    load_config<Config>(static_cast<int>(arguments.size()), arguments.data());
    return 77;
  });
}

TEST_CASE("bad input is one line on the standard error and code 2") {
  Ended const ended = load({"train", "--sed=3"});
  CHECK(ended.code == 2);
  CHECK(ended.output.empty());
  CHECK(ended.errors ==
        "tenon::load_config: 'sed': expected a known key, got none of that name; did you mean "
        "'seed'? (command line)\n");
}

TEST_CASE("a missing file is code 2") {
  Ended const ended = load({"train", "--config", "/no/such/file.toml"});
  CHECK(ended.code == 2);
  CHECK(ended.errors ==
        "tenon::load_config: expected a file that can be read, got No such file or directory "
        "(/no/such/file.toml)\n");
}

TEST_CASE("help is on the standard output, with code 0, whatever else is said") {
  Ended const ended = load({"train", "--help", "--seed=x", "--config=/no/such/file.toml"});
  CHECK(ended.code == 0);
  CHECK(ended.errors.empty());
  CHECK(ended.output == config_help<Config>("train"));
}

TEST_CASE("help names YAML where the program reads it") {
  using tenon::internal::training::yaml_reader;
  auto const line = [](std::string const& formats) {
    return "\n  --config FILE  values from a file of " + formats + "; options override them\n";
  };
  auto const reader = std::exchange(yaml_reader, nullptr);
  CHECK(config_help<Config>("train").find(line("TOML")) != std::string::npos);
  yaml_reader = tenon::internal::training::read_toml;
  CHECK(config_help<Config>("train").find(line("TOML or YAML")) != std::string::npos);
  yaml_reader = reader;
}

TEST_CASE("good input returns, also without the name of the program") {
  CHECK(load({"train", "--seed=3"}).code == 77);
  CHECK(load({"train"}).code == 77);
  CHECK(load({}).code == 77);
  char const* const arguments[] = {"train", "--seed=3"};
  CHECK(load_config<Config>(2, arguments).seed == 3);
}

}  // namespace
}  // namespace config_exit
