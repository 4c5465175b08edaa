#pragma once

#include <tenon/eval/kernel.hpp>
#include <tenon/eval/store.hpp>

namespace tenon {

/// Elements of work in one chunk. Chunks depend on sizes alone, never on the number of threads.
inline constexpr std::int64_t chunk_elements = 16384;

/// A piece of a row is no shorter: a few cache lines.
inline constexpr std::int64_t shortest_piece = 64;

/// How the rows of a kernel are cut: whole rows, or pieces of one long row.
struct RowChunks {
  std::int64_t rows = 1;    ///< Rows in a chunk.
  std::int64_t pieces = 1;  ///< Chunks in a row.
  std::int64_t piece = 0;   ///< Elements in such a chunk.
  std::int64_t count = 0;
};

inline RowChunks chunks_of(RowLayout const& layout, bool has_folds, bool has_scalar_rows) {
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

/// A kernel's formula and its result as one thing that steps along a row.
template <class K>
struct FrameAndResult {
  K& kernel;

  template <class F>
  void step(F const& f) {
    kernel.frame.step(f);
    f(kernel.out);
  }
};

/// Calls `body(begin, end)` for the runs of a row that belong to a chunk.
template <class M, class K, class Body>
[[gnu::always_inline]] inline void walk_piece(K& kernel, RowChunks const& chunks,
                                              std::int64_t piece, Body const& body) {
  std::int64_t const inner = kernel.row.inner();
  std::int64_t const begin = chunks.pieces == 1 ? 0 : piece * chunks.piece;
  std::int64_t const end = chunks.pieces == 1 ? inner : std::min(begin + chunks.piece, inner);
  FrameAndResult<K> both{kernel};
  walk_runs<M>(kernel.row, both, [&] { body(begin, end); });
}

/// Calls `row(kernel, piece)` for every row, or piece of a row, of one chunk.
template <class K, class F>
void for_rows(K& kernel, RowChunks const& chunks, std::int64_t chunk, F const& row) {
  std::int64_t const first = chunks.pieces > 1 ? chunk / chunks.pieces : chunk * chunks.rows;
  std::int64_t const last = std::min(first + chunks.rows, kernel.rows());
  std::int64_t const piece = chunk % chunks.pieces;
  Accesses const accesses = kernel.accesses();
  for (std::int64_t number = first; number < last; ++number) {
    if (number == first || number % kernel.last_outer() == 0) kernel.start(accesses, number);
    else kernel.advance(accesses);
    row(kernel, piece);
  }
}

/// Computes one row (or piece) of a result.
template <class M, class T, class K>
void run_row(K& kernel, RowChunks const& chunks, std::int64_t piece) {
  using F = decltype(kernel.frame);
  T* const to = reinterpret_cast<T*>(kernel.out.gradient);
  kernel.frame.prepare();
  if constexpr (K::has_scalar_rows) {
    to[kernel.out.at] = M::lane(F::of(kernel.frame.trace(0, 1)), 0);
  } else {
    walk_piece<M>(kernel, chunks, piece, [&](std::int64_t begin, std::int64_t end) {
      T* const run = to + kernel.out.now;
      if (kernel.past_caches) store_past_caches<M>(kernel.frame, run, begin, end);
      else if (kernel.out.inner == 1) store_values<M>(kernel.frame, run, begin, end);
      else store_strided_values<M>(kernel.frame, run, kernel.out.inner, begin, end);
    });
  }
}

/// Calls `work(kernel, chunk)` for every chunk: a lone one works on the kernel itself, each of
/// several on a copy.
template <class Backend, class K, class F>
void for_chunks(K& kernel, std::int64_t chunks, F const& work) {
  auto const bytes = kernel.scratch_bytes();
  Backend::parallel_for(chunks, bytes, [&](std::int64_t chunk, std::byte* scratch) {
    if (chunks == 1) {
      kernel.place_scratch(scratch);
      work(kernel, chunk);
    } else {
      auto own = kernel;
      own.place_scratch(scratch);
      work(own, chunk);
    }
  });
}

/// Computes every element of a settled recipe and stores it to `out`.
template <class Backend, class E>
void run(E const& e, MemoryAccess const& out) {
  using M = typename Backend::machine;
  auto kernel = tenon::bind<M>(e, out, nullptr);
  RowChunks const chunks = chunks_of(kernel);
  kernel.past_caches = kernel.out.inner == 1 && kernel.out_bytes() >= bytes_past_caches;
  for_chunks<Backend>(kernel, chunks.count, [&](auto& own, std::int64_t chunk) {
    for_rows(own, chunks, chunk, [&](auto& at, std::int64_t piece) {
      run_row<M, typename E::value_type>(at, chunks, piece);
    });
    if (own.past_caches) M::finish_past_caches();
  });
}

}  // namespace tenon
