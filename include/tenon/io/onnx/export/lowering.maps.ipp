#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

#include <tenon/core/config.hpp>
#include <tenon/io/onnx/export/lowering.hpp>

namespace tenon::internal::onnx {

namespace maps {

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
  bool is_floating() const { return dtype.starts_with("float"); }
};

/// A formula in other operators.
struct Formula {
  std::string_view op;
  Value (*value)(Operands const&);
};

/// x * (1 + erf(x / sqrt(2))) / 2
inline Value gelu(Operands const& f) {
  if (f.build.opset >= 20) return f.add("Gelu", f.x[0]);
  Value const scaled = f.add("Mul", f.x[0], f.number(std::numbers::sqrt2 / 2));
  Value const below = f.add("Add", f.add("Erf", scaled), f.number(1));
  return f.add("Mul", f.add("Mul", f.x[0], f.number(0.5)), below);
}

/// x * (1 + tanh(sqrt(2/pi) * (x + 0.044715 x^3))) / 2
inline Value gelu_tanh(Operands const& f) {
  if (f.build.opset >= 20)
    return f.build.add("Gelu", {f.x[0]}, {attribute("approximate", std::string("tanh"))});
  Value const cube = f.add("Mul", f.add("Mul", f.x[0], f.x[0]), f.x[0]);
  Value const inner = f.add("Add", f.x[0], f.add("Mul", cube, f.number(0.044715)));
  double const scale = std::sqrt(2 / std::numbers::pi);
  Value const below = f.add("Tanh", f.add("Mul", inner, f.number(scale)));
  return f.add("Mul", f.add("Mul", f.x[0], f.number(0.5)), f.add("Add", below, f.number(1)));
}

/// The remainder with the sign of the divisor, and of the dividend.
inline Value remainder(Operands const& f) {
  if (!f.is_floating()) return f.add("Mod", f.x[0], f.x[1]);
  Value const whole = f.add("Floor", f.add("Div", f.x[0], f.x[1]));
  return f.add("Sub", f.x[0], f.add("Mul", whole, f.x[1]));
}
inline Value mod(Operands const& f) {
  return f.build.add("Mod", {f.x[0], f.x[1]}, {attribute("fmod", std::int64_t{1})});
}
inline Value floor_divide(Operands const& f) {
  Value quotient = f.add("Div", f.x[0], f.x[1]);
  if (f.is_floating()) return f.add("Floor", quotient);
  if (f.dtype.starts_with("u")) return quotient;
  Value const rest = f.add("Sub", f.x[0], f.add("Mul", quotient, f.x[1]));
  Value const differs =
      f.add("Xor", f.add("Less", f.x[0], f.number(0)), f.add("Less", f.x[1], f.number(0)));
  Value const inexact = f.add("Not", f.add("Equal", rest, f.number(0)));
  Value const correction = f.build.cast(f.add("And", differs, inexact), f.dtype);
  return f.add("Sub", quotient, correction);
}
inline Value trunc(Operands const& f) {
  return f.add("Mul", f.add("Sign", f.x[0]), f.add("Floor", f.add("Abs", f.x[0])));
}
/// ONNX shifts unsigned integers. Of a negative number x, those of -1 - x (to the right) or -x (to
/// the left), which are not negative, are shifted.
inline Value shifted(Operands const& f, std::string const& direction) {
  Attribute const way = attribute("direction", direction);
  if (f.dtype.starts_with("u")) return f.build.add("BitShift", f.x, {way});
  std::string const bits = "u" + std::string(f.dtype);
  Value const is_negative = f.add("Less", f.x[0], f.number(0));
  Value const mirror = f.number(direction == "RIGHT" ? -1 : 0);
  Value const x = f.build.add("Where", {is_negative, f.add("Sub", mirror, f.x[0]), f.x[0]});
  Value const shifted =
      f.build.add("BitShift", {f.build.cast(x, bits), f.build.cast(f.x[1], bits)}, {way});
  Value const y = f.build.cast(shifted, f.dtype);
  return f.build.add("Where", {is_negative, f.add("Sub", mirror, y), y});
}
/// atan(y / x) in the right quadrant.
inline Value atan2(Operands const& f) {
  Value const &y = f.x[0], &x = f.x[1], zero = f.number(0);
  Value const is_left = f.add("Less", x, zero), is_below = f.add("Less", y, zero);
  Value const turn =
      f.build.add("Where", {is_below, f.number(-std::numbers::pi), f.number(std::numbers::pi)});
  Value const half = f.add("Mul", turn, f.number(0.5));
  Value const slope = f.add("Atan", f.add("Div", y, x));
  Value const turned = f.build.add("Where", {is_left, f.add("Add", slope, turn), slope});
  Value const on_axis = f.build.add("Where", {f.add("Equal", y, zero), zero, half});
  return f.build.add("Where", {f.add("Equal", x, zero), on_axis, turned});
}

inline constexpr std::array formulas{
    Formula{"gelu", &gelu},
    Formula{"gelu_tanh", &gelu_tanh},
    Formula{"stop_gradient", [](Operands const& f) -> Value { return f.x[0]; }},
    Formula{"to", [](Operands const& f) { return f.build.cast(f.x[0], f.result); }},
    Formula{"rsqrt", [](Operands const& f) { return f.add("Reciprocal", f.add("Sqrt", f.x[0])); }},
    Formula{"square", [](Operands const& f) { return f.add("Mul", f.x[0], f.x[0]); }},
    Formula{"silu",
            [](Operands const& f) { return f.add("Mul", f.x[0], f.add("Sigmoid", f.x[0])); }},
    Formula{"expm1",
            [](Operands const& f) { return f.add("Sub", f.add("Exp", f.x[0]), f.number(1)); }},
    Formula{"log1p",
            [](Operands const& f) { return f.add("Log", f.add("Add", f.x[0], f.number(1))); }},
    Formula{"not_equal",
            [](Operands const& f) { return f.add("Not", f.add("Equal", f.x[0], f.x[1])); }},
    Formula{"isfinite",
            [](Operands const& f) {
              return f.add("Not", f.add("IsNaN", f.add("Sub", f.x[0], f.x[0])));
            }},
    Formula{"trunc", &trunc},
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

}  // namespace maps

TENON_RUNTIME bool has_formula(std::string_view op) {
  return std::ranges::find(maps::formulas, op, &maps::Formula::op) != maps::formulas.end();
}

TENON_RUNTIME Lowering::Value Lowering::aligned(Step const& step, std::size_t k) {
  AxisMap const& map = step.type->axes_of[k];
  int const rank = operand(step, k).rank;
  std::vector<std::int64_t> dropped, added;
  int next = -1;
  for (int i = 0; i < rank; ++i) {
    int const to = map[static_cast<std::size_t>(i)];
    if (to < 0) dropped.push_back(i);
    else if (next < 0) next = to;
  }
  if (next < 0) return build_.squeeze(value(step, k), dropped);
  int const first = next;
  for (; next < step.rank; ++next)
    if (position_of(map, next) < 0) added.push_back(next - first);
  if (rank == step.rank && dropped == added && first == 0) return value(step, k);
  return build_.unsqueeze(build_.squeeze(value(step, k), dropped), added);
}

TENON_RUNTIME Lowering::Value Lowering::softmax(Step const& step) {
  auto const op = [](Step const& one, std::string_view name) {
    return one.kind == StepKind::node && one.type->name == name;
  };
  if (!op(step, "div") || !op(operand(step, 0), "exp") || !op(operand(step, 1), "sum")) return {};
  Step const &exponential = operand(step, 0), &sum = operand(step, 1);
  Step const& shifted = operand(exponential, 0);
  if (sum.operands[0] != step.operands[0] || !op(shifted, "sub")) return {};
  Step const& constant = operand(shifted, 1);
  Step const& shift = op(constant, "stop_gradient") ? operand(constant, 0) : constant;
  if (!op(shift, "max") || shift.operands[0] != shifted.operands[0]) return {};
  int const axis = std::countr_zero(static_cast<unsigned>(sum.type->axes));
  bool const is_along_one = std::has_single_bit(static_cast<unsigned>(sum.type->axes)) &&
                            shift.type->axes == sum.type->axes;
  if (!is_along_one) return {};
  return build_.add("Softmax", {value(shifted, 0)}, {attribute("axis", std::int64_t{axis})});
}

TENON_RUNTIME Lowering::Value Lowering::map(Step const& step) {
  if (Value y = softmax(step); !y.empty()) return y;
  if (Value y = normalised(step); !y.empty()) return y;
  std::vector<Value> x;
  for (std::size_t k = 0; k < step.operands.size(); ++k) x.push_back(aligned(step, k));
  bool const compares = step.dtype == "bool" && x.size() == 2;
  if (compares && operand(step, 0).dtype != operand(step, 1).dtype)
    for (Value& one : x) one = build_.cast(one, "int64");
  return map_of(step, x);
}

TENON_RUNTIME Lowering::Value Lowering::map_of(Step const& step, std::vector<Value> const& x) {
  std::string_view const name = step.type->name, onnx = step.type->onnx;
  for (maps::Formula const& formula : maps::formulas)
    if (formula.op == name) return formula.value({build_, x, operand(step, 0).dtype, step.dtype});
  if (onnx.empty()) fail_without_form(name);
  std::size_t const dot = onnx.rfind('.');
  if (dot == onnx.npos) return build_.add(onnx, x);
  std::string const domain(onnx.substr(0, dot));
  domains.insert(domain);
  return build_.add(onnx.substr(dot + 1), x, {}, domain);
}

TENON_RUNTIME Lowering::Value Lowering::position(Step const& step, Value const& x,
                                                 std::vector<std::int64_t> const& axes) {
  if (axes.size() != 1) fail_without_form(step.type->name, "over several axes");
  Value const found = build_.add(
      step.type->onnx, {x},
      {attribute("axis", axes[0]), attribute("keepdims", std::int64_t{step.type->keeps})});
  return build_.cast(found, step.dtype);
}

TENON_RUNTIME Lowering::Value Lowering::reduction(Step const& step) {
  std::vector<std::int64_t> axes;
  for (int i = 0; i < operand(step, 0).rank; ++i)
    if (has_axis(step.type->axes, i)) axes.push_back(i);
  Value const& x = value(step, 0);
  std::string_view const name = step.type->name;
  if (name.starts_with("arg")) return position(step, x, axes);
  bool const is_mask = name == "any" || name == "all";
  if (!is_mask && step.type->onnx.empty()) fail_without_form(name);
  std::string_view const dtype = operand(step, 0).dtype;
  std::string_view const wide = is_mask                      ? "int32"
                                : dtype.starts_with("float") ? dtype
                                : dtype == "int32"           ? dtype
                                                             : std::string_view("int64");
  std::string_view const op = name == "any"   ? "ReduceMax"
                              : name == "all" ? "ReduceMin"
                                              : step.type->onnx;
  Value const sum =
      build_.reduce(op, wide == dtype ? x : build_.cast(x, wide), axes, step.type->keeps);
  return wide == step.dtype ? sum : build_.cast(sum, step.dtype);
}

}  // namespace tenon::internal::onnx
