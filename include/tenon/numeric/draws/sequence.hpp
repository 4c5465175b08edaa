#pragma once

#include <cstdint>

#include <tenon/op/draw.hpp>
#include <tenon/random/key.hpp>

namespace tenon::internal::random {

/// The random numbers of one element of a draw, as many as a method of rejection takes: Philox's
/// blocks whose counter is the element and the number of the block. So an element depends on the
/// key and its position alone.
class Sequence {
 public:
  constexpr Sequence(Key const& key, std::int64_t element)
      : key_(key.words()), element_(static_cast<std::uint64_t>(element)) {}

  /// Uniform in (0, 1): the middle of one of 2^52 intervals.
  constexpr double uniform() {
    if (number_ % 2 == 0) block_ = op::philox(counter(), key_);
    bool const is_first = number_++ % 2 == 0;
    std::uint64_t const high = is_first ? block_.word0 : block_.word2;
    std::uint64_t const low = is_first ? block_.word1 : block_.word3;
    return (static_cast<double>((high << 32 | low) >> 12) + 0.5) * 0x1p-52;
  }

  /// Of the normal distribution with mean 0 and standard deviation 1.
  constexpr double normal() {
    double const u = uniform();
    return op::NormalDraw::f(u, uniform());
  }

 private:
  constexpr op::PhiloxBlock<std::uint32_t> counter() const {
    return {static_cast<std::uint32_t>(element_), static_cast<std::uint32_t>(element_ >> 32),
            number_ / 2, static_cast<std::uint32_t>(RandomUse::sequence)};
  }

  op::PhiloxKey key_;
  std::uint64_t element_;
  std::uint32_t number_ = 0;
  op::PhiloxBlock<std::uint32_t> block_{};
};

}  // namespace tenon::internal::random
