#pragma once

#include <tenon/core/config.hpp>
#include <tenon/eval/frame/lower.hpp>

namespace tenon::internal {

[[gnu::noinline]] TENON_RUNTIME void set_access(MemoryAccess& access, void const* data,
                                                Sizes const& sizes, int rank,
                                                std::size_t element_bytes) {
  access = MemoryAccess{};
  access.data = static_cast<std::byte const*>(data);
  access.element_bytes = static_cast<std::int64_t>(element_bytes);
  access.count = 1;
  for (int i = rank - 1; i >= 0; --i) {
    at(access.stride, i) = access.count;
    access.count *= at(sizes, i);
  }
}

TENON_RUNTIME Sizes table_strides(Sizes const& strides, int rank, int axis, int moved) {
  Sizes result{};
  for (int i = 0; i < rank; ++i) {
    if (i != axis) at(result, i < axis ? i : i + moved) = at(strides, i);
  }
  return result;
}

}  // namespace tenon::internal
