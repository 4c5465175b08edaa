// What `load_config` prints, and the code with which it ends a process.

#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include <tenon/train/config.hpp>

#include "../io/folder.hpp"

namespace config_exit {
namespace {

using namespace tenon::training;

struct Config {
  int seed = 1;
};

struct Ended {
  int code = -1;
  std::string output, errors;
};

/// Calls `load_config` in another process, which ends with 77 if that returns.
Ended load(std::vector<char const*> arguments) {
  Folder const folder;
  auto const output = (folder / "output").string(), errors = (folder / "errors").string();
  std::fflush(nullptr);  // the child would write it too
  pid_t const child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    bool const redirected =
        std::freopen(output.c_str(), "w", stdout) && std::freopen(errors.c_str(), "w", stderr);
    if (redirected) load_config<Config>(static_cast<int>(arguments.size()), arguments.data());
    std::_Exit(77);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  return {WEXITSTATUS(status), read_bytes(output), read_bytes(errors)};
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

TEST_CASE("good input returns, also without the name of the program") {
  CHECK(load({"train", "--seed=3"}).code == 77);
  CHECK(load({"train"}).code == 77);
  CHECK(load({}).code == 77);
  char const* const arguments[] = {"train", "--seed=3"};
  CHECK(load_config<Config>(2, arguments).seed == 3);
}

}  // namespace
}  // namespace config_exit
