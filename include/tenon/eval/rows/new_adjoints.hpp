#pragma once

#include <tenon/eval/rows/bands.hpp>
#include <tenon/eval/rows/chunks.hpp>

/// New adjoints are zeroed before a kernel adds to them. Where the rows of a kernel cover all of an
/// adjoint and share no element, each row zeroes its own part as it begins: that part is then in
/// cache when it is added to, so memory is walked once, not twice.
namespace tenon::internal {

/// Sets a part of an adjoint to zero.
void set_to_zero(MemoryAccess& access, std::int64_t first, std::int64_t count);

/// Whether all accesses to one adjoint stay within the part of their row or chunk.
bool is_unshared(RowLayout const& layout, std::int64_t pieces, Accesses const& accesses,
                 MemoryAccess const& access);

/// The elements of its adjoint that belong to a row; 0 where rows share elements or leave some out.
/// (Disjoint parts with as many elements as the adjoint cover all of it.)
std::int64_t part_of_row(RowLayout const& layout, std::int64_t pieces, Accesses const& accesses,
                         MemoryAccess const& access);

/// Sets new adjoints to zero, or defers it to the rows. Returns whether anything is deferred.
bool set_new_adjoints(Accesses const& accesses, RowLayout const& layout, RowChunks const& chunks);

/// Zeroes the part of a row, or of the elements [begin, end) of a row that is cut into chunks.
void set_parts(Accesses const& accesses, RowLayout const& layout, std::int64_t begin,
               std::int64_t end);

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME
#include <tenon/eval/rows/new_adjoints.ipp>
#endif
