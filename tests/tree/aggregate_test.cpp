#include <doctest/doctest.h>

#include <any>
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include <tenon/tree/names.hpp>

namespace aggregate_test {

using tenon::internal::tree::field_count;
using tenon::internal::tree::field_name;
using tenon::internal::tree::FieldReferences;
using tenon::internal::tree::fields;
using tenon::internal::tree::has_base_class;
using tenon::internal::tree::part_at;

namespace {

struct Empty {};
struct One {
  int only;
};
struct Nested {
  One one;
  std::array<One, 3> array;
  Empty empty;
};
struct Containers {
  std::vector<Containers> children;
  std::optional<float> maybe;
  std::optional<std::vector<std::string>> names;
  std::map<int, std::string> table;
  std::unique_ptr<int> owned;
  std::function<int(int)> function;
  std::any anything;
  std::variant<int, float> either;
};
struct Any {
  std::any anything;
};
struct Defaults {
  int a = 1;
  std::string b = "two";
  double const c = 3;
};
struct Most {
  int a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, c0, c1, c2,
      c3, c4, c5, c6, c7, c8, c9, d0, d1;
};
struct TooMany {
  Most most;
  int a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, c0, c1, c2,
      c3, c4, c5, c6, c7, c8, c9, d0, d1;
};

static_assert(field_count<Empty> == 0);
static_assert(field_count<One> == 1);
static_assert(field_count<Nested> == 3);
static_assert(field_count<Containers> == 8);
static_assert(field_count<Any> == 1);
static_assert(field_count<Defaults> == 3);
static_assert(field_count<Most> == 32);
static_assert(field_count<TooMany> == tenon::internal::tree::few_fields + 1);

struct Derived : One {
  int more;
};
struct DerivedFromNothing : Empty {};
static_assert(has_base_class<Derived> && has_base_class<DerivedFromNothing>);
static_assert(!has_base_class<Empty> && !has_base_class<One> && !has_base_class<Nested>);
static_assert(!has_base_class<Any> && !has_base_class<Containers>);

static_assert(std::is_same_v<decltype(fields(std::declval<Nested&>())),
                             FieldReferences<One&, std::array<One, 3>&, Empty&>>);
static_assert(
    std::is_same_v<decltype(fields(std::declval<One const&>())), FieldReferences<int const&>>);

static_assert(field_name<One, 0> == tenon::Spec("only"));
static_assert(field_name<Nested, 1> == tenon::Spec("array"));
static_assert(field_name<Nested, 2> == tenon::Spec("empty"));
static_assert(field_name<Most, 31> == tenon::Spec("d1"));

}  // namespace

namespace outer {
template <class T>
struct Layer {
  T weight_1;
  std::vector<T> _hidden;
};
}  // namespace outer

TEST_CASE("fields are references, in order") {
  Nested nested{{1}, {{{2}, {3}, {4}}}, {}};
  auto const all = fields(nested);
  part_at<0>(all).only = 5;
  part_at<1>(all)[2].only = 6;
  CHECK(nested.one.only == 5);
  CHECK(nested.array[2].only == 6);
  CHECK(&part_at<2>(all) == &nested.empty);
}

TEST_CASE("const fields and objects that cannot be copied have fields") {
  Defaults const defaults;
  CHECK(part_at<0>(fields(defaults)) == 1);
  CHECK(part_at<1>(fields(defaults)) == "two");
  CHECK(part_at<2>(fields(defaults)) == 3);
  Containers containers{};
  part_at<4>(fields(containers)) = std::make_unique<int>(7);
  CHECK(*containers.owned == 7);
}

TEST_CASE("thirty-two fields are supported") {
  Most most{};
  tenon::internal::tree::apply(
      [](auto&... field) {
        int i = 0;
        ((field = i++), ...);
      },
      fields(most));
  CHECK(most.a0 == 0);
  CHECK(most.c9 == 29);
  CHECK(most.d1 == 31);
}

TEST_CASE("fields have the names in the source") {
  struct Local {
    std::string a_b, C;
  };
  CHECK(field_name<Containers, 0>.view() == "children");
  CHECK(field_name<Containers, 7>.view() == "either");
  CHECK(field_name<Defaults, 2>.view() == "c");
  CHECK(field_name<Local, 0>.view() == "a_b");
  CHECK(field_name<Local, 1>.view() == "C");
  CHECK(field_name<outer::Layer<std::string>, 0>.view() == "weight_1");
  CHECK(field_name<outer::Layer<Nested>, 1>.view() == "_hidden");
}

TEST_CASE("fields are usable in constant expressions") {
  constexpr auto sum = [] {
    Nested nested{{1}, {{{2}, {3}, {4}}}, {}};
    auto const all = fields(nested);
    part_at<0>(all).only = 10;
    return nested.one.only + part_at<1>(all)[1].only;
  }();
  static_assert(sum == 13);
}

}  // namespace aggregate_test
