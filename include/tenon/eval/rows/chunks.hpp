#pragma once

#include <cstdint>

#include <tenon/eval/rows/layout.hpp>

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

#if TENON_DEFINES_RUNTIME
#include <tenon/eval/rows/chunks.ipp>
#endif
