#pragma once

#include <tenon/backend/codegen/symbol/called.hpp>

/// Selection, casts, and integer intrinsics for symbols: nothing traps, as for scalars.
namespace tenon::internal::codegen {

template <class T>
Symbol<T> select(Symbol<bool> mask, Symbol<T> yes, Symbol<T> no) {
  if (mask.is_number()) return mask.number ? yes : no;
  return emitted<T>([](bool m, T y, T n) { return m ? y : n; }, &Dialect::select, mask, yes, no);
}

/// `{i32 $0}`.
template <class T>
std::string cast_pattern(std::string_view value) {
  return std::string("{").append(type_text<T>).append(" ").append(value).append("}");
}

/// The conversion of the language; the value is in range.
template <class To, class From>
Symbol<To> cast(Symbol<From> x) {
  return emitted<To>([](From number) { return static_cast<To>(number); }, cast_pattern<To>("$0"),
                     x);
}

/// A divisor that does not trap.
template <class T>
Symbol<T> harmless(Symbol<T> b) {
  Symbol<T> const one(T(1));
  Symbol<bool> traps = b == Symbol<T>(T(0));
  if constexpr (std::signed_integral<T>) traps = traps | (b == Symbol<T>(T(-1)));
  return select(traps, one, b);
}

/// Division by zero gives zero; the smallest integer divided by -1 is itself.
template <class T>
Symbol<T> quotient(Symbol<T> a, Symbol<T> b) {
  Symbol<T> const zero(T(0));
  Symbol<T> whole = emitted<T>(intrinsics::divide<T>, cast_pattern<T>("($0 / $1)"), a, harmless(b));
  if constexpr (std::signed_integral<T>) whole = select(b == Symbol<T>(T(-1)), -a, whole);
  return select(b == zero, zero, whole);
}
/// The remainder by zero and by -1 is zero.
template <class T>
Symbol<T> rest(Symbol<T> a, Symbol<T> b) {
  Symbol<T> const divisor = harmless(b), zero(T(0));
  Symbol<T> const left =
      emitted<T>(intrinsics::modulo<T>, cast_pattern<T>("($0 % $1)"), a, divisor);
  return select(divisor == b, left, zero);
}
template <class T>
Symbol<T> operator/(Symbol<T> a, Symbol<T> b) {
  if constexpr (std::floating_point<T>) return emitted<T>(intrinsics::divide<T>, "$0 / $1", a, b);
  else
    return called<T>(
        "quotient", [](auto x, auto y) { return quotient(x, y); }, a, b);
}

template <std::integral T>
Symbol<T> operator%(Symbol<T> a, Symbol<T> b) {
  return called<T>(
      "rest", [](auto x, auto y) { return rest(x, y); }, a, b);
}

/// The number of bits.
template <class T>
inline constexpr std::size_t bit_count = 8 * sizeof(T);

/// The shift reduced to the number of bits; `is_shift` tells whether it was in range.
template <class T>
Symbol<std::make_unsigned_t<T>> places_of(Symbol<T> b) {
  using U = std::make_unsigned_t<T>;
  return cast<U>(b) & Symbol<U>(static_cast<U>(bit_count<T> - 1));
}
template <class T>
Symbol<bool> is_shift(Symbol<T> b) {
  using U = std::make_unsigned_t<T>;
  return cast<U>(b) < Symbol<U>(static_cast<U>(bit_count<T>));
}

template <std::integral T>
Symbol<T> shift_left(Symbol<T> a, Symbol<T> b) {
  auto const body = [](Symbol<T> x, Symbol<T> n) {
    auto const compute = [](T y, auto by) { return intrinsics::shift_left(y, static_cast<T>(by)); };
    std::string const pattern = cast_pattern<T>("({u64 $0} << $1)");
    return select(is_shift(n), emitted<T>(compute, pattern, x, places_of(n)), Symbol<T>(T(0)));
  };
  return called<T>("shift_left", body, a, b);
}
template <std::integral T>
Symbol<T> shift_right(Symbol<T> a, Symbol<T> b) {
  auto const body = [](Symbol<T> x, Symbol<T> n) {
    auto const compute = [](T y, auto by) {
      return intrinsics::shift_right(y, static_cast<T>(by));
    };
    Symbol<T> const moved = emitted<T>(compute, cast_pattern<T>("($0 >> $1)"), x, places_of(n));
    Symbol<T> const zero(T(0));
    if constexpr (!std::signed_integral<T>) return select(is_shift(n), moved, zero);
    else return select(is_shift(n), moved, select(x < zero, Symbol<T>(T(-1)), zero));
  };
  return called<T>("shift_right", body, a, b);
}

}  // namespace tenon::internal::codegen
