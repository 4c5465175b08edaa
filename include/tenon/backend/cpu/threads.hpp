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

/// Calls `f(chunk)` once for every chunk in [0, chunks), in any order, on this thread and on the
/// workers, and returns when all are done. Exceptions of `f` arrive here. Allocates nothing.
/// More than one chunk costs about 1 µs, or 7 µs where the workers sleep: work of less than about
/// 20 µs is best left in one.
template <class F>
void parallel_for(std::int64_t chunks, F&& f) {
  if (chunks == 1) return static_cast<void>(f(std::int64_t{0}));
  if (chunks < 1) return;
  using Function = std::remove_reference_t<F>;
  auto const call = [](void* context, std::int64_t chunk) {
    (*static_cast<Function*>(context))(chunk);
  };
  auto* const context = const_cast<std::remove_cv_t<Function>*>(std::addressof(f));
  WorkerThreads::instance().run(chunks, call, static_cast<void*>(context));
}

/// The same with working memory: `f(chunk, scratch)` gets `bytes` at a multiple of 64, which no
/// other thread uses at the time. One buffer is taken for all threads, so that how much memory the
/// program holds does not hang on which thread came first.
template <class F>
void parallel_for(std::int64_t chunks, std::size_t bytes, F&& f) {
  if (bytes == 0) return parallel_for(chunks, [&](std::int64_t chunk) { f(chunk, nullptr); });
  constexpr std::size_t line = block_alignment;
  std::size_t const each = (bytes + line - 1) / line * line;
  auto const count = static_cast<std::size_t>(threads());
  SharedBuffer const all(count * each);
  parallel_for(chunks, [&](std::int64_t chunk) {
    std::size_t const index = WorkerThreads::thread_index();
    // Another thread may have called `set_threads` in the meantime.
    SharedBuffer const own = index < count ? SharedBuffer() : SharedBuffer(each);
    f(chunk, own ? own.as<std::byte>() : all.as<std::byte>() + index * each);
  });
}

}  // namespace tenon
