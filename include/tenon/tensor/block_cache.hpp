#pragma once

#include <cstddef>
#include <cstdint>

#include <tenon/core/config.hpp>
#include <tenon/tensor/block.hpp>

namespace tenon {

/// A block of at least this many bytes with one owner, from the cache of blocks; its elements are
/// undetermined. Throws `Error` where the system has none.
MemoryBlock* take_block(std::size_t bytes);

namespace memory {

/// Times the system was asked for memory since the start of the program.
std::int64_t system_allocations();

/// Bytes in the buffers that are alive, each rounded up to its size class. Adopted memory is not
/// counted.
std::int64_t bytes_in_use();

/// Bytes that wait to be used again.
std::int64_t bytes_cached();

/// Gives the waiting blocks back to the system. PyTorch: `torch.cuda.empty_cache`.
void empty_cache();

/// The most bytes that wait to be used again. Beyond it those that have waited for longest go back
/// to the system. At first a quarter of the memory of the machine, or of its container.
void set_cache_limit(std::size_t bytes);
std::size_t cache_limit();

}  // namespace memory

}  // namespace tenon

#if TENON_DEFINES_RUNTIME
#include <tenon/tensor/block_cache.ipp>
#endif
