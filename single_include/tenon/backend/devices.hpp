// Tenon 0.1.0. Made by scripts/single_include from include/: to be changed there.
// MIT License
//
// Copyright (c) 2025 The Tenon authors
//
// Permission is hereby granted, free of charge, to any person obtaining a copy
// of this software and associated documentation files (the "Software"), to deal
// in the Software without restriction, including without limitation the rights
// to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
// copies of the Software, and to permit persons to whom the Software is
// furnished to do so, subject to the following conditions:
//
// The above copyright notice and this permission notice shall be included in all
// copies or substantial portions of the Software.
//
// THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
// IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
// FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
// AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
// LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
// OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
// SOFTWARE.

#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include <tenon/tenon.hpp>

/// Selects the device of a computation at run time: `visit_device(choice, [&](auto device) {
/// train<decltype(device)>(…); })`. The called code is instantiated for every device of a list.
namespace tenon {

struct Cuda;
struct Mps;
struct OpenCl;

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
    (add(available<D>(), D::name), ...);
    return names;
  }

  /// The first available device for which `does` is true.
  template <class Condition>
  static std::optional<Choice> first(Condition const& does) {
    std::optional<Choice> found;
    auto const look = [&](auto device) {
      using Candidate = decltype(device);
      if (!found && does(std::string_view(Candidate::name)) && available<Candidate>())
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

/// A list of a device if its header is included; an empty list if it is only declared.
template <class D>
constexpr auto included() {
  if constexpr (requires { sizeof(D); }) return DeviceList<D>{};
  else return DeviceList<>{};
}
template <class... D>
using IncludedOf = decltype((DeviceList<>{} + ... + included<D>()));

/// User-defined devices, and those of Tenon whose headers are included before the first use of this
/// name. OpenCL is last: it may be implemented on the CPU.
template <class... Own>
using IncludedDevices = IncludedOf<Own..., Cuda, Mps, Cpu, OpenCl>;

/// The first available device of a list. Throws `DeviceError` if none is.
template <class List>
DeviceChoice<List> default_device() {
  if (auto const found = List::first([](std::string_view) { return true; })) return *found;
  fail<DeviceError>({.who = "default_device", .expected = "a device", .got = "none here"});
}

/// The device of a list with a name such as "opencl". Throws `DeviceError` if the list has no such
/// device, or if it is not available.
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

}  // namespace tenon
