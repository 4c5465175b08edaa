#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>

#include <tenon/backend/cpu/thread_pool.hpp>
#include <tenon/tensor/memory.hpp>

namespace tenon {

/// The number of threads that compute. By default TENON_THREADS, else as many as the machine has;
/// throws `ValueError` where that variable is something else.
inline int threads() { return WorkerThreads::instance().threads(); }

/// Not from within `parallel_for`. No result depends on it.
inline void set_threads(int count) { WorkerThreads::instance().set_threads(count); }

/// A function of a chunk and of working memory, its type put away: so that the loops over chunks
/// are compiled once, and the body of a function once.
struct ChunkFunction {
  void const* function;
  void (*call)(void const* function, std::int64_t chunk, std::byte* scratch);
};

/// Calls `f(chunk, nullptr)` for every chunk.
inline void run_chunks(std::int64_t chunks, ChunkFunction const& f) {
  if (chunks == 1) return f.call(f.function, 0, nullptr);
  if (chunks < 1) return;
  auto const call = [](void* context, std::int64_t chunk) {
    auto const& own = *static_cast<ChunkFunction const*>(context);
    own.call(own.function, chunk, nullptr);
  };
  WorkerThreads::instance().run(chunks, call, const_cast<ChunkFunction*>(&f));
}

/// Working memory of `count` threads, `each` bytes for one.
struct ThreadMemory {
  ChunkFunction const& f;
  std::size_t each, count;
  SharedBuffer all;

  void run(std::int64_t chunk) const {
    std::size_t const index = WorkerThreads::thread_index();
    // Another thread may have called `set_threads` in the meantime.
    SharedBuffer const own = index < count ? SharedBuffer() : SharedBuffer(each);
    f.call(f.function, chunk, own ? own.as<std::byte>() : all.as<std::byte>() + index * each);
  }
};

/// The same with working memory.
inline void run_chunks(std::int64_t chunks, std::size_t bytes, ChunkFunction const& f) {
  if (bytes == 0 || chunks < 1) return run_chunks(chunks, f);
  if (chunks == 1) {
    SharedBuffer const memory(bytes);
    return f.call(f.function, 0, memory.as<std::byte>());
  }
  std::size_t const each = (bytes + block_alignment - 1) / block_alignment * block_alignment;
  auto const count = static_cast<std::size_t>(threads());
  ThreadMemory const memory{f, each, count, SharedBuffer(count * each)};
  run_chunks(chunks, {&memory, [](void const* context, std::int64_t chunk, std::byte*) {
                        static_cast<ThreadMemory const*>(context)->run(chunk);
                      }});
}

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
