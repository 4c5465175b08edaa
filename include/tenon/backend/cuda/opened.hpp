#pragma once

#include <algorithm>
#include <string>

#include <tenon/backend/cuda/api.hpp>

namespace tenon::internal::cuda {

/// The first device, with its context and the stream of all work.
struct OpenedDevice {
  DeviceNumber device = 0;
  Context context = nullptr;
  Stream stream = nullptr;
  int architecture = 0;  ///< 90: compute capability 9.0.
  unsigned multiprocessors = 1;
  bool has_pool = false;  ///< Stream-ordered allocation is supported.

  /// Opened on first use, and never closed: a tensor in static storage may deallocate at any time.
  /// Throws `DeviceError` if there is none.
  static OpenedDevice const& instance() {
    static OpenedDevice const& one = *new OpenedDevice(opened());
    return one;
  }

  /// Why there is no device; empty if there is one.
  static std::string const& missing() {
    static std::string const words = find_missing();
    return words;
  }

 private:
  static Api const& api() { return Api::instance(); }

  static OpenedDevice opened() {
    if (!missing().empty())
      fail<DeviceError>({.who = "cuda", .expected = "a device of CUDA", .got = missing()});
    OpenedDevice own;
    check(api().device(&own.device, 0), "asking for the device");
    check(api().retain_context(&own.context, own.device), "making a context");
    check(api().use_context(own.context), "using the device");
    check(api().create_stream(&own.stream, own_stream), "making a stream");
    own.architecture = 10 * number(capability_major) + number(capability_minor);
    own.multiprocessors =
        static_cast<unsigned>((std::max)(1, number(tenon::internal::cuda::multiprocessors)));
    own.has_pool = number(memory_pools_supported) != 0;
    return own;
  }
  /// A device attribute; 0 if it is not supported.
  static int number(int what) {
    int value = 0;
    return api().attribute(&value, what, 0) == 0 ? value : 0;
  }
  static std::string find_missing() {
    if (!api().is_there()) return "no library libcuda.so.1 of CUDA 11.4 or newer";
    if (Code const code = api().init(0); code != 0) return words(code);
    int count = 0;
    if (Code const code = api().count_devices(&count); code != 0) return words(code);
    return count > 0 ? "" : "none";
  }
};

}  // namespace tenon::internal::cuda
