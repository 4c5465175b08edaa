#pragma once

#include <cstring>

#include <tenon/core/config.hpp>
#include <tenon/eval/rows/new_adjoints.hpp>

namespace tenon::internal {

TENON_RUNTIME void set_to_zero(MemoryAccess& access, std::int64_t first, std::int64_t count) {
  std::memset(access.gradient + first * access.element_bytes, 0,
              static_cast<std::size_t>(count * access.element_bytes));
}

TENON_RUNTIME bool is_unshared(RowLayout const& layout, std::int64_t pieces,
                               Accesses const& accesses, MemoryAccess const& access) {
  return accesses.all([&](MemoryAccess& other) {
    return other.gradient != access.gradient || !is_shared(layout, pieces, accesses, other);
  });
}

TENON_RUNTIME std::int64_t part_of_row(RowLayout const& layout, std::int64_t pieces,
                                       Accesses const& accesses, MemoryAccess const& access) {
  bool const in_pieces = pieces > 1;
  std::int64_t const part = in_pieces ? layout.row.size() : band_of(layout, access);
  if (part * layout.rows() != access.count) return 0;
  bool const is_own = in_pieces ? access.start == 0 && at(access.row, 0) == 1
                                : keep_to_bands(layout, accesses, access);
  return is_own && is_unshared(layout, pieces, accesses, access) ? part : 0;
}

[[gnu::noinline]] TENON_RUNTIME bool set_new_adjoints(Accesses const& accesses,
                                                      RowLayout const& layout,
                                                      RowChunks const& chunks) {
  bool left = false;
  accesses.each([&](MemoryAccess& access) {
    if (access.gradient == nullptr || !access.gradient_is_new) return;
    if (chunks.count > 1) access.own_part = part_of_row(layout, chunks.pieces, accesses, access);
    if (access.own_part == 0) set_to_zero(access, 0, access.count);
    left = left || access.own_part > 0;
  });
  return left;
}

TENON_RUNTIME void set_parts(Accesses const& accesses, RowLayout const& layout, std::int64_t begin,
                             std::int64_t end) {
  bool const is_piece = end - begin < layout.row.inner();
  accesses.each([&](MemoryAccess& access) {
    if (access.own_part == 0) return;
    std::int64_t const first = access.at / access.own_part * access.own_part + begin;
    set_to_zero(access, first, is_piece ? end - begin : access.own_part);
  });
}

}  // namespace tenon::internal
