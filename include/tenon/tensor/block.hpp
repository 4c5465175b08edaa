#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace tenon {

/// The header of a reference-counted piece of memory. One cache line, so that the data which
/// follow it in a cached block begin at the next.
struct alignas(64) MemoryBlock {
  std::atomic<std::int32_t> owners{1};
  std::atomic<std::uint32_t> writers{
      0};  ///< Owners that may write at any time: see `SharedBuffer`.
  void* data = nullptr;
  std::size_t bytes = 0;  ///< As asked for; of an idle block, its place in the order of release.
  void (*release)(MemoryBlock*) = nullptr;  ///< Ends the life of the block and of its data.
  void* base = nullptr;          ///< Where the system's allocation begins (cached blocks).
  std::size_t capacity = 0;      ///< Bytes there are (cached blocks).
  MemoryBlock* older = nullptr;  ///< In a list of idle blocks.
  MemoryBlock* newer = nullptr;
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
    auto const power = static_cast<std::size_t>(std::numeric_limits<std::size_t>::digits -
                                                std::countl_zero(wanted - 1));
    std::size_t const quarter = std::size_t{1} << (power - 3);
    std::size_t const step = quarter < block_alignment ? block_alignment : quarter;
    std::size_t const capacity = (wanted + step - 1) / step * step;
    return {capacity, power * 4 + capacity / quarter - 5};
  }
};

}  // namespace tenon
