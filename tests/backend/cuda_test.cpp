// The device of CUDA: its memory, its copies, its kernels and its errors; on a real device where
// there is one, else on the fake of `shim/`. What the printed text of kernels means is tested for
// all recipes in `source_test.cpp`; here they go the way of the driver.

#include <doctest/doctest.h>

#include <tenon/tenon.hpp>

#include <tenon/backend/cuda.hpp>

#include "near.hpp"
#include "numbers.hpp"
#include "shim/cuda_device.hpp"

using namespace tenon;
using shim::cuda_device;

namespace {

bool has_device() { return cuda_device() != shim::Device::none; }
bool is_fake() { return cuda_device() == shim::Device::fake; }

auto const x = numbers<Tensor<float, "n k">>(1, 7, 150);
auto const y = numbers<Tensor<float, "n k">>(2, 7, 150);
auto const bias = numbers<Tensor<float, "k">>(3, 150);
auto const w = numbers<Tensor<float, "k m=3">>(4, 150);

template <class F, class... X>
void expect_same(double tolerance, F const& f, X const&... leaves) {
  expect_near(f(to<Cuda>(leaves)...), f(leaves...), tolerance);
}

}  // namespace

TEST_CASE("a device of CUDA computes maps, folds and products") {
  if (!has_device()) return;
  expect_same(
      1e-6, [](auto const& a, auto const& b, auto const& c) { return evaluate(relu(a * b + c)); },
      x, y, bias);
  expect_same(
      1e-5, [](auto const& a) { return evaluate(softmax<"k">(a)); }, x);
  expect_same(
      1e-5, [](auto const& a) { return evaluate(sum<"n">(exp(a))); }, x);
  expect_same(
      1e-4, [](auto const& a, auto const& b) { return evaluate(tanh(matmul(a, b) * 0.1f)); }, x, w);
  expect_same(
      0, [](auto const& a) { return evaluate(argmax<"k">(a)); }, x);
}

TEST_CASE("gradients on a device of CUDA, with parts that are added up") {
  if (!has_device()) return;
  auto const gradient = [](auto const& a, auto const& b, auto const& v) {
    auto const loss = [&](auto const& all) {
      auto const hidden = eval(relu(std::get<0>(all) + std::get<1>(all)));
      return mean(square(matmul(hidden, std::get<2>(all)) + 1.0f));
    };
    return grad(loss)(std::tuple(a, b, v));
  };
  auto const there = gradient(to<Cuda>(x), to<Cuda>(bias), to<Cuda>(w));
  auto const here = gradient(x, bias, w);
  expect_near(std::get<0>(there), std::get<0>(here), 1e-4);
  expect_near(std::get<1>(there), std::get<1>(here), 1e-4);
  expect_near(std::get<2>(there), std::get<2>(here), 1e-4);
}

TEST_CASE("copies are of what the host had when they were asked for, of any length") {
  if (!has_device()) return;
  for (std::int64_t const n : {0, 1, 3'000'000, 2'097'153}) {
    auto a = iota<Float32<"n">>(n);
    auto const there = to<Cuda>(a);
    auto const second = to<Cuda>(Float32<"n">(a * 2.0f));
    std::fill_n(a.mutable_data(), n, -1.0f);
    auto const back = to<Cpu>(there), doubled = to<Cpu>(second);
    bool is_same = true;
    for (std::int64_t i = 0; i < n; ++i)
      is_same = is_same && back.data()[i] == float(i) && doubled.data()[i] == 2 * float(i);
    CHECK(is_same);
  }
}

TEST_CASE("copies within the device, zeros, and blocks that are used again") {
  if (!has_device()) return;
  auto const first = ones<Float32<"n", Cuda>>(1000);
  auto second = first;
  second.set_elements([](float* to) { std::fill_n(to, 1000, 2.0f); });
  CHECK(to<Cpu>(first)(7) == 1);
  CHECK(to<Cpu>(second)(7) == 2);
  for (int round = 0; round < 3; ++round)
    CHECK(sum(zeros<Float32<"n", Cuda>>(1000) + first).item() == 1000);
}

