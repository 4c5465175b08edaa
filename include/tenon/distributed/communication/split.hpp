#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include <tenon/tensor/index.hpp>
#include <tenon/tensor/memory.hpp>

/// Splits an axis into one shard per rank, and concatenates shards.
namespace tenon::internal::mpi {

/// The shard sizes of an axis of `size` entries: as equal as possible, the first ranks have one
/// more. NumPy: `array_split`.
inline std::vector<std::int64_t> parts_of(std::int64_t size, int ranks) {
  std::vector<std::int64_t> parts(static_cast<std::size_t>(ranks), size / ranks);
  for (std::size_t i = 0; i < static_cast<std::size_t>(size % ranks); ++i) ++parts[i];
  return parts;
}

/// The offset of each shard, followed by the total.
inline std::vector<std::int64_t> starts_of(std::span<std::int64_t const> parts) {
  std::vector<std::int64_t> starts(parts.size() + 1);
  std::inclusive_scan(parts.begin(), parts.end(), starts.begin() + 1);
  return starts;
}

inline std::int64_t sum_of(std::span<std::int64_t const> parts) {
  return std::accumulate(parts.begin(), parts.end(), std::int64_t{0});
}

/// A tensor as an (outer, axis, inner) array around the axis that is split.
struct Cut {
  std::int64_t outer = 1;
  std::int64_t inner = 1;

  Cut(Sizes const& sizes, int rank, int axis) {
    for (int i = 0; i < rank; ++i) (i < axis ? outer : inner) *= i == axis ? 1 : at(sizes, i);
  }
  std::int64_t entry() const { return outer * inner; }
};

/// The elements of each shard, contiguous, in rank order.
template <class T>
void split(T const* whole, T* parts_in_order, std::span<std::int64_t const> parts, Cut cut) {
  std::int64_t const row = sum_of(parts) * cut.inner;
  for (std::int64_t start = 0; std::int64_t const part : parts) {
    for (std::int64_t o = 0; o < cut.outer; ++o)
      parts_in_order = std::copy_n(whole + o * row + start, part * cut.inner, parts_in_order);
    start += part * cut.inner;
  }
}

/// The inverse of `split`.
template <class T>
void join(T const* parts_in_order, T* whole, std::span<std::int64_t const> parts, Cut cut) {
  std::int64_t const row = sum_of(parts) * cut.inner;
  for (std::int64_t start = 0; std::int64_t const part : parts) {
    for (std::int64_t o = 0; o < cut.outer; ++o) {
      std::copy_n(parts_in_order, part * cut.inner, whole + o * row + start);
      parts_in_order += part * cut.inner;
    }
    start += part * cut.inner;
  }
}

/// The elements of one shard.
template <class T>
void cut_out(T const* whole, T* one, std::span<std::int64_t const> parts, std::size_t which,
             Cut cut) {
  std::int64_t const row = sum_of(parts) * cut.inner;
  std::int64_t const start = sum_of(parts.first(which)) * cut.inner;
  for (std::int64_t o = 0; o < cut.outer; ++o)
    one = std::copy_n(whole + o * row + start, parts[which] * cut.inner, one);
}

/// Buffer for elements being sent, from the cached tensor memory. (Fresh pages cost more than
/// filling them, since the system clears each page first.)
template <class T>
class Room {
 public:
  explicit Room(std::int64_t count) : buffer_(static_cast<std::size_t>(count) * sizeof(T)) {}
  T* get() const { return buffer_.as<T>(); }
  T& operator[](std::size_t i) const { return get()[i]; }

 private:
  SharedBuffer buffer_;
};
template <class T>
Room<T> room_for(std::int64_t count) {
  return Room<T>(count);
}

/// The number of elements of each shard.
inline std::vector<std::int64_t> counts_of(std::span<std::int64_t const> parts,
                                           std::int64_t entry) {
  std::vector<std::int64_t> counts(parts.begin(), parts.end());
  for (auto& count : counts) count *= entry;
  return counts;
}

}  // namespace tenon::internal::mpi
