// The CUDA device: memory, copies, kernels and errors; on a real device if there is one, otherwise
// on the fake of `shim/`. The emitted text of kernels is tested for all expressions in
// `source_test.cpp`; here kernels are launched through the driver.

#include <doctest/doctest.h>

#include <tenon/tenon.hpp>

#include <tenon/backend/cuda.hpp>

#include "near.hpp"
#include "numbers.hpp"
#include "shim/cuda_device.hpp"

namespace cuda_test {

using namespace tenon;
using namespace tenon::internal;
using shim::cuda_device;

namespace {

bool has_device() { return cuda_device() != shim::Device::none; }
bool is_fake() { return cuda_device() == shim::Device::fake; }

constexpr std::int64_t rows = 7, columns = 150;

auto const x = numbers<Tensor<float, "n k">>(1, rows, columns);
auto const y = numbers<Tensor<float, "n k">>(2, rows, columns);
auto const bias = numbers<Tensor<float, "k">>(3, columns);

double at(std::int64_t i, std::int64_t j) { return double(x.data()[i * columns + j]); }
double other(std::int64_t i, std::int64_t j) { return double(y.data()[i * columns + j]); }

/// Checks that every element of a result is near `f(place, i, j)`; `i` is 0 for a vector.
template <class R, class F>
void expect_each(R const& got, F const& f, double tolerance) {
  auto const here = to<Cpu>(got);
  for (std::int64_t place = 0; place < here.size(); ++place) {
    INFO("at " << place);
    double const wanted = f(place / columns, place % columns);
    CHECK(std::abs(double(here.data()[place]) - wanted) <= tolerance * (std::abs(wanted) + 1e-2));
  }
}

}  // namespace

TEST_CASE("a CUDA device computes elementwise maps and reductions") {
  if (!has_device()) return;
  auto const a = to<Cuda>(x), b = to<Cuda>(y);
  auto const sums = [](std::int64_t i, auto const& f) {
    double sum = 0;
    for (std::int64_t j = 0; j < columns; ++j) sum += f(at(i, j));
    return sum;
  };
  expect_each(
      eval(relu(a * b + to<Cuda>(bias))),
      [&](auto i, auto j) {
        return std::max(0.0, at(i, j) * other(i, j) + double(bias.data()[j]));
      },
      1e-5);
  expect_each(
      eval(softmax<"k">(a)),
      [&](auto i, auto j) {
        return std::exp(at(i, j)) / sums(i, [](double v) { return std::exp(v); });
      },
      1e-5);
  expect_each(
      eval(sum<"n">(exp(a))),
      [](auto, auto j) {
        double sum = 0;
        for (std::int64_t i = 0; i < rows; ++i) sum += std::exp(at(i, j));
        return sum;
      },
      1e-5);
}

TEST_CASE("gradients on a CUDA device, with partial sums") {
  if (!has_device()) return;
  auto const [of_x, of_bias] = grad([&](auto const& all) {
    return sum(relu(std::get<0>(all) + std::get<1>(all)) * to<Cuda>(y));
  })(std::tuple(to<Cuda>(x), to<Cuda>(bias)));
  auto const share = [](std::int64_t i, std::int64_t j) {
    return at(i, j) + double(bias.data()[j]) > 0 ? other(i, j) : 0;
  };
  expect_each(of_x, share, 1e-6);
  expect_each(
      of_bias,
      [&](auto, auto j) {
        double sum = 0;
        for (std::int64_t i = 0; i < rows; ++i) sum += share(i, j);
        return sum;
      },
      1e-4);
}

TEST_CASE("copies have the values from the time of the call, for any length") {
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

TEST_CASE("copies within the device, zeros, and reuse of freed blocks") {
  if (!has_device()) return;
  auto const first = ones<Float32<"n", Cuda>>(1000);
  auto second = first;
  second.set_elements([](float* to) { std::fill_n(to, 1000, 2.0f); });
  CHECK(to<Cpu>(first)(7) == 1);
  CHECK(to<Cpu>(second)(7) == 2);
  for (int round = 0; round < 3; ++round)
    CHECK(sum(zeros<Float32<"n", Cuda>>(1000) + first).item() == 1000);
}

TEST_CASE("the properties of a CUDA device") {
  if (!has_device()) return;
  CHECK(Cuda::is_available());
  CHECK(!Cuda::model().empty());
}

TEST_CASE("the error of a kernel that does not compile contains NVRTC's message") {
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

/// The message of the `DeviceError` that `f` throws.
template <class F>
std::string words_of(F const& f) {
  try {
    f();
  } catch (DeviceError const& error) {
    return error.what();
  }
  return "nothing";
}

TEST_CASE("the error for an allocation beyond the device's memory contains its size") {
  if (!has_device()) return;
  std::int64_t const n = std::int64_t{1} << 50;
  std::string const words = words_of([&] { Float32<"n", Cuda>::uninitialised(Sizes{n}); });
  std::string const wanted =
      "tenon::cuda: expected 4503599627370496 bytes of the device's memory, got none (";
  CHECK(words.starts_with(wanted));
  CHECK((!is_fake() || words.ends_with(" of 1073741824 are free)")));
  CHECK(sum(ones<Float32<"n", Cuda>>(10)).item() == 10);
}

TEST_CASE("the error for a kernel that cannot be launched contains its name") {
  if (!has_device()) return;
  auto const idle = Cuda::compile("idle", "extern \"C\" __global__ void idle() {}");
  CHECK_THROWS_WITH_AS(Cuda::launch(idle, {}, tenon::codegen::Work{1, 1, 5000}),
                       "tenon::cuda: 'starting idle': expected success, got invalid argument",
                       DeviceError);
}

TEST_CASE(
    "the error of a failed kernel is thrown by the next synchronisation and names the last "
    "kernel") {
  if (!is_fake()) return;  // on a real device the context would be lost
  auto const one =
      Cuda::compile("one", "extern \"C\" __global__ void one(float* x) { x[0] = 1.0f; }");
  float number = 0;  // host memory
  Cuda::launch(one, {tenon::codegen::LaunchArgument{&number, 0, {}}}, tenon::codegen::Work{});
  CHECK_THROWS_WITH_AS(
      Cuda::synchronise(),
      "tenon::cuda: 'waiting for kernels': expected success, got an illegal memory access was "
      "encountered (the device is lost to this program; the last kernel that was started is one)",
      DeviceError);
  CHECK_THROWS_AS((ones<Float32<"n", Cuda>>(10)), DeviceError);
  shim::fake_function<void (*)()>("fake_forget_error")();
  CHECK(number == 0);
  CHECK(sum(ones<Float32<"n", Cuda>>(10)).item() == 10);
}

TEST_CASE(
    "errors of the device have the expression as context, also for a matmul with an epilogue") {
  if (!is_fake()) return;
  Float32<"m k", Cuda> const tall = zeros<Float32<"m k", Cuda>>(std::int64_t{1} << 18, 1);
  Float32<"k n", Cuda> const wide = zeros<Float32<"k n", Cuda>>(1, std::int64_t{1} << 18);
  std::string const words = words_of([&] { eval(matmul(tall, wide) + 1.0f); });
  CHECK(words.starts_with("tenon::cuda: expected 274877906944 bytes of the device's memory, got "));
  CHECK(
      words.ends_with("; for float32 \"m=262144 n=262144\" = add(matmul(float32 \"m=262144 k=1\", "
                      "float32 \"k=1 n=262144\"), number)"));
}

}  // namespace cuda_test
