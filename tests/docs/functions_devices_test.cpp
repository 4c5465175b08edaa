// Examples of docs/functions/: devices, threads and memory, text of kernels, errors.

#include <doctest/doctest.h>

#include <string_view>

#include <tenon/backend/codegen/c.hpp>
#include <tenon/backend/codegen/csl.hpp>
#include <tenon/backend/codegen/print/gradient_source.hpp>
#include <tenon/backend/devices.hpp>
#include <tenon/tenon.hpp>

namespace functions_devices_test {

using namespace tenon;

Float32<"n=3"> const x{1, 2, 3};

TEST_CASE("devices") {
  auto const slow = to<Reference>(x);
  CHECK(to<Cpu>(exp(slow))(0) == doctest::Approx(2.718282));

  Float32<"n=3", Cpu> const on_host = x;
  CHECK(on_host(0) == 1);

  CHECK(available<Cpu>());

  using Mine = DeviceList<Cpu, Reference>;
  CHECK(Mine::available_names() == "cpu, reference");

  auto const choice = device_named<DeviceList<Cpu, Reference>>("reference");
  CHECK(visit_device(choice, [](auto device) { return decltype(device)::name; }) == "reference");

  auto const best = default_device<DeviceList<Cpu, Reference>>();
  CHECK(best.index() == 0);

  auto const before = set_fallback(Fallback::silent);
  CHECK(set_fallback(before) == Fallback::silent);

  static_assert(Device<Cpu> && !DeviceWithMemory<Cpu>);
}

TEST_CASE("threads and memory") {
  int const threads_before = threads();
  set_threads(2);
  CHECK(threads() == 2);
  set_threads(threads_before);

  auto const used = memory::bytes_in_use();
  auto const large = zeros<Float32<"n">>(1000);
  CHECK(memory::bytes_in_use() > used);

  memory::empty_cache();
  CHECK(memory::bytes_cached() == 0);

  auto const limit = memory::cache_limit();
  memory::set_cache_limit(limit / 2);
  CHECK(memory::cache_limit() == limit / 2);
  memory::set_cache_limit(limit);

  auto const allocations = memory::system_allocations();
  CHECK(allocations > 0);

  CHECK(!std::string_view(instruction_set).empty());
}

TEST_CASE("text of kernels") {
  auto const text = kernel_source<dialect::C>(exp(x) + 1);
  CHECK(text.find("exp") != std::string::npos);

  auto const csl = kernel_source<dialect::Csl>(exp(x) + 1);
  CHECK(csl.find("fn kernel_0") != std::string::npos);

  auto const backward = gradient_source<dialect::C>(exp(x) + 1);
  CHECK(backward.find("g0") != std::string::npos);
}

TEST_CASE("errors") {
  CHECK_THROWS_AS(eval(ones<Float32<"n">>(2) + ones<Float32<"n">>(3)), ShapeError);
  CHECK_THROWS_AS(ones<Float32<"n">>(2)(5), IndexError);
  CHECK_THROWS_AS((full<UInt8<"n">>(300, 2)), ValueError);
  CHECK_THROWS_AS(device_named<DeviceList<Cpu>>("tpu"), DeviceError);
  CHECK_THROWS_AS(device_named<DeviceList<Cpu>>("tpu"), Error);
}

}  // namespace functions_devices_test
