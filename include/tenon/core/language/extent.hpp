#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include <tenon/core/language/word.hpp>
#include <tenon/core/language/writer.hpp>
#include <tenon/core/shape.hpp>

namespace tenon::internal {

/// The largest number of terms of a polynomial; a longer one is unknown.
inline constexpr int max_terms = 8;

/// A term of a polynomial: its atoms in order, joined by `*`, and its coefficient. An atom is a
/// name, `min(a,b)`, `max(a,b)`, `(a//b)` or `(a%b)`; the constant term has none.
struct ExtentTerm {
  FixedText atoms{};
  std::int64_t coefficient = 0;

  friend constexpr bool operator==(ExtentTerm const&, ExtentTerm const&) = default;
};

/// The size of an axis as a polynomial in normal form: sizes that are equal by arithmetic are
/// equal values.
struct AxisExtent {
  std::array<ExtentTerm, max_terms> terms{};
  int count = 0;
  bool known = true;  ///< false: of any size, or not representable

  constexpr ExtentTerm const& operator[](int i) const { return terms[static_cast<std::size_t>(i)]; }
  constexpr ExtentTerm const* begin() const { return terms.data(); }
  constexpr ExtentTerm const* end() const { return terms.data() + count; }

  constexpr bool is_constant() const {
    return known && (count == 0 || (count == 1 && terms[0].atoms.empty()));
  }
  constexpr std::int64_t constant() const { return count == 0 ? 0 : terms[0].coefficient; }

  constexpr AxisExtent& push(ExtentTerm const& term) {
    if (count == max_terms) known = false;
    if (known) terms[static_cast<std::size_t>(count++)] = term;
    return *this;
  }

  /// Compares the terms in use: g++ 12 leaves the others of some constants uninitialised.
  friend constexpr bool operator==(AxisExtent const& a, AxisExtent const& b) {
    if (a.known != b.known || a.count != b.count) return false;
    for (int i = 0; i < a.count; ++i) {
      if (!(a[i] == b[i])) return false;
    }
    return true;
  }
};

constexpr AxisExtent unknown_extent() {
  AxisExtent result{};
  result.known = false;
  return result;
}

constexpr AxisExtent term_extent(std::string_view atoms, std::int64_t coefficient) {
  AxisExtent result{};
  return coefficient == 0 ? result : result.push(ExtentTerm{FixedText(atoms), coefficient});
}

constexpr AxisExtent number_extent(std::int64_t value) { return term_extent("", value); }
constexpr AxisExtent name_extent(std::string_view name) { return term_extent(name, 1); }

/// Removes and returns the first atom of a monomial; "" at its end.
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

/// The order of terms: by degree, the constant last, then lexicographic.
constexpr bool before(FixedText const& a, FixedText const& b) {
  int const da = degree(a.view());
  int const db = degree(b.view());
  return da != db ? da > db : a.view() < b.view();
}

constexpr bool is_too_large(std::int64_t coefficient) {
  return coefficient > largest_size || coefficient < -largest_size;
}

constexpr AxisExtent with_term(AxisExtent const& extent, ExtentTerm const& added) {
  if (!extent.known) return extent;
  AxisExtent result{};
  ExtentTerm term = added;
  bool placed = false;
  for (ExtentTerm const& old : extent) {
    if (old.atoms == term.atoms) {
      placed = true;
      std::int64_t const sum = old.coefficient + term.coefficient;
      if (is_too_large(sum)) return unknown_extent();
      if (sum != 0) result.push(ExtentTerm{old.atoms, sum});
      continue;
    }
    if (!placed && before(term.atoms, old.atoms)) placed = true, result.push(term);
    result.push(old);
  }
  return placed || term.coefficient == 0 ? result : result.push(term);
}

constexpr AxisExtent operator+(AxisExtent const& a, AxisExtent const& b) {
  if (!b.known) return b;
  AxisExtent result = a;
  for (ExtentTerm const& term : b) result = with_term(result, term);
  return result;
}

/// The sorted atoms of two monomials.
constexpr TextWriter<FixedText::capacity> merged_atoms(std::string_view a, std::string_view b) {
  TextWriter<FixedText::capacity> result{};
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

constexpr AxisExtent operator*(AxisExtent const& a, AxisExtent const& b) {
  AxisExtent result{};
  for (ExtentTerm const& left : a) {
    for (ExtentTerm const& right : b) {
      auto const atoms = merged_atoms(left.atoms.view(), right.atoms.view());
      std::int64_t product = 0;
      bool const wide = __builtin_mul_overflow(left.coefficient, right.coefficient, &product);
      if (wide || is_too_large(product) || atoms.full) return unknown_extent();
      result = with_term(result, ExtentTerm{FixedText(atoms.view()), product});
    }
  }
  return a.known && b.known ? result : unknown_extent();
}

constexpr AxisExtent operator-(AxisExtent const& a, AxisExtent const& b) {
  return a + b * number_extent(-1);
}

/// What a constant difference says, for messages: `sizes differ by 1`.
constexpr TextWriter<FixedText::capacity> difference_text(AxisExtent const& difference) {
  std::int64_t const by = difference.constant();
  TextWriter<FixedText::capacity> text{};
  return text << "sizes differ by " << (by < 0 ? -by : by);
}

}  // namespace tenon::internal
