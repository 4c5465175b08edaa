#pragma once

#include <tenon/op/compare.hpp>
#include <tenon/op/function.hpp>

/// Integer ops: floor division, remainders, bits, shifts. They have no derivative. Nothing traps:
/// division by zero gives zero, as in NumPy.
namespace tenon::op {

/// Values with bitwise operations: integers and masks.
template <class V>
concept BitsValue = IntegerValue<V> || MaskValue<V>;

template <class V>
constexpr V zero_of() {
  return V(scalar_of<V>(0));
}

/// Whether it is below zero; false for unsigned dtypes.
template <IntegerValue V>
constexpr mask_of<V> is_negative(V x) {
  if constexpr (std::signed_integral<scalar_of<V>>) return x < zero_of<V>();
  else return mask_of<V>(false);
}

/// Whether truncating division gives a larger quotient than floor division.
template <IntegerValue V>
constexpr mask_of<V> rounds_up(V rest, V divisor) {
  mask_of<V> const is_left = rest != zero_of<V>();
  mask_of<V> const is_opposed = is_negative(rest) != is_negative(divisor);
  return is_left & is_opposed;
}

/// The remainder of truncating division, with the sign of a.
struct Mod {
  static constexpr std::string_view name = "mod";
  template <IntegerValue V>
  TENON_INLINE static constexpr V f(V a, V b) {
    return modulo(a, b);
  }
};

/// Floor division.
struct FloorDivide {
  static constexpr std::string_view name = "floor_divide";
  template <IntegerValue V>
  TENON_INLINE static constexpr V f(V a, V b) {
    V const quotient = divide(a, b);
    V const one = V(scalar_of<V>(1));
    return select(rounds_up(modulo(a, b), b), subtract(quotient, one), quotient);
  }
};

/// The remainder of floor division, with the sign of b.
struct Remainder {
  static constexpr std::string_view name = "remainder";
  template <IntegerValue V>
  TENON_INLINE static constexpr V f(V a, V b) {
    V const rest = modulo(a, b);
    return select(rounds_up(rest, b), add(rest, b), rest);
  }
};

struct BitAnd {
  static constexpr std::string_view name = "bitwise_and";
  static constexpr std::string_view onnx = "BitwiseAnd";
  template <BitsValue V>
  TENON_INLINE static constexpr V f(V a, V b) {
    return static_cast<V>(a & b);
  }
};

struct BitOr {
  static constexpr std::string_view name = "bitwise_or";
  static constexpr std::string_view onnx = "BitwiseOr";
  template <BitsValue V>
  TENON_INLINE static constexpr V f(V a, V b) {
    return static_cast<V>(a | b);
  }
};

struct BitXor {
  static constexpr std::string_view name = "bitwise_xor";
  static constexpr std::string_view onnx = "BitwiseXor";
  template <BitsValue V>
  TENON_INLINE static constexpr V f(V a, V b) {
    return static_cast<V>(a ^ b);
  }
};

struct BitNot {
  static constexpr std::string_view name = "bitwise_not";
  static constexpr std::string_view onnx = "BitwiseNot";
  template <BitsValue V>
  TENON_INLINE static constexpr V f(V x) {
    using T = scalar_of<V>;
    if constexpr (MaskValue<V>) return !x;
    else return static_cast<V>(x ^ V(static_cast<T>(~T(0))));
  }
};

/// A shift by the bit width or more, or by a negative number, gives 0.
struct ShiftLeft {
  static constexpr std::string_view name = "shift_left";
  template <IntegerValue V>
  TENON_INLINE static constexpr V f(V a, V b) {
    return shift_left(a, b);
  }
};

/// A shift by the bit width or more, or by a negative number, leaves only the sign: 0 or -1.
struct ShiftRight {
  static constexpr std::string_view name = "shift_right";
  template <IntegerValue V>
  TENON_INLINE static constexpr V f(V a, V b) {
    return shift_right(a, b);
  }
};

using IntegerUnary = List<BitNot>;
using IntegerBinary =
    List<Mod, FloorDivide, Remainder, BitAnd, BitOr, BitXor, ShiftLeft, ShiftRight>;

}  // namespace tenon::op

namespace tenon {

/// Floor division of integers (`/` of integers does not compile); by zero it is zero, and of the
/// smallest number by -1 that number. Both have one dtype. The quotient towards zero is
/// `floor_divide(x - x % y, y)`. For floating numbers write `floor(x / y)`. NumPy, PyTorch:
/// `floor_divide`, `//`.
template <class X, class Y, WellFormed R = MapOf<op::FloorDivide, X, Y>>
constexpr auto floor_divide(X&& x, Y&& y) -> R {
  return map<op::FloorDivide>(std::forward<X>(x), std::forward<Y>(y));
}
template <class X, class Y, IllFormed R = MapOf<op::FloorDivide, X, Y>>
auto floor_divide(X&& x, Y&& y) -> R;

/// The remainder of `floor_divide`, with the sign of the divisor (`x % y` has that of x, as in
/// C++); by zero it is zero. Integers of one dtype. NumPy, PyTorch: `remainder`, `%`.
template <class X, class Y, WellFormed R = MapOf<op::Remainder, X, Y>>
constexpr auto remainder(X&& x, Y&& y) -> R {
  return map<op::Remainder>(std::forward<X>(x), std::forward<Y>(y));
}
template <class X, class Y, IllFormed R = MapOf<op::Remainder, X, Y>>
auto remainder(X&& x, Y&& y) -> R;

}  // namespace tenon
