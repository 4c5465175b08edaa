#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <new>
#include <string>

#include <tenon/core/error.hpp>
#include <tenon/tensor/poison.hpp>

namespace tenon {

/// The header of a reference-counted piece of memory. One cache line, so that the data which
/// follow it in a cached block begin at the next.
struct alignas(64) MemoryBlock {
  std::atomic<std::int64_t> owners{1};
  void* data = nullptr;
  std::size_t bytes = 0;                    ///< As asked for.
  void (*release)(MemoryBlock*) = nullptr;  ///< Ends the life of the block and of its data.
  void* base = nullptr;         ///< Where the system's allocation begins (cached blocks).
  std::size_t capacity = 0;     ///< Bytes there are (cached blocks).
  MemoryBlock* next = nullptr;  ///< In a free list (cached blocks).
};

/// Bytes of data start at a multiple of this.
inline constexpr std::size_t block_alignment = 64;

/// Four sizes for every power of two: at most a quarter is wasted, and sequences of nearly equal
/// length share their blocks.
struct SizeClass {
  std::size_t capacity;
  std::size_t index;

  static constexpr std::size_t count = 256;

  static constexpr SizeClass of(std::size_t bytes) {
    std::size_t const wanted = bytes < block_alignment ? block_alignment : bytes;
    auto const power = static_cast<std::size_t>(std::bit_width(wanted - 1));
    std::size_t const quarter = std::size_t{1} << (power - 3);
    std::size_t const step = quarter < block_alignment ? block_alignment : quarter;
    std::size_t const capacity = (wanted + step - 1) / step * step;
    return {capacity, power * 4 + capacity / quarter - 5};
  }
};

/// Blocks that are not in use, kept for the next who asks for their size. Thread-safe.
class BlockCache {
 public:
  struct Counts {
    std::int64_t system_allocations = 0;  ///< Times the system was asked for memory.
    std::int64_t bytes_in_use = 0;        ///< Capacity of the blocks that have an owner.
    std::int64_t bytes_cached = 0;        ///< Capacity of the blocks that wait for one.
  };

  /// Never destroyed: a tensor in static storage may give its block back at any time.
  static BlockCache& instance() {
    static BlockCache& cache = *new BlockCache;
    return cache;
  }

  /// A block of at least this many bytes with one owner; its elements are undetermined.
  MemoryBlock* take(std::size_t bytes) {
    if (bytes > largest) refuse(bytes);
    SizeClass const size = SizeClass::of(bytes);
    MemoryBlock* block = reuse(size);
    if (!block) block = from_system(size, bytes);
    block->bytes = bytes;
    block->owners.store(1, std::memory_order_relaxed);
    unpoison(block->data, bytes);
    return block;
  }

  void give_back(MemoryBlock* block) {
    poison(block->data, block->capacity);
    std::lock_guard const lock(mutex_);
    MemoryBlock*& list = free_[SizeClass::of(block->capacity).index];
    block->next = list;
    list = block;
    count(-block->capacity, block->capacity);
  }

  /// Hands every waiting block to the system.
  void clear() {
    std::lock_guard const lock(mutex_);
    for (MemoryBlock*& list : free_) {
      while (MemoryBlock* block = list) {
        list = block->next;
        count(0, -block->capacity);
        to_system(block);
      }
    }
  }

  Counts counts() {
    std::lock_guard const lock(mutex_);
    return counts_;
  }

 private:
  static constexpr std::size_t largest = std::size_t{1} << 48;
  static constexpr std::size_t page = 4096;

  /// Large blocks of the system all begin at the same place of a page, and a load from one then
  /// waits for a store to another (4 KB aliasing): they are shifted by different multiples of seven
  /// cache lines.
  std::size_t shift(std::size_t capacity) {
    constexpr std::size_t shifts = 8;
    return capacity < page ? 0 : shifted_++ % shifts * 7 * block_alignment;
  }

  MemoryBlock* reuse(SizeClass size) {
    std::lock_guard const lock(mutex_);
    MemoryBlock* const block = free_[size.index];
    if (!block) return nullptr;
    free_[size.index] = block->next;
    count(block->capacity, -block->capacity);
    return block;
  }

  MemoryBlock* from_system(SizeClass size, std::size_t asked) {
    std::size_t const room = size.capacity < page ? 0 : page;
    std::size_t const bytes = sizeof(MemoryBlock) + room + size.capacity;
    void* base = ask_system(bytes);
    if (!base) clear(), base = ask_system(bytes);
    if (!base) refuse(asked);
    std::lock_guard const lock(mutex_);
    auto* const place = static_cast<std::byte*>(base) + shift(size.capacity);
    MemoryBlock* const block = ::new (place) MemoryBlock;
    block->base = base;
    block->data = place + sizeof(MemoryBlock);
    block->capacity = size.capacity;
    block->release = [](MemoryBlock* released) { instance().give_back(released); };
    poison(block->data, size.capacity);
    ++counts_.system_allocations;
    count(size.capacity, 0);
    return block;
  }

  static void* ask_system(std::size_t bytes) {
    return ::operator new(bytes, std::align_val_t{block_alignment}, std::nothrow);
  }

  static void to_system(MemoryBlock* block) {
    void* const base = block->base;
    unpoison(block->data, block->capacity);
    block->~MemoryBlock();
    ::operator delete(base, std::align_val_t{block_alignment});
  }

  [[noreturn, gnu::cold, gnu::noinline]] static void refuse(std::size_t bytes) {
    std::string const wanted = std::to_string(bytes) + " bytes";
    fail({.who = "memory", .expected = wanted, .got = "none from the system"});
  }

  /// Changes of the bytes in use and waiting; unsigned arithmetic carries the sign.
  void count(std::size_t in_use, std::size_t cached) {
    counts_.bytes_in_use += static_cast<std::int64_t>(in_use);
    counts_.bytes_cached += static_cast<std::int64_t>(cached);
  }

  std::mutex mutex_;
  std::array<MemoryBlock*, SizeClass::count> free_{};
  std::size_t shifted_ = 0;
  Counts counts_;
};

}  // namespace tenon
