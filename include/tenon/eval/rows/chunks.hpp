#pragma once

#include <algorithm>
#include <cstdint>

#include <tenon/eval/rows/layout.hpp>

namespace tenon {

/// Elements of work in one chunk. Chunks depend on sizes alone, never on the number of threads.
inline constexpr std::int64_t chunk_elements = 16384;

/// A piece of a row is no shorter: a few cache lines.
inline constexpr std::int64_t shortest_piece = 128;

/// How the rows of a kernel are cut: whole rows, or pieces of one long row.
struct RowChunks {
  std::int64_t rows = 1;    ///< Rows in a chunk.
  std::int64_t pieces = 1;  ///< Chunks in a row.
  std::int64_t piece = 0;   ///< Elements in such a chunk.
  std::int64_t count = 0;
};

[[gnu::noinline]] inline RowChunks chunks_of(RowLayout const& layout, bool has_folds,
                                             bool has_scalar_rows) {
  RowChunks chunks;
  std::int64_t const element_work = std::max<std::int64_t>(layout.element_work, 1);
  std::int64_t const work = std::max<std::int64_t>(layout.row_work * element_work, 1);
  if (layout.row.size() == 0 && !has_scalar_rows) return chunks;
  if (!has_folds && !has_scalar_rows && layout.row.rank == 1 && work > chunk_elements) {
    chunks.piece = std::max(shortest_piece, chunk_elements / element_work);
    chunks.pieces = (layout.row.inner() + chunks.piece - 1) / chunks.piece;
    chunks.count = layout.rows() * chunks.pieces;
  } else {
    chunks.rows = std::max<std::int64_t>(1, chunk_elements / work);
    chunks.count = (layout.rows() + chunks.rows - 1) / chunks.rows;
  }
  return chunks;
}

template <class K>
RowChunks chunks_of(K const& kernel) {
  return chunks_of(kernel, K::has_folds, K::has_scalar_rows);
}

}  // namespace tenon
