#pragma once

#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/io/onnx/export/graph_builder.hpp>

/// Ops of integers in operators of ONNX. What those leave undefined, and runtimes trap at, is
/// defined as in Tenon.
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
  if (f.is_floating()) return f.add("Div", f.x[0], f.x[1]);
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

}  // namespace tenon::internal::onnx::maps

/// Ops of floating numbers in operators of ONNX, exact at zeros, infinities and NaN.
namespace tenon::internal::onnx::maps {

/// A formula in other operators.
struct Formula {
  std::string_view op;
  Value (*value)(Operands const&);
};

/// x sigmoid(z), where z has the sign of x: precise for large negative z, and 0 at -infinity.
inline Value gated(Operands const& f, Value const& x, Value const& z) {
  Value const e = f.add("Exp", f.add("Neg", f.add("Abs", z)));
  Value const above = f.build.add("Where", {f.add("Less", z, f.number(0)), e, f.number(1)});
  Value const share = f.add("Div", above, f.add("Add", e, f.number(1)));
  return f.add("Mul", f.add("Max", x, f.number(-1200)), share);  // below, the share is 0
}

/// x * (1 + erf(x / sqrt(2))) / 2; below -40 it is 0.
inline Value gelu(Operands const& f) {
  Value const x = f.add("Max", f.x[0], f.number(-40));
  if (f.build.opset >= 20) return f.add("Gelu", x);
  Value const scaled = f.add("Mul", x, f.number(std::numbers::sqrt2 / 2));
  Value const below = f.add("Add", f.add("Erf", scaled), f.number(1));
  return f.add("Mul", f.add("Mul", x, f.number(0.5)), below);
}

/// x * (1 + tanh(z)) / 2 with z = sqrt(2/pi) * (x + 0.044715 x^3), as x sigmoid(2 z).
inline Value gelu_tanh(Operands const& f) {
  if (f.build.opset >= 20)
    return f.build.add("Gelu", {f.add("Max", f.x[0], f.number(-40))},
                       {attribute("approximate", std::string("tanh"))});
  Value const cube = f.add("Mul", f.add("Mul", f.x[0], f.x[0]), f.x[0]);
  Value const inner = f.add("Add", f.x[0], f.add("Mul", cube, f.number(0.044715)));
  double const scale = 2 * std::sqrt(2 / std::numbers::pi);
  return gated(f, f.x[0], f.add("Mul", inner, f.number(scale)));
}

/// Near zero by t = tanh(x / 2), as 2 t / (1 - t).
inline Value expm1(Operands const& f) {
  Value const &x = f.x[0], one = f.number(1);
  Value const t = f.add("Tanh", f.add("Mul", x, f.number(0.5)));
  Value const near = f.add("Div", f.add("Add", t, t), f.add("Sub", one, t));
  Value const far = f.add("Sub", f.add("Exp", x), one);
  return f.build.add("Where", {f.add("Less", f.add("Abs", x), one), near, far});
}

/// log(1 + x), with the rounding error of 1 + x relative to the total added.
inline Value log1p(Operands const& f, Value const& x) {
  Value const one = f.number(1), total = f.add("Add", x, one), log = f.add("Log", total);
  Value const lost = f.add("Sub", x, f.add("Sub", total, one));
  Value const mended = f.add("Add", log, f.add("Div", lost, total));
  Value const y = f.build.add("Where", {f.add("IsInf", log), log, mended});
  return f.build.add("Where", {f.add("Equal", total, one), x, y});
}

/// The operator; in float64, where runtimes overflow, max(x, 0) + log(1 + exp(-|x|)).
inline Value softplus(Operands const& f) {
  if (f.dtype != "float64") return f.add("Softplus", f.x[0]);
  Value const e = f.add("Exp", f.add("Neg", f.add("Abs", f.x[0])));
  return f.add("Add", f.add("Max", f.x[0], f.number(0)), log1p(f, e));
}

/// Whether the sign bit is set: of -0 by its reciprocal.
inline Value has_sign(Operands const& f, Value const& x) {
  Value const is_zero = f.add("Equal", x, f.number(0));
  Value const number = f.build.add("Where", {is_zero, f.add("Reciprocal", x), x});
  return f.add("Less", number, f.number(0));
}

/// The angle of the smaller to the larger of |x| and |y|, turned to the quadrant of the point.
inline Value atan2(Operands const& f) {
  auto const where = [&](Value const& mask, Value const& a, Value const& b) {
    return f.build.add("Where", {mask, a, b});
  };
  Value const a = f.add("Abs", f.x[1]), b = f.add("Abs", f.x[0]), zero = f.number(0);
  Value const small = f.add("Min", a, b), large = f.add("Max", a, b);
  Value const quotient =
      where(f.add("IsInf", small), f.number(1),
            where(f.add("Equal", large, zero), zero, f.add("Div", small, large)));
  Value const angle = f.add("Atan", quotient);
  Value const upper =
      where(f.add("Greater", b, a), f.add("Sub", f.number(std::numbers::pi / 2), angle), angle);
  Value const left = f.add("Sub", f.number(std::numbers::pi), upper);
  Value const whole = where(has_sign(f, f.x[1]), left, upper);
  return f.add("Mul", whole, where(has_sign(f, f.x[0]), f.number(-1), f.number(1)));
}

inline Value trunc(Operands const& f) {
  return f.add("Mul", f.add("Sign", f.x[0]), f.add("Floor", f.add("Abs", f.x[0])));
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

inline constexpr std::array formulas{
    Formula{"gelu", &gelu},
    Formula{"gelu_tanh", &gelu_tanh},
    Formula{"stop_gradient", [](Operands const& f) -> Value { return f.x[0]; }},
    Formula{"to", &cast},
    Formula{"rsqrt", [](Operands const& f) { return f.add("Reciprocal", f.add("Sqrt", f.x[0])); }},
    Formula{"square", [](Operands const& f) { return f.add("Mul", f.x[0], f.x[0]); }},
    Formula{"silu", [](Operands const& f) { return gated(f, f.x[0], f.x[0]); }},
    Formula{"expm1", &expm1},
    Formula{"log1p", [](Operands const& f) { return log1p(f, f.x[0]); }},
    Formula{"softplus", &softplus},
    Formula{"not_equal",
            [](Operands const& f) { return f.add("Not", f.add("Equal", f.x[0], f.x[1])); }},
    Formula{"isfinite",
            [](Operands const& f) {
              return f.add("Not", f.add("IsNaN", f.add("Sub", f.x[0], f.x[0])));
            }},
    Formula{"trunc", &trunc},
    Formula{"div", &divide},
    Formula{"mod", &mod},
    Formula{"remainder", &remainder},
    Formula{"floor_divide", &floor_divide},
    Formula{"atan2", &atan2},
    Formula{"bitwise_and", [](Operands const& f) { return f.add("BitwiseAnd", f.x[0], f.x[1]); }},
    Formula{"bitwise_or", [](Operands const& f) { return f.add("BitwiseOr", f.x[0], f.x[1]); }},
    Formula{"bitwise_xor", [](Operands const& f) { return f.add("BitwiseXor", f.x[0], f.x[1]); }},
    Formula{"bitwise_not", [](Operands const& f) { return f.add("BitwiseNot", f.x[0]); }},
    Formula{"shift_left", [](Operands const& f) { return shifted(f, "LEFT"); }},
    Formula{"shift_right", [](Operands const& f) { return shifted(f, "RIGHT"); }},
    Formula{"relu",
            [](Operands const& f) {
              return f.dtype.starts_with("u") ? f.x[0] : f.add("Relu", f.x[0]);
            }},
    Formula{"neg",
            [](Operands const& f) {
              return f.dtype.starts_with("u") ? f.add("Sub", f.number(0), f.x[0])
                                              : f.add("Neg", f.x[0]);
            }},
};

}  // namespace tenon::internal::onnx::maps
