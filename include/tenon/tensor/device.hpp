#pragma once

#include <concepts>
#include <cstddef>
#include <string_view>
#include <type_traits>

namespace tenon {

/// The CPU: SIMD loops on a thread pool.
struct Cpu {
  static constexpr std::string_view name = "cpu";
  static constexpr bool is_host = true;
};

/// The reference implementation for tests of other devices: naive loops, one element at a time.
struct Reference {
  static constexpr std::string_view name = "reference";
  static constexpr bool is_host = true;
};

}  // namespace tenon

namespace tenon::internal {

/// The device of a C++ number: it takes on that of the tensor in the same expression.
struct AnyDevice {
  static constexpr std::string_view name = "any";
  static constexpr bool is_host = true;
};

}  // namespace tenon::internal

namespace tenon {

/// A device: a type with a name, which says whether the host addresses its memory.
template <class D>
concept Device = requires {
  { D::name } -> std::convertible_to<std::string_view>;
  { D::is_host } -> std::convertible_to<bool>;
};

}  // namespace tenon

namespace tenon::internal {

/// The device itself if it is a host device, else `Cpu`.
template <class D>
using HostOf = std::conditional_t<D::is_host, D, Cpu>;

}  // namespace tenon::internal

namespace tenon {

/// A device with separate memory, which the host accesses by copies only. Allocations, copies and
/// kernels run in the order in which they are enqueued, as in a CUDA stream; `copy_to_host` waits.
template <class D>
concept DeviceWithMemory =
    Device<D> && !D::is_host && requires(void* to, void const* from, std::size_t bytes) {
      { D::allocate(bytes) } -> std::same_as<void*>;  // null: out of memory
      D::deallocate(to);
      D::copy_from_host(to, from, bytes);  // from the host
      D::copy_to_host(to, from, bytes);    // to the host
      D::copy_on_device(to, from, bytes);  // within the device's memory
      D::clear(to, bytes);                 // sets all bytes to zero
    };

}  // namespace tenon

namespace tenon::internal {

/// A device that can record the calls of this thread, instead of executing them, and replay them
/// later: between `begin_recording` and `end_recording`. No copies to the host are allowed in
/// between.
template <class D>
concept RecordingDevice = DeviceWithMemory<D> && requires(typename D::Recording const& recorded) {
  D::begin_recording();
  { D::end_recording() } -> std::same_as<typename D::Recording>;
  D::drop_recording();  // if the recording cannot be completed
  D::replay(recorded);
};

}  // namespace tenon::internal
