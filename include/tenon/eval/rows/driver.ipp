#pragma once

#include <algorithm>
#include <cstring>

#include <tenon/core/config.hpp>
#include <tenon/eval/rows/driver.hpp>

namespace tenon::internal {

[[gnu::noinline]] TENON_RUNTIME KernelAtWork KernelAtWork::copied(std::byte* memory) const {
  std::memcpy(memory, kernel, bytes);
  std::ptrdiff_t const shift = memory - kernel;
  KernelAtWork copy = *this;
  copy.kernel = memory;
  copy.layout = reinterpret_cast<RowLayout*>(reinterpret_cast<std::byte*>(layout) + shift);
  copy.accesses.shift(shift);
  return copy;
}

[[gnu::noinline]] TENON_RUNTIME bool RowRuns::step_on() {
  bool const more = next(middle, row.sizes, row.rank - 1);
  accesses.each([&](MemoryAccess& access) {
    access.now = access.at + (more ? offset(access.row, middle, row.rank - 1) : 0);
  });
  return more;
}

TENON_RUNTIME void run_rows(KernelAtWork const& work, std::int64_t first, std::int64_t last,
                            std::int64_t begin, std::int64_t end) {
  RowLayout& layout = *work.layout;
  std::int64_t const along = layout.last_outer();
  for (std::int64_t number = first, left = 0; number < last; ++number, --left) {
    if (left > 0) {
      layout.advance(work.accesses);
    } else {
      layout.start(work.accesses, number);
      left = along - (number == 0 ? 0 : number % along);
    }
    if (work.sets_parts) set_parts(work.accesses, layout, begin, end);
    work.row(layout, work.accesses, begin, end);
  }
}

TENON_RUNTIME void run_pieces(KernelAtWork const& work, std::int64_t start, std::int64_t rows,
                              std::int64_t columns) {
  std::int64_t const row = work.layout->row.inner(), first = start / row;
  std::int64_t const begin = start % row / columns * columns;
  run_rows(work, first, first + rows, begin, (std::min)(begin + columns, row));
}

/// Computes the rows, or the part of a row, of one chunk.
TENON_RUNTIME void run_chunk(KernelAtWork const& work, RowChunks const& chunks,
                             std::int64_t chunk) {
  std::int64_t const rows = work.layout->rows(), inner = work.layout->row.inner();
  if (chunks.pieces == 1) {
    std::int64_t const first = chunk * chunks.rows;
    run_rows(work, first, (std::min)(first + chunks.rows, rows), 0, inner);
  } else {
    std::int64_t const row = chunk / chunks.pieces, begin = chunk % chunks.pieces * chunks.piece;
    run_rows(work, row, row + 1, begin, (std::min)(begin + chunks.piece, inner));
  }
}

TENON_RUNTIME void GroupsAtWork::run(KernelAtWork const& own, std::int64_t group,
                                     std::byte* scratch) const {
  if (own.place != nullptr) own.place(*own.layout, scratch);
  if (shared != nullptr) shared->redirect(own.accesses, group);
  std::int64_t const end = (group + 1) * chunks.count / groups;
  for (std::int64_t chunk = group * chunks.count / groups; chunk < end; ++chunk)
    run_chunk(own, chunks, chunk);
  if (own.layout->past_caches) finish_past_caches();
}

TENON_RUNTIME void GroupsAtWork::operator()(std::int64_t group, std::byte* scratch) const {
  std::size_t const bytes = copy_bytes();
  if (bytes == 0) run(work, group, scratch);
  else run(work.copied(scratch), group, scratch + bytes);
}

/// A single group that needs no working memory runs here: a small kernel starts sooner.
TENON_RUNTIME void run_groups(ChunkLoops const& loops, GroupsAtWork const& groups) {
  if (groups.groups == 1 && groups.work.row_bytes == 0) groups(0, nullptr);
  else loops.parallel_for(groups);
}

[[gnu::noinline]] TENON_RUNTIME void run_forward(ChunkLoops const& loops, KernelAtWork const& work,
                                                 RowChunks const& chunks) {
  std::int64_t const parts = chunks.count == 1 ? 1 : loops.parts(chunks.count);
  run_groups(loops, {work, chunks, parts, nullptr, loops.finish_past_caches});
}

[[gnu::noinline]] TENON_RUNTIME void run_sweep(ChunkLoops const& loops, KernelAtWork work,
                                               RowChunks const& chunks) {
  work.sets_parts = set_new_adjoints(work.accesses, *work.layout, chunks);
  SharedAdjoints const shared(work.accesses, *work.layout, chunks);
  run_groups(loops, {work, chunks, shared.groups(), &shared, loops.finish_past_caches});
  shared.collect();
}

}  // namespace tenon::internal
