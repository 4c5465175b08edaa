#pragma once

#include <cstdint>
#include <memory>
#include <type_traits>

#include <tenon/backend/cpu/thread_pool.hpp>

namespace tenon {

/// The number of threads that compute. By default TENON_THREADS, else as many as the machine has;
/// throws `Error` where that variable is not a number.
inline int threads() { return ThreadPool::instance().threads(); }

/// Not from within `parallel_for`. No result depends on it.
inline void set_threads(int count) { ThreadPool::instance().set_threads(count); }

/// Calls `f(chunk)` once for every chunk in [0, chunks), in any order, on this thread and on the
/// workers, and returns when all are done. Exceptions of `f` arrive here. Allocates nothing.
template <class F>
void parallel_for(std::int64_t chunks, F&& f) {
  if (chunks == 1) return static_cast<void>(f(std::int64_t{0}));
  if (chunks < 1) return;
  using Function = std::remove_reference_t<F>;
  auto const call = [](void* context, std::int64_t chunk) {
    (*static_cast<Function*>(context))(chunk);
  };
  auto* const context = const_cast<std::remove_cv_t<Function>*>(std::addressof(f));
  ThreadPool::instance().run(chunks, call, static_cast<void*>(context));
}

}  // namespace tenon
