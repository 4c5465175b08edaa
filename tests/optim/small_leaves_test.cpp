// The small leaves of a model are updated in one run: with the bits of each leaf on its own.

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <tuple>
#include <vector>

#include <tenon/optim.hpp>
#include <tenon/tenon.hpp>

namespace small_leaves_test {

using namespace tenon;

namespace {

template <class T>
struct Model {
  std::vector<Of<T, "n">> vectors;
  std::vector<Of<T, "n m=3">> matrices;
  Of<T, "a=5"> inlined;
  Of<T, "a=5 b=2"> inlined_matrix;
  Of<T, ""> scalar;
};

/// Irregular numbers, some of them large, NaN or infinite.
template <class T>
T number(int i) {
  if (i % 83 == 7) return std::numeric_limits<T>::quiet_NaN();
  if (i % 89 == 11) return -std::numeric_limits<T>::infinity();
  return static_cast<T>(std::sin(1.7 * i) * (i % 5 == 0 ? 8 : 1));
}

template <class T>
Model<T> model(int seed) {
  Model<T> made;
  for (int const size : {0, 1, 7, 64, 100, 513, 20000}) {
    made.vectors.push_back(zeros<Of<T, "n">>(size));
    made.matrices.push_back(zeros<Of<T, "n m=3">>(size % 97));
  }
  tenon::tree::for_each(
      [&](auto& leaf) {
        for (int i = 0; i < leaf.size(); ++i) leaf.mutable_data()[i] = number<T>(++seed);
      },
      made);
  return made;
}

template <class T>
std::vector<T> bits(Model<T> const& model) {
  std::vector<T> all;
  tenon::tree::for_each(
      [&](auto const& leaf) { all.insert(all.end(), leaf.data(), leaf.data() + leaf.size()); },
      model);
  return all;
}
template <class T>
bool same(std::vector<T> const& a, std::vector<T> const& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

/// The model after steps in which each leaf is updated as a separate model.
template <class T, class Optimizer>
std::vector<T> alone(Optimizer const& optimizer, int steps) {
  auto result = model<T>(0);
  auto const first = model<T>(1000), second = model<T>(2000);
  tenon::tree::zip(
      [&](auto& leaf, auto const& g, auto const& h) {
        auto state = optimizer.init(leaf);
        for (int t = 0; t < steps; ++t)
          std::tie(leaf, state) = optimizer.step(leaf, t % 2 == 0 ? g : h, state);
      },
      result, first, second);
  return bits(result);
}

template <class T, class Optimizer>
std::vector<T> together(Optimizer const& optimizer, int steps, bool moves) {
  auto now = model<T>(0);
  auto const first = model<T>(1000), second = model<T>(2000);
  auto state = optimizer.init(now);
  for (int t = 0; t < steps; ++t) {
    auto const& gradients = t % 2 == 0 ? first : second;
    auto const before = bits(now);
    auto const kept = now;
    if (moves) std::tie(now, state) = optimizer.step(std::move(now), gradients, std::move(state));
    else std::tie(now, state) = optimizer.step(now, gradients, state);
    CHECK(same(bits(kept), before));
  }
  return bits(now);
}

template <class T>
void check_all(auto const& optimizer) {
  auto const expected = alone<T>(optimizer, 4);
  CHECK(same(together<T>(optimizer, 4, true), expected));
  CHECK(same(together<T>(optimizer, 4, false), expected));
}
void check(auto const& optimizer) {
  check_all<float>(optimizer);
  check_all<double>(optimizer);
}

template <class State>
auto const& first_slot(State const& state) {
  if constexpr (requires { state.mean; }) return state.mean;
  else return state.velocity;
}

std::int64_t kernels_of(auto const& optimizer, auto const& model) {
  auto const state = optimizer.init(model), gradients = optimizer.init(model);
  std::int64_t const before = tenon::internal::kernels_run;
  (void)optimizer.step(model, first_slot(gradients), state);
  return tenon::internal::kernels_run - before;
}

}  // namespace

TEST_CASE("small leaves updated together have the bits of each alone") {
  check(AdamW{});
  check(AdamW{.maximize = true});
  check(AdamW{.amsgrad = true});
  check(Adam{.weight_decay = 0.1});
  check(NAdam{});
  check(RAdam{});
  check(Adamax{});
  check(Lion{.weight_decay = 0.1});
  check(SGD{.momentum = 0.9});
  check(SGD{.momentum = 0.9, .dampening = 0.1, .nesterov = true});
  check(SGD{.weight_decay = 0.1});
  check(RMSprop{.momentum = 0.9, .centered = true});
  check(Adagrad{});
  check(LAMB{});
}

TEST_CASE("the small leaves of a dtype take two kernels, or four with weight decay") {
  std::vector<Float32<"n">> const vectors(100, ones<Float32<"n">>(300));
  CHECK(kernels_of(AdamW{}, vectors) == 2);
  CHECK(kernels_of(SGD{.momentum = 0.9}, vectors) == 2);
  CHECK(kernels_of(Lion{}, vectors) == 2);
  auto const both = std::pair(vectors, std::vector(100, ones<Float32<"n m=2">>(50)));
  CHECK(kernels_of(AdamW{}, both) == 4);
  CHECK(kernels_of(ParameterGroups<AdamW>{}, both) == 4);
}

TEST_CASE("a tensor that is two leaves has a value for each") {
  auto const shared = ones<Float32<"n">>(300);
  std::vector<Float32<"n">> tied(3, shared), other(3, shared);
  other[2] = 2.0f * shared;
  auto const [updated, state] = AdamW{}.step(std::move(tied), other, AdamW{}.init(other));
  CHECK(shared(5) == 1.0f);
  CHECK(updated[0](299) == updated[1](299));
  CHECK(updated[2](299) == doctest::Approx(1 - 1e-3));
  CHECK(state.mean[2](0) == doctest::Approx(0.2));
}

TEST_CASE("threads do not change the bits of small leaves") {
  int const before = threads();
  std::vector<Float32<"n">> const model(200, ones<Float32<"n">>(777));
  std::vector<Float32<"n">> const gradients(200, full<Float32<"n">>(0.3f, 777));
  auto const run = [&] {
    auto const updated = AdamW{}.step(model, gradients, AdamW{}.init(model)).first;
    std::vector<float> all;
    for (auto const& x : updated) all.insert(all.end(), x.data(), x.data() + x.size());
    return all;
  };
  set_threads(1);
  auto const expected = run();
  set_threads(3);
  CHECK(same(run(), expected));
  set_threads(before);
}

TEST_CASE("leaves of other sizes are refused in a batch") {
  std::vector<Float32<"n">> const model(3, ones<Float32<"n">>(300));
  auto gradients = model;
  gradients[2] = ones<Float32<"n">>(301);
  CHECK_THROWS_AS((void)AdamW{}.step(model, gradients, AdamW{}.init(model)), ShapeError);
}

TEST_CASE("a step inside a gradient is differentiated") {
  std::vector<Float64<"n">> const model(2, ones<Float64<"n">>(20));
  SGD const sgd{.rate = 0.5, .momentum = 0.5};
  auto const state = sgd.init(model);
  auto const slope = grad([&](std::vector<Float64<"n">> const& gradients) {
    return sum(sgd.step(model, gradients, state).first[1]);
  })(model);
  CHECK(slope[0](3) == 0);
  CHECK(slope[1](3) == doctest::Approx(-0.5));
}

}  // namespace small_leaves_test
