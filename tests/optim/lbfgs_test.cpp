// LBFGS against PyTorch, by tests/optim/golden/make.py.

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include <tenon/optim.hpp>
#include <tenon/tenon.hpp>

#include "trees.hpp"

namespace lbfgs_test {

using namespace tenon;

namespace {

std::map<std::string, std::vector<double>> const golden{
#include "golden/optimisers.inc"
};

template <class T>
struct Model {
  Of<T, "in=3 out=2"> weight;
  Of<T, "out=2"> bias;
  Of<T, "n"> empty;
};
template <class T>
Model<T> start() {
  Model<T> model;
  int i = 0;
  tenon::tree::for_each(
      [&](auto& leaf) {
        for (int k = 0; k < leaf.size(); ++k)
          leaf.mutable_data()[k] = static_cast<T>(2 * std::sin(1 + 0.7 * i++));
      },
      model);
  return model;
}
template <class T>
auto loss(Model<T> const& m) {
  Of<T, "in=3"> const scale{1, 2, 3};
  return sum(scale * square(m.weight - square(m.bias))) + sum(square(1 - m.bias)) +
         0.1 * sum(square(square(m.weight)));
}

void check(std::string const& name, LBFGS const& lbfgs, double tolerance) {
  CAPTURE(name);
  auto model = start<double>();
  auto state = lbfgs.init(model);
  std::vector<double> found;
  for (int t = 0; t < 4; ++t) {
    std::tie(model, state) = lbfgs.step(model, loss<double>, state);
    auto const now = optim_test::values(model);
    found.insert(found.end(), now.begin(), now.end());
    found.push_back(eval(loss(model)).item());
  }
  auto const& expected = golden.at(name);
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    CAPTURE(i);
    CHECK(std::abs(found[i] - expected[i]) <= tolerance * (1 + std::abs(expected[i])));
  }
}

}  // namespace

TEST_CASE("LBFGS steps as PyTorch's") {
  check("LBFGS", LBFGS{.rate = 0.05, .max_iter = 3}, 1e-11);
  check("LBFGS, history", LBFGS{.rate = 0.1, .max_iter = 7, .history_size = 2}, 1e-9);
  check("LBFGS, Wolfe", LBFGS{.max_iter = 5, .strong_wolfe = true}, 1e-9);
  check("LBFGS, evaluations",
        LBFGS{.rate = 3, .max_iter = 9, .max_eval = 6, .history_size = 3, .strong_wolfe = true},
        1e-9);
  check("LBFGS, to the end", LBFGS{.max_iter = 100, .strong_wolfe = true}, 1e-5);
}

TEST_CASE("LBFGS in float32 finds the minimum; at the minimum it stays") {
  LBFGS const lbfgs{.max_iter = 100, .strong_wolfe = true};
  auto model = start<float>();
  auto state = lbfgs.init(model);
  std::tie(model, state) = lbfgs.step(model, loss<float>, state);
  CHECK(std::abs(eval(loss(model)).item() - golden.at("LBFGS, to the end").back()) < 1e-4);
  auto const quadratic = [](Float64<"n=2"> const& x) { return sum(square(x)); };
  Float64<"n=2"> const zero;
  CHECK(all(lbfgs.step(zero, quadratic, lbfgs.init(zero)).first == zero).item());
}

}  // namespace lbfgs_test
