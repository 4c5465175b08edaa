#pragma once

#include <cstdint>
#include <string_view>

#include <tenon/core/language/division.hpp>
#include <tenon/core/language/expression.hpp>
#include <tenon/core/language/extent.hpp>
#include <tenon/core/shape.hpp>

/// Expressions in names as polynomials in normal form.
namespace tenon::internal {

/// The static size that a name has in a shape, or `dynamic`: `t=8` binds the name t to 8, a size
/// that is computed or 1 binds no name.
constexpr std::int64_t static_size(Shape const& shape, std::string_view name) {
  for (Axis const& axis : shape) {
    if (axis.name.view() == name && axis.binds() && axis.is_static()) return axis.size;
  }
  return dynamic;
}

/// `a // b`; b is not zero.
constexpr AxisExtent quotient(AxisExtent const& a, AxisExtent const& b);

/// Represents the absence of a shape. (With -fsanitize=undefined g++ 12 cannot compare addresses
/// with null in constant expressions.)
inline constexpr Shape no_shape{};

/// Expressions parsed to polynomials in normal form, with the static sizes of a shape substituted.
struct ExtentAlgebra {
  using Value = AxisExtent;
  Shape const* shape = &no_shape;

  constexpr AxisExtent number(std::int64_t value) const { return number_extent(value); }
  constexpr AxisExtent name(std::string_view name) const {
    std::int64_t const size = static_size(*shape, name);
    return size == dynamic ? name_extent(name) : number_extent(size);
  }
  constexpr AxisExtent add(AxisExtent const& a, AxisExtent const& b) const { return a + b; }
  constexpr AxisExtent subtract(AxisExtent const& a, AxisExtent const& b) const { return a - b; }
  constexpr AxisExtent multiply(AxisExtent const& a, AxisExtent const& b) const { return a * b; }
  constexpr AxisExtent divide(AxisExtent const& a, AxisExtent const& b) const {
    return quotient(a, b);
  }
  constexpr AxisExtent modulo(AxisExtent const& a, AxisExtent const& b) const {
    return remainder(a, b);
  }
  constexpr AxisExtent minimum(AxisExtent const& a, AxisExtent const& b) const {
    return internal::minimum(a, b);
  }
  constexpr AxisExtent maximum(AxisExtent const& a, AxisExtent const& b) const {
    return internal::maximum(a, b);
  }
  constexpr bool is_zero(AxisExtent const& a) const { return tenon::internal::is_zero(a); }
};

/// An extent, or the reason why the text is not one.
struct ReadExtent {
  AxisExtent extent{};
  std::string_view mistake{};
};

/// Parses an expression, in the axes of a shape if one is given.
constexpr ReadExtent read_extent(std::string_view expression, Shape const* shape = &no_shape) {
  ExpressionReader<ExtentAlgebra> reader{expression, {shape}};
  AxisExtent const extent = reader.whole();
  return {extent, reader.mistake};
}

/// The numerator and the divisor of an atom `(a//3)`; a divisor of 0 where it is none.
struct NestedQuotient {
  std::string_view numerator{};
  std::int64_t divisor = 0;
};

constexpr NestedQuotient nested_quotient(std::string_view atom) {
  if (atom.size() < 2 || atom[0] != '(' || degree(atom) != 1) return {};
  std::string_view const text = atom.substr(1, atom.size() - 2);
  std::size_t const at = text.rfind("//");
  if (at == text.npos) return {};
  std::string_view const right = text.substr(at + 2);
  bool const is_number = leading_digits(right).size() == right.size();
  return is_number ? NestedQuotient{text.substr(0, at), number_of(right)} : NestedQuotient{};
}

/// `((x // n) + k) // m` as `(x + n*k) // (n*m)`, unknown where `a` is not of that form: the size
/// after several strides stays short.
constexpr AxisExtent merged_quotient(AxisExtent const& a, AxisExtent const& b) {
  bool const added = a.count == 2 && a[1].atoms.empty();
  if (!b.is_constant() || b.constant() < 1 || !a.known) return unknown_extent();
  if ((a.count != 1 && !added) || a[0].coefficient != 1) return unknown_extent();
  NestedQuotient const inner = nested_quotient(a[0].atoms.view());
  if (inner.divisor < 1) return unknown_extent();
  AxisExtent const n = number_extent(inner.divisor);
  AxisExtent const k = number_extent(added ? a[1].coefficient : 0);
  return quotient(read_extent(inner.numerator).extent + n * k, n * b);
}

constexpr AxisExtent quotient(AxisExtent const& a, AxisExtent const& b) {
  if (a.is_constant() && b.is_constant())
    return number_extent(floor_of(a.constant(), b.constant()));
  if (!divides(b, a)) {
    AxisExtent const merged = merged_quotient(a, b);
    return merged.known ? merged : fraction(a, "//", b);
  }
  AxisExtent result{};
  for (ExtentTerm const& term : a)
    result.push(ExtentTerm{term.atoms, term.coefficient / b.constant()});
  return result;
}

}  // namespace tenon::internal
