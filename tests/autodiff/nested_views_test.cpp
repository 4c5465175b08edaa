#include "nested.hpp"

namespace nested_moves_test {

using namespace nested;

namespace {

Matrix const point{{0.4, 1.3, 0.8, -0.2}, {-0.6, 0.9, 1.7, 0.5}};

}  // namespace

TEST_CASE("second derivatives of permutations") {
  check("transpose", point, [](Matrix const& x) { return mixed(transpose(x)); });
  check("rearrange", point, [](Matrix const& x) { return mixed(rearrange<"n m -> (m n)">(x)); });
  check("reshape", point, [](Matrix const& x) { return mixed(reshape<"2 2 2">(x)); });
  check("flatten", point, [](Matrix const& x) { return mixed(flatten(x)); });
  check("rename", point, [](Matrix const& x) { return mixed(rename<"n -> k">(x)); });
  check("flip", point, [](Matrix const& x) { return mixed(flip<"m">(x)); });
  check("roll", point, [](Matrix const& x) { return mixed(roll<"m">(x, 1)); });
}

TEST_CASE("second derivatives of repetitions") {
  check("repeat", point, [](Matrix const& x) { return mixed(repeat<"n m -> n k=2 m">(x)); });
  check("expand", point, [](Matrix const& x) { return mixed(expand<"3 2 4">(x)); });
  check("reduce", point, [](Matrix const& x) { return mixed(reduce<"n m -> m", op::mean>(x)); });
  check("unsqueeze", point, [](Matrix const& x) { return mixed(squeeze(unsqueeze<0>(x))); });
}

TEST_CASE("second derivatives of slices") {
  check("slice", point, [](Matrix const& x) { return mixed(slice<"m", 1, 3>(x)); });
  check("a stepped slice", point, [](Matrix const& x) { return mixed(slice<"m", 0, 4, 2>(x)); });
  check("a row", point, [](Matrix const& x) { return mixed(x[1]); });
  check("split", point, [](Matrix const& x) {
    auto const halves = split<"m", 2>(x);
    return mixed(halves[0] * halves[1]);
  });
  check("window", point, [](Matrix const& x) { return mixed(window<"m", 2>(x)); });
  check("diagonal", point, [](Matrix const& x) { return mixed(diagonal(x)); });
  check("diag", point, [](Matrix const& x) { return mixed(diag(x[1])); });
  check("tril", point, [](Matrix const& x) { return mixed(tril(x)); });
  check("trace", point, [](Matrix const& x) { return mixed(trace(x)); });
}

TEST_CASE("second derivatives of gathers") {
  Int32<"k"> const ids{2, 0, 2, 1};
  Int32<"n"> const labels{3, 0};
  check("take", point, [&](Matrix const& x) { return mixed(take<"m">(x, ids)); });
  check("pick", point, [&](Matrix const& x) { return mixed(pick<"m">(x, labels)); });
  check("take_along", point, [](Matrix const& x) {
    return mixed(take_along<"m">(x, Int32<"n m">{{2, 0, 2, 1}, {3, 3, 0, 1}}));
  });
}

TEST_CASE("second derivatives of concat, stack and pad") {
  check("concat", point, [](Matrix const& x) { return mixed(concat<"m">(x, exp(x))); });
  check("stack", point, [](Matrix const& x) { return mixed(stack<"k">(x, x * x)); });
  check("pad", point, [](Matrix const& x) { return mixed(pad<"m", 1, 2>(x)); });
  check("set", point, [](Matrix const& x) { return mixed(set<"m">(x * x, 1, sum<"m">(x))); });
}

}  // namespace nested_moves_test
