#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

#include <tenon/core/atomic.hpp>

#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#endif

namespace tenon::internal {

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

}  // namespace tenon::internal
