#include <doctest/doctest.h>

#include <iterator>

#include "calls.hpp"
#include "documents.hpp"
#include "floors.hpp"
#include "functions.hpp"
#include "lengths.hpp"
#include "nodes.hpp"
#include "runtime.hpp"
#include "tables.hpp"
#include "versions.hpp"

using namespace structure;

namespace {

std::vector<Source> headers() { return read_all(TENON_ROOT, "include", {".hpp", ".ipp"}); }

std::vector<Source> code_of_folders(std::vector<std::string> const& folders) {
  std::vector<Source> all;
  for (auto const& folder : folders) {
    std::ranges::move(
        read_all(TENON_ROOT, folder, {".hpp", ".ipp", ".cpp", ".cmake", ".txt", ".sh"}),
        std::back_inserter(all));
  }
  return all;
}

/// (The code in CONTRIBUTING.md is compiled by tests/recipes.)
std::vector<Source> documents() {
  auto all = read_all(TENON_ROOT, "docs", {".md"});
  all.push_back({"README.md", read(fs::path(TENON_ROOT) / "README.md")});
  return all;
}

void expect_none(Findings const& findings) {
  for (auto const& finding : findings) FAIL_CHECK(finding);
}

}  // namespace

TEST_CASE("a file includes its own floor and lower floors") {
  expect_none(check_floors(headers()));
}

TEST_CASE("no file includes itself, directly or not") { expect_none(check_cycles(headers())); }

TEST_CASE("rooms do not include each other in a cycle") { expect_none(check_rooms(headers())); }

TEST_CASE("the compiled runtime is complete") { expect_none(check_runtime(headers())); }

TEST_CASE("one file names the members in which nodes store their operands") {
  expect_none(check_operands(headers()));
}

TEST_CASE("no file outside of the layers of expressions reads the parameters of node types") {
  expect_none(check_node_types(headers()));
}

TEST_CASE("there is one description of a node type") { expect_none(check_descriptions(headers())); }

TEST_CASE("no function is declared in two layers, but for named ones") {
  expect_none(check_declared_once(headers()));
}

TEST_CASE("every function of expressions dispatches or refuses other operands") {
  expect_none(check_other_operands(headers()));
}

TEST_CASE("the result types of calls are taken from core/call.hpp") {
  expect_none(check_calls(headers()));
}

TEST_CASE("no file is longer than 400 lines") {
  expect_none(check_files(code_of_folders(
      {"include", "tests", "examples", "bench", "cmake", "scripts", ".ci", "conan", "vcpkg"})));
}

TEST_CASE("no function is longer than 20 lines") {
  expect_none(check_functions(code_of_folders({"include", "examples", "bench"})));
}

TEST_CASE("macros are few and defined in core/config.hpp") { expect_none(check_macros(headers())); }

TEST_CASE("documents contain only code that is compiled") {
  expect_none(check_blocks(documents(), code_of_folders({"include", "examples", "tests"})));
}

TEST_CASE("the code lines of the pages for users of other libraries are run by tests") {
  auto const file = [](std::string const& path) {
    return Source{path, read(fs::path(TENON_ROOT) / path)};
  };
  Source tests = file("tests/docs/lines_test.cpp");
  tests.text += file("tests/docs/lines_networks_test.cpp").text;
  expect_none(check_tables(file("docs/from_pytorch_numpy_eigen.md"), tests));
  expect_none(
      check_tables(file("docs/from_numpy_scipy.md"), file("tests/docs/numpy_lines_test.cpp")));
}

TEST_CASE("the version is the same in the build, the header, the documents and the packages") {
  auto const file = [](std::string const& path) { return read(fs::path(TENON_ROOT) / path); };
  expect_none(check_versions({file("CMakeLists.txt"), file("include/tenon/core/config.hpp"),
                              file("CITATION.cff"), file("CHANGELOG.md"),
                              file("conan/conanfile.py"), file("vcpkg/ports/tenon/vcpkg.json")}));
}
