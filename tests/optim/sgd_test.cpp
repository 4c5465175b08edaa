#include <doctest/doctest.h>

#include "../bits/record.hpp"
#include "trees.hpp"

namespace sgd_test {

using namespace optim_test;

namespace {

/// The formula of `torch.optim.SGD` with momentum in PyTorch's documentation, for one number.
struct OneNumber {
  double parameter, velocity = 0;

  void step(double momentum, double rate, double gradient) {
    velocity = momentum * velocity + gradient;
    parameter -= rate * velocity;
  }
};

template <class T, class D>
void check_steps(SGD const& sgd) {
  auto model = optim_test::model<T, D>(1);
  auto state = sgd.init(model);
  std::vector<OneNumber> expected;
  for (double const value : values(model)) expected.push_back({value});
  for (int t = 1; t <= 5; ++t) {
    auto const gradients = optim_test::model<T, D>(10 + t);
    std::tie(model, state) = sgd.step(model, gradients, state, sgd.rate / t);
    bits::record(bits::name_of<T, D>(), std::pair(model, state));
    auto const got = values(model), g = values(gradients);
    double const tolerance = sizeof(T) == 4 ? 1e-6 : 1e-14;
    for (std::size_t i = 0; i < got.size(); ++i) {
      expected[i].step(sgd.momentum, sgd.rate / t, g[i]);
      CHECK(std::abs(got[i] - expected[i].parameter) <= tolerance * (1 + std::abs(got[i])));
    }
  }
}

}  // namespace

TEST_CASE("SGD follows its formula") {
  for (SGD const& sgd : {SGD{}, SGD{.rate = 0.1, .momentum = 0.9}}) {
    check_steps<float, Cpu>(sgd);
    check_steps<float, Reference>(sgd);
    check_steps<double, Cpu>(sgd);
    check_steps<double, Reference>(sgd);
  }
}

TEST_CASE("SGD finds the least squares fit of a line") {
  Float64<"n=5"> const x{-2, -1, 0, 1, 2}, y{-5, -3, -1, 1, 3};  // y = 2 x - 1
  struct Line {
    Float64<""> derivative, offset;
  } line;
  auto const sgd = SGD{.rate = 0.1, .momentum = 0.5};
  auto state = sgd.init(line);
  for (int i = 0; i < 200; ++i) {
    auto const gradients =
        grad([&](Line const& l) { return mean(square(l.derivative * x + l.offset - y)); })(line);
    std::tie(line, state) = sgd.step(line, gradients, state);
  }
  CHECK(line.derivative.item() == doctest::Approx(2));
  CHECK(line.offset.item() == doctest::Approx(-1));
}

}  // namespace sgd_test
