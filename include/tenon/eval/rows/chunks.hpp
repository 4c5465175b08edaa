#pragma once

#include <cstdint>

#include <tenon/core/config.hpp>
#include <tenon/eval/rows/layout.hpp>

/// Determines which chunks of a kernel may add to the same adjoint. A tensor is row-major, so for a
/// fixed position of its outer axes the inner axes cover a contiguous band. If the outer axes of a
/// kernel select the band, and no access leaves it, its rows share no element. This holds also for
/// a formula that reads a row twice: in a reduction, beside it, and at the index of a label.
namespace tenon::internal {

/// The length of such a band; 0 where the outer axes are not in the order of the tensor's axes.
std::int64_t band_of(RowLayout const& layout, MemoryAccess const& access);

/// Whether an access stays in the band of `band` elements in which another begins.
bool stays_in_band(MemoryAccess const& access, MemoryAccess const& first, std::int64_t band);

/// Whether all accesses to the adjoint of this one stay in the bands of their rows.
bool keep_to_bands(RowLayout const& layout, Accesses const& accesses, MemoryAccess const& first);

/// Whether two rows may add to the same element through this access.
bool overlaps_itself(RowLayout const& layout, MemoryAccess const& access);

/// Whether two accesses to one adjoint differ in how they walk over it.
bool differ(MemoryAccess const& a, MemoryAccess const& b);

/// Whether two chunks may add to the same element of this access's adjoint. `pieces` is the number
/// of chunks of a row.
bool is_shared(RowLayout const& layout, std::int64_t pieces, Accesses const& accesses,
               MemoryAccess const& access);

/// Elements of work in one chunk. The partitioning depends on sizes alone, never on the number of
/// threads.
inline constexpr std::int64_t chunk_elements = 16384;

/// The minimum length of a chunk of a row: a few cache lines.
inline constexpr std::int64_t shortest_piece = 128;

/// How the rows of a kernel are partitioned: into whole rows, or one long row into several chunks.
struct RowChunks {
  std::int64_t rows = 1;    ///< Rows in a chunk.
  std::int64_t pieces = 1;  ///< Chunks in a row.
  std::int64_t piece = 0;   ///< Elements in such a chunk.
  std::int64_t count = 0;
};

RowChunks chunks_of(RowLayout const& layout);

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME

#include <algorithm>
#include <cstdlib>

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

[[gnu::noinline]] TENON_RUNTIME RowChunks chunks_of(RowLayout const& layout) {
  RowChunks chunks;
  std::int64_t const element_work = std::max<std::int64_t>(layout.element_work, 1);
  std::int64_t const work = std::max<std::int64_t>(layout.row_work * element_work, 1);
  if (layout.row.size() == 0 && !layout.has_scalar_rows) return chunks;
  std::int64_t const rows = layout.rows();
  bool const has_one_run =
      !layout.has_reductions && !layout.has_scalar_rows && layout.row.rank == 1;
  if (has_one_run && work > chunk_elements) {
    chunks.piece = (std::max)(shortest_piece, chunk_elements / element_work);
    chunks.pieces = (layout.row.inner() + chunks.piece - 1) / chunks.piece;
    chunks.count = rows * chunks.pieces;
  } else {
    chunks.rows = std::max<std::int64_t>(1, chunk_elements / work);
    chunks.count = (rows + chunks.rows - 1) / chunks.rows;
  }
  return chunks;
}

}  // namespace tenon::internal

#endif
