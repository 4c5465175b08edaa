#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <tenon/tree/tree.hpp>

namespace table_test {

namespace tree = tenon::tree;
using tenon::Float32;

namespace {

struct Inner {
  Float32<"a"> first;
  std::string text;
  alignas(64) Float32<"2"> held;
};
struct Outer {
  Float32<"n"> wide;
  Inner inner;
  std::tuple<int, Float32<"3">, Float32<"k">> several;
  [[no_unique_address]] tenon::Constant<std::vector<int>> constant;
  std::array<Float32<"2 m">, 3> row;
  Float32<"n"> const fixed;
  std::pair<float, Float32<"p">> pair;
};

template <class T, std::size_t... i>
bool offsets_are_those_of(T const& object, std::index_sequence<i...>) {
  auto const at = [](auto const& part) {
    return reinterpret_cast<std::byte const*>(std::addressof(part));
  };
  auto const parts = tenon::internal::tree::parts(object);
  return ((at(tenon::internal::tree::part_at<i>(parts)) - at(object) ==
           static_cast<std::ptrdiff_t>(tenon::internal::tree::part_offset<T, i>)) &&
          ...);
}
template <class T>
bool offsets_are_those_of(T const& object) {
  return offsets_are_those_of(object, tenon::internal::tree::PartIndices<T>());
}

struct OfConstants {
  std::array<Float32<"n"> const, 2> row;
  Float32<"n"> last;
};

struct Held {
  Float32<"2"> a{1, 2};
  Float32<""> b{3};
};

constexpr float sum_of(Held held) {
  float sum = 0;
  tenon::tree::for_each([&](auto const& leaf) { sum += leaf.data()[leaf.size() - 1]; }, held);
  return sum;
}

}  // namespace

TEST_CASE("the table of a type has the offsets of its fields") {
  Outer const outer{};
  CHECK(offsets_are_those_of(outer));
  CHECK(offsets_are_those_of(outer.inner));
  CHECK(offsets_are_those_of(outer.several));
  CHECK(offsets_are_those_of(outer.pair));
}

TEST_CASE("a walk along tables visits every leaf at its address") {
  Outer outer{};
  std::vector<void const*> met;
  tenon::tree::for_each([&](auto const& leaf) { met.push_back(&leaf); }, outer);
  std::vector<void const*> const expected = {&outer.wide,
                                             &outer.inner.first,
                                             &outer.inner.held,
                                             &std::get<1>(outer.several),
                                             &std::get<2>(outer.several),
                                             &outer.row[0],
                                             &outer.row[1],
                                             &outer.row[2],
                                             &outer.fixed,
                                             &outer.pair.second};
  CHECK(met == expected);
}

TEST_CASE("a const field is const in a mutable tree") {
  Outer outer{};
  int constants = 0;
  tenon::tree::for_each([&]<class Leaf>(Leaf&) { constants += std::is_const_v<Leaf> ? 1 : 0; },
                        outer);
  CHECK(constants == 1);
  auto const longer = [](auto const& leaf) {
    return std::remove_cvref_t<decltype(leaf)>::uninitialised(leaf.sizes());
  };
  CHECK(tenon::tree::paths(tenon::tree::map(longer, outer)) == tenon::tree::paths(outer));
}

TEST_CASE("elements of an array may be const") {
  CHECK(tenon::tree::paths(OfConstants{}) == std::vector<std::string>{"row.0", "row.1", "last"});
}

TEST_CASE("trees of inline tensors are walked in constant expressions") {
  static_assert(sum_of(Held{}) == 5);
  CHECK(sum_of(Held{}) == 5);
}

}  // namespace table_test
