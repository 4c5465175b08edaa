#pragma once

#include <concepts>
#include <cstddef>
#include <string_view>
#include <type_traits>

namespace tenon {

/// The processor: SIMD loops on a pool of threads.
struct Cpu {
  static constexpr std::string_view name = "cpu";
  static constexpr bool is_host = true;
};

/// The judge of all other devices: naive loops, one element at a time.
struct Reference {
  static constexpr std::string_view name = "reference";
  static constexpr bool is_host = true;
};

/// The device of a number of the language: it follows the tensor it meets.
struct AnyDevice {
  static constexpr std::string_view name = "any";
  static constexpr bool is_host = true;
};

template <class D>
concept Device = requires {
  { D::name } -> std::convertible_to<std::string_view>;
  { D::is_host } -> std::convertible_to<bool>;
};

/// The device itself where it is the host's, else the processor.
template <class D>
using HostOf = std::conditional_t<D::is_host, D, Cpu>;

/// A device with memory of its own, which the host accesses through copies only. Allocations,
/// copies and kernels run in the order in which they are enqueued, as in a CUDA stream; `copy_out`
/// waits.
template <class D>
concept DistantDevice =
    Device<D> && !D::is_host && requires(void* to, void const* from, std::size_t bytes) {
      { D::ask_memory(bytes) } -> std::same_as<void*>;  // null: there is none
      D::give_memory_back(to);
      D::copy_in(to, from, bytes);      // from the host
      D::copy_out(to, from, bytes);     // to the host
      D::copy_within(to, from, bytes);  // from its own memory
      D::clear(to, bytes);              // all bytes to zero
    };

/// One that notes down what this thread asks of it, instead of doing it, to do all of it again
/// later: between `begin_recording` and `end_recording`. Nothing is copied to the host then.
template <class D>
concept RecordingDevice = DistantDevice<D> && requires(typename D::Recording const& recorded) {
  D::begin_recording();
  { D::end_recording() } -> std::same_as<typename D::Recording>;
  D::drop_recording();  // where it cannot be ended
  D::replay(recorded);
};

}  // namespace tenon
