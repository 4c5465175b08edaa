// The checks must detect violations: deliberate ones, as strings.

#include <doctest/doctest.h>

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

std::string including(std::string const& header) { return "#include <" + header + ">\n"; }

Findings floors_of(std::string const& path, std::string const& header) {
  return check_floors({{"include/tenon/" + path, including(header)}});
}

int longest_function(std::string const& text) {
  int longest = -1;
  for (auto const& function : functions_of(text)) longest = std::max(longest, function.length);
  return longest;
}

}  // namespace

TEST_CASE("an include of a higher floor is found") {
  CHECK(floors_of("core/shape.hpp", "tenon/tensor/tensor.hpp") ==
        Findings{"include/tenon/core/shape.hpp:1 includes tensor/tensor.hpp, a higher floor"});
  CHECK(floors_of("tensor/tensor.hpp", "tenon/core/shape.hpp").empty());
  CHECK(floors_of("expr/map/map.hpp", "tenon/tree/tree.hpp").empty());
  CHECK(floors_of("tenon.hpp", "tenon/nn/linear.hpp").empty());
}

TEST_CASE("an operand named outside of node.hpp is found") {
  std::string const text = "auto f(E const& e) { return g(e.operand); }  // e.operand\n";
  CHECK(check_operands({{"include/tenon/eval/walk.hpp", text}}) ==
        Findings{"include/tenon/eval/walk.hpp:1 names an operand"});
  CHECK(check_operands({{file_of_operands, text}}).empty());
}

TEST_CASE("a file that reads the parameters of a node type is found") {
  std::string const text = "template <class A, class B, class R> void run(Contract<A, B, R> e);\n";
  CHECK(check_node_types({{"include/tenon/nn/linear.hpp", text}}) ==
        Findings{"include/tenon/nn/linear.hpp names the parameters of a node type"});
  CHECK(check_node_types({{"include/tenon/eval/rows/layout.hpp", text}}).empty());
  CHECK(check_node_types({{"include/tenon/nn/linear.hpp", "// Contract<A, B, R>\n"}}).empty());
}

TEST_CASE("a second description of nodes is found") {
  std::string const text = "struct NodeType : Layout {};\nstruct NodeType;\n";
  CHECK(check_descriptions({{"include/tenon/eval/graph/node.hpp", text}}).size() == 1);
  CHECK(check_descriptions({{"include/tenon/ir/node.hpp", text}}).empty());
  CHECK(check_descriptions({{"include/tenon/eval/a.hpp", "struct NodeType;\n"}}).empty());
}

TEST_CASE("a function that is declared in two layers is found") {
  std::string const exported = "namespace tenon {\nusing internal::cumsum;\n}\n";
  std::vector<Source> const both{{"include/tenon/expr/scan.hpp", exported},
                                 {"include/tenon/distributed/scan.hpp", exported}};
  CHECK(check_declared_once(both, {}) ==
        Findings{"include/tenon/distributed/scan.hpp declares cumsum again"});
  CHECK(check_declared_once(both, {{"cumsum", "of a test"}}).empty());
  CHECK(check_declared_once({both[0]}, {{"cumsum", "of a test"}}) ==
        Findings{"cumsum is declared once: no exception"});
}

TEST_CASE("a function that says nothing of other operands is found") {
  std::string const exported = "using internal::cumsum;\n";
  std::string const own = "\ntemplate <Axes axis, Expression X>\nauto cumsum(X&& x) {}\n";
  std::string const other =
      "template <Axes, class... X, class R = Refused<CumsumName, X...>>\nauto cumsum(X const&...) "
      "-> R;\n";
  CHECK(check_other_operands({{"include/tenon/expr/scan.hpp", own + exported}}).size() == 1);
  CHECK(check_other_operands({{"include/tenon/expr/scan.hpp", own + other + exported}}).empty());
}

TEST_CASE("a result type from the standard library is found") {
  Source const header{"include/tenon/eval/a.hpp", "using R = std::invoke_result_t<F, X>;\n"};
  CHECK(check_calls({header}).size() == 1);
  CHECK(check_calls({{header.path, "std::ranges::stable_sort(rows);\n"}}).size() == 1);
  CHECK(
      check_calls({{header.path, "using R = CallResult<F, X>;  // no std::invocable\n"}}).empty());
}

TEST_CASE("a file *.ipp counts as the header that it defines") {
  CHECK(floors_of("core/shape.ipp", "tenon/tensor/tensor.hpp").size() == 1);
  std::string const below = including("tenon/eval/low.hpp"),
                    above = including("tenon/eval/high.hpp");
  CHECK(check_cycles(
            {{"include/tenon/eval/high.hpp", below}, {"include/tenon/eval/low.more.ipp", above}})
            .size() == 2);
  CHECK(check_cycles({{"include/tenon/eval/low.more.ipp", below}}).empty());
}

