#pragma once

#include <cstddef>
#include <cstdint>

#include <tenon/core/config.hpp>
#include <tenon/tensor/memory.hpp>

namespace tenon::internal::memory {

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

}  // namespace tenon::internal::memory

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

#include <algorithm>
#include <array>
#include <mutex>
#include <new>
#include <string>
#include <utility>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#if __has_include(<sanitizer/asan_interface.h>)
#include <sanitizer/asan_interface.h>
#endif

namespace tenon::internal {

// Large blocks are aligned to huge pages and have the advice MADV_HUGEPAGE, as arrays of NumPy: a
// convolution writes to as many pages in turn as it has channels, more than the first level of the
// TLB has entries. (3 x 3, 8 x 64 x 56 x 56, Zen 2: 5 % faster.)
inline constexpr std::size_t huge_page = std::size_t{1} << 21;

inline std::align_val_t system_alignment(std::size_t bytes) {
  return std::align_val_t{bytes >= 2 * huge_page ? huge_page : block_alignment};
}

/// Uninitialised memory from the system; null where there is none.
inline void* allocate_from_system(std::size_t bytes) {
  void* const base = ::operator new(bytes, system_alignment(bytes), std::nothrow);
#if defined(__linux__)
  if (base != nullptr && bytes >= 2 * huge_page) ::madvise(base, bytes, MADV_HUGEPAGE);  // a hint
#endif
  return base;
}

/// Frees memory of `allocate_from_system(bytes)`.
inline void free_to_system(void* base, std::size_t bytes) {
  ::operator delete(base, system_alignment(bytes));
}

// Marks idle memory in a cache as inaccessible for AddressSanitizer. Its macros do nothing when it
// is off.
#if defined(ASAN_POISON_MEMORY_REGION)
inline void poison([[maybe_unused]] void* data, [[maybe_unused]] std::size_t bytes) {
  ASAN_POISON_MEMORY_REGION(data, bytes);
}
inline void unpoison([[maybe_unused]] void* data, [[maybe_unused]] std::size_t bytes) {
  ASAN_UNPOISON_MEMORY_REGION(data, bytes);
}
#else
inline void poison(void*, std::size_t) {}
inline void unpoison(void*, std::size_t) {}
#endif

/// Idle blocks, one list per size. Not thread-safe.
class IdleBlocks {
 public:
  std::size_t bytes() const { return bytes_; }

  void add(MemoryBlock* block) {
    List& list = lists_[SizeClass::of(block->capacity).index];
    block->bytes = ++added_;
    block->newer = nullptr;
    block->older = list.newest;
    (list.newest != nullptr ? list.newest->newer : list.oldest) = block;
    list.newest = block;
    bytes_ += block->capacity;
  }

  /// The most recently used one of this size; null if there is none.
  MemoryBlock* take(SizeClass size) {
    List& list = lists_[size.index];
    return list.newest == nullptr ? nullptr : removed(list, list.newest);
  }
  /// The same of the next size of which there is one, up to twice as large.
  MemoryBlock* take_larger(SizeClass size) {
    std::size_t const most = 2 * size.capacity;
    MemoryBlock* block = nullptr;
    while (block == nullptr && size.capacity < most) {
      size = SizeClass::of(size.capacity + 1);
      block = take(size);
    }
    return block;
  }

  /// The least recently used one; null if there is none.
  MemoryBlock* take_oldest() {
    List* found = nullptr;
    for (List& list : lists_) {
      if (list.oldest == nullptr) continue;
      if (found == nullptr || list.oldest->bytes < found->oldest->bytes) found = &list;
    }
    return found == nullptr ? nullptr : removed(*found, found->oldest);
  }

 private:
  struct List {
    MemoryBlock* newest = nullptr;
    MemoryBlock* oldest = nullptr;
  };

  MemoryBlock* removed(List& list, MemoryBlock* block) {
    (block->newer != nullptr ? block->newer->older : list.newest) = block->older;
    (block->older != nullptr ? block->older->newer : list.oldest) = block->newer;
    bytes_ -= block->capacity;
    return block;
  }

