#pragma once

#include <cstddef>
#include <cstring>
#include <type_traits>

#include <tenon/eval/rows/chunks.hpp>
#include <tenon/eval/rows/new_adjoints.hpp>
#include <tenon/eval/rows/shared_adjoints.hpp>

/// The loops over the rows, chunks and threads of a kernel. They see no formula, so they are
/// compiled once for all kernels of a program: a formula's own code is one row of it.
namespace tenon {

/// A kernel whose formula is behind a function of one row.
struct KernelAtWork {
  std::byte* kernel;  ///< All of it, `bytes` that may be copied as such.
  std::size_t bytes;
  RowLayout* layout;      ///< The part of it that has no formula.
  Accesses accesses;      ///< All of it, that of the result among them.
  std::size_t row_bytes;  ///< Working memory for the rows that are shared.

  /// Computes the elements [begin, end) of the row at which the accesses stand.
  void (*row)(RowLayout&, Accesses const&, std::int64_t begin, std::int64_t end);
  void (*place)(RowLayout&, std::byte* scratch);  ///< Null where no rows are shared.
  bool sets_parts = false;                        ///< Of new adjoints, each row its own.

  /// A copy at `memory`.
  KernelAtWork copied(std::byte* memory) const;
};

template <class K>
KernelAtWork kernel_at_work(K& kernel, decltype(KernelAtWork::row) row) {
  static_assert(std::is_trivially_copyable_v<K>);
  KernelAtWork work{reinterpret_cast<std::byte*>(&kernel),
                    sizeof(K),
                    &kernel,
                    kernel.accesses(),
                    0,
                    row,
                    nullptr};
  if constexpr (K::has_folds) {
    work.row_bytes = kernel.scratch_bytes();
    work.place = [](RowLayout& layout, std::byte* scratch) {
      static_cast<K&>(layout).place_scratch(scratch);
    };
  }
  return work;
}

/// The runs of a row, one after the other. At first all accesses stand at the row's beginning.
struct RowRuns {
  ScratchRow const& row;
  Accesses accesses;
  ElementIndex middle{};
  bool left = true;  ///< An empty row is in no chunk.

  RowRuns(ScratchRow const& r, Accesses const& all) : row(r), accesses(all) {}

  /// The accesses of folds and row scalars are moved as well: at last all stand at the beginning
  /// again.
  void go_on() { left = row.rank > 1 && step_on(); }

 private:
  bool step_on();
};

/// Computes the elements [begin, end) of the rows from `first` to `last`.
void run_rows(KernelAtWork const& work, std::int64_t first, std::int64_t last, std::int64_t begin,
              std::int64_t end);

/// Computes the pieces of `rows` rows, of so many columns, that begin at element `start`.
void run_pieces(KernelAtWork const& work, std::int64_t start, std::int64_t rows,
                std::int64_t columns);

/// Computes the rows, or the piece of a row, of one chunk.
void run_chunk(KernelAtWork const& work, RowChunks const& chunks, std::int64_t chunk);

/// Computes the chunks of a group. Where chunks may add to the same adjoints, `shared` has copies
/// of these for every group.
void run_group(KernelAtWork const& work, RowChunks const& chunks, std::int64_t group,
               std::int64_t groups, SharedAdjoints const* shared);

/// Works on groups of chunks in parallel: a lone one on the kernel itself, each of several on a
/// copy.
template <class Backend>
[[gnu::noinline]] void run_groups(KernelAtWork const& work, RowChunks const& chunks,
                                  std::int64_t groups, SharedAdjoints const* shared) {
  std::size_t const bytes = groups == 1 ? 0 : (work.bytes + 63) / 64 * 64;
  auto const run_on = [&](KernelAtWork const& own, std::int64_t group, std::byte* scratch) {
    if (own.place != nullptr) own.place(*own.layout, scratch);
    run_group(own, chunks, group, groups, shared);
    if (own.layout->past_caches) Backend::machine::finish_past_caches();
  };
  auto const run = [&](std::int64_t group, std::byte* scratch) {
    if (bytes == 0) run_on(work, group, scratch);
    else run_on(work.copied(scratch), group, scratch + bytes);
  };
  Backend::parallel_for(groups, bytes + work.row_bytes, run);
}

/// Whoever computes a chunk of a result, it is the same: a backend may have them done in few parts,
/// for each of which the kernel is copied once.
template <class Backend>
void run_forward(KernelAtWork const& work, RowChunks const& chunks) {
  if constexpr (requires { Backend::parts(chunks.count); })
    run_groups<Backend>(work, chunks, Backend::parts(chunks.count), nullptr);
  else run_groups<Backend>(work, chunks, chunks.count, nullptr);
}

template <class Backend>
[[gnu::noinline]] void run_sweep(KernelAtWork work, RowChunks const& chunks) {
  work.sets_parts = set_new_adjoints(work.accesses, *work.layout, chunks);
  SharedAdjoints const shared(work.accesses, *work.layout, chunks);
  run_groups<Backend>(work, chunks, shared.groups(), &shared);
  shared.collect();
}

}  // namespace tenon

#if TENON_DEFINES_RUNTIME
#include <tenon/eval/rows/driver.ipp>
#endif
