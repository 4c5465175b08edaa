#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/core/config.hpp>

/// Run-time numbers as expressions in the sizes of the inputs. A function is traced at several
/// sizes, some of them far from the given ones; a number is a constant, a linear function of sizes,
/// a product of them, or an expression of the program, whichever agrees with all traces.
namespace tenon::internal::onnx {

/// A run-time axis of the inputs: its name, and its size in each trace. Trace 0 is that of the
/// given inputs, others change one axis alone, the last one changes all of them.
struct RunTimeAxis {
  std::string name;
  std::vector<std::int64_t> sizes;
};

/// The value of a number in a trace that does not determine it: the step along an axis of size 1.
inline constexpr std::int64_t any_number = (std::numeric_limits<std::int64_t>::min)();

/// constant + sum of factors[k] * size k; or constant * product of the sizes with a factor; or an
/// expression in the language of specs.
struct Extent {
  std::int64_t constant = 0;
  std::vector<std::int64_t> factors{};  ///< One for each axis; empty for a constant.
  bool is_product = false;
  std::string expression{};

  bool is_constant() const { return factors.empty() && expression.empty(); }
  bool is_linear() const { return !is_product && expression.empty(); }
  bool is(std::int64_t number) const { return is_constant() && constant == number; }
  /// The value in a trace; -1 where the expression has none.
  std::int64_t at(std::span<RunTimeAxis const> axes, std::size_t trace) const;
  /// `batch`, `2*t+1`, `batch*t`, `(t-3)//2+1`.
  std::string text(std::span<RunTimeAxis const> axes) const;

  friend bool operator==(Extent const&, Extent const&) = default;
};

/// An expression and its values in the traces.
struct KnownExpression {
  std::string text;
  std::vector<std::int64_t> values;
};

/// The expressions that occur in a program: of its types, of its views and of their products.
struct KnownExpressions {
  std::span<RunTimeAxis const> axes;
  std::vector<KnownExpression> entries{};

  /// Adds one; nothing where it has no value in a trace, is linear or is known.
  void add(std::string const& text);
};

/// The extent that has these values in the traces; none if there is no such extent. `own` are
/// expressions that are expected.
std::optional<Extent> fitted(std::span<std::int64_t const> values, KnownExpressions const& known,
                             std::vector<std::string> const& own = {});

/// An expression as an operand of another: in parentheses unless it is a name or a number.
std::string grouped(std::string const& text);

}  // namespace tenon::internal::onnx

#if TENON_DEFINES_RUNTIME

#include <algorithm>

#include <tenon/core/language/expression.hpp>

