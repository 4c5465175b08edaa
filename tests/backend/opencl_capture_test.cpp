// `capture`: functions whose kernels are recorded once and launched again.

#include <doctest/doctest.h>

#include <tenon/tenon.hpp>

#include <tenon/backend/opencl.hpp>
#include <tenon/eval/capture.hpp>

#include "opencl_device.hpp"

namespace opencl_capture_test {

using namespace tenon;

namespace {

template <class D>
using Vector = Float32<"n", D>;

auto scaled_sum = []<class D>(Vector<D> const& x, Vector<D> const& y) -> Vector<D> {
  Vector<D> const z = x * 2.0f + y;
  return z - sum(z);
};

Float32<"n"> numbers(std::uint64_t seed, std::int64_t size) {
  return normal<Float32<"n">>(Key(seed), size);
}

}  // namespace

TEST_CASE(
    "a captured function gives the result of the function, also for other values and other sizes") {
  if (!has_device()) return;
  auto step = capture<OpenCl>(scaled_sum);
  for (auto const& [size, recordings] : {std::pair{50, 1}, {50, 1}, {7, 2}, {7, 2}, {50, 3}}) {
    auto const x = numbers(1, size), y = numbers(static_cast<std::uint64_t>(recordings), size);
    auto const got = to<Cpu>(step(to<OpenCl>(x), to<OpenCl>(y)));
    CHECK(all(abs(got - scaled_sum(x, y)) < 1e-5f).item());
    CHECK(step.recordings() == recordings);
  }
}

TEST_CASE("a result is a value: the next call does not change it") {
  if (!has_device()) return;
  auto step = capture<OpenCl>(scaled_sum);
  auto const x = to<OpenCl>(numbers(1, 9)), y = to<OpenCl>(numbers(2, 9));
  auto const first = step(x, y);
  std::string const before = to_string(to<Cpu>(first));
  auto const second = step(y, x);
  CHECK(to_string(to<Cpu>(first)) == before);
  CHECK(to_string(to<Cpu>(second)) != before);
}

TEST_CASE("captures of a function keep the values from the time of the recording") {
  if (!has_device()) return;
  auto weight = to<OpenCl>(ones<Float32<"n">>(4));
  auto twice = capture<OpenCl>([&](Vector<OpenCl> const& x) { return eval(x * weight); });
  auto const x = to<OpenCl>(iota<Float32<"n">>(4));
  CHECK(to<Cpu>(twice(x))(3) == 3);
  weight.set_elements([](float* to) { std::fill_n(to, 4, 5.0f); });
  CHECK(to<Cpu>(twice(x))(3) == 3);
}

TEST_CASE("another number or host tensor causes a new recording") {
  if (!has_device()) return;
  auto shifted = capture<OpenCl>([](Vector<OpenCl> const& x, float by, Float32<"n"> const& here) {
    return eval(x + to<OpenCl>(here) + by);
  });
  auto const x = to<OpenCl>(iota<Float32<"n">>(3));
  CHECK(to<Cpu>(shifted(x, 1.0f, numbers(1, 3)))(0) == 1.0f + numbers(1, 3)(0));
  CHECK(to<Cpu>(shifted(x, 2.0f, numbers(1, 3)))(0) == 2.0f + numbers(1, 3)(0));
  CHECK(to<Cpu>(shifted(x, 2.0f, numbers(2, 3)))(0) == 2.0f + numbers(2, 3)(0));
  CHECK(to<Cpu>(shifted(x, 2.0f, numbers(2, 3)))(0) == 2.0f + numbers(2, 3)(0));
  CHECK(shifted.recordings() == 3);
}

TEST_CASE("reading a value during a recording throws and ends the recording") {
  if (!has_device()) return;
  auto wrong = capture<OpenCl>(
      [](Vector<OpenCl> const& x) { return eval(x * Float32<"", OpenCl>(sum(x)).item()); });
  auto const x = to<OpenCl>(iota<Float32<"n">>(3));
  CHECK_THROWS_WITH_AS(wrong(x),
                       "tenon::capture: 'opencl': expected a function that reads no value on the "
                       "host, got an element, a copy or a test of one",
                       DeviceError);
  CHECK(to<Cpu>(eval(x + x))(2) == 4);
}

template <class D>
struct Perceptron {
  Linear<"in=4", "hidden=16", float, D> first;
  Linear<"hidden=16", "class=3", float, D> last;

  auto operator()(Float<"batch in=4"> auto const& x) const -> Float32<"batch class=3", D> {
    return last(gelu_tanh(first(x)));
  }
};

using Model = Perceptron<OpenCl>;
using Images = Float32<"batch in=4", OpenCl>;
using Labels = Int32<"batch", OpenCl>;
constexpr AdamW adam{.beta2 = 0.98};

/// A training step: the next model and state, and the loss.
auto const trained = [](Model const& model, auto const& state, Images const& x,
                        Labels const& labels, Float32<"", OpenCl> const& rate) {
  auto const [loss, gradient] =
      value_and_grad([&](Model const& m) { return cross_entropy<"class">(m(x), labels); })(model);
  return std::tuple(adam.step(model, gradient, state, rate), loss);
};

/// The losses of some steps with a learning rate that changes at every step.
template <class Step>
std::vector<float> losses_of(Step step) {
  auto model = to<OpenCl>(tenon::init::normal<Perceptron<Cpu>>(Key(3), 0.3f));
  auto state = adam.init(model);
  std::vector<float> losses;
  for (std::uint64_t i = 0; i < 6; ++i) {
    Images const x = to<OpenCl>(normal<Float32<"batch in=4">>(Key(i), 32));
    Labels const labels = to<OpenCl>(uniform<Int32<"batch">>(Key(i + 100), 0, 3, 32));
    Float32<"", OpenCl> const rate(0.01f * static_cast<float>(6 - i));
    auto const [next, loss] = step(model, state, x, labels, rate);
    std::tie(model, state) = next;
    losses.push_back(loss.item());
  }
  return losses;
}

TEST_CASE("a captured training step trains like the plain one") {
  if (!has_device()) return;
  auto const plain = losses_of(trained);  // compared with the host in `opencl_gradient_test.cpp`
  auto const captured = losses_of([step = capture<OpenCl>(trained)](auto const&... x) mutable {
    auto result = step(x...);
    CHECK(step.recordings() == 1);
    return result;
  });
  CHECK(captured == plain);
  CHECK(plain.front() != plain.back());
}

TEST_CASE("on a device that cannot record, the function is called") {
  auto step = capture<Cpu>(scaled_sum);
  auto const x = numbers(1, 5), y = numbers(2, 5);
  CHECK(to_string(step(x, y)) == to_string(scaled_sum(x, y)));
  CHECK(step.recordings() == 0);
}

}  // namespace opencl_capture_test
