#pragma once

#include <cstdlib>

#include <tenon/eval/rows/layout.hpp>

/// Which adjoints may two chunks of a kernel add to? A tensor is row-major, so what lies along some
/// of its axes from a position of all axes outside of these is a band of neighbours: where the
/// outer axes of a kernel choose the band, and nothing leaves it, its rows have nothing in common.
/// So it is where a formula reads a row twice, in a fold, beside it, and by the place of a label.
namespace tenon {

/// How long such a band is; 0 where the outer axes do not stand in the order of the tensor's.
inline std::int64_t band_of(RowLayout const& layout, MemoryAccess const& access) {
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

/// Does an access stay in the band, of so many elements, in which another begins?
inline bool stays_in_band(MemoryAccess const& access, MemoryAccess const& first,
                          std::int64_t band) {
  bool stays = access.stride == first.stride && access.start / band == first.start / band &&
               !access.shares_gradient && access.gathered < band;
  for (int i = 0; i < max_rank; ++i) {
    stays = stays && std::abs(at(access.row, i)) < band && std::abs(at(access.depth, i)) < band;
  }
  return stays;
}

/// Do all accesses to the adjoint of this one keep to the bands of their rows?
[[gnu::noinline]] inline bool keep_to_bands(RowLayout const& layout, Accesses const& accesses,
                                            MemoryAccess const& first) {
  std::int64_t const band = band_of(layout, first);
  return band > 0 && accesses.all([&](MemoryAccess& access) {
    return access.gradient != first.gradient || stays_in_band(access, first, band);
  });
}

/// May two rows add to the same element through this access?
inline bool meets_itself(RowLayout const& layout, MemoryAccess const& access) {
  if (access.shares_gradient || access.gathered != 0) return true;
  for (int i = 0; i < layout.outer_rank; ++i) {
    if (at(access.stride, i) == 0 && at(layout.outer, i) > 1) return true;
  }
  return false;
}

/// Walk two accesses to one adjoint over it in different ways?
inline bool differ(MemoryAccess const& a, MemoryAccess const& b) {
  return a.gradient == b.gradient &&
         (a.stride != b.stride || a.row != b.row || a.depth != b.depth || a.start != b.start);
}

/// May two chunks add to the same element of this access's adjoint? `pieces` are the chunks of a
/// row.
[[gnu::noinline]] inline bool is_shared(RowLayout const& layout, std::int64_t pieces,
                                        Accesses const& accesses, MemoryAccess const& access) {
  if (pieces == 1 && keep_to_bands(layout, accesses, access)) return false;
  if (meets_itself(layout, access) || (pieces > 1 && at(access.row, 0) == 0)) return true;
  return !accesses.all([&](MemoryAccess& other) { return !differ(access, other); });
}

}  // namespace tenon
