// One program for several devices: the list of available devices, and the choice by name.

#include <doctest/doctest.h>

#include <string>

#include <tenon/tenon.hpp>

#include <tenon/backend/devices.hpp>

using namespace tenon;

namespace {

/// A device that this machine does not have.
struct Absent {
  static constexpr std::string_view name = "absent";
  static constexpr bool is_host = false;
  static bool is_available() { return false; }
};

/// A device that does not declare whether it is available.
struct Silent {
  static constexpr std::string_view name = "silent";
  static constexpr bool is_host = false;
};

using Devices = DeviceList<Absent, Cpu, Reference>;

template <class List>
std::string name_of(DeviceChoice<List> const& choice) {
  return visit_device(choice, [](auto device) { return std::string(decltype(device)::name); });
}

}  // namespace

// Only these devices have their headers included here.
static_assert(std::same_as<IncludedDevices<>, DeviceList<Cpu>>);
static_assert(std::same_as<IncludedDevices<Reference>, DeviceList<Reference, Cpu>>);

TEST_CASE("the processor is always available; a device that does not declare it is not") {
  CHECK(available<Cpu>());
  CHECK(available<Reference>());
  CHECK(!available<Absent>());
  CHECK(!available<Silent>());
}

TEST_CASE("the default is the first available device of a list") {
  CHECK(name_of<Devices>(default_device<Devices>()) == "cpu");
  using Others = DeviceList<Reference, Cpu>;
  CHECK(name_of<Others>(default_device<Others>()) == "reference");
  CHECK_THROWS_WITH_AS(default_device<DeviceList<Absent>>(),
                       "tenon::default_device: expected a device, got none here", DeviceError);
}

TEST_CASE("a function is called for the device that was named") {
  for (std::string const name : {"cpu", "reference"}) {
    auto const total = visit_device(device_named<Devices>(name), [&](auto device) {
      using D = decltype(device);
      CHECK(D::name == name);
      auto const x = iota<Float32<"n", Reference>>(5);
      return Float32<"">(to<Cpu>(sum(to<std::conditional_t<D::is_host, D, Cpu>>(x)))).item();
    });
    CHECK(total == 10);
  }
}

TEST_CASE("the error for an invalid name lists the valid ones") {
  CHECK_THROWS_WITH_AS(device_named<Devices>("absent"),
                       "tenon::device_named: 'absent': expected one of these: cpu, reference, got "
                       "one that is not on this machine",
                       DeviceError);
  CHECK_THROWS_WITH_AS(device_named<Devices>("CPU"),
                       "tenon::device_named: 'CPU': expected one of these: cpu, reference, got one "
                       "that this program does not know",
                       DeviceError);
}
