#pragma once

#include <cstdlib>

#include <tenon/core/config.hpp>
#include <tenon/eval/rows/bands.hpp>

namespace tenon::internal {

TENON_RUNTIME std::int64_t band_of(RowLayout const& layout, MemoryAccess const& access) {
  std::int64_t band = 0, covered = 1;
  for (int i = layout.outer_rank - 1; i >= 0; --i) {
    if (at(layout.outer, i) == 1) continue;
    std::int64_t const step = at(access.stride, i);
    if (step < covered) return 0;
    if (band == 0) band = step;
    covered = step * at(layout.outer, i);
  }
  return band;
}

TENON_RUNTIME bool stays_in_band(MemoryAccess const& access, MemoryAccess const& first,
                                 std::int64_t band) {
  bool stays = access.stride == first.stride && access.start / band == first.start / band &&
               !access.shares_gradient && access.gathered < band;
  for (int i = 0; i < max_rank; ++i) {
    stays = stays && std::abs(at(access.row, i)) < band && std::abs(at(access.depth, i)) < band;
  }
  return stays;
}

[[gnu::noinline]] TENON_RUNTIME bool keep_to_bands(RowLayout const& layout,
                                                   Accesses const& accesses,
                                                   MemoryAccess const& first) {
  std::int64_t const band = band_of(layout, first);
  return band > 0 && accesses.all([&](MemoryAccess& access) {
    return access.gradient != first.gradient || stays_in_band(access, first, band);
  });
}

TENON_RUNTIME bool overlaps_itself(RowLayout const& layout, MemoryAccess const& access) {
  if (access.shares_gradient || access.gathered != 0) return true;
  for (int i = 0; i < layout.outer_rank; ++i) {
    if (at(access.stride, i) == 0 && at(layout.outer, i) > 1) return true;
  }
  return false;
}

TENON_RUNTIME bool differ(MemoryAccess const& a, MemoryAccess const& b) {
  return a.gradient == b.gradient &&
         (a.stride != b.stride || a.row != b.row || a.depth != b.depth || a.start != b.start);
}

[[gnu::noinline]] TENON_RUNTIME bool is_shared(RowLayout const& layout, std::int64_t pieces,
                                               Accesses const& accesses,
                                               MemoryAccess const& access) {
  if (pieces == 1 && keep_to_bands(layout, accesses, access)) return false;
  if (overlaps_itself(layout, access) || (pieces > 1 && at(access.row, 0) == 0)) return true;
  return !accesses.all([&](MemoryAccess& other) { return !differ(access, other); });
}

}  // namespace tenon::internal
