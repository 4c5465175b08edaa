#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include <tenon/tree/tree.hpp>

#include "weight.hpp"

namespace walk_test {

namespace tree = tenon::tree;
using forest::Block;
using forest::Linear;
using forest::Model;
using forest::model;
using tenon::Frozen;

namespace {

double sum(Model const& of) {
  return tenon::tree::fold([](double before, Weight const& leaf) { return before + leaf.value(); },
                           0.0, of);
}

struct Numbers {
  std::int64_t step = 3;
  float rate = 0.5f;
  std::vector<bool> flags{true, false};
  Linear linear{1, 2};
};

}  // namespace

TEST_CASE("leaves are visited in the order of the fields") {
  std::vector<double> values;
  tenon::tree::for_each([&](Weight const& leaf) { values.push_back(leaf.value()); }, model());
  std::vector<double> expected;
  for (int i = 0; i <= 20; ++i) expected.push_back(i);
  CHECK(values == expected);
  CHECK(tenon::tree::count(model()) == 21);
  CHECK(sum(model()) == 210);
}

TEST_CASE("paths consist of the names of fields and the indices of elements") {
  std::vector<std::string> const expected = {"embedding",
                                             "blocks.0.attention.query.weight",
                                             "blocks.0.attention.query.bias",
                                             "blocks.0.attention.key.weight",
                                             "blocks.0.attention.key.bias",
                                             "blocks.0.scale",
                                             "blocks.1.attention.query.weight",
                                             "blocks.1.attention.query.bias",
                                             "blocks.1.attention.key.weight",
                                             "blocks.1.attention.key.bias",
                                             "blocks.2.attention.query.weight",
                                             "blocks.2.attention.query.bias",
                                             "blocks.2.attention.key.weight",
                                             "blocks.2.attention.key.bias",
                                             "blocks.2.scale",
                                             "heads.0.weight",
                                             "heads.0.bias",
                                             "heads.1.weight",
                                             "heads.1.bias",
                                             "rest.0",
                                             "rest.1.0"};
  CHECK(tenon::tree::paths(model()) == expected);
  CHECK(tenon::tree::paths(Weight(1)) == std::vector<std::string>{""});
}

TEST_CASE("the stored leaves include numbers and frozen members") {
  CHECK(tenon::tree::paths<tenon::internal::tree::Stored>(Frozen<Linear>()) ==
        std::vector<std::string>{"weight", "bias"});
  CHECK(tenon::tree::paths(Frozen<Linear>()).empty());
  CHECK(tenon::tree::paths<tenon::internal::tree::Stored>(Numbers()) ==
        std::vector<std::string>{"step", "rate", "linear.weight", "linear.bias"});
  CHECK(tenon::tree::paths(Numbers()) == std::vector<std::string>{"linear.weight", "linear.bias"});
  CHECK(tenon::tree::count<tenon::internal::tree::Stored>(model()) == 21 + 3 + 1 + 2);
}

TEST_CASE("leaves of a mutable tree may be changed") {
  Model changed = model();
  tenon::tree::for_each([](Weight& leaf) { leaf = leaf.value() + 1; }, changed);
  CHECK(sum(changed) == 231);
  tenon::tree::zip([](Weight& to, Weight const& from) { to = from; }, changed, model());
  CHECK(changed == model());
}

TEST_CASE("a function may take the path") {
  std::string found;
  auto const look = [&](tenon::internal::tree::Path const& path, Weight const& leaf) {
    if (leaf.value() == 14) found = path.text();
  };
  tenon::tree::for_each(look, model());
  CHECK(found == "blocks.2.scale");
  auto const longest = tenon::internal::tree::collect<std::size_t>(
      [](tenon::internal::tree::Path const& path, Weight const&) { return path.text().size(); },
      Linear());
  CHECK(longest == std::vector<std::size_t>{6, 4});
}

TEST_CASE("map builds a tree of the same type and copies the members that are not visited") {
  Model const twice =
      tenon::tree::map([](Weight const& leaf) { return Weight(2 * leaf.value()); }, model());
  CHECK(sum(twice) == 420);
  CHECK(twice.blocks[1].scale == std::nullopt);
  CHECK(twice.blocks[2].attention.heads == 8);
  CHECK(twice.table.value == Linear{100, 101});
  CHECK(std::get<1>(twice.rest).second == 0.5f);
  CHECK(twice.name == "a model");
}

TEST_CASE("map of the identity gives an equal tree") {
  CHECK(tenon::tree::map([](Weight const& leaf) { return leaf; }, model()) == model());
  auto const same = [](auto const& leaf) { return leaf; };
  CHECK(tenon::tree::map<tenon::internal::tree::Stored>(same, model()) == model());
}

TEST_CASE("map converts the result of the function to the type of the leaf") {
  Linear const ones = tenon::tree::map([](Weight const&) { return 1.0; }, Linear());
  CHECK(ones == Linear{1, 1});
}

TEST_CASE("map takes several trees, and optionally the path") {
  auto const mix = [](Weight const& a, Weight const& b) { return a.value() - b.value(); };
  CHECK(sum(tenon::tree::map(mix, model(), model())) == 0);
  auto const named = [](tenon::internal::tree::Path const& path, Weight const& a, Weight const& b) {
    return path.text() == "bias" ? a : b;
  };
  CHECK(tenon::tree::map(named, Linear{1, 2}, Linear{3, 4}) == Linear{3, 2});
}

TEST_CASE("map enters frozen members only for the stored leaves") {
  auto const zero = [](auto const&) { return 0; };
  Frozen<Linear> const frozen(Linear{1, 2});
  CHECK(tenon::tree::map(zero, frozen).value == Linear{1, 2});
  CHECK(tenon::tree::map<tenon::internal::tree::Stored>(zero, frozen).value == Linear{0, 0});
}

TEST_CASE("zip visits trees of the same structure together") {
  double product = 0;
  auto const add = [&](Weight const& a, Weight const& b, Weight const& c) {
    product += a.value() * b.value() * c.value();
  };
  tenon::tree::zip(add, Linear{1, 2}, Linear{3, 4}, Linear{5, 6});
  CHECK(product == 15 + 48);
}

TEST_CASE("zip takes different types of the same structure") {
  struct Other {
    Weight first, second;
  };
  double difference = 0;
  tenon::tree::zip([&](Weight const& a, Weight const& b) { difference += a.value() - b.value(); },
                   Linear{5, 6}, Other{1, 2});
  CHECK(difference == 8);
}

TEST_CASE("the error for vectors of different sizes has their path") {
  auto const nothing = [](Weight const&, Weight const&) {};
  Model shorter = model();
  shorter.blocks.pop_back();
  CHECK_THROWS_WITH_AS(tenon::tree::zip(nothing, model(), shorter),
                       "tenon::tree: 'blocks': expected 3 elements, got 2", tenon::ShapeError);
  auto const first = [](Weight const& a, Weight const&) { return a; };
  CHECK_THROWS_WITH_AS(tenon::tree::map(first, shorter, model()),
                       "tenon::tree: 'blocks': expected 2 elements, got 3", tenon::ShapeError);
}

TEST_CASE("the error for optionals of which one is empty has their path") {
  auto const nothing = [](Weight const&, Weight const&) {};
  Model other = model();
  other.blocks[1].scale = Weight(1);
  CHECK_THROWS_WITH_AS(tenon::tree::zip(nothing, model(), other),
                       "tenon::tree: 'blocks.1.scale': expected none, got a value",
                       tenon::ShapeError);
  CHECK_THROWS_WITH_AS(tenon::tree::zip(nothing, other, model()),
                       "tenon::tree: 'blocks.1.scale': expected a value, got none",
                       tenon::ShapeError);
}

TEST_CASE("all leaves of one type can be listed") {
  auto const listed = tenon::tree::leaves<Weight>(std::array<Linear, 2>{{{1, 2}, {3, 4}}});
  CHECK(listed == std::vector<Weight>{1, 2, 3, 4});
}

TEST_CASE("empty trees have no leaves") {
  CHECK(tenon::tree::count(forest::Nothing()) == 0);
  CHECK(tenon::tree::count(std::vector<Block>()) == 0);
  CHECK(tenon::tree::count(std::tuple<>()) == 0);
  CHECK(tenon::tree::map([](Weight const& leaf) { return leaf; }, std::array<Linear, 0>()).empty());
  CHECK(tenon::tree::map([](Weight const& leaf) { return leaf; }, 3) == 3);
}

TEST_CASE("a frozen layer can be called like the layer") {
  struct Twice {
    int operator()(int x) const { return 2 * x; }
  };
  Frozen<Twice> const twice;
  CHECK(twice(4) == 8);
  Frozen<Weight> const weight(Weight(3));
  CHECK(weight->value() == 3);
  CHECK((*weight).value() == 3);
}

}  // namespace walk_test
