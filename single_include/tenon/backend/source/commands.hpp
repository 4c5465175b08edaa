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

#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/backend/source/launch.hpp>
#include <tenon/tenon.hpp>

namespace tenon::source {

/// Throws `DeviceError`: values computed during a recording are not available.
[[noreturn, gnu::cold]] inline void refuse_reading(std::string_view device) {
  fail<DeviceError>({.who = "capture",
                     .what = device,
                     .expected = "a function that reads no value on the host",
                     .got = "an element, a copy or a test of one"});
}

/// A list of device commands that can be replayed, for devices without native command lists.
template <class D>
class Commands {
 public:
  void launch(typename D::Function function, std::vector<LaunchArgument> arguments, Work work) {
    all_.push_back([=, arguments = std::move(arguments)] { D::launch(function, arguments, work); });
  }
  /// Records a call of `D::multiply`.
  template <class Product>
  void multiply(Product const& product) {
    all_.push_back([=] { D::multiply(product); });
  }
  void copy_in(void* to, void const* from, std::size_t bytes) {
    auto const* const begin = static_cast<std::byte const*>(from);
    all_.push_back([=, kept = std::vector<std::byte>(begin, begin + bytes)] {
      D::copy_in(to, kept.data(), bytes);
    });
  }
  void copy_within(void* to, void const* from, std::size_t bytes) {
    all_.push_back([=] { D::copy_within(to, from, bytes); });
  }
  void clear(void* to, std::size_t bytes) {
    all_.push_back([=] { D::clear(to, bytes); });
  }
  void replay() const {
    for (auto const& command : all_) command();
  }

 private:
  std::vector<std::function<void()>> all_;
};

/// Base of a device that records its commands in such lists, which makes it a `RecordingDevice`.
template <class D>
struct RecordsCommands {
  /// Recorded commands that can be replayed.
  using Recording = Commands<D>;

  static void begin_recording() { recorded() = std::make_unique<Recording>(); }
  static Recording end_recording() { return std::move(*std::exchange(recorded(), nullptr)); }
  static void drop_recording() noexcept { recorded().reset(); }
  static void replay(Recording const& recording) { recording.replay(); }

 protected:
  /// The list that records the commands of this thread; null: they are executed immediately.
  static std::unique_ptr<Recording>& recorded() {
    static thread_local std::unique_ptr<Recording> commands;
    return commands;
  }
};

}  // namespace tenon::source
