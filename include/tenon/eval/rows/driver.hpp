#pragma once

#include <cstddef>
#include <type_traits>

#include <tenon/core/config.hpp>
#include <tenon/eval/rows/adjoints.hpp>
#include <tenon/tensor/memory.hpp>

/// The loops over the rows, chunks and threads of a kernel. They do not depend on the formula, so
/// they are compiled once for all kernels of a program: the code of a formula is that of one row.
namespace tenon::internal {

/// A kernel whose formula is type-erased behind a function that computes one row.
struct KernelAtWork {
  std::byte* kernel;  ///< The whole kernel: `bytes` that are trivially copyable.
  std::size_t bytes;
  RowLayout* layout;      ///< The part of it that does not depend on the formula.
  Accesses accesses;      ///< All accesses, including the result's.
  std::size_t row_bytes;  ///< Working memory for shared rows.

  std::int64_t rows_at_once;
  /// Computes the elements [begin, end) of each of at most `rows_at_once` adjacent rows. The
  /// accesses are at the first of them before the call, and at the last one after it.
  void (*run)(RowGroup const& rows, std::int64_t begin, std::int64_t end);
  void (*place)(RowLayout&, std::byte* scratch) = nullptr;  ///< Null where no rows are shared.
  bool sets_parts = false;  ///< Whether each row initialises its own part of new adjoints.

  /// The bytes of a copy, with those up to the next cache line.
  std::size_t copy_bytes() const { return (bytes + 63) / 64 * 64; }
  /// A copy at `memory`.
  KernelAtWork copied(std::byte* memory) const;
};

template <class K>
KernelAtWork kernel_at_work(K& kernel, decltype(KernelAtWork::run) run,
                            std::int64_t rows_at_once = 1) {
  static_assert(std::is_trivially_copyable_v<K>);
  KernelAtWork work{reinterpret_cast<std::byte*>(&kernel),
                    sizeof(K),
                    &kernel,
                    kernel.accesses(),
                    0,
                    rows_at_once,
                    run};
  if constexpr (K::is_of_reductions) {
    work.row_bytes = kernel.scratch_bytes();
    work.place = [](RowLayout& layout, std::byte* scratch) {
      static_cast<K&>(layout).place_scratch(scratch);
    };
  }
  return work;
}

/// Computes the elements [begin, end) of the rows from `first` to `last`.
void run_rows(KernelAtWork const& work, std::int64_t first, std::int64_t last, std::int64_t begin,
              std::int64_t end);

/// Computes the chunks of `rows` rows, each of `columns` elements, that begin at element `start`.
void run_pieces(KernelAtWork const& work, std::int64_t start, std::int64_t rows,
                std::int64_t columns);

/// Groups of chunks that run in parallel: a single group uses the kernel itself, each of several
/// uses a copy. Where chunks may add to the same adjoints, `shared` has copies of these for every
/// group.
struct GroupsAtWork {
  KernelAtWork const& work;
  RowChunks const& chunks;
  std::int64_t groups;
  SharedAdjoints const* shared;
  void (*finish_past_caches)();

  std::size_t copy_bytes() const { return groups == 1 ? 0 : work.copy_bytes(); }
  void operator()(std::int64_t group, std::byte* scratch) const;

