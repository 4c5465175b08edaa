#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <mutex>
#include <utility>

#include <tenon/backend/metal/objects.hpp>

namespace tenon::internal::metal {

/// A buffer and an offset.
struct Spot {
  Object buffer;
  Natural offset;
  Natural bytes = 0;  ///< From the offset to the end of the buffer.
};

/// The live buffers, by address: a tensor stores only an address, which may be inside a buffer.
/// Thread-safe.
class Buffers {
 public:
  /// The address of a new buffer in shared memory, valid on host and device; null if allocation
  /// fails.
  void* add(Object device, std::size_t bytes) {
    Natural const length = bytes + spare(bytes);
    if (length > ask<"maxBufferLength", Natural>(device)) return nullptr;
    Owned buffer(ask<"newBufferWithLength:options:", Object>(device, length, shared_storage));
    if (!buffer) return nullptr;
    void* const address = ask<"contents", void*>(buffer.get());
    std::lock_guard const lock(mutex_);
    all_[number(address)] = {std::move(buffer), bytes};
    return address;
  }

  /// Pending commands retain it until they have run.
  void remove(void* address) {
    std::lock_guard const lock(mutex_);
    all_.erase(number(address));
  }

  /// Throws `DeviceError` if no buffer contains the address.
  Spot find(void const* address) {
    std::uintptr_t const wanted = number(address);
    std::lock_guard const lock(mutex_);
    auto const next = all_.upper_bound(wanted);
    if (next != all_.begin()) {
      auto const& [begin, found] = *std::prev(next);
      Natural const offset = wanted - begin;
      if (offset <= found.bytes)
        return {found.buffer.get(), offset, found.bytes + spare(found.bytes) - offset};
    }
    refuse("an argument of a kernel", "memory of the device", "another address");
  }

 private:
  struct Buffer {
    Owned buffer{};
    std::size_t bytes = 0;
  };
  /// Padding: a library that reads full rows reads past the last row of a submatrix.
  static Natural spare(std::size_t bytes) { return std::min<Natural>(bytes / 8, 16384); }
  static std::uintptr_t number(void const* address) {
    return reinterpret_cast<std::uintptr_t>(address);
  }

  std::mutex mutex_;
  std::map<std::uintptr_t, Buffer> all_;
};

}  // namespace tenon::internal::metal
