#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include <tenon/core/config.hpp>

namespace tenon {

/// The number of threads that compute. By default TENON_THREADS, else as many as the machine has;
/// throws `ValueError` where that variable is something else.
int threads();

/// Not from within `parallel_for`. No result depends on it.
void set_threads(int count);

/// A function of a chunk and of working memory, its type put away: so that the loops over chunks
/// are compiled once, and the body of a function once.
struct ChunkFunction {
  void const* function;
  void (*call)(void const* function, std::int64_t chunk, std::byte* scratch);
};

/// Calls `f(chunk, nullptr)` for every chunk.
void run_chunks(std::int64_t chunks, ChunkFunction const& f);

/// The same with working memory.
void run_chunks(std::int64_t chunks, std::size_t bytes, ChunkFunction const& f);

/// Calls `f(chunk)` once for every chunk in [0, chunks), in any order, on this thread and on the
/// workers, and returns when all are done. Exceptions of `f` arrive here. Allocates nothing.
/// More than one chunk costs about 1 µs, or 7 µs where the workers sleep: work of less than about
/// 20 µs is best left in one.
template <class F>
void parallel_for(std::int64_t chunks, F const& f) {
  run_chunks(chunks, {std::addressof(f), [](void const* function, std::int64_t chunk, std::byte*) {
                        (*static_cast<F const*>(function))(chunk);
                      }});
}

/// The same with working memory: `f(chunk, scratch)` gets `bytes` at a multiple of 64, which no
/// other thread uses at the time. One buffer is taken for all threads, so that how much memory the
/// program holds does not hang on which thread came first.
template <class F>
void parallel_for(std::int64_t chunks, std::size_t bytes, F const& f) {
  run_chunks(chunks, bytes,
             {std::addressof(f), [](void const* function, std::int64_t chunk, std::byte* scratch) {
                (*static_cast<F const*>(function))(chunk, scratch);
              }});
}

}  // namespace tenon

#if TENON_DEFINES_RUNTIME
#include <tenon/backend/cpu/threads.ipp>
#endif
