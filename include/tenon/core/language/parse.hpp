#pragma once

#include <string_view>

#include <tenon/core/axis.hpp>
#include <tenon/core/language/tokens.hpp>
#include <tenon/core/rules/resolve.hpp>
#include <tenon/core/shape.hpp>

namespace tenon::internal {

/// The shape of a spec, or the malformed word in it, and the reason.
struct Parsed {
  Shape shape{};
  std::string_view culprit{};
  std::string_view mistake{};

  constexpr bool ok() const { return mistake.empty(); }
};

/// The reason why a word that an annotation may use is not allowed in a type; empty where it is.
constexpr std::string_view type_mistake(SpecToken const& token) {
  if (token.kind == TokenKind::ellipsis) return "... belongs to annotations";
  if (token.star) return "* belongs to annotations";
  if (token.plus) return "+ belongs to annotations";
  if (token.hash) return "# belongs to annotations";
  return token.question ? "? belongs to annotations" : "";
}

constexpr Axis named_axis(SpecToken const& token) {
  bool const point = token.lower == token.upper;
  Axis axis = named_axis(token.name, point ? token.lower : token.size);
  axis.lower = point ? 0 : token.lower;
  axis.upper = point ? unbounded : token.upper;
  return axis;
}

/// The axis that `t=t-1` or `t=_` denotes.
constexpr ReadAxis computed_axis(SpecToken const& token) {
  Axis const named = named_axis(token.name);
  if (token.expression == "_") return {unrelated_axis(named.name), ""};
  ReadAxis const read = expression_axis(token.expression);
  if (!read.mistake.empty()) return read;
  Axis const axis = resized(named, symbolic_extent(read.axis));
  return {axis, axis.is_unrelated() ? "an expression is too long" : ""};
}

/// The axis that a word of a type denotes.
constexpr ReadAxis read_axis(SpecToken const& token) {
  if (token.kind == TokenKind::name)
    return token.expression.empty() ? ReadAxis{named_axis(token), ""} : computed_axis(token);
  if (token.kind == TokenKind::size) return {axis_of_size(token.size), ""};
  if (token.kind == TokenKind::expression) return expression_axis(token.expression);
  return {};
}

constexpr Parsed refused_spec(std::string_view culprit, std::string_view mistake) {
  return {Shape{}, culprit, mistake};
}

/// Parses the spec of a type.
constexpr Parsed parse(std::string_view spec) {
  Tokens const tokens = tokens_of(spec);
  Shape shape{};
  for (SpecToken const& token : tokens) {
    if (auto const why = type_mistake(token); !why.empty()) return refused_spec(token.word, why);
    ReadAxis const read = read_axis(token);
    if (!read.mistake.empty()) return refused_spec(token.word, read.mistake);
    shape[shape.rank++] = read.axis;
  }
  if (!tokens.mistake.empty()) return refused_spec(tokens.culprit, tokens.mistake);
  ResolvedAxes const resolved_axes = resolve(shape);
  if (resolved_axes.mistake.empty()) return {resolved_axes.shape, "", ""};
  return refused_spec(tokens[resolved_axes.culprit].word, resolved_axes.mistake);
}

}  // namespace tenon::internal
