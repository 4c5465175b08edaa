#pragma once

// The reference of ops on integers: results wrap around, and nothing traps.

#include <utility>

#include "reference.hpp"

namespace every_op {

using namespace tenon::internal;

/// A 64-bit number, of which a narrower dtype keeps the lower bits; `negative` numbers are compared
/// and divided as signed.
struct Whole {
  std::uint64_t bits;
  bool negative;
  std::uint64_t width;  ///< The bits of its dtype.
};

template <class T>
Whole whole(T x) {
  return {static_cast<std::uint64_t>(x), x < T(0), 8 * sizeof(T)};
}

inline bool below(Whole a, Whole b) {
  return a.negative != b.negative ? a.negative : a.bits < b.bits;
}
inline std::uint64_t size(Whole x) { return x.negative ? 0 - x.bits : x.bits; }

/// Rounds towards zero; division by zero gives zero.
inline std::uint64_t quotient(Whole a, Whole b) {
  if (b.bits == 0) return 0;
  std::uint64_t const q = size(a) / size(b);
  return a.negative != b.negative ? 0 - q : q;
}

inline std::uint64_t rest(Whole a, Whole b) {
  return b.bits == 0 ? 0 : a.bits - quotient(a, b) * b.bits;
}

/// True if the quotient rounded down is below the one rounded towards zero.
inline bool rounds_down(Whole a, Whole b) { return rest(a, b) != 0 && a.negative != b.negative; }

/// A shift by `width` or more, or by a negative number, leaves only the sign.
inline std::uint64_t shifted_right(Whole a, Whole b) {
  std::uint64_t const sign = a.negative ? ~std::uint64_t{0} : 0;
  if (b.bits >= a.width) return sign;
  std::uint64_t const high = b.bits == 0 ? 0 : sign << (64 - b.bits);
  return a.bits >> b.bits | high;
}

struct IntegerReference {
  std::string_view name;
  std::uint64_t (*f)(Whole, Whole);  ///< A unary op ignores the second.
};

/// By Euclid's algorithm.
inline std::uint64_t divisor(Whole a, Whole b) {
  std::uint64_t large = size(a), small = size(b);
  while (small != 0) large = std::exchange(small, large % small);
  return large;
}

inline constexpr IntegerReference integer_references[] = {
    {"neg", [](Whole x, Whole) { return 0 - x.bits; }},
    {"abs", [](Whole x, Whole) { return size(x); }},
    {"square", [](Whole x, Whole) { return x.bits * x.bits; }},
    {"relu", [](Whole x, Whole) { return x.negative ? 0 : x.bits; }},
    {"sign", [](Whole x, Whole) { return x.negative ? ~std::uint64_t{0} : x.bits != 0; }},
    {"add", [](Whole a, Whole b) { return a.bits + b.bits; }},
    {"sub", [](Whole a, Whole b) { return a.bits - b.bits; }},
    {"mul", [](Whole a, Whole b) { return a.bits * b.bits; }},
    {"max", [](Whole a, Whole b) { return below(a, b) ? b.bits : a.bits; }},
    {"min", [](Whole a, Whole b) { return below(b, a) ? b.bits : a.bits; }},
    {"mod", rest},
    {"floor_divide", [](Whole a, Whole b) { return quotient(a, b) - rounds_down(a, b); }},
    {"remainder", [](Whole a, Whole b) { return rest(a, b) + (rounds_down(a, b) ? b.bits : 0); }},
    {"bitwise_and", [](Whole a, Whole b) { return a.bits & b.bits; }},
    {"bitwise_or", [](Whole a, Whole b) { return a.bits | b.bits; }},
    {"bitwise_xor", [](Whole a, Whole b) { return a.bits ^ b.bits; }},
    {"bitwise_not", [](Whole x, Whole) { return ~x.bits; }},
    {"shift_left", [](Whole a, Whole b) { return b.bits < a.width ? a.bits << b.bits : 0; }},
    {"shift_right", shifted_right},
    {"gcd", divisor},
    {"lcm",
     [](Whole a, Whole b) {
       std::uint64_t const d = divisor(a, b);
       return d == 0 ? 0 : size(a) / d * size(b);
     }},
};

template <class T>
std::vector<T> whole_numbers() {
  using Limits = std::numeric_limits<T>;
  T const high = Limits::max(), low = Limits::lowest();
  return {0,
          1,
          2,
          3,
          7,
          high,
          low,
          static_cast<T>(high - 1),
          static_cast<T>(low + 1),
          10,
          99,
          64,
          5,
          100,
          static_cast<T>(-1),
          static_cast<T>(-2),
          static_cast<T>(-77)};
}

template <class Op, class T, class D>
void integer_values() {
  constexpr bool unary = TakesDtypes<Op, ConstantNode<T>>;
  constexpr bool binary = TakesDtypes<Op, ConstantNode<T>, ConstantNode<T>>;
  if constexpr (unary || binary) {
    Verdict verdict(claim<Op, T, D>("values"));
    auto const& reference = reference_of<Op>(integer_references);
    std::vector<T> const all = whole_numbers<T>();
    for (std::int64_t shift = 0; shift < static_cast<std::int64_t>(all.size()); ++shift) {
      std::int64_t const length = 2 * lane_count + 1 + shift;
      auto const a = vector_of<T, D>(cycle(all, length));
      auto const b = vector_of<T, D>(cycle(all, length, shift));
      auto const y = [&] {
        if constexpr (unary) return eval(map<Op>(a));
        else return eval(map<Op>(a, b));
      }();
      static_assert(std::same_as<typename decltype(y)::value_type, T>);
      verdict.record(y);
      for (std::int64_t i = 0; i < length; ++i) {
        T const expected = static_cast<T>(reference.f(whole(a(i)), whole(b(i))));
        verdict.expect(y(i) == expected, "value", i, Wide(y(i)), Wide(expected));
      }
    }
  }
}

/// The same for scalars only, which compiles no kernels: lanes are compared with scalars elsewhere.
template <class Op, class T>
void integer_scalars() {
  Verdict verdict(claim<Op, T, Reference>("scalars"));
  auto const& reference = reference_of<Op>(integer_references);
  for (T const a : whole_numbers<T>()) {
    for (T const b : whole_numbers<T>()) {
      T const expected = static_cast<T>(reference.f(whole(a), whole(b)));
      T const y = [&] {
        if constexpr (requires { Op::f(a); }) return Op::f(a);
        else return Op::f(a, b);
      }();
      verdict.expect(y == expected, "of", static_cast<std::int64_t>(a), Wide(y), Wide(expected));
    }
  }
}

/// One wide and one narrow dtype represent all.
template <class T>
inline constexpr bool has_kernels = std::same_as<T, std::int32_t> || std::same_as<T, std::uint8_t>;

template <class T, class D>
void every_op_of_integers() {
  op::for_each(op::Joined<op::Unary, op::Binary>{}, []<class Op>() { integer_values<Op, T, D>(); });
  op::for_each(op::Joined<op::IntegerUnary, op::IntegerBinary>{}, []<class Op>() {
    if constexpr (has_kernels<T>) integer_values<Op, T, D>();
    else integer_scalars<Op, T>();
  });
}

}  // namespace every_op
