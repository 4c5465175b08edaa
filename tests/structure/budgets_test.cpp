#include "budgets.hpp"

#include <doctest/doctest.h>

using namespace structure;

namespace {

std::string const page =
    "Text.\n\n" + head_of_budgets +
    "| beside the folders | 0 | 1 |\n| `core/` | 1,200 | 2 |\n| all | 1,200 | 3 |\n\nMore.\n";

}  // namespace

TEST_CASE("no layer has more lines or files than docs/house.md allows") {
  auto const sizes = count_layers(read_all(TENON_ROOT, "include", {".hpp", ".ipp"}));
  for (auto const& finding : check_budgets(sizes, read(fs::path(TENON_ROOT) / "docs" / "house.md")))
    FAIL_CHECK(finding);
}

TEST_CASE("the lines of code of a layer are counted in all its files") {
  std::string const text = "#pragma once\n\n// Why.\nint a;  // that\n/* more\n*/ int b = \n  1;\n";
  CHECK(code_lines(text) == 3);
  CHECK(count_layers({{"include/tenon/core/a.hpp", text},
                      {"include/tenon/core/rules/a.ipp", text},
                      {"include/tenon/tenon.hpp", "#include <tenon/core/a.hpp>\n"}}) ==
        LayerSizes{{"", {0, 1}}, {"core", {6, 2}}});
}

TEST_CASE("a layer above its budget, without one and without files is found") {
  CHECK(check_budgets({{"", {0, 1}}, {"core", {1200, 2}}}, page).empty());
  CHECK(check_budgets({{"", {0, 1}}, {"core", {1201, 2}}}, page) ==
        Findings{"include/tenon/core has 1201 lines of code, and a budget of 1200"});
  CHECK(check_budgets({{"", {0, 1}}, {"core", {1200, 3}}}, page) ==
        Findings{"include/tenon/core has 3 files, and a budget of 2"});
  CHECK(check_budgets({{"", {0, 1}}, {"core", {9, 2}}, {"op", {1, 1}}}, page).size() == 2);
  CHECK(check_budgets({{"core", {9, 2}}}, page) == Findings{"there is no layer "});
}

TEST_CASE("a table with another sum, and a page without a table are found") {
  auto other = page;
  other.replace(other.rfind("1,200"), 5, "1,300");
  CHECK(check_budgets({{"", {0, 1}}, {"core", {9, 2}}}, other).size() == 1);
  CHECK(check_budgets({}, "Text.\n").size() == 1);
}

TEST_CASE("budgets are written in place of the page's own, rounded up") {
  CHECK(read_budgets(page) == LayerSizes{{"", {0, 1}}, {"core", {1200, 2}}});
  auto const written = with_budgets(page, round_up({{"", {0, 1}}, {"core", {12301, 20}}}));
  CHECK(read_budgets(written) == LayerSizes{{"", {0, 5}}, {"core", {12350, 20}}});
  CHECK(written.starts_with("Text.\n\n| layer |"));
  CHECK(written.ends_with("| all | 12,350 | 25 |\n\nMore.\n"));
}
