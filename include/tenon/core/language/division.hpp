#pragma once

#include <cstdint>
#include <string_view>

#include <tenon/core/config.hpp>
#include <tenon/core/language/extent.hpp>
#include <tenon/core/language/word.hpp>
#include <tenon/core/language/writer.hpp>
#include <tenon/core/shape.hpp>

namespace tenon::internal {

// The text of extents, and operations without a polynomial: `//`, `%`, `min` and `max` make atoms,
// named by their text.

/// A single atom that is a fraction is written without parentheses.
constexpr std::string_view without_parentheses(ExtentTerm const& term) {
  std::string_view const atoms = term.atoms.view();
  bool const alone = term.coefficient == 1 && degree(atoms) == 1 && atoms[0] == '(';
  return alone ? atoms.substr(1, atoms.size() - 2) : atoms;
}

/// Writes a term and the sign before it.
template <std::size_t N>
constexpr void write_term(TextWriter<N>& out, ExtentTerm const& term) {
  bool const negative = term.coefficient < 0;
  std::int64_t const magnitude = negative ? -term.coefficient : term.coefficient;
  if (negative || out.length > 0) out << std::string_view(negative ? "-" : "+");
  if (term.atoms.empty() || magnitude != 1) out << magnitude;
  if (!term.atoms.empty() && magnitude != 1) out << "*";
  out << without_parentheses(term);
}

/// The text of the normal form: the added terms first, then the subtracted ones.
constexpr TextWriter<FixedText::capacity> written(AxisExtent const& extent) {
  TextWriter<FixedText::capacity> out{};
  for (ExtentTerm const& term : extent) {
    if (term.coefficient > 0) write_term(out, term);
  }
  for (ExtentTerm const& term : extent) {
    if (term.coefficient < 0) write_term(out, term);
  }
  if (extent.count == 0) out << "0";
  return out;
}

/// The text of an operand of `//` and `%`.
constexpr TextWriter<FixedText::capacity> operand_of(AxisExtent const& extent) {
  auto const text = written(extent);
  bool const plain = is_name(text.view()) || leading_digits(text.view()).size() == text.length;
  if (plain) return text;
  TextWriter<FixedText::capacity> out{};
  out << "(" << text.view() << ")";
  out.full = out.full || text.full;
  return out;
}

/// The atom `(a//b)`, `(a%b)`.
constexpr AxisExtent fraction(AxisExtent const& a, std::string_view symbol, AxisExtent const& b) {
  auto const left = operand_of(a);
  auto const right = operand_of(b);
  TextWriter<FixedText::capacity> atom{};
  atom << "(" << left.view() << symbol << right.view() << ")";
  bool const full = left.full || right.full || atom.full || !a.known || !b.known;
  return full ? unknown_extent() : name_extent(atom.view());
}

constexpr bool is_zero(AxisExtent const& extent) { return extent.known && extent.count == 0; }

/// Floor division, as in Python.
constexpr std::int64_t floor_of(std::int64_t a, std::int64_t b) {
  std::int64_t const quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

/// Whether a number divides a polynomial term by term.
constexpr bool divides(AxisExtent const& divisor, AxisExtent const& extent) {
  if (!divisor.is_constant() || !extent.known) return false;
  for (ExtentTerm const& term : extent) {
    if (term.coefficient % divisor.constant() != 0) return false;
  }
  return true;
}

/// `a % b`, with the sign of b; b is not zero.
constexpr AxisExtent remainder(AxisExtent const& a, AxisExtent const& b) {
  if (divides(b, a)) return number_extent(0);
  if (!a.is_constant() || !b.is_constant()) return fraction(a, "%", b);
  return number_extent(a.constant() - b.constant() * floor_of(a.constant(), b.constant()));
}

/// The atom `min(a,b)`, `max(a,b)`, its arguments in lexicographic order.
constexpr AxisExtent extremum(std::string_view function, AxisExtent const& a, AxisExtent const& b) {
  auto const left = written(a);
  auto const right = written(b);
  bool const ordered = left.view() < right.view();
  TextWriter<FixedText::capacity> atom{};
  atom << function << "(" << (ordered ? left : right).view() << ",";
  atom << (ordered ? right : left).view() << ")";
  bool const full = left.full || right.full || atom.full || !a.known || !b.known;
  return full ? unknown_extent() : name_extent(atom.view());
}

constexpr AxisExtent minimum(AxisExtent const& a, AxisExtent const& b) {
  AxisExtent const difference = a - b;
  if (difference.is_constant()) return difference.constant() < 0 ? a : b;
  return difference.known ? extremum("min", a, b) : difference;
}

constexpr AxisExtent maximum(AxisExtent const& a, AxisExtent const& b) {
  AxisExtent const difference = a - b;
  if (difference.is_constant()) return difference.constant() < 0 ? b : a;
  return difference.known ? extremum("max", a, b) : difference;
}

}  // namespace tenon::internal
