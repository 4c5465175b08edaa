#pragma once

#include <algorithm>
#include <cstring>

#include <tenon/core/config.hpp>
#include <tenon/eval/rows/shared_adjoints.hpp>

namespace tenon::internal {

[[gnu::noinline]] TENON_RUNTIME SharedAdjoints::SharedAdjoints(Accesses const& accesses,
                                                               RowLayout const& layout,
                                                               RowChunks const& chunks)
    : groups_(chunks.count) {
  find(accesses, layout, chunks);
  std::int64_t elements = 0;
  for (Shared const& shared : shared_) elements += shared.count;
  if (shared_.empty()) return;
  groups_ =
      (std::min)({chunks.count, most_groups,
                  std::max<std::int64_t>(1, most_elements / std::max<std::int64_t>(1, elements))});
  if (groups_ <= 1) return;
  for (Shared& shared : shared_) shared.copies = zeros(groups_ * shared.count * shared.bytes);
}

TENON_RUNTIME void SharedAdjoints::redirect(Accesses const& accesses, std::int64_t group) const {
  if (groups_ <= 1) return;
  accesses.each([&](MemoryAccess& access) {
    for (Shared const& shared : shared_) {
      if (access.gradient == shared.gradient)
        access.gradient = shared.copies.as<std::byte>() + group * shared.count * shared.bytes;
    }
  });
}

TENON_RUNTIME void SharedAdjoints::collect() const {
  for (Shared const& shared : shared_) {
    for (std::int64_t group = 0; groups_ > 1 && group < groups_; ++group) {
      shared.add(shared.gradient,
                 shared.copies.as<std::byte>() + group * shared.count * shared.bytes, shared.count);
    }
  }
}

TENON_RUNTIME SharedBuffer SharedAdjoints::zeros(std::int64_t bytes) {
  SharedBuffer buffer(static_cast<std::size_t>(bytes));
  std::memset(buffer.data(), 0, buffer.bytes());
  return buffer;
}

TENON_RUNTIME void SharedAdjoints::enter(MemoryAccess const& access) {
  for (Shared const& shared : shared_) {
    if (shared.gradient == access.gradient) return;
  }
  shared_.push_back({access.gradient, access.count, access.element_bytes, access.add});
}

TENON_RUNTIME void SharedAdjoints::find(Accesses const& accesses, RowLayout const& layout,
                                        RowChunks const& chunks) {
  if (chunks.count <= 1) return;
  accesses.each([&](MemoryAccess& access) {
    if (access.gradient != nullptr && is_shared(layout, chunks.pieces, accesses, access))
      enter(access);
  });
}

}  // namespace tenon::internal
