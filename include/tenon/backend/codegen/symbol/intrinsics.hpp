#pragma once

#include <tenon/backend/codegen/symbol/integers.hpp>

/// The intrinsics for symbols, found by argument-dependent lookup from the bodies of the ops. They
/// give the same values as those for scalars.
namespace tenon::internal::codegen {

/// A function of the prelude: `fma_f32($0, $1, $2)`.
template <class T>
std::string intrinsic_text(std::string_view name, std::string_view arguments) {
  return std::string(name).append("_").append(type_text<T>).append(arguments);
}

template <std::floating_point T>
Symbol<T> fma(Symbol<T> x, Symbol<T> y, Symbol<T> z) {
  return emitted<T>(intrinsics::fma<T>, intrinsic_text<T>("fma", "($0, $1, $2)"), x, y, z);
}
template <std::floating_point T>
Symbol<T> sqrt(Symbol<T> x) {
  return emitted<T>(intrinsics::sqrt<T>, intrinsic_text<T>("sqrt", "($0)"), x);
}
template <std::floating_point T>
Symbol<T> floor(Symbol<T> x) {
  return emitted<T>(intrinsics::floor<T>, intrinsic_text<T>("floor", "($0)"), x);
}
template <std::floating_point T>
Symbol<T> round_even(Symbol<T> x) {
  return emitted<T>(intrinsics::round_even<T>, intrinsic_text<T>("round", "($0)"), x);
}
template <std::floating_point T>
Symbol<T> copysign(Symbol<T> magnitude, Symbol<T> sign) {
  return emitted<T>(intrinsics::copysign<T>, intrinsic_text<T>("copysign", "($0, $1)"), magnitude,
                    sign);
}
template <std::floating_point T>
auto bits(Symbol<T> x) {
  using Bits = typename intrinsics::Layout<T>::Bits;
  return emitted<Bits>(intrinsics::bits<T>, intrinsic_text<T>("bits", "($0)"), x);
}
template <std::unsigned_integral U>
auto from_bits(Symbol<U> b) {
  using T = std::conditional_t<sizeof(U) == 4, float, double>;
  return emitted<T>([](U x) { return intrinsics::from_bits(x); },
                    intrinsic_text<T>("from_bits", "($0)"), b);
}
template <std::unsigned_integral U>
Symbol<U> multiply_high(Symbol<U> a, Symbol<U> b) {
  auto const compute = [](U x, U y) { return intrinsics::multiply_high(x, y); };
  return emitted<U>(compute, intrinsic_text<U>("multiply_high", "($0, $1)"), a, b);
}

/// Whether the language of the kernel has no double.
template <class T>
bool lacks_double(Symbol<T> x) {
  return !x.is_number() && !x.listing->functions().dialect().has_double;
}

template <class T>
Symbol<bool> is_nan(Symbol<T> x) {
  if constexpr (std::floating_point<T>) return x != x;
  else return Symbol<bool>(false);
}

template <class T>
Symbol<T> abs(Symbol<T> x) {
  if constexpr (std::floating_point<T>)
    return emitted<T>(intrinsics::abs<T>, intrinsic_text<T>("abs", "($0)"), x);
  else if constexpr (std::signed_integral<T>) return select(x < Symbol<T>(T(0)), -x, x);
  else return x;
}

template <class T>
Symbol<T> clamp(Symbol<T> x, Symbol<T> low, Symbol<T> high) {
  return select(x < low, low, select(high < x, high, x));
}

/// Both extremes: if the two are equal (zeros of any sign), their bits are combined.
template <bool larger, class T>
Symbol<T> extreme(Symbol<T> a, Symbol<T> b) {
  Symbol<T> const best = larger ? select(a < b, b, a) : select(b < a, b, a);
  if constexpr (!std::floating_point<T>) return best;
  else {
    auto const both = larger ? bits(a) & bits(b) : bits(a) | bits(b);
    return select(is_nan(a) | is_nan(b), a + b, select(a == b, from_bits(both), best));
  }
}
template <class T>
Symbol<T> maximum(Symbol<T> a, Symbol<T> b) {
  return called<T>(
      "maximum", [](auto x, auto y) { return extreme<true>(x, y); }, a, b);
}
template <class T>
Symbol<T> minimum(Symbol<T> a, Symbol<T> b) {
  return called<T>(
      "minimum", [](auto x, auto y) { return extreme<false>(x, y); }, a, b);
}

/// Towards zero; saturates out of range, NaN becomes 0.
template <class To, class From>
Symbol<To> truncated(Symbol<From> x) {
  using S = Symbol<From>;
  using Limits = std::numeric_limits<To>;
  S const limit(intrinsics::power_of_two(From(Limits::digits)));
  Symbol<bool> const above = x >= limit;
  Symbol<bool> const below = x <= (std::signed_integral<To> ? -limit : S(From(0)));
  Symbol<To> const inside = cast<To>(select(above | below | is_nan(x), S(From(0)), x));
  return select(above, Symbol<To>((Limits::max)()),
                select(below, Symbol<To>((Limits::min)()), inside));
}

template <class To, class From>
Symbol<To> convert(Symbol<From> x) {
  if constexpr (std::same_as<To, From>) return x;
  else if constexpr (HalfType<From>) return convert<To>(widened(x));
  else if constexpr (HalfType<To>) return narrowed<To>(odd_float(x));
  else if constexpr (std::same_as<To, bool>) return x != Symbol<From>(From(0));
  else if constexpr (std::integral<To> && std::floating_point<From>)
    return called<To>(
        "truncated", [](auto y) { return truncated<To>(y); }, x);
  else return cast<To>(x);
}

template <std::floating_point T>
Symbol<T> power_of_two(Symbol<T> n) {
  using L = intrinsics::Layout<T>;
  Symbol<T> const magic(T(1) / std::numeric_limits<T>::epsilon() + L::bias);
  return from_bits(bits(n + magic) << L::mantissa_bits);
}

template <std::floating_point T>
Symbol<T> scale(Symbol<T> x, Symbol<T> n) {
  auto const body = [](Symbol<T> y, Symbol<T> power) {
    Symbol<T> const half = floor(power * Symbol<T>(T(0.5)));
    return (y * power_of_two(half)) * power_of_two(power - half);
  };
  return called<T>("scale", body, x, n);
}

/// A subnormal number times 2^mantissa_bits.
template <std::floating_point T>
Symbol<T> made_normal(Symbol<T> x) {
  Symbol<bool> const small = x < Symbol<T>(intrinsics::Layout<T>::smallest_normal);
  return select(small, x / Symbol<T>(std::numeric_limits<T>::epsilon()), x);
}

template <std::floating_point T>
Symbol<T> exponent(Symbol<T> x) {
  auto const body = [](Symbol<T> y) {
    using L = intrinsics::Layout<T>;
    Symbol<bool> const small = y < Symbol<T>(L::smallest_normal);
    Symbol<T> const biased = cast<T>(cast<int>(bits(made_normal(y)) >> L::mantissa_bits));
    return biased - select(small, Symbol<T>(T(L::bias + L::mantissa_bits)), Symbol<T>(T(L::bias)));
  };
  return called<T>("exponent", body, x);
}

template <std::floating_point T>
Symbol<T> mantissa(Symbol<T> x) {
  auto const body = [](Symbol<T> y) {
    using L = intrinsics::Layout<T>;
    using Bits = Symbol<typename L::Bits>;
    return from_bits((bits(made_normal(y)) & Bits(L::fraction)) | Bits(L::one));
  };
  return called<T>("mantissa", body, x);
}

}  // namespace tenon::internal::codegen
