#pragma once

#include <cstdint>
#include <vector>

#include <tenon/core/config.hpp>
#include <tenon/eval/rows/layout.hpp>
#include <tenon/tensor/memory.hpp>

/// Determines which chunks of a kernel may add to the same adjoint. A tensor is row-major, so for a
/// fixed position of its outer axes the inner axes cover a contiguous band. If the outer axes of a
/// kernel select the band, and no access leaves it, its rows share no element. This holds also for
/// a formula that reads a row twice: in a reduction, beside it, and at the index of a label.
namespace tenon::internal {

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

/// New adjoints are zeroed before a kernel adds to them. Where the rows of a kernel cover all of an
/// adjoint and share no element, each row zeroes its own part as it begins: that part is then in
/// cache when it is added to, so memory is walked once, not twice.
namespace tenon::internal {

/// Sets new adjoints to zero, or defers it to the rows. Returns whether anything is deferred.
bool set_new_adjoints(Accesses const& accesses, RowLayout const& layout, RowChunks const& chunks);

/// Zeroes the part of a row, or of the elements [begin, end) of a row that is cut into chunks.
void set_parts(Accesses const& accesses, RowLayout const& layout, std::int64_t begin,
               std::int64_t end);

/// The adjoints to which several chunks add. Each group of chunks gets a separate copy; copies are
/// added in the order of the groups, so that the sum does not depend on the threads.
class SharedAdjoints {
 public:
  static constexpr std::int64_t most_groups = 16;
  static constexpr std::int64_t most_elements = std::int64_t{1} << 22;

  /// `accesses` are those of a kernel's formula.
  SharedAdjoints(Accesses const& accesses, RowLayout const& layout, RowChunks const& chunks);

  /// Groups run in parallel, the chunks of a group one after the other.
  std::int64_t groups() const { return groups_; }

  /// Points a kernel's accesses at the copies of a group.
  void redirect(Accesses const& accesses, std::int64_t group) const;

  /// Adds up the copies.
  void collect() const;

 private:
  struct Shared {
    std::byte* gradient;
    std::int64_t count;
    std::int64_t bytes;
    void (*add)(std::byte*, std::byte const*, std::int64_t);
    SharedBuffer copies{};
  };

  static SharedBuffer zeros(std::int64_t bytes);

  void enter(MemoryAccess const& access);

  void find(Accesses const& accesses, RowLayout const& layout, RowChunks const& chunks);

  std::vector<Shared> shared_;
  std::int64_t groups_;
};

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace tenon::internal {

/// The length of the band of an access; 0 where the outer axes are not in the order of the tensor's
/// axes.
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

/// Whether an access stays in the band of `band` elements in which another begins.
TENON_RUNTIME bool stays_in_band(MemoryAccess const& access, MemoryAccess const& first,
                                 std::int64_t band) {
  bool stays = access.stride == first.stride && access.start / band == first.start / band &&
               !access.shares_gradient && access.gathered < band;
  for (int i = 0; i < max_rank; ++i) {
    stays = stays && std::abs(at(access.row, i)) < band && std::abs(at(access.depth, i)) < band;
  }
  return stays;
}

/// Whether all accesses to the adjoint of `first` stay in the bands of their rows.
[[gnu::noinline]] TENON_RUNTIME bool keep_to_bands(RowLayout const& layout,
                                                   Accesses const& accesses,
                                                   MemoryAccess const& first) {
  std::int64_t const band = band_of(layout, first);
  return band > 0 && accesses.all([&](MemoryAccess& access) {
    return access.gradient != first.gradient || stays_in_band(access, first, band);
  });
}

/// Whether two rows may add to the same element through this access.
TENON_RUNTIME bool overlaps_itself(RowLayout const& layout, MemoryAccess const& access) {
  if (access.shares_gradient || access.gathered != 0) return true;
  for (int i = 0; i < layout.outer_rank; ++i) {
    if (at(access.stride, i) == 0 && at(layout.outer, i) > 1) return true;
  }
  return false;
}

/// Whether two accesses to one adjoint differ in how they walk over it.
[[gnu::noinline]] TENON_RUNTIME bool differ(MemoryAccess const& a, MemoryAccess const& b) {
  return a.gradient == b.gradient &&
         (a.stride != b.stride || a.row != b.row || a.depth != b.depth || a.start != b.start);
}

/// Whether two chunks may add to the same element of this access's adjoint. `pieces` is the number
/// of chunks of a row.
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

/// Sets a part of an adjoint to zero.
TENON_RUNTIME void set_to_zero(MemoryAccess& access, std::int64_t first, std::int64_t count) {
  std::memset(access.gradient + first * access.element_bytes, 0,
              static_cast<std::size_t>(count * access.element_bytes));
}

/// Whether all accesses to one adjoint stay within the part of their row or chunk.
TENON_RUNTIME bool is_unshared(RowLayout const& layout, std::int64_t pieces,
                               Accesses const& accesses, MemoryAccess const& access) {
  return accesses.all([&](MemoryAccess& other) {
    return other.gradient != access.gradient || !is_shared(layout, pieces, accesses, other);
  });
}

/// The elements of its adjoint that belong to a row; 0 where rows share elements or leave some out.
/// (Disjoint parts with as many elements as the adjoint cover all of it.)
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

#endif