 private:
  void run(KernelAtWork const& own, std::int64_t group, std::byte* scratch) const;
};

/// How a backend runs chunks.
struct ChunkLoops {
  void (*parallel_for)(GroupsAtWork const& groups);
  std::int64_t (*parts)(std::int64_t chunks);  ///< The number of groups into which chunks are
                                               ///< divided.
  void (*finish_past_caches)();
};

/// The value of a chunk does not depend on the thread that computes it: a backend may use few
/// groups, for each of which the kernel is copied once.
template <class Backend>
inline constexpr ChunkLoops loops_of{
    [](GroupsAtWork const& groups) {
      Backend::parallel_for(groups.groups, groups.copy_bytes() + groups.work.row_bytes, groups);
    },
    [](std::int64_t chunks) { return Backend::parts(chunks); },
    [] { Backend::machine::finish_past_caches(); }};

/// Computes a result.
void run_forward(ChunkLoops const& loops, KernelAtWork const& work);

/// Adds all chunks of an adjoint to the adjoints of the leaves.
void run_sweep(ChunkLoops const& loops, KernelAtWork work, RowChunks const& chunks);

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME

#include <algorithm>
#include <cstring>

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

/// (Several rows at once are adjacent along the last outer axis.)
[[gnu::noinline]] TENON_RUNTIME void run_rows(KernelAtWork const& work, std::int64_t first,
                                              std::int64_t last, std::int64_t begin,
                                              std::int64_t end) {
  RowLayout& layout = *work.layout;
  RowGroup group{layout, work.accesses, 1};
  std::int64_t const along = layout.last_outer();
  for (std::int64_t number = first, left = 0; number < last; number += group.rows) {
    left -= group.rows;
    if (left > 0) {
      layout.advance(work.accesses);
    } else {
      layout.start(work.accesses, number);
      left = along - (number == 0 ? 0 : number % along);
    }
    if (work.rows_at_once > 1) group.rows = (std::min)({work.rows_at_once, left, last - number});
    if (work.sets_parts) set_parts(work.accesses, layout, begin, end);
    work.run(group, begin, number == layout.cut_row ? layout.cut_end : end);
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

[[gnu::noinline]] TENON_RUNTIME void GroupsAtWork::operator()(std::int64_t group,
                                                              std::byte* scratch) const {
  std::size_t const bytes = copy_bytes();
  if (bytes == 0) run(work, group, scratch);
  else run(work.copied(scratch), group, scratch + bytes);
}

/// A single group that needs no working memory runs here: a small kernel starts sooner.
TENON_RUNTIME void run_groups(ChunkLoops const& loops, GroupsAtWork const& groups) {
  if (groups.groups == 1 && groups.work.row_bytes == 0) groups(0, nullptr);
  else loops.parallel_for(groups);
}

/// Rows of fewer elements are joined, if the result is not small.
inline constexpr std::int64_t shortest_row = 128, shortest_joined = 4096;

/// Whether an access walks over all rows as if they were one.
TENON_RUNTIME bool walks_over_rows(MemoryAccess const& a, std::int64_t row) {
  return at(a.stride, 0) == at(a.row, 0) * row;
}

TENON_RUNTIME bool may_join_rows(RowLayout const& layout, Accesses const& accesses) {
  std::int64_t const row = layout.row.inner();
  if (layout.has_reductions || layout.has_scalar_rows || layout.outer_rank != 1 ||
      layout.row.rank != 1 || row >= shortest_row || row * layout.rows() < shortest_joined)
    return false;
  return accesses.all([&](MemoryAccess& a) {
    return a.gathered == 0 && a.depth == Sizes{} &&
           (walks_over_rows(a, row) || at(a.stride, 0) == 0);
  });
}

/// Copies the row of an access `count` times.
TENON_RUNTIME void repeat_row(MemoryAccess& a, std::int64_t row, std::int64_t count,
                              std::byte* to) {
  auto const bytes = static_cast<std::size_t>(a.element_bytes);
  for (std::int64_t i = 0; i < row; ++i)
    std::memcpy(to + i * a.element_bytes, a.data + (a.start + i * at(a.row, 0)) * a.element_bytes,
                bytes);
  std::size_t const all = static_cast<std::size_t>(row * count) * bytes;
  for (std::size_t done = static_cast<std::size_t>(row) * bytes; done < all; done *= 2)
    std::memcpy(to + done, to, (std::min)(done, all - done));
  a.data = to;
  a.start = 0;
  a.count = row * count;
  a.inner = at(a.row, 0) = 1;
}

/// Makes one row of a number of short ones. All rows read the same elements of an operand that
/// broadcasts, such as a bias of 7: these are copied as often as there are rows in the longer one.
/// The copies stay in the innermost cache; the result is their memory. (A
/// multiple of 16 rows ends at a whole vector.)
[[gnu::noinline]] TENON_RUNTIME SharedBuffer join_short_rows(RowLayout& layout,
                                                             Accesses const& accesses) {
  if (!may_join_rows(layout, accesses)) return {};
  std::int64_t const row = layout.row.inner();
  std::int64_t const count = 16 * (1024 / (16 * row) + 1);
  std::int64_t bytes = 0;
  accesses.each([&](MemoryAccess& a) {
    if (!walks_over_rows(a, row)) bytes += (row * count * a.element_bytes + 63) / 64 * 64;
  });
  SharedBuffer copies(static_cast<std::size_t>(bytes));
  auto* to = copies.as<std::byte>();
  accesses.each([&](MemoryAccess& a) {
    at(a.stride, 0) *= count;
    if (walks_over_rows(a, row * count)) return;
    repeat_row(a, row, count, to);
    to += (row * count * a.element_bytes + 63) / 64 * 64;
  });
  layout.join_rows(count);
  return copies;
}

[[gnu::noinline]] TENON_RUNTIME void run_forward(ChunkLoops const& loops,
                                                 KernelAtWork const& work) {
  SharedBuffer copies;
  if (work.layout->outer_rank == 1) copies = join_short_rows(*work.layout, work.accesses);
  RowChunks const chunks = chunks_of(*work.layout);
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

#endif
