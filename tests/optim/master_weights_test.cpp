// 16-bit parameters with float32 master weights, against loops written out.

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include <tenon/tenon.hpp>

namespace master_weights_test {

using namespace tenon;

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
  auto const g = [&](int i) { return std::sin(static_cast<float>(7 * step + i)); };
  return {{{g(0), g(1)}, {g(2), g(3)}, {g(4), g(5)}}, {g(6), g(7)}};
}

template <class T>
std::vector<T> values(Model<T> const& m) {
  std::vector<T> all;
  tree::for_each(
      [&](auto const& leaf) { all.insert(all.end(), leaf.data(), leaf.data() + leaf.size()); }, m);
  return all;
}

/// AdamW in double for one parameter with its gradients rounded to `T`, rounded to float where
/// tenon::AdamW keeps float: compared with a tolerance.
template <class T>
double reference(double parameter, int index, int steps, AdamW const& adam, bool is_decayed) {
  double m = 0, v = 0;
  for (int t = 1; t <= steps; ++t) {
    double const g = static_cast<float>(T(std::sin(static_cast<float>(7 * t + index))));
    m = adam.beta1 * m + (1 - adam.beta1) * g;
    v = adam.beta2 * v + (1 - adam.beta2) * g * g;
    if (is_decayed) parameter *= 1 - adam.rate * adam.weight_decay;
    parameter -= adam.rate * (m / (1 - std::pow(adam.beta1, t))) /
                 (std::sqrt(v / (1 - std::pow(adam.beta2, t))) + adam.epsilon);
  }
  return parameter;
}

template <class T>
void check_against_reference() {
  MasterWeights const adam{AdamW{.rate = 1e-3}};
  auto m = model<T>();
  auto state = adam.init(m);
  auto plain = model<float>();
  auto plain_state = adam.optimizer.init(plain);
  for (int t = 1; t <= 100; ++t) {
    auto const g = to<T>(gradients(t));
    std::tie(m, state) = adam.step(m, g, state);
    std::tie(plain, plain_state) = adam.optimizer.step(plain, to<float>(g), plain_state);
  }
  auto const got = values(m);
  auto const master = values(state.master);
  CHECK(master == values(plain));
  auto const before = values(model<float>());
  for (std::size_t i = 0; i < got.size(); ++i) {
    double const expected =
        reference<T>(before[i], static_cast<int>(i), 100, adam.optimizer, i < 6);
    CAPTURE(i);
    CHECK(master[i] == doctest::Approx(expected).epsilon(1e-5));
    CHECK(got[i] == T(master[i]));  // each parameter is the rounded master
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
