#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/backend/codegen/launch/launch.hpp>
#include <tenon/core/error.hpp>

namespace tenon::internal::codegen {

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
  void copy_from_host(void* to, void const* from, std::size_t bytes) {
    auto const* const begin = static_cast<std::byte const*>(from);
    all_.push_back([=, kept = std::vector<std::byte>(begin, begin + bytes)] {
      D::copy_from_host(to, kept.data(), bytes);
    });
  }
  void copy_on_device(void* to, void const* from, std::size_t bytes) {
    all_.push_back([=] { D::copy_on_device(to, from, bytes); });
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

}  // namespace tenon::internal::codegen