TEST_CASE("a file of the runtime that is not compiled is found") {
  Source const low{"include/tenon/eval/low.hpp", including("tenon/eval/low.ipp")};
  Source const forgotten{"include/tenon/eval/forgotten.ipp", ""};
  Source const all{"include/" + umbrellas_of_runtime[0], including("tenon/eval/low.hpp")};
  CHECK(check_runtime({all, low, {"include/tenon/eval/low.ipp", ""}}).empty());
  CHECK(check_runtime({all, low, forgotten}).size() == 1);
  std::string const head = "#if TENON_DEFINES_RUNTIME\n", foot = "\n#endif\n";
  Source const own{forgotten.path, head + "\nTENON_RUNTIME int f() { return 1; }\n" + foot};
  Source const header{"include/tenon/eval/own.hpp", own.text};
  CHECK(check_runtime({all, low, header}).size() == 1);
  CHECK(check_runtime({all, low, header, {low.path, including("tenon/eval/own.hpp")}}).empty());
  Source const without{header.path, head + "#include <tenon/eval/low.ipp>" + foot};
  CHECK(check_runtime({all, low, without}).empty());
  CHECK(check_runtime({all, {"include/tenon/train/config/toml.ipp", ""}}).empty());
}

TEST_CASE("a folder that belongs to no floor is found") {
  CHECK(floors_of("cellar/wine.hpp", "tenon/core/shape.hpp").size() == 1);
  CHECK(floors_of("core/shape.hpp", "tenon/cellar/wine.hpp").size() == 1);
}

TEST_CASE("siblings and backends that include each other are found") {
  CHECK(floors_of("nn/linear.hpp", "tenon/optim/sgd.hpp").size() == 1);
  CHECK(floors_of("nn/linear.hpp", "tenon/nn/dropout.hpp").empty());
  CHECK(floors_of("backend/cpu/loop.hpp", "tenon/backend/reference/loop.hpp").size() == 1);
  CHECK(floors_of("backend/reference.hpp", "tenon/backend/cpu/loop.hpp").size() == 1);
  CHECK(floors_of("backend/cuda/kernel.hpp", "tenon/backend/codegen/text.hpp").empty());
  CHECK(floors_of("backend/new.hpp", "tenon/backend/cuda/kernel.hpp").size() == 1);
  CHECK(floors_of("backend/new.hpp", "tenon/backend/contract.hpp").empty());
}

TEST_CASE("third-party headers in the wrong place are found") {
  CHECK(floors_of("io/eigen.hpp", "Eigen/Core").empty());
  CHECK(floors_of("backend/cpu/simd/lanes_xsimd.hpp", "xsimd/xsimd.hpp").empty());
  CHECK(floors_of("backend/cpu/simd/lanes_wide.hpp", "xsimd/xsimd.hpp").size() == 1);
  CHECK(floors_of("core/shape.hpp", "boost/any.hpp").size() == 1);
  CHECK(floors_of("core/shape.hpp", "string_view").empty());
  CHECK(check_floors({{"include/tenon/core/a.hpp", "#include \"b.hpp\"\n"}}).size() == 1);
}

TEST_CASE("a cycle of includes is found") {
  Source const a{"include/tenon/core/a.hpp", including("tenon/core/b.hpp")};
  Source const b{"include/tenon/core/b.hpp", including("tenon/core/c.hpp")};
  CHECK(check_cycles({a, b}).empty());
  CHECK(check_cycles({a, b, {"include/tenon/core/c.hpp", including("tenon/core/a.hpp")}}).size() ==
        3);
}

TEST_CASE("a cycle of rooms is found") {
  std::string const folder = "include/tenon/distributed/";
  Source const a{folder + "zero/a.hpp", including("tenon/distributed/sharding/b.hpp")};
  Source const b{folder + "sharding/c.hpp", including("tenon/distributed/zero/d.hpp")};
  CHECK(check_rooms({a}).empty());
  CHECK(check_rooms({a, b}).size() == 2);
}

TEST_CASE("a long file is found") {
  CHECK(check_files({{"a.hpp", std::string(400, '\n')}}).empty());
  CHECK(check_files({{"a.hpp", std::string(401, '\n')}}).size() == 1);
}

TEST_CASE("the lines of a function are counted without blank ones and comments") {
  CHECK(longest_function("void f() {\n  a;\n\n  // why\n  /* so\n  that */ b;\n}\n") == 2);
  CHECK(longest_function("int f() { return 1; }\n") == 0);
  CHECK(check_functions({{"a.hpp", "void f() {\n" + std::string(60, '\n') + "}\n"}}).empty());
}

TEST_CASE("a long function is found, whatever its head") {
  std::string body = "{\n";
  for (int i = 0; i < 21; ++i) body += "  a(\"}\", '{');\n";
  body += "}\n";
  for (std::string const head :
       {"void f() ", "template <class T = int, int n = (1 > 0)>\nauto f(T x) -> A<T> ",
        "struct A {\n  A(int a) : a_(a), b_{a} ", "struct A {\n  int f() const noexcept override ",
        "namespace n {\nauto f(X const& x)\n  requires Fits<X>\n",
        "inline constexpr auto f = [](auto x) ", "inline constexpr auto f = [] ",
        "constexpr bool operator==(A const& a, A const& b) ", "[[nodiscard]] int f(int a[3]) ",
        "template <class X> requires requires(X x) { x + x; } auto f(X x) ",
        "template <class... T> A(T...) -> A<T...>;\nstruct B : C<int> {\n  operator int() && "}) {
    CAPTURE(head);
    CHECK(check_functions({{"a.hpp", head + body}}).size() == 1);
  }
}

