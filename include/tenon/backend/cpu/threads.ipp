#pragma once

#include <tenon/backend/cpu/thread_pool.hpp>
#include <tenon/backend/cpu/threads.hpp>
#include <tenon/core/config.hpp>
#include <tenon/tensor/memory.hpp>

namespace tenon::internal {

TENON_RUNTIME int threads() { return WorkerThreads::instance().threads(); }
TENON_RUNTIME void set_threads(int count) { WorkerThreads::instance().set_threads(count); }

TENON_RUNTIME void run_chunks(std::int64_t chunks, ChunkFunction const& f) {
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

TENON_RUNTIME void run_chunks(std::int64_t chunks, std::size_t bytes, ChunkFunction const& f) {
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
