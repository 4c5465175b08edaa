// Examples of docs/functions/: trees.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include <tenon/tenon.hpp>

namespace functions_trees_test {

using namespace tenon;

struct Line {
  Float32<"feature=2"> weight;
  Float32<""> bias;
};

Line const line{{2, -1}, 3};

TEST_CASE("functions of all leaves") {
  CHECK(tree::paths(line) == std::vector<std::string>{"weight", "bias"});
  CHECK(tree::count(line) == 2);
  CHECK(tree::elements(line) == 3);

  auto const doubled = tree::map([](auto const& leaf) { return eval(2 * leaf); }, line);
  CHECK(doubled.weight(0) == 4);

  double total = 0;
  tree::for_each([&](auto const& leaf) { total += double(sum(leaf).item()); }, line);
  CHECK(total == 4);

  double product = 0;
  tree::zip([&](auto const& a, auto const& b) { product += double(sum(a * b).item()); }, line,
            line);
  CHECK(product == 14);

  auto const add = [](double sum_so_far, auto const& leaf) {
    return sum_so_far + sum(leaf).item();
  };
  CHECK(tree::fold(add, 0.0, line) == 4);

  auto const scalars = tree::leaves<Float32<"">>(Float32<"">(3));
  CHECK(scalars.size() == 1);

  static_assert(std::is_same_v<tree::DeviceOf<Line>, Cpu>);

  static_assert(tree::Shaped<Line, "..."> && !tree::Shaped<Line, "n m">);
  static_assert(tree::Float<Line, "*?axes"> && !tree::Integer<Line, "...">);
  static_assert(tree::fits<"*?n, *?n", Line, Line> && !tree::fits<"..., ...", Line, Float32<"3">>);
  CHECK_NOTHROW(tree::check<"*?n, *?n">(line, line));
}

TEST_CASE("fields that are not learned") {
  struct Scaled {
    Float32<"feature=2"> weight;
    Frozen<Float32<"">> scale;
    Constant<int> repeats;
  };
  Scaled const model{{1, 2}, Float32<"">(3), 4};
  auto const loss = [](Scaled const& m) { return sum(m.weight * *m.scale); };
  CHECK(grad(loss)(model).weight(0) == 3);
}

}  // namespace functions_trees_test