  std::array<List, SizeClass::count> lists_{};
  std::size_t bytes_ = 0;
  std::size_t added_ = 0;
};

/// The most bytes that were in use at once lately: in this period and the one before, of many
/// steps of a training loop.
class RecentPeak {
 public:
  std::size_t bytes() const { return (std::max)(now_, before_); }
  void record(std::size_t in_use) {
    constexpr std::size_t period = 1 << 16;
    now_ = (std::max)(now_, in_use);
    if (++allocations_ % period == 0) before_ = std::exchange(now_, in_use);
  }

 private:
  std::size_t now_ = 0, before_ = 0, allocations_ = 0;
};

/// Idle blocks, kept for the next allocation of their size, up to a limit: beyond it the least
/// recently used ones are freed. Thread-safe.
class BlockCache {
 public:
  struct Counts {
    std::int64_t system_allocations = 0, allocations = 0;
    std::int64_t bytes_in_use = 0, peak_bytes = 0, bytes_cached = 0;

    void add(std::size_t bytes) {
      ++allocations;
      bytes_in_use += static_cast<std::int64_t>(bytes);
      peak_bytes = bytes_in_use > peak_bytes ? bytes_in_use : peak_bytes;
    }
  };

  /// Never destroyed: a tensor in static storage may release its block at any time.
  static BlockCache& instance() {
    static BlockCache& cache = *new BlockCache;
    return cache;
  }

  /// A block of at least this many bytes with one owner; uninitialised.
  MemoryBlock* take(std::size_t bytes) {
    if (bytes > largest) refuse(bytes);
    SizeClass const size = SizeClass::of(bytes);
    MemoryBlock* block = reuse(size);
    if (!block) block = from_system(size, bytes);
    block->bytes = bytes;
    block->owners.set_to_one();
    block->writers.store(0, MemoryOrder::relaxed);
    unpoison(block->data, bytes);
    return block;
  }

  void give_back(MemoryBlock* block) {
    poison(block->data, block->capacity);
    MemoryBlock* surplus = nullptr;
    {
      auto const lock = locked();
      counts_.bytes_in_use -= static_cast<std::int64_t>(block->capacity);
      idle_.add(block);
      surplus = beyond(most_idle());
    }
    to_system(surplus);
  }

  /// Frees every idle block.
  void clear() { to_system(beyond_locked(0)); }

  std::size_t limit() {
    auto const lock = locked();
    return limit_;
  }
  void set_limit(std::size_t bytes) {
    {
      auto const lock = locked();
      limit_ = bytes;
    }
    to_system(beyond_locked(bytes));
  }

  void reset_peak() {
    auto const lock = locked();
    counts_.peak_bytes = counts_.bytes_in_use;
  }

  Counts counts() {
    auto const lock = locked();
    Counts counts = counts_;
    counts.bytes_cached = static_cast<std::int64_t>(idle_.bytes());
    return counts;
  }

 private:
  static constexpr std::size_t largest = std::size_t{1} << 48;
  static constexpr std::size_t page = 4096;

  /// A single-threaded process needs no lock, and no thread can start while the caller runs.
  std::unique_lock<std::mutex> locked() {
    std::unique_lock lock(mutex_, std::defer_lock);
    if (!is_single_threaded()) lock.lock();
    return lock;
  }

  /// The memory of a block of this capacity with its header, and room for a shift.
  static std::size_t system_bytes(std::size_t capacity) {
    return sizeof(MemoryBlock) + (capacity < page ? 0 : page) + capacity;
  }

  /// Large system blocks all begin at the same offset in a page, and a load from one then stalls on
  /// a store to another (4 KB aliasing): they are shifted by different multiples of seven cache
  /// lines.
  std::size_t shift(std::size_t capacity) {
    constexpr std::size_t shifts = 8;
    return capacity < page ? 0 : shifted_++ % shifts * 7 * block_alignment;
  }

  /// Twice what was in use lately: sizes that grow leave blocks that nobody asks for again, and the
  /// sizes of a loop need more blocks than are in use at once. (A small cache costs nobody.)
  std::size_t most_idle() const {
    constexpr std::size_t always = std::size_t{64} << 20;
    return (std::min)(limit_, (std::max)(always, 2 * recent_peak_.bytes()));
  }

