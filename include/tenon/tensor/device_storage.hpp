#pragma once

#include <cstdint>
#include <utility>

#include <tenon/tensor/device_memory.hpp>
#include <tenon/tensor/storage.hpp>
#include <tenon/tensor/transfers.hpp>

namespace tenon::internal {

/// Elements in the memory of a device: `data` is a device address, which the host must not read.
template <class T, DeviceWithMemory D, bool has_elements = false>
struct DeviceStorage {
  SharedBuffer buffer;

  explicit DeviceStorage(std::int64_t count)
      : buffer(DeviceBlocks<D>::instance().take(static_cast<std::size_t>(count) * sizeof(T))) {}
  explicit DeviceStorage(SharedBuffer shared)
      : buffer(shared.is_exposed() ? copied(shared) : std::move(shared)) {}
  DeviceStorage(DeviceStorage const& other)
      : buffer(other.buffer.is_exposed() ? copied(other.buffer) : other.buffer) {}
  DeviceStorage(DeviceStorage&& other) noexcept = default;
  DeviceStorage& operator=(DeviceStorage const& other) {
    if (buffer != other.buffer) buffer = DeviceStorage(other).buffer;
    return *this;
  }
  DeviceStorage& operator=(DeviceStorage&& other) noexcept = default;
  ~DeviceStorage() = default;

  T const* data() const {
    check();
    return buffer.as<T>();
  }

  /// The same, copied first if it is shared.
  T* unshared(std::int64_t) {
    check();
    if (!buffer.unique()) buffer = copied(buffer);
    return buffer.as<T>();
  }

  /// One element, copied to the host.
  T element(std::int64_t place) const {
    T value;
    copy_to_host<D>(&value, data() + place, sizeof(T));
    return value;
  }

  /// `write(elements)` sets all elements on the host; they are then copied to the device.
  template <class F>
  void set_elements(std::int64_t count, F const& write) {
    if (!buffer || !buffer.unique()) *this = DeviceStorage(count);
    SharedBuffer const elements(buffer.bytes());
    write(elements.as<T>());
    if (count > 0) copy_from_host<D>(buffer.data(), elements.data(), buffer.bytes());
  }

 private:
  static SharedBuffer copied(SharedBuffer const& from) {
    return DeviceBlocks<D>::instance().copied(from.data(), from.bytes());
  }
  void check() const {
    if constexpr (has_elements)
      if (!buffer) [[unlikely]]
        refuse_moved_from();
  }
};

/// How a tensor stores its elements.
template <class T, class D, bool holds_elements, std::int64_t static_count>
struct StorageOf {
  using type = SharedStorage<T, (static_count > 0)>;
};
template <class T, class D, std::int64_t static_count>
struct StorageOf<T, D, true, static_count> {
  using type = InlineStorage<T, static_count>;
};
template <class T, DeviceWithMemory D, std::int64_t static_count>
struct StorageOf<T, D, false, static_count> {
  using type = DeviceStorage<T, D, (static_count > 0)>;
};

}  // namespace tenon::internal
