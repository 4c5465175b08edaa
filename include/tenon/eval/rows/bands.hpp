#pragma once

#include <tenon/eval/rows/layout.hpp>

/// Which adjoints may two chunks of a kernel add to? A tensor is row-major, so what lies along some
/// of its axes from a position of all axes outside of these is a band of neighbours: where the
/// outer axes of a kernel choose the band, and nothing leaves it, its rows have nothing in common.
/// So it is where a formula reads a row twice, in a fold, beside it, and by the place of a label.
namespace tenon {

/// How long such a band is; 0 where the outer axes do not stand in the order of the tensor's.
std::int64_t band_of(RowLayout const& layout, MemoryAccess const& access);

/// Does an access stay in the band, of so many elements, in which another begins?
bool stays_in_band(MemoryAccess const& access, MemoryAccess const& first, std::int64_t band);

/// Do all accesses to the adjoint of this one keep to the bands of their rows?
bool keep_to_bands(RowLayout const& layout, Accesses const& accesses, MemoryAccess const& first);

/// May two rows add to the same element through this access?
bool meets_itself(RowLayout const& layout, MemoryAccess const& access);

/// Walk two accesses to one adjoint over it in different ways?
bool differ(MemoryAccess const& a, MemoryAccess const& b);

/// May two chunks add to the same element of this access's adjoint? `pieces` are the chunks of a
/// row.
bool is_shared(RowLayout const& layout, std::int64_t pieces, Accesses const& accesses,
               MemoryAccess const& access);

}  // namespace tenon

#if TENON_DEFINES_RUNTIME
#include <tenon/eval/rows/bands.ipp>
#endif
