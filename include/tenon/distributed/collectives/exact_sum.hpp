#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include <tenon/core/config.hpp>
#include <tenon/core/dtype.hpp>

namespace tenon {

/// An exact sum of floats or doubles: the result has the same bits for any order and partition of
/// the addends. The value is an integer multiple of the smallest subnormal (Kulisch's long
/// accumulator), in digits of 32 bits, each stored in 64, with carries propagated once in 2^30
/// additions. The message has 88 bytes for float, 544 for double. NaN and infinities are as in a
/// sum of floats.
template <class T>
  requires std::same_as<T, float> || std::same_as<T, double>
class ExactSum {
  using Limits = std::numeric_limits<T>;
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  static constexpr int fraction_bits = Limits::digits - 1;
  static constexpr int sign_bit = 8 * sizeof(T) - 1;
  static constexpr int largest_exponent = 2 * Limits::max_exponent - 1;  ///< Above any finite.
  /// Exponent of the smallest subnormal.
  static constexpr int lowest = Limits::min_exponent - Limits::digits;
  /// The number of values of one exponent whose sum fits into 63 bits.
  static constexpr std::int64_t together = std::int64_t{1} << (63 - Limits::digits);
  /// Two digits more than the largest number needs: about 2^30 of those can be added.
  static constexpr std::size_t digits = (largest_exponent + Limits::digits) / 32 + 2;

 public:
  /// The message: 64-bit words added elementwise over at most 2^20 ranks.
  static constexpr std::size_t words = digits + 1;
  using Words = std::array<std::int64_t, words>;

  void add(T x) {
    count(1);
    put(x);
  }
  /// Adds all elements of a host tensor, span or vector.
  template <class X>
    requires requires(X const& x) { static_cast<T>(*x.data()); }
  void add(X const& all) {
    auto const number = static_cast<std::int64_t>(all.size());
    bool const is_few = number < 512;
    for (std::int64_t i = 0; i < (is_few ? number : 0); ++i) add(static_cast<T>(all.data()[i]));
    for (std::int64_t first = is_few ? number : 0; first < number; first += together)
      add_some(all.data() + first, (std::min)(together, number - first));
  }

  ExactSum& operator+=(ExactSum const& other) {
    Words const more = other.to_words();
    resolve();
    for (std::size_t i = 0; i < digits; ++i) digits_[i] += more[i];
    for (int i = 0; i < 3; ++i) has_[index(i)] |= other.has_[index(i)];
    additions_ = 2;
    return *this;
  }

  /// The sum, rounded once to nearest; sums of floats also as `double`, `float16` and `bfloat16`.
  template <internal::FloatType R = T>
    requires(sizeof(internal::Computed<R>) >= sizeof(T))
  R value() const {
    using C = internal::Computed<R>;
    if (is_special()) return static_cast<R>(special());
    auto [bits, exponent, sign] = leading();
    if constexpr (internal::HalfType<R>) {  // rounded to odd first, so that the result is rounded
                                            // once
      bits = bits >> 40 | ((bits & 0xff'ffff'ffffu) != 0 ? 1u : 0u);
      exponent += 40;
    }
    return static_cast<R>(std::ldexp(static_cast<C>(bits), exponent) * static_cast<C>(sign));
  }

  /// The sum divided by `number`, without overflow. The mean of `number` values; NaN for zero
  /// values.
  template <internal::FloatType R = T>
  R mean(std::int64_t number) const {
    if (is_special() || number == 0)
      return static_cast<R>(number == 0 ? Limits::quiet_NaN() : special());
    Leading const x = leading();
    double const share = static_cast<double>(x.bits) / static_cast<double>(number) * x.sign;
    return static_cast<R>(std::ldexp(share, x.exponent));
  }

