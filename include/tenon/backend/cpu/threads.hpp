#pragma once

#include <cstddef>
#include <cstdint>

#include <tenon/core/config.hpp>

namespace tenon::internal {

/// The number of compute threads. Default: TENON_THREADS, else the number of hardware threads;
/// throws `ValueError` if that variable is invalid. PyTorch: `torch.get_num_threads`.
int threads();

/// Not from within `parallel_for`. Results do not depend on it. PyTorch: `torch.set_num_threads`.
void set_threads(int count);

/// A type-erased function of a chunk and scratch memory, so that the loops over chunks and the body
/// of a function are each compiled once.
struct ChunkFunction {
  void const* function;
  void (*call)(void const* function, std::int64_t chunk, std::byte* scratch);
};

/// Calls `f(chunk, nullptr)` for every chunk.
void run_chunks(std::int64_t chunks, ChunkFunction const& f);

/// The same with scratch memory.
void run_chunks(std::int64_t chunks, std::size_t bytes, ChunkFunction const& f);

/// Calls `f(chunk)` once for every chunk in [0, chunks), in any order, on this thread and on the
/// workers, and returns when all are done. Rethrows exceptions of `f`. Allocates nothing. More than
/// one chunk costs about 1 µs, or 7 µs if the workers sleep: work of less than about 20 µs should
/// be one chunk.
template <class F>
void parallel_for(std::int64_t chunks, F const& f) {
  run_chunks(chunks, {&f, [](void const* function, std::int64_t chunk, std::byte*) {
                        (*static_cast<F const*>(function))(chunk);
                      }});
}

/// The same with scratch memory: `f(chunk, scratch)` gets `bytes` bytes, 64-byte aligned and
/// exclusive to the thread. One buffer is allocated for all threads, so that memory use does not
/// depend on timing.
template <class F>
void parallel_for(std::int64_t chunks, std::size_t bytes, F const& f) {
  run_chunks(chunks, bytes, {&f, [](void const* function, std::int64_t chunk, std::byte* scratch) {
                               (*static_cast<F const*>(function))(chunk, scratch);
                             }});
}

}  // namespace tenon::internal

namespace tenon {

using internal::set_threads;
using internal::threads;

}  // namespace tenon

#if TENON_DEFINES_RUNTIME

#include <tenon/backend/cpu/thread_pool.hpp>
#include <tenon/tensor/memory.hpp>

namespace tenon::internal {

[[gnu::noinline]] TENON_RUNTIME int threads() { return WorkerThreads::instance().threads(); }
TENON_RUNTIME void set_threads(int count) { WorkerThreads::instance().set_threads(count); }

[[gnu::noinline]] TENON_RUNTIME void run_chunks(std::int64_t chunks, ChunkFunction const& f) {
  if (chunks == 1) return f.call(f.function, 0, nullptr);
  if (chunks < 1) return;
  auto const call = [](void* context, std::int64_t chunk) {
    auto const& own = *static_cast<ChunkFunction const*>(context);
    own.call(own.function, chunk, nullptr);
  };
  WorkerThreads::instance().run(chunks, call, const_cast<ChunkFunction*>(&f));
}

/// Scratch memory of `count` threads, `each` bytes per thread.
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

[[gnu::noinline]] TENON_RUNTIME void run_chunks(std::int64_t chunks, std::size_t bytes,
                                                ChunkFunction const& f) {
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

}  // namespace tenon::internal

#endif
