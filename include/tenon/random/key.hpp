#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>

#include <tenon/op/philox.hpp>

namespace tenon::internal {

/// The purpose of a block of random words: the last word of its counter, so that different uses of
/// a key are independent.
enum class RandomUse : std::uint32_t { draw = 0, split = 1, fold_in = 2, sequence = 3 };

}  // namespace tenon::internal

namespace tenon {

/// A random key; random numbers are a pure function of it: Philox 4x32-10, counter-based, the same
/// on every machine and device. It has no state: use it once, and `split` it for more. JAX: `key`.
class Key {
 public:
  /// The key of seed 0, so that a key may be a field of a tree.
  constexpr Key() = default;

  template <std::integral I>
  explicit constexpr Key(I seed)
      : words_{static_cast<std::uint32_t>(static_cast<std::uint64_t>(seed)),
               static_cast<std::uint32_t>(static_cast<std::uint64_t>(seed) >> 32)} {}

  /// The state of the key; `Key(words)` restores it.
  constexpr op::PhiloxKey const& words() const { return words_; }
  explicit constexpr Key(op::PhiloxKey const& words) : words_(words) {}

  /// A key that is a function of this one and of `number`.
  constexpr Key derived(internal::RandomUse use, std::uint64_t number) const {
    op::PhiloxBlock<std::uint32_t> const counter{static_cast<std::uint32_t>(number),
                                                 static_cast<std::uint32_t>(number >> 32), 0,
                                                 static_cast<std::uint32_t>(use)};
    auto const block = op::philox(counter, words_);
    return Key(block.word0 | std::uint64_t{block.word1} << 32);
  }

  friend constexpr bool operator==(Key const&, Key const&) = default;

 private:
  op::PhiloxKey words_{};
};

}  // namespace tenon

namespace tenon::internal {

/// Independent keys from one, which must not be used again: `auto [dropout, rest] = split(key);`.
/// JAX: `split`.
template <std::size_t number = 2>
constexpr std::array<Key, number> split(Key const& key) {
  return [&]<std::size_t... i>(std::index_sequence<i...>) {
    return std::array<Key, number>{key.derived(RandomUse::split, i)...};
  }(std::make_index_sequence<number>());
}

/// The key of one step, layer or rank out of many: `fold_in(key, step)`. JAX: `fold_in`.
template <std::integral I>
constexpr Key fold_in(Key const& key, I data) {
  return key.derived(RandomUse::fold_in, static_cast<std::uint64_t>(data));
}

}  // namespace tenon::internal

namespace tenon {

using internal::fold_in;
using internal::split;

}  // namespace tenon
