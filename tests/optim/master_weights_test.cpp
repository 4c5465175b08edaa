// 16-bit parameters with float32 master weights, against loops written out.

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include <tenon/tenon.hpp>

#include "../bits/record.hpp"
#include "adamw_formula.hpp"
#include "trees.hpp"

namespace master_weights_test {

using namespace tenon;
using optim_test::in_matrix;
using optim_test::OneNumber;
using optim_test::values;

namespace {

template <class T>
struct Model {
  Tensor<T, "n=3 m=2"> weight;
  Tensor<T, "m=2"> bias;
};

template <class T>
Model<T> model() {
  return to<T>(Model<float>{{{1.5f, -2}, {0.25f, 8}, {-1, 3}}, {0.5f, -0.75f}});
}

Model<float> gradients(int step) {
  auto const g = [&](int i) { return static_cast<float>(std::sin(7.0 * step + i)); };
  return {{{g(0), g(1)}, {g(2), g(3)}, {g(4), g(5)}}, {g(6), g(7)}};
}

template <class T>
void check_against_reference() {
  MasterWeights const adam{AdamW{.rate = 1e-3}};
  auto m = model<T>();
  auto state = adam.init(m);
  auto plain = model<float>();
  auto plain_state = adam.optimizer.init(plain);
  auto const decays = in_matrix(plain);
  std::vector<OneNumber> expected;
  for (double const value : values(plain)) expected.push_back({value});
  for (int t = 1; t <= 100; ++t) {
    auto const g = to<T>(gradients(t));
    auto const numbers = values(g);
    for (std::size_t i = 0; i < numbers.size(); ++i)
      expected[i].step(adam.optimizer, adam.optimizer.rate, numbers[i], decays[i], t);
    std::tie(m, state) = adam.step(m, g, state);
    std::tie(plain, plain_state) = adam.optimizer.step(plain, to<float>(g), plain_state);
  }
  bits::record(bits::name_of<T, Cpu>(), std::pair(m, state));
  auto const got = values(m);
  auto const master = values(state.master);
  CHECK(master == values(plain));
  for (std::size_t i = 0; i < got.size(); ++i) {
    CAPTURE(i);
    CHECK(master[i] == doctest::Approx(expected[i].parameter).epsilon(1e-5));
    // Each parameter is the rounded master.
    CHECK(got[i] == static_cast<double>(T(static_cast<float>(master[i]))));
  }
}

}  // namespace

TEST_CASE("AdamW of master weights takes 100 steps as the formulas do") {
  check_against_reference<bfloat16>();
  check_against_reference<float16>();
}

TEST_CASE("changes too small for 16 bits add up in the master weights") {
  MasterWeights const sgd{SGD{.rate = 1e-4}};
  Model<bfloat16> m{{{1, 1}, {1, 1}, {1, 1}}, {1, 1}};
  Model<bfloat16> const ones = m;
  auto state = sgd.init(m);
  std::tie(m, state) = sgd.step(m, ones, state);
  CHECK(m.bias(0) == bfloat16(1));  // 0.9999 is rounded to 1
  for (int i = 1; i < 100; ++i) std::tie(m, state) = sgd.step(m, ones, state);
  CHECK(state.master.bias(0) == doctest::Approx(0.99));
  CHECK(m.bias(0) == bfloat16(0.99f));
}

TEST_CASE("a rate from a schedule is passed on") {
  MasterWeights const sgd{SGD{.rate = 1e-4}};
  auto const m = model<bfloat16>();
  auto const [after, state] = sgd.step(m, m, sgd.init(m), 0.5);
  CHECK(state.master.weight(1, 1) == 4.0f);
  CHECK(after.weight(1, 1) == bfloat16(4));
  CHECK(m.weight(1, 1) == bfloat16(8));
}

TEST_CASE("master weights of layers") {
  using Layer = Linear<"in=2", "out=2", bfloat16>;
  MasterWeights const sgd{SGD{.rate = 1}};
  Layer const layer{{{1, 2}, {3, 4}}, {5, 6}};
  auto const state = sgd.init(layer);
  static_assert(std::same_as<decltype(state.master), Linear<"in=2", "out=2">>);
  CHECK(sgd.step(layer, layer, state).first.weight(1, 1) == bfloat16(0));
}

}  // namespace master_weights_test
