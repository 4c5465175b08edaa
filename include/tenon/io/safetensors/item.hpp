#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <tenon/core/config.hpp>
#include <tenon/io/safetensors/dtype.hpp>
#include <tenon/tensor/device.hpp>
#include <tenon/tensor/tensor.hpp>
#include <tenon/tensor/transfers.hpp>

namespace tenon::internal::safetensors {

/// A leaf to be written to a file.
struct Item {
  std::string name;
  StoredDtype const* dtype;
  std::vector<std::int64_t> sizes;
  void const* data;
  std::size_t bytes;
  void (*bring)(void* to, void const* from, std::size_t bytes);  ///< Copies from a device; null for
                                                                 ///< host memory.
  std::string spec{};                                            ///< Its axes.
};

/// The function that copies the elements of a leaf to the host.
template <class Leaf>
constexpr auto bringer_of() -> decltype(Item::bring) {
  return nullptr;
}
template <TensorType Leaf>
  requires DeviceWithMemory<typename Leaf::device>
constexpr auto bringer_of() -> decltype(Item::bring) {
  return [](void* to, void const* from, std::size_t bytes) {
    copy_to_host<typename Leaf::device>(to, from, bytes);
  };
}

/// The elements of an item in the memory of the host: those of a device are copied.
class HostElements {
 public:
  explicit HostElements(Item const& item);

  void const* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }

 private:
  std::vector<std::byte> copy_{};
  void const* data_;
  std::size_t bytes_;
};

}  // namespace tenon::internal::safetensors

#if TENON_DEFINES_RUNTIME
#include <tenon/io/safetensors/item.ipp>
#endif
