#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include <tenon/core/error.hpp>
#include <tenon/tensor/device.hpp>

/// Selects the device of a computation at run time: `visit_device(choice, [&](auto device) {
/// train<decltype(device)>(…); })`. The called code is instantiated for every device of a list.
namespace tenon {

struct Cuda;
struct Mps;
struct OpenCl;

}  // namespace tenon

namespace tenon::internal {

/// Whether this machine has such a device, with its driver and libraries. PyTorch:
/// `torch.cuda.is_available()`.
template <Device D>
bool available() {
  constexpr bool can_be_asked = requires {
    { D::is_available() } -> std::convertible_to<bool>;
  };
  if constexpr (can_be_asked) return D::is_available();
  else return D::is_host;
}

}  // namespace tenon::internal

namespace tenon {

/// Devices that a program supports, the preferred one first.
template <Device... D>
struct DeviceList {
  using Choice = std::variant<D...>;

  /// "cpu, opencl": those available on this machine.
  static std::string available_names() {
    std::string names;
    auto const add = [&](bool is_there, std::string_view name) {
      if (is_there) names.append(names.empty() ? "" : ", ").append(name);
    };
    (add(internal::available<D>(), D::name), ...);
    return names;
  }

  /// The first available device for which `does` is true.
  template <class Condition>
  static std::optional<Choice> first(Condition const& does) {
    std::optional<Choice> found;
    auto const look = [&](auto device) {
      using Candidate = decltype(device);
      if (!found && does(std::string_view(Candidate::name)) && internal::available<Candidate>())
        found = device;
    };
    (look(D{}), ...);
    return found;
  }

  static bool has(std::string_view name) { return ((name == D::name) || ...); }

  template <Device... E>
  friend constexpr auto operator+(DeviceList, DeviceList<E...>) {
    return DeviceList<D..., E...>{};
  }
};

/// One device of a list, as a value: a `std::variant`.
template <class List>
using DeviceChoice = typename List::Choice;

}  // namespace tenon

namespace tenon::internal {

/// A list of a device if its header is included; an empty list if it is only declared.
template <class D>
constexpr auto included() {
  if constexpr (requires { sizeof(D); }) return DeviceList<D>{};
  else return DeviceList<>{};
}
template <class... D>
using IncludedOf = decltype((DeviceList<>{} + ... + included<D>()));

}  // namespace tenon::internal

namespace tenon {

/// User-defined devices, and those of Tenon whose headers are included before the first use of this
/// name. OpenCL is last: it may be implemented on the CPU.
template <class... Own>
using IncludedDevices = internal::IncludedOf<Own..., Cuda, Mps, Cpu, OpenCl>;

}  // namespace tenon

namespace tenon::internal {

/// The first available device of a list. Throws `DeviceError` if none is. JAX: `devices()[0]`.
template <class List>
DeviceChoice<List> default_device() {
  if (auto const found = List::first([](std::string_view) { return true; })) return *found;
  fail<DeviceError>({.who = "default_device", .expected = "a device", .got = "none here"});
}

/// The device of a list with a name such as "opencl". Throws `DeviceError` if the list has no such
/// device, or if it is not available. PyTorch: `torch.device("cuda")`.
template <class List>
DeviceChoice<List> device_named(std::string_view name) {
  if (auto const found = List::first([&](std::string_view other) { return other == name; }))
    return *found;
  fail<DeviceError>({.who = "device_named",
                     .what = name,
                     .expected = "one of these: " + List::available_names(),
                     .got = List::has(name) ? "one that is not on this machine"
                                            : "one that this program does not know"});
}

/// Calls `f(device)` with the selected device; all results have one type.
template <Device... D, class F>
decltype(auto) visit_device(std::variant<D...> const& choice, F&& f) {
  return std::visit(std::forward<F>(f), choice);
}

}  // namespace tenon::internal

namespace tenon {

using internal::available;
using internal::default_device;
using internal::device_named;
using internal::included;
using internal::visit_device;

}  // namespace tenon