TEST_CASE("a device of CUDA says what it is") {
  if (!has_device()) return;
  CHECK(Cuda::is_available());
  CHECK(!Cuda::model().empty());
}

TEST_CASE("a kernel that does not compile is told with NVRTC's words") {
  if (!has_device()) return;
  try {
    Cuda::compile("wrong", "extern \"C\" __global__ void wrong(float* x) { x[0] = nowhere; }");
    FAIL("it compiled");
  } catch (DeviceError const& error) {
    std::string const words = error.what();
    CHECK(words.find("tenon::cuda: 'wrong': expected a kernel that compiles") == 0);
    CHECK(words.find("nowhere") != words.npos);
  }
}

TEST_CASE("memory that a device of CUDA does not have is refused with its size") {
  if (!has_device()) return;
  std::int64_t const n = std::int64_t{1} << 50;
  CHECK_THROWS_WITH_AS(
      (Float32<"n", Cuda>::uninitialised(Sizes{n})),
      "tenon::cuda: expected 4503599627370496 bytes of the device's memory, got none", DeviceError);
  CHECK(sum(ones<Float32<"n", Cuda>>(10)).item() == 10);
}

TEST_CASE("a kernel that cannot be started is told by its name") {
  if (!has_device()) return;
  auto const idle = Cuda::compile("idle", "extern \"C\" __global__ void idle() {}");
  CHECK_THROWS_WITH_AS(Cuda::launch(idle, {}, source::Work{1, 1, 5000}),
                       "tenon::cuda: 'starting idle': expected success, got invalid argument",
                       DeviceError);
}

TEST_CASE("a kernel that fails is told by who waits for it") {
  if (!is_fake()) return;  // a real device is lost for the program then
  auto const one =
      Cuda::compile("one", "extern \"C\" __global__ void one(float* x) { x[0] = 1.0f; }");
  float number = 0;  // of the host
  Cuda::launch(one, {source::LaunchArgument{&number, 0, {}}}, source::Work{});
  CHECK_THROWS_WITH_AS(
      Cuda::synchronise(),
      "tenon::cuda: 'waiting for kernels': expected success, got an illegal memory "
      "access was encountered",
      DeviceError);
  CHECK_THROWS_AS((ones<Float32<"n", Cuda>>(10)), DeviceError);
  shim::fake_function<void (*)()>("fake_forget_error")();
  CHECK(number == 0);
  CHECK(sum(ones<Float32<"n", Cuda>>(10)).item() == 10);
}

template <class D>
struct Perceptron {
  Linear<"in=4", "hidden=16", float, D> first;
  Linear<"hidden=16", "class=3", float, D> last;

  auto operator()(Float<"batch in=4"> auto const& a) const -> Float32<"batch class=3", D> {
    return last(gelu_tanh(first(a)));
  }
};

/// The losses of some steps of AdamW.
template <class D>
std::vector<float> losses_on(D) {
  auto const inputs = to<D>(normal<Float32<"batch in=4">>(Key(1), 64));
  auto const labels = to<D>(uniform<Int32<"batch">>(Key(2), 0, 3, 64));
  auto model = to<D>(init::normal<Perceptron<Cpu>>(Key(3), 0.3f));
  AdamW const adam{.rate = 1e-2};
  auto state = adam.init(model);
  std::vector<float> losses;
  for (int step = 0; step < 4; ++step) {
    auto const [loss, gradient] = value_and_grad(
        [&](Perceptron<D> const& m) { return cross_entropy<"class">(m(inputs), labels); })(model);
    std::tie(model, state) = adam.step(model, gradient, state);
    losses.push_back(loss.item());
  }
  return losses;
}

TEST_CASE("a model is trained on a device of CUDA as on the processor") {
  if (!has_device()) return;
  auto const there = losses_on(Cuda()), here = losses_on(Cpu());
  for (std::size_t i = 0; i < here.size(); ++i)
    CHECK(there[i] == doctest::Approx(here[i]).epsilon(1e-4));
  CHECK(here.back() < here.front());
}
