#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include <tenon/core/shape.hpp>
#include <tenon/core/word.hpp>
#include <tenon/core/writer.hpp>

namespace tenon {

/// The largest number of terms of a polynomial; a longer one is unknown.
inline constexpr int max_terms = 8;

/// A term of a polynomial: its atoms in order, joined by `*`, and its coefficient. An atom is a
/// name, `min(a,b)`, `(a//b)` or `(a%b)`; the constant term has none.
struct Term {
  Text atoms{};
  std::int64_t coefficient = 0;

  friend constexpr bool operator==(Term const&, Term const&) = default;
};

/// The size of an axis as a polynomial in normal form: sizes that are equal by arithmetic are
/// equal values.
struct Extent {
  std::array<Term, max_terms> terms{};
  int count = 0;
  bool known = true;  ///< false: of any size, or more than can be written down

  constexpr Term const& operator[](int i) const { return terms[static_cast<std::size_t>(i)]; }
  constexpr Term const* begin() const { return terms.data(); }
  constexpr Term const* end() const { return terms.data() + count; }

  constexpr bool is_constant() const {
    return known && (count == 0 || (count == 1 && terms[0].atoms.empty()));
  }
  constexpr std::int64_t constant() const { return count == 0 ? 0 : terms[0].coefficient; }

  constexpr Extent& push(Term const& term) {
    if (count == max_terms) known = false;
    if (known) terms[static_cast<std::size_t>(count++)] = term;
    return *this;
  }

