#include <doctest/doctest.h>

#include <filesystem>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include <tenon/io/safetensors.hpp>
#include <tenon/tenon.hpp>

namespace sizes_test {

using namespace tenon;

namespace {

struct Pair {
  Float32<"n"> a, b;
};
struct Others {
  Float32<"n"> a;
  Float32<"m"> b;
};
/// A struct whose members have separate scopes.
struct Scopes {
  std::vector<Pair> layers;
  Float32<"n"> own;
  std::vector<Float32<"n">> rows;
  std::tuple<Float32<"n">, Float32<"n">> rest;
};
struct Wrapped {
  std::optional<Float32<"n m">> first;
  Frozen<Int32<"n">> ids;
  Float32<"k m"> last;
};
struct Static {
  Float32<"n=3"> a;
  Float32<"n=4"> b;
};

template <class Tree>
void check(Tree const& tree) {
  tenon::internal::tree::SizeCheck("check", "a file")(tree);
}

Pair pair(int a, int b) { return {zeros<Float32<"n">>(a), zeros<Float32<"n">>(b)}; }

char const* const expected_of_b = "'b': expected \"n=3\" as in 'a', got \"n=4\"";
std::string says(std::string const& who) { return "tenon::" + who + ": " + expected_of_b; }

static_assert(tenon::internal::tree::shares_names<Pair>() &&
              tenon::internal::tree::shares_names<Scopes>());
static_assert(!tenon::internal::tree::shares_names<Others>() &&
              !tenon::internal::tree::shares_names<Static>());
static_assert(!tenon::internal::tree::shares_names<std::vector<Float32<"n n">>>());

}  // namespace

TEST_CASE("a name has one size among the fields of a struct") {
  CHECK_NOTHROW(check(pair(3, 3)));
  CHECK_THROWS_WITH_AS(check(pair(3, 4)),
                       "tenon::check: 'b': expected \"n=3\" as in 'a', got \"n=4\" (a file)",
                       ShapeError);
  CHECK_NOTHROW(check(Others{zeros<Float32<"n">>(3), zeros<Float32<"m">>(4)}));
}

TEST_CASE("structs, elements and parts of tuples have their own scopes") {
  Scopes scopes{{pair(3, 3), pair(4, 4)}, {1}, {{1, 2}, {1, 2, 3}}, {{1}, {1, 2}}};
  CHECK_NOTHROW(check(scopes));
  scopes.layers[1].b = {1, 2};
  CHECK_THROWS_WITH_AS(
      check(scopes),
      "tenon::check: 'layers.1.b': expected \"n=4\" as in 'layers.1.a', got \"n=2\" (a file)",
      ShapeError);
}

TEST_CASE("frozen and optional fields are compared, empty ones are not") {
  Wrapped wrapped{zeros<Float32<"n m">>(2, 3), Int32<"n">{1, 2}, zeros<Float32<"k m">>(5, 3)};
  CHECK_NOTHROW(check(wrapped));
  wrapped.ids = Int32<"n">{1, 2, 3};
  CHECK_THROWS_AS(check(wrapped), ShapeError);
  wrapped.first.reset();
  CHECK_NOTHROW(check(wrapped));
}

TEST_CASE("sizes are compared when a struct is saved and loaded") {
  auto const file = std::filesystem::temp_directory_path() / "tenon_sizes_test.safetensors";
  std::string const where = " (" + file.string() + ")";
  CHECK_THROWS_WITH_AS(save(file, pair(3, 4)), (says("save") + where).c_str(), ShapeError);
  save(file, Others{zeros<Float32<"n">>(3), zeros<Float32<"m">>(4)});
  CHECK_THROWS_WITH_AS(load<Pair>(file, {.ignore_axis_names = true}),
                       (says("load") + where).c_str(), ShapeError);
  CHECK(load<Others>(file).b.size() == 4);
  std::filesystem::remove(file);
}

}  // namespace sizes_test
