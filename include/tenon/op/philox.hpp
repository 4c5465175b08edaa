#pragma once

#include <array>
#include <cstdint>

#include <tenon/op/intrinsics.hpp>

namespace tenon::op {

/// The counter and the result of one call: four words of 32 random bits.
template <class V>
struct PhiloxBlock {
  V word0, word1, word2, word3;
};

using PhiloxKey = std::array<std::uint32_t, 2>;

template <class V, class W>
constexpr PhiloxBlock<V> philox_round(PhiloxBlock<V> c, std::array<W, 2> const& key) {
  V const m0 = V(std::uint32_t{0xD2511F53}), m1 = V(std::uint32_t{0xCD9E8D57});
  return {multiply_high(m1, c.word2) ^ c.word1 ^ V(key[0]), multiply(m1, c.word2),
          multiply_high(m0, c.word0) ^ c.word3 ^ V(key[1]), multiply(m0, c.word0)};
}

/// Philox 4x32-10: random bits as a function of a counter and a key, the same on every machine. V
/// is `std::uint32_t` or lanes of it, W the type of the key's words. J. Salmon et al., "Parallel
/// random numbers: as easy as 1, 2, 3", SC 2011; the constants are those of Random123.
template <class V, class W = std::uint32_t>
constexpr PhiloxBlock<V> philox(PhiloxBlock<V> counter, std::array<W, 2> key) {
  for (int round = 0; round < 10; ++round) {
    counter = philox_round(counter, key);
    key = {key[0] + W(0x9E3779B9u), key[1] + W(0xBB67AE85u)};
  }
  return counter;
}

/// A float in [0, 1), a multiple of 2^-24, from one word.
template <class V>
constexpr auto uniform_float(V word) {
  auto const digits = convert<float>(word >> 8);
  return digits * decltype(digits)(0x1p-24f);
}

/// A double in [0, 1), a multiple of 2^-53, from two words.
template <class V>
constexpr auto uniform_double(V high, V low) {
  auto const upper = convert<double>(high >> 5);
  using Result = std::remove_const_t<decltype(upper)>;
  return (upper * Result(0x1p26) + convert<double>(low >> 6)) * Result(0x1p-53);
}

}  // namespace tenon::op