  friend constexpr bool operator==(Extent const&, Extent const&) = default;
};

constexpr Extent unknown_extent() {
  Extent result{};
  result.known = false;
  return result;
}

constexpr Extent term_extent(std::string_view atoms, std::int64_t coefficient) {
  Extent result{};
  return coefficient == 0 ? result : result.push(Term{Text(atoms), coefficient});
}

constexpr Extent number_extent(std::int64_t value) { return term_extent("", value); }
constexpr Extent name_extent(std::string_view name) { return term_extent(name, 1); }

/// Takes the first atom off a product; "" at its end.
constexpr std::string_view next_atom(std::string_view& atoms) {
  int depth = 0;
  std::size_t n = 0;
  for (; n < atoms.size() && (depth > 0 || atoms[n] != '*'); ++n) {
    depth += atoms[n] == '(' ? 1 : atoms[n] == ')' ? -1 : 0;
  }
  std::string_view const atom = atoms.substr(0, n);
  atoms.remove_prefix(n < atoms.size() ? n + 1 : n);
  return atom;
}

constexpr int degree(std::string_view atoms) {
  int n = 0;
  while (!next_atom(atoms).empty()) ++n;
  return n;
}

/// The order of terms: by degree, the constant last, then by the alphabet.
constexpr bool before(Text const& a, Text const& b) {
  int const da = degree(a.view());
  int const db = degree(b.view());
  return da != db ? da > db : a.view() < b.view();
}

constexpr bool is_too_large(std::int64_t coefficient) {
  return coefficient > largest_size || coefficient < -largest_size;
}

constexpr Extent with_term(Extent const& extent, Term const& added) {
  if (!extent.known) return extent;
  Extent result{};
  Term term = added;
  bool placed = false;
  for (Term const& old : extent) {
    if (old.atoms == term.atoms) {
      placed = true;
      std::int64_t const sum = old.coefficient + term.coefficient;
      if (is_too_large(sum)) return unknown_extent();
      if (sum != 0) result.push(Term{old.atoms, sum});
      continue;
    }
    if (!placed && before(term.atoms, old.atoms)) placed = true, result.push(term);
    result.push(old);
  }
  return placed || term.coefficient == 0 ? result : result.push(term);
}

constexpr Extent operator+(Extent const& a, Extent const& b) {
  if (!b.known) return b;
  Extent result = a;
  for (Term const& term : b) result = with_term(result, term);
  return result;
}

/// The atoms of two products, in order.
constexpr Writer<Text::capacity> merged_atoms(std::string_view a, std::string_view b) {
  Writer<Text::capacity> result{};
  std::string_view left = next_atom(a);
  std::string_view right = next_atom(b);
  while (!left.empty() || !right.empty()) {
    bool const take_left = right.empty() || (!left.empty() && left <= right);
    if (result.length > 0) result << "*";
    result << (take_left ? left : right);
    (take_left ? left : right) = next_atom(take_left ? a : b);
  }
  return result;
}

constexpr Extent operator*(Extent const& a, Extent const& b) {
  Extent result{};
  for (Term const& left : a) {
    for (Term const& right : b) {
      auto const atoms = merged_atoms(left.atoms.view(), right.atoms.view());
      std::int64_t product = 0;
      bool const wide = __builtin_mul_overflow(left.coefficient, right.coefficient, &product);
      if (wide || is_too_large(product) || atoms.full) return unknown_extent();
      result = with_term(result, Term{Text(atoms.view()), product});
    }
  }
  return a.known && b.known ? result : unknown_extent();
}

constexpr Extent operator-(Extent const& a, Extent const& b) { return a + b * number_extent(-1); }

/// An atom that is a fraction loses its parentheses where it stands alone.
constexpr std::string_view without_parentheses(Term const& term) {
  std::string_view const atoms = term.atoms.view();
  bool const alone = term.coefficient == 1 && degree(atoms) == 1 && atoms[0] == '(';
  return alone ? atoms.substr(1, atoms.size() - 2) : atoms;
}

/// Writes a term and the sign before it.
template <std::size_t N>
constexpr void write_term(Writer<N>& out, Term const& term) {
  bool const negative = term.coefficient < 0;
  std::int64_t const magnitude = negative ? -term.coefficient : term.coefficient;
  if (negative || out.length > 0) out << std::string_view(negative ? "-" : "+");
  if (term.atoms.empty() || magnitude != 1) out << magnitude;
  if (!term.atoms.empty() && magnitude != 1) out << "*";
  out << without_parentheses(term);
}

/// The normal form in words: what is added first, then what is subtracted.
constexpr Writer<Text::capacity> written(Extent const& extent) {
  Writer<Text::capacity> out{};
  for (Term const& term : extent) {
    if (term.coefficient > 0) write_term(out, term);
  }
  for (Term const& term : extent) {
    if (term.coefficient < 0) write_term(out, term);
  }
  if (extent.count == 0) out << "0";
  return out;
}

/// What stands left or right of `//` and `%`.
constexpr Writer<Text::capacity> operand_of(Extent const& extent) {
  auto const text = written(extent);
  bool const plain = is_name(text.view()) || leading_digits(text.view()).size() == text.length;
  if (plain) return text;
  Writer<Text::capacity> out{};
  out << "(" << text.view() << ")";
  out.full = out.full || text.full;
  return out;
}

/// The atom `(a//b)`, `(a%b)`.
constexpr Extent fraction(Extent const& a, std::string_view symbol, Extent const& b) {
  auto const left = operand_of(a);
  auto const right = operand_of(b);
  Writer<Text::capacity> atom{};
  atom << "(" << left.view() << symbol << right.view() << ")";
  bool const full = left.full || right.full || atom.full || !a.known || !b.known;
  return full ? unknown_extent() : name_extent(atom.view());
}

constexpr bool is_zero(Extent const& extent) { return extent.known && extent.count == 0; }

/// Division that rounds down, as Python's.
constexpr std::int64_t floor_of(std::int64_t a, std::int64_t b) {
  std::int64_t const quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

/// Whether a number divides a polynomial term by term.
constexpr bool divides(Extent const& divisor, Extent const& extent) {
  if (!divisor.is_constant() || !extent.known) return false;
  for (Term const& term : extent) {
    if (term.coefficient % divisor.constant() != 0) return false;
  }
  return true;
}

/// `a // b`; b is not zero.
constexpr Extent quotient(Extent const& a, Extent const& b) {
  if (a.is_constant() && b.is_constant())
    return number_extent(floor_of(a.constant(), b.constant()));
  if (!divides(b, a)) return fraction(a, "//", b);
  Extent result{};
  for (Term const& term : a) result.push(Term{term.atoms, term.coefficient / b.constant()});
  return result;
}

/// `a % b`, with the sign of b; b is not zero.
constexpr Extent remainder(Extent const& a, Extent const& b) {
  if (divides(b, a)) return number_extent(0);
  if (!a.is_constant() || !b.is_constant()) return fraction(a, "%", b);
  return number_extent(a.constant() - b.constant() * floor_of(a.constant(), b.constant()));
}

constexpr Extent minimum(Extent const& a, Extent const& b) {
  Extent const difference = a - b;
  if (difference.is_constant()) return difference.constant() < 0 ? a : b;
  auto const left = written(a);
  auto const right = written(b);
  bool const ordered = left.view() < right.view();
  Writer<Text::capacity> atom{};
  atom << "min(" << (ordered ? left : right).view() << ",";
  atom << (ordered ? right : left).view() << ")";
  bool const full = left.full || right.full || atom.full || !difference.known;
  return full ? unknown_extent() : name_extent(atom.view());
}

}  // namespace tenon
