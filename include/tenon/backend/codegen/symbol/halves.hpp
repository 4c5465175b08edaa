#pragma once

#include <tenon/backend/codegen/symbol/intrinsics.hpp>
#include <tenon/core/dtype.hpp>
#include <tenon/op/odd.hpp>

/// The 16-bit dtypes in kernels: unsigned integers, converted to float on read and rounded on
/// store, by integer arithmetic that all languages have, as in `core/half.hpp`.
namespace tenon::internal::codegen {

using Bits32 = Symbol<std::uint32_t>;

/// The same name, or constant, as another type of the same width (bit cast).
template <HalfType T>
Symbol<std::uint16_t> stored_bits(Symbol<T> x) {
  if (x.is_number()) return x.number.bits;
  return {*x.listing, x.name};
}
template <HalfType T>
Symbol<T> from_stored_bits(Symbol<std::uint16_t> b) {
  if (b.is_number()) return T::from_bits(b.number);
  return {*b.listing, b.name};
}

inline Symbol<float> value_of_bits(std::type_identity<bfloat16>, Bits32 b) {
  return from_bits(b << 16);
}
inline Symbol<float> value_of_bits(std::type_identity<float16>, Bits32 b) {
  Bits32 const sign = (b & Bits32(0x8000u)) << 16, fraction = b & Bits32(0x3ffu);
  Bits32 const exponent = (b >> 10) & Bits32(0x1fu);
  Symbol<bool> const is_last = exponent == Bits32(0x1fu);
  Bits32 const wide = select(is_last, Bits32(0xffu), exponent + Bits32(127 - 15));
  Bits32 const quiet = select(is_last & (fraction != Bits32(0u)), Bits32(0x400000u), Bits32(0u));
  Bits32 const usual = (wide << 23) | quiet | (fraction << 13);
  Bits32 const small = bits(cast<float>(fraction) * Symbol<float>(0x1p-24f));
  return from_bits(sign | select(exponent == Bits32(0u), small, usual));
}

inline Bits32 bits_of_value(std::type_identity<bfloat16>, Symbol<float> x) {
  Bits32 const all = bits(x);
  Bits32 const nan = select((all >> 31) != Bits32(0u), Bits32(0xffc0u), Bits32(0x7fc0u));
  Bits32 const rounded = (all + Bits32(0x7fffu) + ((all >> 16) & Bits32(1u))) >> 16;
  return select(x != x, nan, rounded);
}
inline Bits32 bits_of_value(std::type_identity<float16>, Symbol<float> x) {
  Bits32 const all = bits(x), sign = (all >> 16) & Bits32(0x8000u);
  Bits32 const size = all & Bits32(0x7fffffffu);
  Bits32 const usual =
      (size - Bits32(0x38000000u) + Bits32(0xfffu) + ((size >> 13) & Bits32(1u))) >> 13;
  Bits32 const small = bits(from_bits(size) + Symbol<float>(0.5f)) - Bits32(0x3f000000u);
  Bits32 const half = select(size < Bits32(0x38800000u), small, usual);
  Bits32 const large = select(size > Bits32(0x7f800000u), Bits32(0x7e00u), Bits32(0x7c00u));
  return sign | select(size >= Bits32(0x47800000u), large, half);
}

/// A 64-bit integer converted to float, rounded to odd. Large values are halved first, so that the
/// float converts back to the same integer type.
inline Symbol<float> integers_to_odd(Symbol<std::uint64_t> x) {
  using S = Symbol<std::uint64_t>;
  Symbol<bool> const is_large = x > S(std::uint64_t{1} << 40);
  S const kept = select(is_large, (x >> 1) | (x & S(std::uint64_t{1})), x);
  Symbol<float> const nearest = cast<float>(kept);
  S const back = cast<std::uint64_t>(nearest);
  Bits32 const all = bits(nearest), larger = select(back > kept, Bits32(1u), Bits32(0u));
  Symbol<float> const odd = from_bits(select(back == kept, all, (all - larger) | Bits32(1u)));
  return odd * select(is_large, Symbol<float>(2.0f), Symbol<float>(1.0f));
}
inline Symbol<float> integers_to_odd(Symbol<std::int64_t> x) {
  using S = Symbol<std::uint64_t>;
  Symbol<bool> const is_negative = x < Symbol<std::int64_t>(std::int64_t{0});
  S const all = cast<std::uint64_t>(x);
  Symbol<float> const odd = integers_to_odd(select(is_negative, S(std::uint64_t{0}) - all, all));
  return select(is_negative, -odd, odd);
}

/// A number as a float that rounds to 16 bits as the number does.
template <class T>
Symbol<float> odd_float(Symbol<T> x) {
  using Limits = std::numeric_limits<T>;
  if constexpr (std::same_as<T, double>)
    return called<float>(
        "rounded_to_odd", [](auto y) { return intrinsics::doubles_to_odd(y); }, x);
  else if constexpr (std::integral<T> && Limits::digits > 32)
    return called<float>(
        "rounded_to_odd", [](auto y) { return integers_to_odd(y); }, x);
  else if constexpr (std::integral<T> && Limits::digits > 24)
    return odd_float(cast<std::int64_t>(x));
  else return convert<float>(x);
}

/// The float value of a 16-bit number.
template <HalfType T>
Symbol<float> widened(Symbol<T> x) {
  auto const body = [](Symbol<std::uint16_t> b) {
    return value_of_bits(std::type_identity<T>(), cast<std::uint32_t>(b));
  };
  return called<float>(dtype_name<T>, body, stored_bits(x));
}
/// A float rounded to a 16-bit number, to nearest even.
template <HalfType T>
Symbol<T> narrowed(Symbol<float> x) {
  auto const body = [](Symbol<float> y) {
    return cast<std::uint16_t>(bits_of_value(std::type_identity<T>(), y));
  };
  return from_stored_bits<T>(called<std::uint16_t>(dtype_name<T>, body, x));
}

}  // namespace tenon::internal::codegen
