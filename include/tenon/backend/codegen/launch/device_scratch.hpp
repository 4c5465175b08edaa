#pragma once

#include <utility>
#include <vector>

#include <tenon/tensor/device_memory.hpp>

namespace tenon::internal::codegen {

/// Intermediate memory between the kernels of one expression, allocated on first use.
template <DeviceWithMemory D>
class DeviceScratch {
 public:
  template <class Between>
  void const* operator()(Between const& one) {
    for (auto const& [known, buffer] : taken_)
      if (known == one.place) return buffer.data();
    taken_.emplace_back(one.place,
                        DeviceBlocks<D>::instance().take(static_cast<std::size_t>(one.bytes)));
    return taken_.back().second.data();
  }

 private:
  std::vector<std::pair<std::size_t, SharedBuffer>> taken_{};
};

}  // namespace tenon::internal::codegen
