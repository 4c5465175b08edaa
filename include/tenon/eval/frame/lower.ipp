#pragma once

#include <tenon/core/config.hpp>
#include <tenon/eval/frame/lower.hpp>

namespace tenon {

TENON_RUNTIME MemoryAccess access_to_memory(void const* data, Sizes const& sizes, int rank,
                                            std::size_t element_bytes) {
  MemoryAccess access;
  access.data = static_cast<std::byte const*>(data);
  access.element_bytes = static_cast<std::int64_t>(element_bytes);
  access.count = 1;
  for (int i = rank - 1; i >= 0; --i) {
    at(access.stride, i) = access.count;
    access.count *= at(sizes, i);
  }
  return access;
}

}  // namespace tenon