  void count(std::size_t bytes) {
    counts_.add(bytes);
    recent_peak_.record(static_cast<std::size_t>(counts_.bytes_in_use));
  }

  /// Takes a block of another size only if much memory is idle: otherwise a loop with blocks of two
  /// sizes would allocate again in its second step.
  MemoryBlock* reuse(SizeClass size) {
    auto const lock = locked();
    MemoryBlock* block = idle_.take(size);
    if (!block && idle_.bytes() > most_idle() / 2) block = idle_.take_larger(size);
    if (block) count(block->capacity);
    return block;
  }

  [[gnu::noinline, gnu::cold]] MemoryBlock* from_system(SizeClass size, std::size_t asked) {
    std::size_t const bytes = system_bytes(size.capacity);
    void* base = allocate_from_system(bytes);
    if (!base) clear(), base = allocate_from_system(bytes);
    if (!base) refuse(asked);
    auto const lock = locked();
    auto* const place = static_cast<std::byte*>(base) + shift(size.capacity);
    MemoryBlock* const block = ::new (place) MemoryBlock;
    block->base = base;
    block->data = place + sizeof(MemoryBlock);
    block->capacity = size.capacity;
    block->release = [](MemoryBlock* released) { instance().give_back(released); };
    poison(block->data, size.capacity);
    ++counts_.system_allocations;
    count(size.capacity);
    return block;
  }

  /// Removes the least recently used blocks until at most `bytes` idle bytes are left; returns a
  /// list linked through `older`.
  [[gnu::noinline, gnu::cold]] MemoryBlock* beyond(std::size_t bytes) {
    MemoryBlock* list = nullptr;
    while (idle_.bytes() > bytes) {
      MemoryBlock* const block = idle_.take_oldest();
      if (!block) break;  // never: idle bytes are those of blocks
      block->older = list;
      list = block;
    }
    return list;
  }
  MemoryBlock* beyond_locked(std::size_t bytes) {
    auto const lock = locked();
    return beyond(bytes);
  }

  [[gnu::noinline, gnu::cold]] static void to_system(MemoryBlock* list) {
    while (MemoryBlock* const block = list) {
      list = block->older;
      void* const base = block->base;
      std::size_t const capacity = block->capacity;
      unpoison(block->data, capacity);
      block->~MemoryBlock();
      free_to_system(base, system_bytes(capacity));
    }
  }

  [[noreturn, gnu::cold, gnu::noinline]] static void refuse(std::size_t bytes) {
    std::string const wanted = concatenate({decimal(static_cast<std::int64_t>(bytes)), " bytes"});
    fail({.who = "memory", .expected = wanted, .got = "none from the system"});
  }

  std::mutex mutex_;
  IdleBlocks idle_;
  std::size_t limit_ = memory::system_memory() / 4;
  std::size_t shifted_ = 0;
  Counts counts_;
  RecentPeak recent_peak_;
};

[[gnu::noinline]] TENON_RUNTIME MemoryBlock* take_block(std::size_t bytes) {
  return BlockCache::instance().take(bytes);
}

}  // namespace tenon::internal

namespace tenon::internal::memory {

TENON_RUNTIME std::int64_t system_allocations() {
  return BlockCache::instance().counts().system_allocations;
}
TENON_RUNTIME std::int64_t bytes_in_use() { return BlockCache::instance().counts().bytes_in_use; }
TENON_RUNTIME std::int64_t peak_bytes_in_use() {
  return BlockCache::instance().counts().peak_bytes;
}
TENON_RUNTIME void reset_peak_bytes() { BlockCache::instance().reset_peak(); }
TENON_RUNTIME std::int64_t allocations() { return BlockCache::instance().counts().allocations; }
TENON_RUNTIME std::int64_t bytes_cached() { return BlockCache::instance().counts().bytes_cached; }
TENON_RUNTIME void empty_cache() { BlockCache::instance().clear(); }
TENON_RUNTIME void set_cache_limit(std::size_t bytes) { BlockCache::instance().set_limit(bytes); }
TENON_RUNTIME std::size_t cache_limit() { return BlockCache::instance().limit(); }

}  // namespace tenon::internal::memory

#endif
