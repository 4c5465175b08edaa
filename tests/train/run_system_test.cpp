// system.json: what a run depends on besides its configuration.

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include <tenon/tenon.hpp>

#include <tenon/io/json/value.hpp>
#include <tenon/train/run.hpp>
#include <tenon/train/run/command.hpp>
#include <tenon/train/run/system_state.hpp>

#include "../io/folder.hpp"

namespace run_system_test {

using namespace tenon;
using training::ConfigText;
using training::RunManager;

TEST_CASE("system.json has versions, the compiler, the machine and the options") {
  Folder const folder;
  RunManager const run(ConfigText{.text = "", .libraries = "reader 3"}, "tag",
                       {.parent = folder / "runs",
                        .console = false,
                        .ranks = 4,
                        .devices = "cpu, cuda",
                        .libraries = "mine 1.2",
                        .flags = "SHELL:--param a=1 -DX=SHELL:y SHELL:-O2"});
  auto const system = load_json(run.folder() / "system.json");
  CHECK(system.at("tenon").string() == internal::training::version_text(TENON_VERSION));
  CHECK(system.at("time").string().size() == 24);
  CHECK(system.at("compiler").at("name").string().size() > 5);
  CHECK(system.at("compiler").at("standard").integer() == __cplusplus);
  CHECK(system.at("compiler").at("has_assertions").boolean());
  CHECK(system.at("compiler").at("flags").string() == "--param a=1 -DX=SHELL:y -O2");
  CHECK(system.at("libraries").string().ends_with(", reader 3, mine 1.2"));
  CHECK(system.at("simd").string() == internal::instruction_set);
  CHECK(system.at("threads").integer() == internal::threads());
  CHECK(system.at("ranks").integer() == 4);
  CHECK(system.at("devices").string() == "cpu, cuda");
  CHECK(!system.at("machine").at("hostname").string().empty());
  CHECK(!system.at("machine").at("operating_system").string().empty());
}

TEST_CASE("a version is three numbers") {
  CHECK(internal::training::version_text(10203) == "1.2.3");
  CHECK(internal::training::version_text(100) == "0.1.0");
}

#if !defined(_WIN32)

namespace {

/// The working directory, for the duration of one test.
class Within {
 public:
  explicit Within(std::filesystem::path const& folder) { std::filesystem::current_path(folder); }
  Within(Within const&) = delete;
  Within& operator=(Within const&) = delete;
  ~Within() { std::filesystem::current_path(before_); }

 private:
  std::filesystem::path before_ = std::filesystem::current_path();
};

bool git(std::string const& arguments) {
  std::string const command = "GIT_CEILING_DIRECTORIES=/ git -c user.name=a -c user.email=a@b " +
                              arguments + " >/dev/null 2>&1";
  return std::system(command.c_str()) == 0;
}

}  // namespace

TEST_CASE("outside of a repository, or of one without commits, there is no commit") {
  if (!git("--version")) return;
  Folder const folder;
  Within const within(folder / "");
  CHECK_FALSE(internal::training::git_state());
  REQUIRE(git("init"));
  CHECK_FALSE(internal::training::git_state());
}

TEST_CASE("a commit is recorded, and whether the files are as committed") {
  if (!git("--version")) return;
  Folder const folder;
  Within const within(folder / "");
  write_bytes(folder / "file", "1");
  REQUIRE(git("init"));
  REQUIRE(git("add file"));
  REQUIRE(git("commit -m first"));
  auto state = internal::training::git_state();
  REQUIRE(state);
  CHECK(state->commit.size() >= 40);
  CHECK(state->commit.find_first_not_of("0123456789abcdef") == std::string::npos);
  CHECK(state->is_clean == true);
  write_bytes(folder / "other", "2");
  CHECK(internal::training::git_state()->is_clean == false);
  std::filesystem::remove(folder / "other");
  write_bytes(folder / "file", "22");
  CHECK(internal::training::git_state()->is_clean == false);
}

TEST_CASE("the folders of runs do not count as changes of the repository") {
  if (!git("--version")) return;
  Folder const folder;
  Within const within(folder / "");
  REQUIRE(git("init"));
  REQUIRE(git("commit --allow-empty -m first"));
  for (std::filesystem::path const& parent : {std::filesystem::path("runs"), folder / "runs"}) {
    for (int i = 0; i < 2; ++i) {
      RunManager const run(ConfigText{}, "tag", {.parent = parent, .console = false});
      CHECK(load_json(run.folder() / "system.json").at("git").at("is_clean").boolean());
    }
  }
  write_bytes(folder / "other", "2");
  RunManager const run(ConfigText{}, "tag", {.console = false});
  CHECK_FALSE(load_json(run.folder() / "system.json").at("git").at("is_clean").boolean());
}

TEST_CASE("a monitor of files that a repository names is not run") {
  if (!git("--version")) return;
  Folder const folder;
  Within const within(folder / "");
  REQUIRE(git("init"));
  REQUIRE(git("commit --allow-empty -m first"));
  REQUIRE(git("config core.fsmonitor 'touch run;:'"));
  CHECK(internal::training::git_state());
  CHECK_FALSE(std::filesystem::exists(folder / "run"));
}

TEST_CASE("a command that fails has no output") {
  CHECK(internal::training::output_of("echo a; echo b >&2") == "a\n");
  CHECK_FALSE(internal::training::output_of("echo a; false"));
  CHECK_FALSE(internal::training::output_of("tenon-no-such-command"));
}

#endif

}  // namespace run_system_test
