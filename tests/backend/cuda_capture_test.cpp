// Kernels as a graph of CUDA's, recorded once and started again: `capture`. On a real device where
// there is one, else on the fake of `shim/`. (What `capture` means: `opencl_capture_test.cpp`.)

#include <doctest/doctest.h>

#include <tenon/tenon.hpp>

#include <tenon/backend/cuda.hpp>
#include <tenon/eval/capture.hpp>

#include "shim/cuda_device.hpp"

using namespace tenon;

namespace {

bool has_device() { return shim::cuda_device() != shim::Device::none; }

template <class D>
using Vector = Float32<"n", D>;

/// Maps, a fold, a gradient and a constant of the host.
auto descended = []<class D>(Vector<D> const& x, Vector<D> const& y) -> Vector<D> {
  auto const gradient = grad([&](Vector<D> const& v) { return sum(square(v * y - 1.0f)); })(x);
  return x - gradient * to<D>(Float32<"">(0.125f));
};

Float32<"n"> numbers(std::uint64_t seed, std::int64_t size) {
  return normal<Float32<"n">>(Key(seed), size);
}

}  // namespace

TEST_CASE("a graph gives what the function gives, of other values and other sizes") {
  if (!has_device()) return;
  auto step = capture<Cuda>(descended);
  for (auto const& [size, recordings] : {std::pair{50, 1}, {50, 1}, {7, 2}, {7, 2}}) {
    auto const x = numbers(1, size), y = numbers(static_cast<std::uint64_t>(recordings), size);
    auto const got = to<Cpu>(step(to<Cuda>(x), to<Cuda>(y)));
    CHECK(all(abs(got - descended(x, y)) < 1e-5f).item());
    CHECK(step.recordings() == recordings);
  }
}

TEST_CASE("what is read while recording is refused, and nothing stays open") {
  if (!has_device()) return;
  auto wrong = capture<Cuda>(
      [](Vector<Cuda> const& x) { return eval(x * Float32<"", Cuda>(sum(x)).item()); });
  auto const x = to<Cuda>(iota<Float32<"n">>(3));
  CHECK_THROWS_WITH_AS(wrong(x),
                       "tenon::capture: 'cuda': expected a function that reads no value on the "
                       "host, got an element, a copy or a test of one",
                       DeviceError);
  CHECK(to<Cpu>(eval(x + x))(2) == 4);
}