namespace tenon::internal::onnx {

namespace extents {

/// The first trace in which axis k alone has another size than in trace 0, and the number is
/// determined; 0 where there is none.
inline std::size_t trace_of(std::size_t k, std::span<std::int64_t const> values,
                            std::span<RunTimeAxis const> axes) {
  auto const differs = [&](std::size_t axis, std::size_t trace) {
    return axes[axis].sizes[trace] != axes[axis].sizes[0];
  };
  for (std::size_t trace = 1; trace < values.size(); ++trace) {
    bool is_alone = differs(k, trace) && values[trace] != any_number;
    for (std::size_t i = 0; i < axes.size(); ++i)
      is_alone = is_alone && (i == k || !differs(i, trace));
    if (is_alone) return trace;
  }
  return 0;
}

inline std::optional<Extent> linear(std::span<std::int64_t const> values,
                                    std::span<RunTimeAxis const> axes) {
  Extent extent{values[0], std::vector<std::int64_t>(axes.size())};
  for (std::size_t k = 0; k < axes.size(); ++k) {
    std::size_t const trace = trace_of(k, values, axes);
    if (trace == 0) continue;
    std::int64_t const change = axes[k].sizes[trace] - axes[k].sizes[0];
    std::int64_t const here = values[trace] - values[0];
    if (here % change != 0) return {};
    extent.factors[k] = here / change;
    extent.constant -= extent.factors[k] * axes[k].sizes[0];
  }
  return extent;
}

inline std::optional<Extent> product(std::span<std::int64_t const> values,
                                     std::span<RunTimeAxis const> axes) {
  Extent extent{values[0], std::vector<std::int64_t>(axes.size()), true};
  for (std::size_t k = 0; k < axes.size(); ++k) {
    std::size_t const trace = trace_of(k, values, axes);
    if (values[trace] == values[0]) continue;
    std::int64_t const before = axes[k].sizes[0], after = axes[k].sizes[trace];
    if (values[trace] * before != values[0] * after || extent.constant % before != 0) return {};
    extent.factors[k] = 1;
    extent.constant /= before;
  }
  return extent;
}

/// Whether a function of the trace has these values.
template <class At>
bool agrees(At const& at, std::span<std::int64_t const> values) {
  for (std::size_t trace = 0; trace < values.size(); ++trace)
    if (values[trace] != any_number && at(trace) != values[trace]) return false;
  return true;
}

inline std::optional<Extent> constant(std::span<std::int64_t const> values) {
  auto const known = std::ranges::find_if(values, [](auto value) { return value != any_number; });
  std::int64_t const number = known == values.end() ? 0 : *known;
  if (!agrees([&](std::size_t) { return number; }, values)) return {};
  return Extent{number};
}

inline Extent expressed(std::string text) {
  Extent extent{};
  extent.expression = std::move(text);
  return extent;
}

/// An expression of the program plus or times a constant.
inline std::optional<Extent> shifted(std::span<std::int64_t const> values,
                                     KnownExpression const& one) {
  std::int64_t const more = values[0] - one.values[0];
  std::int64_t const times = one.values[0] == 0 ? 0 : values[0] / one.values[0];
  if (agrees([&](std::size_t trace) { return one.values[trace] + more; }, values))
    return expressed(grouped(one.text) + (more < 0 ? "" : "+") + std::to_string(more));
  if (agrees([&](std::size_t trace) { return one.values[trace] * times; }, values))
    return expressed(std::to_string(times) + "*" + grouped(one.text));
  return {};
}

/// An expression of the program, divided by a constant.
inline std::optional<Extent> divided(std::span<std::int64_t const> values,
                                     KnownExpression const& one) {
  auto const largest = std::ranges::max_element(one.values) - one.values.begin();
  std::int64_t const value = values[static_cast<std::size_t>(largest)];
  std::int64_t const by = value < 1 ? 0 : one.values[static_cast<std::size_t>(largest)] / value;
  if (by < 1) return {};
  if (agrees([&](std::size_t trace) { return one.values[trace] / by; }, values))
    return expressed(grouped(one.text) + "//" + std::to_string(by));
  return {};
}

/// The sum or the product of two expressions of the program.
inline std::optional<Extent> combined(std::span<std::int64_t const> values,
                                      KnownExpression const& a, KnownExpression const& b) {
  if (agrees([&](std::size_t trace) { return a.values[trace] + b.values[trace]; }, values))
    return expressed(grouped(a.text) + "+" + grouped(b.text));
  if (agrees([&](std::size_t trace) { return a.values[trace] * b.values[trace]; }, values))
    return expressed(grouped(a.text) + "*" + grouped(b.text));
  return {};
}

inline std::optional<Extent> of_program(std::span<std::int64_t const> values,
                                        std::span<KnownExpression const> known) {
  for (KnownExpression const& one : known)
    if (agrees([&](std::size_t trace) { return one.values[trace]; }, values))
      return expressed(one.text);
  for (KnownExpression const& one : known) {
    if (auto extent = shifted(values, one)) return extent;
    if (auto extent = divided(values, one)) return extent;
  }
  for (std::size_t i = 0; i < known.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j)
      if (auto extent = combined(values, known[i], known[j])) return extent;
  return {};
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
  Value minimum(Value a, Value b) const { return a && b ? Value{(std::min)(*a, *b)} : Value{}; }
  Value maximum(Value a, Value b) const { return a && b ? Value{(std::max)(*a, *b)} : Value{}; }
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

TENON_RUNTIME std::string grouped(std::string const& text) {
  return text.find_first_of("+-*/%") == text.npos ? text : "(" + text + ")";
}

TENON_RUNTIME void KnownExpressions::add(std::string const& text) {
  if (std::ranges::find(entries, text, &KnownExpression::text) != entries.end()) return;
  KnownExpression one{text, {}};
  std::size_t const traces = axes.empty() ? 0 : axes[0].sizes.size();
  for (std::size_t trace = 0; trace < traces; ++trace) {
    auto const value = extents::value_of(text, axes, trace);
    if (!value) return;
    one.values.push_back(*value);
  }
  if (traces != 0) entries.push_back(std::move(one));
}

TENON_RUNTIME std::optional<Extent> fitted(std::span<std::int64_t const> values,
                                           KnownExpressions const& known,
                                           std::vector<std::string> const& own) {
  auto const axes = known.axes;
  auto const fits = [&](Extent const& extent) {
    return extents::agrees([&](std::size_t trace) { return extent.at(axes, trace); }, values);
  };
  for (std::string const& text : own)
    if (text.find_first_of("/%,") != text.npos && fits(extents::expressed(text)))
      return extents::expressed(text);
  if (auto constant = extents::constant(values)) return constant;
  if (values[0] == any_number) return {};
  for (auto const& candidate : {extents::linear(values, axes), extents::product(values, axes)})
    if (candidate && fits(*candidate)) return candidate;
  return extents::of_program(values, known.entries);
}

}  // namespace tenon::internal::onnx

#endif
