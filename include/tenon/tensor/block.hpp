#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>

#include <tenon/core/config.hpp>
#include <tenon/core/mutex.hpp>

#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#endif

#if __has_include(<sanitizer/asan_interface.h>)
#include <sanitizer/asan_interface.h>
#endif

namespace tenon::internal {

/// The number at the beginning of a file; 0 where there is none.
inline std::size_t number_in(char const* path, char const* format) {
  std::FILE* const file = std::fopen(path, "r");
  if (file == nullptr) return 0;
  unsigned long long number = 0;
  int const found = std::fscanf(file, format, &number);
  (void)std::fclose(file);
  return found == 1 ? static_cast<std::size_t>(number) : 0;
}

/// The memory of the machine in bytes, or a container's limit if that is lower; 16 GiB if unknown
/// (outside of Linux these files do not exist).
inline std::size_t system_memory() {
  std::size_t const machine = number_in("/proc/meminfo", "MemTotal: %llu") * 1024;
  std::size_t const container = number_in("/sys/fs/cgroup/memory.max", "%llu");
  if (machine == 0) return std::size_t{16} << 30;
  return container == 0 ? machine : (std::min)(machine, container);
}

/// Whether the process has one thread. (As reported by the C library; false where it does not
/// report it.)
inline bool is_single_threaded() {
#if __has_include(<sys/single_threaded.h>)
  return __libc_single_threaded;
#else
  return false;
#endif
}

/// The reference count of a block. Thread-safe; without atomic instructions in a single-threaded
/// process, as `std::shared_ptr` of libstdc++.
class OwnerCount {
 public:
  std::int32_t load() const { return count_.load(MemoryOrder::acquire); }
  /// For a block that is not in use.
  void set_to_one() { count_.store(1, MemoryOrder::relaxed); }
  void add() {
    if (is_single_threaded()) count_.store(relaxed() + 1, MemoryOrder::relaxed);
    else count_.fetch_add(1, MemoryOrder::relaxed);
  }
  /// Returns whether it was the last owner.
  bool remove() {
    if (!is_single_threaded()) return count_.fetch_sub(1, MemoryOrder::acquire_release) == 1;
    count_.store(relaxed() - 1, MemoryOrder::relaxed);
    return relaxed() == 0;
  }

 private:
  std::int32_t relaxed() const { return count_.load(MemoryOrder::relaxed); }

  Atomic<std::int32_t> count_{1};
};

/// The header of a reference-counted memory block. One cache line, so that the data after it in a
/// cached block begin at the next.
struct alignas(64) MemoryBlock {
  OwnerCount owners;
  Atomic<std::int32_t> writers{0};  ///< Owners that may write at any time: `BufferWriter`.
  void* data = nullptr;
  std::size_t bytes = 0;  ///< As requested; of an idle block, its sequence number in the order of
                          ///< release.
  void (*release)(MemoryBlock*) = nullptr;  ///< Frees the block and its data.
  void* base = nullptr;          ///< The start of the system's allocation (cached blocks).
  std::size_t capacity = 0;      ///< Usable bytes (cached blocks).
  MemoryBlock* older = nullptr;  ///< In a list of idle blocks.
  MemoryBlock* newer = nullptr;
};

/// The alignment of the data, in bytes.
inline constexpr std::size_t block_alignment = 64;

/// Four sizes for every power of two: at most a quarter is wasted, and allocations of nearly equal
/// size share their blocks.
struct SizeClass {
  std::size_t capacity;
  std::size_t index;

  static constexpr std::size_t count = 256;

  static constexpr SizeClass of(std::size_t bytes) {
    std::size_t const wanted = bytes < block_alignment ? block_alignment : bytes;
    auto const power = static_cast<std::size_t>(std::numeric_limits<std::size_t>::digits -
                                                std::countl_zero(wanted - 1));
    std::size_t const quarter = std::size_t{1} << (power - 3);
    std::size_t const step = quarter < block_alignment ? block_alignment : quarter;
    std::size_t const capacity = (wanted + step - 1) / step * step;
    return {capacity, power * 4 + capacity / quarter - 5};
  }
};

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

}  // namespace tenon::internal