TEST_CASE("code that is not a function is not counted as one") {
  std::string const body = "{\n" + std::string(30, '\n') + "  1, 2\n}";
  for (std::string const head :
       {"namespace n ", "struct A : B<decltype(c)> ", "template <class T> struct A ",
        "enum class A : int ", "inline constexpr std::array<int, 2> a",
        "inline constexpr auto a = A ", "int a[] = ",
        "template <class T> concept A = requires(T a) ", "concept A = B<T> && requires "}) {
    CAPTURE(head);
    CHECK(functions_of(head + body + ";\n").empty());
  }
}

TEST_CASE("macros in the wrong place and too many are found") {
  CHECK(check_macros({{"include/tenon/core/config.hpp", "#define TENON_A 1\n"}}).empty());
  CHECK(check_macros({{"include/tenon/core/config.hpp", "#define A 1\n"}}).size() == 1);
  CHECK(check_macros({{"include/tenon/op/a.hpp", "#define TENON_A 1\n"}}).size() == 1);
  CHECK(check_macros({{"include/tenon/testing/a.hpp", "#define CHECK_A 1\n"}}).empty());
  CHECK(check_macros({{"include/tenon/testing/a.hpp", "#define A 1\n"}}).size() == 1);
  std::string const guard = "#define _IMMINTRIN_H_INCLUDED\n",
                    undefined = "#undef _IMMINTRIN_H_INCLUDED\n";
  std::string const intrinsics = "include/tenon/backend/cpu/simd/intrinsics.hpp";
  CHECK(check_macros({{intrinsics, guard + undefined}}).empty());
  CHECK(check_macros({{intrinsics, guard}}).size() == 1);
  CHECK(check_macros({{"include/tenon/op/a.hpp", guard + undefined}}).size() == 1);
  std::string many;
  for (char c : {'A', 'B', 'C', 'D', 'E', 'F', 'G'})
    many += std::string("#define TENON_") + c + "\n";
  CHECK(check_macros({{"include/tenon/core/config.hpp", many}}) == Findings{"7 macros"});
}

TEST_CASE("a document with code of no source is found") {
  Source const document{"a.md", "Text.\n```cpp\nint a = 1;\n\n  int b = 2;\n```\n"};
  CHECK(check_blocks({document}, {{"a.cpp", "x;\n  int a = 1;\nint b = 2;\n"}}).empty());
  CHECK(check_blocks({document}, {{"a.cpp", "int a = 1;\nx;\nint b = 2;\n"}}) ==
        Findings{"a.md:2 shows code that no test compiles"});
}

TEST_CASE(
    "a table without a test for its code or value, and a line of a test without a table, are "
    "found") {
  Source const page{"a.md",
                    "| NumPy | Tenon | gives |\n|---|---|---|\n| `a[0]` | `a[0]` | `3` |\n"};
  CHECK(check_tables(page, {"a.cpp", "prints(\"3\",\n   a[0]);"}).empty());
  Findings const other{"a.md:3 shows what no test runs",
                       "a.cpp has a line that a.md does not show"};
  CHECK(check_tables(page, {"a.cpp", "prints(\"4\", a[0]);"}) == other);
  CHECK(check_tables(page, {"a.cpp", "prints(\"3\", a[1]);"}) == other);
}

TEST_CASE("a version that differs anywhere is found") {
  Versioned const same{"project(x VERSION 1.2.3)",
                       "#define TENON_VERSION 10203\n",
                       "cff-version: 1.2.0\nversion: 1.2.3\n",
                       "## [1.2.3]",
                       "class A:\n    def set_version(self):\n",
                       "\"version\": \"1.2.3\","};
  CHECK(check_versions(same).empty());
  auto const findings = [&](std::string Versioned::*file, std::string const& text) {
    Versioned changed = same;
    changed.*file = text;
    return check_versions(changed).size();
  };
  CHECK(findings(&Versioned::build, "project(x VERSION 1.2.4)") == 4);
  CHECK(findings(&Versioned::build, "project(x)") >= 2);
  CHECK(findings(&Versioned::header, "#define TENON_VERSION 10204\n") == 1);
  CHECK(findings(&Versioned::citation, "cff-version: 1.2.3\nversion: 1.2.0\n") == 1);
  CHECK(findings(&Versioned::changelog, "## [1.2.2]") == 1);
  CHECK(findings(&Versioned::recipe, "class A:\n") == 1);
  CHECK(findings(&Versioned::recipe, same.recipe + "    version = \"1.2.3\"\n") == 1);
  CHECK(findings(&Versioned::manifest, "\"version\": \"1.2.4\",") == 1);
}