  Words to_words() const {
    ExactSum resolved_axes = *this;
    resolved_axes.resolve();
    Words result{};
    std::ranges::copy(resolved_axes.digits_, result.begin());
    for (int i = 0; i < 3; ++i) result.back() |= std::int64_t{has_[index(i)]} << 21 * i;
    return result;
  }
  static ExactSum from_words(std::span<std::int64_t const, words> sent) {
    ExactSum result;
    std::ranges::copy(sent.template first<digits>(), result.digits_.begin());
    for (int i = 0; i < 3; ++i) result.has_[index(i)] = (sent.back() >> 21 * i & 0x1f'ffff) != 0;
    result.resolve();
    return result;
  }

 private:
  /// The leading 64 bits; the last one is sticky: set if any later bit is.
  struct Leading {
    std::uint64_t bits = 0;
    int exponent = 0;
    int sign = 1;
  };

  static constexpr std::size_t index(int i) { return static_cast<std::size_t>(i); }

  /// Reserves room for `number` more additions.
  void count(std::int64_t number) {
    additions_ += number;
    if (additions_ < 1 << 30) return;
    resolve();
    additions_ += number;
  }

  /// Adds many values: those of one exponent are summed as integers first.
  template <class U>
  void add_some(U const* x, std::int64_t number) {
    count(std::min<std::int64_t>(number, largest_exponent));
    std::array<std::array<std::int64_t, std::size_t{largest_exponent}>, 2>
        sums{};  // several accumulators: independent additions
    int least = largest_exponent, most = 0;
    for (std::int64_t i = 0; i < number; ++i) {
      Parts const parts = parts_of(static_cast<T>(x[i]));
      if (parts.exponent == largest_exponent) {
        put_special(static_cast<T>(x[i]));
        continue;
      }
      least = (std::min)(least, parts.exponent);
      most = (std::max)(most, parts.exponent);
      sums[static_cast<std::size_t>(i % 2)][index(parts.exponent)] +=
          (parts.whole ^ parts.sign) - parts.sign;
    }
    for (int exponent = least; exponent <= most; ++exponent) {
      std::int64_t const sum = sums[0][index(exponent)] + sums[1][index(exponent)];
      std::int64_t const sign = sum < 0 ? -1 : 0;
      if (sum != 0) put_at(exponent, static_cast<std::uint64_t>((sum ^ sign) - sign), sign);
    }
  }

  void put(T x) {
    Parts const parts = parts_of(x);
    if (parts.exponent == largest_exponent) return put_special(x);
    put_at(parts.exponent, static_cast<std::uint64_t>(parts.whole), parts.sign);
  }

  /// A number as an integer mantissa; the sign is 0 or -1.
  struct Parts {
    int exponent;
    std::int64_t whole, sign;
  };
  static Parts parts_of(T x) {
    Bits const bits = std::bit_cast<Bits>(x);
    int const exponent = static_cast<int>(bits >> fraction_bits) & largest_exponent;
    Bits const fraction = bits & ((Bits{1} << fraction_bits) - 1);
    Bits const whole = fraction | Bits{exponent != 0} << fraction_bits;
    return {exponent, static_cast<std::int64_t>(whole),
            -static_cast<std::int64_t>(bits >> sign_bit)};
  }

  /// Adds an integer shifted by an exponent, or its negative: `sign` is 0 or -1.
  void put_at(int exponent, std::uint64_t whole, std::int64_t sign) {
    int const position = exponent - (exponent != 0);
    std::int64_t* const to = digits_.data() + position / 32;
    int const shift = position % 32;
    auto const signed_digit = [sign](std::uint64_t digit) {
      return (static_cast<std::int64_t>(digit) ^ sign) - sign;
    };
    std::uint64_t const low = whole << shift;
    to[0] += signed_digit(low & 0xffff'ffffu);
    to[1] += signed_digit(low >> 32);
    to[2] += signed_digit(whole >> 1 >> (63 - shift));
  }

  bool is_special() const { return has_[0] || has_[1] || has_[2]; }
  void put_special(T x) { has_[std::isnan(x) ? 0 : x > 0 ? 1 : 2] = true; }
  T special() const {
    if (has_[0] || (has_[1] && has_[2])) return Limits::quiet_NaN();
    return has_[1] ? Limits::infinity() : -Limits::infinity();
  }

  /// Propagates carries: then all digits but the most significant, which has the sign, are below
  /// 2^32.
  void resolve() {
    for (std::size_t i = 0; i + 1 < digits; ++i) {
      digits_[i + 1] += digits_[i] >> 32;
      digits_[i] &= 0xffff'ffff;
    }
    additions_ = 1;
  }

  Leading leading() const {
    ExactSum x = *this;
    x.resolve();
    bool const is_negative = x.digits_.back() < 0;
    for (auto& digit : x.digits_) digit = is_negative ? -digit : digit;
    x.resolve();
    std::size_t first = digits - 1;
    while (first > 0 && x.digits_[first] == 0) --first;
    return x.leading_from(first, is_negative ? -1 : 1);
  }
  Leading leading_from(std::size_t first, int sign) const {
    auto const digit = [&](std::size_t below) {
      return below > first ? 0 : static_cast<std::uint64_t>(digits_[first - below]);
    };
    std::uint64_t const two = digit(0) << 32 | digit(1);
    int const shift = two == 0 ? 0 : std::countl_zero(two);
    std::uint64_t bits = two << shift | digit(2) >> (32 - shift);
    bool has_more = (digit(2) << shift & 0xffff'ffffu) != 0;
    for (std::size_t below = 3; below <= first; ++below) has_more = has_more || digit(below) != 0;
    return {bits | (has_more ? 1u : 0u), 32 * (static_cast<int>(first) - 1) - shift + lowest, sign};
  }

  std::array<std::int64_t, digits> digits_{};
  std::array<bool, 3> has_{};  ///< NaN, infinity, -infinity.
  std::int64_t additions_ = 0;
};

}  // namespace tenon
