#pragma once

#include <cstddef>
#include <cstdint>

#include <tenon/core/config.hpp>
#include <tenon/tensor/block.hpp>

namespace tenon::internal {

/// A block of at least this many bytes with one owner, from the block cache; uninitialised. Throws
/// `Error` where the system is out of memory.
MemoryBlock* take_block(std::size_t bytes);

namespace memory {

/// The number of system allocations since the start of the program.
std::int64_t system_allocations();

/// Bytes in live buffers, each rounded up to its size class. Adopted memory is not counted.
/// PyTorch: `torch.cuda.memory_allocated`.
std::int64_t bytes_in_use();

/// The maximum of `bytes_in_use` since the start of the program, or since `reset_peak_bytes`.
/// PyTorch: `torch.cuda.max_memory_allocated`.
std::int64_t peak_bytes_in_use();

/// Begins a new maximum with the bytes in use now. PyTorch: `torch.cuda.reset_peak_memory_stats`.
void reset_peak_bytes();

/// The number of buffers since the start of the program, from the cache or from the system.
std::int64_t allocations();

/// Bytes in idle blocks of the cache. PyTorch: `torch.cuda.memory_reserved` without what is
/// allocated.
std::int64_t bytes_cached();

/// Frees the idle blocks. PyTorch: `torch.cuda.empty_cache`.
void empty_cache();

/// The maximum of idle bytes in the cache. Beyond it the least recently used blocks are freed, and
/// beyond 64 MiB or twice the most bytes that were in use at once lately, whichever is more. By
/// default a quarter of the memory of the machine, or of its container.
void set_cache_limit(std::size_t bytes);
/// The limit that `set_cache_limit` set last.
std::size_t cache_limit();

}  // namespace memory

}  // namespace tenon::internal

namespace tenon::memory {

using internal::memory::allocations;
using internal::memory::bytes_cached;
using internal::memory::bytes_in_use;
using internal::memory::cache_limit;
using internal::memory::empty_cache;
using internal::memory::peak_bytes_in_use;
using internal::memory::reset_peak_bytes;
using internal::memory::set_cache_limit;
using internal::memory::system_allocations;

}  // namespace tenon::memory

#if TENON_DEFINES_RUNTIME
#include <tenon/tensor/block_cache.ipp>
#endif
