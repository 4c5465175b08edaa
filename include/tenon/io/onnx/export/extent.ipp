#pragma once

#include <algorithm>

#include <tenon/core/config.hpp>
#include <tenon/core/language/expression.hpp>
#include <tenon/io/onnx/export/extent.hpp>

namespace tenon::internal::onnx {

namespace extents {

inline std::optional<Extent> linear(std::span<std::int64_t const> values,
                                    std::span<RunTimeAxis const> axes) {
  Extent extent{values[0], std::vector<std::int64_t>(axes.size())};
  for (std::size_t k = 0; k < axes.size(); ++k) {
    std::int64_t const change = axes[k].sizes[k + 1] - axes[k].sizes[0];
    std::int64_t const here = values[k + 1] - values[0];
    if (change == 0 || here % change != 0) return {};
    extent.factors[k] = here / change;
    extent.constant -= extent.factors[k] * axes[k].sizes[0];
  }
  return extent;
}

inline std::optional<Extent> product(std::span<std::int64_t const> values,
                                     std::span<RunTimeAxis const> axes) {
  Extent extent{values[0], std::vector<std::int64_t>(axes.size()), true};
  for (std::size_t k = 0; k < axes.size(); ++k) {
    if (values[k + 1] == values[0]) continue;
    std::int64_t const before = axes[k].sizes[0], after = axes[k].sizes[k + 1];
    if (values[k + 1] * before != values[0] * after || extent.constant % before != 0) return {};
    extent.factors[k] = 1;
    extent.constant /= before;
  }
  return extent;
}

inline bool agrees(Extent const& extent, std::span<std::int64_t const> values,
                   std::span<RunTimeAxis const> axes) {
  for (std::size_t trace = 0; trace < values.size(); ++trace)
    if (extent.at(axes, trace) != values[trace]) return false;
  return true;
}

/// Expressions as numbers: their values in a trace.
struct SizesInTrace {
  using Value = std::optional<std::int64_t>;
  std::span<RunTimeAxis const> axes{};
  std::size_t trace = 0;

  Value number(std::int64_t value) const { return value; }
  Value name(std::string_view name) const {
    auto const axis = std::ranges::find(axes, name, &RunTimeAxis::name);
    return axis == axes.end() ? Value{} : Value{axis->sizes[trace]};
  }
  Value add(Value a, Value b) const { return a && b ? Value{*a + *b} : Value{}; }
  Value subtract(Value a, Value b) const { return a && b ? Value{*a - *b} : Value{}; }
  Value multiply(Value a, Value b) const { return a && b ? Value{*a * *b} : Value{}; }
  Value divide(Value a, Value b) const { return a && b && *b > 0 ? Value{*a / *b} : Value{}; }
  Value modulo(Value a, Value b) const { return a && b && *b > 0 ? Value{*a % *b} : Value{}; }
  Value minimum(Value a, Value b) const { return a && b ? Value{std::min(*a, *b)} : Value{}; }
  bool is_zero(Value a) const { return a == 0; }
};

inline std::optional<std::int64_t> value_of(std::string_view expression,
                                            std::span<RunTimeAxis const> axes, std::size_t trace) {
  ExpressionReader<SizesInTrace> reader{expression, {axes, trace}};
  auto const value = reader.whole();
  return reader.mistake.empty() ? value : std::nullopt;
}

/// A term of a sum: `3*t`, or `t`.
inline std::string term(std::int64_t factor, std::string const& name) {
  if (factor == 1) return name;
  return factor == -1 ? "-" + name : std::to_string(factor) + "*" + name;
}

}  // namespace extents

TENON_RUNTIME std::int64_t Extent::at(std::span<RunTimeAxis const> axes, std::size_t trace) const {
  if (!expression.empty()) return extents::value_of(expression, axes, trace).value_or(-1);
  std::int64_t value = constant;
  for (std::size_t k = 0; k < factors.size(); ++k) {
    std::int64_t const size = axes[k].sizes[trace];
    if (is_product) value *= factors[k] != 0 ? size : 1;
    else value += factors[k] * size;
  }
  return value;
}

TENON_RUNTIME std::string Extent::text(std::span<RunTimeAxis const> axes) const {
  std::string text = expression;
  if (!text.empty()) return text;
  bool const shows_constant = is_product ? constant != 1 : constant != 0;
  for (std::size_t k = 0; k < factors.size(); ++k) {
    if (factors[k] == 0) continue;
    std::string const next = extents::term(is_product ? 1 : factors[k], axes[k].name);
    bool const joins = !text.empty() && next[0] != '-';
    text += (joins ? (is_product ? "*" : "+") : "") + next;
  }
  if (text.empty()) return std::to_string(constant);
  if (!shows_constant) return text;
  if (is_product) return std::to_string(constant) + "*" + text;
  return text + (constant > 0 ? "+" : "") + std::to_string(constant);
}

TENON_RUNTIME std::optional<Extent> fitted(std::span<std::int64_t const> values,
                                           std::span<RunTimeAxis const> axes,
                                           std::span<std::string_view const> expressions) {
  if (std::ranges::all_of(values, [&](std::int64_t value) { return value == values[0]; }))
    return Extent{values[0]};
  for (auto const& candidate : {extents::linear(values, axes), extents::product(values, axes)})
    if (candidate && extents::agrees(*candidate, values, axes)) return candidate;
  for (std::string_view const expression : expressions) {
    Extent declared{};
    declared.expression = expression;
    if (extents::agrees(declared, values, axes)) return declared;
  }
  return {};
}

}  // namespace tenon::internal::onnx
