#pragma once

#include <cstddef>
#include <cstdint>

#include <tenon/core/mutex.hpp>

/// Copies between the memory of the host and that of a device, counted for each device.
namespace tenon::internal {

/// The number of copies in one direction since the start of the program, and their bytes.
struct TransferCounter {
  Atomic<std::int64_t> copies{0}, bytes{0};

  void add(std::size_t size) {
    copies.fetch_add(1, MemoryOrder::relaxed);
    bytes.fetch_add(static_cast<std::int64_t>(size), MemoryOrder::relaxed);
  }
};

template <class D>
struct Transfers {
  static inline TransferCounter to_device{}, to_host{};
};

template <class D>
void copy_from_host(void* to, void const* from, std::size_t bytes) {
  Transfers<D>::to_device.add(bytes);
  D::copy_from_host(to, from, bytes);
}
template <class D>
void copy_to_host(void* to, void const* from, std::size_t bytes) {
  Transfers<D>::to_host.add(bytes);
  D::copy_to_host(to, from, bytes);
}

}  // namespace tenon::internal
