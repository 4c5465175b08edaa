#pragma once

#include <cstddef>
#include <type_traits>

#include <tenon/eval/rows/chunks.hpp>
#include <tenon/eval/rows/new_adjoints.hpp>
#include <tenon/eval/rows/shared_adjoints.hpp>

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

  /// Computes the elements [begin, end) of the row at the current position of the accesses.
  void (*row)(RowLayout&, Accesses const&, std::int64_t begin, std::int64_t end);
  void (*place)(RowLayout&, std::byte* scratch);  ///< Null where no rows are shared.
  bool sets_parts = false;                        ///< Whether each row initialises its own part of
                                                  ///< new adjoints.

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
  if constexpr (K::is_of_reductions) {
    work.row_bytes = kernel.scratch_bytes();
    work.place = [](RowLayout& layout, std::byte* scratch) {
      static_cast<K&>(layout).place_scratch(scratch);
    };
  }
  return work;
}

/// The runs of a row, one after the other. Initially all accesses are at the beginning of the row.
struct RowRuns {
  ScratchRow const& row;
  Accesses accesses;
  ElementIndex middle{};
  bool left = true;  ///< An empty row is in no chunk.

  RowRuns(ScratchRow const& r, Accesses const& all) : row(r), accesses(all) {}

  /// The accesses of reductions and row scalars move as well: at the end all are back at the
  /// beginning.
  void go_on() { left = row.rank > 1 && step_on(); }

 private:
  bool step_on();
};

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

  std::size_t copy_bytes() const { return groups == 1 ? 0 : (work.bytes + 63) / 64 * 64; }
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

/// Computes all chunks of a result.
void run_forward(ChunkLoops const& loops, KernelAtWork const& work, RowChunks const& chunks);

/// Adds all chunks of an adjoint to the adjoints of the leaves.
void run_sweep(ChunkLoops const& loops, KernelAtWork work, RowChunks const& chunks);

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME
#include <tenon/eval/rows/driver.ipp>
#endif
