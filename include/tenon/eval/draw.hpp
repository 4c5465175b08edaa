#pragma once

#include <algorithm>
#include <cstdint>

#include <tenon/eval/backend.hpp>
#include <tenon/op/philox.hpp>
#include <tenon/random/words.hpp>

namespace tenon::internal {

/// Blocks of four random words in a chunk: a constant, so that the words do not depend on the
/// number of threads.
inline constexpr std::int64_t chunk_blocks = 4096;

/// Writes the words of `M::count` blocks of a stream, or of the remaining ones, block after block.
template <class M>
void draw_blocks(op::PhiloxKey key, std::uint32_t stream, std::int64_t block, std::uint32_t* to,
                 std::int64_t words) {
  using V = typename M::template vector<std::uint32_t>;
  std::uint32_t number[M::count], high[M::count], drawn[4][M::count];
  for (int i = 0; i < M::count; ++i) {
    auto const whole = static_cast<std::uint64_t>(block + i);
    number[i] = static_cast<std::uint32_t>(whole);
    high[i] = static_cast<std::uint32_t>(whole >> 32);
  }
  auto const y = op::philox(
      op::PhiloxBlock<V>{M::load(number), M::load(high), V(stream), V(std::uint32_t{0})}, key);
  M::store(y.word0, drawn[0]);
  M::store(y.word1, drawn[1]);
  M::store(y.word2, drawn[2]);
  M::store(y.word3, drawn[3]);
  if (words >= 4 * M::count) {
    for (int i = 0; i < 4 * M::count; ++i) to[i] = drawn[i % 4][i / 4];
  } else {
    for (int i = 0; i < words; ++i) to[i] = drawn[i % 4][i / 4];
  }
}

/// Writes the remaining words of a block from one in its middle on; returns their number.
template <class M>
std::int64_t draw_rest_of_block(op::PhiloxKey key, std::uint32_t stream, std::int64_t first,
                                std::uint32_t* to, std::int64_t count) {
  if (first % 4 == 0) return 0;
  std::uint32_t block[4];
  draw_blocks<M>(key, stream, first / 4, block, 4);
  std::int64_t const left = (std::min)(4 - first % 4, count);
  std::copy_n(block + first % 4, left, to);
  return left;
}

/// Fills memory with random words from word `first` on: word i is word i % 4 of block i / 4 of a
/// stream of a key.
template <class Backend>
void draw_words(op::PhiloxKey key, std::uint32_t stream, std::int64_t first, std::uint32_t* to,
                std::int64_t count) {
  using M = typename Backend::machine;
  std::int64_t const begun = draw_rest_of_block<M>(key, stream, first, to, count);
  std::int64_t const rest = count - begun, start = (first + begun) / 4;
  std::int64_t const blocks = (rest + 3) / 4;
  Backend::parallel_for(
      (blocks + chunk_blocks - 1) / chunk_blocks, 0, [=](std::int64_t chunk, std::byte*) {
        std::int64_t const last = (std::min)((chunk + 1) * chunk_blocks, blocks);
        for (std::int64_t b = chunk * chunk_blocks; b < last; b += M::count)
          draw_blocks<M>(key, stream, start + b, to + begun + 4 * b, rest - 4 * b);
      });
}

/// The same for a tensor of words, on its device; called by the functions that create random
/// tensors.
template <TensorType W>
void draw_tensor(op::PhiloxKey key, std::uint32_t stream, W& words, std::int64_t first = 0) {
  BackendOf<typename W::device>::draw(key, stream, first, words.own_memory(), words.size());
}

}  // namespace tenon::internal
