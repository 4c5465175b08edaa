#pragma once

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

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME
#include <tenon/eval/rows/bands.ipp>
#endif
