#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>

#include <tenon/eval/draw.hpp>
#include <tenon/op/draw.hpp>

/// Integers below a range, made of two words each as `op::IntegerDraw` defines, in one pass. The
/// lower word adds less than the range, so it is needed only where the low half of the upper word's
/// multiplication is that close to 2^32: never for powers of two, and rarely for small ranges. It
/// is then drawn separately.
namespace tenon::internal {

/// For ranges up to this at most one element in 64 needs its lower word.
inline constexpr std::uint32_t most_rarely_carried = 1u << 26;

template <class Mask>
bool any_lane(Mask const& mask) {
  if constexpr (std::same_as<Mask, bool>) return mask;
  else return mask.any();
}

/// Word i of a stream.
inline std::uint32_t word_at(op::PhiloxKey key, std::uint32_t stream, std::int64_t i) {
  auto const block = static_cast<std::uint64_t>(i) / 4;
  auto const y =
      op::philox(op::PhiloxBlock<std::uint32_t>{static_cast<std::uint32_t>(block),
                                                static_cast<std::uint32_t>(block >> 32), stream, 0},
                 key);
  return std::array{y.word0, y.word1, y.word2, y.word3}[static_cast<std::size_t>(i % 4)];
}

/// Converts the upper words from word `first` on to integers, for a range up to
/// `most_rarely_carried`.
template <class M>
void scale_words(op::PhiloxKey key, std::uint32_t range, std::int64_t first, std::uint32_t* words,
                 std::int64_t count) {
  using intrinsics::multiply, intrinsics::multiply_high;
  using V = typename M::template vector<std::uint32_t>;
  V const scale(range), last(0u - range);
  for (std::int64_t i = 0; i < count; i += M::count) {
    int const n = static_cast<int>(std::min<std::int64_t>(M::count, count - i));
    V const high = M::load(words + i, n), below = multiply(high, scale);
    M::store(multiply_high(high, scale), words + i, n);
    if (!any_lane(below > last)) continue;
    for (int k = 0; k < n; ++k) {
      std::uint32_t const lane = M::lane(below, k);
      if (lane > 0u - range && lane + multiply_high(word_at(key, 1, first + i + k), range) < lane)
        ++words[i + k];
    }
  }
}

/// The same for any range, from both words.
template <class M>
void join_words(std::uint32_t range, std::uint32_t const* low, std::uint32_t* words,
                std::int64_t count) {
  using V = typename M::template vector<std::uint32_t>;
  for (std::int64_t i = 0; i < count; i += M::count) {
    int const n = static_cast<int>(std::min<std::int64_t>(M::count, count - i));
    M::store(op::IntegerDraw::f(V(M::load(words + i, n)), V(M::load(low + i, n)), V(range)),
             words + i, n);
  }
}

/// The integers that belong to the words of `draw_blocks`, from block `block` on.
template <class M>
void draw_integer_blocks(op::PhiloxKey key, std::uint32_t range, std::int64_t block,
                         std::uint32_t* to, std::int64_t left) {
  std::int64_t const count = std::min<std::int64_t>(4 * M::count, left);
  draw_blocks<M>(key, 0, block, to, left);
  if (range <= most_rarely_carried) return scale_words<M>(key, range, 4 * block, to, count);
  std::uint32_t low[4 * M::count];
  draw_blocks<M>(key, 1, block, low, left);
  join_words<M>(range, low, to, count);
}

/// Fills memory with integers below `range`.
template <class Backend>
void draw_integer_words(op::PhiloxKey key, std::uint32_t range, std::uint32_t* to,
                        std::int64_t size) {
  using M = typename Backend::machine;
  std::int64_t const blocks = (size + 3) / 4;
  Backend::parallel_for((blocks + chunk_blocks - 1) / chunk_blocks, 0,
                        [=](std::int64_t chunk, std::byte*) {
                          std::int64_t const last = (std::min)((chunk + 1) * chunk_blocks, blocks);
                          for (std::int64_t b = chunk * chunk_blocks; b < last; b += M::count)
                            draw_integer_blocks<M>(key, range, b, to + 4 * b, size - 4 * b);
                        });
}

/// The same for a tensor of the host; called by the functions that create random tensors.
template <TensorType W>
void draw_integers(op::PhiloxKey key, std::uint32_t range, W& numbers) {
  draw_integer_words<BackendOf<typename W::device>>(key, range, numbers.own_memory(),
                                                    numbers.size());
}

}  // namespace tenon::internal
