// `capture` with CUDA graphs: kernels are recorded once and launched again. On a real device if
// there is one, otherwise on the fake of `shim/`. (The semantics of `capture` are tested in
// `opencl_capture_test.cpp`.)

#include <doctest/doctest.h>

#include <tenon/tenon.hpp>

#include <tenon/backend/cuda.hpp>
#include <tenon/eval/capture.hpp>

#include "shim/cuda_device.hpp"

namespace cuda_capture_test {

using namespace tenon;

namespace {

bool has_device() { return shim::cuda_device() != shim::Device::none; }

template <class D>
using Vector = Float32<"n", D>;

/// Elementwise maps, a reduction, a gradient and a host constant.
auto descended = []<class D>(Vector<D> const& x, Vector<D> const& y) -> Vector<D> {
  auto const gradient = grad([&](Vector<D> const& v) { return sum(square(v * y - 1.0f)); })(x);
  return x - gradient * to<D>(Float32<"">(0.125f));
};

Float32<"n"> numbers(std::uint64_t seed, std::int64_t size) {
  return normal<Float32<"n">>(Key(seed), size);
}

}  // namespace

TEST_CASE(
    "a matmul can be the first one of a program while it is recorded, and be launched again") {
  if (!has_device()) return;
  auto step = capture<Cuda>([](Float32<"m k", Cuda> const& x, Float32<"k n", Cuda> const& y) {
    return eval(matmul(x, y));
  });
  auto const y = to<Cuda>(eval(iota<Float32<"k n">>(2, 2)));
  for (float const factor : {1.0f, 2.0f}) {
    auto const got = to<Cpu>(step(to<Cuda>(full<Float32<"m k">>(factor, 1, 2)), y));
    CHECK(got(0, 0) == 2 * factor);
    CHECK(got(0, 1) == 4 * factor);
  }
  CHECK(step.recordings() == 1);
}

TEST_CASE("during a recording the fake rejects the calls that CUDA rejects") {
  if (shim::cuda_device() != shim::Device::fake) return;
  CHECK(Cuda::is_available());
  Cuda::synchronise();  // makes the context current on this thread
  auto const& api = tenon::internal::cuda::Api::instance();
  tenon::internal::cuda::Stream stream = nullptr;
  tenon::internal::cuda::Graph graph = nullptr;
  tenon::internal::cuda::Address address = 0;
  constexpr int of_this_thread = 1, not_recorded = 900, lost = 901;
  tenon::internal::cuda::check(api.create_stream(&stream, tenon::internal::cuda::own_stream),
                               "making a stream");
  CHECK(api.begin_capture(stream, of_this_thread) == 0);
  CHECK(api.allocate_at_once(&address, 16) == not_recorded);
  CHECK(api.end_capture(stream, &graph) == lost);
  CHECK(api.begin_capture(stream, tenon::internal::cuda::relaxed) == 0);
  CHECK(api.wait(stream) == not_recorded);
  CHECK(api.end_capture(stream, &graph) == lost);
  CHECK(api.begin_capture(stream, tenon::internal::cuda::relaxed) == 0);
  CHECK(api.allocate_at_once(&address, 16) == 0);
  CHECK(api.end_capture(stream, &graph) == 0);
  CHECK(api.destroy_graph(graph) == 0);
  CHECK(api.free_at_once(address) == 0);
  CHECK(api.destroy_stream(stream) == 0);
}

TEST_CASE("a graph gives the result of the function, also for other values and other sizes") {
  if (!has_device()) return;
  auto step = capture<Cuda>(descended);
  for (auto const& [size, recordings] : {std::pair{50, 1}, {50, 1}, {7, 2}, {7, 2}}) {
    auto const x = numbers(1, size), y = numbers(static_cast<std::uint64_t>(recordings), size);
    auto const got = to<Cpu>(step(to<Cuda>(x), to<Cuda>(y)));
    CHECK(all(abs(got - descended(x, y)) < 1e-5f).item());
    CHECK(step.recordings() == recordings);
  }
}

TEST_CASE("reading a value during a recording throws and ends the recording") {
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

}  // namespace cuda_capture_test
