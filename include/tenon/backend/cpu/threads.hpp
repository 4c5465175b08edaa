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
#include <tenon/backend/cpu/threads.ipp>
#endif
