#pragma once

// References, by name, of ops that do not map floating numbers to floating numbers (comparisons,
// masks). An op without one fails its tests. Ops of floating numbers have separate references
// (op/reference.hpp).

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>

#include "check.hpp"

namespace every_op {

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
    {"isposinf", [](Wide x) { return std::isinf(x) && x > 0; }},
    {"isneginf", [](Wide x) { return std::isinf(x) && x < 0; }},
};

struct MaskReference {
  std::string_view name;
  bool (*f)(bool, bool);  ///< A unary op ignores the second.
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

/// The reference of an op. If there is none, the test fails.
template <class Op, class Reference, std::size_t N>
Reference const& reference_of(Reference const (&table)[N]) {
  auto const* const found = std::find_if(std::begin(table), std::end(table),
                                         [](Reference const& r) { return r.name == Op::name; });
  std::string const claim = "there is a reference for " + std::string(Op::name);
  INFO(claim);
  REQUIRE(found != std::end(table));
  return *found;
}

/// The allowed distance of an op from the rounded reference. References of double have only eleven
/// more bits: double rounding may cost one unit.
template <class Op, class T>
constexpr int units_of() {
  constexpr double bound = op::error_bound<Op, T>();
  return static_cast<int>(bound + (bound == 0.5 && sizeof(T) == 4 ? 0 : 0.5));
}

}  // namespace every_op
