#pragma once

// What the ops are for integers: they wrap around, and nothing traps.

#include "reference.hpp"

namespace judge {

/// A number of 64 bits, of which a narrower dtype keeps the lower ones; `negative` numbers are
/// compared and divided as such.
struct Whole {
  std::uint64_t bits;
  bool negative;
};

template <class T>
Whole whole(T x) {
  return {static_cast<std::uint64_t>(x), x < T(0)};
}

inline bool below(Whole a, Whole b) {
  return a.negative != b.negative ? a.negative : a.bits < b.bits;
}
inline std::uint64_t size(Whole x) { return x.negative ? 0 - x.bits : x.bits; }

/// Towards zero; by zero it is zero.
inline std::uint64_t quotient(Whole a, Whole b) {
  if (b.bits == 0) return 0;
  std::uint64_t const q = size(a) / size(b);
  return a.negative != b.negative ? 0 - q : q;
}

struct IntegerReference {
  std::string_view name;
  std::uint64_t (*f)(Whole, Whole);  ///< A unary op does not look at the second.
};

inline constexpr IntegerReference integer_references[] = {
    {"neg", [](Whole x, Whole) { return 0 - x.bits; }},
    {"abs", [](Whole x, Whole) { return size(x); }},
    {"square", [](Whole x, Whole) { return x.bits * x.bits; }},
    {"relu", [](Whole x, Whole) { return x.negative ? 0 : x.bits; }},
    {"sign", [](Whole x, Whole) { return x.negative ? ~std::uint64_t{0} : x.bits != 0; }},
    {"add", [](Whole a, Whole b) { return a.bits + b.bits; }},
    {"sub", [](Whole a, Whole b) { return a.bits - b.bits; }},
    {"mul", [](Whole a, Whole b) { return a.bits * b.bits; }},
    {"div", quotient},
    {"max", [](Whole a, Whole b) { return below(a, b) ? b.bits : a.bits; }},
    {"min", [](Whole a, Whole b) { return below(b, a) ? b.bits : a.bits; }},
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
  constexpr bool unary = TakesDtypes<Op, Constant<T>>;
  constexpr bool binary = TakesDtypes<Op, Constant<T>, Constant<T>>;
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
      for (std::int64_t i = 0; i < length; ++i) {
        T const expected = static_cast<T>(reference.f(whole(a(i)), whole(b(i))));
        verdict.expect(y(i) == expected, "value", i, Wide(y(i)), Wide(expected));
      }
    }
  }
}

template <class T, class D>
void every_op_of_integers() {
  op::for_each(op::Joined<op::Unary, op::Binary>{}, []<class Op>() { integer_values<Op, T, D>(); });
}

}  // namespace judge
