#pragma once

#include <string_view>

#include <tenon/core/half.hpp>
#include <tenon/op/exponential.hpp>
#include <tenon/op/philox.hpp>
#include <tenon/op/trigonometric.hpp>

/// The distributions of random words, element by element: lanes and scalars give the same values.
/// Operands of an op that `draws` have no gradient.
namespace tenon::op {

/// A number in [0, 1) with the precision of `T`, from one or two words.
template <class T>
struct UniformDraw {
  static constexpr std::string_view name = "uniform";
  static constexpr bool draws = true;
  static constexpr int digits = [] {
    if constexpr (HalfType<T>) return T::digits;
    else return 24;
  }();

  template <class V>
  static constexpr auto f(V word) {
    if constexpr (digits == 24) {
      return uniform_float(word);
    } else {
      auto const top = convert<float>(word >> (32 - digits));
      using F = std::remove_const_t<decltype(top)>;
      return convert<T>(top * F(1.0f / static_cast<float>(1 << digits)));
    }
  }
  template <class V>
  static constexpr auto f(V high, V low) {
    return uniform_double(high, low);
  }
};

/// [0, 1) scaled to [low, high); a result that rounds to `high` becomes `low`.
struct StretchedDraw {
  static constexpr std::string_view name = "uniform";
  static constexpr bool draws = true;
  template <class V>
  static constexpr V f(V u, V low, V high) {
    V const y = fma(u, high - low, low);
    return select(y < high, y, low);
  }
};

/// A number below `range`: the integer part of word * range / 2^64, of a word of 64 bits in two
/// parts. Probabilities differ by less than 2^-64, that is, by a relative error below range / 2^64.
struct IntegerDraw {
  static constexpr std::string_view name = "uniform";
  template <class V>
  static constexpr V f(V high, V low, V range) {
    V const carried = multiply_high(low, range), total = multiply(high, range) + carried;
    return multiply_high(high, range) + select(total < carried, V(1u), V(0u));
  }
};

/// Two numbers in [0, 1) give one of the normal distribution. G. Box, M. Muller, "A note on the
/// generation of random normal deviates", 1958.
struct NormalDraw {
  static constexpr std::string_view name = "normal";
  static constexpr bool draws = true;
  template <FloatingValue V>
  static constexpr V f(V u, V turn) {
    using T = scalar_of<V>;
    V const radius = sqrt(V(T(-2)) * Log::f(V(T(1)) - u));
    return radius * Cos::f(turn * V(T(6.28318530717958647692)));
  }
};

/// A normal deviate with another mean and standard deviation.
struct SpreadDraw {
  static constexpr std::string_view name = "normal";
  static constexpr bool draws = true;
  template <class V>
  static constexpr V f(V z, V expectation, V deviation) {
    return fma(z, deviation, expectation);
  }
};

}  // namespace tenon::op
