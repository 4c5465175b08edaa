#pragma once

// Every op by its name, from the C library, with more bits than any dtype has. An op that is not
// here fails its tests: a new op brings its line.

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>

#include "judge.hpp"

namespace judge {

inline Wide normal_share(Wide x) { return 0.5L * std::erfc(-x * 0.70710678118654752440L); }
inline Wide gate(Wide x) { return 1 / (1 + std::exp(-x)); }

/// x * y where an infinite x meets a y that is zero because x is infinite.
inline Wide gated(Wide x, Wide y) { return y == 0 ? std::copysign(Wide(0), x) : x * y; }

inline Wide maximum(Wide a, Wide b) {
  if (a != a || b != b) return a + b;
  if (a == b) return std::signbit(a) ? b : a;
  return a < b ? b : a;
}

inline Wide tanh_gelu(Wide x) {
  return gated(x, gate(1.5957691216057307117597842397376L * (x + 0.044715L * x * x * x)));
}

inline Wide softplus(Wide x) {
  return x != x ? x : std::fmax(x, Wide(0)) + std::log1p(std::exp(-std::fabs(x)));
}

struct UnaryReference {
  std::string_view name;
  Wide (*f)(Wide);
  int units;      ///< In the last place of float that the value may be away.
  bool positive;  ///< The derivative is asked for above zero only.
};

inline constexpr UnaryReference unary_references[] = {
    {"neg", [](Wide x) { return -x; }, 0, false},
    {"abs", [](Wide x) { return std::fabs(x); }, 0, false},
    {"sqrt", [](Wide x) { return std::sqrt(x); }, 0, true},
    {"rsqrt", [](Wide x) { return 1 / std::sqrt(x); }, 1, true},
    {"reciprocal", [](Wide x) { return 1 / x; }, 0, true},
    {"square", [](Wide x) { return x * x; }, 0, false},
    {"relu", [](Wide x) { return x != x  ? x
                                 : x > 0 ? x
                                         : Wide(0); }, 0, false},
    {"exp", [](Wide x) { return std::exp(x); }, 1, false},
    {"log", [](Wide x) { return std::log(x); }, 1, true},
    {"sign", [](Wide x) { return x > 0    ? Wide(1)
                                 : x < 0  ? Wide(-1)
                                 : x == 0 ? Wide(0)
                                          : x; }, 0,
     false},
    {"floor", [](Wide x) { return std::floor(x); }, 0, false},
    {"ceil", [](Wide x) { return std::ceil(x); }, 0, false},
    {"round", [](Wide x) { return std::nearbyint(x); }, 0, false},
    {"trunc", [](Wide x) { return std::trunc(x); }, 0, false},
    {"expm1", [](Wide x) { return std::expm1(x); }, 2, false},
    {"log1p", [](Wide x) { return std::log1p(x); }, 2, true},
    {"softplus", softplus, 2, false},
    {"tanh", [](Wide x) { return std::tanh(x); }, 2, false},
    {"sigmoid", [](Wide x) { return gate(x); }, 2, false},
    {"silu", [](Wide x) { return gated(x, gate(x)); }, 2, false},
    {"erf", [](Wide x) { return std::erf(x); }, 2, false},
    {"gelu", [](Wide x) { return gated(x, normal_share(x)); }, 3, false},
    {"gelu_tanh", tanh_gelu, 3, false},
    {"sin", [](Wide x) { return std::sin(x); }, 1, false},
    {"cos", [](Wide x) { return std::cos(x); }, 1, false},
    {"tan", [](Wide x) { return std::tan(x); }, 3, false},
    {"atan", [](Wide x) { return std::atan(x); }, 2, false},
    {"asin", [](Wide x) { return std::asin(x); }, 2, true},
    {"acos", [](Wide x) { return std::acos(x); }, 2, true},
    {"sinh", [](Wide x) { return std::sinh(x); }, 3, false},
    {"cosh", [](Wide x) { return std::cosh(x); }, 3, false},
};

struct BinaryReference {
  std::string_view name;
  Wide (*f)(Wide, Wide);
  int units;
  bool positive;  ///< The derivative is asked for where both are above zero.
};

inline constexpr BinaryReference binary_references[] = {
    {"add", [](Wide a, Wide b) { return a + b; }, 0, false},
    {"sub", [](Wide a, Wide b) { return a - b; }, 0, false},
    {"mul", [](Wide a, Wide b) { return a * b; }, 0, false},
    {"div", [](Wide a, Wide b) { return a / b; }, 0, false},
    {"max", maximum, 0, false},
    {"min", [](Wide a, Wide b) { return -maximum(-a, -b); }, 0, false},
    {"pow", [](Wide a, Wide b) { return std::pow(a, b); }, 1, true},
    {"atan2", [](Wide a, Wide b) { return std::atan2(a, b); }, 3, true},
};

struct ComparisonReference {
  std::string_view name;
  bool (*f)(Wide, Wide);
};

inline constexpr ComparisonReference comparison_references[] = {
    {"less", [](Wide a, Wide b) { return a < b; }},
    {"less_equal", [](Wide a, Wide b) { return a <= b; }},
    {"greater", [](Wide a, Wide b) { return a > b; }},
    {"greater_equal", [](Wide a, Wide b) { return a >= b; }},
    {"equal", [](Wide a, Wide b) { return a == b; }},
    {"not_equal", [](Wide a, Wide b) { return a != b; }},
};

struct PredicateReference {
  std::string_view name;
  bool (*f)(Wide);
};

inline constexpr PredicateReference predicate_references[] = {
    {"isnan", [](Wide x) { return std::isnan(x); }},
    {"isinf", [](Wide x) { return std::isinf(x); }},
    {"isfinite", [](Wide x) { return std::isfinite(x); }},
};

struct MaskReference {
  std::string_view name;
  bool (*f)(bool, bool);  ///< Of one mask: its second is not looked at.
};

inline constexpr MaskReference mask_references[] = {
    {"and", [](bool a, bool b) { return a && b; }},
    {"or", [](bool a, bool b) { return a || b; }},
    {"xor", [](bool a, bool b) { return a != b; }},
    {"not", [](bool a, bool) { return !a; }},
};

struct TernaryReference {
  std::string_view name;
  Wide (*f)(bool, Wide, Wide);
};

inline constexpr TernaryReference ternary_references[] = {
    {"where", [](bool mask, Wide yes, Wide no) { return mask ? yes : no; }},
};

/// The line of an op. Where there is none the test fails.
template <class Op, class Reference, std::size_t N>
Reference const& reference_of(Reference const (&table)[N]) {
  auto const* const found = std::find_if(std::begin(table), std::end(table),
                                         [](Reference const& r) { return r.name == Op::name; });
  std::string const claim = "there is a reference for " + std::string(Op::name);
  INFO(claim);
  REQUIRE(found != std::end(table));
  return *found;
}

/// Double has references with eleven bits more only: rounding twice may cost a unit. (pow loses
/// some where |b log a| is large; the header says so.)
template <class T>
constexpr int units_of(std::string_view name, int units) {
  if (sizeof(T) == 4) return units;
  return name == "pow" ? 16 : std::max(units, 1);
}

}  // namespace judge
