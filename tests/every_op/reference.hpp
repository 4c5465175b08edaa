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

/// Numbers between -2.2 and 2.2, or fewer.
enum class Domain { all, positive, within_one };

struct UnaryReference {
  std::string_view name;
  Wide (*f)(Wide);
  int units;      ///< In the last place of float that the value may be away.
  Domain domain;  ///< Where the derivative is asked for.
};

inline constexpr UnaryReference unary_references[] = {
    {"neg", [](Wide x) { return -x; }, 0, Domain::all},
    {"abs", [](Wide x) { return std::fabs(x); }, 0, Domain::all},
    {"sqrt", [](Wide x) { return std::sqrt(x); }, 0, Domain::positive},
    {"rsqrt", [](Wide x) { return 1 / std::sqrt(x); }, 1, Domain::positive},
    {"reciprocal", [](Wide x) { return 1 / x; }, 0, Domain::positive},
    {"square", [](Wide x) { return x * x; }, 0, Domain::all},
    {"relu", [](Wide x) { return x != x  ? x
                                 : x > 0 ? x
                                         : Wide(0); }, 0, Domain::all},
    {"exp", [](Wide x) { return std::exp(x); }, 1, Domain::all},
    {"log", [](Wide x) { return std::log(x); }, 1, Domain::positive},
    {"sign", [](Wide x) { return x > 0    ? Wide(1)
                                 : x < 0  ? Wide(-1)
                                 : x == 0 ? Wide(0)
                                          : x; }, 0,
     Domain::all},
    {"floor", [](Wide x) { return std::floor(x); }, 0, Domain::all},
    {"ceil", [](Wide x) { return std::ceil(x); }, 0, Domain::all},
    {"round", [](Wide x) { return std::nearbyint(x); }, 0, Domain::all},
    {"trunc", [](Wide x) { return std::trunc(x); }, 0, Domain::all},
    {"expm1", [](Wide x) { return std::expm1(x); }, 2, Domain::all},
    {"log1p", [](Wide x) { return std::log1p(x); }, 2, Domain::positive},
    {"softplus", softplus, 2, Domain::all},
    {"tanh", [](Wide x) { return std::tanh(x); }, 2, Domain::all},
    {"sigmoid", [](Wide x) { return gate(x); }, 2, Domain::all},
    {"silu", [](Wide x) { return gated(x, gate(x)); }, 2, Domain::all},
    {"erf", [](Wide x) { return std::erf(x); }, 2, Domain::all},
    {"gelu", [](Wide x) { return gated(x, normal_share(x)); }, 3, Domain::all},
    {"gelu_tanh", tanh_gelu, 3, Domain::all},
    {"sin", [](Wide x) { return std::sin(x); }, 1, Domain::all},
    {"cos", [](Wide x) { return std::cos(x); }, 1, Domain::all},
    {"tan", [](Wide x) { return std::tan(x); }, 3, Domain::within_one},
    {"atan", [](Wide x) { return std::atan(x); }, 2, Domain::all},
    {"asin", [](Wide x) { return std::asin(x); }, 2, Domain::within_one},
    {"acos", [](Wide x) { return std::acos(x); }, 2, Domain::within_one},
    {"sinh", [](Wide x) { return std::sinh(x); }, 3, Domain::all},
    {"cosh", [](Wide x) { return std::cosh(x); }, 3, Domain::all},
};

struct BinaryReference {
  std::string_view name;
  Wide (*f)(Wide, Wide);
  int units;
  Domain domain;  ///< Where the derivatives are asked for.
};

inline constexpr BinaryReference binary_references[] = {
    {"add", [](Wide a, Wide b) { return a + b; }, 0, Domain::all},
    {"sub", [](Wide a, Wide b) { return a - b; }, 0, Domain::all},
    {"mul", [](Wide a, Wide b) { return a * b; }, 0, Domain::all},
    {"div", [](Wide a, Wide b) { return a / b; }, 0, Domain::all},
    {"max", maximum, 0, Domain::all},
    {"min", [](Wide a, Wide b) { return -maximum(-a, -b); }, 0, Domain::all},
    {"pow", [](Wide a, Wide b) { return std::pow(a, b); }, 1, Domain::positive},
    {"atan2", [](Wide a, Wide b) { return std::atan2(a, b); }, 3, Domain::positive},
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

/// Double has references with eleven bits more only: rounding twice may cost a unit.
template <class T>
constexpr int units_of(int units) {
  return sizeof(T) == 4 ? units : std::max(units, 1);
}

}  // namespace judge
