#pragma once

#include <tenon/eval/rows/bands.hpp>
#include <tenon/eval/rows/chunks.hpp>

/// New adjoints are zero before a kernel adds to them. Where its rows come to all of an adjoint,
/// and have nothing in common, each sets its own part to zero as it begins: that is in cache when
/// it is added to, so memory is walked once, not twice.
namespace tenon {

/// A part of an adjoint.
void set_to_zero(MemoryAccess& access, std::int64_t first, std::int64_t count);

/// Do all accesses to one adjoint keep to what is their row's, or piece's, own?
bool nobody_shares(RowLayout const& layout, std::int64_t pieces, Accesses const& accesses,
                   MemoryAccess const& access);

/// The elements of its adjoint that belong to a row; 0 where rows share elements or leave some out.
/// (That parts are as many elements as the adjoint has, and apart, makes them all of it, side by
/// side.)
std::int64_t part_of_row(RowLayout const& layout, std::int64_t pieces, Accesses const& accesses,
                         MemoryAccess const& access);

/// Sets new adjoints to zero, or leaves it to the rows. Is there anything left to them?
bool set_new_adjoints(Accesses const& accesses, RowLayout const& layout, RowChunks const& chunks);

/// Sets what belongs to a row, or to the elements [begin, end) of one that is cut into pieces.
void set_parts(Accesses const& accesses, RowLayout const& layout, std::int64_t begin,
               std::int64_t end);

}  // namespace tenon

#if TENON_DEFINES_RUNTIME
#include <tenon/eval/rows/new_adjoints.ipp>
#endif
