// Complex layers, their initial values, and optimisers of complex parameters.

#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <tuple>

#include <tenon/complex.hpp>
#include <tenon/nn.hpp>
#include <tenon/optim.hpp>
#include <tenon/testing.hpp>

namespace complex_layers_test {

using namespace tenon;

namespace {

using C = std::complex<double>;
using Vector = Complex128<"n=3">;

/// Complex features, their absolute values, a real output.
using Network = Sequential<ComplexLinear<"in=3", "hidden=4", double>, ModReLU<"hidden=4", double>,
                           Activation<op::Abs>, Linear<"hidden=4", "out=2", double>>;

auto const x = normal<Complex128<"batch in=3">>(Key{1}, 5);
auto const target = normal<Float64<"batch out=2">>(Key{2}, 5);

Network network() {
  auto result = init::normal<Network>(Key{3}, 0.7);
  std::get<1>(result).bias = Float64<"hidden=4">{0.1, -0.2, 0.05, -0.4};
  return result;
}
auto const loss = [](Network const& at) { return mean(square(at(x) - target)); };

/// Some steps of a complex vector from a start towards `goal`.
Vector const goal{{1, 2}, {-0.5, 0.25}, {0, -1}};
auto const distance = [](Vector const& at) { return sum(square(abs(at - goal))); };
template <class Optimizer>
Vector steps_of(Optimizer const& optimizer, int steps, Vector at = {{0.5, 0}, {1, 1}, {-2, 3}}) {
  auto state = optimizer.init(at);
  for (int i = 0; i < steps; ++i)
    std::tie(at, state) = optimizer.step(at, grad(distance)(at), state);
  return at;
}

/// The same with the real and imaginary parts as two real tensors.
template <class Optimizer>
Vector steps_of_parts(Optimizer const& optimizer, int steps) {
  using Parts = std::pair<Float64<"n=3">, Float64<"n=3">>;
  Parts at{{0.5, 1, -2}, {0, 1, 3}};
  auto const loss_of_parts = [](Parts const& of) { return distance(complex(of.first, of.second)); };
  auto state = optimizer.init(at);
  for (int i = 0; i < steps; ++i)
    std::tie(at, state) = optimizer.step(at, grad(loss_of_parts)(at), state);
  return complex(at.first, at.second);
}

double difference(auto const& a, auto const& b) { return max(abs(a - b)).item(); }

}  // namespace

TEST_CASE("complex and real layers of a sequence have the gradient of central differences") {
  CHECK_GRADIENT(loss, network());
}

TEST_CASE("a complex layer is an affine map of complex numbers, also from their parts") {
  auto const layer = init::normal<ComplexLinear<"in=3", "hidden=4", double>>(Key{4}, 1);
  Complex128<"batch hidden=4"> const y = layer(x);
  C expected = layer.bias(1);
  for (int i = 0; i < 3; ++i) expected += x(2, i) * layer.weight(i, 1);
  CHECK(std::abs(y(2, 1) - expected) < 1e-14);
  CHECK(difference(layer(real(x), imag(x)), y) == 0);
  CHECK(shape_of<decltype(layer.weight)> == "in=3 hidden=4");
}

TEST_CASE("mod_relu shifts absolute values and keeps angles") {
  Vector const z{{3, 4}, {0, -0.25}, {0, 0}};
  Vector const y = mod_relu(z, -0.5);
  CHECK(std::abs(y(0) - C(2.7, 3.6)) < 1e-15);
  CHECK(y(1) == C());
  CHECK(mod_relu(z, Float64<"n=3">{1, 1, 1})(1) == C(0, -1.25));
  auto const sums = [](auto const& at, auto const& bias) {
    return sum(real(mod_relu(at, bias)) + 2 * imag(mod_relu(at, bias)));
  };
  for (double const bias : {-0.5, 0.0, 0.5}) {
    INFO(bias);
    CHECK(mod_relu(z, bias)(2) == C());
    CHECK(grad([&](auto const& at) { return sums(at, bias); })(z)(2) == C());
    Float64<"n=3"> const biases{bias, bias, bias};
    CHECK(grad([&](auto const& at) { return sums(z, at); })(biases)(2) == 0);
  }
  CHECK(std::isnan(mod_relu(Vector{{NAN, 0}, {1, 0}, {0, 1}}, 1)(0).real()));
}

TEST_CASE("initial complex values have the variance of real ones, half of it in each part") {
  using Matrix = Complex64<"in=60 out=140">;
  auto const check = [](Matrix const& w, double variance) {
    CHECK(mean(square(real(w))).item() == doctest::Approx(variance / 2).epsilon(0.03));
    CHECK(mean(square(imag(w))).item() == doctest::Approx(variance / 2).epsilon(0.03));
    CHECK(std::abs(mean(w).item()) < 0.01f);
  };
  check(init::normal<Matrix>(Key{5}, 0.2), 0.04);
  check(init::xavier_normal<Matrix>(Key{6}), 2.0 / 200);
  check(init::xavier_uniform<Matrix>(Key{7}), 2.0 / 200);
  check(init::kaiming_normal<Matrix>(Key{8}), 2.0 / 60);
  CHECK(max(abs(real(init::xavier_uniform<Matrix>(Key{7})))).item() <= std::sqrt(0.015f));
  auto const layer = init::kaiming_normal<ComplexLinear<"in=60", "out=140">>(Key{8});
  check(layer.weight, 2.0 / 60);
  CHECK(max(abs(layer.bias)).item() == 0);
}

TEST_CASE("optimisers step complex parameters as pairs of real ones") {
  SGD const sgd{.rate = 0.1, .momentum = 0.9, .nesterov = true};
  CHECK(difference(steps_of(sgd, 5), steps_of_parts(sgd, 5)) < 1e-14);
  Adam const adam{.rate = 0.1, .amsgrad = true};
  CHECK(difference(steps_of(adam, 5), steps_of_parts(adam, 5)) < 1e-14);
  RMSprop const rmsprop{.rate = 0.1};
  CHECK(difference(steps_of(rmsprop, 5), steps_of_parts(rmsprop, 5)) < 1e-14);
  Adagrad const adagrad{.rate = 0.1, .initial_accumulator_value = 0.5};
  CHECK(difference(steps_of(adagrad, 5), steps_of_parts(adagrad, 5)) < 1e-14);
  CHECK(difference(steps_of(SGD{.rate = 0.1}, 100), goal) < 1e-8);
  CHECK(difference(steps_of(AdamW{.rate = 0.05, .weight_decay = 0}, 1500), goal) < 1e-6);
}

TEST_CASE("complex parameters of float are stepped as those of double") {
  Complex64<"n=3"> const at{{0.5f, 0}, {1, 1}, {-2, 3}}, gradient{{1, 2}, {0, -1}, {3, 0}};
  AdamW const adam{.rate = 0.5, .weight_decay = 0};
  auto const next = adam.step(at, gradient, adam.init(at)).first;
  CHECK(to_string(next) == "[ 0. +0.5j  1. +0.5j -2.5+3.j ]");
}

TEST_CASE("the norm of complex gradients is that of their parts") {
  Vector const z{{3, 4}, {0, 0}, {12, 0}};
  CHECK(global_norm(z) == 13);
  CHECK(difference(clip_by_global_norm(z, 6.5), z / 2) < 1e-15);
}

TEST_CASE("a step of recorded complex parameters is refused") {
  SGD const sgd{};
  auto const through = [&](Vector const& at) {
    return distance(sgd.step(at, grad(distance)(at), sgd.init(at)).first);
  };
  CHECK_THROWS_WITH(
      grad(through)(goal),
      "tenon::grad: expected real numbers in a derivative of a derivative, got complex ones");
  auto const once = [&](Vector const& at) {
    return distance(sgd.step(goal, at, sgd.init(goal)).first);
  };
  CHECK_THROWS_WITH(
      grad(once)(goal),
      "tenon::optim::step: 'gradient': expected no recorded complex numbers, got recorded ones");
}

TEST_CASE("training a network of complex and real layers fits its data") {
  auto model = network();
  AdamW const adam{.rate = 0.02, .weight_decay = 0};
  auto state = adam.init(model);
  double const before = loss(model).item();
  for (int i = 0; i < 400; ++i) std::tie(model, state) = adam.step(model, grad(loss)(model), state);
  CHECK(before > 0.5);
  CHECK(loss(model).item() < 0.01);
}

TEST_CASE("mod_relu of numbers near zero does not overflow") {
  Complex64<"2"> const tiny{{1e-36f, 0}, {0, -1e-40f}};
  auto const y = eval(mod_relu(tiny, 1000));
  CHECK(y(0) == std::complex<float>(1000, 0));
  CHECK(y(1).imag() == doctest::Approx(-1000));
}

}  // namespace complex_layers_test
