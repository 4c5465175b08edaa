#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/io/onnx/export/graph_builder.hpp>

/// What ONNX leaves undefined, or lacks, for integers: division by zero, at which runtimes trap,
/// the casts of numbers out of range, shifts of signed numbers, unsigned `Neg` and `Relu`. These
/// are rules of that language, not meanings of ops; all else follows from the records of the ops
/// (see op/symbolic.hpp).
namespace tenon::internal::onnx::maps {

using Value = GraphBuilder::Value;

/// The operands of an op, and what its formula needs beside them.
struct Operands {
  GraphBuilder& build;
  std::vector<Value> const& x;
  std::string_view dtype;   ///< Of the first operand.
  std::string_view result;  ///< The dtype of the value.

  Value number(double value) const { return build.number(dtype, value); }
  Value add(std::string_view op, Value const& a) const { return build.add(op, {a}); }
  Value add(std::string_view op, Value const& a, Value const& b) const {
    return build.add(op, {a, b});
  }
  bool is_floating() const { return dtype.find("float") != dtype.npos; }
  bool is_unsigned() const { return dtype[0] == 'u'; }
};

/// The number at the end of the name of a dtype.
inline int bits_of(std::string_view dtype) {
  return std::stoi(std::string(dtype.substr(dtype.find("int") + 3)));
}

/// What is added to a divisor of 0 or -1, so that it is 1: nothing traps.
inline Value to_safe_divisor(Operands const& f) {
  Value is_zero = f.build.cast(f.add("Equal", f.x[1], f.number(0)), f.dtype);
  if (f.is_unsigned()) return is_zero;
  Value const is_minus_one = f.build.cast(f.add("Equal", f.x[1], f.number(-1)), f.dtype);
  return f.add("Add", is_zero, f.add("Add", is_minus_one, is_minus_one));
}

/// By 0 it is 0; by -1 the negative, which wraps around.
inline Value divide(Operands const& f) {
  Value const more = to_safe_divisor(f);
  Value const quotient = f.add("Div", f.x[0], f.add("Add", f.x[1], more));
  return f.add("Mul", quotient, f.add("Sub", f.number(1), more));
}

/// The remainder with the sign of the divisor, and of the dividend; by 0 and by -1 it is 0.
inline Value remainder(Operands const& f) {
  return f.add("Mod", f.x[0], f.add("Add", f.x[1], to_safe_divisor(f)));
}
inline Value mod(Operands const& f) {
  return f.build.add("Mod", {f.x[0], f.add("Add", f.x[1], to_safe_divisor(f))},
                     {attribute("fmod", std::int64_t{1})});
}
inline Value floor_divide(Operands const& f) {
  Value quotient = divide(f);
  if (f.is_unsigned()) return quotient;
  Value const differs =
      f.add("Xor", f.add("Less", f.x[0], f.number(0)), f.add("Less", f.x[1], f.number(0)));
  Value const inexact = f.add("Not", f.add("Equal", mod(f), f.number(0)));
  return f.add("Sub", quotient, f.build.cast(f.add("And", differs, inexact), f.dtype));
}

/// A shift of unsigned integers; by the bit width or more it is 0.
inline Value shifted_bits(Operands const& f, Value const& x, Value const& places,
                          std::string_view dtype, Attribute const& way) {
  Value const inside = f.add("Less", places, f.build.number(dtype, bits_of(dtype)));
  return f.add("Mul", f.build.add("BitShift", {x, places}, {way}), f.build.cast(inside, dtype));
}
/// ONNX shifts unsigned integers. Of a negative number x, those of -1 - x (to the right) or -x (to
/// the left), which are not negative, are shifted.
inline Value shifted(Operands const& f, std::string const& direction) {
  Attribute const way = attribute("direction", direction);
  if (f.is_unsigned()) return shifted_bits(f, f.x[0], f.x[1], f.dtype, way);
  std::string const bits = "u" + std::string(f.dtype);
  Value const is_negative = f.add("Less", f.x[0], f.number(0));
  Value const mirror = f.number(direction == "RIGHT" ? -1 : 0);
  Value const x = f.build.add("Where", {is_negative, f.add("Sub", mirror, f.x[0]), f.x[0]});
  Value const y = f.build.cast(
      shifted_bits(f, f.build.cast(x, bits), f.build.cast(f.x[1], bits), bits, way), f.dtype);
  return f.build.add("Where", {is_negative, f.add("Sub", mirror, y), y});
}

/// Floating to integer truncates and saturates; NaN becomes 0.
inline Value cast(Operands const& f) {
  bool const is_integer = f.result.find("int") != f.result.npos;
  if (!f.is_floating() || !is_integer) return f.build.cast(f.x[0], f.result);
  bool const is_double = f.dtype == "float64", is_signed = f.result[0] == 'i';
  Operands const of{f.build, f.x, is_double ? "float64" : "float32", f.result};
  Value const x = f.dtype == of.dtype ? f.x[0] : f.build.cast(f.x[0], of.dtype);
  double const limit = std::ldexp(1.0, bits_of(f.result) - is_signed);
  double const below =
      is_double ? std::nextafter(limit, 0.0) : std::nextafter(static_cast<float>(limit), 0.0f);
  Value const known = f.build.add("Where", {f.add("IsNaN", x), of.number(0), x});
  Value const clipped =
      f.build.add("Clip", {known, of.number(is_signed ? -limit : 0), of.number(below)});
  Value y = f.build.cast(clipped, f.result);
  double const missing = limit - below - 1;  // from the largest number below the limit to the end
  if (missing <= 0) return y;
  Value const is_above = f.build.cast(f.add("GreaterOrEqual", x, of.number(limit)), f.result);
  return f.add("Add", y, f.add("Mul", is_above, f.build.number(f.result, missing)));
}

/// ONNX has neither operator for unsigned integers; of other dtypes it has.
inline Value unsigned_neg(Operands const& f) {
  return f.is_unsigned() ? f.add("Sub", f.number(0), f.x[0]) : Value();
}
inline Value unsigned_relu(Operands const& f) { return f.is_unsigned() ? f.x[0] : Value(); }

/// Of floating numbers ONNX's own operator.
inline Value fmod(Operands const& f) {
  if (!f.is_floating()) return mod(f);
  return f.build.add("Mod", {f.x[0], f.x[1]}, {attribute("fmod", std::int64_t{1})});
}

/// The form of an op of integers; empty where it is that of the op itself.
struct Rule {
  std::string_view op;
  Value (*value)(Operands const&);
};
inline constexpr std::array rules{
    Rule{"to", &cast},
    Rule{"mod", &mod},
    Rule{"fmod", &fmod},
    Rule{"remainder", &remainder},
    Rule{"floor_divide", &floor_divide},
    Rule{"shift_left", [](Operands const& f) { return shifted(f, "LEFT"); }},
    Rule{"shift_right", [](Operands const& f) { return shifted(f, "RIGHT"); }},
    Rule{"neg", &unsigned_neg},
    Rule{"relu", &unsigned_relu},
};

inline Value by_rule(std::string_view op, Operands const& f) {
  auto const* const rule = std::ranges::find(rules, op, &Rule::op);
  return rule == rules.end() ? Value() : rule->value(f);
}

}  // namespace tenon::internal::onnx::maps
