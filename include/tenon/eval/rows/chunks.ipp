#pragma once

#include <algorithm>

#include <tenon/core/config.hpp>
#include <tenon/eval/rows/chunks.hpp>

namespace tenon::internal {

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
