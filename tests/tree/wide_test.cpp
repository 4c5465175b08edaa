#include <tenon/tree/wide.hpp>

#include <doctest/doctest.h>

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include <tenon/tenon.hpp>

namespace wide_test {

using namespace tenon;

namespace {

using Part = Float32<"n=2">;

struct Mixed {
  Part a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, c0, c1, c2,
      c3, c4, c5, c6, c7, c8, c9, d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, e0, e1, e2, e3, e4, e5,
      e6, e7, e8, e9, f0, f1, f2, f3, f4, f5, f6, f7;
  std::optional<Part> maybe;
  std::vector<Part> list;
  std::string const text = "text";
  std::array<Part, 3> row;
  Constant<std::function<int(int)>> function;
  std::unique_ptr<int> owned;
};

/// 64 fields.
struct Most {
  Float32<"n"> a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, c0,
      c1, c2, c3, c4, c5, c6, c7, c8, c9, d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, e0, e1, e2, e3,
      e4, e5, e6, e7, e8, e9, f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, g0, g1, g2;
  Frozen<std::vector<Float64<"m=3">>> last;
};

struct TooMany {
  int a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, c0, c1, c2,
      c3, c4, c5, c6, c7, c8, c9, d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, e0, e1, e2, e3, e4, e5,
      e6, e7, e8, e9, f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, g0, g1, g2, g3, g4;
};

struct Learned {
  Part a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, c0, c1, c2,
      c3, c4, c5, c6, c7, c8, c9, d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, e0, e1, e2, e3, e4, e5,
      e6, e7, e8, e9, f0, f1, f2, f3, f4, f5, f6, f7, f8, f9;
  std::array<Part, 2> pair;
  std::optional<Part> maybe;
};

}  // namespace

TEST_CASE("the tables support structs of up to 64 fields") {
  static_assert(tenon::internal::tree::field_count<Mixed> == 64);
  static_assert(tenon::internal::tree::field_count<Learned> == 62);
  static_assert(tenon::internal::tree::field_count<Most> == 64);
  static_assert(!tenon::internal::tree::has_too_many_fields<Most>);
  static_assert(tenon::internal::tree::has_too_many_fields<TooMany>);
}

TEST_CASE("many fields have their types, including const, and their addresses") {
  Mixed mixed;
  auto const fields = tenon::internal::tree::fields(mixed);
  static_assert(
      std::is_same_v<decltype(tenon::internal::tree::part_at<60>(fields)), std::string const&>);
  CHECK(&tenon::internal::tree::part_at<0>(fields) == &mixed.a0);
  CHECK(&tenon::internal::tree::part_at<57>(fields) == &mixed.f7);
  CHECK(&tenon::internal::tree::part_at<63>(fields) == &mixed.owned);
  auto const& constant = mixed;
  static_assert(std::is_same_v<decltype(tenon::internal::tree::part_at<63>(
                                   tenon::internal::tree::fields(constant))),
                               std::unique_ptr<int> const&>);
}

TEST_CASE("many fields have their names") {
  static_assert(tenon::internal::tree::field_name<Mixed, 0>.view() == "a0");
  static_assert(tenon::internal::tree::field_name<Mixed, 50>.view() == "f0");
  static_assert(tenon::internal::tree::field_name<Mixed, 62>.view() == "function");
  static_assert(tenon::internal::tree::field_name<Most, 62>.view() == "g2");
  static_assert(tenon::internal::tree::field_name<Most, 63>.view() == "last");
}

TEST_CASE("a struct with many fields is walked, mapped and zipped") {
  Learned tree;
  tree.maybe = Part({3, 4});
  CHECK(tenon::tree::count(tree) == 63);
  auto const doubled = tenon::tree::map(
      [](tenon::internal::tree::Path const& path, auto const& leaf) {
        return path.text() == "f9" ? Part({1, 2}) : Part(leaf * 2);
      },
      tree);
  CHECK(doubled.f9(1) == 2);
  CHECK((*doubled.maybe)(0) == 6);
  int equal = 0;
  tenon::tree::zip([&](auto const& a, auto const& b) { equal += a(0) == b(0); }, tree, doubled);
  CHECK(equal == 61);
  CHECK(tenon::tree::paths(tree)[61] == "pair.1");
}

TEST_CASE("sizes of many fields are compared") {
  Most most;
  tenon::internal::tree::SizeCheck check("check");
  CHECK_NOTHROW(check(most));
  most.g2 = ones<Float32<"n">>(3);
  CHECK_THROWS_AS(check(most), ShapeError);
}

}  // namespace wide_test
