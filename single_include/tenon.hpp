// Tenon 0.1.0. Made by scripts/single_include from include/: to be changed there.
// MIT License
//
// Copyright (c) 2025 The Tenon authors
//
// Permission is hereby granted, free of charge, to any person obtaining a copy
// of this software and associated documentation files (the "Software"), to deal
// in the Software without restriction, including without limitation the rights
// to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
// copies of the Software, and to permit persons to whom the Software is
// furnished to do so, subject to the following conditions:
//
// The above copyright notice and this permission notice shall be included in all
// copies or substantial portions of the Software.
//
// THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
// IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
// FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
// AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
// LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
// OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
// SOFTWARE.

#pragma once

// ---- tenon/core/half.hpp

#include <bit>
#include <cstdint>
#include <type_traits>

namespace tenon {

/// IEEE 754 binary16 bits of a float, rounded to nearest even; NaN becomes the quiet NaN of its
/// sign, as in Eigen.
constexpr std::uint16_t half_bits(float value) {
  auto const bits = std::bit_cast<std::uint32_t>(value);
  auto const sign = static_cast<std::uint16_t>((bits >> 16) & 0x8000u);
  std::uint32_t const magnitude = bits & 0x7fffffffu;
  std::uint32_t half = 0;
  if (magnitude > 0x7f800000u) {
    half = 0x7e00u;
  } else if (magnitude >= 0x47800000u) {  // 65536 and above: infinity
    half = 0x7c00u;
  } else if (magnitude < 0x38800000u) {  // below 2^-14: subnormal; adding 0.5 rounds at 2^-24
    float const shifted = std::bit_cast<float>(magnitude) + 0.5f;
    half = std::bit_cast<std::uint32_t>(shifted) - 0x3f000000u;
  } else {  // rebias the exponent by 127 - 15 and round; a carry may reach infinity
    half = (magnitude - 0x38000000u + 0xfffu + ((magnitude >> 13) & 1u)) >> 13;
  }
  return static_cast<std::uint16_t>(sign | half);
}

/// The float that binary16 bits stand for; exact.
constexpr float half_value(std::uint16_t bits) {
  std::uint32_t const sign = static_cast<std::uint32_t>(bits & 0x8000u) << 16;
  std::uint32_t const exponent = (bits >> 10) & 0x1fu;
  std::uint32_t const fraction = bits & 0x3ffu;
  if (exponent == 0) {
    float const magnitude = static_cast<float>(fraction) * 0x1p-24f;
    return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(magnitude));
  }
  std::uint32_t const wide = exponent == 0x1fu ? 0xffu : exponent + (127 - 15);
  return std::bit_cast<float>(sign | (wide << 23) | (fraction << 13));
}

/// The upper half of a float, rounded to nearest even; NaN becomes the quiet NaN of its sign, as in
/// Eigen.
constexpr std::uint16_t bfloat_bits(float value) {
  auto const bits = std::bit_cast<std::uint32_t>(value);
  if (value != value) return (bits >> 31) != 0 ? 0xffc0 : 0x7fc0;
  return static_cast<std::uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

constexpr float bfloat_value(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

/// IEEE 754 binary16: 5 bits of exponent, 11 of precision. Stores and converts; no arithmetic.
struct float16 {
  std::uint16_t bits = 0;

  constexpr float16() = default;
  template <class T>
    requires std::is_arithmetic_v<T>
  explicit constexpr float16(T value) : bits(half_bits(static_cast<float>(value))) {}
  template <class T>
    requires std::is_arithmetic_v<T>
  explicit constexpr operator T() const {
    return static_cast<T>(half_value(bits));
  }

  static constexpr float16 from_bits(std::uint16_t bits) {
    float16 result;
    result.bits = bits;
    return result;
  }
  friend constexpr bool operator==(float16 a, float16 b) {
    return half_value(a.bits) == half_value(b.bits);
  }
};

/// bfloat16: the upper half of a float, 8 bits of precision. Stores and converts; no arithmetic.
struct bfloat16 {
  std::uint16_t bits = 0;

  constexpr bfloat16() = default;
  template <class T>
    requires std::is_arithmetic_v<T>
  explicit constexpr bfloat16(T value) : bits(bfloat_bits(static_cast<float>(value))) {}
  template <class T>
    requires std::is_arithmetic_v<T>
  explicit constexpr operator T() const {
    return static_cast<T>(bfloat_value(bits));
  }

  static constexpr bfloat16 from_bits(std::uint16_t bits) {
    bfloat16 result;
    result.bits = bits;
    return result;
  }
  friend constexpr bool operator==(bfloat16 a, bfloat16 b) {
    return bfloat_value(a.bits) == bfloat_value(b.bits);
  }
};

}  // namespace tenon

// ---- tenon/core/dtype.hpp

#include <complex>
#include <string_view>

namespace tenon {

enum class DtypeCategory { boolean, signed_integer, unsigned_integer, floating, complex };

/// A row of the table below.
template <class T>
struct Dtype {
  std::string_view name;
  DtypeCategory category;
};

template <class... T>
struct DtypeTable : Dtype<T>... {};
template <class... T>
DtypeTable(Dtype<T>...) -> DtypeTable<T...>;

/// Every dtype. To add one, add a row.
inline constexpr DtypeTable dtypes{
    Dtype<float>{"float32", DtypeCategory::floating},
    Dtype<double>{"float64", DtypeCategory::floating},
    Dtype<float16>{"float16", DtypeCategory::floating},
    Dtype<bfloat16>{"bfloat16", DtypeCategory::floating},
    Dtype<std::int8_t>{"int8", DtypeCategory::signed_integer},
    Dtype<std::int16_t>{"int16", DtypeCategory::signed_integer},
    Dtype<std::int32_t>{"int32", DtypeCategory::signed_integer},
    Dtype<std::int64_t>{"int64", DtypeCategory::signed_integer},
    Dtype<std::uint8_t>{"uint8", DtypeCategory::unsigned_integer},
    Dtype<std::uint16_t>{"uint16", DtypeCategory::unsigned_integer},
    Dtype<std::uint32_t>{"uint32", DtypeCategory::unsigned_integer},
    Dtype<std::uint64_t>{"uint64", DtypeCategory::unsigned_integer},
    Dtype<bool>{"bool", DtypeCategory::boolean},
    Dtype<std::complex<float>>{"complex64", DtypeCategory::complex},
    Dtype<std::complex<double>>{"complex128", DtypeCategory::complex},
};

/// The row of a dtype.
template <class T>
  requires std::is_base_of_v<Dtype<T>, decltype(dtypes)>
inline constexpr Dtype<T> const& dtype = dtypes;

template <class T>
inline constexpr std::string_view dtype_name = dtype<T>.name;

template <class T>
inline constexpr bool is_dtype = std::is_base_of_v<Dtype<T>, decltype(dtypes)>;

template <class T, DtypeCategory... allowed>
inline constexpr bool is_any_of = ((dtype<T>.category == allowed) || ...);

// Categories with jaxtyping's subsumption: Shaped > Bool, Num; Num > Inexact > Float, Complex;
// Num > Integer > Int, UInt; Real is what can be ordered.

template <class T>
concept ShapedType = is_dtype<T>;

template <class T>
concept BoolType = ShapedType<T> && is_any_of<T, DtypeCategory::boolean>;

template <class T>
concept NumType = ShapedType<T> && !is_any_of<T, DtypeCategory::boolean>;

template <class T>
concept RealType = NumType<T> && !is_any_of<T, DtypeCategory::complex>;

template <class T>
concept InexactType = NumType<T> && is_any_of<T, DtypeCategory::floating, DtypeCategory::complex>;

template <class T>
concept FloatType = InexactType<T> && RealType<T>;

template <class T>
concept ComplexType = InexactType<T> && is_any_of<T, DtypeCategory::complex>;

template <class T>
concept IntegerType =
    RealType<T> && is_any_of<T, DtypeCategory::signed_integer, DtypeCategory::unsigned_integer>;

template <class T>
concept IntType = IntegerType<T> && is_any_of<T, DtypeCategory::signed_integer>;

template <class T>
concept UIntType = IntegerType<T> && is_any_of<T, DtypeCategory::unsigned_integer>;

/// The 16-bit types: they store and convert, arithmetic is done in float.
template <class T>
concept HalfType = std::is_same_v<T, float16> || std::is_same_v<T, bfloat16>;

}  // namespace tenon

// ---- tenon/core/text.hpp

#include <cstddef>
#include <stdexcept>

namespace tenon {

/// A short string held by value: the name or the expression of an axis.
/// Every character is initialised: g++ 12 takes constexpr values with uninitialised elements for
/// zeros at run time.
struct FixedText {
  static constexpr std::size_t capacity = 63;

  char characters[capacity + 1]{};
  std::size_t length = 0;

  constexpr FixedText() = default;
  constexpr FixedText(std::string_view source) { append(source); }
  constexpr FixedText(char const* source) : FixedText(std::string_view(source)) {}

  constexpr std::string_view view() const { return {characters, length}; }
  constexpr bool empty() const { return length == 0; }

  constexpr FixedText& append(std::string_view more) {
    if (length + more.size() > capacity) throw std::length_error("tenon: a name is too long");
    for (char c : more) characters[length++] = c;
    return *this;
  }

  /// Characters one by one: of `memcmp` g++ 12 says, wrongly, that it reads past the end.
  constexpr bool is(std::string_view other) const {
    if (length != other.size()) return false;
    for (std::size_t i = 0; i < length; ++i) {
      if (characters[i] != other[i]) return false;
    }
    return true;
  }

  friend constexpr bool operator==(FixedText const& a, FixedText const& b) {
    return a.is(b.view());
  }
};

}  // namespace tenon

// ---- tenon/core/shape.hpp

#include <array>
#include <limits>

namespace tenon {

/// The largest number of axes of a tensor.
inline constexpr int max_rank = 8;

/// The size of an axis that is known only at run time.
inline constexpr std::int64_t dynamic = -1;

inline constexpr std::int64_t unbounded = std::numeric_limits<std::int64_t>::max();

/// One axis of a shape: `28`, `batch`, `batch=32`, `batch=1..64`, `_` or an expression as `n+1`.
struct Axis {
  FixedText name{};             ///< "" where the axis is anonymous.
  FixedText expression{};       ///< Normal form of an axis given by an expression, else "".
  std::int64_t size = dynamic;  ///< The static size, or `dynamic`.
  std::int64_t lower = 0;       ///< Bounds of a run-time size, both inclusive.
  std::int64_t upper = unbounded;

  constexpr bool is_static() const { return size != dynamic; }
  constexpr bool is_named() const { return !name.empty(); }
  constexpr bool is_one() const { return size == 1; }

  friend constexpr bool operator==(Axis const&, Axis const&) = default;
};

/// The axes of a tensor, as a value: shapes are compared, printed and computed with.
struct Shape {
  std::array<Axis, max_rank> axes{};
  int rank = 0;

  constexpr Axis const& operator[](int i) const { return axes[static_cast<std::size_t>(i)]; }
  constexpr Axis& operator[](int i) { return axes[static_cast<std::size_t>(i)]; }
  constexpr Axis const* begin() const { return axes.data(); }
  constexpr Axis const* end() const { return axes.data() + rank; }

  constexpr bool is_static() const {
    for (Axis const& axis : *this) {
      if (!axis.is_static()) return false;
    }
    return true;
  }

  /// Of the axes in use: g++ 12 leaves the others of some constants uninitialised.
  friend constexpr bool operator==(Shape const& a, Shape const& b) {
    if (a.rank != b.rank) return false;
    for (int i = 0; i < a.rank; ++i) {
      if (!(a[i] == b[i])) return false;
    }
    return true;
  }
};

/// Run-time sizes in the order of the axes; entries past the rank are 1.
using Sizes = std::array<std::int64_t, max_rank>;

constexpr Sizes ones() { return {1, 1, 1, 1, 1, 1, 1, 1}; }

}  // namespace tenon

// ---- tenon/core/word.hpp

namespace tenon {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
constexpr bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// The leading digits of a text.
constexpr std::string_view leading_digits(std::string_view text) {
  std::size_t n = 0;
  while (n < text.size() && is_digit(text[n])) ++n;
  return text.substr(0, n);
}

/// The leading name of a text: letters, digits and `_`, no digit first.
constexpr std::string_view leading_name(std::string_view text) {
  if (text.empty() || !is_letter(text[0])) return {};
  std::size_t n = 1;
  while (n < text.size() && (is_letter(text[n]) || is_digit(text[n]))) ++n;
  return text.substr(0, n);
}

constexpr bool is_name(std::string_view text) {
  return !text.empty() && leading_name(text).size() == text.size();
}

/// No size is larger: a double, and every index of a GPU, counts exactly up to 2^53.
inline constexpr std::int64_t largest_size = std::int64_t{1} << 53;

/// The number written in digits, or -1 if it is larger than any size.
constexpr std::int64_t number_of(std::string_view digits) {
  std::int64_t value = 0;
  for (char c : digits) {
    value = value * 10 + (c - '0');
    if (value > largest_size) return -1;
  }
  return value;
}

/// Takes the first word off a text, words being separated by white space; "" at the end.
constexpr std::string_view next_word(std::string_view& text) {
  while (!text.empty() && is_space(text[0])) text.remove_prefix(1);
  std::size_t n = 0;
  while (n < text.size() && !is_space(text[n])) ++n;
  std::string_view const word = text.substr(0, n);
  text.remove_prefix(n);
  return word;
}

}  // namespace tenon

// ---- tenon/core/writer.hpp

namespace tenon {

/// Text of a fixed capacity that is written piece by piece; what has no room sets `full`.
template <std::size_t Capacity>
struct TextWriter {
  char characters[Capacity + 1]{};
  std::size_t length = 0;
  bool full = false;

  constexpr std::string_view view() const { return {characters, length}; }

  constexpr TextWriter& operator<<(char const* text) { return *this << std::string_view(text); }
  constexpr TextWriter& operator<<(std::string_view text) {
    if (length + text.size() > Capacity) full = true;
    if (full) return *this;
    for (char c : text) characters[length++] = c;
    return *this;
  }

  constexpr TextWriter& operator<<(std::int64_t number) {
    char digits[20]{};
    std::size_t n = 0;
    bool const negative = number < 0;
    auto rest = static_cast<std::uint64_t>(number);
    if (negative) rest = 0 - rest;
    do {
      digits[n++] = static_cast<char>('0' + rest % 10);
      rest /= 10;
    } while (rest != 0);
    if (negative) *this << std::string_view("-");
    while (n > 0) *this << std::string_view(&digits[--n], 1);
    return *this;
  }
};

}  // namespace tenon

// ---- tenon/core/extent.hpp

namespace tenon {

/// The largest number of terms of a polynomial; a longer one is unknown.
inline constexpr int max_terms = 8;

/// A term of a polynomial: its atoms in order, joined by `*`, and its coefficient. An atom is a
/// name, `min(a,b)`, `(a//b)` or `(a%b)`; the constant term has none.
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
  bool known = true;  ///< false: of any size, or more than can be written down

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

  /// Of the terms in use: g++ 12 leaves the others of some constants uninitialised.
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

/// The atoms of two products, in order.
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

}  // namespace tenon

// ---- tenon/core/division.hpp

namespace tenon {

// Extents in words, and what has no polynomial: `//`, `%` and `min` make atoms, named by their
// words.

/// An atom that is a fraction loses its parentheses where it stands alone.
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

/// The normal form in words: what is added first, then what is subtracted.
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

/// What stands left or right of `//` and `%`.
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

/// Division that rounds down, as Python's.
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

/// `a // b`; b is not zero.
constexpr AxisExtent quotient(AxisExtent const& a, AxisExtent const& b) {
  if (a.is_constant() && b.is_constant())
    return number_extent(floor_of(a.constant(), b.constant()));
  if (!divides(b, a)) return fraction(a, "//", b);
  AxisExtent result{};
  for (ExtentTerm const& term : a)
    result.push(ExtentTerm{term.atoms, term.coefficient / b.constant()});
  return result;
}

/// `a % b`, with the sign of b; b is not zero.
constexpr AxisExtent remainder(AxisExtent const& a, AxisExtent const& b) {
  if (divides(b, a)) return number_extent(0);
  if (!a.is_constant() || !b.is_constant()) return fraction(a, "%", b);
  return number_extent(a.constant() - b.constant() * floor_of(a.constant(), b.constant()));
}

constexpr AxisExtent minimum(AxisExtent const& a, AxisExtent const& b) {
  AxisExtent const difference = a - b;
  if (difference.is_constant()) return difference.constant() < 0 ? a : b;
  auto const left = written(a);
  auto const right = written(b);
  bool const ordered = left.view() < right.view();
  TextWriter<FixedText::capacity> atom{};
  atom << "min(" << (ordered ? left : right).view() << ",";
  atom << (ordered ? right : left).view() << ")";
  bool const full = left.full || right.full || atom.full || !difference.known;
  return full ? unknown_extent() : name_extent(atom.view());
}

}  // namespace tenon

// ---- tenon/core/expression.hpp

namespace tenon {

/// Parentheses go no deeper: a text from outside must not use up the stack, and compilers allow 512
/// calls within each other.
inline constexpr int most_parentheses = 64;

/// Reads an expression once, whatever its values are: `Algebra` says what a number, a name and an
/// operator mean. The grammar is Python's, with a minus only at the front of a sum.
template <class Algebra>
struct ExpressionReader {
  using Value = typename Algebra::Value;

  std::string_view rest{};
  Algebra algebra{};
  std::string_view mistake{};
  int depth = 0;  ///< of parentheses

  constexpr Value refuse(std::string_view why) {
    if (mistake.empty()) mistake = why;
    rest = {};
    return algebra.number(0);
  }

  constexpr bool take(std::string_view symbol) {
    if (!rest.starts_with(symbol)) return false;
    rest.remove_prefix(symbol.size());
    return true;
  }

  constexpr Value whole() {
    Value const value = sum();
    if (rest.empty()) return value;
    if (rest[0] == ')') return refuse("a ) closes nothing");
    return refuse(rest[0] == ',' ? "a comma: separate axes by spaces" : "an operator is missing");
  }

  constexpr Value sum() {
    Value value = take("-") ? algebra.subtract(algebra.number(0), product()) : product();
    while (mistake.empty()) {
      if (take("+")) {
        value = algebra.add(value, product());
      } else if (take("-")) {
        value = algebra.subtract(value, product());
      } else {
        break;
      }
    }
    return value;
  }

  constexpr Value product() {
    Value value = operand();
    while (mistake.empty()) {
      if (take("**")) return refuse("a power is written out: n*n");
      if (take("*")) {
        value = algebra.multiply(value, operand());
      } else if (take("//")) {
        value = quotient(value, true);
      } else if (take("%")) {
        value = quotient(value, false);
      } else {
        break;
      }
    }
    return take("/") ? refuse("/ is written //: sizes are whole") : value;
  }

  constexpr Value quotient(Value const& value, bool whole_part) {
    Value const divisor = operand();
    if (algebra.is_zero(divisor)) return refuse("division by zero");
    return whole_part ? algebra.divide(value, divisor) : algebra.modulo(value, divisor);
  }

  constexpr Value operand() {
    if (take("(")) return parenthesis();
    if (auto const digits = leading_digits(rest); !digits.empty()) {
      rest.remove_prefix(digits.size());
      if (!leading_name(rest).empty()) return refuse("a name cannot begin with a digit");
      return number_of(digits) < 0 ? refuse("a size is too large")
                                   : algebra.number(number_of(digits));
    }
    std::string_view const name = leading_name(rest);
    if (name.empty()) return refuse(missing());
    if (name.size() > FixedText::capacity) return refuse("a name is too long");
    rest.remove_prefix(name.size());
    if (take("(")) return function(name);
    return name[0] == '_' ? refuse("nothing can be computed from _") : algebra.name(name);
  }

  constexpr std::string_view missing() const {
    if (rest.empty()) return "an expression ends too early";
    return rest[0] == ')' && depth == 0 ? "a ) closes nothing" : "an operand is missing";
  }

  constexpr Value closed(Value const& value) {
    --depth;
    if (take(")")) return value;
    return refuse(rest.starts_with(",") ? "a comma: separate axes by spaces" : "a ( is not closed");
  }

  constexpr Value parenthesis() {
    if (++depth > most_parentheses) return refuse("parentheses are too deep");
    return rest.starts_with(")") ? refuse("an expression is empty") : closed(sum());
  }

  constexpr Value function(std::string_view name) {
    if (name != "min") return refuse("the only function is min(n,m)");
    if (++depth > most_parentheses) return refuse("parentheses are too deep");
    Value value = sum();
    if (mistake.empty() && !rest.starts_with(",")) {
      return refuse("min takes two arguments: min(n,m)");
    }
    while (take(",")) value = algebra.minimum(value, sum());
    return closed(value);
  }
};

}  // namespace tenon

// ---- tenon/core/axis.hpp

namespace tenon {

/// The static size of the axis of a name, or `dynamic`. Of axes of one name only one that is not 1
/// counts: `keep` leaves `n=1` beside `n`.
constexpr std::int64_t static_size(Shape const& shape, std::string_view name) {
  std::int64_t size = dynamic;
  for (Axis const& axis : shape) {
    if (axis.name.view() != name) continue;
    size = axis.size;
    if (!axis.is_one()) return size;
  }
  return size;
}

/// Stands for no shape. (With -fsanitize=undefined g++ 12 cannot compare addresses with null in
/// constant expressions.)
inline constexpr Shape no_shape{};

/// Expressions read as polynomials in normal form, with the sizes a shape knows put in.
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
    return tenon::minimum(a, b);
  }
  constexpr bool is_zero(AxisExtent const& a) const { return tenon::is_zero(a); }
};

/// An extent, or why the words make none.
struct ReadExtent {
  AxisExtent extent{};
  std::string_view mistake{};
};

/// Reads an expression, in the axes of a shape if one is given.
constexpr ReadExtent read_extent(std::string_view expression, Shape const* shape = &no_shape) {
  ExpressionReader<ExtentAlgebra> reader{expression, {shape}};
  AxisExtent const extent = reader.whole();
  return {extent, reader.mistake};
}

/// The size of an axis: its number, its name or its expression.
constexpr AxisExtent extent_of(Axis const& axis) {
  if (axis.is_static()) return number_extent(axis.size);
  if (axis.is_named()) return name_extent(axis.name.view());
  return axis.expression.empty() ? unknown_extent() : read_extent(axis.expression.view()).extent;
}

constexpr Axis axis_of_size(std::int64_t size) {
  Axis axis{};
  axis.size = size;
  return axis;
}

constexpr Axis named_axis(std::string_view name, std::int64_t size = dynamic) {
  Axis axis{};
  axis.name = FixedText(name);
  axis.size = size;
  return axis;
}

/// The axis of a computed size: `7`, `n`, `n+1`, or `_` where it cannot be written down.
constexpr Axis axis_of(AxisExtent const& extent) {
  if (!extent.known || (extent.is_constant() && extent.constant() < 0)) return Axis{};
  if (extent.is_constant()) return axis_of_size(extent.constant());
  auto const text = written(extent);
  if (text.full) return Axis{};
  if (is_name(text.view())) return named_axis(text.view());
  Axis axis{};
  axis.expression = FixedText(text.view());
  return axis;
}

}  // namespace tenon

// ---- tenon/core/settle.hpp

namespace tenon {

/// An axis, or why the word makes none.
struct ReadAxis {
  Axis axis{};
  std::string_view mistake{};
};

/// Why a size cannot be what an expression says; empty where it can.
constexpr std::string_view extent_mistake(AxisExtent const& extent) {
  if (!extent.known) return "an expression is too long";
  bool positive = extent.count == 0;
  for (ExtentTerm const& term : extent) positive = positive || term.coefficient > 0;
  return positive ? "" : "a size cannot be negative";
}

/// The axis of an expression, in the axes of a shape if one is given.
constexpr ReadAxis expression_axis(std::string_view expression, Shape const* shape = &no_shape) {
  ReadExtent const read = read_extent(expression, shape);
  if (!read.mistake.empty()) return {Axis{}, read.mistake};
  std::string_view const why = extent_mistake(read.extent);
  if (!why.empty()) return {Axis{}, why};
  if (written(read.extent).full) return {Axis{}, "an expression is too long"};
  return {axis_of(read.extent), ""};
}

/// A shape whose axes know of each other, or the axis that contradicts the others, and why.
struct Settled {
  Shape shape{};
  int culprit = -1;
  std::string_view mistake{};
};

/// Whether two sizes can be the same number.
constexpr bool sizes_agree(Axis const& a, Axis const& b) {
  if (a.is_static() && b.is_static()) return a.size == b.size;
  if (a.is_static()) return b.lower <= a.size && a.size <= b.upper;
  if (b.is_static()) return a.lower <= b.size && b.size <= a.upper;
  return a.lower <= b.upper && b.lower <= a.upper;
}

/// Whether an axis says the same of its name as the axes before it. `n=1` beside `n` is what
/// `keep` leaves of a fold.
constexpr bool repeats_well(Shape const& shape, int axis) {
  Axis const& last = shape[axis];
  if (!last.is_named() || last.is_one()) return true;
  for (int i = 0; i < axis; ++i) {
    if (shape[i].name == last.name && !shape[i].is_one() && !sizes_agree(shape[i], last)) {
      return false;
    }
  }
  return true;
}

/// Whether an axis depends on the others: by an expression, or by a name that stands before.
constexpr bool depends(Shape const& shape, int axis) {
  if (!shape[axis].expression.empty()) return true;
  for (int i = 0; i < axis; ++i) {
    if (shape[i].is_named() && shape[i].name == shape[axis].name) return true;
  }
  return false;
}

constexpr bool has_dependence(Shape const& shape) {
  for (int i = 0; i < shape.rank; ++i) {
    if (depends(shape, i)) return true;
  }
  return false;
}

/// Puts the static sizes of a shape into its expressions, and checks that a name has one size.
constexpr Settled settle(Shape const& shape) {
  if (!has_dependence(shape)) return {shape};
  Settled result{};
  for (int i = 0; i < shape.rank; ++i) {
    Axis const& axis = shape[i];
    ReadAxis const read =
        axis.expression.empty() ? ReadAxis{axis} : expression_axis(axis.expression.view(), &shape);
    result.shape[result.shape.rank++] = read.axis;
    std::string_view const why =
        repeats_well(shape, i) ? read.mistake : "one name stands for two sizes";
    if (result.mistake.empty() && !why.empty()) result.culprit = i, result.mistake = why;
  }
  return result;
}

}  // namespace tenon

// ---- tenon/core/token.hpp

namespace tenon {

/// What one word of a spec or of an annotation denotes.
enum class TokenKind {
  size,        ///< `28`
  name,        ///< `batch`, `batch=32`, `batch=1..64`
  any,         ///< `_`, `_doc`
  ellipsis,    ///< `...`
  expression,  ///< `n+1`
};

/// One word of a spec, taken apart. The views look into the spec.
struct SpecToken {
  std::string_view word{};        ///< As it was written, modifiers included.
  std::string_view name{};        ///< Of a name: `batch`; of `_doc`: `_doc`.
  std::string_view expression{};  ///< Of an expression: its text, its syntax not yet checked.
  std::string_view mesh{};        ///< `dp` of `n@dp`.
  TokenKind kind = TokenKind::any;
  bool star = false;      ///< `*n`: zero or more axes
  bool plus = false;      ///< `+n`: one or more axes
  bool hash = false;      ///< `#n`: may be 1
  bool question = false;  ///< `?n`: per leaf of a tree
  std::int64_t size = dynamic;
  std::int64_t lower = 0;
  std::int64_t upper = unbounded;
  /// Why the word makes no sense; empty where it does. At most 36 characters, without quotes:
  /// clang 16 prints no more of a template argument, and both compilers escape quotes.
  std::string_view mistake{};

  constexpr bool is_variadic() const { return star || plus || kind == TokenKind::ellipsis; }
  constexpr bool has_modifier() const { return is_variadic() || hash || question; }
  constexpr bool has_bounds() const { return lower != 0 || upper != unbounded; }
  constexpr bool has_size() const { return size != dynamic || has_bounds(); }
};

constexpr SpecToken refused(SpecToken const& token, std::string_view why) {
  SpecToken result = token;
  result.mistake = why;
  return result;
}

/// The flag of a token that a modifier sets.
constexpr bool* modifier_of(SpecToken& token, char c) {
  switch (c) {
    case '*':
      return &token.star;
    case '+':
      return &token.plus;
    case '#':
      return &token.hash;
    case '?':
      return &token.question;
    default:
      return nullptr;
  }
}

/// Takes `* + # ?` off the front of a word and returns the rest.
constexpr std::string_view read_modifiers(SpecToken& token, std::string_view rest) {
  while (!rest.empty()) {
    bool* const flag = modifier_of(token, rest[0]);
    if (flag == nullptr) break;
    if (*flag) token.mistake = "the same modifier stands twice";
    *flag = true;
    rest.remove_prefix(1);
  }
  if (token.star && token.plus) token.mistake = "* and + exclude each other";
  return rest;
}

/// Reads `1..64`, `1..` or `..64` after the lower bound was taken off.
constexpr SpecToken read_upper(SpecToken const& token, std::string_view low,
                               std::string_view rest) {
  if (!rest.starts_with("..")) return refused(token, "= takes a size or bounds");
  rest.remove_prefix(2);
  if (leading_digits(rest).size() != rest.size()) return refused(token, "a bound is a number");
  if (number_of(rest) < 0) return refused(token, "a size is too large");
  if (low.empty() && rest.empty()) return refused(token, "one bound must be given");
  SpecToken result = token;
  result.lower = number_of(low);
  result.upper = rest.empty() ? unbounded : number_of(rest);
  if (result.lower > result.upper) return refused(token, "the lower bound is above the upper");
  return result;
}

/// Reads what follows `name=`: a size or bounds.
constexpr SpecToken read_size(SpecToken const& token, std::string_view rest) {
  if (token.kind == TokenKind::any) return refused(token, "_ is of any size: = cannot follow");
  if (rest.empty()) return refused(token, "a size or bounds must follow =");
  if (is_letter(rest[0])) return refused(token, "= takes a size, not a name");
  if (rest[0] == '-') return refused(token, "a size cannot be negative");
  std::string_view const low = leading_digits(rest);
  if (number_of(low) < 0) return refused(token, "a size is too large");
  if (low.size() < rest.size()) return read_upper(token, low, rest.substr(low.size()));
  SpecToken result = token;
  result.size = number_of(low);
  return result;
}

/// What is wrong with a character that has no place in an expression.
constexpr std::string_view stray_mistake(char c) {
  switch (c) {
    case '#':
      return "a stray #: it stands before a name";
    case '?':
      return "a stray ?: it stands before a name";
    case '=':
      return "= must follow a name";
    case '@':
      return "sharded axes belong to Sharded";
    case '.':
      return "a stray dot: bounds are n=1..64";
    case '>':
      return "an arrow belongs to a pattern";
    default:
      return "an unknown character";
  }
}

/// Why a character cannot stand in an expression; empty where it can.
constexpr std::string_view mistake_of(char c, bool inside_parentheses) {
  bool const known = std::string_view("()+-*/%").find(c) != std::string_view::npos;
  if (known || is_letter(c) || is_digit(c)) return {};
  if (c != ',') return stray_mistake(c);
  return inside_parentheses ? "" : "a comma: separate axes by spaces";
}

/// Reads an expression, whose syntax is checked where it is put in normal form.
constexpr SpecToken read_expression(SpecToken const& token, std::string_view rest) {
  int depth = 0;
  for (char c : rest) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (auto const why = mistake_of(c, depth > 0); !why.empty()) return refused(token, why);
  }
  SpecToken result = token;
  result.kind = TokenKind::expression;
  result.expression = rest;
  return result;
}

constexpr SpecToken read_mesh(SpecToken const& token, std::string_view rest) {
  SpecToken result = token;
  result.mesh = rest;
  bool const named = is_name(rest);
  return refused(result, named ? "sharded axes belong to Sharded" : "a mesh axis must follow @");
}

/// Reads a word that begins with a name.
constexpr SpecToken read_named(SpecToken const& token, std::string_view rest) {
  SpecToken result = token;
  result.name = leading_name(rest);
  result.kind = rest[0] == '_' ? TokenKind::any : TokenKind::name;
  if (result.name.size() > FixedText::capacity) return refused(result, "a name is too long");
  rest.remove_prefix(result.name.size());
  if (rest.empty()) return result;
  if (rest[0] == '=') return read_size(result, rest.substr(1));
  if (rest[0] == '@') return read_mesh(result, rest.substr(1));
  return read_expression(token,
                         token.word.substr(token.word.size() - rest.size() - result.name.size()));
}

/// Reads a word that begins with a digit.
constexpr SpecToken read_number(SpecToken const& token, std::string_view rest) {
  std::string_view const digits = leading_digits(rest);
  std::string_view const tail = rest.substr(digits.size());
  if (number_of(digits) < 0) return refused(token, "a size is too large");
  if (tail.starts_with("..")) return refused(token, "bounds need a name: n=1..64");
  if (tail.starts_with(".")) return refused(token, "a size is a whole number");
  if (!leading_name(tail).empty()) return refused(token, "a name cannot begin with a digit");
  if (!tail.empty()) return read_expression(token, rest);
  SpecToken result = token;
  result.kind = TokenKind::size;
  result.size = number_of(digits);
  return result;
}

/// Reads a word whose modifiers were taken off.
constexpr SpecToken read_rest(SpecToken const& token, std::string_view rest) {
  if (rest == "...") {
    SpecToken result = token;
    result.kind = TokenKind::ellipsis;
    return result;
  }
  if (rest.empty()) return refused(token, "a modifier must stand before a name");
  if (is_letter(rest[0])) return read_named(token, rest);
  if (is_digit(rest[0])) return read_number(token, rest);
  if (rest[0] == '-' && !leading_digits(rest.substr(1)).empty()) {
    return refused(token, "a size cannot be negative");
  }
  return read_expression(token, rest);
}

/// Why `*` or `+` does not go with what follows it; empty where it does.
constexpr std::string_view variadic_mistake(SpecToken const& token) {
  if (token.kind == TokenKind::size) {
    return token.star ? "* takes a name, not a size" : "+ takes a name, not a size";
  }
  if (token.kind == TokenKind::expression) {
    return token.star ? "* takes a name, not an expression" : "+ takes a name, not an expression";
  }
  return token.has_size() ? "several axes cannot share one size" : "";
}

/// Why `?` does not go with what follows it; empty where it does.
constexpr std::string_view question_mistake(SpecToken const& token) {
  if (token.kind == TokenKind::size) return "? takes a name, not a size";
  if (token.kind == TokenKind::expression) return "? takes a name, not an expression";
  if (token.kind == TokenKind::any) return "? before _: it already fits all";
  return token.has_size() ? "? has a size per leaf, = has one" : "";
}

/// Why the modifiers of a word do not go with what follows them; empty where they do.
constexpr std::string_view modifier_mistake(SpecToken const& token) {
  bool const variadic = token.star || token.plus;
  if (!variadic && !token.hash && !token.question) return {};
  if (token.kind == TokenKind::ellipsis) return "... takes no modifier";
  if (token.hash && token.kind == TokenKind::any) return "# before _: it already fits 1";
  std::string_view const why = variadic ? variadic_mistake(token) : "";
  return why.empty() && token.question ? question_mistake(token) : why;
}

/// Takes one word apart.
constexpr SpecToken token_of(std::string_view word) {
  SpecToken start{};
  start.word = word;
  std::string_view const rest = read_modifiers(start, word);
  if (!start.mistake.empty()) return start;
  SpecToken const token = read_rest(start, rest);
  return token.mistake.empty() ? refused(token, modifier_mistake(token)) : token;
}

}  // namespace tenon

// ---- tenon/core/tokens.hpp

namespace tenon {

/// The words of an annotation: up to `max_rank` axes and one variadic.
struct Tokens {
  std::array<SpecToken, max_rank + 1> words{};
  int count = 0;
  std::string_view culprit{};  ///< The first word that makes no sense,
  std::string_view mistake{};  ///< and why; empty where all do.

  constexpr SpecToken const& operator[](int i) const { return words[static_cast<std::size_t>(i)]; }
  constexpr SpecToken const* begin() const { return words.data(); }
  constexpr SpecToken const* end() const { return words.data() + count; }
  constexpr int variadics() const {
    int n = 0;
    for (SpecToken const& token : *this) n += token.is_variadic();
    return n;
  }
};

/// Why a token cannot follow those before it; empty where it can.
constexpr std::string_view following_mistake(Tokens const& before, SpecToken const& token) {
  if (!token.mistake.empty()) return token.mistake;
  if (token.is_variadic() && before.variadics() == 1) return "only one variadic can stand here";
  int const axes = before.count - before.variadics();
  return !token.is_variadic() && axes == max_rank ? "a tensor has at most 8 axes" : "";
}

/// Takes a spec or an annotation apart, up to its first mistake.
constexpr Tokens tokens_of(std::string_view spec) {
  Tokens result{};
  for (auto word = next_word(spec); !word.empty(); word = next_word(spec)) {
    SpecToken const token = token_of(word);
    result.mistake = following_mistake(result, token);
    if (!result.mistake.empty()) {
      result.culprit = word;
      break;
    }
    result.words[static_cast<std::size_t>(result.count++)] = token;
  }
  return result;
}

}  // namespace tenon

// ---- tenon/core/parse.hpp

namespace tenon {

/// The shape a spec stands for, or the word in it that makes no sense, and why.
struct Parsed {
  Shape shape{};
  std::string_view culprit{};
  std::string_view mistake{};

  constexpr bool ok() const { return mistake.empty(); }
};

/// Why a word that an annotation may use does not belong in a type; empty where it does.
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

/// The axis that a word of a type stands for.
constexpr ReadAxis read_axis(SpecToken const& token) {
  if (token.kind == TokenKind::name) return {named_axis(token), ""};
  if (token.kind == TokenKind::size) return {axis_of_size(token.size), ""};
  if (token.kind == TokenKind::expression) return expression_axis(token.expression);
  return {};
}

constexpr Parsed refused_spec(std::string_view culprit, std::string_view mistake) {
  return {Shape{}, culprit, mistake};
}

/// Reads the spec of a type.
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
  Settled const settled = settle(shape);
  if (settled.mistake.empty()) return {settled.shape, "", ""};
  return refused_spec(tokens[settled.culprit].word, settled.mistake);
}

}  // namespace tenon

// ---- tenon/core/spec.hpp

namespace tenon {

/// A string as a template argument: `Tensor<float, "batch pixel=784">`.
/// `N` counts the terminating zero. g++ and clang print it as `Spec<16>{"batch pixel=784"}`.
template <std::size_t N>
struct Spec {
  char text[N]{};

  constexpr Spec() = default;
  constexpr Spec(char const (&literal)[N]) {
    for (std::size_t i = 0; i < N; ++i) text[i] = literal[i];
  }
  /// The zero is written too: clang 16 prints a text of 8, 16 or 32 characters as numbers if not.
  explicit constexpr Spec(std::string_view source) {
    for (std::size_t i = 0; i < N; ++i) text[i] = i + 1 < N ? source[i] : '\0';
  }

  constexpr std::string_view view() const { return {text, N - 1}; }
  constexpr operator std::string_view() const { return view(); }
};

template <std::size_t N, std::size_t M>
constexpr bool operator==(Spec<N> const& a, Spec<M> const& b) {
  return a.view() == b.view();
}

}  // namespace tenon

// ---- tenon/core/format.hpp

#include <iosfwd>

namespace tenon {

/// Room for eight axes with the longest names and bounds.
using ShapeText = TextWriter<1023>;

template <std::size_t N>
constexpr void write_axis(TextWriter<N>& out, Axis const& axis) {
  if (axis.is_named()) out << axis.name.view();
  if (axis.is_named() && axis.is_static()) out << "=";
  if (axis.is_static()) {
    out << axis.size;
  } else if (axis.is_named() && (axis.lower > 0 || axis.upper != unbounded)) {
    out << "=";
    if (axis.lower > 0) out << axis.lower;
    out << "..";
    if (axis.upper != unbounded) out << axis.upper;
  } else if (!axis.is_named()) {
    out << (axis.expression.empty() ? std::string_view("_") : axis.expression.view());
  }
}

/// An axis as it stands in a canonical spec.
constexpr TextWriter<127> format(Axis const& axis) {
  TextWriter<127> out{};
  write_axis(out, axis);
  return out;
}

/// The canonical spec of a shape.
constexpr ShapeText format(Shape const& shape) {
  ShapeText out{};
  for (int i = 0; i < shape.rank; ++i) {
    if (i > 0) out << " ";
    write_axis(out, shape[i]);
  }
  return out;
}

template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out,
                                             Shape const& shape) {
  return out << format(shape).view();
}

/// Shapes are values: `static_assert(shape_of<X> == "batch digit=10")`. The spec need not be
/// canonical; a malformed one equals no shape.
constexpr bool operator==(Shape const& shape, std::string_view spec) {
  Parsed const parsed = parse(spec);
  return parsed.ok() && shape == parsed.shape;
}

namespace error {

/// A spec that makes no sense, the word in it (unless it is the only one), and why.
template <Spec spec, Spec... why>
struct malformed_spec;

/// A spec given to `Tensor` in other words than its canonical ones, which the aliases find.
template <Spec spec, Spec canonical>
struct spec_is_not_canonical;

}  // namespace error

/// A text that fits in less than its capacity as a template argument.
template <std::size_t N>
constexpr Spec<N + 1> spec_from(std::string_view text) {
  return Spec<N + 1>(text.substr(0, N));
}

/// A spec read once, for whoever asks.
template <Spec S>
inline constexpr Parsed parsed = parse(S.view());

template <Spec S>
concept WellFormed = parsed<S>.ok();

/// Refuses a spec by an incomplete type, whose name the compiler prints.
template <Spec S>
constexpr auto refuse_spec() {
  constexpr std::string_view culprit = parsed<S>.culprit;
  constexpr auto why = spec_from<parsed<S>.mistake.size()>(parsed<S>.mistake);
  if constexpr (culprit.size() == S.view().size()) {
    return error::malformed_spec<S, why>{};
  } else {
    return error::malformed_spec<S, spec_from<culprit.size()>(culprit), why>{};
  }
}

template <Spec S>
constexpr auto canonical_spec() {
  if constexpr (WellFormed<S>) {
    constexpr ShapeText text = format(parsed<S>.shape);
    return spec_from<text.length>(text.view());
  } else {
    return refuse_spec<S>();
  }
}

/// A spec in canonical form; a malformed one does not compile and says why.
template <Spec S>
inline constexpr auto canonical = canonical_spec<S>();

template <Spec S>
inline constexpr bool is_canonical = WellFormed<S> && format(parsed<S>.shape).view() == S.view();

template <Spec S>
constexpr auto check_canonical() {
  if constexpr (is_canonical<S>) {
    return true;
  } else {
    constexpr auto wanted = canonical<S>;
    return error::spec_is_not_canonical<S, wanted>{};
  }
}

/// A spec in canonical form. Another one does not compile, and says what it should be.
template <Spec S>
concept Canonical = check_canonical<S>();

template <class Carrier>
constexpr auto carried_spec() {
  constexpr ShapeText text = format(settle(Carrier::shape).shape);
  return spec_from<text.length>(text.view());
}

/// The canonical spec of whatever carries a shape.
template <class Carrier>
inline constexpr auto spec_of = carried_spec<Carrier>();

}  // namespace tenon

// ---- tenon/core/mistake.hpp

/// A mistake inside another call: what the inner call returns is an undefined type that names the
/// mistake, and the outer call hands that type on, so that the compiler speaks of the inner one.
/// (g++ and clang refuse the inner call at once; but in a template, where nothing depends on a
/// parameter, g++ 12 first looks for an outer function that takes such a type.)
namespace tenon {

/// Types that are declared and never defined. A function that does not fit returns one of them, and
/// the compiler's first line then says what is wrong, in the user's own words.
namespace error {

/// Marks all types of this namespace: argument-dependent lookup finds it for them alone.
void names_a_mistake(void const*);

/// The operation, the two axes, the two shapes.
template <Spec Operation, Spec Axis, Spec OtherAxis, Spec Shape, Spec OtherShape>
struct axes_do_not_fit;

/// Neither by name nor by position: each has a name that the other lacks, or the ranks differ.
template <Spec Operation, Spec Shape, Spec OtherShape>
struct shapes_do_not_align;

/// Mixing dtypes is a cast that has to be written: `to<float>(x)`.
template <Spec Operation, Spec Dtype, Spec OtherDtype>
struct dtypes_differ;

/// The operation has no meaning for this dtype.
template <Spec Operation, Spec Dtype>
struct dtype_is_not_supported;

/// Values of two devices do not meet: `to<Cuda>(x)` moves one.
template <Spec Operation, Spec Device, Spec OtherDevice>
struct devices_differ;

/// A floating literal beside an integer tensor.
template <Spec Operation, Spec Dtype>
struct floating_literal_on_integers;

template <Spec Operation, Spec Axis, Spec Shape>
struct axis_is_not_found;

template <Spec Operation, Spec Axis, Spec Shape>
struct name_is_ambiguous;

/// The pattern, the shapes it was meant for, and what is wrong with it.
template <Spec Operation, Spec Mistake, Spec Pattern, Spec... Shapes>
struct pattern_does_not_fit;

}  // namespace error

/// A text as a template argument; `Carrier::text` is constexpr.
template <class Carrier>
inline constexpr auto spec_of_text = Spec<Carrier::text.view().size() + 1>(Carrier::text.view());

/// The name of an op, a dtype or a device as a template argument.
template <class Named>
inline constexpr auto spec_of_name = Spec<Named::name.size() + 1>(Named::name);

template <class T>
inline constexpr auto spec_of_dtype = Spec<dtype_name<T>.size() + 1>(dtype_name<T>);

/// One axis of a shape as its owner would write it; "" for no axis.
constexpr FixedText axis_text(Shape const& shape, int axis) {
  return axis < 0 ? FixedText() : FixedText(format(shape[axis]).view());
}

template <class Carrier, int I>
struct AxisText {
  static constexpr FixedText text = axis_text(Carrier::shape, I);
};

template <class Carrier, int I>
inline constexpr auto spec_of_axis = spec_of_text<AxisText<Carrier, I>>;

/// One of the types that are declared in `error` and never defined.
template <class X>
concept Mistake = std::is_class_v<std::remove_reference_t<X>> && !requires {
  typename std::remove_reference_t<X>::value_type;
} && requires(std::remove_reference_t<X> const* x) { names_a_mistake(x); };

template <class X, class... Rest>
constexpr auto first_mistake() {
  if constexpr (Mistake<X>) return std::type_identity<std::remove_cvref_t<X>>{};
  else return first_mistake<Rest...>();
}

/// What a function returns whose arguments are mistaken; next to each function stands one
/// declaration that says so.
template <class... X>
  requires(Mistake<X> || ...)
using FirstMistake = typename decltype(first_mistake<X...>())::type;

}  // namespace tenon

// ---- tenon/core/agree.hpp

namespace tenon {

constexpr bool names_agree(Axis const& a, Axis const& b) {
  return !a.is_named() || !b.is_named() || a.name == b.name;
}

/// Whether two expressions can be the same number: not if they differ by a constant.
constexpr bool expressions_agree(Axis const& a, Axis const& b) {
  if (a.expression.empty() && b.expression.empty()) return true;
  AxisExtent const difference = extent_of(a) - extent_of(b);
  return !difference.is_constant() || difference.constant() == 0;
}

/// Whether two axes can be one: equal names or one without, and sizes that can be equal. What only
/// run time knows is checked there.
constexpr bool agree(Axis const& a, Axis const& b) {
  return names_agree(a, b) && sizes_agree(a, b) && expressions_agree(a, b);
}

/// Of two expressions that may be equal the one to keep: the shorter, then by the alphabet.
constexpr FixedText const& simpler(FixedText const& a, FixedText const& b) {
  if (a.empty() || b.empty()) return a.empty() ? b : a;
  if (a.length != b.length) return a.length < b.length ? a : b;
  return a.view() < b.view() ? a : b;
}

/// The axis that two agreeing axes make: the name, the static size and the bounds of either.
constexpr Axis merge(Axis const& a, Axis const& b) {
  Axis result{};
  result.name = a.is_named() ? a.name : b.name;
  result.size = a.is_static() ? a.size : b.size;
  if (result.is_static()) return result;
  if (!result.is_named()) {
    result.expression = simpler(a.expression, b.expression);
    return result;
  }
  std::int64_t const lower = a.lower > b.lower ? a.lower : b.lower;
  std::int64_t const upper = a.upper < b.upper ? a.upper : b.upper;
  if (lower == upper) return named_axis(result.name.view(), lower);
  result.lower = lower;
  result.upper = upper;
  return result;
}

/// Whether a value of one shape can be stored in the other: axis by axis, in order, unstretched.
constexpr bool assignable(Shape const& to, Shape const& from) {
  if (to.rank != from.rank) return false;
  for (int i = 0; i < to.rank; ++i) {
    if (!agree(to[i], from[i])) return false;
  }
  return true;
}

/// What is known of a value that has both shapes, which are assignable.
constexpr Shape merged(Shape const& a, Shape const& b) {
  Shape result{};
  for (int i = 0; i < a.rank; ++i) result[result.rank++] = merge(a[i], b[i]);
  return settle(result).shape;
}

}  // namespace tenon

// ---- tenon/core/align.hpp

namespace tenon {

/// For each axis of an operand the axis of the result, or -1: stretched (static size 1), dropped.
using AxisMap = std::array<std::int8_t, max_rank>;

constexpr AxisMap no_axes() {
  AxisMap map{};
  for (auto& axis : map) axis = -1;
  return map;
}

constexpr int count_of(Shape const& shape, FixedText const& name) {
  int n = 0;
  for (Axis const& axis : shape) n += axis.name == name;
  return n;
}

enum class ShapeAlignment { by_name, by_position, ambiguous };

/// How the axes of the smaller shape stand in the larger: by name if all are named and found in
/// order. A name that stands more often in the larger could be either of its axes.
constexpr ShapeAlignment alignment(Shape const& small, Shape const& large) {
  int next = 0;
  bool ambiguous = false;
  for (Axis const& axis : small) {
    if (!axis.is_named()) return ShapeAlignment::by_position;
    ambiguous = ambiguous || count_of(large, axis.name) > count_of(small, axis.name);
    while (next < large.rank && !(large[next].name == axis.name)) ++next;
    if (next++ == large.rank) return ShapeAlignment::by_position;
  }
  return ambiguous ? ShapeAlignment::ambiguous : ShapeAlignment::by_name;
}

/// For each axis of the larger shape the axis of the smaller that stands there, or -1.
constexpr AxisMap aligned(Shape const& small, Shape const& large, ShapeAlignment how) {
  AxisMap map = no_axes();
  int next = 0;
  for (int i = 0; i < large.rank && next < small.rank; ++i) {
    bool const here = how == ShapeAlignment::by_name ? large[i].name == small[next].name
                                                     : i == large.rank - small.rank + next;
    if (here) map[static_cast<std::size_t>(i)] = static_cast<std::int8_t>(next++);
  }
  return map;
}

/// One axis made of two aligned ones, and which of them it keeps.
struct Joined {
  Axis axis{};
  bool keeps_left = true;
  bool keeps_right = true;
  bool fits = true;
};

/// Static size 1 comes first: it stretches to the other side, whose axis the result takes.
constexpr Joined joined(Axis const& a, Axis const& b) {
  if (a.is_one() && b.is_one()) return {names_agree(a, b) ? merge(a, b) : axis_of_size(1)};
  if (a.is_one()) return {b, false, true};
  if (b.is_one()) return {a, true, false};
  return agree(a, b) ? Joined{merge(a, b)} : Joined{Axis{}, false, false, false};
}

/// Two shapes made one: the result, where their axes went, or the axes that do not fit (-1 where
/// it is no pair of axes but the whole).
struct Pairing {
  bool fits = false;
  Shape shape{};
  AxisMap large = no_axes();
  AxisMap small = no_axes();
  int large_axis = -1;
  int small_axis = -1;
};

constexpr Pairing paired(Shape const& large, Shape const& small) {
  ShapeAlignment const how = alignment(small, large);
  AxisMap const partners = aligned(small, large, how);
  Pairing result{};
  if (how == ShapeAlignment::ambiguous) return result;
  for (int i = 0; i < large.rank; ++i) {
    int const partner = partners[static_cast<std::size_t>(i)];
    Joined const pair = partner < 0 ? Joined{large[i]} : joined(large[i], small[partner]);
    if (!pair.fits) return result.large_axis = i, result.small_axis = partner, result;
    auto const to = static_cast<std::int8_t>(i);
    if (pair.keeps_left) result.large[static_cast<std::size_t>(i)] = to;
    if (partner >= 0 && pair.keeps_right) result.small[static_cast<std::size_t>(partner)] = to;
    result.shape[result.shape.rank++] = pair.axis;
  }
  Settled const settled = settle(result.shape);
  result.fits = settled.mistake.empty();
  result.shape = settled.shape;
  return result;
}

}  // namespace tenon

// ---- tenon/core/broadcast.hpp

#include <utility>

namespace tenon {

/// The shape of an elementwise operation on N operands and where their axes went, or the pair of
/// operands that does not fit and their axes (-1: no single axis, but how they are aligned).
template <std::size_t N>
struct Broadcast {
  bool fits = true;
  Shape shape{};
  std::array<AxisMap, N> maps{};
  int left = 0;
  int right = 0;
  int left_axis = -1;
  int right_axis = -1;
};

/// The operands by falling rank: a larger shape says where the axes of the smaller ones stand,
/// wherever it is written.
template <std::size_t N>
constexpr std::array<std::size_t, N> by_rank(std::array<Shape const*, N> const& shapes) {
  std::array<std::size_t, N> order{};
  std::size_t n = 0;
  for (int rank = max_rank; rank >= 0; --rank) {
    for (std::size_t i = 0; i < N; ++i) {
      if (shapes[i]->rank == rank) order[n++] = i;
    }
  }
  return order;
}

/// A map followed by a map.
constexpr AxisMap followed(AxisMap const& first, AxisMap const& second) {
  AxisMap result = no_axes();
  for (std::size_t i = 0; i < max_rank; ++i) {
    if (first[i] >= 0) result[i] = second[static_cast<std::size_t>(first[i])];
  }
  return result;
}

constexpr int position_of(AxisMap const& map, int axis) {
  for (int i = 0; i < max_rank; ++i) {
    if (axis >= 0 && map[static_cast<std::size_t>(i)] == axis) return i;
  }
  return -1;
}

/// Says that operand `right` does not fit with one of those before it, in the order written.
template <std::size_t N>
constexpr Broadcast<N> refused(Broadcast<N> const& before, Pairing const& pair,
                               std::array<std::size_t, N> const& order, std::size_t step) {
  Broadcast<N> result = before;
  result.fits = false;
  std::size_t left = order[0];
  for (std::size_t i = 0; i < step; ++i) {
    if (position_of(before.maps[order[i]], pair.large_axis) >= 0) left = order[i];
  }
  result.left = static_cast<int>(left);
  result.right = static_cast<int>(order[step]);
  result.left_axis = position_of(before.maps[left], pair.large_axis);
  result.right_axis = pair.small_axis;
  if (result.left > result.right) {
    std::swap(result.left, result.right);
    std::swap(result.left_axis, result.right_axis);
  }
  return result;
}

template <std::size_t N>
constexpr Broadcast<N> broadcast_all(std::array<Shape const*, N> const& shapes) {
  std::array<std::size_t, N> const order = by_rank(shapes);
  Broadcast<N> result{};
  result.shape = *shapes[order[0]];
  for (auto& map : result.maps) map = no_axes();
  for (int i = 0; i < result.shape.rank; ++i) {
    result.maps[order[0]][static_cast<std::size_t>(i)] = static_cast<std::int8_t>(i);
  }
  for (std::size_t step = 1; step < N; ++step) {
    Pairing const pair = paired(result.shape, *shapes[order[step]]);
    if (!pair.fits) return refused(result, pair, order, step);
    result.shape = pair.shape;
    for (std::size_t i = 0; i < step; ++i) {
      result.maps[order[i]] = followed(result.maps[order[i]], pair.large);
    }
    result.maps[order[step]] = pair.small;
  }
  return result;
}

/// Aligns the shapes of an elementwise operation: by name where every axis of the smaller is named
/// and found in order in the larger, else by position from the right.
template <class... S>
  requires(sizeof...(S) > 0)
constexpr Broadcast<sizeof...(S)> broadcast(S const&... shapes) {
  return broadcast_all(std::array<Shape const*, sizeof...(S)>{&shapes...});
}

}  // namespace tenon

// ---- tenon/expr/packed.hpp

namespace tenon {

// Sets and orders of axes as template arguments are packed into numbers: g++ 12 takes two arrays of
// class type for equal when they differ only in where their zeros stand.

/// A set of axes, one bit each.
using AxisBits = unsigned;

constexpr bool has_axis(AxisBits set, int axis) { return ((set >> axis) & 1u) != 0; }

constexpr int count_axes(AxisBits set) {
  int number = 0;
  for (int i = 0; i < max_rank; ++i) number += has_axis(set, i) ? 1 : 0;
  return number;
}

/// An `AxisMap`, a byte each: the axis plus one.
using PackedMap = std::uint64_t;

constexpr PackedMap packed(AxisMap const& map) {
  PackedMap result = 0;
  for (std::size_t i = 0; i < map.size(); ++i)
    result |= static_cast<PackedMap>(map[i] + 1) << (8 * i);
  return result;
}

constexpr AxisMap unpacked(PackedMap map) {
  AxisMap result{};
  for (std::size_t i = 0; i < result.size(); ++i)
    result[i] = static_cast<std::int8_t>(static_cast<int>((map >> (8 * i)) & 255u) - 1);
  return result;
}

}  // namespace tenon

// ---- tenon/core/config.hpp

/// The version as a number: 1.2.3 is 10203.
#define TENON_VERSION 100

#if __cplusplus < 202002L
#error "tenon: C++20 is needed (-std=c++20)"
#endif

#if defined(__FAST_MATH__)
#error "tenon: -ffast-math would break NaN, infinity and equal bits on every run; remove it"
#endif

// ---- tenon/core/error.hpp

#include <string>

namespace tenon {

/// What every exception of the library derives from.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A size at run time that its axis does not allow.
struct ShapeError : Error {
  using Error::Error;
};

/// An index or a label outside its axis.
struct IndexError : Error {
  using Error::Error;
};

/// A value that its argument does not allow.
struct ValueError : Error {
  using Error::Error;
};

/// A file or a stream that cannot be read or written, or holds something else.
struct FileError : Error {
  using Error::Error;
};

/// What a message says; an empty part is left out.
struct ErrorReport {
  std::string_view who{};
  std::string_view what{};
  std::string_view expected{};
  std::string_view got{};
  std::string_view where{};
};

/// The one form of messages: `tenon::who: 'what': expected X, got Y (where)`.
inline std::string message(ErrorReport const& report) {
  auto const part = [](std::string_view before, std::string_view text, std::string_view after) {
    if (text.empty()) return std::string();
    return std::string(before).append(text).append(after);
  };
  return part("tenon::", report.who, ": ") + part("'", report.what, "': ") +
         part("expected ", report.expected, report.got.empty() ? "" : ", ") +
         part("got ", report.got, "") + part(" (", report.where, ")");
}

/// Throws an exception of type `Exception` that says what the report says.
template <class Exception = Error>
[[noreturn]] void fail(ErrorReport const& report) {
  throw Exception(message(report));
}

}  // namespace tenon

// ---- tenon/tensor/index.hpp

namespace tenon {

/// Position of an element, one entry for each axis; entries past the rank are 0.
using ElementIndex = std::array<std::int64_t, max_rank>;

constexpr std::int64_t at(Sizes const& sizes, int axis) {
  return sizes[static_cast<std::size_t>(axis)];
}

constexpr std::int64_t& at(Sizes& sizes, int axis) { return sizes[static_cast<std::size_t>(axis)]; }

/// Number of elements of `rank` axes.
constexpr std::int64_t count(Sizes const& sizes, int rank) {
  std::int64_t product = 1;
  for (int i = 0; i < rank; ++i) product *= at(sizes, i);
  return product;
}

/// Strides, in elements, of a row-major tensor.
constexpr Sizes row_major(Sizes const& sizes, int rank) {
  Sizes strides{};
  std::int64_t step = 1;
  for (int i = rank - 1; i >= 0; --i) {
    at(strides, i) = step;
    step *= at(sizes, i);
  }
  return strides;
}

constexpr std::int64_t offset(Sizes const& strides, ElementIndex const& index, int rank) {
  std::int64_t sum = 0;
  for (int i = 0; i < rank; ++i) sum += at(strides, i) * at(index, i);
  return sum;
}

/// Steps to the next position in row-major order; false after the last.
constexpr bool next(ElementIndex& index, Sizes const& sizes, int rank) {
  for (int i = rank - 1; i >= 0; --i) {
    if (++at(index, i) < at(sizes, i)) return true;
    at(index, i) = 0;
  }
  return false;
}

/// The position of the `linear`-th element in row-major order.
constexpr ElementIndex unravel(std::int64_t linear, Sizes const& sizes, int rank) {
  ElementIndex index{};
  for (int i = rank - 1; i >= 0; --i) {
    at(index, i) = linear % at(sizes, i);
    linear /= at(sizes, i);
  }
  return index;
}

}  // namespace tenon

// ---- tenon/eval/access.hpp

namespace tenon {

/// One occurrence of memory in a kernel: where its elements lie, seen from the axes of the kernel.
/// All counts are in elements.
struct MemoryAccess {
  std::byte const* data = nullptr;
  std::byte* gradient = nullptr;  ///< Where the adjoint is added; null where nobody wants it.
  std::int64_t count = 0;         ///< Elements behind `gradient`.
  std::int64_t element_bytes = 1;
  Sizes stride{};                ///< Along the outer axes.
  Sizes row{};                   ///< Along the axes of its row.
  Sizes depth{};                 ///< Along the folded axes of a fold over columns.
  bool shares_gradient = false;  ///< Several rows may add to one element.
  std::int64_t start = 0;        ///< Of the tensor's first element.
  std::int64_t at = 0;           ///< Of the current row.
  std::int64_t now = 0;          ///< Of the current innermost run of the row.
  std::int64_t inner = 1;        ///< The step of a run.
  void (*add)(std::byte* to, std::byte const* from, std::int64_t count) = nullptr;
  MemoryAccess* next = nullptr;  ///< In a list of accesses.

  /// The same elements, whose adjoints go to the same place: two leaves of a tree may share their
  /// memory, and a recorded tensor may share it with a constant.
  bool same(MemoryAccess const& other) const {
    return data == other.data && gradient == other.gradient && start == other.start &&
           stride == other.stride && row == other.row && depth == other.depth;
  }

  /// From the axes of an operand to those of its user: axis `map[i]` is the operand's axis i.
  void lift(AxisMap const& map, int rank) {
    Sizes lifted{};
    for (int i = 0; i < rank; ++i) {
      int const axis = map[static_cast<std::size_t>(i)];
      if (axis >= 0) tenon::at(lifted, axis) += tenon::at(stride, i);
    }
    stride = lifted;
  }

  /// From the axes of an operand to those of a move of it: axis k is the operand's `order[k]`.
  void move(AxisMap const& order, int rank, int operand_rank, ElementIndex const& from) {
    start += offset(stride, from, operand_rank);
    Sizes moved{};
    for (int k = 0; k < rank; ++k) {
      int const axis = order[static_cast<std::size_t>(k)];
      if (axis >= 0) tenon::at(moved, k) = tenon::at(stride, axis);
    }
    stride = moved;
  }

  /// The axes `folded` become the depth of a fold over columns; the others move together, or stay
  /// in place where the fold keeps its axes.
  void enter_columns(AxisBits folded, int rank, bool keeps) {
    Sizes kept{};
    for (int i = 0, to = 0, down = 0; i < rank; ++i) {
      bool const folds = has_axis(folded, i);
      if (folds) tenon::at(depth, down++) = tenon::at(stride, i);
      else tenon::at(kept, to) = tenon::at(stride, i);
      to += folds && !keeps ? 0 : 1;
    }
    stride = kept;
  }

  /// The last `row_rank` of `rank` axes become axes of the row.
  void enter_row(int rank, int row_rank) {
    for (int i = 0; i < row_rank; ++i) {
      std::int64_t& step = tenon::at(stride, rank - row_rank + i);
      tenon::at(row, i) += step;
      step = 0;
    }
  }
};

/// A list through accesses that stay where they are: what is done to all of them needs no template.
/// The list that was made last through an access is the one that holds.
class Accesses {
 public:
  void add(MemoryAccess& access) {
    access.next = first_;
    first_ = &access;
  }
  template <class F>
  void each(F const& f) const {
    for (MemoryAccess* access = first_; access != nullptr; access = access->next) f(*access);
  }
  template <class F>
  bool all(F const& f) const {
    for (MemoryAccess* access = first_; access != nullptr; access = access->next) {
      if (!f(*access)) return false;
    }
    return true;
  }

 private:
  MemoryAccess* first_ = nullptr;
};

/// Every access of a frame.
template <class Frame>
Accesses accesses_of(Frame& frame) {
  Accesses list;
  frame.visit([&](MemoryAccess& access) { list.add(access); });
  return list;
}

/// Those that walk along the row of a frame.
template <class Frame>
Accesses walking_accesses_of(Frame& frame) {
  Accesses list;
  frame.step([&](MemoryAccess& access) { list.add(access); });
  return list;
}

}  // namespace tenon

// ---- tenon/tensor/mark.hpp

namespace tenon {

/// Where a value stands on a tape. The mark of another tape, and 0, count as a constant.
struct TapeMark {
  std::uint32_t tape = 0;  ///< Serial number of the tape; 0 is no tape.
  std::uint32_t slot = 0;

  friend constexpr bool operator==(TapeMark const&, TapeMark const&) = default;
};

/// The serial number of the tape that this thread records on; 0 where it records nothing.
inline thread_local std::uint32_t recording = 0;

/// The serial number of the tape around it, where the innermost recording is a graph.
inline thread_local std::uint32_t recording_around = 0;

/// Is the recording around paused?
inline thread_local bool recording_paused = false;

/// Is the value that bears this mark recorded on this thread?
constexpr bool is_recorded(TapeMark mark) {
  if (mark.tape == 0) return false;
  return mark.tape == recording || mark.tape == recording_around;
}

}  // namespace tenon

// ---- tenon/tensor/poison.hpp

#if __has_include(<sanitizer/asan_interface.h>)
#include <sanitizer/asan_interface.h>
#endif

namespace tenon {

// Memory that waits in a cache is out of bounds for everyone; only AddressSanitizer can enforce it.
// Its own macros are nothing where it is off.
#if defined(ASAN_POISON_MEMORY_REGION)
inline void poison([[maybe_unused]] void* data, [[maybe_unused]] std::size_t bytes) {
  ASAN_POISON_MEMORY_REGION(data, bytes);
}
inline void unpoison([[maybe_unused]] void* data, [[maybe_unused]] std::size_t bytes) {
  ASAN_UNPOISON_MEMORY_REGION(data, bytes);
}
#else
inline void poison(void*, std::size_t) {}
inline void unpoison(void*, std::size_t) {}
#endif

}  // namespace tenon

// ---- tenon/tensor/block.hpp

#include <atomic>
#include <mutex>
#include <new>

namespace tenon {

/// The header of a reference-counted piece of memory. One cache line, so that the data which
/// follow it in a cached block begin at the next.
struct alignas(64) MemoryBlock {
  std::atomic<std::int64_t> owners{1};
  void* data = nullptr;
  std::size_t bytes = 0;                    ///< As asked for.
  void (*release)(MemoryBlock*) = nullptr;  ///< Ends the life of the block and of its data.
  void* base = nullptr;         ///< Where the system's allocation begins (cached blocks).
  std::size_t capacity = 0;     ///< Bytes there are (cached blocks).
  MemoryBlock* next = nullptr;  ///< In a free list (cached blocks).
};

/// Bytes of data start at a multiple of this.
inline constexpr std::size_t block_alignment = 64;

/// Four sizes for every power of two: at most a quarter is wasted, and sequences of nearly equal
/// length share their blocks.
struct SizeClass {
  std::size_t capacity;
  std::size_t index;

  static constexpr std::size_t count = 256;

  static constexpr SizeClass of(std::size_t bytes) {
    std::size_t const wanted = bytes < block_alignment ? block_alignment : bytes;
    auto const power = static_cast<std::size_t>(std::bit_width(wanted - 1));
    std::size_t const quarter = std::size_t{1} << (power - 3);
    std::size_t const step = quarter < block_alignment ? block_alignment : quarter;
    std::size_t const capacity = (wanted + step - 1) / step * step;
    return {capacity, power * 4 + capacity / quarter - 5};
  }
};

/// Blocks that are not in use, kept for the next who asks for their size. Thread-safe.
class BlockCache {
 public:
  struct Counts {
    std::int64_t system_allocations = 0;  ///< Times the system was asked for memory.
    std::int64_t bytes_in_use = 0;        ///< Capacity of the blocks that have an owner.
    std::int64_t bytes_cached = 0;        ///< Capacity of the blocks that wait for one.
  };

  /// Never destroyed: a tensor in static storage may give its block back at any time.
  static BlockCache& instance() {
    static BlockCache& cache = *new BlockCache;
    return cache;
  }

  /// A block of at least this many bytes with one owner; its elements are undetermined.
  MemoryBlock* take(std::size_t bytes) {
    if (bytes > largest) refuse(bytes);
    SizeClass const size = SizeClass::of(bytes);
    MemoryBlock* block = reuse(size);
    if (!block) block = from_system(size, bytes);
    block->bytes = bytes;
    block->owners.store(1, std::memory_order_relaxed);
    unpoison(block->data, bytes);
    return block;
  }

  void give_back(MemoryBlock* block) {
    poison(block->data, block->capacity);
    std::lock_guard const lock(mutex_);
    MemoryBlock*& list = free_[SizeClass::of(block->capacity).index];
    block->next = list;
    list = block;
    count(-block->capacity, block->capacity);
  }

  /// Hands every waiting block to the system.
  void clear() {
    std::lock_guard const lock(mutex_);
    for (MemoryBlock*& list : free_) {
      while (MemoryBlock* block = list) {
        list = block->next;
        count(0, -block->capacity);
        to_system(block);
      }
    }
  }

  Counts counts() {
    std::lock_guard const lock(mutex_);
    return counts_;
  }

 private:
  static constexpr std::size_t largest = std::size_t{1} << 48;
  static constexpr std::size_t page = 4096;

  /// Large blocks of the system all begin at the same place of a page, and a load from one then
  /// waits for a store to another (4 KB aliasing): they are shifted by different multiples of seven
  /// cache lines.
  std::size_t shift(std::size_t capacity) {
    constexpr std::size_t shifts = 8;
    return capacity < page ? 0 : shifted_++ % shifts * 7 * block_alignment;
  }

  MemoryBlock* reuse(SizeClass size) {
    std::lock_guard const lock(mutex_);
    MemoryBlock* const block = free_[size.index];
    if (!block) return nullptr;
    free_[size.index] = block->next;
    count(block->capacity, -block->capacity);
    return block;
  }

  MemoryBlock* from_system(SizeClass size, std::size_t asked) {
    std::size_t const room = size.capacity < page ? 0 : page;
    std::size_t const bytes = sizeof(MemoryBlock) + room + size.capacity;
    void* base = ask_system(bytes);
    if (!base) clear(), base = ask_system(bytes);
    if (!base) refuse(asked);
    std::lock_guard const lock(mutex_);
    auto* const place = static_cast<std::byte*>(base) + shift(size.capacity);
    MemoryBlock* const block = ::new (place) MemoryBlock;
    block->base = base;
    block->data = place + sizeof(MemoryBlock);
    block->capacity = size.capacity;
    block->release = [](MemoryBlock* released) { instance().give_back(released); };
    poison(block->data, size.capacity);
    ++counts_.system_allocations;
    count(size.capacity, 0);
    return block;
  }

  static void* ask_system(std::size_t bytes) {
    return ::operator new(bytes, std::align_val_t{block_alignment}, std::nothrow);
  }

  static void to_system(MemoryBlock* block) {
    void* const base = block->base;
    unpoison(block->data, block->capacity);
    block->~MemoryBlock();
    ::operator delete(base, std::align_val_t{block_alignment});
  }

  [[noreturn]] static void refuse(std::size_t bytes) {
    std::string const wanted = std::to_string(bytes) + " bytes";
    fail({.who = "memory", .expected = wanted, .got = "none from the system"});
  }

  /// Changes of the bytes in use and waiting; unsigned arithmetic carries the sign.
  void count(std::size_t in_use, std::size_t cached) {
    counts_.bytes_in_use += static_cast<std::int64_t>(in_use);
    counts_.bytes_cached += static_cast<std::int64_t>(cached);
  }

  std::mutex mutex_;
  std::array<MemoryBlock*, SizeClass::count> free_{};
  std::size_t shifted_ = 0;
  Counts counts_;
};

}  // namespace tenon

// ---- tenon/tensor/memory.hpp

#include <span>

namespace tenon {

/// A handle to shared memory: 64-byte aligned, uninitialised, reference-counted. Copying shares;
/// whoever wants to write asks `unique` first. A null handle (default-constructed) may live in a
/// constant expression. Thread-safe as `std::shared_ptr` is.
class SharedBuffer {
 public:
  constexpr SharedBuffer() = default;

  /// Throws `Error` where memory cannot be had. Zero bytes are a buffer like any other.
  explicit SharedBuffer(std::size_t bytes) : block_(BlockCache::instance().take(bytes)) {}

  /// Takes over memory that is not ours: `owner` is kept until the last handle is gone, and its
  /// destructor gives the memory back (a `std::shared_ptr`, a `std::vector`, a lambda's captures).
  template <class Owner>
  static SharedBuffer adopt(void* data, std::size_t bytes, Owner owner);

  constexpr SharedBuffer(SharedBuffer const& other) : block_(other.block_) {
    if (block_) share();
  }
  constexpr SharedBuffer(SharedBuffer&& other) noexcept
      : block_(std::exchange(other.block_, nullptr)) {}
  constexpr SharedBuffer& operator=(SharedBuffer other) noexcept {
    std::swap(block_, other.block_);
    return *this;
  }
  constexpr ~SharedBuffer() {
    if (block_) drop();
  }

  constexpr explicit operator bool() const { return block_ != nullptr; }
  constexpr void* data() const { return block_ ? block_->data : nullptr; }
  constexpr std::size_t bytes() const { return block_ ? block_->bytes : 0; }

  template <class T>
  T* as() const {
    return static_cast<T*>(data());
  }

  /// Is this the only handle? Acquires, so that writing after a `true` races with no former owner.
  constexpr bool unique() const {
    return !block_ || block_->owners.load(std::memory_order_acquire) == 1;
  }

  /// The same memory, not merely equal contents.
  friend constexpr bool operator==(SharedBuffer const& a, SharedBuffer const& b) {
    return a.block_ == b.block_;
  }

 private:
  explicit SharedBuffer(MemoryBlock* block) : block_(block) {}

  void share() const { block_->owners.fetch_add(1, std::memory_order_relaxed); }
  void drop() const {
    if (block_->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) block_->release(block_);
  }

  MemoryBlock* block_ = nullptr;
};

template <class Owner>
SharedBuffer SharedBuffer::adopt(void* data, std::size_t bytes, Owner owner) {
  struct Adopted : MemoryBlock {
    explicit Adopted(Owner&& kept) : owner(std::move(kept)) {}
    Owner owner;
  };
  auto* const block = new Adopted(std::move(owner));
  block->data = data;
  block->bytes = bytes;
  block->release = [](MemoryBlock* released) { delete static_cast<Adopted*>(released); };
  return SharedBuffer(static_cast<MemoryBlock*>(block));
}

namespace memory {

/// Times the system was asked for memory since the start of the program.
inline std::int64_t system_allocations() {
  return BlockCache::instance().counts().system_allocations;
}

/// Bytes in the buffers that are alive, each rounded up to its size class. Adopted memory is not
/// counted.
inline std::int64_t bytes_in_use() { return BlockCache::instance().counts().bytes_in_use; }

/// Bytes that wait to be used again.
inline std::int64_t bytes_cached() { return BlockCache::instance().counts().bytes_cached; }

/// Gives the waiting blocks back to the system.
inline void release() { BlockCache::instance().clear(); }

/// Throws `ShapeError` for a negative size.
inline void check_not_negative(std::int64_t size) {
  if (size >= 0) return;
  std::string const got = std::to_string(size);
  fail<ShapeError>({.who = "memory", .expected = "a size of at least 0", .got = got});
}

/// The bytes of `sizes` elements of `element` bytes. Throws `ShapeError` for a negative size or a
/// number of bytes that does not fit.
inline std::size_t bytes_of(std::span<std::int64_t const> sizes, std::size_t element) {
  constexpr auto most = static_cast<std::size_t>(std::numeric_limits<std::int64_t>::max());
  std::size_t bytes = element;
  bool empty = false, fits = true;
  for (std::int64_t const size : sizes) {
    check_not_negative(size);
    empty = empty || size == 0;
    fits = fits && (size == 0 || bytes <= most / static_cast<std::size_t>(size));
    if (fits && size > 0) bytes *= static_cast<std::size_t>(size);
  }
  if (empty) return 0;
  if (!fits) fail<ShapeError>({.who = "memory", .expected = "less than 2^63 bytes", .got = "more"});
  return bytes;
}

}  // namespace memory

}  // namespace tenon

// ---- tenon/eval/tape.hpp

#include <algorithm>
#include <cstring>
#include <vector>

namespace tenon {

/// What one thread records while `value_and_grad` runs: every materialised value, with the recipe
/// that made it. It is there only inside; there is no other mode.
class Tape {
 public:
  Tape() : serial_(enter()), outer_(std::exchange(recording, serial_)), outer_tape_(current_) {
    current_ = this;
    slots_.swap(spare_slots_);
    entries_.swap(spare_entries_);
  }
  Tape(Tape const&) = delete;
  Tape& operator=(Tape const&) = delete;
  ~Tape() {
    stop();
    clear();
    slots_.swap(spare_slots_);
    entries_.swap(spare_entries_);
  }

  /// The tape of this thread; null where nothing is recorded.
  static Tape* current() { return recording == 0 ? nullptr : current_; }

  /// Ends the recording; what was recorded can still be walked backward.
  void stop() {
    if (recording != serial_) return;
    leave(serial_);
    recording = outer_;
    current_ = outer_tape_;
  }

  /// The serial number of a new recording, and its end.
  static std::uint32_t enter() {
    std::uint32_t const serial = next_serial();
    live().enter(serial);
    return serial;
  }
  static void leave(std::uint32_t serial) { live().leave(serial); }

  /// Throws `Error` if `mark` belongs to a recording that is going on elsewhere: in another thread,
  /// or around this one. Its gradient would be lost without a word.
  static void check(TapeMark mark) {
    if (mark.tape == 0 || is_recorded(mark) || !live().has(mark.tape)) return;
    throw Error("tenon::value_and_grad: a recorded tensor is used outside of its recording: " +
                std::string(recording != 0     ? "in a recording inside"
                            : recording_paused ? "captured by a custom_vjp or a checkpoint: "
                                                 "pass it as an argument"
                                               : "in another thread"));
  }

  /// The same for a value that is about to be recorded anew.
  static void check_outer(TapeMark mark) {
    if (mark.tape != 0 && live().has(mark.tape)) {
      throw Error(
          "tenon::value_and_grad: its argument is recorded already: a gradient of a "
          "gradient is not supported yet");
    }
  }

  /// A place for a value: a leaf, or the result of an entry.
  TapeMark new_slot() {
    slots_.emplace_back();
    return {serial_, static_cast<std::uint32_t>(slots_.size() - 1)};
  }

  /// Keeps `step`, whose call operator adds the adjoint of `result` to those of its operands.
  template <class Step>
  void record(TapeMark result, Step step) {
    SharedBuffer memory(sizeof(Step));
    new (memory.data()) Step(std::move(step));
    entries_.push_back({result, std::move(memory),
                        [](void* kept, Tape& tape, std::byte const* adjoint) {
                          (*static_cast<Step*>(kept))(tape, adjoint);
                        },
                        [](void* kept) { static_cast<Step*>(kept)->~Step(); }});
  }

  /// Keeps a step with several results: it looks for their adjoints itself.
  template <class Step>
  void record_joint(Step step) {
    record({}, std::move(step));
  }

  /// Has anything passed an adjoint to this value?
  bool has_gradient(TapeMark mark) const {
    return mark.tape == serial_ && static_cast<bool>(slots_[mark.slot]);
  }

  /// Where the adjoint of a value is added up, zeros at first; null for a constant.
  std::byte* gradient_of(TapeMark mark, std::int64_t count, std::size_t element_bytes) {
    if (mark.tape != serial_) return nullptr;
    SharedBuffer& gradient = slots_[mark.slot];
    if (!gradient) {
      gradient = SharedBuffer(static_cast<std::size_t>(count) * element_bytes);
      if (count > 0) std::memset(gradient.data(), 0, gradient.bytes());
    }
    return gradient.as<std::byte>();
  }

  /// The adjoint of a value as a buffer; null where nothing depends on it.
  SharedBuffer take_gradient(TapeMark mark) { return std::move(slots_[mark.slot]); }

  /// Runs the entries in reverse. The adjoint of an inner value is freed once it was passed on.
  void backward() {
    stop();
    for (auto entry = entries_.rbegin(); entry != entries_.rend(); ++entry) {
      bool const joint = entry->result == TapeMark{};
      SharedBuffer const adjoint = joint ? SharedBuffer() : take_gradient(entry->result);
      if (joint || adjoint) entry->pull(entry->memory.data(), *this, adjoint.as<std::byte>());
      entry->release(entry->memory.data());
      entry->memory = SharedBuffer();
    }
    entries_.clear();
  }

 private:
  /// The serial numbers of all recordings that are going on, of any thread.
  class Live {
   public:
    void enter(std::uint32_t serial) {
      std::scoped_lock const lock(mutex_);
      serials_.push_back(serial);
    }
    void leave(std::uint32_t serial) {
      std::scoped_lock const lock(mutex_);
      std::erase(serials_, serial);
    }
    bool has(std::uint32_t serial) {
      std::scoped_lock const lock(mutex_);
      return std::find(serials_.begin(), serials_.end(), serial) != serials_.end();
    }

   private:
    std::mutex mutex_;
    std::vector<std::uint32_t> serials_;
  };
  static Live& live() {
    static Live serials;
    return serials;
  }

  struct Entry {
    TapeMark result;
    SharedBuffer memory;
    void (*pull)(void*, Tape&, std::byte const*);
    void (*release)(void*);
  };

  void clear() {
    for (Entry& entry : entries_) {
      if (entry.memory) entry.release(entry.memory.data());
    }
    entries_.clear();
    slots_.clear();
  }

  static std::uint32_t next_serial() {
    static std::atomic<std::uint32_t> last{0};
    return ++last;
  }

  // The vectors of the last tape, so that the next one allocates nothing.
  static inline thread_local std::vector<SharedBuffer> spare_slots_;
  static inline thread_local std::vector<Entry> spare_entries_;
  static inline thread_local Tape* current_ = nullptr;

  std::uint32_t serial_;
  std::uint32_t outer_;
  Tape* outer_tape_;
  std::vector<SharedBuffer> slots_;
  std::vector<Entry> entries_;
};

}  // namespace tenon

// ---- tenon/core/labels.hpp

namespace tenon {

/// The most labels a product of two operands can have.
inline constexpr int max_labels = 2 * max_rank;

using LabelExtents = std::array<std::int64_t, max_labels>;

/// A product of two tensors, or the sum of one, as an einsum over labels.
///
/// Every axis of `left`, `right` and `out` carries a label; equal labels are the same extent. A
/// label that is not in `out` is summed over. -1 is an axis of static size 1 that stretches, or a
/// place past the rank. A label that stands twice in one operand walks its diagonal.
struct Contraction {
  bool fits = false;
  Shape shape{};  ///< Of the result.
  AxisMap left = no_axes();
  AxisMap right = no_axes();
  AxisMap out = no_axes();
  int labels = 0;
  int left_axis = -1;                ///< Where it does not fit: the axis of the left operand,
  int right_axis = -1;               ///< and of the right; -1 where none is to blame.
  FixedText mistake{};               ///< Where it does not fit: what is wrong, as a sentence.
  LabelExtents extents = unknown();  ///< The static size of each label, or `dynamic`.

  static constexpr LabelExtents unknown() {
    LabelExtents result{};
    for (std::int64_t& extent : result) extent = dynamic;
    return result;
  }
};

constexpr Contraction misfit(int left_axis, int right_axis, FixedText const& mistake) {
  Contraction result;
  result.left_axis = left_axis;
  result.right_axis = right_axis;
  result.mistake = mistake;
  return result;
}

}  // namespace tenon

// ---- tenon/core/pattern.hpp

#include <initializer_list>

namespace tenon {

/// Joins the parts to one text; what does not fit into it is cut off.
constexpr FixedText sentence(std::initializer_list<std::string_view> parts) {
  FixedText result;
  for (std::string_view part : parts) {
    result.append(part.substr(0, FixedText::capacity - result.length));
  }
  return result;
}

/// What stands at one place of a pattern such as `b t (h=8 d) -> b h t d`.
enum class PatternMark { word, ellipsis, open, close, comma, arrow, end };

struct PatternWord {
  PatternMark mark = PatternMark::end;
  std::string_view text{};
  SpecToken token{};  ///< Of a word: its name and size.
};

/// Why a word cannot stand in the pattern of an operation; empty where it can.
constexpr FixedText pattern_mistake(SpecToken const& token) {
  if (!token.mistake.empty()) return sentence({token.word, ": ", token.mistake});
  if (token.has_modifier()) return sentence({token.word, ": no modifier in this pattern"});
  if (token.has_bounds()) return sentence({token.word, ": no bounds in this pattern"});
  if (token.kind == TokenKind::expression) return sentence({token.word, ": write a name"});
  return {};
}

/// What is wrong where `expected` should stand. Mistakes have no quotes, which compilers print
/// escaped, and are short: clang cuts what is longer than 36 characters.
constexpr FixedText missing(std::string_view expected, PatternWord const& got) {
  if (got.mark == PatternMark::end) return sentence({expected, " is missing"});
  return sentence({expected, " is missing before ", got.text});
}

/// Reads a pattern mark by mark; every text is a view into the pattern.
class PatternReader {
 public:
  constexpr explicit PatternReader(std::string_view pattern) : rest_(pattern) {}

  constexpr PatternWord next() {
    while (!rest_.empty() && is_space(rest_[0])) rest_.remove_prefix(1);
    if (rest_.empty()) return {};
    if (rest_.starts_with("...")) return take(PatternMark::ellipsis, 3);
    if (rest_.starts_with("->")) return take(PatternMark::arrow, 2);
    switch (rest_[0]) {
      case '(':
        return take(PatternMark::open, 1);
      case ')':
        return take(PatternMark::close, 1);
      case ',':
        return take(PatternMark::comma, 1);
      default:
        return word();
    }
  }

 private:
  constexpr PatternWord take(PatternMark mark, std::size_t length) {
    PatternWord const result{mark, rest_.substr(0, length), {}};
    rest_.remove_prefix(length);
    return result;
  }

  constexpr PatternWord word() {
    std::size_t length = 1;
    while (length < rest_.size() && !ends_word(rest_.substr(length))) ++length;
    std::string_view const text = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return {PatternMark::word, text, token_of(text)};
  }

  static constexpr bool ends_word(std::string_view rest) {
    return is_space(rest[0]) || rest[0] == '(' || rest[0] == ')' || rest[0] == ',' ||
           rest.starts_with("->");
  }

  std::string_view rest_;
};

}  // namespace tenon

// ---- tenon/core/einsum.hpp

namespace tenon {

/// An einsum while its pattern is read: the word and the axis of each label.
struct EinsumReader {
  Contraction product{};
  std::array<std::string_view, max_labels> words{};
  std::array<Axis, max_labels> axes{};
  PatternReader rest;
  PatternWord next{};  ///< The first mark that is not yet taken.

  constexpr explicit EinsumReader(std::string_view pattern) : rest(pattern) { advance(); }

  constexpr void advance() { next = rest.next(); }

  constexpr bool refuse(FixedText const& mistake, int left_axis = -1, int right_axis = -1) {
    product = misfit(left_axis, right_axis, mistake);
    return false;
  }

  constexpr int find(std::string_view word) const {
    for (int i = 0; i < product.labels; ++i) {
      if (words[static_cast<std::size_t>(i)] == word) return i;
    }
    return -1;
  }

  constexpr std::size_t label(std::string_view word) {
    int const known = find(word);
    if (known >= 0) return static_cast<std::size_t>(known);
    auto const added = static_cast<std::size_t>(product.labels++);
    words[added] = word;
    return added;
  }

  /// Gives one axis of an operand the label of the next word.
  constexpr bool read_axis(Axis const& axis, AxisMap& labels, int position) {
    SpecToken const& token = next.token;
    bool const is_left = &labels == &product.left;
    int const left_axis = is_left ? position : -1;
    int const right_axis = is_left ? -1 : position;
    std::size_t const at = label(token.name);
    Axis const sized = Axis{.size = token.size};
    if (!agree(axes[at], sized) || !agree(axis, sized)) {
      return refuse(sentence({token.word, " is another size than its axis"}), left_axis,
                    right_axis);
    }
    if (!agree(axes[at], axis)) {
      return refuse(sentence({"the axes of ", token.name, " do not agree"}),
                    is_left ? position : first_with(product.left, at), right_axis);
    }
    axes[at] = merge(merge(axes[at], sized), axis);
    labels[static_cast<std::size_t>(position)] = static_cast<std::int8_t>(at);
    return true;
  }

  static constexpr int first_with(AxisMap const& labels, std::size_t label) {
    for (int i = 0; i < max_rank; ++i) {
      if (labels[static_cast<std::size_t>(i)] == static_cast<std::int8_t>(label)) return i;
    }
    return -1;
  }

  /// Refuses a word that is no name.
  constexpr bool check_word() {
    FixedText const mistake = pattern_mistake(next.token);
    if (!mistake.empty()) return refuse(mistake);
    if (next.token.kind == TokenKind::name) return true;
    return refuse(sentence({next.text, ": write a name"}));
  }

  constexpr bool read_operand(Shape const& operand, AxisMap& labels, std::string_view which) {
    int rank = 0;
    for (; next.mark == PatternMark::word; advance()) {
      if (!check_word()) return false;
      if (rank == operand.rank) break;
      if (!read_axis(operand[rank], labels, rank)) return false;
      ++rank;
    }
    if (next.mark == PatternMark::word) return refuse(sentence({which, ": fewer axes than words"}));
    bool const ends = next.mark == PatternMark::comma || next.mark == PatternMark::arrow ||
                      next.mark == PatternMark::end;
    if (!ends) return refuse(sentence({"a stray ", next.text}));
    if (rank == operand.rank) return true;
    return refuse(sentence({which, ": more axes than words"}));
  }

  constexpr bool read_mark(PatternMark mark, std::string_view text) {
    if (next.mark != mark) return refuse(missing(text, next));
    advance();
    return true;
  }

  constexpr bool read_result_axis() {
    SpecToken const& token = next.token;
    int const known = find(token.name);
    if (known < 0) return refuse(sentence({token.name, " is in no operand"}));
    auto const at = static_cast<std::size_t>(known);
    if (first_with(product.out, at) >= 0) {
      return refuse(sentence({token.name, " stands twice in the result"}));
    }
    if (product.shape.rank == max_rank) return refuse("the result has more than 8 axes");
    if (!agree(axes[at], Axis{.size = token.size})) {
      return refuse(sentence({token.word, " is another size than its axis"}));
    }
    axes[at] = merge(axes[at], Axis{.size = token.size});
    product.out[static_cast<std::size_t>(product.shape.rank)] = static_cast<std::int8_t>(at);
    product.shape[product.shape.rank++] = named(axes[at], token.name);
    return true;
  }

  static constexpr Axis named(Axis const& axis, std::string_view name) {
    return {name, {}, axis.size, axis.lower, axis.upper};
  }

  constexpr bool read_result() {
    if (!read_mark(PatternMark::arrow, "an arrow")) return false;
    for (; next.mark == PatternMark::word; advance()) {
      if (!check_word() || !read_result_axis()) return false;
    }
    return next.mark == PatternMark::end || refuse(sentence({"a stray ", next.text}));
  }

  constexpr Contraction finished(bool fits) {
    if (!fits) return product;
    product.fits = true;
    for (std::size_t i = 0; i < max_labels; ++i) product.extents[i] = axes[i].size;
    return product;
  }
};

/// `"b h q d, b h k d -> b h q k"`: a word stands for one extent; the same word twice takes axes
/// that agree. Words that are not in the result are summed over; the result carries the words.
constexpr Contraction einsum_rule(std::string_view pattern, Shape const& a, Shape const& b) {
  EinsumReader reader(pattern);
  return reader.finished(reader.read_operand(a, reader.product.left, "left operand") &&
                         reader.read_mark(PatternMark::comma, "a comma") &&
                         reader.read_operand(b, reader.product.right, "right operand") &&
                         reader.read_result());
}

/// An einsum of one operand: `"i i ->"` is the trace.
constexpr Contraction einsum_rule(std::string_view pattern, Shape const& a) {
  EinsumReader reader(pattern);
  return reader.finished(reader.read_operand(a, reader.product.left, "operand") &&
                         reader.read_result());
}

}  // namespace tenon

// ---- tenon/core/contraction.hpp

namespace tenon {

/// The first `count` axes of a shape.
constexpr Shape leading(Shape const& shape, int count) {
  Shape result;
  for (int i = 0; i < count; ++i) result[i] = shape[i];
  result.rank = count;
  return result;
}

/// Gives the next label to an axis of the result.
constexpr std::int8_t append_label(Contraction& product, Axis const& axis) {
  auto const label = static_cast<std::int8_t>(product.labels++);
  product.extents[static_cast<std::size_t>(label)] = axis.size;
  product.out[static_cast<std::size_t>(product.shape.rank)] = label;
  product.shape[product.shape.rank++] = axis;
  return label;
}

/// The product whose leading axes are aligned: labels 0, 1, ... in the order of the result.
constexpr Contraction batched(Broadcast<2> const& batch) {
  Contraction result;
  for (Axis const& axis : batch.shape) append_label(result, axis);
  result.left = batch.maps[0];
  result.right = batch.maps[1];
  return result;
}

/// Adds the row of `a`, the column of `b` and the axis they contract to the leading axes.
constexpr Contraction multiplied(Contraction const& batch, Shape const& a, int a_inner,
                                 Shape const& b, int b_inner) {
  Contraction result = batch;
  auto const at = [](int axis) { return static_cast<std::size_t>(axis); };
  if (a.rank > 1) result.left[at(a_inner - 1)] = append_label(result, a[a_inner - 1]);
  if (b.rank > 1) result.right[at(b_inner + 1)] = append_label(result, b[b_inner + 1]);
  auto const inner = static_cast<std::int8_t>(result.labels++);
  result.left[at(a_inner)] = inner;
  result.right[at(b_inner)] = inner;
  result.extents[at(inner)] = merge(a[a_inner], b[b_inner]).size;
  result.fits = true;
  return result;
}

/// NumPy's matmul: the last axis of `a` with the second to last (or only) axis of `b`; the axes
/// before them broadcast. The contracted axes must agree, and never stretch.
constexpr Contraction matmul_rule(Shape const& a, Shape const& b) {
  if (a.rank == 0 || b.rank == 0) return misfit(-1, -1, "a scalar has no axis to contract");
  int const a_inner = a.rank - 1;
  int const b_inner = b.rank > 1 ? b.rank - 2 : 0;
  if (!agree(a[a_inner], b[b_inner])) {
    return misfit(a_inner, b_inner, "the contracted axes do not agree");
  }
  auto const batch = broadcast(leading(a, a.rank > 2 ? a.rank - 2 : 0), leading(b, b_inner));
  if (!batch.fits) {
    return misfit(batch.left_axis, batch.right_axis, "the leading axes do not broadcast");
  }
  Contraction const product = multiplied(batched(batch), a, a_inner, b, b_inner);
  auto const mistake = settle(product.shape).mistake;
  return mistake.empty() ? product : misfit(-1, -1, mistake);
}

/// Adds the run-time sizes of one operand to those of the labels.
constexpr void add_label_sizes(LabelExtents& extents, std::string_view who,
                               std::string_view operand, AxisMap const& labels, Shape const& shape,
                               Sizes const& sizes) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(shape.rank); ++i) {
    if (labels[i] < 0) continue;
    std::int64_t& extent = extents[static_cast<std::size_t>(labels[i])];
    if (extent == dynamic) extent = sizes[i];
    if (extent == sizes[i]) continue;
    fail<ShapeError>({who, shape.axes[i].name.view(), std::to_string(extent),
                      std::to_string(sizes[i]),
                      "axis " + std::to_string(i) + " of " + std::string(operand)});
  }
}

/// The size of every label at run time; throws ShapeError where two axes of one label differ.
constexpr LabelExtents label_sizes(std::string_view who, Contraction const& product, Shape const& a,
                                   Sizes const& a_sizes, Shape const& b = {},
                                   Sizes const& b_sizes = {}) {
  LabelExtents result = product.extents;
  add_label_sizes(result, who, "the left operand", product.left, a, a_sizes);
  add_label_sizes(result, who, "the right operand", product.right, b, b_sizes);
  return result;
}

}  // namespace tenon

// ---- tenon/core/fit.hpp

namespace tenon {

/// A number, or none where a name has no size here or a division has no result.
struct SizeNumber {
  std::int64_t value = 0;
  bool known = true;
};

/// Expressions read as numbers: the names are axes of a shape, whose sizes run time knows.
struct SizeAlgebra {
  using Value = SizeNumber;
  Shape const* shape = nullptr;
  Sizes const* sizes = nullptr;

  constexpr SizeNumber number(std::int64_t value) const { return {value, true}; }
  constexpr SizeNumber name(std::string_view name) const {
    SizeNumber result{0, false};
    for (int i = 0; i < shape->rank; ++i) {
      if (!(*shape)[i].name.is(name)) continue;
      result = {(*sizes)[static_cast<std::size_t>(i)], true};
      if (!(*shape)[i].is_one()) break;
    }
    return result;
  }
  constexpr SizeNumber add(SizeNumber a, SizeNumber b) const {
    return {a.value + b.value, a.known && b.known};
  }
  constexpr SizeNumber subtract(SizeNumber a, SizeNumber b) const {
    return {a.value - b.value, a.known && b.known};
  }
  constexpr SizeNumber multiply(SizeNumber a, SizeNumber b) const {
    std::int64_t product = 0;
    bool const wide = __builtin_mul_overflow(a.value, b.value, &product);
    return {product, a.known && b.known && !wide && !is_too_large(product)};
  }
  constexpr SizeNumber divide(SizeNumber a, SizeNumber b) const {
    bool const known = a.known && b.known && b.value != 0;
    return known ? SizeNumber{floor_of(a.value, b.value), true} : SizeNumber{0, false};
  }
  constexpr SizeNumber modulo(SizeNumber a, SizeNumber b) const {
    SizeNumber const quotient = divide(a, b);
    return quotient.known ? SizeNumber{a.value - b.value * quotient.value, true} : quotient;
  }
  constexpr SizeNumber minimum(SizeNumber a, SizeNumber b) const {
    return {a.value < b.value ? a.value : b.value, a.known && b.known};
  }
  constexpr bool is_zero(SizeNumber) const { return false; }
};

/// The value of an expression in the axes of a shape.
constexpr SizeNumber evaluate(std::string_view expression, Shape const& shape, Sizes const& sizes) {
  ExpressionReader<SizeAlgebra> reader{expression, {&shape, &sizes}};
  return reader.whole();
}

/// What the size of an axis has to be: a number if it follows from the other axes.
constexpr SizeNumber required_size(Shape const& shape, Sizes const& sizes, int axis) {
  Axis const& wanted = shape[axis];
  if (wanted.is_static()) return {wanted.size, true};
  if (wanted.is_named()) return SizeAlgebra{&shape, &sizes}.name(wanted.name.view());
  if (!wanted.expression.empty()) return evaluate(wanted.expression.view(), shape, sizes);
  return {0, false};
}

constexpr bool size_fits(Shape const& shape, Sizes const& sizes, int axis) {
  std::int64_t const size = sizes[static_cast<std::size_t>(axis)];
  SizeNumber const required = required_size(shape, sizes, axis);
  return size >= 0 && size >= shape[axis].lower && size <= shape[axis].upper &&
         (!required.known || required.value == size);
}

/// The first axis whose size at run time is not what its shape says, or -1.
constexpr int misfit_of(Shape const& shape, Sizes const& sizes) {
  for (int i = 0; i < shape.rank; ++i) {
    if (!size_fits(shape, sizes, i)) return i;
  }
  return -1;
}

/// An axis in messages: its name, else its position.
inline std::string axis_label(Shape const& shape, int axis) {
  return shape[axis].is_named() ? std::string(shape[axis].name.view())
                                : "axis " + std::to_string(axis);
}

/// What the size of an axis has to be, in words: "3", "n+1 = 5", "1..64".
inline std::string expected_size(Shape const& shape, Sizes const& sizes, int axis) {
  Axis const& wanted = shape[axis];
  std::int64_t const size = sizes[static_cast<std::size_t>(axis)];
  auto const text = format(wanted);
  if (size < wanted.lower || size > wanted.upper) {
    bool const bounded = wanted.lower > 0 || wanted.upper != unbounded;
    return bounded ? std::string(text.view().substr(wanted.name.length + 1))
                   : "a size of at least 0";
  }
  std::string const number = std::to_string(required_size(shape, sizes, axis).value);
  return wanted.expression.empty() ? number : std::string(text.view()) + " = " + number;
}

[[noreturn]] inline void fail_size(std::string_view operation, Shape const& shape,
                                   Sizes const& sizes, int axis) {
  std::string const what = axis_label(shape, axis);
  std::string const expected = expected_size(shape, sizes, axis);
  std::string const got = std::to_string(sizes[static_cast<std::size_t>(axis)]);
  std::string const where = "\"" + std::string(format(shape).view()) + "\"";
  fail<ShapeError>({operation, what, expected, got, where});
}

/// Checks run-time sizes against a shape: static sizes, bounds, expressions in the other axes, and
/// one size for one name. Throws ShapeError.
constexpr void check_sizes(std::string_view operation, Shape const& shape, Sizes const& sizes) {
  int const axis = misfit_of(shape, sizes);
  if (axis >= 0) fail_size(operation, shape, sizes, axis);
}

}  // namespace tenon

// ---- tenon/tensor/device.hpp

#include <concepts>

namespace tenon {

/// The processor: SIMD loops on a pool of threads.
struct Cpu {
  static constexpr std::string_view name = "cpu";
  static constexpr bool is_host = true;
};

/// The judge of all other devices: naive loops, one element at a time.
struct Reference {
  static constexpr std::string_view name = "reference";
  static constexpr bool is_host = true;
};

/// The device of a number of the language: it follows the tensor it meets.
struct AnyDevice {
  static constexpr std::string_view name = "any";
  static constexpr bool is_host = true;
};

template <class D>
concept Device = requires {
  { D::name } -> std::convertible_to<std::string_view>;
  { D::is_host } -> std::convertible_to<bool>;
};

}  // namespace tenon

// ---- tenon/tensor/expression.hpp

namespace tenon {

/// A tensor, or a recipe for one: it knows its dtype, its device and its axes.
template <class E>
concept ExpressionType = requires(E const& e) {
  typename E::value_type;
  typename E::device;
  { E::shape } -> std::convertible_to<Shape>;
  { e.sizes() } -> std::convertible_to<Sizes>;
};

/// The same for a deduced `E&&`.
template <class E>
concept Expression = ExpressionType<std::remove_cvref_t<E>>;

/// `E` as a value: without reference and const.
template <class E>
using Unqualified = std::remove_cvref_t<E>;

/// May a value of `From` be kept in a `To`? Same dtype and device, axes that agree one by one.
template <class To, class From>
concept Assignable =
    std::same_as<typename To::value_type, typename From::value_type> &&
    (std::same_as<typename From::device, AnyDevice> ||
     std::same_as<typename To::device, typename From::device>)&&assignable(To::shape, From::shape);

/// Throws `IndexError` unless every entry of `index` names an element.
constexpr void check_index(ElementIndex const& index, Sizes const& sizes, int rank) {
  for (int i = 0; i < rank; ++i) {
    if (at(index, i) < 0 || at(index, i) >= at(sizes, i)) {
      throw IndexError("tenon::element: axis " + std::to_string(i) + ": expected an index below " +
                       std::to_string(at(sizes, i)) + ", got " + std::to_string(at(index, i)));
    }
  }
}

template <class T, Spec S, class D = Cpu>
  requires Canonical<S>
class Tensor;

namespace error {

/// An element is named by one index for each axis of the shape.
template <Spec Shape, int Expected, int Got>
struct wrong_number_of_indices;

/// The operation is for scalars: a fold, or the indices of an element, leave one.
template <Spec Operation, Spec Shape>
struct is_not_a_scalar;

}  // namespace error

/// Is an element of `E` named by so many indices?
template <class E, class... I>
concept NamesElement = static_cast<int>(sizeof...(I)) == E::shape.rank;

template <class E>
concept ScalarShape = E::shape.rank == 0;

/// What every recipe offers to its user. `element` is found where evaluation is defined.
template <class Derived>
struct ExpressionNode {
  /// The element at a position, one index for each axis.
  template <std::integral... I, class E = Derived>
    requires NamesElement<E, I...>
  constexpr auto operator()(I... indices) const {
    Derived const& self = static_cast<Derived const&>(*this);
    ElementIndex const index{static_cast<std::int64_t>(indices)...};
    check_index(index, self.sizes(), Derived::shape.rank);
    return access(self, index);
  }
  template <std::integral... I, class E = Derived>
    requires(!NamesElement<E, I...>)
  auto operator()(I... indices) const
      -> error::wrong_number_of_indices<spec_of<E>, E::shape.rank, int{sizeof...(I)}>;

  /// The part at a place of the first axis, as in PyTorch: `x[2]`, `x[-1]`. `take` is found where
  /// it is defined.
  template <std::integral I, class E = Derived>
    requires(!ScalarShape<E>)
  constexpr auto operator[](I place) const {
    return take<0>(static_cast<E const&>(*this), place);
  }

  /// The one element of a scalar, as in PyTorch.
  template <class E = Derived>
    requires ScalarShape<E>
  constexpr auto item() const {
    return (*this)();
  }
  template <class E = Derived>
    requires(!ScalarShape<E>)
  auto item() const -> error::is_not_a_scalar<"item", spec_of<E>>;
};

}  // namespace tenon

// ---- tenon/expr/constant.hpp

namespace tenon {

/// A number of the language in an expression: it follows the dtype and the device of the tensors.
template <class T>
struct ConstantNode : ExpressionNode<ConstantNode<T>> {
  using value_type = T;
  using device = AnyDevice;
  static constexpr Shape shape{};

  T value{};

  constexpr ConstantNode() = default;
  constexpr explicit ConstantNode(T number) : value(number) {}

  static constexpr Sizes sizes() { return ones(); }
};

template <class E>
inline constexpr bool is_constant = false;
template <class T>
inline constexpr bool is_constant<ConstantNode<T>> = true;

/// What may stand beside a tensor in an expression.
template <class X>
concept LiteralNumber = std::is_arithmetic_v<std::remove_cvref_t<X>> ||
                        (is_dtype<std::remove_cvref_t<X>> && !Expression<X>);

template <class X>
concept MapOperand = Expression<X> || LiteralNumber<X>;

/// The dtype of a literal that meets no tensor: as its type says, floating ones are `float`.
template <class X>
using LiteralType = std::conditional_t<std::same_as<X, double>, float, X>;

/// The dtype that literals take on: that of the last tensor, unless that is a mask beside numbers.
template <class... X>
struct WeakType;
template <class X>
struct WeakType<X> {
  using type = LiteralType<X>;
};
template <ExpressionType X>
struct WeakType<X> {
  using type = typename X::value_type;
};
template <class X, class... Rest>
struct WeakType<X, Rest...> {
  static constexpr bool rest_has_tensor = (ExpressionType<Rest> || ...);
  template <class E>
  static auto own() {
    if constexpr (ExpressionType<E>) return std::type_identity<typename E::value_type>{};
    else return std::type_identity<LiteralType<E>>{};
  }
  using last = typename WeakType<Rest...>::type;
  using type = std::conditional_t<rest_has_tensor || BoolType<typename decltype(own<X>())::type>,
                                  last, typename decltype(own<X>())::type>;
};

/// May a literal of type `X` take on dtype `T` without losing its meaning?
template <class X, class T>
concept FollowsDtype = !std::floating_point<X> || !is_dtype<T> || InexactType<T>;

}  // namespace tenon

// ---- tenon/expr/memo.hpp

#include <memory>
#include <optional>

namespace tenon {

/// What a recipe over a product remembers: its value, once it was asked for through a name.
/// Empty, and free, until then; copies share it; thread-safe; absent in constant evaluation, where
/// g++ 12 would refuse to look at a mutable member.
class Remembered {
 public:
  constexpr Remembered() = default;
  constexpr Remembered(Remembered const& other) {
    if (!std::is_constant_evaluated()) adopt(other.state_.load());
  }
  constexpr Remembered& operator=(Remembered const& other) {
    if (std::is_constant_evaluated()) return *this;
    AnyState* const state = other.state_.load();
    if (state_.load() != state) {
      drop();
      adopt(state);
    }
    return *this;
  }
  constexpr ~Remembered() {
    if (!std::is_constant_evaluated()) drop();
  }

  template <class Value, class Make>
  Value const& get(Make const& make) const {
    auto& state = static_cast<State<Value>&>(shared<Value>());
    std::scoped_lock const lock(state.mutex);
    if (!state.value) state.value.emplace(make());
    return *state.value;
  }

 private:
  struct AnyState {
    virtual ~AnyState() = default;
    std::atomic<int> owners{1};
    std::mutex mutex;
  };
  template <class Value>
  struct State : AnyState {
    std::optional<Value> value;
  };

  /// Others may ask at the same time, or copy: the first to put a state there wins.
  template <class Value>
  AnyState& shared() const {
    AnyState* state = state_.load();
    if (state == nullptr) {
      auto made = std::make_unique<State<Value>>();
      if (state_.compare_exchange_strong(state, made.get())) state = made.release();
    }
    return *state;
  }

  void adopt(AnyState* state) {
    if (state != nullptr) ++state->owners;
    state_.store(state);
  }
  void drop() {
    AnyState* const state = state_.exchange(nullptr);
    if (state != nullptr && --state->owners == 0) delete state;
  }

  mutable std::atomic<AnyState*> state_{nullptr};
};

/// Stands where nothing has to be remembered.
struct NoMemo {};

}  // namespace tenon

// ---- tenon/tensor/nested.hpp

namespace tenon {

/// Braces within braces, `Rank` deep: `{{1, 2}, {3, 4}}`.
template <class T, int Rank>
struct NestedList {
  using type = std::initializer_list<typename NestedList<T, Rank - 1>::type>;
};
template <class T>
struct NestedList<T, 0> {
  using type = T;
};
template <class T, int Rank>
using Nested = typename NestedList<T, Rank>::type;

/// The sizes that braces spell, read off the first of each level.
template <class T, int Rank>
constexpr void read_sizes(Nested<T, Rank> const& list, Sizes& sizes, int axis) {
  if constexpr (Rank > 0) {
    at(sizes, axis) = static_cast<std::int64_t>(list.size());
    if (list.size() > 0) read_sizes<T, Rank - 1>(*list.begin(), sizes, axis + 1);
    else
      for (int i = axis + 1; i < axis + Rank; ++i) at(sizes, i) = 0;
  }
}

/// Copies the elements in row-major order; throws `ShapeError` where the braces are ragged.
template <class T, int Rank>
constexpr T* read_elements(Nested<T, Rank> const& list, Sizes const& sizes, int axis, T* to) {
  if constexpr (Rank == 0) {
    *to = list;
    return to + 1;
  } else {
    if (static_cast<std::int64_t>(list.size()) != at(sizes, axis)) {
      throw ShapeError("tenon::Tensor: the braces are ragged: expected " +
                       std::to_string(at(sizes, axis)) + " entries, got " +
                       std::to_string(list.size()));
    }
    for (auto const& entry : list) to = read_elements<T, Rank - 1>(entry, sizes, axis + 1, to);
    return to;
  }
}

}  // namespace tenon

// ---- tenon/tensor/storage.hpp

namespace tenon {

/// Static tensors up to this many bytes hold their elements themselves.
inline constexpr std::int64_t inline_bytes = 256;

constexpr Sizes static_sizes(Shape const& shape) {
  Sizes sizes = ones();
  for (int i = 0; i < shape.rank; ++i) at(sizes, i) = shape[i].is_static() ? shape[i].size : 0;
  return sizes;
}

constexpr int dynamic_axes(Shape const& shape) {
  int number = 0;
  for (Axis const& axis : shape) number += axis.is_static() ? 0 : 1;
  return number;
}

/// The sizes of the run-time axes. (An array of none is no empty class to libstdc++.)
template <int number>
struct RunTimeSizes : std::array<std::int64_t, static_cast<std::size_t>(number)> {};
template <>
struct RunTimeSizes<0> {};

constexpr bool is_inline(Shape const& shape, std::size_t element_bytes) {
  if (!shape.is_static()) return false;
  std::int64_t bytes = static_cast<std::int64_t>(element_bytes);
  for (Axis const& axis : shape) {
    if (axis.size > inline_bytes) return false;
    bytes *= axis.size;
  }
  return bytes <= inline_bytes;
}

/// Elements inside the tensor: in registers, and usable in constant expressions. Its copies are no
/// part of larger ones: g++ 12 sees through them, and leaves those in recipes out. (What it may
/// copy as a whole, a node, it copies in pieces that are not the elements' own, and waits for
/// them.)
template <class T, std::int64_t N>
struct InlineStorage {
  std::array<T, static_cast<std::size_t>(N)> elements{};

  constexpr InlineStorage() = default;
  explicit constexpr InlineStorage(std::int64_t) {}
  constexpr InlineStorage(InlineStorage const& other) { copy(other); }
  constexpr InlineStorage& operator=(InlineStorage const& other) {
    copy(other);
    return *this;
  }
  constexpr ~InlineStorage() = default;

  constexpr T const* data() const { return elements.data(); }
  constexpr T* unshared(std::int64_t) { return elements.data(); }

 private:
  constexpr void copy(InlineStorage const& other) {
    for (std::size_t i = 0; i < elements.size(); ++i) elements[i] = other.elements[i];
  }
};

/// A handle to a shared, 64-byte aligned buffer, copied before it is written if it is shared.
template <class T>
struct SharedStorage {
  SharedBuffer buffer;

  constexpr SharedStorage() = default;
  explicit SharedStorage(std::int64_t count)
      : buffer(static_cast<std::size_t>(count) * sizeof(T)) {}
  explicit SharedStorage(SharedBuffer shared) : buffer(std::move(shared)) {}

  T const* data() const { return buffer.as<T>(); }
  T* unshared(std::int64_t count) {
    if (!buffer.unique()) {
      SharedStorage copy(count);
      if (count > 0) std::memcpy(copy.buffer.data(), buffer.data(), copy.buffer.bytes());
      buffer = std::move(copy.buffer);
    }
    return buffer.as<T>();
  }
};

}  // namespace tenon

// ---- tenon/tensor/unfit.hpp

/// What is wrong where a value cannot be kept in the tensor that was declared for it.
namespace tenon {

struct AssignName {
  static constexpr std::string_view name = "assign";
};

/// Names the pair of axes in which a value does not fit its place.
template <class Name, class Rule, class V>
constexpr auto assignment_mistake() {
  constexpr int axis = [] {
    int i = 0;
    while (i < Rule::shape.rank && agree(Rule::shape[i], V::shape[i])) ++i;
    return i;
  }();
  if constexpr (Rule::shape.rank != V::shape.rank)
    return std::type_identity<
        error::shapes_do_not_align<spec_of_name<Name>, spec_of<Rule>, spec_of<V>>>{};
  else
    return std::type_identity<
        error::axes_do_not_fit<spec_of_name<Name>, spec_of_axis<Rule, axis>, spec_of_axis<V, axis>,
                               spec_of<Rule>, spec_of<V>>>{};
}

/// Names why a value of `From` cannot be kept in a `To`: another device, dtype or axes.
template <class To, class From>
constexpr auto unfit_value() {
  using D = typename From::device;
  using T = typename To::value_type;
  using U = typename From::value_type;
  if constexpr (!std::same_as<D, AnyDevice> && !std::same_as<D, typename To::device>)
    return std::type_identity<error::devices_differ<
        spec_of_name<AssignName>, spec_of_name<typename To::device>, spec_of_name<D>>>{};
  else if constexpr (!std::same_as<T, U>)
    return std::type_identity<
        error::dtypes_differ<spec_of_name<AssignName>, spec_of_dtype<T>, spec_of_dtype<U>>>{};
  else return assignment_mistake<AssignName, To, From>();
}

/// That name as a type; none where the value fits.
template <class To, class From>
struct UnfitValue {};
template <class To, ExpressionType From>
  requires(!Assignable<To, From>)
struct UnfitValue<To, From> {
  using type = typename decltype(unfit_value<To, From>())::type;
};

}  // namespace tenon

// ---- tenon/tensor/tensor.hpp

namespace tenon {

/// Where the shape of a spec is kept: one parse for each spec of a program.
template <Spec S>
struct ShapeOf {
  static constexpr Shape shape = parse(S.view()).shape;
};

/// A value: dtype `T`, axes `S` (canonical, see `Float32`), device `D`.
/// Copying shares the elements; writing copies them first if they are shared.
template <class T, Spec S, class D>
  requires Canonical<S>
class Tensor {
 public:
  using value_type = T;
  using device = D;
  static constexpr auto spec = S;
  static constexpr Shape const& shape = ShapeOf<S>::shape;
  static constexpr int rank = shape.rank;
  static constexpr bool holds_elements = D::is_host && is_inline(shape, sizeof(T));
  static constexpr std::int64_t static_count = count(static_sizes(shape), rank);
  using Storage =
      std::conditional_t<holds_elements, InlineStorage<T, holds_elements ? static_count : 0>,
                         SharedStorage<T>>;

  /// Zeros; run-time axes have size 0.
  constexpr Tensor() : storage_(static_count) {
    if constexpr (!holds_elements) clear();
  }

  /// The one element of a scalar.
  constexpr Tensor(T value)
    requires(rank == 0)
      : storage_(1) {
    *storage_.unshared(1) = value;
  }

  /// Elements in braces: `Float32<"2 2">{{1, 2}, {3, 4}}`; run-time sizes are read off them.
  constexpr Tensor(std::initializer_list<Nested<T, (rank > 1 ? rank - 1 : 0)>> list)
    requires(rank > 0)
      : Tensor(read<T>(list)) {
    read_elements<T, rank>(list, sizes(), 0, storage_.unshared(size()));
  }

  /// A copy of `elements`, row-major; the run-time sizes in order. Throws `ShapeError`.
  template <std::convertible_to<std::int64_t>... I>
  explicit Tensor(std::span<T const> elements, I... run_time_sizes)
      : Tensor(uninitialised(with_run_time_sizes({static_cast<std::int64_t>(run_time_sizes)...}))) {
    if (static_cast<std::int64_t>(elements.size()) != size()) {
      throw ShapeError("tenon::Tensor: expected " + std::to_string(size()) + " elements, got " +
                       std::to_string(elements.size()));
    }
    std::copy(elements.begin(), elements.end(), storage_.unshared(size()));
  }

  /// The value of a recipe, or of a tensor whose axes agree. Does not broadcast. Sizes known only
  /// at run time are checked; throws `ShapeError`.
  template <Expression E>
    requires(!std::same_as<Unqualified<E>, Tensor> && Assignable<Tensor, Unqualified<E>>)
  constexpr Tensor(E&& e)
      : Tensor(evaluate_once_as(std::type_identity<Tensor>{}, std::forward<E>(e))) {}
  /// The twin that names the mistake, there to be refused. (Among functions that differ only in the
  /// tensor they take a recipe finds several; its value, `f(eval(x))`, finds the one.)
  template <Expression E, class Wrong = typename UnfitValue<Tensor, Unqualified<E>>::type>
  Tensor(E&&) = delete;
  /// Declared only: what is said of a mistaken value is its mistake, not that it does not convert.
  template <Mistake M>
  Tensor(M const&);

  /// Elements without values; `sizes` are checked against the spec.
  static constexpr Tensor uninitialised(Sizes const& sizes) { return Tensor(sizes, checked{}); }

  /// A tensor over elements that exist already (and are shared, not copied).
  static Tensor adopt(SharedBuffer buffer, Sizes const& sizes, TapeMark mark = {})
    requires(!holds_elements)
  {
    return Tensor(std::move(buffer), sizes, mark);
  }

  constexpr Sizes sizes() const {
    Sizes sizes = static_sizes(shape);
    if constexpr (!shape.is_static()) {
      for (int i = 0, known = 0; i < rank; ++i) {
        if (!shape[i].is_static()) at(sizes, i) = run_time_[static_cast<std::size_t>(known++)];
      }
    }
    return sizes;
  }
  constexpr std::int64_t size() const {
    if constexpr (shape.is_static()) return static_count;
    else return count(sizes(), rank);
  }

  constexpr T const* data() const { return storage_.data(); }

  /// The elements, to be written. Throws `Error` where they are part of a recording.
  constexpr T* mutable_data() {
    if (is_recorded(mark_)) {
      throw Error("tenon::Tensor: a recorded tensor cannot be written; read it as const");
    }
    return storage_.unshared(size());
  }

  /// The element at a position, one index for each axis. Throws `IndexError`.
  template <std::integral... I>
    requires NamesElement<Tensor, I...>
  constexpr T operator()(I... indices) const {
    return data()[position(indices...)];
  }
  template <std::integral... I>
    requires NamesElement<Tensor, I...>
  constexpr T& operator()(I... indices) {
    return mutable_data()[position(indices...)];
  }
  template <std::integral... I>
    requires(!NamesElement<Tensor, I...>)
  auto operator()(I... indices) const -> error::wrong_number_of_indices<S, rank, int{sizeof...(I)}>;

  /// The part at a place of the first axis, as in PyTorch: `x[2]`, `x[-1]`.
  template <std::integral I>
    requires(rank > 0)
  constexpr auto operator[](I place) const {
    return take<0>(*this, place);
  }

  /// The one element of a scalar, as in PyTorch.
  constexpr T item() const
    requires(rank == 0)
  {
    return *data();
  }
  auto item() const -> error::is_not_a_scalar<"item", S>
    requires(rank != 0);

  constexpr TapeMark mark() const { return mark_; }
  constexpr void set_mark(TapeMark mark) { mark_ = mark; }
  constexpr Storage const& storage() const { return storage_; }

  /// All sizes from those of the run-time axes, in order. Throws `ShapeError` for a wrong number.
  static constexpr Sizes with_run_time_sizes(std::initializer_list<std::int64_t> run_time) {
    if (static_cast<int>(run_time.size()) != dynamic_axes(shape)) {
      throw ShapeError("tenon::Tensor: \"" + std::string(S.view()) + "\": expected " +
                       std::to_string(dynamic_axes(shape)) + " run-time sizes, got " +
                       std::to_string(run_time.size()));
    }
    Sizes sizes = static_sizes(shape);
    auto next = run_time.begin();
    for (int i = 0; i < rank; ++i) {
      if (!shape[i].is_static()) at(sizes, i) = *next++;
    }
    return sizes;
  }

 private:
  struct checked {};

  constexpr Tensor(Sizes const& sizes, checked) : storage_(elements_of(sizes)) { keep(sizes); }
  Tensor(SharedBuffer buffer, Sizes const& sizes, TapeMark mark)
      : storage_(std::move(buffer)), mark_(mark) {
    check_sizes("Tensor", shape, sizes);
    keep(sizes);
  }

  static constexpr std::int64_t elements_of(Sizes const& sizes) {
    check_sizes("Tensor", shape, sizes);
    return count(sizes, rank);
  }

  template <class U>
  static constexpr Tensor read(std::initializer_list<Nested<U, (rank > 1 ? rank - 1 : 0)>> list) {
    Sizes sizes = ones();
    read_sizes<T, rank>(list, sizes, 0);
    return uninitialised(sizes);
  }

  constexpr void keep([[maybe_unused]] Sizes const& sizes) {
    if constexpr (!shape.is_static()) {
      for (int i = 0, known = 0; i < rank; ++i) {
        if (!shape[i].is_static()) run_time_[static_cast<std::size_t>(known++)] = at(sizes, i);
      }
    }
  }

  void clear() { std::fill_n(storage_.unshared(static_count), static_count, T{}); }

  template <class... I>
  constexpr std::int64_t position(I... indices) const {
    ElementIndex const index{static_cast<std::int64_t>(indices)...};
    Sizes const now = sizes();
    check_index(index, now, rank);
    return offset(row_major(now, rank), index, rank);
  }

  Storage storage_;
  [[no_unique_address]] RunTimeSizes<dynamic_axes(shape)> run_time_{};
  TapeMark mark_{};
};

template <class E>
inline constexpr bool is_tensor = false;
template <class T, Spec S, class D>
inline constexpr bool is_tensor<Tensor<T, S, D>> = true;

template <class E>
concept TensorType = is_tensor<E>;

}  // namespace tenon

// ---- tenon/expr/hold.hpp

namespace tenon {

/// Does evaluating `E` run a matrix product? Nodes over products say so themselves.
template <class E>
inline constexpr bool has_product = requires { requires E::has_product; };

/// Does evaluating one element of `E` cost a pass over many: a product or a fold?
template <class E>
inline constexpr bool is_heavy = requires { requires E::is_heavy; };

/// Are a recipe, and all that it is made of, no larger than what tensors hold themselves? To
/// compute it anew costs less than to remember it.
template <class E>
inline constexpr bool is_small = requires { requires E::is_small; };
template <TensorType E>
inline constexpr bool is_small<E> = E::holds_elements;
template <class T>
inline constexpr bool is_small<ConstantNode<T>> = true;

/// Is the value of a recipe kept, once it was asked for through a name?
template <class E>
inline constexpr bool remembers = is_heavy<E> && !is_small<E>;

/// Sizes of a node: kept only where the compiler does not know them.
template <bool Static>
struct KeptSizes {
  Sizes value;
};
template <>
struct KeptSizes<true> {};

/// The tensor that a recipe evaluates to.
template <class E>
struct TensorTypeOf {
  using type = Tensor<typename E::value_type, spec_of<E>, typename E::device>;
};
template <TensorType E>
struct TensorTypeOf<E> {
  using type = E;
};
template <class E>
using TensorOf = typename TensorTypeOf<std::remove_cvref_t<E>>::type;

/// How an operand is kept: by value; a recipe over a product that has a name (an lvalue) is
/// evaluated once, remembered by its node, and kept as its value.
template <class X>
struct HeldAs {
  using type = std::remove_cvref_t<X>;
};
template <class X>
  requires std::is_lvalue_reference_v<X> && has_product<std::remove_cvref_t<X>>
struct HeldAs<X> {
  using type = TensorOf<X>;
};

template <class X>
using Held = typename HeldAs<X>::type;

template <class X>
constexpr Held<X&&> hold(X&& x) {
  if constexpr (std::same_as<Held<X&&>, Unqualified<X>>) return std::forward<X>(x);
  else return remembered(x);
}

}  // namespace tenon

// ---- tenon/expr/map.hpp

namespace tenon {

/// The device of several operands: numbers follow.
template <class... D>
struct CommonDevice;
template <class D>
struct CommonDevice<D> {
  using type = D;
};
template <class D, class... Rest>
struct CommonDevice<D, Rest...> {
  using rest = typename CommonDevice<Rest...>::type;
  using type = std::conditional_t<std::same_as<D, AnyDevice>, rest, D>;
};

/// How the operands of a map lie on its axes.
template <class... E>
struct MapAlignment {
  static constexpr auto value = broadcast(E::shape...);
};

/// What an op makes of its operands' types; `E` are kept operands.
template <class Op, class... E>
struct MapTypes {
  using value_type =
      std::remove_cvref_t<decltype(Op::f(std::declval<typename E::value_type>()...))>;
  using device = typename CommonDevice<typename E::device...>::type;
  static constexpr auto const& aligned = MapAlignment<E...>::value;
  static constexpr bool has_product = (tenon::has_product<E> || ...);
  static constexpr bool is_heavy = (tenon::is_heavy<E> || ...);
};

[[noreturn]] inline void sizes_differ(std::string_view operation, Shape const& shape, int axis,
                                      std::int64_t expected, std::int64_t got) {
  fail<ShapeError>({operation, format(shape[axis]).view(), std::to_string(expected),
                    std::to_string(got),
                    "run-time sizes of \"" + std::string(format(shape).view()) + "\""});
}

/// The run-time sizes of the result; throws `ShapeError` where two operands disagree.
template <std::size_t N>
constexpr Sizes broadcast_sizes(std::string_view operation, Broadcast<N> const& aligned,
                                std::array<Sizes, N> const& operands,
                                std::array<int, N> const& ranks) {
  Sizes result = static_sizes(aligned.shape);
  std::array<bool, max_rank> known{};
  for (std::size_t k = 0; k < N; ++k) {
    for (int i = 0; i < ranks[k]; ++i) {
      int const axis = aligned.maps[k][static_cast<std::size_t>(i)];
      if (axis < 0) continue;
      auto const a = static_cast<std::size_t>(axis);
      if (!known[a]) result[a] = at(operands[k], i);
      if (result[a] != at(operands[k], i) ||
          (aligned.shape[axis].is_static() && result[a] != aligned.shape[axis].size)) {
        sizes_differ(operation, aligned.shape, axis, result[a], at(operands[k], i));
      }
      known[a] = true;
    }
  }
  return result;
}

/// What all maps have in common.
template <class Derived, class Op, class... E>
struct MapNode : ExpressionNode<Derived> {
  using types = MapTypes<Op, E...>;
  using value_type = typename types::value_type;
  using device = typename types::device;
  using op = Op;
  static constexpr Shape const& shape = types::aligned.shape;
  static constexpr bool has_product = types::has_product;
  static constexpr bool is_heavy = types::is_heavy;
  static constexpr bool is_small =
      (tenon::is_small<E> && ...) && is_inline(shape, sizeof(value_type));

  constexpr explicit MapNode(E const&... operands) {
    if constexpr (!shape.is_static() || !(E::shape.is_static() && ...)) {
      Sizes const sizes = broadcast_sizes<sizeof...(E)>(Op::name, types::aligned,
                                                        {operands.sizes()...}, {E::shape.rank...});
      if constexpr (!shape.is_static()) sizes_.value = sizes;
    }
  }

  constexpr Sizes sizes() const {
    if constexpr (shape.is_static()) return static_sizes(shape);
    else return sizes_.value;
  }

  [[no_unique_address]] KeptSizes<shape.is_static()> sizes_{};
  [[no_unique_address]] std::conditional_t<is_heavy && !is_small, Remembered, NoMemo> memo_{};
};

/// An op applied to every element of its operands, broadcast against each other.
template <class Op, class... E>
struct Elementwise;

template <class Op, class A>
struct Elementwise<Op, A> : MapNode<Elementwise<Op, A>, Op, A> {
  A a;
  constexpr explicit Elementwise(A x) : MapNode<Elementwise, Op, A>(x), a(std::move(x)) {}
};

template <class Op, class A, class B>
struct Elementwise<Op, A, B> : MapNode<Elementwise<Op, A, B>, Op, A, B> {
  A a;
  B b;
  constexpr Elementwise(A x, B y)
      : MapNode<Elementwise, Op, A, B>(x, y), a(std::move(x)), b(std::move(y)) {}
};

template <class Op, class A, class B, class C>
struct Elementwise<Op, A, B, C> : MapNode<Elementwise<Op, A, B, C>, Op, A, B, C> {
  A a;
  B b;
  C c;
  constexpr Elementwise(A x, B y, C z)
      : MapNode<Elementwise, Op, A, B, C>(x, y, z),
        a(std::move(x)),
        b(std::move(y)),
        c(std::move(z)) {}
};

template <class E>
inline constexpr bool is_map = false;
template <class Op, class... E>
inline constexpr bool is_map<Elementwise<Op, E...>> = true;

}  // namespace tenon

// ---- tenon/op/function.hpp

/// How the file of an op declares its public function. `map`, which makes the recipe, is found by
/// argument-dependent lookup where there are tensors. A function has a twin that is declared only:
/// where the operands do not fit, its return type, which is defined nowhere, names the mistake.
namespace tenon {

/// Of a mistaken operand: its mistake. (Here, where every function sees it.)
template <class Op, class... X>
auto map(X const&...) -> FirstMistake<X...>;

/// What `map` makes of operands: a recipe, or the name of a mistake.
template <class Op, class... X>
using MapOf = decltype(map<Op>(std::declval<X>()...));

template <class R>
concept Sound = requires { typename R::value_type; };

template <class R>
concept Mistaken = !Sound<R>;

}  // namespace tenon

// ---- tenon/expr/mapped.hpp

namespace tenon {

/// How an operand of a map is kept: literals become numbers of dtype `T`.
template <class X, class T>
struct KeptAs {
  using type = Held<X>;
};
template <LiteralNumber X, class T>
struct KeptAs<X, T> {
  using type = ConstantNode<T>;
};

template <class Kept, class X>
constexpr Kept keep_operand(X&& x) {
  if constexpr (is_constant<Kept> && !Expression<X>)
    return Kept(static_cast<typename Kept::value_type>(x));
  else return hold(std::forward<X>(x));
}

template <class A, class B>
concept DevicesMeet =
    std::same_as<typename A::device, typename B::device> ||
    std::same_as<typename A::device, AnyDevice> || std::same_as<typename B::device, AnyDevice>;

template <class Op, class... E>
concept TakesDtypes = requires(typename E::value_type... x) { Op::f(x...); };

template <class Op, class E>
constexpr auto dtype_mistake() {
  using T = typename E::value_type;
  return std::type_identity<error::dtype_is_not_supported<spec_of_name<Op>, spec_of_dtype<T>>>{};
}

/// Names the dtypes that differ; of three operands the first has to be a mask.
template <class Op, class A, class B, class... C>
constexpr auto dtype_mistake() {
  using T = typename A::value_type;
  using U = typename B::value_type;
  if constexpr (sizeof...(C) > 0 && !BoolType<T>) return dtype_mistake<Op, A>();
  else if constexpr (sizeof...(C) > 0) return dtype_mistake<Op, B, C...>();
  else if constexpr (std::same_as<T, U>) return dtype_mistake<Op, A>();
  else
    return std::type_identity<
        error::dtypes_differ<spec_of_name<Op>, spec_of_dtype<T>, spec_of_dtype<U>>>{};
}

template <class Op, class A>
constexpr auto device_mistake() {
  return std::type_identity<void>{};
}

/// Names two devices that do not meet; `void` where all do.
template <class Op, class A, class B, class... Rest>
constexpr auto device_mistake() {
  if constexpr (!DevicesMeet<A, B>)
    return std::type_identity<error::devices_differ<
        spec_of_name<Op>, spec_of_name<typename A::device>, spec_of_name<typename B::device>>>{};
  else if constexpr (std::same_as<typename A::device, AnyDevice>)
    return device_mistake<Op, B, Rest...>();
  else return device_mistake<Op, A, Rest...>();
}

/// One of several types, by its position.
template <std::size_t I, class E, class... Rest>
struct TypeAt {
  using type = typename TypeAt<I - 1, Rest...>::type;
};
template <class E, class... Rest>
struct TypeAt<0, E, Rest...> {
  using type = E;
};

/// Names the axes that do not fit.
template <class Op, class... E>
constexpr auto axes_mistake() {
  constexpr auto& aligned = MapAlignment<E...>::value;
  using A = typename TypeAt<static_cast<std::size_t>(aligned.left), E...>::type;
  using B = typename TypeAt<static_cast<std::size_t>(aligned.right), E...>::type;
  if constexpr (aligned.left_axis < 0 || aligned.right_axis < 0)
    return std::type_identity<
        error::shapes_do_not_align<spec_of_name<Op>, spec_of<A>, spec_of<B>>>{};
  else
    return std::type_identity<
        error::axes_do_not_fit<spec_of_name<Op>, spec_of_axis<A, aligned.left_axis>,
                               spec_of_axis<B, aligned.right_axis>, spec_of<A>, spec_of<B>>>{};
}

/// The node that an op makes of kept operands, or the type that names the mistake.
template <class Op, class... E>
constexpr auto map_of_kept() {
  using devices = typename decltype(device_mistake<Op, E...>())::type;
  if constexpr (!std::is_void_v<devices>) return std::type_identity<devices>{};
  else if constexpr (!TakesDtypes<Op, E...>) return dtype_mistake<Op, E...>();
  else if constexpr (!MapAlignment<E...>::value.fits) return axes_mistake<Op, E...>();
  else return std::type_identity<Elementwise<Op, E...>>{};
}

template <class Op, class... X>
constexpr auto map_type() {
  using T = typename WeakType<std::remove_cvref_t<X>...>::type;
  if constexpr (!(FollowsDtype<std::remove_cvref_t<X>, T> && ...))
    return std::type_identity<
        error::floating_literal_on_integers<spec_of_name<Op>, spec_of_dtype<T>>>{};
  else return map_of_kept<Op, typename KeptAs<X, T>::type...>();
}

/// `Elementwise<Op, ...>`, or where the operands do not fit an undefined type that says why.
template <class Op, class... X>
  requires(MapOperand<X> && ...) && (Expression<X> || ...)
using Mapped = typename decltype(map_type<Op, X...>())::type;

template <class Node>
struct KeptOperands;
template <class Op, class... E>
struct KeptOperands<Elementwise<Op, E...>> {
  template <class... X>
  static constexpr Elementwise<Op, E...> map(X&&... x) {
    return Elementwise<Op, E...>(keep_operand<E>(std::forward<X>(x))...);
  }
};

/// The elements of `x...`, broadcast against each other, under `Op::f`. This is the twin of every
/// elementwise function: where the operands do not fit, its return type names the mistake. (The
/// type is a template parameter so that compilers print it without the alias.)
template <class Op, MapOperand... X, Sound Result = Mapped<Op, X&&...>>
  requires(Expression<X> || ...)
constexpr auto map(X&&... x) -> Result {
  return KeptOperands<Result>::map(std::forward<X>(x)...);
}
template <class Op, MapOperand... X, Mistaken Result = Mapped<Op, X&&...>>
  requires(Expression<X> || ...)
auto map(X&&... x) -> Result;

}  // namespace tenon

// ---- tenon/expr/move.hpp

namespace tenon {

/// Elements in another place: transposed, sliced, renamed, repeated, in windows. The element at
/// index i is the operand's at `start[a] + sum of i[k] over the axes k with order[k] == a`;
/// `order[k]` is -1 where axis k is new: size 1, or repeated. No element is copied.
template <class E, PackedMap order_, Spec S>
struct Moved : ExpressionNode<Moved<E, order_, S>> {
  using value_type = typename E::value_type;
  using device = typename E::device;
  using operand_type = E;
  static constexpr Shape const& shape = ShapeOf<S>::shape;
  static constexpr AxisMap order = unpacked(order_);
  static constexpr bool has_product = tenon::has_product<E>;
  static constexpr bool is_heavy = tenon::is_heavy<E>;
  static constexpr bool is_small = tenon::is_small<E> && is_inline(shape, sizeof(value_type));

  E operand;
  [[no_unique_address]] KeptSizes<shape.is_static()> sizes_{};
  ElementIndex start{};
  [[no_unique_address]] std::conditional_t<is_heavy && !is_small, Remembered, NoMemo> memo_{};

  constexpr Moved(E x, Sizes const& sizes, ElementIndex const& from)
      : operand(std::move(x)), start(from) {
    if constexpr (!shape.is_static() || !E::shape.is_static()) check_sizes("move", shape, sizes);
    if constexpr (!shape.is_static()) sizes_.value = sizes;
  }

  constexpr Sizes sizes() const {
    if constexpr (shape.is_static()) return static_sizes(shape);
    else return sizes_.value;
  }

  /// Where the element at `index` stands in the operand.
  constexpr ElementIndex source(ElementIndex const& index) const {
    ElementIndex result = start;
    for (int i = 0; i < shape.rank; ++i) {
      int const axis = order[static_cast<std::size_t>(i)];
      if (axis >= 0) at(result, axis) += at(index, i);
    }
    return result;
  }
};

template <class E>
inline constexpr bool is_move = false;
template <class E, PackedMap order, Spec S>
inline constexpr bool is_move<Moved<E, order, S>> = true;

/// Sizes of the result of a move that keeps the extents of the axes it takes.
constexpr Sizes moved_sizes(Sizes const& from, AxisMap const& order, int rank) {
  Sizes result = ones();
  for (int i = 0; i < rank; ++i) {
    int const axis = order[static_cast<std::size_t>(i)];
    at(result, i) = axis < 0 ? 1 : at(from, axis);
  }
  return result;
}

/// A move of a move is one move of the first operand.
template <class Rule, class E>
struct MoveOf {
  using type = Moved<E, packed(Rule::order), spec_of<Rule>>;
};
template <class Rule, class E>
  requires is_move<E>
struct MoveOf<Rule, E> {
  using type =
      Moved<typename E::operand_type, packed(followed(Rule::order, E::order)), spec_of<Rule>>;
};
/// The move that `moved<Rule>` makes of a kept operand.
template <class Rule, class E>
using MovedBy = typename MoveOf<Rule, E>::type;

/// The move whose result has the shape `Rule::shape` and the order `Rule::order`.
template <class Rule, class X>
constexpr auto moved(X&& x, Sizes const& sizes, ElementIndex const& start = {}) {
  using E = Held<X&&>;
  if constexpr (is_move<E>)
    return MovedBy<Rule, E>(std::forward<X>(x).operand, sizes, x.source(start));
  else return MovedBy<Rule, E>(hold(std::forward<X>(x)), sizes, start);
}

/// The same where every axis keeps its extent.
template <class Rule, class X>
constexpr auto moved(X&& x) {
  Sizes const sizes = moved_sizes(x.sizes(), Rule::order, Rule::shape.rank);
  return moved<Rule>(std::forward<X>(x), sizes);
}

}  // namespace tenon

// ---- tenon/expr/contract.hpp

namespace tenon {

/// What a product can read without a copy: a tensor, or a tensor with its axes moved.
template <class E>
concept Strided = TensorType<E> || (is_move<E> && TensorType<typename E::operand_type>);

/// How a product keeps an operand: strided memory as it is, anything else as its value.
template <class X>
struct ProductOperand {
  using type = TensorOf<X>;
};
template <class X>
  requires Strided<Unqualified<X>>
struct ProductOperand<X> {
  using type = Unqualified<X>;
};

template <class Kept, class X>
constexpr Kept keep_product_operand(X&& x) {
  if constexpr (std::same_as<Kept, Unqualified<X>>) return std::forward<X>(x);
  else if constexpr (std::is_lvalue_reference_v<X&&> && is_heavy<Unqualified<X>>)
    return remembered(x);
  else return evaluate(x);
}

/// A product of two tensors as `Rule::contraction` says: matmul, einsum. Its operands are values.
/// Evaluated when its result is needed; as a temporary, together with the maps that follow it.
template <class A, class B, class Rule>
struct Contract : ExpressionNode<Contract<A, B, Rule>> {
  using value_type = typename A::value_type;
  using device = typename CommonDevice<typename A::device, typename B::device>::type;
  static constexpr Contraction const& contraction = Rule::contraction;
  static constexpr Shape const& shape = contraction.shape;
  static constexpr bool knows_sizes = A::shape.is_static() && B::shape.is_static();
  static constexpr bool has_product = true;
  static constexpr bool is_heavy = true;
  static constexpr bool is_small =
      tenon::is_small<A> && tenon::is_small<B> && is_inline(shape, sizeof(value_type));

  A a;
  B b;
  [[no_unique_address]] std::conditional_t<is_small, NoMemo, Remembered> memo_{};

  constexpr Contract(A x, B y) : a(std::move(x)), b(std::move(y)) {
    if constexpr (!knows_sizes) (void)extents();  // throws where two run-time sizes disagree
  }

  /// The run-time extent of every label.
  constexpr LabelExtents extents() const {
    return label_sizes(Rule::name, contraction, A::shape, a.sizes(), B::shape, b.sizes());
  }

  constexpr Sizes sizes() const {
    if constexpr (knows_sizes) return static_sizes(shape);
    LabelExtents const known = extents();
    Sizes result = ones();
    for (int i = 0; i < shape.rank; ++i) {
      int const label = contraction.out[static_cast<std::size_t>(i)];
      if (label >= 0) at(result, i) = known[static_cast<std::size_t>(label)];
    }
    return result;
  }
};

template <class E>
inline constexpr bool is_contract = false;
template <class A, class B, class Rule>
inline constexpr bool is_contract<Contract<A, B, Rule>> = true;

}  // namespace tenon

// ---- tenon/expr/matmul.hpp

namespace tenon {

/// How matmul lies on two operands.
template <class A, class B>
struct MatmulRule {
  static constexpr std::string_view name = "matmul";
  static constexpr Contraction contraction = matmul_rule(A::shape, B::shape);
  static constexpr FixedText text = contraction.mistake;
};

/// How an einsum pattern lies on two operands.
template <Spec pattern, class A, class B>
struct EinsumRule {
  static constexpr std::string_view name = "einsum";
  static constexpr Contraction contraction = einsum_rule(pattern.view(), A::shape, B::shape);
  static constexpr FixedText text = contraction.mistake;
};

/// The name of a product, for its mistakes.
struct MatmulName {
  static constexpr std::string_view name = "matmul";
};
struct EinsumName {
  static constexpr std::string_view name = "einsum";
};

template <class A, class B>
concept SameDtype = std::same_as<typename A::value_type, typename B::value_type>;

template <class T>
concept Multiplies = NumType<T> && !HalfType<T>;

/// Names what keeps two operands from being multiplied, whatever their shapes; else `void`.
template <class Name, class A, class B>
constexpr auto product_mistake() {
  using T = typename A::value_type;
  if constexpr (!DevicesMeet<A, B>) return device_mistake<Name, A, B>();
  else if constexpr (!SameDtype<A, B>) return dtype_mistake<Name, A, B>();
  else if constexpr (!Multiplies<T>) return dtype_mistake<Name, A>();
  else return std::type_identity<void>{};
}

/// Names the axes of a product that do not fit.
template <class Name, class Rule, class A, class B>
constexpr auto contraction_mistake() {
  constexpr Contraction const& rule = Rule::contraction;
  if constexpr (rule.left_axis < 0 || rule.right_axis < 0)
    return std::type_identity<
        error::shapes_do_not_align<spec_of_name<Name>, spec_of<A>, spec_of<B>>>{};
  else
    return std::type_identity<
        error::axes_do_not_fit<spec_of_name<Name>, spec_of_axis<A, rule.left_axis>,
                               spec_of_axis<B, rule.right_axis>, spec_of<A>, spec_of<B>>>{};
}

template <class A, class B>
constexpr auto matmul_type() {
  using Rule = MatmulRule<A, B>;
  using other = typename decltype(product_mistake<MatmulName, A, B>())::type;
  if constexpr (!std::is_void_v<other>) return std::type_identity<other>{};
  else if constexpr (!Rule::contraction.fits) return contraction_mistake<MatmulName, Rule, A, B>();
  else return std::type_identity<Contract<A, B, Rule>>{};
}

template <Spec pattern, class A, class B>
constexpr auto einsum_type() {
  using Rule = EinsumRule<pattern, A, B>;
  using other = typename decltype(product_mistake<EinsumName, A, B>())::type;
  if constexpr (!std::is_void_v<other>) return std::type_identity<other>{};
  else if constexpr (Rule::contraction.fits) return std::type_identity<Contract<A, B, Rule>>{};
  else if constexpr (Rule::contraction.left_axis >= 0 && Rule::contraction.right_axis >= 0)
    return contraction_mistake<EinsumName, Rule, A, B>();
  else
    return std::type_identity<error::pattern_does_not_fit<
        spec_of_name<EinsumName>, spec_of_text<Rule>, pattern, spec_of<A>, spec_of<B>>>{};
}

template <class X>
using HeldForProduct = typename ProductOperand<X>::type;

template <Expression X, Expression Y>
using Matmul = typename decltype(matmul_type<HeldForProduct<X>, HeldForProduct<Y>>())::type;

template <Spec pattern, Expression X, Expression Y>
using Einsum =
    typename decltype(einsum_type<pattern, HeldForProduct<X>, HeldForProduct<Y>>())::type;

/// The matrix product: "… m k" by "… k n" gives "… m n"; leading axes broadcast; one axis is a
/// vector, as in NumPy. The contracted axes must agree. Same dtype. PyTorch: `torch.matmul`.
template <Expression X, Expression Y, Sound Result = Matmul<X&&, Y&&>>
constexpr auto matmul(X&& x, Y&& y) -> Result {
  return Result(keep_product_operand<HeldForProduct<X&&>>(std::forward<X>(x)),
                keep_product_operand<HeldForProduct<Y&&>>(std::forward<Y>(y)));
}
template <Expression X, Expression Y, Mistaken Result = Matmul<X&&, Y&&>>
auto matmul(X&& x, Y&& y) -> Result;
template <class... X>
auto matmul(X const&...) -> FirstMistake<X...>;

/// Einstein's sum over two operands: `einsum<"b h q d, b h k d -> b h q k">(q, k)`. The result
/// carries the pattern's words. Same dtype. PyTorch: `torch.einsum`.
template <Spec pattern, Expression X, Expression Y, Sound Result = Einsum<pattern, X&&, Y&&>>
constexpr auto einsum(X&& x, Y&& y) -> Result {
  return Result(keep_product_operand<HeldForProduct<X&&>>(std::forward<X>(x)),
                keep_product_operand<HeldForProduct<Y&&>>(std::forward<Y>(y)));
}
template <Spec pattern, Expression X, Expression Y, Mistaken Result = Einsum<pattern, X&&, Y&&>>
auto einsum(X&& x, Y&& y) -> Result;
template <Spec, class... X>
auto einsum(X const&...) -> FirstMistake<X...>;

}  // namespace tenon

// ---- tenon/eval/backend.hpp

namespace tenon {

/// The backend that computes for a device; specialised where the backend is written.
template <class Device>
struct BackendFor;

template <class Device>
using BackendOf = typename BackendFor<Device>::type;

/// What evaluation asks of a backend: four verbs, each given a settled recipe, which is a plan.
///
///   fill(e, out)              every element of e to out: loops, rows with folds, gathers
///   pull(e, adjoint, tape)    the adjoint of e to those of its leaves: the same, in reverse
///   contract(product, out)    a product, to a row-major result
///   pull_contract(product, adjoint, tape)
///
/// A faster verb that a backend offers beyond these is found by a `requires`.
template <class B>
concept Backend = requires(
    Tensor<float, "n", typename B::device> const& x,
    Contract<Tensor<float, "n k", typename B::device>, Tensor<float, "k m", typename B::device>,
             MatmulRule<Tensor<float, "n k", typename B::device>,
                        Tensor<float, "k m", typename B::device>>> const& p,
    MemoryAccess out, float* to, float const* from, Tape& tape) {
  B::fill(x, out);
  B::pull(x, out, tape);
  B::contract(p, to);
  B::pull_contract(p, from, tape);
};

}  // namespace tenon

// ---- tenon/eval/machine.hpp

namespace tenon {

/// The machine that computes one element at a time: `reference`, and constant evaluation.
struct ScalarMachine {
  static constexpr int count = 1;
  template <class T>
  using vector = T;

  template <class T>
  static T load(T const* from) {
    return *from;
  }
  template <class T>
  static T load(T const* from, int) {
    return *from;
  }
  template <class T>
  static T load_strided(T const* from, std::int64_t, int) {
    return *from;
  }
  template <class T>
  static void store(T value, T* to) {
    *to = value;
  }
  template <class T>
  static void store(T value, T* to, int) {
    *to = value;
  }
  template <class T>
  static void store_strided(T value, T* to, std::int64_t, int) {
    *to = value;
  }
  template <class T>
  static constexpr bool stores_past_caches = false;
  static void finish_past_caches() {}
  template <class T>
  static T lane(T value, int) {
    return value;
  }
  template <class T>
  static T first(T value, int n, T rest) {
    return n > 0 ? value : rest;
  }
  /// The lanes folded into one; of n lanes only the first n, the others count as `rest`.
  template <class Op, class T>
  static T fold(T value, int, T) {
    return value;
  }
};

}  // namespace tenon

// ---- tenon/eval/pairwise.hpp

namespace tenon {

/// Folds a sequence in a fixed tree: blocks one after the other, the blocks pairwise, so that the
/// rounding error of a sum grows with the logarithm of its length. The tree depends on nothing but
/// the length.
template <class M, class Op, class T>
class PairwiseFold {
 public:
  using V = typename M::template vector<T>;
  static constexpr int block_length = 64;

  constexpr void add(V x) {
    block_ = Op::f(block_, x);
    if (++filled_ < block_length) return;
    push(block_);
    block_ = V(Op::template identity<T>);
    filled_ = 0;
  }

  /// Adds a block that is folded already, and carries it up, as in binary counting.
  constexpr void push(V block) {
    std::uint64_t i = 0;
    for (; ((blocks_ >> i) & 1) != 0; ++i) block = Op::f(levels_[i], block);
    levels_[i] = block;
    ++blocks_;
  }

  constexpr V result() const {
    V total = block_;
    for (std::uint64_t left = blocks_, i = 0; left != 0; left >>= 1, ++i) {
      if ((left & 1) != 0) total = Op::f(levels_[i], total);
    }
    return total;
  }

 private:
  V block_ = V(Op::template identity<T>);
  std::array<V, 48> levels_;
  std::uint64_t blocks_ = 0;
  int filled_ = 0;
};

}  // namespace tenon

// ---- tenon/core/choose.hpp

namespace tenon {

enum class AxisSearch { ok, not_found, ambiguous, out_of_range };

/// The axes an operation was told to work on, or the word that names none.
struct AxisChoice {
  std::array<bool, max_rank> has{};
  int count = 0;
  AxisSearch result = AxisSearch::ok;
  FixedText culprit{};

  constexpr bool operator[](int i) const { return has[static_cast<std::size_t>(i)]; }
  /// The first chosen axis.
  constexpr int axis() const {
    for (int i = 0; i < max_rank; ++i) {
      if ((*this)[i]) return i;
    }
    return -1;
  }
};

constexpr AxisChoice refused_choice(AxisSearch why, std::string_view culprit) {
  AxisChoice choice{};
  choice.result = why;
  choice.culprit = FixedText(culprit.substr(0, FixedText::capacity));
  return choice;
}

constexpr AxisChoice every_axis(Shape const& shape) {
  AxisChoice choice{};
  for (int i = 0; i < max_rank; ++i) choice.has[static_cast<std::size_t>(i)] = i < shape.rank;
  choice.count = shape.rank;
  return choice;
}

/// Chooses axes by name: "height width"; "" chooses all.
constexpr AxisChoice choose_axes(Shape const& shape, std::string_view names) {
  AxisChoice choice{};
  for (auto name = next_word(names); !name.empty(); name = next_word(names)) {
    int found = -1;
    for (int i = 0; i < shape.rank; ++i) {
      if (shape[i].name.view() != name) continue;
      if (found >= 0) return refused_choice(AxisSearch::ambiguous, name);
      found = i;
    }
    if (found < 0) return refused_choice(AxisSearch::not_found, name);
    if (choice[found]) return refused_choice(AxisSearch::ambiguous, name);
    choice.has[static_cast<std::size_t>(found)] = true;
    ++choice.count;
  }
  return choice.count == 0 ? every_axis(shape) : choice;
}

/// Chooses an axis by index; -1 is the last.
constexpr AxisChoice choose_axis(Shape const& shape, int index) {
  int const axis = index < 0 ? index + shape.rank : index;
  if (axis < 0 || axis >= shape.rank) {
    TextWriter<FixedText::capacity> culprit{};
    return refused_choice(AxisSearch::out_of_range, (culprit << std::int64_t{index}).view());
  }
  AxisChoice choice{};
  choice.has[static_cast<std::size_t>(axis)] = true;
  choice.count = 1;
  return choice;
}

/// The shape of a fold: the chosen axes are dropped, or kept with size 1 and their names.
constexpr Shape folded(Shape const& shape, AxisChoice const& choice, bool keep) {
  Shape result{};
  for (int i = 0; i < shape.rank; ++i) {
    if (choice[i] && !keep) continue;
    result[result.rank++] = choice[i] ? named_axis(shape[i].name.view(), 1) : shape[i];
  }
  return settle(result).shape;
}

}  // namespace tenon

// ---- tenon/expr/axes.hpp

namespace tenon {

/// Axes as a template argument: `sum<"height width">`, `sum<-1>`, `sum` (all).
struct Axes {
  FixedText names{};
  int index = 0;
  bool by_index = false;

  constexpr Axes() = default;
  constexpr Axes(char const* text) : names(text) {}
  constexpr Axes(int axis) : index(axis), by_index(true) {}
};

/// All axes. (A name: g++ 12 cannot build the default of a template parameter in a lambda.)
inline constexpr Axes every{};

constexpr AxisChoice choose(Shape const& shape, Axes const& axes) {
  return axes.by_index ? choose_axis(shape, axes.index) : choose_axes(shape, axes.names.view());
}

/// The axes that `A` chooses in `E`.
template <Axes A, class E>
struct Chosen {
  static constexpr AxisChoice value = choose(E::shape, A);
  static constexpr bool ok = value.result == AxisSearch::ok;
  static constexpr FixedText text = value.culprit;
};

/// Can the axes be chosen in `X`?
template <Axes axes, class X>
concept HasAxes = Expression<X> && Chosen<axes, Unqualified<X>>::ok;

/// Names the axis that cannot be chosen; `Op` has a name.
template <class Op, Axes A, class E>
constexpr auto choice_mistake() {
  if constexpr (Chosen<A, E>::value.result == AxisSearch::ambiguous)
    return std::type_identity<
        error::name_is_ambiguous<spec_of_name<Op>, spec_of_text<Chosen<A, E>>, spec_of<E>>>{};
  else
    return std::type_identity<
        error::axis_is_not_found<spec_of_name<Op>, spec_of_text<Chosen<A, E>>, spec_of<E>>>{};
}

template <class Op, Axes A, class E>
using ChoiceMistake = typename decltype(choice_mistake<Op, A, E>())::type;

}  // namespace tenon

// ---- tenon/op/integer_words.hpp

/// The words of integers: nothing traps, nothing is undefined. Of other values they are operators.
namespace tenon::word {

/// Integers wrap around, as every machine does, also where C++ calls it undefined.
template <class V>
[[gnu::always_inline]] constexpr V add(V a, V b) {
  if constexpr (std::integral<V>) return static_cast<V>(std::uint64_t(a) + std::uint64_t(b));
  else return a + b;
}

template <class V>
[[gnu::always_inline]] constexpr V subtract(V a, V b) {
  if constexpr (std::integral<V>) return static_cast<V>(std::uint64_t(a) - std::uint64_t(b));
  else return a - b;
}

template <class V>
[[gnu::always_inline]] constexpr V multiply(V a, V b) {
  if constexpr (std::integral<V>) return static_cast<V>(std::uint64_t(a) * std::uint64_t(b));
  else return a * b;
}

/// The upper half of the product of two words.
constexpr std::uint32_t multiply_high(std::uint32_t a, std::uint32_t b) {
  return static_cast<std::uint32_t>((std::uint64_t{a} * b) >> 32);
}
__extension__ using Wide = unsigned __int128;
constexpr std::uint64_t multiply_high(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::uint64_t>((Wide{a} * b) >> 64);
}

/// Integers: towards zero; by zero it is zero, and the smallest by -1 is itself: nothing traps.
template <class V>
[[gnu::always_inline]] constexpr V divide(V a, V b) {
  if constexpr (!std::integral<V>) {
    return a / b;
  } else {
    if (b == V(0)) return V(0);
    if constexpr (std::signed_integral<V>) {
      if (b == V(-1)) return subtract(V(0), a);
    }
    return static_cast<V>(a / b);
  }
}

/// What `divide` leaves, with the sign of a. By zero it is zero: nothing traps.
template <class V>
constexpr V modulo(V a, V b) {
  if constexpr (!std::integral<V>) {
    return a % b;
  } else {
    if (b == V(0)) return V(0);
    if constexpr (std::signed_integral<V>) {
      if (b == V(-1)) return V(0);
    }
    return static_cast<V>(a % b);
  }
}

/// May an integer be moved by so many places? (A negative number is a large one.)
template <std::integral T>
constexpr bool is_shift(T places) {
  return static_cast<std::uint64_t>(places) < 8 * sizeof(T);
}

/// Moved to higher places; by as many as there are, or a negative number, nothing is left.
template <class V>
constexpr V shift_left(V a, V b) {
  if constexpr (!std::integral<V>) return a << b;
  else return is_shift(b) ? static_cast<V>(std::uint64_t(a) << b) : V(0);
}

/// Moved to lower places; by as many as there are, or a negative number, the sign is left.
template <class V>
constexpr V shift_right(V a, V b) {
  if constexpr (!std::integral<V>) return a >> b;
  else if (is_shift(b)) return static_cast<V>(a >> b);
  else return a < V(0) ? V(-1) : V(0);
}

}  // namespace tenon::word

// ---- tenon/op/value.hpp

#include <cmath>

/// What a value of an op is made of: scalars, and how they are laid out.
namespace tenon::word {

template <class T>
concept Scalar = std::is_arithmetic_v<T>;

template <class V>
struct ScalarOf {  // complex numbers and the 16-bit dtypes are scalars too
  using type = V;
};
template <class V>
  requires requires { typename V::value_type; }
struct ScalarOf<V> {
  using type = typename V::value_type;
};
template <class T>
struct ScalarOf<std::complex<T>> {
  using type = std::complex<T>;
};

/// The scalar that a value of an op consists of: `float` for `float` and for `Lanes<float>`.
template <class V>
using scalar_of = typename ScalarOf<V>::type;

template <class V>
concept FloatingValue = std::floating_point<scalar_of<V>>;

/// What can be added. Masks are combined; the 16-bit dtypes are cast first.
template <class V>
concept NumberValue = !std::same_as<scalar_of<V>, bool> && requires(scalar_of<V> x) { x + x; };

/// What can be added and has an order.
template <class V>
concept RealValue = NumberValue<V> && Scalar<scalar_of<V>>;

/// What a comparison of two `V` gives.
template <class V>
using mask_of = decltype(std::declval<V>() == std::declval<V>());

template <class V>
concept MaskValue = std::same_as<V, mask_of<V>>;

/// How a floating scalar is laid out.
template <class T>
struct Layout {
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  static constexpr int mantissa_bits = std::numeric_limits<T>::digits - 1;
  static constexpr int bias = std::numeric_limits<T>::max_exponent - 1;
  static constexpr Bits sign = Bits{1} << (8 * sizeof(T) - 1);
  static constexpr Bits one = static_cast<Bits>(bias) << mantissa_bits;
  static constexpr Bits fraction = (Bits{1} << mantissa_bits) - 1;
  static constexpr T smallest_normal = std::numeric_limits<T>::min();
  static constexpr T largest = std::numeric_limits<T>::max();
  static constexpr T infinity = std::numeric_limits<T>::infinity();
  static constexpr T nan = std::numeric_limits<T>::quiet_NaN();
};

}  // namespace tenon::word

// ---- tenon/op/words.hpp

/// The machine words: what the body of an op may say beyond `+ - * /` and comparisons.
/// Here they are for scalars, also in constant evaluation. `Lanes`, `Symbol` and the like bring
/// their own, found by argument-dependent lookup. They stand in a namespace of their own so that
/// `using namespace tenon` does not make `sqrt(2.0)` ambiguous with the C library's.
namespace tenon::word {

/// The bits of a floating scalar as an unsigned integer of the same width.
template <std::floating_point T>
constexpr auto bits(T x) {
  return std::bit_cast<typename Layout<T>::Bits>(x);
}

/// The floating scalar that has these bits.
constexpr float from_bits(std::uint32_t b) { return std::bit_cast<float>(b); }
constexpr double from_bits(std::uint64_t b) { return std::bit_cast<double>(b); }

template <Scalar T>
constexpr T select(bool mask, T yes, T no) {
  return mask ? yes : no;
}

template <Scalar T>
constexpr bool is_nan(T x) {
  return x != x;
}

/// f(x) where the mask is true, which is rare, else `usual`; f takes scalars, and symbols.
template <Scalar T, class F>
constexpr T rarely(bool mask, T x, F f, T usual) {
  return mask ? f(x) : usual;
}

/// An entry of a table that has a name.
template <class Table>
constexpr std::uint64_t entry(std::uint64_t at) {
  return Table::entries[at];
}

/// The value within [low, high]; NaN stays NaN.
template <Scalar T>
constexpr T clamp(T x, T low, T high) {
  return x < low ? low : high < x ? high : x;
}

template <std::floating_point T>
constexpr T copysign(T magnitude, T sign) {
  constexpr auto s = Layout<T>::sign;
  return from_bits((bits(magnitude) & ~s) | (bits(sign) & s));
}

template <Scalar T>
constexpr T abs(T x) {
  if constexpr (std::floating_point<T>) return from_bits(bits(x) & ~Layout<T>::sign);
  else if constexpr (std::signed_integral<T>) return x < 0 ? subtract(T(0), x) : x;
  else return x;
}

/// The larger one; NaN when either is; -0 is below +0 (IEEE 754-2019 `maximum`).
template <Scalar T>
constexpr T maximum(T a, T b) {
  if constexpr (std::floating_point<T>) {
    if (is_nan(a) || is_nan(b)) return a + b;
    if (a == b) return from_bits(bits(a) & bits(b));
  }
  return a < b ? b : a;
}

/// The smaller one; NaN when either is; -0 is below +0 (IEEE 754-2019 `minimum`).
template <Scalar T>
constexpr T minimum(T a, T b) {
  if constexpr (std::floating_point<T>) {
    if (is_nan(a) || is_nan(b)) return a + b;
    if (a == b) return from_bits(bits(a) | bits(b));
  }
  return b < a ? b : a;
}

/// The nearest integer, halves to the even one.
template <std::floating_point T>
constexpr T round_even(T x) {
  constexpr T magic = T(1) / std::numeric_limits<T>::epsilon();  // from here on all are integers
  if (!(abs(x) < magic)) return x;
  T const shifted = copysign(magic, x);
  return copysign((x + shifted) - shifted, x);
}

template <std::floating_point T>
constexpr T floor(T x) {
  T const nearest = round_even(x);
  return copysign(nearest - (nearest > x ? T(1) : T(0)), x);
}

/// 2^n for an integer n within the normal range. (The sum has the integer in its lowest bits.)
template <std::floating_point T>
constexpr T power_of_two(T n) {
  using L = Layout<T>;
  return from_bits(bits(n + (T(1) / std::numeric_limits<T>::epsilon() + L::bias))
                   << L::mantissa_bits);
}

/// The scalar of another dtype nearest to x. A floating x becomes an integer towards zero; where it
/// does not fit, the largest or smallest one; NaN becomes 0.
template <class To, class From>
constexpr To convert(From x) {
  if constexpr (std::same_as<To, bool>) {
    return x != From(0);
  } else if constexpr (std::integral<To> && std::floating_point<From>) {
    constexpr From limit = power_of_two(From(std::numeric_limits<To>::digits));
    if (x >= limit) return std::numeric_limits<To>::max();
    if (x <= (std::signed_integral<To> ? -limit : From(0))) return std::numeric_limits<To>::min();
    return is_nan(x) ? To(0) : static_cast<To>(x);
  } else if constexpr (std::integral<To> && !Scalar<From>) {
    return convert<To>(static_cast<float>(x));
  } else if constexpr (requires { static_cast<To>(x); }) {
    return static_cast<To>(x);
  } else {  // one 16-bit dtype to the other
    return static_cast<To>(static_cast<float>(x));
  }
}

/// x * 2^n, rounded once, for an integer n of up to twice the range of exponents; x * 2^(n/2) is
/// normal.
template <std::floating_point T>
constexpr T scale(T x, T n) {
  T const half = floor(n * T(0.5));
  return (x * power_of_two(half)) * power_of_two(n - half);
}

/// The e of x = m * 2^e with m in [1, 2): for positive x, subnormal ones included.
template <std::floating_point T>
constexpr T exponent(T x) {
  using L = Layout<T>;
  bool const small = x < L::smallest_normal;
  T const normal = small ? x / std::numeric_limits<T>::epsilon() : x;
  auto const biased = static_cast<int>(bits(normal) >> L::mantissa_bits);
  return static_cast<T>(biased - L::bias - (small ? L::mantissa_bits : 0));
}

/// The m of x = m * 2^e with m in [1, 2): for positive x, subnormal ones included.
template <std::floating_point T>
constexpr T mantissa(T x) {
  using L = Layout<T>;
  T const normal = x < L::smallest_normal ? x / std::numeric_limits<T>::epsilon() : x;
  return from_bits((bits(normal) & L::fraction) | L::one);
}

/// Does the machine multiply and add in one step?
#if defined(__FMA__) || defined(__aarch64__)
inline constexpr bool fma_rounds_once = true;
#else
inline constexpr bool fma_rounds_once = false;
#endif

/// x * y + z, rounded once where the machine can; the bodies are good enough without.
template <std::floating_point T>
constexpr T fma(T x, T y, T z) {
  if (std::is_constant_evaluated()) return static_cast<T>(double(x) * double(y) + double(z));
  if constexpr (fma_rounds_once) return std::fma(x, y, z);
  else return x * y + z;
}

template <std::floating_point T>
constexpr T sqrt(T x) {
  if (!std::is_constant_evaluated()) return std::sqrt(x);
  if (!(x > 0) || x == Layout<T>::infinity) return x < 0 ? Layout<T>::nan : x;
  T y = scale(T(1), floor(exponent(x) * T(0.5)));
  for (int i = 0; i < 8; ++i) y = T(0.5) * (y + x / y);
  return y;
}

}  // namespace tenon::word

// ---- tenon/op/partials.hpp

namespace tenon::op {

using namespace word;  // the body of an op speaks in words

/// A partial derivative that is one everywhere: the adjoint passes as it is.
struct One {};
/// A partial derivative that is zero everywhere: nothing passes.
struct Zero {};

/// The partial derivatives of an op, one per argument: a value (the adjoint is multiplied by it),
/// a mask (the adjoint passes where it is true), `One` or `Zero`.
template <class... P>
struct Partials;

template <class P0>
struct Partials<P0> {
  P0 p0;
};
template <class P0, class P1>
struct Partials<P0, P1> {
  P0 p0;
  P1 p1;
};
template <class P0, class P1, class P2>
struct Partials<P0, P1, P2> {
  P0 p0;
  P1 p1;
  P2 p2;
};

template <class... P>
constexpr auto partials(P... p) {
  return Partials<P...>{p...};
}

/// The share of an adjoint that a partial derivative lets through.
template <class V>
[[gnu::always_inline]] constexpr V pulled(One, V adjoint) {
  return adjoint;
}
template <class V>
[[gnu::always_inline]] constexpr V pulled(Zero, V) {
  return V(scalar_of<V>(0));
}
template <class P, class V>
[[gnu::always_inline]] constexpr V pulled(P partial, V adjoint) {
  if constexpr (std::same_as<P, V>) return partial * adjoint;
  else return select(partial, adjoint, V(scalar_of<V>(0)));
}

/// The value of another op inside a derivative. It is called so, not by its `f`, because a
/// derivative of a derivative asks for the other op's own.
template <class Op, class... V>
constexpr auto applied(V... x) {
  return Op::f(x...);
}

/// A list of ops; `Joined` is the list of the members of several.
template <class... Ops>
struct List {};

template <class... Lists>
struct Join;
template <class... A>
struct Join<List<A...>> {
  using type = List<A...>;
};
template <class... A, class... B, class... Rest>
struct Join<List<A...>, List<B...>, Rest...> : Join<List<A..., B...>, Rest...> {};

template <class... Lists>
using Joined = typename Join<Lists...>::type;

}  // namespace tenon::op

// ---- tenon/op/fold.hpp

namespace tenon::op {

/// An op that folds many values into one is associative and commutative: it has an identity, it
/// combines two values, and it passes the adjoint of the result on in two steps. Once, `share`
/// makes of it what all values have in common; it may fold over all values `x` again,
/// `over(Fold{}, [](x) { ... })`. Then `pull` gives each value its part of the share.
struct SumFold {
  static constexpr std::string_view name = "sum";
  static constexpr std::string_view onnx = "ReduceSum";
  template <class T>
  static constexpr T identity = T(0);
  template <NumberValue V>
  [[gnu::always_inline]] static constexpr V f(V a, V b) {
    return add(a, b);
  }
  template <class V, class Over>
  [[gnu::always_inline]] static constexpr V share(V adjoint, V, Over const&) {
    return adjoint;
  }
  /// For `x`, where the result is `y`.
  template <class V>
  [[gnu::always_inline]] static constexpr V pull(V share, V, V) {
    return share;
  }
};

/// The product. The adjoint of a value is that of the result times the other values, also where
/// some of these are zero; (a product beyond the range of the dtype has no slope to speak of).
struct ProdFold {
  static constexpr std::string_view name = "prod";
  static constexpr std::string_view onnx = "ReduceProd";
  template <class T>
  static constexpr T identity = T(1);
  template <NumberValue V>
  static constexpr V f(V a, V b) {
    return multiply(a, b);
  }
  /// The adjoint times all values, and times those that are not zero where one is or two are; the
  /// sum of the zeros is there for its slope, so that derivatives of derivatives are right too.
  template <class V>
  struct Share {
    V whole, of_one, of_two, zeros;
  };
  template <class V, class Over>
  static constexpr Share<V> share(V adjoint, V y, Over const& over) {
    V const none = V(scalar_of<V>(0)), one = V(scalar_of<V>(1)), two = V(scalar_of<V>(2));
    V const count = over(SumFold{}, [=](V x) { return select(x == none, one, none); });
    V const zeros = over(SumFold{}, [=](V x) { return select(x == none, x, none); });
    V const others = over(ProdFold{}, [=](V x) { return select(x == none, one, x); });
    V const part = adjoint * others;
    return {adjoint * y, select(count == one, part, none), select(count == two, part, none), zeros};
  }
  template <class V>
  static constexpr V pull(Share<V> const& share, V x, V) {
    V const none = V(scalar_of<V>(0)), one = V(scalar_of<V>(1));
    return select(x == none, share.of_one + share.of_two * (share.zeros - x),
                  share.whole / select(x == none, one, x));
  }
};

/// Extremes share the adjoint equally among ties.
struct Extreme {
  template <class V, class Over>
  [[gnu::always_inline]] static constexpr V share(V adjoint, V y, Over const& over) {
    V const none = V(scalar_of<V>(0)), one = V(scalar_of<V>(1));
    V const ties = over(SumFold{}, [=](V x) { return select(x == y, one, none); });
    return select(ties > one, adjoint / ties, adjoint);
  }
  template <class V>
  [[gnu::always_inline]] static constexpr V pull(V share, V x, V y) {
    return select(x == y, share, V(scalar_of<V>(0)));
  }
};

/// The largest; NaN if there is one; of nothing: the lowest value.
struct MaxFold : Extreme {
  static constexpr std::string_view name = "max";
  static constexpr std::string_view onnx = "ReduceMax";
  template <class T>
  static constexpr T identity =
      std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity()
                                           : std::numeric_limits<T>::lowest();
  template <RealValue V>
  [[gnu::always_inline]] static constexpr V f(V a, V b) {
    return maximum(a, b);
  }
};

/// The smallest; NaN if there is one; of nothing: the largest value.
struct MinFold : Extreme {
  static constexpr std::string_view name = "min";
  static constexpr std::string_view onnx = "ReduceMin";
  template <class T>
  static constexpr T identity =
      std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity()
                                           : std::numeric_limits<T>::max();
  template <RealValue V>
  [[gnu::always_inline]] static constexpr V f(V a, V b) {
    return minimum(a, b);
  }
};

/// Is any mask true? Of nothing: no.
struct AnyFold {
  static constexpr std::string_view name = "any";
  static constexpr bool folds_masks = true;
  template <class T>
  static constexpr T identity = false;
  template <class M>
  [[gnu::always_inline]] static constexpr M f(M a, M b) {
    return M(a | b);
  }
};

/// Are all masks true? Of nothing: yes.
struct AllFold {
  static constexpr std::string_view name = "all";
  static constexpr bool folds_masks = true;
  template <class T>
  static constexpr T identity = true;
  template <class M>
  [[gnu::always_inline]] static constexpr M f(M a, M b) {
    return M(a & b);
  }
};

/// A better value displaces the best so far, and so does the first NaN.
template <class V>
constexpr mask_of<V> displaces(mask_of<V> is_better, V x, V best) {
  mask_of<V> const is_none = is_nan(x), was_one = !is_nan(best);
  return is_better | (is_none & was_one);
}

/// The position of the largest; of the first NaN if there is one; the first among equals.
struct ArgmaxFold {
  static constexpr std::string_view name = "argmax";
  static constexpr std::string_view onnx = "ArgMax";
  /// Does `x` displace the best so far?
  template <class V>
  static constexpr auto better(V x, V best) {
    return displaces(x > best, x, best);
  }
};

/// The position of the smallest; of the first NaN if there is one; the first among equals.
struct ArgminFold {
  static constexpr std::string_view name = "argmin";
  static constexpr std::string_view onnx = "ArgMin";
  template <class V>
  static constexpr auto better(V x, V best) {
    return displaces(x < best, x, best);
  }
};

/// Folds that give a position; they run element by element, in order.
template <class F>
concept PositionFold = requires { F::better(1.0f, 2.0f); };

/// Folds of masks alone; all others are of numbers alone.
template <class F>
concept MaskFold = requires { requires F::folds_masks; };

/// What folds over all values again, as `share` sees it.
struct AnyOver {
  template <class Fold, class Of>
  float operator()(Fold, Of const&) const;
};

/// Folds whose result has a derivative.
template <class F>
concept SmoothFold = requires(float x, AnyOver over) { F::pull(F::share(x, x, over), x, x); };

/// What is no fold itself: a fold and what follows it.
struct MeanReduction {
  static constexpr std::string_view name = "mean";
};
struct VarianceReduction {
  static constexpr std::string_view name = "var";
};
struct NoReduction {
  static constexpr std::string_view name = "none";
};

// As they are written in `reduce` and in the losses: `reduce<"b h w c -> b c", op::mean>(x)`.
using sum = SumFold;
using max = MaxFold;
using min = MinFold;
using prod = ProdFold;
using mean = MeanReduction;
using none = NoReduction;

}  // namespace tenon::op

// ---- tenon/expr/fold.hpp

namespace tenon {

/// Asks a fold to leave its axes with size 1: `max<"digit">(x, keep)`.
struct Keep {};
inline constexpr Keep keep{};

constexpr AxisBits bits_of(AxisChoice const& choice) {
  AxisBits bits = 0;
  for (int i = 0; i < max_rank; ++i) bits |= choice[i] ? 1u << i : 0u;
  return bits;
}

template <class Op, class E>
struct FoldValue {
  using type = typename E::value_type;
};
template <op::PositionFold Op, class E>
struct FoldValue<Op, E> {
  using type = std::int32_t;
};

/// An associative op over some axes of its operand.
template <class Op, class E, AxisBits axes, bool keeps>
struct Fold : ExpressionNode<Fold<Op, E, axes, keeps>> {
  using value_type = typename FoldValue<Op, E>::type;
  using device = typename E::device;
  using op = Op;
  using operand_type = E;
  static constexpr AxisChoice choice() {
    AxisChoice chosen{};
    for (int i = 0; i < max_rank; ++i) chosen.has[static_cast<std::size_t>(i)] = has_axis(axes, i);
    chosen.count = count_axes(axes);
    return chosen;
  }
  static constexpr Shape shape = folded(E::shape, choice(), keeps);
  static constexpr bool has_product = tenon::has_product<E>;
  static constexpr bool is_heavy = true;
  static constexpr bool is_small = tenon::is_small<E> && is_inline(shape, sizeof(value_type));

  E operand;
  [[no_unique_address]] std::conditional_t<is_small, NoMemo, Remembered> memo_{};

  constexpr explicit Fold(E x) : operand(std::move(x)) {}

  constexpr Sizes sizes() const {
    Sizes const from = operand.sizes();
    Sizes result = ones();
    for (int i = 0, to = 0; i < E::shape.rank; ++i) {
      bool const folds = has_axis(axes, i);
      if (!folds) at(result, to++) = at(from, i);
      else if (keeps) ++to;
    }
    return result;
  }
};

template <class E>
inline constexpr bool is_fold = false;
template <class Op, class E, AxisBits axes, bool keeps>
inline constexpr bool is_fold<Fold<Op, E, axes, keeps>> = true;

/// Has the fold a meaning for the dtype of `E`? The 16-bit dtypes are cast first.
template <class Op, class E>
concept FoldsDtype = (op::PositionFold<Op> && RealType<typename E::value_type> &&
                      !HalfType<typename E::value_type>) ||
                     (op::MaskFold<Op> == BoolType<typename E::value_type> &&
                      !HalfType<typename E::value_type> && requires(typename E::value_type x) {
                        { Op::f(x, x) } -> std::same_as<typename E::value_type>;
                      });

template <class Op, Axes A, bool keeps, class X>
constexpr auto fold_type() {
  using E = Held<X>;
  if constexpr (!Chosen<A, E>::ok) return std::type_identity<ChoiceMistake<Op, A, E>>{};
  else if constexpr (!FoldsDtype<Op, E>) return dtype_mistake<Op, E>();
  else return std::type_identity<Fold<Op, E, bits_of(Chosen<A, E>::value), keeps>>{};
}

/// The node of a fold, or where an axis is not found an undefined type that says so.
template <class Op, Axes A, bool keeps, Expression X>
using Folded = typename decltype(fold_type<Op, A, keeps, X>())::type;

/// `x` folded over the axes `A`. This is the twin of every reduction.
template <class Op, Axes A, bool keeps = false, Expression X,
          Sound Result = Folded<Op, A, keeps, X&&>>
constexpr auto fold(X&& x) -> Result {
  return Result(hold(std::forward<X>(x)));
}
template <class Op, Axes A, bool keeps = false, Expression X,
          Mistaken Result = Folded<Op, A, keeps, X&&>>
auto fold(X&& x) -> Result;

}  // namespace tenon

// ---- tenon/core/join.hpp

namespace tenon {

// What becomes of an axis whose size changes: its name goes, its size is computed where it can be.

/// The axis of two put end to end: `n` and `m` make `m+n`, 3 and 4 make 7, `_` makes `_`.
constexpr Axis sum_of(Axis const& a, Axis const& b) { return axis_of(extent_of(a) + extent_of(b)); }

/// An axis after so many elements were added: `(n+1)` and -1 make `n`.
constexpr Axis plus(Axis const& axis, std::int64_t added) {
  return added == 0 ? axis : axis_of(extent_of(axis) + number_extent(added));
}

/// An axis cut or filled to a size, or to one known only at run time.
constexpr Axis resized(Axis const& axis, std::int64_t size) {
  if (size == dynamic) return Axis{};
  return axis.size == size ? axis : axis_of_size(size);
}

/// A shape with another axis in the place of one.
constexpr Shape with_axis(Shape const& shape, int axis, Axis const& replacement) {
  Shape result{};
  for (int i = 0; i < shape.rank; ++i) {
    result[result.rank++] = i == axis ? replacement : shape[i];
  }
  return settle(result).shape;
}

/// A shape with one more axis, which comes to stand at `at`; the rank is below the largest.
constexpr Shape inserted(Shape const& shape, int at, Axis const& axis) {
  Shape result{};
  for (int i = 0; i <= shape.rank; ++i) {
    result[result.rank++] = i == at ? axis : shape[i < at ? i : i - 1];
  }
  return settle(result).shape;
}

constexpr Shape removed(Shape const& shape, int axis) {
  Shape result{};
  for (int i = 0; i < shape.rank; ++i) {
    if (i != axis) result[result.rank++] = shape[i];
  }
  return result;
}

/// A shape with its axes in another order: for each axis of the result the axis it was.
constexpr Shape permuted(Shape const& shape, AxisMap const& order) {
  Shape result{};
  for (int i = 0; i < shape.rank; ++i) {
    result[result.rank++] = shape[order[static_cast<std::size_t>(i)]];
  }
  return result;
}

}  // namespace tenon

// ---- tenon/expr/moves.hpp

/// Transposes and new names. Nothing is copied: of an expression the result stays open.
namespace tenon {

/// Every axis where it was.
constexpr AxisMap same_order(int rank) {
  AxisMap order = no_axes();
  for (int i = 0; i < rank; ++i) order[static_cast<std::size_t>(i)] = static_cast<std::int8_t>(i);
  return order;
}

/// A number of axes that an operation needs.
template <int count>
struct AxesNeeded {
  static constexpr FixedText text = count == 1 ? "one axis is needed" : "two axes are needed";
};

template <Axes axes>
struct NamesOf {
  static constexpr FixedText text = axes.names;
};

/// Names why `axes` are not so many axes of `E`; `void` where they are.
template <class Name, Axes axes, int count, class E>
constexpr auto axes_mistake() {
  if constexpr (!Chosen<axes, E>::ok) return std::type_identity<ChoiceMistake<Name, axes, E>>{};
  else if constexpr (Chosen<axes, E>::value.count == count) return std::type_identity<void>{};
  else
    return std::type_identity<
        error::pattern_does_not_fit<spec_of_name<Name>, spec_of_text<AxesNeeded<count>>,
                                    spec_of_text<NamesOf<axes>>, spec_of<E>>>{};
}

struct TransposeName {
  static constexpr std::string_view name = "transpose";
};

/// The order with the first and the last chosen axis exchanged.
constexpr AxisMap exchanged(int rank, AxisChoice const& chosen) {
  AxisMap order = same_order(rank);
  std::size_t last = 0;
  for (std::size_t i = 0; i < order.size(); ++i) last = chosen.has[i] ? i : last;
  std::swap(order[static_cast<std::size_t>(chosen.axis())], order[last]);
  return order;
}

/// The last two axes, where none are named.
constexpr AxisChoice choose_two(Shape const& shape, Axes const& axes) {
  if (!axes.names.empty()) return choose(shape, axes);
  AxisChoice choice = choose_axis(shape, -2);
  choice.has[static_cast<std::size_t>(shape.rank - 1)] = true;
  return choice;
}

template <Axes axes, class E>
struct TransposeRule {
  static constexpr AxisMap order = exchanged(E::shape.rank, choose_two(E::shape, axes));
  static constexpr Shape shape = permuted(E::shape, order);
};

template <Axes axes, class E>
constexpr auto transpose_mistake() {
  constexpr bool last_two = axes.names.empty() && !axes.by_index;
  if constexpr (!last_two) return axes_mistake<TransposeName, axes, 2, E>();
  else if constexpr (E::shape.rank >= 2) return std::type_identity<void>{};
  else return axes_mistake<TransposeName, Axes(-2), 1, E>();
}

/// What is wrong with a transposition of `X`, or `void`.
template <Axes axes, Expression X>
using TransposeMistake = typename decltype(transpose_mistake<axes, Held<X>>())::type;

/// `x` with two axes exchanged: the last two, or those of `transpose<"row column">(x)`. Open; a
/// product reads it where it lies. PyTorch: `transpose`.
template <Axes axes = Axes{}, Expression X>
  requires std::is_void_v<TransposeMistake<axes, X&&>>
constexpr auto transpose(X&& x) {
  return moved<TransposeRule<axes, Held<X&&>>>(std::forward<X>(x));
}
template <Axes axes = Axes{}, Expression X, class R = TransposeMistake<axes, X&&>>
  requires(!std::is_void_v<R>)
auto transpose(X&& x) -> R;
template <Axes = every, Mistake X>
auto transpose(X const&) -> X;

/// `E` with the axes of `Rule` in the same places: a tensor is a tensor that shares its elements,
/// an expression is a move.
template <class Rule, class E>
struct RelabelledAs {
  using type = MovedBy<Rule, E>;
};
template <class Rule, TensorType E>
struct RelabelledAs<Rule, E> {
  using type = Tensor<typename E::value_type, spec_of<Rule>, typename E::device>;
};
template <class Rule, class E>
using RelabelledBy = typename RelabelledAs<Rule, E>::type;

template <class Rule, class X>
constexpr auto relabel(X&& x) {
  using E = Held<X&&>;
  if constexpr (TensorType<E>) return relabelled<RelabelledBy<Rule, E>>(hold(std::forward<X>(x)));
  else return moved<Rule>(std::forward<X>(x));
}

}  // namespace tenon

// ---- tenon/expr/gather.hpp

namespace tenon {

/// Throws `IndexError` where an id is not below `size`.
template <TensorType Ids>
constexpr void check_ids(std::string_view operation, Ids const& ids, std::int64_t size) {
  auto const* const id = ids.data();
  for (std::int64_t i = 0; i < ids.size(); ++i) {
    auto const here = static_cast<std::int64_t>(id[i]);
    if (here < 0 || here >= size) {
      fail<IndexError>({operation,
                        {},
                        "ids from 0 to " + std::to_string(size - 1),
                        std::to_string(here),
                        "id " + std::to_string(i)});
    }
  }
}

/// Rows of a table chosen by an integer tensor: axis `axis` of the table is replaced by the axes
/// of the ids. Table and ids are values.
template <TensorType Table, TensorType Ids, int axis_>
struct Gather : ExpressionNode<Gather<Table, Ids, axis_>> {
  using value_type = typename Table::value_type;
  using device = typename Table::device;
  static constexpr int axis = axis_;
  static constexpr Shape shape = [] {
    Shape result = removed(Table::shape, axis_);
    for (int i = 0; i < Ids::shape.rank; ++i) {
      result = inserted(result, axis_ + i, Ids::shape[i]);
    }
    return result;
  }();

  Table table;
  Ids ids;

  constexpr Gather(Table t, Ids i) : table(std::move(t)), ids(std::move(i)) {
    check_ids("take", ids, at(table.sizes(), axis));
  }

  /// Where the element at `index` stands in the table.
  constexpr ElementIndex source(ElementIndex const& index) const {
    ElementIndex of_id{}, own{};
    for (int i = 0; i < Ids::shape.rank; ++i) at(of_id, i) = at(index, axis + i);
    for (int i = 0; i < Table::shape.rank; ++i) {
      if (i != axis) at(own, i) = at(index, i < axis ? i : i - 1 + Ids::shape.rank);
    }
    at(own, axis) = static_cast<std::int64_t>(element(ids, of_id));
    return own;
  }

  constexpr Sizes sizes() const {
    Sizes const rows = table.sizes(), chosen = ids.sizes();
    Sizes result = ones();
    for (int i = 0; i < shape.rank; ++i) {
      int const table_axis = i < axis ? i : i - Ids::shape.rank + 1;
      bool const is_chosen = i >= axis && i < axis + Ids::shape.rank;
      at(result, i) = is_chosen ? at(chosen, i - axis) : at(rows, table_axis);
    }
    return result;
  }
};

/// One element along an axis for every position of the other axes, chosen by an integer tensor:
/// the label's entry in every row of logits.
template <TensorType Table, TensorType Ids, int axis_>
struct PickAlong : ExpressionNode<PickAlong<Table, Ids, axis_>> {
  using value_type = typename Table::value_type;
  using device = typename Table::device;
  static constexpr int axis = axis_;
  static constexpr Shape others = removed(Table::shape, axis_);
  static constexpr Shape shape = merged(others, Ids::shape);

  Table table;
  Ids ids;

  constexpr PickAlong(Table t, Ids i) : table(std::move(t)), ids(std::move(i)) {
    check_ids("pick", ids, at(table.sizes(), axis));
    for (int k = 0; k < shape.rank; ++k) {
      std::int64_t const expected = at(table.sizes(), k < axis ? k : k + 1);
      if (expected != at(ids.sizes(), k)) {
        throw ShapeError("tenon::pick: expected labels of size " + std::to_string(expected) +
                         ", got " + std::to_string(at(ids.sizes(), k)));
      }
    }
  }

  /// Where the element at `index` stands in the table.
  constexpr ElementIndex source(ElementIndex const& index) const {
    ElementIndex own{};
    for (int i = 0; i < Table::shape.rank; ++i) {
      if (i != axis) at(own, i) = at(index, i < axis ? i : i - 1);
    }
    at(own, axis) = static_cast<std::int64_t>(element(ids, index));
    return own;
  }

  constexpr Sizes sizes() const { return ids.sizes(); }
};

struct TakeName {
  static constexpr std::string_view name = "take";
};
struct PickName {
  static constexpr std::string_view name = "pick";
};

template <class Name, template <class, class, int> class NodeOf, Axes A, class Table, class Ids>
constexpr auto gather_type() {
  using devices = typename decltype(device_mistake<Name, Table, Ids>())::type;
  if constexpr (!std::is_void_v<devices>) return std::type_identity<devices>{};
  else if constexpr (!IntegerType<typename Ids::value_type>) return dtype_mistake<Name, Ids>();
  else if constexpr (!Chosen<A, Table>::ok || Chosen<A, Table>::value.count != 1)
    return axes_mistake<Name, A, 1, Table>();
  else if constexpr (std::same_as<Name, PickName> &&
                     !assignable(removed(Table::shape, Chosen<A, Table>::value.axis()), Ids::shape))
    return std::type_identity<
        error::shapes_do_not_align<spec_of_name<Name>, spec_of<Table>, spec_of<Ids>>>{};
  else return std::type_identity<NodeOf<Table, Ids, Chosen<A, Table>::value.axis()>>{};
}

template <Axes A, Expression X, Expression I>
using Taken = typename decltype(gather_type<TakeName, Gather, A, TensorOf<X>, TensorOf<I>>())::type;

template <Axes A, Expression X, Expression I>
using Picked =
    typename decltype(gather_type<PickName, PickAlong, A, TensorOf<X>, TensorOf<I>>())::type;

template <class X>
constexpr TensorOf<X> keep_value(X&& x) {
  return keep_product_operand<TensorOf<X>>(std::forward<X>(x));
}

/// Slices of `table` along one axis, at integer `ids` of any shape: "vocab embed" at "batch t"
/// gives "batch t embed". Throws `IndexError` where an id is out of range. PyTorch: `embedding`.
template <Axes axis, Expression X, Expression I, Sound Result = Taken<axis, X&&, I&&>>
constexpr auto take(X&& table, I&& ids) -> Result {
  return Result(keep_value(std::forward<X>(table)), keep_value(std::forward<I>(ids)));
}
template <Axes axis, Expression X, Expression I, Mistaken Result = Taken<axis, X&&, I&&>>
auto take(X&& table, I&& ids) -> Result;
template <Axes, class... X>
auto take(X const&...) -> FirstMistake<X...>;

/// The element along one axis that `ids` names, for every position of the other axes:
/// "batch digit" at "batch" gives "batch". Throws `IndexError`. PyTorch: `gather` of one column.
template <Axes axis, Expression X, Expression I, Sound Result = Picked<axis, X&&, I&&>>
constexpr auto pick(X&& x, I&& ids) -> Result {
  return Result(keep_value(std::forward<X>(x)), keep_value(std::forward<I>(ids)));
}
template <Axes axis, Expression X, Expression I, Mistaken Result = Picked<axis, X&&, I&&>>
auto pick(X&& x, I&& ids) -> Result;
template <Axes, class... X>
auto pick(X const&...) -> FirstMistake<X...>;

}  // namespace tenon

// ---- tenon/expr/stepped.hpp

namespace tenon {

/// Steps through the elements of a tensor, along the axes of a result.
struct SliceSteps {
  Sizes along{};           ///< From one element to the next, in elements; may be negative.
  std::int64_t start = 0;  ///< Where the first element lies.
  bool overlaps = false;   ///< Does it come to an element twice?
};

/// A tensor's elements in steps of their own: backward, some left out, along a diagonal. No element
/// is copied. Where `by_one` the last axis is that of the tensor, element after element.
template <TensorType E, Spec S, bool by_one>
struct Stepped : ExpressionNode<Stepped<E, S, by_one>> {
  using value_type = typename E::value_type;
  using device = typename E::device;
  static constexpr Shape const& shape = ShapeOf<S>::shape;

  E operand;
  Sizes extents = ones();
  SliceSteps steps;

  constexpr Stepped(E x, Sizes const& sizes, SliceSteps const& walk)
      : operand(std::move(x)), extents(sizes), steps(walk) {
    check_sizes("move", shape, sizes);
  }

  constexpr Sizes sizes() const { return extents; }

  /// Which element of the operand stands at `index`.
  constexpr std::int64_t place(ElementIndex const& index) const {
    return steps.start + offset(steps.along, index, shape.rank);
  }
};

/// `Rule` has the shape of the result, and says whether its last axis steps by one.
template <class Rule, class E>
using SteppedBy = Stepped<TensorOf<E>, spec_of<Rule>, Rule::by_one>;

}  // namespace tenon

// ---- tenon/expr/take_along.hpp

namespace tenon {

/// Elements chosen along an axis, for every position of the other axes by ids of its own. Table
/// and ids are values.
template <TensorType Table, TensorType Ids, int axis_>
struct TakeAlong : ExpressionNode<TakeAlong<Table, Ids, axis_>> {
  using value_type = typename Table::value_type;
  using device = typename Table::device;
  static constexpr int axis = axis_;
  static constexpr Shape shape = inserted(
      merged(removed(Table::shape, axis_), removed(Ids::shape, axis_)), axis_, Ids::shape[axis_]);

  Table table;
  Ids ids;

  constexpr TakeAlong(Table t, Ids i) : table(std::move(t)), ids(std::move(i)) {
    Sizes const from = table.sizes(), got = ids.sizes();
    for (int k = 0; k < shape.rank; ++k) {
      if (k != axis && at(from, k) != at(got, k))
        sizes_differ("take_along", shape, k, at(from, k), at(got, k));
    }
    check_ids("take_along", ids, at(from, axis));
  }

  /// Where the element at `index` stands in the table.
  constexpr ElementIndex source(ElementIndex const& index) const {
    ElementIndex own = index;
    at(own, axis) = static_cast<std::int64_t>(element(ids, index));
    return own;
  }

  constexpr Sizes sizes() const { return ids.sizes(); }
};

struct TakeAlongName {
  static constexpr std::string_view name = "take_along";
};

/// Have the ids the axes of the table, but for their number along one?
template <class Table, class Ids, int axis>
concept LiesAlong = Table::shape.rank == Ids::shape.rank &&
                    assignable(removed(Table::shape, axis), removed(Ids::shape, axis));

template <Axes axes, class Table, class Ids>
constexpr auto take_along_type() {
  using Name = TakeAlongName;
  using devices = typename decltype(device_mistake<Name, Table, Ids>())::type;
  using chosen = typename decltype(axes_mistake<Name, axes, 1, Table>())::type;
  if constexpr (!std::is_void_v<devices>) return std::type_identity<devices>{};
  else if constexpr (!IntegerType<typename Ids::value_type>) return dtype_mistake<Name, Ids>();
  else if constexpr (!std::is_void_v<chosen>) return std::type_identity<chosen>{};
  else if constexpr (!LiesAlong<Table, Ids, Chosen<axes, Table>::value.axis()>)
    return std::type_identity<
        error::shapes_do_not_align<spec_of_name<Name>, spec_of<Table>, spec_of<Ids>>>{};
  else return std::type_identity<TakeAlong<Table, Ids, Chosen<axes, Table>::value.axis()>>{};
}

template <Axes axes, Expression X, Expression I>
using TakenAlong = typename decltype(take_along_type<axes, TensorOf<X>, TensorOf<I>>())::type;

/// The elements along one axis that `ids` name, for every position of the other axes: "batch n" at
/// "batch k=3" gives "batch k=3". Throws `IndexError`, `ShapeError`. NumPy: `take_along_axis`.
/// PyTorch: `gather`.
template <Axes axis, Expression X, Expression I, Sound Result = TakenAlong<axis, X, I>>
constexpr auto take_along(X&& x, I&& ids) -> Result {
  return Result(keep_value(std::forward<X>(x)), keep_value(std::forward<I>(ids)));
}
template <Axes axis, Expression X, Expression I, Mistaken Result = TakenAlong<axis, X, I>>
auto take_along(X&& x, I&& ids) -> Result;
template <Axes, class... X>
auto take_along(X const&...) -> FirstMistake<X...>;

}  // namespace tenon

// ---- tenon/eval/element.hpp

/// One element of any recipe, straight from its meaning: what `reference` and constant evaluation
/// compute, and the judge of everything faster.
namespace tenon {

template <TensorType E>
constexpr auto element(E const& tensor, ElementIndex const& index) {
  return tensor.data()[offset(row_major(tensor.sizes(), E::rank), index, E::rank)];
}

template <class T>
constexpr T element(ConstantNode<T> const& constant, ElementIndex const&) {
  return constant.value;
}

/// The element of operand k of a map that belongs to an element of the result.
template <std::size_t k, class Node, class E>
constexpr auto operand_element(E const& operand, ElementIndex const& index) {
  constexpr AxisMap const& map = Node::types::aligned.maps[k];
  ElementIndex own{};
  for (int i = 0; i < E::shape.rank; ++i) {
    int const axis = map[static_cast<std::size_t>(i)];
    at(own, i) = axis < 0 ? 0 : at(index, axis);
  }
  return element(operand, own);
}

template <class Op, class A>
constexpr auto element(Elementwise<Op, A> const& e, ElementIndex const& index) {
  return Op::f(operand_element<0, Elementwise<Op, A>>(e.a, index));
}

template <class Op, class A, class B>
constexpr auto element(Elementwise<Op, A, B> const& e, ElementIndex const& index) {
  using Node = Elementwise<Op, A, B>;
  return Op::f(operand_element<0, Node>(e.a, index), operand_element<1, Node>(e.b, index));
}

template <class Op, class A, class B, class C>
constexpr auto element(Elementwise<Op, A, B, C> const& e, ElementIndex const& index) {
  using Node = Elementwise<Op, A, B, C>;
  return Op::f(operand_element<0, Node>(e.a, index), operand_element<1, Node>(e.b, index),
               operand_element<2, Node>(e.c, index));
}

template <class E, PackedMap order, Spec S>
constexpr auto element(Moved<E, order, S> const& e, ElementIndex const& index) {
  return element(e.operand, e.source(index));
}

template <class E, Spec S, bool by_one>
constexpr auto element(Stepped<E, S, by_one> const& e, ElementIndex const& index) {
  return e.operand.data()[e.place(index)];
}

/// Calls `f(index, number)` for every element of the operand that is folded into one of the result.
template <class Op, class E, AxisBits axes, bool keeps, class F>
constexpr void for_folded(Fold<Op, E, axes, keeps> const& e, ElementIndex const& index,
                          F const& f) {
  Sizes const sizes = e.operand.sizes();
  Sizes extents = ones();
  ElementIndex base{};
  for (int i = 0, from = 0; i < E::shape.rank; ++i) {
    bool const folds = has_axis(axes, i);
    if (folds) at(extents, i) = at(sizes, i);
    else at(base, i) = at(index, from);
    from += folds && !keeps ? 0 : 1;
  }
  ElementIndex step{};
  std::int32_t number = 0;
  if (count(extents, E::shape.rank) == 0) return;
  do {
    ElementIndex own = base;
    for (int i = 0; i < E::shape.rank; ++i) at(own, i) += at(step, i);
    f(own, number++);
  } while (next(step, extents, E::shape.rank));
}

template <class Op, class E, AxisBits axes, bool keeps>
constexpr auto element(Fold<Op, E, axes, keeps> const& e, ElementIndex const& index) {
  using T = typename E::value_type;
  if constexpr (op::PositionFold<Op>) {
    T best{};
    std::int32_t position = -1;
    for_folded(e, index, [&](ElementIndex const& at, std::int32_t number) {
      T const candidate = element(e.operand, at);
      if (number == 0 || Op::better(candidate, best)) {
        best = candidate;
        position = number;
      }
    });
    if (position < 0) throw ValueError("tenon::" + std::string(Op::name) + ": an empty axis");
    return position;
  } else {
    PairwiseFold<ScalarMachine, Op, T> total;
    for_folded(e, index,
               [&](ElementIndex const& at, std::int32_t) { total.add(element(e.operand, at)); });
    return total.result();
  }
}

/// The position of an operand's element among labels.
constexpr ElementIndex labelled(AxisMap const& labels,
                                std::array<std::int64_t, max_labels> const& at) {
  ElementIndex index{};
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] >= 0) index[i] = at[static_cast<std::size_t>(labels[i])];
  }
  return index;
}

/// A walk over the labels of a product that are summed, for one element of the result.
struct SummedLabels {
  LabelExtents extents{};
  std::array<std::int64_t, max_labels> position{};
  std::array<bool, max_labels> fixed{};
  std::size_t count = 0;

  constexpr SummedLabels(Contraction const& rule, LabelExtents const& sizes,
                         ElementIndex const& index)
      : extents(sizes), count(static_cast<std::size_t>(rule.labels)) {
    for (std::size_t i = 0; i < max_rank; ++i) {
      if (rule.out[i] < 0) continue;
      position[static_cast<std::size_t>(rule.out[i])] = index[i];
      fixed[static_cast<std::size_t>(rule.out[i])] = true;
    }
  }

  constexpr bool is_empty() const {
    for (std::size_t l = 0; l < count; ++l) {
      if (!fixed[l] && extents[l] == 0) return true;
    }
    return false;
  }

  /// Steps to the next position; false after the last.
  constexpr bool next() {
    for (std::size_t l = 0; l < count; ++l) {
      if (fixed[l]) continue;
      if (++position[l] < extents[l]) return true;
      position[l] = 0;
    }
    return false;
  }
};

template <class A, class B, class Rule>
constexpr auto element(Contract<A, B, Rule> const& e, ElementIndex const& index) {
  using T = typename A::value_type;
  Contraction const& rule = Rule::contraction;
  SummedLabels at(rule, e.extents(), index);
  T total = T(0);
  if (at.is_empty()) return total;
  do {
    total = word::add(total, word::multiply(element(e.a, labelled(rule.left, at.position)),
                                            element(e.b, labelled(rule.right, at.position))));
  } while (at.next());
  return total;
}

template <class Table, class Ids, int axis>
constexpr auto element(Gather<Table, Ids, axis> const& e, ElementIndex const& index) {
  return element(e.table, e.source(index));
}

template <class Table, class Ids, int axis>
constexpr auto element(PickAlong<Table, Ids, axis> const& e, ElementIndex const& index) {
  return element(e.table, e.source(index));
}

template <class Table, class Ids, int axis>
constexpr auto element(TakeAlong<Table, Ids, axis> const& e, ElementIndex const& index) {
  return element(e.table, e.source(index));
}

}  // namespace tenon

// ---- tenon/eval/axis_sets.hpp

/// Which axes of an operand belong to a set of axes of its user.
namespace tenon {

/// The last `number` of `rank` axes.
constexpr AxisBits last_axes(int rank, int number) {
  return ((1u << number) - 1u) << (rank - number);
}

/// The axis of an operand that lies on axis `axis` of the result; -1 if none does.
constexpr int operand_axis(AxisMap const& map, int rank, int axis) {
  for (int i = 0; i < rank && axis >= 0; ++i) {
    if (map[static_cast<std::size_t>(i)] == axis) return i;
  }
  return -1;
}

/// The axes of an operand that lie on the axes `set` of the result.
constexpr AxisBits operand_axes(AxisMap const& map, int rank, AxisBits set) {
  AxisBits result = 0;
  for (int i = 0; i < rank; ++i) {
    int const axis = map[static_cast<std::size_t>(i)];
    if (axis >= 0 && has_axis(set, axis)) result |= 1u << i;
  }
  return result;
}

/// The axes of a move's operand that the axes `set` of the move walk along.
constexpr AxisBits moved_axes(AxisMap const& order, int rank, AxisBits set) {
  AxisBits result = 0;
  for (int i = 0; i < rank; ++i) {
    int const axis = order[static_cast<std::size_t>(i)];
    if (axis >= 0 && has_axis(set, i)) result |= 1u << axis;
  }
  return result;
}

/// Do two axes of a move walk along the same axis of its operand, as windows do?
constexpr bool overlaps(AxisMap const& order, int rank) {
  AxisBits seen = 0;
  for (int i = 0; i < rank; ++i) {
    int const axis = order[static_cast<std::size_t>(i)];
    if (axis >= 0 && has_axis(seen, axis)) return true;
    if (axis >= 0) seen |= 1u << axis;
  }
  return false;
}

}  // namespace tenon

// ---- tenon/eval/labelled.hpp

namespace tenon {

/// One extent of a product and the steps along it in both operands and in the result, in elements;
/// 0 where a tensor does not have it.
struct LoopLabel {
  std::int64_t extent = 1;
  std::int64_t a = 0, b = 0, c = 0;

  constexpr bool in_result() const { return c != 0; }
  constexpr bool merges_after(LoopLabel const& outer) const {
    return outer.a == a * extent && outer.b == b * extent && outer.c == c * extent;
  }
};

/// A few labels in a fixed array.
struct LoopLabels {
  std::array<LoopLabel, max_labels> all{};
  int size = 0;

  constexpr LoopLabel& operator[](int i) { return all[static_cast<std::size_t>(i)]; }
  constexpr LoopLabel const& operator[](int i) const { return all[static_cast<std::size_t>(i)]; }
  constexpr void add(LoopLabel const& label) { (*this)[size++] = label; }

  constexpr std::int64_t count() const {
    std::int64_t product = 1;
    for (int i = 0; i < size; ++i) product *= (*this)[i].extent;
    return product;
  }

  constexpr LoopLabel take(int i) {
    LoopLabel const taken = (*this)[i];
    for (; i + 1 < size; ++i) (*this)[i] = (*this)[i + 1];
    --size;
    return taken;
  }

  /// Takes out the longest label; extent 1 where there is none.
  LoopLabel take_longest() {
    int longest = -1;
    for (int i = 0; i < size; ++i) {
      if (longest < 0 || (*this)[i].extent > (*this)[longest].extent) longest = i;
    }
    return longest < 0 ? LoopLabel{} : take(longest);
  }

  /// Takes out the label whose step in the result is 1; extent 1 where there is none.
  constexpr LoopLabel take_unit(bool& found) {
    for (int i = 0; i < size; ++i) {
      if ((*this)[i].c != 1) continue;
      found = true;
      return take(i);
    }
    return {};
  }

  /// Makes one label of two wherever all tensors walk them as one.
  void merge() {
    for (int i = 0; i < size; ++i) {
      for (int j = 0; j < size; ++j) {
        if (i == j || !(*this)[j].merges_after((*this)[i])) continue;
        LoopLabel merged = (*this)[j];
        merged.extent *= (*this)[i].extent;
        (*this)[j] = merged;
        take(i);
        i = -1;
        break;
      }
    }
  }

  /// The offsets of the `number`-th combination in the three tensors.
  constexpr LoopLabel place(std::int64_t number) const {
    LoopLabel offset;
    for (int i = size - 1; i >= 0; --i) {
      LoopLabel const& label = (*this)[i];
      std::int64_t const at = number % label.extent;
      number /= label.extent;
      offset.a += at * label.a;
      offset.b += at * label.b;
      offset.c += at * label.c;
    }
    return offset;
  }
};

/// The labels of a product sorted by what a matrix product does with them.
struct SortedLabels {
  LoopLabels batch;    ///< In both operands and in the result.
  LoopLabels rows;     ///< In the left operand and in the result.
  LoopLabels columns;  ///< In the right operand and in the result.
  LoopLabels summed;   ///< Not in the result.
};

inline SortedLabels sorted(LoopLabels const& labels) {
  SortedLabels sorted;
  for (int i = 0; i < labels.size; ++i) {
    LoopLabel const& label = labels[i];
    if (label.extent == 1) continue;
    if (!label.in_result()) sorted.summed.add(label);
    else if (label.a != 0 && label.b != 0) sorted.batch.add(label);
    else if (label.b != 0) sorted.columns.add(label);
    else sorted.rows.add(label);
  }
  sorted.batch.merge();
  sorted.rows.merge();
  sorted.columns.merge();
  sorted.summed.merge();
  return sorted;
}

/// The steps of a tensor along every label of a contraction, from those along its axes.
constexpr std::array<std::int64_t, max_labels> label_steps(AxisMap const& labels,
                                                           Sizes const& strides) {
  std::array<std::int64_t, max_labels> steps{};
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] >= 0) steps[static_cast<std::size_t>(labels[i])] += strides[i];
  }
  return steps;
}

}  // namespace tenon

// ---- tenon/eval/product.hpp

namespace tenon {

/// A matrix product c = a b (or c += a b) as a backend does it; strides count elements, the rows of
/// c are contiguous.
template <class T>
struct MatrixProduct {
  std::int64_t m = 1, n = 1, k = 1;
  T const* a = nullptr;
  std::int64_t a_row = 0, a_column = 0;
  T const* b = nullptr;
  std::int64_t b_row = 0, b_column = 0;
  T* c = nullptr;
  std::int64_t c_row = 0;
  bool accumulate = false;
};

/// A product over labels as loops around matrix products.
template <class T>
struct ProductPlan {
  MatrixProduct<T> matrix;
  LoopLabels batch;   ///< Independent products.
  LoopLabels summed;  ///< Products that add up.

  static constexpr std::int64_t rows_at_once = 128;
  std::int64_t columns_at_once = 512;

  std::int64_t row_panels() const { return (matrix.m + rows_at_once - 1) / rows_at_once; }
  std::int64_t column_panels() const { return (matrix.n + columns_at_once - 1) / columns_at_once; }
  std::int64_t tasks() const { return batch.count() * row_panels() * column_panels(); }

  /// Small tasks are worked on several at a time, one after the other.
  static constexpr std::int64_t work_at_once = std::int64_t{1} << 17;
  std::int64_t tasks_at_once() const {
    std::int64_t const rows = std::min(matrix.m, rows_at_once);
    std::int64_t const columns = std::min(matrix.n, columns_at_once);
    return std::max<std::int64_t>(
        1, work_at_once / std::max<std::int64_t>(1, rows * columns * matrix.k));
  }

  /// The part of the work that task `number` does, for one combination of the summed labels.
  MatrixProduct<T> task(std::int64_t number, std::int64_t sum) const {
    std::int64_t const row = number % row_panels() * rows_at_once;
    std::int64_t const column = number / row_panels() % column_panels() * columns_at_once;
    LoopLabel const at = batch.place(number / row_panels() / column_panels());
    LoopLabel const part = summed.place(sum);
    MatrixProduct<T> p = matrix;
    p.m = std::min(rows_at_once, p.m - row);
    p.n = std::min(columns_at_once, p.n - column);
    p.a += at.a + part.a + row * p.a_row;
    p.b += at.b + part.b + column * p.b_column;
    p.c += at.c + row * p.c_row + column;
    p.accumulate = p.accumulate || sum > 0;
    return p;
  }
};

/// Makes the label that is contiguous in the result the columns; if it belongs to the left operand
/// the operands change places.
template <class T>
ProductPlan<T> plan_product(SortedLabels labels, T const* a, T const* b, T* c, bool accumulate) {
  bool found = false;
  LoopLabel columns = labels.columns.take_unit(found);
  if (!found && labels.rows.size > 0) {
    std::swap(labels.rows, labels.columns);
    std::swap(a, b);
    for (LoopLabels* group : {&labels.batch, &labels.rows, &labels.columns, &labels.summed})
      for (int i = 0; i < group->size; ++i) std::swap((*group)[i].a, (*group)[i].b);
    columns = labels.columns.take_unit(found);
  }
  LoopLabel const rows = labels.rows.take_longest(), inner = labels.summed.take_longest();
  ProductPlan<T> plan;
  plan.matrix = {rows.extent, columns.extent, inner.extent, a, rows.a, inner.a,
                 b,           inner.b,        columns.b,    c, rows.c, accumulate};
  plan.batch = labels.batch;
  for (LoopLabels const* rest : {&labels.rows, &labels.columns})
    for (int i = 0; i < rest->size; ++i) plan.batch.add((*rest)[i]);
  plan.summed = labels.summed;
  return plan;
}

/// The plan of c = sum of a b (or c += …) over all labels that c has not; none if c is empty.
template <class T>
std::optional<ProductPlan<T>> plan_labels(LoopLabels const& labels, T const* a, T const* b, T* c,
                                          bool accumulate) {
  bool nothing = false, empty = false;
  for (int i = 0; i < labels.size; ++i) {
    bool const zero = labels[i].extent == 0;
    nothing = nothing || (zero && labels[i].in_result());
    empty = empty || (zero && !labels[i].in_result());
  }
  if (nothing) return std::nullopt;
  SortedLabels groups = sorted(labels);
  if (empty) {
    groups.summed = LoopLabels();
    groups.summed.add({0, 1, 1, 0});
  }
  return plan_product(groups, a, b, c, accumulate);
}

/// Calls `after(task)` for every task of a plan once its part of the product is there. What is done
/// at once depends on sizes alone.
template <class Backend, class T, class After>
void run_tasks(ProductPlan<T> const& plan, After const& after) {
  std::int64_t const sums = std::max<std::int64_t>(1, plan.summed.count());
  std::int64_t const tasks = plan.tasks(), group = plan.tasks_at_once();
  auto const run = [&](std::int64_t chunk, std::byte* scratch) {
    for (std::int64_t task = chunk * group; task < std::min(tasks, (chunk + 1) * group); ++task) {
      for (std::int64_t sum = 0; sum < sums; ++sum) Backend::product(plan.task(task, sum), scratch);
      after(task);
    }
  };
  Backend::parallel_for((tasks + group - 1) / group, Backend::product_scratch(plan.matrix), run);
}

/// c = sum of a b (or c += …) over all labels that c has not.
template <class Backend, class T>
void multiply_labels(LoopLabels const& labels, T const* a, T const* b, T* c, bool accumulate) {
  if (auto const plan = plan_labels(labels, a, b, c, accumulate))
    run_tasks<Backend>(*plan, [](std::int64_t) {});
}

}  // namespace tenon

// ---- tenon/eval/row_layout.hpp

/// How the axes of a kernel are walked. Nothing here depends on its formula.
namespace tenon {

/// The axes of a row: the innermost is walked in lanes, those before it one by one.
struct ScratchRow {
  Sizes sizes = ones();
  int rank = 1;

  std::int64_t inner() const { return at(sizes, rank - 1); }
  std::int64_t size() const { return count(sizes, rank); }
};

/// The row that the last `axes` of `rank` axes make up.
inline ScratchRow row_of(Sizes const& sizes, int rank, int axes) {
  ScratchRow row;
  row.rank = axes > 0 ? axes : 1;
  for (int i = 0; i < axes; ++i) at(row.sizes, i) = at(sizes, rank - axes + i);
  return row;
}

/// Do the strides walk axis i and i + 1 as if they were one?
inline bool walks_as_one(Sizes const& stride, Sizes const& sizes, int i) {
  return at(stride, i) == at(stride, i + 1) * at(sizes, i + 1);
}

inline void remove_axis(Sizes& values, int axis, int rank, std::int64_t fill) {
  for (int i = axis; i + 1 < rank; ++i) at(values, i) = at(values, i + 1);
  at(values, rank - 1) = fill;
}

/// Merges axes of a row that all accesses walk as one.
inline void collapse_row(Accesses const& accesses, ScratchRow& row) {
  for (int i = row.rank - 2; i >= 0; --i) {
    if (!accesses.all([&](MemoryAccess& a) { return walks_as_one(a.row, row.sizes, i); })) continue;
    at(row.sizes, i) *= at(row.sizes, i + 1);
    remove_axis(row.sizes, i + 1, row.rank, 1);
    accesses.each([&](MemoryAccess& a) { remove_axis(a.row, i, row.rank, 0); });
    --row.rank;
  }
}

inline void set_inner(Accesses const& accesses, ScratchRow const& row) {
  accesses.each([&](MemoryAccess& access) { access.inner = at(access.row, row.rank - 1); });
}

/// Rows over outer axes.
struct RowLayout {
  MemoryAccess out;  ///< Of the result, or of its adjoint.
  Sizes outer = ones();
  int outer_rank = 0;
  ScratchRow row{};
  std::int64_t row_work = 1;      ///< Elements that the longest fold of a row walks.
  std::int64_t element_work = 1;  ///< Elements that are folded into one of the row.
  bool past_caches = false;       ///< Is the result too large for them?

  std::int64_t rows() const { return count(outer, outer_rank); }
  std::int64_t out_bytes() const { return rows() * row.size() * out.element_bytes; }

  std::int64_t last_outer() const { return outer_rank > 0 ? at(outer, outer_rank - 1) : 1; }

  /// Stands at a row.
  void start(Accesses const& accesses, std::int64_t number) const {
    ElementIndex const index = unravel(number, outer, outer_rank);
    accesses.each([&](MemoryAccess& a) {
      a.at = a.start + offset(a.stride, index, outer_rank);
      a.now = a.at;
    });
  }

  /// Goes on to the next row, which differs in the last outer axis only.
  void advance(Accesses const& accesses) const {
    accesses.each([&](MemoryAccess& a) {
      a.at += at(a.stride, outer_rank - 1);
      a.now = a.at;
    });
  }

  /// Merges outer axes that all accesses walk as one, and takes away those of size 1.
  void collapse_outer(Accesses const& accesses) {
    for (int i = outer_rank - 1; i >= 0; --i) {
      bool const is_one = at(outer, i) == 1;
      bool const merges = !is_one && i + 1 < outer_rank && accesses.all([&](MemoryAccess& a) {
        return walks_as_one(a.stride, outer, i);
      });
      if (!is_one && !merges) continue;
      if (merges) at(outer, i + 1) *= at(outer, i);
      accesses.each([&](MemoryAccess& a) { remove_axis(a.stride, i, outer_rank, 0); });
      remove_axis(outer, i, outer_rank, 1);
      --outer_rank;
    }
  }

  /// Makes the last outer axis part of the row while all accesses walk both as one.
  void merge_into_row(Accesses const& accesses) {
    while (outer_rank > 0 && row.rank == 1) {
      int const last = outer_rank - 1;
      bool const merges = accesses.all(
          [&](MemoryAccess& a) { return at(a.stride, last) == at(a.row, 0) * at(row.sizes, 0); });
      if (!merges) return;
      at(row.sizes, 0) *= at(outer, last);
      accesses.each([&](MemoryAccess& a) { at(a.stride, last) = 0; });
      at(outer, last) = 1;
      --outer_rank;
    }
  }
};

/// The strides of memory that a result of `sizes` fills.
inline MemoryAccess access_out(std::byte* memory, Sizes const& strides, std::size_t element_bytes) {
  MemoryAccess out;
  out.gradient = memory;
  out.data = memory;
  out.stride = strides;
  out.element_bytes = static_cast<std::int64_t>(element_bytes);
  return out;
}

}  // namespace tenon

// ---- tenon/eval/contraction.hpp

namespace tenon {

/// Memory that a product reads: a tensor's, or a tensor's with its axes moved.
template <class T>
struct Operands {
  T const* data;
  Sizes strides;
};

template <TensorType E>
auto memory_of(E const& tensor) {
  return Operands<typename E::value_type>{tensor.data(), row_major(tensor.sizes(), E::rank)};
}

template <class E, PackedMap order, Spec S>
auto memory_of(Moved<E, order, S> const& e) {
  auto memory = memory_of(e.operand);
  memory.data += offset(memory.strides, e.start, E::rank);
  Sizes strides{};
  for (int i = 0; i < Moved<E, order, S>::shape.rank; ++i) {
    int const axis = e.order[static_cast<std::size_t>(i)];
    if (axis >= 0) at(strides, i) = at(memory.strides, axis);
  }
  memory.strides = strides;
  return memory;
}

/// The tensor that holds the elements of a product's operand.
template <TensorType E>
constexpr E const& base_of(E const& tensor) {
  return tensor;
}
template <class E, PackedMap order, Spec S>
constexpr E const& base_of(Moved<E, order, S> const& e) {
  return e.operand;
}

/// Does an operand of a product come to an element twice, as windows do?
template <class E>
inline constexpr bool overlapping = false;
template <class E, PackedMap order, Spec S>
inline constexpr bool overlapping<Moved<E, order, S>> =
    overlaps(unpacked(order), Moved<E, order, S>::shape.rank);

/// How the adjoint of an operand lies: as the operand does, or by itself, row-major, where one
/// place stands for several elements.
template <class E>
Sizes adjoint_strides(E const& operand) {
  if constexpr (overlapping<E>) return row_major(operand.sizes(), E::shape.rank);
  else return memory_of(operand).strides;
}

/// The labels of a product with their steps, where the operands lie as their strides say; `c` has
/// the strides of a row-major result.
template <class A, class B, class Rule>
LoopLabels labels_of(Contract<A, B, Rule> const& e, Sizes const& left, Sizes const& right) {
  Contraction const& rule = Rule::contraction;
  auto const a = label_steps(rule.left, left);
  auto const b = label_steps(rule.right, right);
  auto const c = label_steps(rule.out, row_major(e.sizes(), rule.shape.rank));
  LabelExtents const extents = e.extents();
  LoopLabels labels;
  for (std::size_t i = 0; i < static_cast<std::size_t>(rule.labels); ++i)
    labels.add({extents[i], a[i], b[i], c[i]});
  return labels;
}
template <class A, class B, class Rule>
LoopLabels labels_of(Contract<A, B, Rule> const& e) {
  return labels_of(e, memory_of(e.a).strides, memory_of(e.b).strides);
}

/// Computes a product to `out`, row-major.
template <class Backend, class A, class B, class Rule>
void contract(Contract<A, B, Rule> const& e, typename A::value_type* out) {
  multiply_labels<Backend>(labels_of(e), memory_of(e.a).data, memory_of(e.b).data, out, false);
}

/// Adds the adjoint of one operand: the product of the result's adjoint with the other operand.
template <class Backend, class T, class Kept>
void pull_operand(LoopLabels const& labels, T const* adjoint, T const* other, Kept const& operand,
                  Tape& tape) {
  auto const& base = base_of(operand);
  std::byte* const gradient = tape.gradient_of(base.mark(), base.size(), sizeof(T));
  if (gradient == nullptr) return;
  if constexpr (overlapping<Kept>) {
    auto own = TensorOf<Kept>::uninitialised(operand.sizes());
    multiply_labels<Backend>(labels, adjoint, other, own.mutable_data(), false);
    MemoryAccess at = access_out(nullptr, row_major(own.sizes(), own.rank), sizeof(T));
    at.data = reinterpret_cast<std::byte const*>(own.data());
    Backend::pull(operand, at, tape);
  } else {
    auto const moved = memory_of(operand).data - base.data();
    multiply_labels<Backend>(labels, adjoint, other, reinterpret_cast<T*>(gradient) + moved, true);
  }
}

/// Adds the adjoints of both operands of a product.
template <class Backend, class A, class B, class Rule>
void pull_product(Contract<A, B, Rule> const& e, typename A::value_type const* adjoint,
                  Tape& tape) {
  LoopLabels left = labels_of(e, adjoint_strides(e.a), memory_of(e.b).strides);
  LoopLabels right = labels_of(e, memory_of(e.a).strides, adjoint_strides(e.b));
  for (int i = 0; i < left.size; ++i) left[i] = {left[i].extent, left[i].c, left[i].b, left[i].a};
  for (int i = 0; i < right.size; ++i)
    right[i] = {right[i].extent, right[i].c, right[i].a, right[i].b};
  pull_operand<Backend>(left, adjoint, memory_of(e.b).data, e.a, tape);
  pull_operand<Backend>(right, adjoint, memory_of(e.a).data, e.b, tape);
}

}  // namespace tenon

// ---- tenon/op/arithmetic.hpp

namespace tenon::op {

struct Add {
  static constexpr std::string_view name = "add";
  static constexpr std::string_view onnx = "Add";
  template <NumberValue V>
  [[gnu::always_inline]] static constexpr V f(V a, V b) {
    return add(a, b);
  }
  template <NumberValue V>
  [[gnu::always_inline]] static constexpr auto d(V, V, V) {
    return partials(One{}, One{});
  }
};

struct Sub {
  static constexpr std::string_view name = "sub";
  static constexpr std::string_view onnx = "Sub";
  template <NumberValue V>
  [[gnu::always_inline]] static constexpr V f(V a, V b) {
    return subtract(a, b);
  }
  template <NumberValue V>
  [[gnu::always_inline]] static constexpr auto d(V, V, V) {
    return partials(One{}, V(scalar_of<V>(-1)));
  }
};

struct Mul {
  static constexpr std::string_view name = "mul";
  static constexpr std::string_view onnx = "Mul";
  template <NumberValue V>
  [[gnu::always_inline]] static constexpr V f(V a, V b) {
    return multiply(a, b);
  }
  template <NumberValue V>
  [[gnu::always_inline]] static constexpr auto d(V a, V b, V) {
    return partials(b, a);
  }
};

struct Div {
  static constexpr std::string_view name = "div";
  static constexpr std::string_view onnx = "Div";
  template <NumberValue V>
  [[gnu::always_inline]] static constexpr V f(V a, V b) {
    return divide(a, b);
  }
  template <NumberValue V>
  [[gnu::always_inline]] static constexpr auto d(V, V b, V y) {
    V const reciprocal = V(scalar_of<V>(1)) / b;  // infinite for the smallest b
    return partials(reciprocal, select(y == V(scalar_of<V>(0)), -y, -y * reciprocal));
  }
};

struct Neg {
  static constexpr std::string_view name = "neg";
  static constexpr std::string_view onnx = "Neg";
  template <NumberValue V>
  [[gnu::always_inline]] static constexpr V f(V x) {
    if constexpr (!std::integral<scalar_of<V>>) return -x;
    else return subtract(V(scalar_of<V>(0)), x);
  }
  template <NumberValue V>
  [[gnu::always_inline]] static constexpr auto d(V, V) {
    return partials(V(scalar_of<V>(-1)));
  }
};

struct Abs {
  static constexpr std::string_view name = "abs";
  static constexpr std::string_view onnx = "Abs";
  template <RealValue V>
  [[gnu::always_inline]] static constexpr V f(V x) {
    return abs(x);
  }
  template <RealValue V>
  [[gnu::always_inline]] static constexpr auto d(V x, V) {
    using T = scalar_of<V>;
    return partials(select(x == V(T(0)), V(T(0)), copysign(V(T(1)), x)));
  }
};

struct Sqrt {
  static constexpr std::string_view name = "sqrt";
  static constexpr std::string_view onnx = "Sqrt";
  template <FloatingValue V>
  [[gnu::always_inline]] static constexpr V f(V x) {
    return sqrt(x);
  }
  template <FloatingValue V>
  [[gnu::always_inline]] static constexpr auto d(V, V y) {
    return partials(V(scalar_of<V>(0.5)) / y);
  }
};

/// 1 / sqrt(x).
struct Rsqrt {
  static constexpr std::string_view name = "rsqrt";
  template <FloatingValue V>
  [[gnu::always_inline]] static constexpr V f(V x) {
    return V(scalar_of<V>(1)) / sqrt(x);
  }
  template <FloatingValue V>
  [[gnu::always_inline]] static constexpr auto d(V x, V y) {
    return partials(V(scalar_of<V>(-0.5)) * (y / x));
  }
};

/// 1 / x.
struct Reciprocal {
  static constexpr std::string_view name = "reciprocal";
  static constexpr std::string_view onnx = "Reciprocal";
  template <FloatingValue V>
  [[gnu::always_inline]] static constexpr V f(V x) {
    return V(scalar_of<V>(1)) / x;
  }
  template <FloatingValue V>
  [[gnu::always_inline]] static constexpr auto d(V, V y) {
    return partials(-y * y);
  }
};

struct Square {
  static constexpr std::string_view name = "square";
  template <NumberValue V>
  [[gnu::always_inline]] static constexpr V f(V x) {
    return multiply(x, x);
  }
  template <NumberValue V>
  [[gnu::always_inline]] static constexpr auto d(V x, V) {
    return partials(x + x);
  }
};

/// x where it is positive, else 0; NaN stays NaN.
struct Relu {
  static constexpr std::string_view name = "relu";
  static constexpr std::string_view onnx = "Relu";
  template <RealValue V>
  [[gnu::always_inline]] static constexpr V f(V x) {
    V const zero = V(scalar_of<V>(0));
    return select(x <= zero, zero, x);
  }
  template <RealValue V>
  [[gnu::always_inline]] static constexpr auto d(V x, V) {
    return partials(x > V(scalar_of<V>(0)));
  }
};

using ArithmeticUnary = List<Neg, Abs, Sqrt, Rsqrt, Reciprocal, Square, Relu>;
using ArithmeticBinary = List<Add, Sub, Mul, Div>;

}  // namespace tenon::op

namespace tenon {

/// Elementwise absolute value.
template <class X, Sound R = MapOf<op::Abs, X>>
constexpr auto abs(X&& x) -> R {
  return map<op::Abs>(std::forward<X>(x));
}
template <class X, Mistaken R = MapOf<op::Abs, X>>
auto abs(X&& x) -> R;

/// Elementwise square root; NaN below zero.
template <class X, Sound R = MapOf<op::Sqrt, X>>
constexpr auto sqrt(X&& x) -> R {
  return map<op::Sqrt>(std::forward<X>(x));
}
template <class X, Mistaken R = MapOf<op::Sqrt, X>>
auto sqrt(X&& x) -> R;

/// Elementwise 1 / sqrt(x).
template <class X, Sound R = MapOf<op::Rsqrt, X>>
constexpr auto rsqrt(X&& x) -> R {
  return map<op::Rsqrt>(std::forward<X>(x));
}
template <class X, Mistaken R = MapOf<op::Rsqrt, X>>
auto rsqrt(X&& x) -> R;

/// Elementwise 1 / x.
template <class X, Sound R = MapOf<op::Reciprocal, X>>
constexpr auto reciprocal(X&& x) -> R {
  return map<op::Reciprocal>(std::forward<X>(x));
}
template <class X, Mistaken R = MapOf<op::Reciprocal, X>>
auto reciprocal(X&& x) -> R;

/// Elementwise x².
template <class X, Sound R = MapOf<op::Square, X>>
constexpr auto square(X&& x) -> R {
  return map<op::Square>(std::forward<X>(x));
}
template <class X, Mistaken R = MapOf<op::Square, X>>
auto square(X&& x) -> R;

/// Elementwise max(x, 0); NaN stays.
template <class X, Sound R = MapOf<op::Relu, X>>
constexpr auto relu(X&& x) -> R {
  return map<op::Relu>(std::forward<X>(x));
}
template <class X, Mistaken R = MapOf<op::Relu, X>>
auto relu(X&& x) -> R;

}  // namespace tenon

// ---- tenon/eval/frame.hpp

namespace tenon {

/// How the innermost run of a row walks over memory.
enum class FrameReach {
  unit,     ///< Element after element.
  spread,   ///< One element for the whole run.
  strided,  ///< In steps known at run time.
};

/// A frame is a node of a kernel at work: the recipe without its specs, so that equal formulas over
/// other shapes share their code. `M` is the machine: scalars, or lanes of a processor.
///
///   visit(f)          f(access) for every access
///   step(f)           f(access) for those that walk along this row (not inside a fold)
///   rows(f)           f(frame) for every frame that keeps a row of values
///   prepare()         computes folds and row scalars, deepest first
///   trace(j, n)       the forward values of lanes j … j+n-1 of the run
///   pull(trace, g, n) adds the adjoint g of this node to those of its operands
///   back()            hands the adjoints of folds and row scalars down, in reverse order
///   same(other)       equal leaves (of an equal type): equal values
template <class M, class T, FrameReach reach>
struct LeafFrame {
  using value_type = T;
  using V = typename M::template vector<T>;
  using Trace = V;

  MemoryAccess access;

  static V of(Trace const& trace) { return trace; }

  template <class F>
  void visit(F const& f) {
    f(access);
  }
  template <class F>
  void step(F const& f) {
    f(access);
  }
  template <class F>
  void rows(F const&) {}
  template <class R>
  void share(R&) {}
  void prepare() {}
  void back() {}

  bool same(LeafFrame const& other) const { return access.same(other.access); }

  [[gnu::always_inline]] V trace(std::int64_t j, int n) const {
    T const* from = reinterpret_cast<T const*>(access.data) + access.now;
    if constexpr (reach == FrameReach::spread) return V(*from);
    else if constexpr (reach == FrameReach::unit)
      return n == M::count ? M::load(from + j) : M::load(from + j, n);
    else return M::load_strided(from + j * access.inner, access.inner, n);
  }

  [[gnu::always_inline]] void pull(Trace const&, V adjoint, std::int64_t j, int n) {
    if constexpr (std::is_floating_point_v<T>) {
      if (access.gradient == nullptr) return;
      T* to = reinterpret_cast<T*>(access.gradient) + access.now;
      if constexpr (reach == FrameReach::spread) *to += M::template fold<op::Add>(adjoint, n, T(0));
      else if constexpr (reach == FrameReach::unit) add_to(to + j, adjoint, n);
      else
        for (int i = 0; i < n; ++i) to[(j + i) * access.inner] += M::lane(adjoint, i);
    }
  }

 private:
  [[gnu::always_inline]] static void add_to(T* to, V adjoint, int n) {
    if (n == M::count) M::store(M::load(to) + adjoint, to);
    else M::store(M::load(to, n) + adjoint, to, n);
  }
};

/// A number of the language, the same in every lane.
template <class M, class T>
struct ConstantFrame {
  using value_type = T;
  using V = typename M::template vector<T>;
  using Trace = V;

  T value;

  static V of(Trace const& trace) { return trace; }
  template <class F>
  void visit(F const&) {}
  template <class F>
  void step(F const&) {}
  template <class F>
  void rows(F const&) {}
  template <class R>
  void share(R&) {}
  void prepare() {}
  void back() {}
  /// By its bits: 0 and -0 are two numbers, and a NaN is itself.
  bool same(ConstantFrame const& other) const {
    return std::memcmp(&value, &other.value, sizeof(T)) == 0;
  }
  [[gnu::always_inline]] V trace(std::int64_t, int) const { return V(value); }
  void pull(Trace const&, V, std::int64_t, int) {}
};

}  // namespace tenon

// ---- tenon/op/cast.hpp

namespace tenon::op {

/// The value in another dtype. Its partial is `One` between floating dtypes: the adjoint, which is
/// a `To`, passes as it is and is converted back by whoever adds it to one of the argument's dtype.
template <class To>
struct Cast {
  static constexpr std::string_view name = "to";
  static constexpr std::string_view onnx = "Cast";
  template <class V>
  static constexpr auto f(V x) {
    return convert<To>(x);
  }
  template <class V, class W>
  static constexpr auto d(V, W) {
    if constexpr (FloatingValue<V> && FloatingValue<W>) return partials(One{});
    else return partials(Zero{});
  }
};

}  // namespace tenon::op

// ---- tenon/eval/frame_map.hpp

namespace tenon {

template <class Op, class... V>
concept HasDerivative = requires(V... values) { Op::d(values..., Op::f(values...)); };

/// Hands the share of an adjoint to one operand, in the operand's dtype.
template <class Frame, class P, class V>
[[gnu::always_inline]] inline void pull_into(Frame& frame, typename Frame::Trace const& trace,
                                             P partial, V adjoint, std::int64_t j, int n) {
  if constexpr (!std::is_same_v<P, op::Zero> &&
                std::is_floating_point_v<typename Frame::value_type>) {
    auto const share = op::pulled(partial, adjoint);
    if constexpr (std::is_same_v<std::remove_const_t<decltype(share)>, typename Frame::V>)
      frame.pull(trace, share, j, n);
    else frame.pull(trace, op::Cast<typename Frame::value_type>::f(share), j, n);
  }
}

/// A `Trace` is what a formula's values were at a few elements: those of the operands, made in
/// place (g++ copies a returned aggregate of them by memcpy, in the innermost loop), and its own.
template <class M, class Op, class... F>
struct MapFrame;

template <class M, class Op, class A>
struct MapFrame<M, Op, A> {
  using V = std::remove_cvref_t<decltype(Op::f(std::declval<typename A::V>()))>;
  using value_type = word::scalar_of<V>;
  struct Trace {
    typename A::Trace a;
    V y;

    [[gnu::always_inline]] Trace(A const& of_a, std::int64_t j, int n)
        : a(of_a.trace(j, n)), y(Op::f(A::of(a))) {}
  };

  A a;

  static V of(Trace const& trace) { return trace.y; }
  template <class F>
  void visit(F const& f) {
    a.visit(f);
  }
  template <class F>
  void step(F const& f) {
    a.step(f);
  }
  template <class F>
  void rows(F const& f) {
    a.rows(f);
  }
  template <class R>
  void share(R& shared) {
    a.share(shared);
  }
  void prepare() { a.prepare(); }
  void back() { a.back(); }
  bool same(MapFrame const& other) const { return a.same(other.a); }

  [[gnu::always_inline]] Trace trace(std::int64_t j, int n) const { return Trace(a, j, n); }

  [[gnu::always_inline]] void pull(Trace const& t, V adjoint, std::int64_t j, int n) {
    if constexpr (HasDerivative<Op, typename A::V>) {
      auto const p = Op::d(A::of(t.a), t.y);
      pull_into(a, t.a, p.p0, adjoint, j, n);
    }
  }
};

template <class M, class Op, class A, class B>
struct MapFrame<M, Op, A, B> {
  using V = std::remove_cvref_t<decltype(Op::f(std::declval<typename A::V>(),
                                               std::declval<typename B::V>()))>;
  using value_type = word::scalar_of<V>;
  struct Trace {
    typename A::Trace a;
    typename B::Trace b;
    V y;

    [[gnu::always_inline]] Trace(A const& of_a, B const& of_b, std::int64_t j, int n)
        : a(of_a.trace(j, n)), b(of_b.trace(j, n)), y(Op::f(A::of(a), B::of(b))) {}
  };

  A a;
  B b;

  static V of(Trace const& trace) { return trace.y; }
  template <class F>
  void visit(F const& f) {
    a.visit(f);
    b.visit(f);
  }
  template <class F>
  void step(F const& f) {
    a.step(f);
    b.step(f);
  }
  template <class F>
  void rows(F const& f) {
    a.rows(f);
    b.rows(f);
  }
  template <class R>
  void share(R& shared) {
    a.share(shared);
    b.share(shared);
  }
  void prepare() {
    a.prepare();
    b.prepare();
  }
  void back() {
    b.back();
    a.back();
  }
  bool same(MapFrame const& other) const { return a.same(other.a) && b.same(other.b); }

  [[gnu::always_inline]] Trace trace(std::int64_t j, int n) const { return Trace(a, b, j, n); }

  [[gnu::always_inline]] void pull(Trace const& t, V adjoint, std::int64_t j, int n) {
    if constexpr (HasDerivative<Op, typename A::V, typename B::V>) {
      auto const p = Op::d(A::of(t.a), B::of(t.b), t.y);
      pull_into(a, t.a, p.p0, adjoint, j, n);
      pull_into(b, t.b, p.p1, adjoint, j, n);
    }
  }
};

template <class M, class Op, class A, class B, class C>
struct MapFrame<M, Op, A, B, C> {
  using V = std::remove_cvref_t<decltype(Op::f(std::declval<typename A::V>(),
                                               std::declval<typename B::V>(),
                                               std::declval<typename C::V>()))>;
  using value_type = word::scalar_of<V>;
  struct Trace {
    typename A::Trace a;
    typename B::Trace b;
    typename C::Trace c;
    V y;

    [[gnu::always_inline]] Trace(A const& of_a, B const& of_b, C const& of_c, std::int64_t j, int n)
        : a(of_a.trace(j, n)),
          b(of_b.trace(j, n)),
          c(of_c.trace(j, n)),
          y(Op::f(A::of(a), B::of(b), C::of(c))) {}
  };

  A a;
  B b;
  C c;

  static V of(Trace const& trace) { return trace.y; }
  template <class F>
  void visit(F const& f) {
    a.visit(f);
    b.visit(f);
    c.visit(f);
  }
  template <class F>
  void step(F const& f) {
    a.step(f);
    b.step(f);
    c.step(f);
  }
  template <class F>
  void rows(F const& f) {
    a.rows(f);
    b.rows(f);
    c.rows(f);
  }
  template <class R>
  void share(R& shared) {
    a.share(shared);
    b.share(shared);
    c.share(shared);
  }
  void prepare() {
    a.prepare();
    b.prepare();
    c.prepare();
  }
  void back() {
    c.back();
    b.back();
    a.back();
  }
  bool same(MapFrame const& other) const {
    return a.same(other.a) && b.same(other.b) && c.same(other.c);
  }

  [[gnu::always_inline]] Trace trace(std::int64_t j, int n) const { return Trace(a, b, c, j, n); }

  [[gnu::always_inline]] void pull(Trace const& t, V adjoint, std::int64_t j, int n) {
    if constexpr (HasDerivative<Op, typename A::V, typename B::V, typename C::V>) {
      auto const p = Op::d(A::of(t.a), B::of(t.b), C::of(t.c), t.y);
      pull_into(a, t.a, p.p0, adjoint, j, n);
      pull_into(b, t.b, p.p1, adjoint, j, n);
      pull_into(c, t.c, p.p2, adjoint, j, n);
    }
  }
};

}  // namespace tenon

// ---- tenon/op/compare.hpp

namespace tenon::op {

template <class V>
concept IntegerValue = std::integral<scalar_of<V>> && !std::same_as<scalar_of<V>, bool>;

/// Comparisons take two of a kind, or any two integers.
template <class A, class B>
concept Comparable = (IntegerValue<A> && IntegerValue<B>) || std::same_as<A, B>;

template <class A, class B>
concept Ordered = Comparable<A, B> && requires(A a, B b) {
  a < a;
  b < b;
};

/// Of two kinds of integer, the signed one and an `unsigned` of 64 bits have no common type.
template <class V>
inline constexpr bool is_widest = std::same_as<scalar_of<V>, std::uint64_t>;

template <class A, class B>
constexpr auto is_less(A a, B b) {
  if constexpr (std::same_as<A, B>) return a < b;
  else if constexpr (is_widest<A>) return (b > B(0)) & (a < convert<std::uint64_t>(b));
  else if constexpr (is_widest<B>) return (a < A(0)) | (convert<std::uint64_t>(a) < b);
  else return convert<std::int64_t>(a) < convert<std::int64_t>(b);
}

template <class A, class B>
constexpr auto is_equal(A a, B b) {
  if constexpr (std::same_as<A, B>) return a == b;
  else if constexpr (is_widest<A>) return (b >= B(0)) & (a == convert<std::uint64_t>(b));
  else if constexpr (is_widest<B>) return is_equal(b, a);
  else return convert<std::int64_t>(a) == convert<std::int64_t>(b);
}

struct Less {
  static constexpr std::string_view name = "less";
  static constexpr std::string_view onnx = "Less";
  template <class A, class B>
    requires Ordered<A, B>
  static constexpr mask_of<A> f(A a, B b) {
    return is_less(a, b);
  }
};

struct LessEqual {
  static constexpr std::string_view name = "less_equal";
  static constexpr std::string_view onnx = "LessOrEqual";
  template <class A, class B>
    requires Ordered<A, B>
  static constexpr mask_of<A> f(A a, B b) {
    if constexpr (std::same_as<A, B>) return a <= b;
    else return !is_less(b, a);
  }
};

struct Greater {
  static constexpr std::string_view name = "greater";
  static constexpr std::string_view onnx = "Greater";
  template <class A, class B>
    requires Ordered<A, B>
  static constexpr mask_of<A> f(A a, B b) {
    return is_less(b, a);
  }
};

struct GreaterEqual {
  static constexpr std::string_view name = "greater_equal";
  static constexpr std::string_view onnx = "GreaterOrEqual";
  template <class A, class B>
    requires Ordered<A, B>
  static constexpr mask_of<A> f(A a, B b) {
    if constexpr (std::same_as<A, B>) return a >= b;
    else return !is_less(a, b);
  }
};

struct Equal {
  static constexpr std::string_view name = "equal";
  static constexpr std::string_view onnx = "Equal";
  template <class A, class B>
    requires Comparable<A, B>
  static constexpr mask_of<A> f(A a, B b) {
    return is_equal(a, b);
  }
};

struct NotEqual {
  static constexpr std::string_view name = "not_equal";
  template <class A, class B>
    requires Comparable<A, B>
  static constexpr mask_of<A> f(A a, B b) {
    return !is_equal(a, b);
  }
};

/// Of two masks.
struct And {
  static constexpr std::string_view name = "and";
  static constexpr std::string_view onnx = "And";
  template <MaskValue M>
  static constexpr M f(M a, M b) {
    return M(a & b);
  }
};

/// Of two masks.
struct Or {
  static constexpr std::string_view name = "or";
  static constexpr std::string_view onnx = "Or";
  template <MaskValue M>
  static constexpr M f(M a, M b) {
    return M(a | b);
  }
};

/// Of two masks: is one of them true, and not the other?
struct Xor {
  static constexpr std::string_view name = "xor";
  static constexpr std::string_view onnx = "Xor";
  template <MaskValue M>
  static constexpr M f(M a, M b) {
    return M(a ^ b);
  }
};

/// Of a mask.
struct Not {
  static constexpr std::string_view name = "not";
  static constexpr std::string_view onnx = "Not";
  template <MaskValue M>
  static constexpr M f(M a) {
    return !a;
  }
};

using Comparisons = List<Less, LessEqual, Greater, GreaterEqual, Equal, NotEqual>;
using MaskUnary = List<Not>;
using MaskBinary = List<And, Or, Xor>;

}  // namespace tenon::op

// ---- tenon/op/coefficients.hpp

/// The numbers in the elementary functions. Minimax polynomials (Remez, 60 digits; lowest power
/// first), with the relative error of the function that they give.
namespace tenon::op {

template <class T>
struct Coefficients;

template <>
struct Coefficients<float> {
  static constexpr float ln2_high = 0x1.63p-1f;  // 9 bits: n * ln2_high is exact
  static constexpr float ln2_low = -2.12194440e-4f;
  static constexpr float exp_underflow = -104.0f, exp_overflow = 89.0f;

  // (exp(x) - 1 - x) / x^2 for |x| < 0.39; 2^-33
  static constexpr float exp[] = {0.5f,           0.166666672f,   0.0416660607f,
                                  0.00833322573f, 0.00139598211f, 0.000199375019f};
  // (log(m) / s - 2) / z with s = (m - 1) / (m + 1), z = s^2, for m within sqrt 2 of 1; 2^-36
  static constexpr float log[] = {0.666666627f, 0.400003374f, 0.285372406f, 0.235835165f};
  // erf(x) / x - 1 in x^2, for |x| < 0.95; 2^-30
  static constexpr float erf[] = {0.128379166f,   -0.376126319f,    0.112836637f,   -0.0268577058f,
                                  0.00519695226f, -0.000809770252f, 8.18508925e-05f};
  // exp(a^2 / 2) Phi(-a) (a + k) in (a - k) / (a + k), for 0 <= a < 15.5, where it underflows;
  // 2^-29
  static constexpr float tail_middle = 4.0f, tail_end = 15.5f;
  static constexpr float tail[] = {0.755285144f,     -0.607896626f,  0.387137264f,
                                   -0.186521634f,    0.0603987351f,  -0.00754192518f,
                                   -0.00349381869f,  0.00163222582f, 0.000173166845f,
                                   -0.000214205924f, -4.2672822e-05f};
};

template <>
struct Coefficients<double> {
  static constexpr double ln2_high = 6.93147180369123816490e-01;  // 33 bits: n * ln2_high is exact
  static constexpr double ln2_low = 1.90821492927058770002e-10;
  static constexpr double exp_underflow = -746.0, exp_overflow = 710.0;

  // as above; 2^-61, 2^-65, 2^-68, 2^-64, 2^-64, 2^-58
  static constexpr double exp[] = {0.5,
                                   0.16666666666666716,
                                   0.041666666666666831,
                                   0.0083333333332943661,
                                   0.0013888888888818089,
                                   0.0001984126994789939,
                                   2.4801587438654654e-05,
                                   2.7557187878339884e-06,
                                   2.7557187005823201e-07,
                                   2.5126960783137703e-08,
                                   2.0939124079155752e-09};
  static constexpr double log[] = {0.66666666666666663, 0.40000000000006286, 0.28571428569073748,
                                   0.22222222648656792, 0.1818177551469794,  0.15387097423349136,
                                   0.13249966427064344, 0.13252720023180733};
  // (sin(r) / r - 1) / z and (cos(r) - 1 + z / 2) / z^2 with z = r^2, |r| < pi/4; for float too
  static constexpr double sin[] = {-0.16666666666666666,    0.0083333333333333211,
                                   -0.00019841269841253619, 2.755731921342744e-06,
                                   -2.5052104710334735e-08, 1.6058340707847014e-10,
                                   -7.5774007097662481e-13};
  static constexpr double cos[] = {0.041666666666666595,   -0.0013888888888872722,
                                   2.4801587288557678e-05, -2.7557314073073472e-07,
                                   2.0875683866322108e-09, -1.1357541007357714e-11};
  static constexpr double erf[] = {
      0.12837916709551259,     -0.37612638903183748,   0.11283791670955036,
      -0.026866170645109579,   0.0052239776251698511,  -0.00085483270030416387,
      0.00012055331997875608,  -1.49256184944463e-05,  1.6461405803167755e-06,
      -1.6354976504796298e-07, 1.4693758831733715e-08, -1.1514930030170845e-09,
      6.2167999884933179e-11};
  static constexpr double tail_middle = 5.0, tail_end = 39.0;
  static constexpr double tail[] = {
      0.76919304975006297,     -0.66538250289005685,    0.49530561596997608,
      -0.31353315667128784,    0.16502036617040691,     -0.069118638706865229,
      0.020795066799270262,    -0.0029933767620676068,  -0.00079786938947325832,
      0.00054489899443922502,  -5.9375805647185215e-05, -4.9762464642334545e-05,
      1.6681629795982731e-05,  3.9798311888367615e-06,  -2.7706855830307523e-06,
      -3.3462324263493327e-07, 4.3621493204687698e-07,  4.0228836040824093e-08,
      -7.0036703421189438e-08, -8.5733265931673144e-09, 1.0717419929725859e-08,
      2.2079942621854938e-09,  -1.1350192592557073e-09, -3.7153128297410062e-10};
};

}  // namespace tenon::op

// ---- tenon/op/elementary.hpp

/// The bodies that several elementary functions share.
namespace tenon::op {

using namespace word;

/// A polynomial, lowest power first, by Horner's rule, unrolled.
template <class V, class T, std::size_t N, std::size_t... I>
[[gnu::always_inline]] constexpr V polynomial(V x, T const (&c)[N], std::index_sequence<I...>) {
  V y = V(c[N - 1]);
  ((y = fma(y, x, V(c[N - 2 - I]))), ...);
  return y;
}
template <class V, class T, std::size_t N>
[[gnu::always_inline]] constexpr V polynomial(V x, T const (&c)[N]) {
  return polynomial(x, c, std::make_index_sequence<N - 1>{});
}

/// exp(x) as (1 + less_one) * 2^power: exact about zero, and scaled last where it leaves the range.
template <class V>
struct Exponential {
  V less_one;
  V power;
  constexpr V value() const { return scale(V(scalar_of<V>(1)) + less_one, power); }
};

template <class V>
[[gnu::always_inline]] constexpr V reduced_exponential(V r) {  // exp(r) - 1 for |r| < 0.39
  return fma(r * r, polynomial(r, Coefficients<scalar_of<V>>::exp), r);
}

/// exp(high + low), for high within the range of exponents and |low| below 0.04.
template <class V>
[[gnu::always_inline]] constexpr Exponential<V> exponential(V high, V low) {
  using T = scalar_of<V>;
  using C = Coefficients<T>;
  V const n = round_even(high * V(T(1.44269504088896340736)));
  V const near = fma(n, V(-C::ln2_high), high);  // exact
  return {reduced_exponential(fma(n, V(-C::ln2_low), near) + low), n};
}
template <class V>
[[gnu::always_inline]] constexpr Exponential<V> exponential(V x) {
  using T = scalar_of<V>;
  using C = Coefficients<T>;
  V const n = round_even(x * V(T(1.44269504088896340736)));
  V const near = fma(n, V(-C::ln2_high), x);  // exact
  return {reduced_exponential(fma(n, V(-C::ln2_low), near)), n};
}

/// exp(-a^2 / 2) for a up to `tail_end`, where a^2 alone would lose as many bits as it has before
/// the point: the upper half of a is squared exactly.
template <class V>
[[gnu::always_inline]] constexpr Exponential<V> gaussian(V a) {
  using T = scalar_of<V>;
  using L = Layout<T>;
  constexpr auto dropped = (typename L::Bits{1} << ((L::mantissa_bits + 2) / 2)) - 1;
  V const upper = from_bits(bits(a) & decltype(bits(a))(static_cast<typename L::Bits>(~dropped)));
  V const low = (a - upper) * (a + upper) * V(T(-0.5));
  return exponential(upper * upper * V(T(-0.5)), low);
}

/// exp(a^2 / 2) Phi(-a), with the normal distribution Phi, as shape / (a + k); ratio is a / (a +
/// k).
template <class V>
struct ScaledTail {
  V shape;
  V ratio;
  constexpr V value() const {
    using T = scalar_of<V>;
    return shape * (V(T(1)) - ratio) * V(T(1) / Coefficients<T>::tail_middle);
  }
  constexpr V times_argument() const { return shape * ratio; }
};

/// For a from zero to `tail_end`.
template <class V>
[[gnu::always_inline]] constexpr ScaledTail<V> scaled_tail(V a) {
  using T = scalar_of<V>;
  using C = Coefficients<T>;
  V const k = V(C::tail_middle), one = V(T(1));
  V const rough = a / (a + k), lost = fma(-rough, a, fma(-rough, k, a));  // a - rough * (a + k)
  V const rest = lost * (one - rough) * V(T(1) / C::tail_middle);
  V const q = fma(rough, V(T(2)), -one) + (rest + rest);  // (a - k) / (a + k)
  return {polynomial(q, C::tail), rough + rest};
}

/// log(m * 2^n) for m within a factor sqrt(2) of one (after fdlibm's e_log.c).
template <class V>
[[gnu::always_inline]] constexpr V logarithm(V m, V n) {
  using T = scalar_of<V>;
  using C = Coefficients<T>;
  V const f = m - V(T(1)), s = f / (f + V(T(2))), z = s * s;
  V const half = f * f * V(T(0.5));
  V const low = fma(s, fma(z, polynomial(z, C::log), half), n * V(C::ln2_low));
  return fma(n, V(C::ln2_high), f - (half - low));
}

}  // namespace tenon::op

// ---- tenon/op/exponential.hpp

namespace tenon::op {

struct Exp {
  static constexpr std::string_view name = "exp";
  static constexpr std::string_view onnx = "Exp";
  template <FloatingValue V>
  [[gnu::always_inline]] static constexpr V f(V x) {
    using C = Coefficients<scalar_of<V>>;
    return exponential(clamp(x, V(C::exp_underflow), V(C::exp_overflow))).value();
  }
  template <FloatingValue V>
  static constexpr auto d(V, V y) {
    return partials(y);
  }
};

/// -infinity at zero, NaN below.
struct Log {
  static constexpr std::string_view name = "log";
  static constexpr std::string_view onnx = "Log";
  template <FloatingValue V>
  [[gnu::always_inline]] static constexpr V f(V x) {
    using T = scalar_of<V>;
    V const zero = V(T(0)), infinity = V(Layout<T>::infinity), m = mantissa(x);
    auto const big = m > V(T(1.41421356237309504880));
    V const n = exponent(x) + select(big, V(T(1)), zero);
    V const y = logarithm(select(big, m * V(T(0.5)), m), n);
    V const outside = select(x == zero, -infinity, V(Layout<T>::nan));
    return select(x <= zero, outside, select(x < infinity, y, x));
  }
  template <FloatingValue V>
  static constexpr auto d(V x, V) {
    return partials(V(scalar_of<V>(1)) / x);
  }
};

struct Tanh {
  static constexpr std::string_view name = "tanh";
  static constexpr std::string_view onnx = "Tanh";
  /// With e = exp(2 |x|) it is (e - 1) / (e + 1), or 1 - 2 / (e + 1) from |x| = 1/2 or so on; from
  /// 22 on it is 1.
  template <FloatingValue V>
  [[gnu::always_inline]] static constexpr V f(V x) {
    using T = scalar_of<V>;
    V const one = V(T(1)), two = V(T(2)), a = clamp(abs(x), V(T(0)), V(T(22)));
    auto const exp = exponential(a + a);
    V const power = scale(one, exp.power);
    auto const large = exp.power > one;
    V const above = select(large, two, fma(power, exp.less_one, power - one));
    V const quotient = above / fma(power, exp.less_one, power + one);
    return copysign(select(large, one - quotient, quotient), x);
  }
  template <FloatingValue V>
  static constexpr auto d(V, V y) {
    V const one = V(scalar_of<V>(1));
    return partials((one - y) * (one + y));
  }
};

/// From here down x * sigmoid(x) is zero; from 44 on it is x.
template <class T>
inline constexpr T gate_low = Coefficients<T>::exp_underflow * T(1.6);

template <class V>
[[gnu::always_inline]] constexpr V gate(V z) {
  using T = scalar_of<V>;
  return clamp(z, V(gate_low<T>), V(T(44)));
}

/// x * sigmoid(z), with `exp` = exp(-z) = e 2^n, as x / (2^-n + e) * 2^-n: this neither overflows
/// nor loses bits where sigmoid(z) is subnormal. x is not below z or one, z in the range of `gate`.
template <class V>
[[gnu::always_inline]] constexpr V gated(V x, Exponential<V> exp) {
  using T = scalar_of<V>;
  V const one = V(T(1)), power = scale(one, -exp.power);
  V const limited = clamp(x, V(gate_low<T>), V(Layout<T>::infinity));
  return scale(limited / ((power + one) + exp.less_one), -exp.power);
}

/// 1 / (1 + exp(-x)).
struct Sigmoid {
  static constexpr std::string_view name = "sigmoid";
  static constexpr std::string_view onnx = "Sigmoid";
  template <FloatingValue V>
  [[gnu::always_inline]] static constexpr V f(V x) {
    return gated(V(scalar_of<V>(1)), exponential(-gate(x)));
  }
  template <FloatingValue V>
  static constexpr auto d(V, V y) {
    return partials(y * (V(scalar_of<V>(1)) - y));
  }
};

/// x * sigmoid(x); zero at -infinity.
struct Silu {
  static constexpr std::string_view name = "silu";
  template <FloatingValue V>
  [[gnu::always_inline]] static constexpr V f(V x) {
    return gated(x, exponential(-gate(x)));
  }
  template <FloatingValue V>
  static constexpr auto d(V x, V) {
    V const one = V(scalar_of<V>(1)), s = applied<Sigmoid>(x);
    return partials(s * fma(gate(x), one - s, one));  // limited: no infinity meets a zero
  }
};

using Exponentials = List<Exp, Log, Tanh, Sigmoid, Silu>;

}  // namespace tenon::op

namespace tenon {

/// Elementwise e^x.
template <class X, Sound R = MapOf<op::Exp, X>>
constexpr auto exp(X&& x) -> R {
  return map<op::Exp>(std::forward<X>(x));
}
template <class X, Mistaken R = MapOf<op::Exp, X>>
auto exp(X&& x) -> R;

/// Elementwise natural logarithm.
template <class X, Sound R = MapOf<op::Log, X>>
constexpr auto log(X&& x) -> R {
  return map<op::Log>(std::forward<X>(x));
}
template <class X, Mistaken R = MapOf<op::Log, X>>
auto log(X&& x) -> R;

/// Elementwise hyperbolic tangent.
template <class X, Sound R = MapOf<op::Tanh, X>>
constexpr auto tanh(X&& x) -> R {
  return map<op::Tanh>(std::forward<X>(x));
}
template <class X, Mistaken R = MapOf<op::Tanh, X>>
auto tanh(X&& x) -> R;

/// Elementwise 1 / (1 + e^-x).
template <class X, Sound R = MapOf<op::Sigmoid, X>>
constexpr auto sigmoid(X&& x) -> R {
  return map<op::Sigmoid>(std::forward<X>(x));
}
template <class X, Mistaken R = MapOf<op::Sigmoid, X>>
auto sigmoid(X&& x) -> R;

/// Elementwise x sigmoid(x). PyTorch: `silu`.
template <class X, Sound R = MapOf<op::Silu, X>>
constexpr auto silu(X&& x) -> R {
  return map<op::Silu>(std::forward<X>(x));
}
template <class X, Mistaken R = MapOf<op::Silu, X>>
auto silu(X&& x) -> R;

}  // namespace tenon

// ---- tenon/op/extremes.hpp

namespace tenon::op {

/// The larger one; NaN from either operand; ties share the gradient.
struct Maximum {
  static constexpr std::string_view name = "max";
  static constexpr std::string_view onnx = "Max";
  template <RealValue V>
  [[gnu::always_inline]] static constexpr V f(V a, V b) {
    return maximum(a, b);
  }
  template <RealValue V>
  [[gnu::always_inline]] static constexpr auto d(V a, V b, V) {
    using T = scalar_of<V>;
    V const tie = select(a == b, V(T(0.5)), V(T(1)));
    return partials(select(a < b, V(T(0)), tie), select(b < a, V(T(0)), tie));
  }
};

/// The smaller one; NaN from either operand; ties share the gradient.
struct Minimum {
  static constexpr std::string_view name = "min";
  static constexpr std::string_view onnx = "Min";
  template <RealValue V>
  [[gnu::always_inline]] static constexpr V f(V a, V b) {
    return minimum(a, b);
  }
  template <RealValue V>
  [[gnu::always_inline]] static constexpr auto d(V a, V b, V) {
    using T = scalar_of<V>;
    V const tie = select(a == b, V(T(0.5)), V(T(1)));
    return partials(select(b < a, V(T(0)), tie), select(a < b, V(T(0)), tie));
  }
};

using Extremes = List<Maximum, Minimum>;

}  // namespace tenon::op

namespace tenon {

/// The larger of two, elementwise; NaN from either. PyTorch: `maximum`.
template <class X, class Y, Sound R = MapOf<op::Maximum, X, Y>>
constexpr auto max(X&& x, Y&& y) -> R {
  return map<op::Maximum>(std::forward<X>(x), std::forward<Y>(y));
}
template <class X, class Y, Mistaken R = MapOf<op::Maximum, X, Y>>
auto max(X&& x, Y&& y) -> R;

/// The smaller of two, elementwise; NaN from either. PyTorch: `minimum`.
template <class X, class Y, Sound R = MapOf<op::Minimum, X, Y>>
constexpr auto min(X&& x, Y&& y) -> R {
  return map<op::Minimum>(std::forward<X>(x), std::forward<Y>(y));
}
template <class X, class Y, Mistaken R = MapOf<op::Minimum, X, Y>>
auto min(X&& x, Y&& y) -> R;

/// The same by NumPy's and PyTorch's name.
template <class X, class Y, Sound R = MapOf<op::Maximum, X, Y>>
constexpr auto maximum(X&& x, Y&& y) -> R {
  return map<op::Maximum>(std::forward<X>(x), std::forward<Y>(y));
}
template <class X, class Y, Mistaken R = MapOf<op::Maximum, X, Y>>
auto maximum(X&& x, Y&& y) -> R;
template <class X, class Y, Sound R = MapOf<op::Minimum, X, Y>>
constexpr auto minimum(X&& x, Y&& y) -> R {
  return map<op::Minimum>(std::forward<X>(x), std::forward<Y>(y));
}
template <class X, class Y, Mistaken R = MapOf<op::Minimum, X, Y>>
auto minimum(X&& x, Y&& y) -> R;

template <class X, class L, class H>
using ClampOf = MapOf<op::Minimum, MapOf<op::Maximum, X, L>, H>;

/// min(max(x, low), high), elementwise; NaN stays. PyTorch: `clamp`.
template <class X, class L, class H, Sound R = ClampOf<X, L, H>>
constexpr auto clamp(X&& x, L&& low, H&& high) -> R {
  return min(max(std::forward<X>(x), std::forward<L>(low)), std::forward<H>(high));
}
template <class X, class L, class H, Mistaken R = ClampOf<X, L, H>>
auto clamp(X&& x, L&& low, H&& high) -> R;

}  // namespace tenon

// ---- tenon/op/shifted.hpp

/// Exponential and logarithm from where they are zero, exact there.
namespace tenon::op {

/// exp(x) - 1.
struct Expm1 {
  static constexpr std::string_view name = "expm1";
  /// From 40 on the 1 is below the last bit, and the power alone may leave the range.
  template <FloatingValue V>
  [[gnu::always_inline]] static constexpr V f(V x) {
    using T = scalar_of<V>;
    using C = Coefficients<T>;
    auto const exp = exponential(clamp(x, V(C::exp_underflow), V(C::exp_overflow)));
    V const power = scale(V(T(1)), exp.power);
    V const y = fma(power, exp.less_one, power - V(T(1)));
    return copysign(select(x > V(T(40)), exp.value(), y), x);
  }
  template <FloatingValue V>
  static constexpr auto d(V, V y) {
    return partials(y + V(scalar_of<V>(1)));
  }
};

/// log(1 + x); -infinity at -1, NaN below.
struct Log1p {
  static constexpr std::string_view name = "log1p";
  /// What 1 + x loses by rounding counts as much as it is of the sum (after Kahan).
  template <FloatingValue V>
  [[gnu::always_inline]] static constexpr V f(V x) {
    using T = scalar_of<V>;
    V const one = V(T(1)), sum = one + x, log = Log::f(sum);
    V const lost = x - (sum - one);
    auto const inside = (sum > V(T(0))) & (sum < V(Layout<T>::infinity));
    return copysign(select(inside, log + lost / sum, log), x);
  }
  template <FloatingValue V>
  static constexpr auto d(V x, V) {
    return partials(V(scalar_of<V>(1)) / (V(scalar_of<V>(1)) + x));
  }
};

/// log(1 + exp(x)).
struct Softplus {
  static constexpr std::string_view name = "softplus";
  static constexpr std::string_view onnx = "Softplus";
  template <FloatingValue V>
  [[gnu::always_inline]] static constexpr V f(V x) {
    return maximum(x, V(scalar_of<V>(0))) + Log1p::f(Exp::f(-abs(x)));
  }
  template <FloatingValue V>
  static constexpr auto d(V x, V) {
    return partials(applied<Sigmoid>(x));
  }
};

using Shifted = List<Expm1, Log1p, Softplus>;

}  // namespace tenon::op

namespace tenon {

/// Elementwise e^x - 1, exact about zero.
template <class X, Sound R = MapOf<op::Expm1, X>>
constexpr auto expm1(X&& x) -> R {
  return map<op::Expm1>(std::forward<X>(x));
}
template <class X, Mistaken R = MapOf<op::Expm1, X>>
auto expm1(X&& x) -> R;

/// Elementwise log(1 + x), exact about zero; NaN below -1.
template <class X, Sound R = MapOf<op::Log1p, X>>
constexpr auto log1p(X&& x) -> R {
  return map<op::Log1p>(std::forward<X>(x));
}
template <class X, Mistaken R = MapOf<op::Log1p, X>>
auto log1p(X&& x) -> R;

/// Elementwise log(1 + e^x). PyTorch: `softplus`.
template <class X, Sound R = MapOf<op::Softplus, X>>
constexpr auto softplus(X&& x) -> R {
  return map<op::Softplus>(std::forward<X>(x));
}
template <class X, Mistaken R = MapOf<op::Softplus, X>>
auto softplus(X&& x) -> R;

}  // namespace tenon

// ---- tenon/op/hyperbolic.hpp

namespace tenon::op {

/// e^a / 2 where e^a itself leaves the range.
template <class V>
[[gnu::always_inline]] constexpr V half_power(V a) {
  using T = scalar_of<V>;
  V const root = Exp::f(a * V(T(0.5)));
  return (V(T(0.5)) * root) * root;
}

template <class T>
inline constexpr T largest_exponent = sizeof(T) == 4 ? T(88) : T(709);

struct Cosh;

struct Sinh {
  static constexpr std::string_view name = "sinh";
  static constexpr std::string_view onnx = "Sinh";
  template <FloatingValue V>
  static constexpr V f(V x) {
    using T = scalar_of<V>;
    V const a = abs(x), t = Expm1::f(a), y = V(T(0.5)) * (t + t / (t + V(T(1))));
    return copysign(select(a > V(largest_exponent<T>), half_power(a), y), x);
  }
  template <FloatingValue V>
  static constexpr auto d(V x, V) {
    return partials(applied<Cosh>(x));
  }
};

struct Cosh {
  static constexpr std::string_view name = "cosh";
  static constexpr std::string_view onnx = "Cosh";
  template <FloatingValue V>
  static constexpr V f(V x) {
    using T = scalar_of<V>;
    V const a = abs(x), e = Exp::f(a), half = V(T(0.5));
    return select(a > V(largest_exponent<T>), half_power(a), fma(half, e, half / e));
  }
  template <FloatingValue V>
  static constexpr auto d(V x, V) {
    return partials(applied<Sinh>(x));
  }
};

using Hyperbolic = List<Sinh, Cosh>;

}  // namespace tenon::op

namespace tenon {

/// Elementwise hyperbolic sine.
template <class X, Sound R = MapOf<op::Sinh, X>>
constexpr auto sinh(X&& x) -> R {
  return map<op::Sinh>(std::forward<X>(x));
}
template <class X, Mistaken R = MapOf<op::Sinh, X>>
auto sinh(X&& x) -> R;

/// Elementwise hyperbolic cosine.
template <class X, Sound R = MapOf<op::Cosh, X>>
constexpr auto cosh(X&& x) -> R {
  return map<op::Cosh>(std::forward<X>(x));
}
template <class X, Mistaken R = MapOf<op::Cosh, X>>
auto cosh(X&& x) -> R;

}  // namespace tenon

// ---- tenon/op/integer.hpp

/// What only integers do: quotients that round down, remainders, bits, shifts. They have no
/// derivative. Nothing traps: by zero a quotient and a remainder are zero, as in NumPy.
namespace tenon::op {

/// What has bits to combine: an integer or a mask.
template <class V>
concept BitsValue = IntegerValue<V> || MaskValue<V>;

template <class V>
constexpr V zero_of() {
  return V(scalar_of<V>(0));
}

/// Is it below zero? Of a dtype without a sign: nowhere.
template <IntegerValue V>
constexpr mask_of<V> is_negative(V x) {
  if constexpr (std::signed_integral<scalar_of<V>>) return x < zero_of<V>();
  else return mask_of<V>(false);
}

/// Does the quotient that rounds towards zero lie above the one that rounds down?
template <IntegerValue V>
constexpr mask_of<V> rounds_up(V rest, V divisor) {
  mask_of<V> const is_left = rest != zero_of<V>();
  mask_of<V> const is_opposed = is_negative(rest) != is_negative(divisor);
  return is_left & is_opposed;
}

/// The rest of the quotient that rounds towards zero, with the sign of a.
struct Mod {
  static constexpr std::string_view name = "mod";
  template <IntegerValue V>
  [[gnu::always_inline]] static constexpr V f(V a, V b) {
    return modulo(a, b);
  }
};

/// The quotient that rounds down.
struct FloorDivide {
  static constexpr std::string_view name = "floor_divide";
  template <IntegerValue V>
  [[gnu::always_inline]] static constexpr V f(V a, V b) {
    V const quotient = divide(a, b);
    V const one = V(scalar_of<V>(1));
    return select(rounds_up(modulo(a, b), b), subtract(quotient, one), quotient);
  }
};

/// The rest of the quotient that rounds down, with the sign of b.
struct Remainder {
  static constexpr std::string_view name = "remainder";
  template <IntegerValue V>
  [[gnu::always_inline]] static constexpr V f(V a, V b) {
    V const rest = modulo(a, b);
    return select(rounds_up(rest, b), add(rest, b), rest);
  }
};

struct BitAnd {
  static constexpr std::string_view name = "bitwise_and";
  template <BitsValue V>
  [[gnu::always_inline]] static constexpr V f(V a, V b) {
    return static_cast<V>(a & b);
  }
};

struct BitOr {
  static constexpr std::string_view name = "bitwise_or";
  template <BitsValue V>
  [[gnu::always_inline]] static constexpr V f(V a, V b) {
    return static_cast<V>(a | b);
  }
};

struct BitXor {
  static constexpr std::string_view name = "bitwise_xor";
  template <BitsValue V>
  [[gnu::always_inline]] static constexpr V f(V a, V b) {
    return static_cast<V>(a ^ b);
  }
};

struct BitNot {
  static constexpr std::string_view name = "bitwise_not";
  template <BitsValue V>
  [[gnu::always_inline]] static constexpr V f(V x) {
    using T = scalar_of<V>;
    if constexpr (MaskValue<V>) return !x;
    else return static_cast<V>(x ^ V(static_cast<T>(~T(0))));
  }
};

/// By as many bits as there are, or more, it is 0; so it is by a negative number.
struct ShiftLeft {
  static constexpr std::string_view name = "shift_left";
  template <IntegerValue V>
  [[gnu::always_inline]] static constexpr V f(V a, V b) {
    return shift_left(a, b);
  }
};

/// By as many bits as there are, or by a negative number, only the sign is left: 0 or -1.
struct ShiftRight {
  static constexpr std::string_view name = "shift_right";
  template <IntegerValue V>
  [[gnu::always_inline]] static constexpr V f(V a, V b) {
    return shift_right(a, b);
  }
};

using IntegerUnary = List<BitNot>;
using IntegerBinary =
    List<Mod, FloorDivide, Remainder, BitAnd, BitOr, BitXor, ShiftLeft, ShiftRight>;

}  // namespace tenon::op

namespace tenon {

/// The quotient of integers that rounds down, elementwise (`/` rounds towards zero); by zero it is
/// zero. Of floats write `floor(x / y)`. NumPy, PyTorch: `floor_divide`, `//`.
template <class X, class Y, Sound R = MapOf<op::FloorDivide, X, Y>>
constexpr auto floor_divide(X&& x, Y&& y) -> R {
  return map<op::FloorDivide>(std::forward<X>(x), std::forward<Y>(y));
}
template <class X, class Y, Mistaken R = MapOf<op::FloorDivide, X, Y>>
auto floor_divide(X&& x, Y&& y) -> R;

/// What `floor_divide` of integers leaves, elementwise, with the sign of the divisor (`x % y` has
/// that of x, as in C++); by zero it is zero. NumPy, PyTorch: `remainder`, `%`.
template <class X, class Y, Sound R = MapOf<op::Remainder, X, Y>>
constexpr auto remainder(X&& x, Y&& y) -> R {
  return map<op::Remainder>(std::forward<X>(x), std::forward<Y>(y));
}
template <class X, class Y, Mistaken R = MapOf<op::Remainder, X, Y>>
auto remainder(X&& x, Y&& y) -> R;

}  // namespace tenon

// ---- tenon/op/inverse_trigonometric.hpp

/// Angles from what they measure, in radians.
namespace tenon::op {

/// Minimax polynomials (Remez, 60 digits; lowest power first), and pi/2 in two parts.
template <class T>
struct AngleCoefficients;
template <>
struct AngleCoefficients<float> {
  static constexpr float half_pi = 1.57079637f, half_pi_rest = -4.37113883e-8f;
  // (atan(x) / x - 1) / z with z = x^2, |x| < tan(pi/8); 2^-30
  static constexpr float atan[] = {-0.333333155f, 0.199984894f, -0.142438488f, 0.105960017f,
                                   -0.0608345378f};
  // (asin(x) / x - 1) / z with z = x^2, |x| < 1/2; 2^-31
  static constexpr float asin[] = {0.166666599f,  0.0750051092f, 0.0445157201f,
                                   0.0318176137f, 0.0144025966f, 0.0375652156f};
};
template <>
struct AngleCoefficients<double> {
  static constexpr double half_pi = 1.5707963267948966, half_pi_rest = 6.123233995736766e-17;
  // as above; 2^-64, 2^-59
  static constexpr double atan[] = {
      -0.333333333333333276,  0.199999999999976935,  -0.142857142853910729,  0.111111110883690861,
      -0.0909090815144115309, 0.0769228291520675857, -0.0666622907262633454, 0.0587704450437118034,
      -0.0521855077805167604, 0.0450414560263448311, -0.0334883585634772256, 0.015209295064496991};
  static constexpr double asin[] = {
      0.166666666666667624,  0.0749999999997026107,  0.0446428571751215708, 0.0303819426835869703,
      0.0223722156610059811, 0.01735160008126213,    0.013980961559813486,  0.0113977752092844566,
      0.0107865329910978962, 0.00368302821129309315, 0.0217635307706915858, -0.021077335016520887,
      0.0326769155536256725};
};

/// A quarter or half of a turn, less or plus a small angle: both parts of the constant count.
template <class V>
[[gnu::always_inline]] constexpr V right_angles(scalar_of<V> number, V rest) {
  using C = AngleCoefficients<scalar_of<V>>;
  return V(number * C::half_pi) + (V(number * C::half_pi_rest) + rest);
}

/// atan(x) for x >= 0: beyond tan(pi/8) it is taken from pi/4, beyond tan(3 pi/8) from pi/2.
template <class V>
[[gnu::always_inline]] constexpr V positive_atan(V x) {
  using T = scalar_of<V>;
  using C = AngleCoefficients<T>;
  V const one = V(T(1));
  auto const far = x > V(T(2.41421356237309504880)), beyond = x > V(T(0.41421356237309504880));
  V const above = select(far, -one, select(beyond, x - one, x));
  V const below = select(far, x, select(beyond, x + one, one));
  V const t = above / below, z = t * t, angle = fma(t * z, polynomial(z, C::atan), t);
  V const turned = select(far, right_angles(T(1), angle), right_angles(T(0.5), angle));
  return select(beyond, turned, angle);
}

struct Atan {
  static constexpr std::string_view name = "atan";
  static constexpr std::string_view onnx = "Atan";
  template <FloatingValue V>
  static constexpr V f(V x) {
    return copysign(positive_atan(abs(x)), x);
  }
  template <FloatingValue V>
  static constexpr auto d(V x, V) {
    return partials(V(scalar_of<V>(1)) / fma(x, x, V(scalar_of<V>(1))));
  }
};

/// The angle of the point (x, y), as C's atan2 has it in every special case.
struct Atan2 {
  static constexpr std::string_view name = "atan2";
  template <FloatingValue V>
  static constexpr V f(V y, V x) {
    using T = scalar_of<V>;
    V const zero = V(T(0)), one = V(T(1)), a = abs(x), b = abs(y);
    V const small = minimum(a, b), large = maximum(a, b);
    auto const diagonal = small == V(Layout<T>::infinity);
    V const slope = select(large == zero, zero, select(diagonal, one, small / large));
    V const angle = positive_atan(slope);
    V const upper = select(b > a, right_angles(T(1), -angle), angle);
    V const whole = select(copysign(one, x) < zero, right_angles(T(2), -upper), upper);
    return copysign(whole, y);
  }
  template <FloatingValue V>
  static constexpr auto d(V y, V x, V) {
    using T = scalar_of<V>;
    V const zero = V(T(0)), one = V(T(1));
    auto const steep = abs(y) > abs(x);
    V const large = select(steep, y, x), quotient = select(steep, x, y) / large;
    V const t = select(quotient == quotient, quotient, one);  // both zero, or both infinite
    V const r = select(large == zero, zero, one / (large * fma(t, t, one)));
    V const other = select(t == zero, zero, t * r);
    return partials(select(steep, other, r), -select(steep, r, other));
  }
};

/// An angle as sine + rest, where the rest is small.
template <class V>
struct HalfAngle {
  V sine;
  V rest;
};

/// asin(a) for 0 <= a < 1/2, and asin(sqrt((1 - a) / 2)) up to 1: NaN beyond.
template <class V>
[[gnu::always_inline]] constexpr HalfAngle<V> half_asin(V a) {
  using T = scalar_of<V>;
  auto const small = a < V(T(0.5));
  V const z = select(small, a * a, (V(T(1)) - a) * V(T(0.5)));
  V const s = select(small, a, sqrt(z));
  return {s, s * z * polynomial(z, AngleCoefficients<T>::asin)};
}

struct Asin {
  static constexpr std::string_view name = "asin";
  static constexpr std::string_view onnx = "Asin";
  /// Above a half it is pi/2 less twice the angle; what the larger parts lose is not lost.
  template <FloatingValue V>
  static constexpr V f(V x) {
    using T = scalar_of<V>;
    using C = AngleCoefficients<T>;
    V const a = abs(x), two = V(T(2));
    auto const half = half_asin(a);
    V const large = two * half.sine, near = V(C::half_pi) - large;
    V const lost = (V(C::half_pi) - near) - large;
    V const upper = near + (lost + fma(-two, half.rest, V(C::half_pi_rest)));
    return copysign(select(a < V(T(0.5)), half.sine + half.rest, upper), x);
  }
  template <FloatingValue V>
  static constexpr auto d(V x, V) {
    V const one = V(scalar_of<V>(1));
    return partials(one / sqrt((one - x) * (one + x)));
  }
};

struct Acos {
  static constexpr std::string_view name = "acos";
  static constexpr std::string_view onnx = "Acos";
  template <FloatingValue V>
  static constexpr V f(V x) {
    using T = scalar_of<V>;
    V const zero = V(T(0)), a = abs(x);
    auto const parts = half_asin(a);
    V const half = parts.sine + parts.rest, both = half + half;
    V const outer = select(x < zero, right_angles(T(2), -both), both);
    return select(a < V(T(0.5)), right_angles(T(1), -copysign(half, x)), outer);
  }
  template <FloatingValue V>
  static constexpr auto d(V x, V) {
    V const one = V(scalar_of<V>(1));
    return partials(-one / sqrt((one - x) * (one + x)));
  }
};

using InverseTrigonometric = List<Atan, Asin, Acos>;
using Angles = List<Atan2>;

}  // namespace tenon::op

namespace tenon {

/// Elementwise arc tangent, in radians.
template <class X, Sound R = MapOf<op::Atan, X>>
constexpr auto atan(X&& x) -> R {
  return map<op::Atan>(std::forward<X>(x));
}
template <class X, Mistaken R = MapOf<op::Atan, X>>
auto atan(X&& x) -> R;

/// Elementwise the angle of the points (x, y), from -pi to pi. NumPy: `arctan2(y, x)`.
template <class Y, class X, Sound R = MapOf<op::Atan2, Y, X>>
constexpr auto atan2(Y&& y, X&& x) -> R {
  return map<op::Atan2>(std::forward<Y>(y), std::forward<X>(x));
}
template <class Y, class X, Mistaken R = MapOf<op::Atan2, Y, X>>
auto atan2(Y&& y, X&& x) -> R;

/// Elementwise arc sine, in radians; NaN outside of [-1, 1].
template <class X, Sound R = MapOf<op::Asin, X>>
constexpr auto asin(X&& x) -> R {
  return map<op::Asin>(std::forward<X>(x));
}
template <class X, Mistaken R = MapOf<op::Asin, X>>
auto asin(X&& x) -> R;

/// Elementwise arc cosine, in radians; NaN outside of [-1, 1].
template <class X, Sound R = MapOf<op::Acos, X>>
constexpr auto acos(X&& x) -> R {
  return map<op::Acos>(std::forward<X>(x));
}
template <class X, Mistaken R = MapOf<op::Acos, X>>
auto acos(X&& x) -> R;

}  // namespace tenon

// ---- tenon/op/normal.hpp

/// The error function and what is made of the normal distribution.
namespace tenon::op {

/// |x| as far as the tails reach: beyond, exp(-x^2 / 2) is zero.
template <class V>
[[gnu::always_inline]] constexpr V within_tails(V x) {
  using T = scalar_of<V>;
  return clamp(abs(x), V(T(0)), V(Coefficients<T>::tail_end));
}

/// exp(-x^2 / 2).
struct Gaussian {
  static constexpr std::string_view name = "gaussian";
  template <FloatingValue V>
  [[gnu::always_inline]] static constexpr V f(V x) {
    return gaussian(within_tails(x)).value();
  }
  template <FloatingValue V>
  static constexpr auto d(V x, V y) {
    return partials(-copysign(within_tails(x), x) * y);
  }
};

/// Phi(x), the share of a normal distribution below x.
struct NormalBelow {
  static constexpr std::string_view name = "normal_below";
  template <FloatingValue V>
  [[gnu::always_inline]] static constexpr V f(V x) {
    using T = scalar_of<V>;
    V const a = within_tails(x), tail = gaussian(a).value() * scaled_tail(a).value();
    return select(x < V(T(0)), tail, V(T(1)) - tail);
  }
  template <FloatingValue V>
  static constexpr auto d(V x, V) {
    return partials(applied<Gaussian>(x) *
                    V(scalar_of<V>(0.39894228040143267794)));  // 1/sqrt(2 pi)
  }
};

/// The error function.
struct Erf {
  static constexpr std::string_view name = "erf";
  static constexpr std::string_view onnx = "Erf";
  template <FloatingValue V>
  [[gnu::always_inline]] static constexpr V f(V x) {
    using T = scalar_of<V>;
    V const a = within_tails(x * V(T(1.41421356237309504880)));
    V const large = V(T(1)) - V(T(2)) * gaussian(a).value() * scaled_tail(a).value();
    V const small = fma(x, polynomial(x * x, Coefficients<T>::erf), x);
    return select(a < V(T(1.25)), small, copysign(large, x));
  }
  template <FloatingValue V>
  static constexpr auto d(V x, V) {
    using T = scalar_of<V>;
    V const y = applied<Gaussian>(x * V(T(1.41421356237309504880)));
    return partials(V(T(1.12837916709551257390)) * y);  // 2/sqrt(pi)
  }
};

/// x * Phi(x), with the error function: PyTorch's default. Zero at -infinity.
struct Gelu {
  static constexpr std::string_view name = "gelu";
  static constexpr std::string_view onnx = "Gelu";
  /// With the share s = |x| Phi(-|x|): x - s above zero, -s below, scaled last.
  template <FloatingValue V>
  [[gnu::always_inline]] static constexpr V f(V x) {
    V const a = within_tails(x), t = scaled_tail(a).times_argument();
    auto const exp = gaussian(a);
    V const share = scale(fma(t, exp.less_one, t), exp.power);
    return select(x < V(scalar_of<V>(0)), -share, x - share);
  }
  /// Phi(x) + x phi(x).
  template <FloatingValue V>
  static constexpr auto d(V x, V) {
    using T = scalar_of<V>;
    V const slope = copysign(within_tails(x), x) * V(T(0.39894228040143267794));  // 1/sqrt(2 pi)
    return partials(fma(slope, applied<Gaussian>(x), applied<NormalBelow>(x)));
  }
};

/// The approximation of gelu by tanh, as GPT-2 has it: x sigmoid(2 sqrt(2/pi) (x + 0.044715 x^3)),
/// because (1 + tanh(a)) / 2 is sigmoid(2 a). Zero at -infinity.
struct GeluTanh {
  static constexpr std::string_view name = "gelu_tanh";
  /// Beyond 24 (12 in float) the result is x or zero.
  template <class V>
  [[gnu::always_inline]] static constexpr V within_step(V x) {
    using T = scalar_of<V>;
    V const end = V(sizeof(T) == 4 ? T(12) : T(24));
    return clamp(x, -end, end);
  }
  /// The argument of the exponential in two parts, as it may be large.
  template <FloatingValue V>
  [[gnu::always_inline]] static constexpr V f(V x) {
    using T = scalar_of<V>;
    V const u = within_step(x), u2 = u * u, cubic = u2 * V(cube<T>);
    V const factor = cubic + V(linear<T>), z = u * factor;
    V const part = factor - cubic;  // what each rounding lost, and each constant:
    V const rest = ((cubic - (factor - part)) + (V(linear<T>) - part)) +
                   fma(u2, V(cube<T>), -cubic) + fma(u, u, -u2) * V(cube<T>) +
                   fma(u2, V(cube_rest<T>), V(linear_rest<T>));
    V const high = gate(z);
    V const low = select(high == z, fma(u, factor, -z) + u * rest, V(T(0)));
    return gated(x, exponential(-high, -low));
  }
  template <FloatingValue V>
  static constexpr auto d(V x, V) {
    using T = scalar_of<V>;
    V const u = within_step(x), u2 = u * u, z = u * fma(u2, V(cube<T>), V(linear<T>));
    V const slope = fma(u2, V(T(3) * cube<T>), V(linear<T>)), one = V(T(1)),
            s = applied<Sigmoid>(z);
    return partials(s * fma(u * (one - s), slope, one));
  }
  template <class T>  // 2 sqrt(2/pi)
  static constexpr T linear = T(1.5957691216057308);
  template <class T>
  static constexpr T linear_rest = T(linear<double> - double(linear<T>) + -9.9693088091109202e-17);
  template <class T>  // 0.044715 times that
  static constexpr T cube = T(0.07135481627260025);
  template <class T>
  static constexpr T cube_rest = T(cube<double> - double(cube<T>) + -6.175149918155315e-19);
};

using Normals = List<Erf, Gelu, GeluTanh>;

}  // namespace tenon::op

namespace tenon {

/// Elementwise error function.
template <class X, Sound R = MapOf<op::Erf, X>>
constexpr auto erf(X&& x) -> R {
  return map<op::Erf>(std::forward<X>(x));
}
template <class X, Mistaken R = MapOf<op::Erf, X>>
auto erf(X&& x) -> R;

/// Elementwise x Φ(x), the exact form. PyTorch: `gelu`.
template <class X, Sound R = MapOf<op::Gelu, X>>
constexpr auto gelu(X&& x) -> R {
  return map<op::Gelu>(std::forward<X>(x));
}
template <class X, Mistaken R = MapOf<op::Gelu, X>>
auto gelu(X&& x) -> R;

/// Elementwise, the approximation by tanh. PyTorch: `gelu(approximate="tanh")`.
template <class X, Sound R = MapOf<op::GeluTanh, X>>
constexpr auto gelu_tanh(X&& x) -> R {
  return map<op::GeluTanh>(std::forward<X>(x));
}
template <class X, Mistaken R = MapOf<op::GeluTanh, X>>
auto gelu_tanh(X&& x) -> R;

}  // namespace tenon

// ---- tenon/op/power.hpp

namespace tenon::op {

/// A value as the sum of two, the second below the last bit of the first.
template <class V>
struct Pair {
  V high;
  V low;
};

/// The upper half of the bits of x: the product of two such is exact.
template <class V>
[[gnu::always_inline]] constexpr V upper_half(V x) {
  using L = Layout<scalar_of<V>>;
  using Bits = typename L::Bits;
  constexpr Bits dropped = (Bits{1} << ((L::mantissa_bits + 2) / 2)) - 1;
  return from_bits(bits(x) & decltype(bits(x))(static_cast<Bits>(~dropped)));
}

/// a * b with what its rounding loses (Dekker; needs no fused multiply-add).
template <class V>
[[gnu::always_inline]] constexpr Pair<V> exact_product(V a, V b) {
  V const p = a * b, ah = upper_half(a), al = a - ah, bh = upper_half(b), bl = b - bh;
  return {p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
}

/// log(x) to about 2^-60 for positive finite x: 2 s + s z P(z) with s = f / (2 + f) in two parts.
template <class V>
[[gnu::always_inline]] constexpr Pair<V> extended_logarithm(V x) {
  using T = scalar_of<V>;
  using C = Coefficients<T>;
  V const one = V(T(1)), two = V(T(2)), whole = mantissa(x);
  auto const big = whole > V(T(1.41421356237309504880));
  V const n = exponent(x) + select(big, one, V(T(0)));
  V const f = select(big, whole * V(T(0.5)), whole) - one, divisor = f + two;
  V const s = f / divisor, z = s * s;
  auto const product = exact_product(s, divisor);
  V const s_low = ((f - product.high) - product.low - s * (f - (divisor - two))) / divisor;
  V const power = n * V(C::ln2_high), sum = power + two * s;
  V const lost = two * s - (sum - power);  // |power| is the larger, or zero
  V const low = lost + fma(s, z * polynomial(z, C::log), fma(n, V(C::ln2_low), two * s_low));
  V const high = sum + low;
  return {high, low - (high - sum)};
}

/// a^b for a >= 0: in float through double; in double the logarithm has more bits.
template <class V>
[[gnu::always_inline]] constexpr V power_of_positive(V a, V b) {
  using T = scalar_of<V>;
  using C = Coefficients<T>;
  if constexpr (sizeof(T) == 4) {
    return convert<float>(Exp::f(convert<double>(b) * Log::f(convert<double>(a))));
  } else {
    auto const log = extended_logarithm(a);
    auto const product = exact_product(b, log.high);
    V const low = fma(b, log.low, product.low), plain = b * Log::f(a);
    V const high = select((a > V(T(0))) & (a < V(Layout<T>::infinity)), product.high, plain);
    V const within = clamp(high, V(C::exp_underflow), V(C::exp_overflow));
    return exponential(within, select(within == high, low, V(T(0)))).value();
  }
}

/// a^b as C's pow has it in every special case: 1 for b = 0 and for a = 1 whatever the other is; a
/// negative a needs an integer b. In double some units in the last place where |b log a| is
/// above 50.
struct Pow {
  static constexpr std::string_view name = "pow";
  static constexpr std::string_view onnx = "Pow";
  template <FloatingValue V>
  static constexpr V f(V a, V b) {
    using T = scalar_of<V>;
    V const zero = V(T(0)), one = V(T(1)), infinity = V(Layout<T>::infinity);
    V const half = b * V(T(0.5)), size = abs(a);
    mask_of<V> const integer = floor(b) == b, odd = integer & (floor(half) != half);
    mask_of<V> const is_one = (b == zero) | (a == one) | ((size == one) & (abs(b) == infinity));
    V const y = select(is_one, one, power_of_positive(size, b));
    V const signed_y = select(odd, copysign(y, a), y);
    return select((a < zero) & (a > -infinity) & !integer, V(Layout<T>::nan), signed_y);
  }
  template <FloatingValue V>
  static constexpr auto d(V a, V b, V y) {
    using T = scalar_of<V>;
    V const zero = V(T(0)), below = applied<Pow>(a, b - V(T(1)));
    V const first = select((b == zero) | (below == zero), zero, b * below);  // b may be infinite
    return partials(first, select(y == zero, zero, y * applied<Log>(a)));
  }
};

using Powers = List<Pow>;

}  // namespace tenon::op

namespace tenon {

/// Elementwise x^y. PyTorch: `pow`.
template <class X, class Y, Sound R = MapOf<op::Pow, X, Y>>
constexpr auto pow(X&& x, Y&& y) -> R {
  return map<op::Pow>(std::forward<X>(x), std::forward<Y>(y));
}
template <class X, class Y, Mistaken R = MapOf<op::Pow, X, Y>>
auto pow(X&& x, Y&& y) -> R;

}  // namespace tenon

// ---- tenon/op/predicate.hpp

/// Questions about one number; the answers make a mask.
namespace tenon::op {

struct IsNan {
  static constexpr std::string_view name = "isnan";
  static constexpr std::string_view onnx = "IsNaN";
  template <FloatingValue V>
  static constexpr mask_of<V> f(V x) {
    return x != x;
  }
};

struct IsInf {
  static constexpr std::string_view name = "isinf";
  static constexpr std::string_view onnx = "IsInf";
  template <FloatingValue V>
  static constexpr mask_of<V> f(V x) {
    return abs(x) == V(Layout<scalar_of<V>>::infinity);
  }
};

/// Neither infinite nor NaN.
struct IsFinite {
  static constexpr std::string_view name = "isfinite";
  template <FloatingValue V>
  static constexpr mask_of<V> f(V x) {
    return abs(x) < V(Layout<scalar_of<V>>::infinity);
  }
};

using Predicates = List<IsNan, IsInf, IsFinite>;

}  // namespace tenon::op

namespace tenon {

/// Elementwise: is it NaN?
template <class X, Sound R = MapOf<op::IsNan, X>>
constexpr auto isnan(X&& x) -> R {
  return map<op::IsNan>(std::forward<X>(x));
}
template <class X, Mistaken R = MapOf<op::IsNan, X>>
auto isnan(X&& x) -> R;

/// Elementwise: is it infinite, of either sign?
template <class X, Sound R = MapOf<op::IsInf, X>>
constexpr auto isinf(X&& x) -> R {
  return map<op::IsInf>(std::forward<X>(x));
}
template <class X, Mistaken R = MapOf<op::IsInf, X>>
auto isinf(X&& x) -> R;

/// Elementwise: is it neither infinite nor NaN?
template <class X, Sound R = MapOf<op::IsFinite, X>>
constexpr auto isfinite(X&& x) -> R {
  return map<op::IsFinite>(std::forward<X>(x));
}
template <class X, Mistaken R = MapOf<op::IsFinite, X>>
auto isfinite(X&& x) -> R;

}  // namespace tenon

// ---- tenon/op/rounding.hpp

namespace tenon::op {

/// What is flat between its jumps: nothing passes backward.
struct Flat {
  template <class V>
  static constexpr auto d(V, V) {
    return partials(Zero{});
  }
};

/// -1, 0 or 1; NaN stays NaN.
struct Sign : Flat {
  static constexpr std::string_view name = "sign";
  static constexpr std::string_view onnx = "Sign";
  template <RealValue V>
  static constexpr V f(V x) {
    using T = scalar_of<V>;
    V const zero = V(T(0)), rest = select(x == zero, zero, x);
    return select(x > zero, V(T(1)), select(x < zero, V(static_cast<T>(-1)), rest));
  }
};

struct Floor : Flat {
  static constexpr std::string_view name = "floor";
  static constexpr std::string_view onnx = "Floor";
  template <FloatingValue V>
  static constexpr V f(V x) {
    return floor(x);
  }
};

struct Ceil : Flat {
  static constexpr std::string_view name = "ceil";
  static constexpr std::string_view onnx = "Ceil";
  template <FloatingValue V>
  static constexpr V f(V x) {
    return -floor(-x);
  }
};

/// To the nearest integer, halves to the even one.
struct Round : Flat {
  static constexpr std::string_view name = "round";
  static constexpr std::string_view onnx = "Round";
  template <FloatingValue V>
  static constexpr V f(V x) {
    return round_even(x);
  }
};

/// Towards zero.
struct Trunc : Flat {
  static constexpr std::string_view name = "trunc";
  template <FloatingValue V>
  static constexpr V f(V x) {
    return copysign(floor(abs(x)), x);
  }
};

using Roundings = List<Sign, Floor, Ceil, Round, Trunc>;

}  // namespace tenon::op

namespace tenon {

/// Elementwise -1, 0 or 1; NaN stays.
template <class X, Sound R = MapOf<op::Sign, X>>
constexpr auto sign(X&& x) -> R {
  return map<op::Sign>(std::forward<X>(x));
}
template <class X, Mistaken R = MapOf<op::Sign, X>>
auto sign(X&& x) -> R;

/// Elementwise the largest integer that is not above x.
template <class X, Sound R = MapOf<op::Floor, X>>
constexpr auto floor(X&& x) -> R {
  return map<op::Floor>(std::forward<X>(x));
}
template <class X, Mistaken R = MapOf<op::Floor, X>>
auto floor(X&& x) -> R;

/// Elementwise the smallest integer that is not below x.
template <class X, Sound R = MapOf<op::Ceil, X>>
constexpr auto ceil(X&& x) -> R {
  return map<op::Ceil>(std::forward<X>(x));
}
template <class X, Mistaken R = MapOf<op::Ceil, X>>
auto ceil(X&& x) -> R;

/// Elementwise the nearest integer, halves to the even one, as NumPy and PyTorch do.
template <class X, Sound R = MapOf<op::Round, X>>
constexpr auto round(X&& x) -> R {
  return map<op::Round>(std::forward<X>(x));
}
template <class X, Mistaken R = MapOf<op::Round, X>>
auto round(X&& x) -> R;

/// Elementwise the integer next to x towards zero.
template <class X, Sound R = MapOf<op::Trunc, X>>
constexpr auto trunc(X&& x) -> R {
  return map<op::Trunc>(std::forward<X>(x));
}
template <class X, Mistaken R = MapOf<op::Trunc, X>>
auto trunc(X&& x) -> R;

}  // namespace tenon

// ---- tenon/op/select.hpp

namespace tenon::op {

/// The one value where the mask is true, the other where it is not. The partials are masks, so that
/// an infinite derivative of the branch not taken never meets a zero.
struct Where {
  static constexpr std::string_view name = "where";
  static constexpr std::string_view onnx = "Where";
  template <class M, class V>
    requires std::same_as<scalar_of<M>, bool> && requires(M m, V x) { select(m, x, x); }
  [[gnu::always_inline]] static constexpr V f(M mask, V yes, V no) {
    return select(mask, yes, no);
  }
  template <class M, class V>
  [[gnu::always_inline]] static constexpr auto d(M mask, V, V, V) {
    return partials(Zero{}, mask, !mask);
  }
};

using Selections = List<Where>;

}  // namespace tenon::op

namespace tenon {

/// `yes` where the mask is true, else `no`, elementwise. PyTorch: `where`.
template <class M, class X, class Y, Sound R = MapOf<op::Where, M, X, Y>>
constexpr auto where(M&& mask, X&& yes, Y&& no) -> R {
  return map<op::Where>(std::forward<M>(mask), std::forward<X>(yes), std::forward<Y>(no));
}
template <class M, class X, class Y, Mistaken R = MapOf<op::Where, M, X, Y>>
auto where(M&& mask, X&& yes, Y&& no) -> R;

}  // namespace tenon

// ---- tenon/op/angle.hpp

/// The reduction of an angle for sin and cos.
namespace tenon::op {

/// An angle as quarter * pi/2 + rest, with an integer `quarter` and |rest| up to about pi/4.
template <class V>
struct Angle {
  V quarter;
  V rest;
};

/// Up to here pi/2 in parts of 33 bits suffices: their products with `quarter` are exact.
inline constexpr double moderate_angle = 1e6;

/// Cody and Waite's reduction in double, with fdlibm's parts of pi/2.
template <class V>
[[gnu::always_inline]] constexpr Angle<V> reduced_moderate_angle(V x) {
  V const n = round_even(x * V(0.63661977236758134308));
  V const near = fma(n, V(-1.57079632673412561417e+00), x);  // exact
  V const second = n * V(6.07710050630396597660e-11);
  V const rest = near - second, lost = (near - rest) - second;
  V const third = fma(n, V(2.02226624871116645580e-21), -lost);
  return {n, (rest - third) - n * V(8.47842766036889956997e-32)};
}

/// The bits of 2/pi, after 64 zeros.
struct TwoOverPi {
  static constexpr std::string_view name = "two_over_pi";
  static constexpr std::uint64_t entries[] = {0,
                                              0xa2f9836e4e441529,
                                              0xfc2757d1f534ddc0,
                                              0xdb6295993c439041,
                                              0xfe5163abdebbc561,
                                              0xb7246e3a424dd2e0,
                                              0x06492eea09d1921c,
                                              0xfe1deb1cb129a73e,
                                              0xe88235f52ebb4484,
                                              0xe99c7026b45f7e41,
                                              0x3991d639835339f4,
                                              0x9c845f8bbdf9283b,
                                              0x1ff897ffde05980f,
                                              0xef2f118b5a0a6d1f,
                                              0x6d367ecf27cb09b7,
                                              0x4f463f669e5fea2d,
                                              0x7527bac7ebe5f17b,
                                              0x3d0739f78a5292ea,
                                              0x6bfb5fb11f8d5d08,
                                              0x56033046fc7b6bab};
};

/// 64 bits of the table from any position on.
template <class B>
constexpr B two_over_pi_from(B position) {
  B const at = position >> 6, shift = position & B(63);
  return (entry<TwoOverPi>(at) << shift) | ((entry<TwoOverPi>(at + B(1)) >> 1) >> (B(63) - shift));
}

/// A fraction of four quarters in 128 bits.
template <class B>
struct Turns {
  B high;
  B low;
};

/// The digits of an angle times those bits of 2/pi from `position` on that matter.
template <class B>
constexpr Turns<B> turns_of(B digits, B position) {
  B const first = two_over_pi_from(position), second = two_over_pi_from(position + B(64));
  B const third = two_over_pi_from(position + B(128)), product = digits * second;
  B const low = product + multiply_high(digits, third);
  B const carry = select(low < product, B(1), B(0));
  return {digits * first + multiply_high(digits, second) + carry, low};
}

/// An angle from its turns; beyond half a quarter it is counted from the next one.
template <class V, class B>
constexpr Angle<V> angle_of_turns(Turns<B> turns) {
  B const zero = B(0), low = turns.low << 2, high = (turns.high << 2) | (turns.low >> 62);
  auto const upper = (high >> 63) != zero;
  B const borrow = select(low != zero, B(1), zero);
  V const above = convert<double>(select(upper, zero - high - borrow, high));
  V const below = convert<double>(select(upper, zero - low, low)) * V(0x1p-64);
  V const rest = (above + below) * V(1.57079632679489661923 * 0x1p-64);
  B const quarter = (turns.high >> 62) + select(upper, B(1), zero);
  return {convert<double>(quarter), select(upper, -rest, rest)};
}

/// Payne and Hanek's reduction: the mantissa times those bits of 2/pi that matter for the exponent.
/// Correct for every finite angle from 2^19 on. M. Payne, R. Hanek, SIGNUM Newsletter 18 (1983).
template <class V>
constexpr Angle<V> reduced_large_angle(V x) {
  V const a = abs(x);
  auto const digits = bits(a);
  using B = std::remove_const_t<decltype(digits)>;
  B const position = convert<std::uint64_t>(exponent(a)) + B(10);  // 64 - 52 - 2: before is 4 n
  B const mantissa = (digits & B(Layout<double>::fraction)) | B(std::uint64_t{1} << 52);
  auto const angle = angle_of_turns<V>(turns_of(mantissa, position));
  auto const below = x < V(0.0);
  return {select(below, -angle.quarter, angle.quarter), select(below, -angle.rest, angle.rest)};
}

template <class V>
[[gnu::always_inline]] constexpr Angle<V> reduced_angle(V x) {
  auto const angle = reduced_moderate_angle(x);
  V const size = abs(x);
  auto const large = (size > V(moderate_angle)) & (size < V(Layout<double>::infinity));
  auto const quarter = [](auto lane) { return reduced_large_angle(lane).quarter; };
  auto const rest = [](auto lane) { return reduced_large_angle(lane).rest; };
  V const nowhere = select(size < V(Layout<double>::infinity), angle.rest, V(Layout<double>::nan));
  return {rarely(large, x, quarter, angle.quarter), rarely(large, x, rest, nowhere)};
}

}  // namespace tenon::op

// ---- tenon/op/trigonometric.hpp

namespace tenon::op {

template <class V>
[[gnu::always_inline]] constexpr V modulo_four(V n) {
  return fma(V(-4.0), floor(n * V(0.25)), n);
}

/// sin(angle + turn * pi/2), in double.
template <class D>
[[gnu::always_inline]] constexpr D sine(Angle<D> const& angle, double turn) {
  using C = Coefficients<double>;
  D const r = angle.rest, z = r * r, half = z * D(0.5), one = D(1.0);
  D const sin = fma(r * z, polynomial(z, C::sin), r);
  D const top = one - half;
  D const cos = top + fma(z * z, polynomial(z, C::cos), (one - top) - half);
  D const n = modulo_four(angle.quarter) + D(turn);
  D const y = select((n == one) | (n == D(3.0)), cos, sin);
  return select((n >= D(2.0)) & (n < D(4.0)), -y, y);
}

/// sin(x + turn * pi/2), for every finite x. Of float it is computed in double, and so rounded
/// correctly but for one in some millions.
template <class V>
[[gnu::always_inline]] constexpr V sine(V x, scalar_of<V> turn) {
  return convert<scalar_of<V>>(sine(reduced_angle(convert<double>(x)), double{turn}));
}

struct Cos;

struct Sin {
  static constexpr std::string_view name = "sin";
  static constexpr std::string_view onnx = "Sin";
  template <FloatingValue V>
  static constexpr V f(V x) {
    return select(x == V(scalar_of<V>(0)), x, sine(x, scalar_of<V>(0)));  // -0 stays -0
  }
  template <FloatingValue V>
  static constexpr auto d(V x, V) {
    return partials(applied<Cos>(x));
  }
};

struct Cos {
  static constexpr std::string_view name = "cos";
  static constexpr std::string_view onnx = "Cos";
  template <FloatingValue V>
  static constexpr V f(V x) {
    return sine(x, scalar_of<V>(1));
  }
  template <FloatingValue V>
  static constexpr auto d(V x, V) {
    return partials(-applied<Sin>(x));
  }
};

struct Tan {
  static constexpr std::string_view name = "tan";
  static constexpr std::string_view onnx = "Tan";
  template <FloatingValue V>
  static constexpr V f(V x) {
    auto const angle = reduced_angle(convert<double>(x));
    V const y = convert<scalar_of<V>>(sine(angle, 0) / sine(angle, 1));
    return select(x == V(scalar_of<V>(0)), x, y);
  }
  template <FloatingValue V>
  static constexpr auto d(V, V y) {
    return partials(fma(y, y, V(scalar_of<V>(1))));
  }
};

using Trigonometric = List<Sin, Cos, Tan>;

}  // namespace tenon::op

namespace tenon {

/// Elementwise sine, of radians.
template <class X, Sound R = MapOf<op::Sin, X>>
constexpr auto sin(X&& x) -> R {
  return map<op::Sin>(std::forward<X>(x));
}
template <class X, Mistaken R = MapOf<op::Sin, X>>
auto sin(X&& x) -> R;

/// Elementwise cosine, of radians.
template <class X, Sound R = MapOf<op::Cos, X>>
constexpr auto cos(X&& x) -> R {
  return map<op::Cos>(std::forward<X>(x));
}
template <class X, Mistaken R = MapOf<op::Cos, X>>
auto cos(X&& x) -> R;

/// Elementwise tangent, of radians.
template <class X, Sound R = MapOf<op::Tan, X>>
constexpr auto tan(X&& x) -> R {
  return map<op::Tan>(std::forward<X>(x));
}
template <class X, Mistaken R = MapOf<op::Tan, X>>
auto tan(X&& x) -> R;

}  // namespace tenon

// ---- tenon/op/list.hpp

/// The lists from which tests, the table in the documentation and the backends follow. An op stands
/// in the list of its family's file; only a new family touches this one.
namespace tenon::op {

/// What costs many operations.
using Elementary = Joined<Exponentials, Shifted, Normals, Powers, Trigonometric,
                          InverseTrigonometric, Angles, Hyperbolic>;

using Unary = Joined<ArithmeticUnary, Roundings, Exponentials, Shifted, Normals, Trigonometric,
                     InverseTrigonometric, Hyperbolic>;
using Binary = Joined<ArithmeticBinary, Extremes, Powers, Angles>;
using Ternary = Selections;
using All = Joined<Unary, Binary, Ternary, Predicates, Comparisons, MaskUnary, MaskBinary,
                   IntegerUnary, IntegerBinary>;

/// Calls `action.template operator()<Op>()` for every op of a list.
template <class... Ops, class Action>
constexpr void for_each(List<Ops...>, Action&& action) {
  (action.template operator()<Ops>(), ...);
}

}  // namespace tenon::op

// ---- tenon/eval/cost.hpp

namespace tenon {

template <class Op, class... Ops>
constexpr bool is_one_of(op::List<Ops...>) {
  return (std::same_as<Op, Ops> || ...);
}

/// What a formula costs per element, in simple operations. (Elementary functions: about ten.)
template <class F>
inline constexpr int cost = 0;
template <class M, class Op, class... F>
inline constexpr int cost<MapFrame<M, Op, F...>> =
    (is_one_of<Op>(op::Elementary{}) ? 10 : 1) + (0 + ... + cost<F>);

/// Below this an operation waits for the one before it, rather than for the elements.
inline constexpr int cost_of_a_step = 6;

}  // namespace tenon

// ---- tenon/eval/shared.hpp

namespace tenon {

/// Finds equal subexpressions of a kernel: equal type gives the code, equal leaves give the value.
/// Folds and row scalars enter in post-order; one that was there before is computed only once.
class SharedFrames {
 public:
  /// The distance in bytes from `frame` to the frame that computes its value; 0 is itself.
  template <class Frame>
  std::ptrdiff_t enter(Frame const& frame) {
    for (std::size_t i = 0; i < count_; ++i) {
      if (entries_[i].type != &type_of<Frame>) continue;
      auto const* const other = static_cast<Frame const*>(entries_[i].frame);
      if (other->same(frame))
        return reinterpret_cast<std::byte const*>(other) -
               reinterpret_cast<std::byte const*>(&frame);
    }
    if (count_ < entries_.size()) entries_[count_++] = {&type_of<Frame>, &frame};
    return 0;
  }

 private:
  template <class Frame>
  static inline char const type_of = 0;

  struct Entry {
    void const* type;
    void const* frame;
  };
  std::array<Entry, 32> entries_;
  std::size_t count_ = 0;
};

/// A value that is computed once a row, and its adjoint, which the row's lanes add up. `Frame` adds
/// how: compute() from the frame of its operand, and pull_down(adjoint) into that.
template <class M, class Frame, class F, class T>
struct RowValue {
  using value_type = T;
  using V = typename M::template vector<T>;
  using Trace = V;

  F frame;
  T value{};
  V adjoint{};
  std::ptrdiff_t distance = 0;  ///< To the equal frame that computes; 0 is this one.
  bool is_wanted = false;       ///< Has somebody pulled? (Not where gradients stop.)

  explicit RowValue(F const& f) : frame(f) {}

  static V of(Trace const& trace) { return trace; }
  [[gnu::always_inline]] V trace(std::int64_t, int) const { return V(value); }

  template <class Visit>
  void visit(Visit const& f) {
    frame.visit(f);
  }
  template <class Visit>
  void step(Visit const&) {}
  template <class Visit>
  void rows(Visit const& f) {
    frame.rows(f);
  }
  template <class R>
  void share(R& shared) {
    frame.share(shared);
    distance = shared.enter(self());
  }

  void prepare() {
    if (distance != 0) {
      value = owner().value;
    } else {
      frame.prepare();
      value = self().compute();
    }
  }

  void pull(Trace const&, V share, std::int64_t, int n) {
    Frame& to = owner();
    to.adjoint = to.adjoint + (n == M::count ? share : M::first(share, n, T(0)));
    to.is_wanted = true;
  }

  void back() {
    if (distance != 0) return;
    if constexpr (std::is_floating_point_v<T>) {
      if (is_wanted) self().pull_down(take_adjoint());
      is_wanted = false;
    }
    frame.back();
  }

 private:
  Frame& self() { return *static_cast<Frame*>(this); }

  /// The frame that computes this value: same type, in the same tree, so the distance survives
  /// copies of the tree.
  Frame& owner() {
    return *reinterpret_cast<Frame*>(reinterpret_cast<std::byte*>(&self()) + distance);
  }

  /// The adjoint so far; it starts again from zero.
  T take_adjoint() {
    T const sum = M::template fold<op::Add>(adjoint, M::count, T(0));
    adjoint = V(T(0));
    return sum;
  }
};

}  // namespace tenon

// ---- tenon/eval/walk.hpp

/// How the rows of a kernel are walked: run by run, a run in lanes.
namespace tenon {

/// Calls `body()` for every run of a row; before, `frame` steps to where the run begins.
template <class M, class Frame, class Body>
[[gnu::always_inline]] inline void walk_runs(ScratchRow const& row, Frame& frame,
                                             Body const& body) {
  ElementIndex middle{};
  if (row.size() == 0) return;
  do {
    frame.step([&](MemoryAccess& access) {
      access.now = access.at + offset(access.row, middle, row.rank - 1);
    });
    body();
  } while (next(middle, row.sizes, row.rank - 1));
}

/// Calls `body(j, n)` for the lanes from `begin` to `end`: all lanes of a vector, then the tail.
template <class M, class Body>
[[gnu::always_inline]] inline void walk_lanes(std::int64_t begin, std::int64_t end,
                                              Body const& body) {
  std::int64_t j = begin;
  for (; j + M::count <= end; j += M::count) body(j, M::count);
  if (j < end) body(j, static_cast<int>(end - j));
}

/// Calls `body(j, n)` for the lanes of a row, run by run.
template <class M, class Frame, class Body>
[[gnu::always_inline]] inline void walk(ScratchRow const& row, Frame& frame, Body const& body) {
  walk_runs<M>(row, frame, [&] { walk_lanes<M>(0, row.inner(), body); });
}

}  // namespace tenon

// ---- tenon/eval/frame_row.hpp

namespace tenon {

/// A part of a row's formula that does not vary along the row: computed once a row.
template <class M, class F>
struct ScalarFrame : RowValue<M, ScalarFrame<M, F>, F, typename F::value_type> {
  using T = typename F::value_type;
  using Base = RowValue<M, ScalarFrame, F, T>;
  using Base::Base, Base::frame;

  bool same(ScalarFrame const& other) const { return frame.same(other.frame); }

  T compute() {
    settle();
    return M::lane(F::of(frame.trace(0, 1)), 0);
  }
  void pull_down(T adjoint) {
    settle();
    frame.pull(frame.trace(0, 1), typename F::V(adjoint), 0, 1);
  }

 private:
  /// The accesses of a row scalar stand still: their run begins where their row does.
  void settle() {
    frame.step([](MemoryAccess& access) { access.now = access.at; });
  }
};

/// A fold over the row: Op is associative, lanes are combined at the end, in a fixed tree.
template <class M, class Op, class F>
struct FoldFrame : RowValue<M, FoldFrame<M, Op, F>, F, typename F::value_type> {
  using T = typename F::value_type;
  using V = typename F::V;
  using Base = RowValue<M, FoldFrame, F, T>;
  using Base::frame;

  ScratchRow row;

  FoldFrame(F const& f, ScratchRow const& r) : Base(f), row(r) {}

  bool same(FoldFrame const& other) const {
    return row.rank == other.row.rank && row.sizes == other.row.sizes && frame.same(other.frame);
  }

  T compute() {
    PairwiseFold<M, Op, T> total;
    walk_runs<M>(row, frame, [&] { fold_run(total); });
    return M::template fold<Op>(total.result(), M::count, identity);
  }

  void pull_down(T from_above) {
    if constexpr (op::SmoothFold<Op>) {
      V const y = V(this->value);
      auto const share = Op::share(V(from_above), y, [&]<class Fold, class Of>(Fold, Of const& of) {
        return V(this->template folded<Fold>(of));
      });
      walk<M>(row, frame, [&](std::int64_t j, int n) {
        auto const trace = frame.trace(j, n);
        frame.pull(trace, Op::pull(share, F::of(trace), y), j, n);
      });
    }
  }

 private:
  static constexpr T identity = Op::template identity<T>;

  /// Folds one run, block by block; a tail counts to the last block. The loop reads a copy of the
  /// frame, so that its pointers stay in registers.
  void fold_run(PairwiseFold<M, Op, T>& total) const {
    constexpr std::int64_t block = M::count * PairwiseFold<M, Op, T>::block_length;
    F const own = frame;
    for (std::int64_t j = 0, inner = row.inner(); j < inner; j += block)
      total.push(fold_block(own, j, std::min(j + block, inner)));
  }

  /// Where an element costs little, four chains of operations go side by side, so that none waits
  /// for the one before it.
  [[gnu::always_inline]] static V fold_block(F const& own, std::int64_t j, std::int64_t end) {
    auto const at = [&](std::int64_t i) { return F::of(own.trace(i, M::count)); };
    V sum = V(identity);
    if constexpr (cost<F> < cost_of_a_step) {
      V a = sum, b = sum, c = sum;
      for (; j + 4 * M::count <= end; j += 4 * M::count) {
        sum = Op::f(sum, at(j));
        a = Op::f(a, at(j + M::count));
        b = Op::f(b, at(j + 2 * M::count));
        c = Op::f(c, at(j + 3 * M::count));
      }
      sum = Op::f(Op::f(sum, a), Op::f(b, c));
    }
    for (; j + M::count <= end; j += M::count) sum = Op::f(sum, at(j));
    if (j == end) return sum;
    int const left = static_cast<int>(end - j);
    return Op::f(sum, M::first(F::of(own.trace(j, left)), left, identity));
  }

  /// `of` of every element, folded.
  template <class Fold, class Of>
  T folded(Of const& of) {
    constexpr T none = Fold::template identity<T>;
    V total = V(none);
    walk<M>(row, frame, [&](std::int64_t j, int n) {
      V const x = of(F::of(frame.trace(j, n)));
      total = Fold::f(total, n == M::count ? x : M::first(x, n, none));
    });
    return M::template fold<Fold>(total, M::count, none);
  }
};

}  // namespace tenon

// ---- tenon/eval/frame_column.hpp

namespace tenon {

/// A fold over axes that are not the last: every lane of the row folds its own column. The strides
/// along the folded axes are the accesses' `depth`.
template <class M, class Op, class F>
struct ColumnFrame {
  using value_type = typename F::value_type;
  using T = value_type;
  using V = typename F::V;
  using Trace = V;

  F frame;
  Sizes sizes;  ///< Of the folded axes.
  int rank;

  static V of(Trace const& trace) { return trace; }
  std::int64_t length() const { return count(sizes, rank); }

  template <class Visit>
  void visit(Visit const& f) {
    frame.visit(f);
  }
  template <class Visit>
  void step(Visit const& f) {
    frame.step(f);
  }
  template <class Visit>
  void rows(Visit const& f) {
    frame.rows(f);
  }
  template <class R>
  void share(R& shared) {
    frame.share(shared);
  }
  void prepare() { frame.prepare(); }
  void back() { frame.back(); }
  bool same(ColumnFrame const& other) const {
    return sizes == other.sizes && frame.same(other.frame);
  }

  V trace(std::int64_t j, int n) const {
    PairwiseFold<M, Op, T> total;
    F at_depth = frame;
    descend(at_depth, [&] { total.add(F::of(at_depth.trace(j, n))); });
    return total.result();
  }

  void pull(Trace const& y, V adjoint, std::int64_t j, int n) {
    if constexpr (op::SmoothFold<Op> && std::is_floating_point_v<T>) {
      auto const share = Op::share(adjoint, y, [&]<class Fold, class Of>(Fold, Of const& of) {
        return this->template folded<Fold>(of, j, n);
      });
      descend(frame, [&] {
        auto const trace = frame.trace(j, n);
        frame.pull(trace, Op::pull(share, F::of(trace), y), j, n);
      });
    }
  }

 private:
  /// Calls `body` with `at` standing at every position along the folded axes, then takes it back.
  template <class Body>
  void descend(F& at, Body const& body) const {
    ElementIndex depth{};
    if (length() == 0) return;
    std::int64_t sign = 1;
    auto const shift = [&](MemoryAccess& access) {
      access.now += sign * offset(access.depth, depth, rank);
    };
    do {
      sign = 1;
      at.step(shift);
      body();
      sign = -1;
      at.step(shift);
    } while (next(depth, sizes, rank));
  }

  /// `of` of every element of a column, folded.
  template <class Fold, class Of>
  V folded(Of const& of, std::int64_t j, int n) {
    V total = V(Fold::template identity<T>);
    descend(frame, [&] { total = Fold::f(total, of(F::of(frame.trace(j, n)))); });
    return total;
  }
};

}  // namespace tenon

// ---- tenon/eval/frame_gather.hpp

namespace tenon {

/// Elements of a table chosen by ids. Where the ids stand still along a run the run is a leaf's at
/// another place; where they vary (`by_lane`) every lane looks for itself.
template <class M, class T, class I, FrameReach reach, bool by_lane>
struct GatherFrame {
  using value_type = T;
  using V = typename M::template vector<T>;
  using Trace = V;

  LeafFrame<M, T, reach> table;
  MemoryAccess ids;
  std::int64_t stride = 0;  ///< From one row of the table to the next, in elements.

  static V of(Trace const& trace) { return trace; }

  template <class F>
  void visit(F const& f) {
    f(table.access);
    f(ids);
  }
  template <class F>
  void step(F const& f) {
    visit(f);
  }
  template <class F>
  void rows(F const&) {}
  template <class R>
  void share(R&) {}
  void prepare() {}
  void back() {}

  bool same(GatherFrame const& other) const {
    return table.same(other.table) && ids.same(other.ids) && stride == other.stride;
  }

  [[gnu::always_inline]] V trace(std::int64_t j, int n) const {
    if constexpr (!by_lane) {
      return shifted().trace(j, n);
    } else {
      T const* from = reinterpret_cast<T const*>(table.access.data) + table.access.now;
      T found[static_cast<std::size_t>(M::count)]{};
      for (int i = 0; i < n; ++i) found[i] = from[place(j + i)];
      return M::load(found, n);
    }
  }

  void pull(Trace const& t, V adjoint, std::int64_t j, int n) {
    if constexpr (std::is_floating_point_v<T>) {
      if (table.access.gradient == nullptr) return;
      if constexpr (!by_lane) {
        shifted().pull(t, adjoint, j, n);
      } else {
        T* to = reinterpret_cast<T*>(table.access.gradient) + table.access.now;
        for (int i = 0; i < n; ++i) to[place(j + i)] += M::lane(adjoint, i);
      }
    }
  }

 private:
  std::int64_t id(std::int64_t j) const {
    return static_cast<std::int64_t>(reinterpret_cast<I const*>(ids.data)[ids.now + j]);
  }
  std::int64_t place(std::int64_t j) const {
    return j * table.access.inner + id(j * ids.inner) * stride;
  }
  LeafFrame<M, T, reach> shifted() const {
    LeafFrame<M, T, reach> leaf = table;
    leaf.access.now += id(0) * stride;
    return leaf;
  }
};

}  // namespace tenon

// ---- tenon/eval/frame_position.hpp

namespace tenon {

/// The position of an extreme in its row. Element by element: the first among equals wins.
template <class M, class Op, class F>
struct PositionFrame : RowValue<M, PositionFrame<M, Op, F>, F, std::int32_t> {
  using T = typename F::value_type;
  using Base = RowValue<M, PositionFrame, F, std::int32_t>;
  using Base::frame;

  ScratchRow row;

  PositionFrame(F const& f, ScratchRow const& r) : Base(f), row(r) {
    if (row.size() == 0) throw ValueError("tenon::" + std::string(Op::name) + ": an empty axis");
  }

  bool same(PositionFrame const& other) const {
    return row.sizes == other.row.sizes && frame.same(other.frame);
  }

  std::int32_t compute() {
    T best{};
    std::int32_t position = 0, found = 0;
    walk<M>(row, frame, [&](std::int64_t j, int n) {
      auto const x = F::of(frame.trace(j, n));
      for (int i = 0; i < n; ++i, ++position) {
        T const candidate = M::lane(x, i);
        if (position != 0 && !Op::better(candidate, best)) continue;
        best = candidate;
        found = position;
      }
    });
    return found;
  }
};

}  // namespace tenon

// ---- tenon/eval/settle.hpp

/// What is one kernel: any tree of maps over memory is. Folds join it where they look along the
/// last axes of the rows that the kernel walks anyway; everything else is evaluated first.
namespace tenon {

/// A fold over columns: it keeps its last axis, along which its kernel walks, and closes the
/// kernel.
template <class E>
inline constexpr bool is_column_fold = false;
template <class Op, class E, AxisBits axes, bool keeps>
inline constexpr bool is_column_fold<Fold<Op, E, axes, keeps>> =
    axes != 0 && !has_axis(axes, E::shape.rank - 1) && !op::PositionFold<Op>;

/// Has a settled recipe a fold over rows in it?
template <class E>
inline constexpr bool has_fold = false;
template <class Op, class E, AxisBits axes, bool keeps>
inline constexpr bool has_fold<Fold<Op, E, axes, keeps>> =
    !is_column_fold<Fold<Op, E, axes, keeps>>;
template <class Op, class... E>
inline constexpr bool has_fold<Elementwise<Op, E...>> = (has_fold<E> || ...);

/// How many of its result's axes, counted from the last, an operand with folds in it leaves to the
/// row: it must lie on all the others, in order. -1: it does not lie so.
constexpr int row_left_by(AxisMap const& map, int operand_rank, int rank) {
  int covered = 0;
  for (int i = 0; i < operand_rank; ++i) {
    int const axis = map[static_cast<std::size_t>(i)];
    if (axis < 0) continue;
    if (axis != covered) return -1;
    ++covered;
  }
  return rank - covered;
}

/// The number of row axes that a settled recipe with folds in it asks its kernel for.
template <class E>
inline constexpr int wanted_row = 0;

/// The row that operand k of a map asks for; -1: it cannot be part of any.
template <std::size_t k, class Node, class E>
constexpr int operand_row() {
  constexpr int left = row_left_by(Node::types::aligned.maps[k], E::shape.rank, Node::shape.rank);
  if constexpr (left < 0) return -1;
  else if constexpr (left == 0) return wanted_row<E>;
  else return wanted_row<E> == 0 ? left : -1;
}

/// The rows that the operands of a map ask for: `has[k]` if operand k has folds in it.
template <class Op, class... E>
struct MapRows {
  static constexpr std::size_t size = sizeof...(E);
  static constexpr std::array<bool, size> has{has_fold<E>...};
  static constexpr std::array<int, size> wants = []<std::size_t... k>(std::index_sequence<k...>) {
    return std::array<int, size>{operand_row<k, Elementwise<Op, E...>, E>()...};
  }(std::make_index_sequence<size>());

  /// The row of the whole: that of the first operand that can be part of one.
  static constexpr int row() {
    for (std::size_t k = 0; k < size; ++k) {
      if (has[k] && wants[k] >= 0) return wants[k];
    }
    return 0;
  }
  /// Must operand k be evaluated first?
  static constexpr bool is_first(std::size_t k) { return has[k] && wants[k] != row(); }
};

template <class Op, class... E>
inline constexpr int wanted_row<Elementwise<Op, E...>> = MapRows<Op, E...>::row();

/// How a recipe settles: what has to be there before its kernel runs is evaluated. (Another such
/// type only notes what would be.)
struct EvaluateFirst {
  template <class E>
  constexpr auto operator()(E const& e) const {
    return evaluate(e);
  }
  /// The same elements with the axes of an `R`.
  template <class R, class E>
  static constexpr auto reshaped_to(E const& value, Sizes const& sizes) {
    return reshaped<R>(value, sizes);
  }
};

template <bool is_first, class E, class First>
constexpr auto fused_or_value(E const& e, First const& first) {
  if constexpr (is_first || is_column_fold<E>) return first(e);
  else return e;
}

/// Products are values to their kernel, everything else settles in its own way.
template <class E, class First = EvaluateFirst>
constexpr auto settled(E const& e, First const& first = {}) {
  if constexpr (is_contract<E>) return first(e);
  else return e;
}

template <class Op, class A, class First = EvaluateFirst>
constexpr auto settled(Elementwise<Op, A> const& e, First const& first = {}) {
  auto a = fused_or_value<false>(settled(e.a, first), first);
  return Elementwise<Op, decltype(a)>(std::move(a));
}

template <class Op, class A, class B, class First = EvaluateFirst>
constexpr auto settled(Elementwise<Op, A, B> const& e, First const& first = {}) {
  auto a = settled(e.a, first);
  auto b = settled(e.b, first);
  using Rows = MapRows<Op, decltype(a), decltype(b)>;
  auto x = fused_or_value<Rows::is_first(0)>(a, first);
  auto y = fused_or_value<Rows::is_first(1)>(b, first);
  return Elementwise<Op, decltype(x), decltype(y)>(std::move(x), std::move(y));
}

template <class Op, class A, class B, class C, class First = EvaluateFirst>
constexpr auto settled(Elementwise<Op, A, B, C> const& e, First const& first = {}) {
  auto a = settled(e.a, first);
  auto b = settled(e.b, first);
  auto c = settled(e.c, first);
  using Rows = MapRows<Op, decltype(a), decltype(b), decltype(c)>;
  auto x = fused_or_value<Rows::is_first(0)>(a, first);
  auto y = fused_or_value<Rows::is_first(1)>(b, first);
  auto z = fused_or_value<Rows::is_first(2)>(c, first);
  using Node = Elementwise<Op, decltype(x), decltype(y), decltype(z)>;
  return Node(std::move(x), std::move(y), std::move(z));
}

/// Moves take fold-free operands along.
template <class E, PackedMap order, Spec S, class First = EvaluateFirst>
constexpr auto settled(Moved<E, order, S> const& e, First const& first = {}) {
  auto operand = settled(e.operand, first);
  auto kept = fused_or_value<has_fold<decltype(operand)>>(operand, first);
  return Moved<decltype(kept), order, S>(std::move(kept), e.sizes(), e.start);
}

/// The order of axes that brings the folded ones to the end.
constexpr AxisMap folded_last(AxisBits axes, int rank) {
  AxisMap order{-1, -1, -1, -1, -1, -1, -1, -1};
  std::size_t next = 0;
  for (bool const folds : {false, true}) {
    for (int i = 0; i < rank; ++i) {
      if (has_axis(axes, i) == folds) order[next++] = static_cast<std::int8_t>(i);
    }
  }
  return order;
}

/// The axes of a fold's operand with the folded ones last.
template <class E, AxisBits axes>
struct FoldedLast {
  static constexpr AxisMap order = folded_last(axes, E::shape.rank);
  static constexpr Shape shape = permuted(E::shape, order);
  static constexpr AxisBits folded = last_axes(E::shape.rank, count_axes(axes));
  static constexpr bool already = axes == folded;  ///< Also where there are none.
};

/// A fold over the last axes walks rows of its operand.
template <class Op, class E, AxisBits axes, bool keeps, class First = EvaluateFirst>
  requires(FoldedLast<E, axes>::already)
constexpr auto settled(Fold<Op, E, axes, keeps> const& e, First const& first = {}) {
  auto operand = settled(e.operand, first);
  using A = decltype(operand);
  constexpr int folds = count_axes(axes);
  auto kept = fused_or_value<(has_fold<A> && wanted_row<A> != folds)>(operand, first);
  return Fold<Op, decltype(kept), axes, keeps>(std::move(kept));
}

/// A fold over columns only.
template <class Op, class E, AxisBits axes, bool keeps, class First = EvaluateFirst>
  requires(is_column_fold<Fold<Op, E, axes, keeps>> && !FoldedLast<E, axes>::already)
constexpr auto settled(Fold<Op, E, axes, keeps> const& e, First const& first = {}) {
  auto operand = settled(e.operand, first);
  auto kept = fused_or_value<has_fold<decltype(operand)>>(operand, first);
  return Fold<Op, decltype(kept), axes, keeps>(std::move(kept));
}

/// Any other fold is one over the last axes of its operand transposed; where it keeps its axes they
/// are put back in place afterwards.
template <class Op, class E, AxisBits axes, bool keeps, class First = EvaluateFirst>
  requires(!is_column_fold<Fold<Op, E, axes, keeps>> && !FoldedLast<E, axes>::already)
constexpr auto settled(Fold<Op, E, axes, keeps> const& e, First const& first = {}) {
  using Last = FoldedLast<E, axes>;
  auto operand = settled(e.operand, first);
  auto kept = fused_or_value<has_fold<decltype(operand)>>(operand, first);
  auto transposed = moved<Last>(std::move(kept));
  Fold<Op, decltype(transposed), Last::folded, false> folded(std::move(transposed));
  if constexpr (!keeps) return folded;
  else
    return First::template reshaped_to<TensorOf<Fold<Op, E, axes, keeps>>>(first(folded),
                                                                           e.sizes());
}

}  // namespace tenon

// ---- tenon/eval/lower.hpp

/// From a recipe to the frame of its kernel. `inner` is the axis of the node that the innermost run
/// walks along (-1: none); `row` is the set of its axes that belong to the row, one bit each.
namespace tenon {

template <class T>
void add_elements(std::byte* to, std::byte const* from, std::int64_t count) {
  T* const sum = reinterpret_cast<T*>(to);
  T const* const more = reinterpret_cast<T const*>(from);
  for (std::int64_t i = 0; i < count; ++i) sum[i] = sum[i] + more[i];
}

constexpr FrameReach reach_of(int rank, int inner) {
  if (inner < 0) return FrameReach::spread;
  return inner == rank - 1 ? FrameReach::unit : FrameReach::strided;
}

template <class E>
MemoryAccess access_to(E const& tensor, Tape* tape) {
  using T = typename E::value_type;
  MemoryAccess access;
  access.data = reinterpret_cast<std::byte const*>(tensor.data());
  access.stride = row_major(tensor.sizes(), E::shape.rank);
  access.element_bytes = sizeof(T);
  access.count = tensor.size();
  if constexpr (std::is_floating_point_v<T>) {
    access.add = &add_elements<T>;
    if (tape != nullptr)
      access.gradient = tape->gradient_of(tensor.mark(), access.count, sizeof(T));
  }
  return access;
}

template <class M, int inner, AxisBits row, TensorType E>
auto lower(E const& tensor, Tape* tape) {
  return LeafFrame<M, typename E::value_type, reach_of(E::shape.rank, inner)>{
      access_to(tensor, tape)};
}

template <class M, int inner, AxisBits row, class E, Spec S, bool by_one>
auto lower(Stepped<E, S, by_one> const& e, Tape* tape) {
  constexpr bool is_last = by_one && inner == Stepped<E, S, by_one>::shape.rank - 1;
  constexpr FrameReach reach = inner < 0 ? FrameReach::spread
                               : is_last ? FrameReach::unit
                                         : FrameReach::strided;
  MemoryAccess access = access_to(e.operand, tape);
  access.stride = e.steps.along;
  access.start = e.steps.start;
  access.shares_gradient = e.steps.overlaps;
  return LeafFrame<M, typename E::value_type, reach>{access};
}

template <class M, int inner, AxisBits row, class T>
auto lower(ConstantNode<T> const& constant, Tape*) {
  return ConstantFrame<M, T>{constant.value};
}

template <class F>
inline constexpr bool is_row_value = false;
template <class M, class F>
inline constexpr bool is_row_value<ScalarFrame<M, F>> = true;
template <class M, class Op, class F>
inline constexpr bool is_row_value<FoldFrame<M, Op, F>> = true;
template <class M, class Op, class F>
inline constexpr bool is_row_value<PositionFrame<M, Op, F>> = true;
template <class M, class T>
inline constexpr bool is_row_value<ConstantFrame<M, T>> = true;

/// The frame of an operand; one that does not vary along its row becomes a row scalar. (Frames are
/// returned as they are made: they are large, and are never copied on their way up.)
template <class M, int inner, AxisBits row, bool scalar, class E>
auto lower_once_a_row(E const& e, Tape* tape) {
  using F = decltype(lower<M, inner, row>(e, tape));
  if constexpr (scalar && !is_row_value<F>) return ScalarFrame<M, F>(lower<M, inner, row>(e, tape));
  else return lower<M, inner, row>(e, tape);
}

constexpr bool keeps_places(AxisMap const& map, int rank) {
  for (int i = 0; i < rank; ++i) {
    if (map[static_cast<std::size_t>(i)] != i) return false;
  }
  return true;
}

/// Operand k of a map.
template <class M, int inner, AxisBits row, std::size_t k, class Node, class E>
auto lower_operand(E const& operand, Tape* tape) {
  constexpr AxisMap map = Node::types::aligned.maps[k];
  constexpr int rank = E::shape.rank;
  constexpr AxisBits own_row = operand_axes(map, rank, row);
  constexpr int own_inner = operand_axis(map, rank, inner);
  constexpr bool scalar = row != 0 && own_row == 0;
  auto frame = lower_once_a_row<M, own_inner, own_row, scalar>(operand, tape);
  if constexpr (!keeps_places(map, rank))
    accesses_of(frame).each([&](MemoryAccess& access) { access.lift(map, rank); });
  return frame;
}

template <class M, int inner, AxisBits row, class Op, class A>
auto lower(Elementwise<Op, A> const& e, Tape* tape) {
  using Node = Elementwise<Op, A>;
  using X = decltype(lower_operand<M, inner, row, 0, Node>(e.a, tape));
  return MapFrame<M, Op, X>{lower_operand<M, inner, row, 0, Node>(e.a, tape)};
}

template <class M, int inner, AxisBits row, class Op, class A, class B>
auto lower(Elementwise<Op, A, B> const& e, Tape* tape) {
  using Node = Elementwise<Op, A, B>;
  using X = decltype(lower_operand<M, inner, row, 0, Node>(e.a, tape));
  using Y = decltype(lower_operand<M, inner, row, 1, Node>(e.b, tape));
  return MapFrame<M, Op, X, Y>{lower_operand<M, inner, row, 0, Node>(e.a, tape),
                               lower_operand<M, inner, row, 1, Node>(e.b, tape)};
}

/// A row that is divided by the result of a fold is multiplied by its reciprocal.
template <class M, int inner, AxisBits row, class A, class B>
  requires(row != 0 && has_fold<B> && std::floating_point<typename B::value_type>)
auto lower(Elementwise<op::Div, A, B> const& e, Tape* tape) {
  using Node = Elementwise<op::Div, A, B>;
  auto a = lower_operand<M, inner, row, 0, Node>(e.a, tape);
  auto b = lower_operand<M, inner, row, 1, Node>(e.b, tape);
  if constexpr (is_row_value<decltype(b)>) {
    using Inverse = MapFrame<M, op::Reciprocal, decltype(b)>;
    return MapFrame<M, op::Mul, decltype(a), ScalarFrame<M, Inverse>>{
        a, ScalarFrame<M, Inverse>(Inverse{b})};
  } else {
    return MapFrame<M, op::Div, decltype(a), decltype(b)>{a, b};
  }
}

template <class M, int inner, AxisBits row, class Op, class A, class B, class C>
auto lower(Elementwise<Op, A, B, C> const& e, Tape* tape) {
  using Node = Elementwise<Op, A, B, C>;
  using X = decltype(lower_operand<M, inner, row, 0, Node>(e.a, tape));
  using Y = decltype(lower_operand<M, inner, row, 1, Node>(e.b, tape));
  using Z = decltype(lower_operand<M, inner, row, 2, Node>(e.c, tape));
  return MapFrame<M, Op, X, Y, Z>{lower_operand<M, inner, row, 0, Node>(e.a, tape),
                                  lower_operand<M, inner, row, 1, Node>(e.b, tape),
                                  lower_operand<M, inner, row, 2, Node>(e.c, tape)};
}

template <class M, int inner, AxisBits row, class E, PackedMap order, Spec S>
auto lower(Moved<E, order, S> const& e, Tape* tape) {
  constexpr int rank = Moved<E, order, S>::shape.rank;
  constexpr AxisMap map = Moved<E, order, S>::order;
  constexpr int own_inner = inner < 0 ? -1 : map[static_cast<std::size_t>(inner < 0 ? 0 : inner)];
  auto frame = lower<M, own_inner, moved_axes(map, rank, row)>(e.operand, tape);
  accesses_of(frame).each([&](MemoryAccess& access) {
    access.move(map, rank, E::shape.rank, e.start);
    access.shares_gradient = access.shares_gradient || overlaps(map, rank);
  });
  return frame;
}

}  // namespace tenon

// ---- tenon/eval/lower_row.hpp

/// Lowering of the nodes that look along other axes than those of the kernel: folds and gathers.
namespace tenon {

template <class M, int inner, AxisBits row_axes, class Op, class E, AxisBits axes, bool keeps>
  requires(!is_column_fold<Fold<Op, E, axes, keeps>>)
auto lower(Fold<Op, E, axes, keeps> const& e, Tape* tape) {
  constexpr int rank = E::shape.rank, folds = count_axes(axes);
  auto frame = lower<M, (folds > 0 ? rank - 1 : -1), last_axes(rank, folds)>(e.operand, tape);
  ScratchRow row = row_of(e.operand.sizes(), rank, folds);
  accesses_of(frame).each([](MemoryAccess& access) { access.enter_row(rank, folds); });
  Accesses const walking = walking_accesses_of(frame);
  collapse_row(walking, row);
  set_inner(walking, row);
  if constexpr (op::PositionFold<Op>) return PositionFrame<M, Op, decltype(frame)>(frame, row);
  else return FoldFrame<M, Op, decltype(frame)>(frame, row);
}

template <class M, int inner, AxisBits row_axes, class Op, class E, AxisBits axes, bool keeps>
  requires is_column_fold<Fold<Op, E, axes, keeps>>
auto lower(Fold<Op, E, axes, keeps> const& e, Tape* tape) {
  constexpr int rank = E::shape.rank;
  auto frame = lower<M, rank - 1, axes | (1u << (rank - 1))>(e.operand, tape);
  accesses_of(frame).each([](MemoryAccess& access) { access.enter_columns(axes, rank, keeps); });
  ColumnFrame<M, Op, decltype(frame)> column{frame, ones(), count_axes(axes)};
  Sizes const sizes = e.operand.sizes();
  for (int i = 0, down = 0; i < rank; ++i) {
    if (has_axis(axes, i)) at(column.sizes, down++) = at(sizes, i);
  }
  return column;
}

/// The strides of a table on the axes of the result: none along the gathered axis, and the axes
/// behind it stand `moved` places further back.
inline Sizes table_strides(Sizes const& strides, int rank, int axis, int moved) {
  Sizes result{};
  for (int i = 0; i < rank; ++i) {
    if (i != axis) at(result, i < axis ? i : i + moved) = at(strides, i);
  }
  return result;
}

/// Lowers every kind of gather. The axes of the ids are those of the result from `first` on, and
/// the innermost run walks along them or not: `by_lane`.
template <class M, bool by_lane, FrameReach reach, class E>
auto lower_gather(E const& e, int first, Tape* tape) {
  using Table = Unqualified<decltype(e.table)>;
  using Ids = Unqualified<decltype(e.ids)>;
  GatherFrame<M, typename Table::value_type, typename Ids::value_type, reach, by_lane> frame;
  MemoryAccess& table = frame.table.access;
  table = access_to(e.table, tape);
  table.shares_gradient = true;
  frame.stride = at(table.stride, E::axis);
  table.stride = table_strides(table.stride, Table::rank, E::axis, E::shape.rank - Table::rank);
  frame.ids = access_to(e.ids, nullptr);
  Sizes const strides = std::exchange(frame.ids.stride, Sizes{});
  for (int i = 0; i < Ids::rank; ++i) at(frame.ids.stride, first + i) = at(strides, i);
  return frame;
}

template <class M, int inner, AxisBits row, class Table, class Ids, int axis>
auto lower(Gather<Table, Ids, axis> const& e, Tape* tape) {
  constexpr int rank = Gather<Table, Ids, axis>::shape.rank;
  constexpr bool by_lane = inner >= 0 && inner >= axis && inner < axis + Ids::rank;
  constexpr bool is_last = inner == rank - 1 && axis < Table::rank - 1;
  constexpr FrameReach reach = inner < 0 ? FrameReach::spread
                               : is_last ? FrameReach::unit
                                         : FrameReach::strided;
  return lower_gather<M, by_lane, reach>(e, axis, tape);
}

template <class M, int inner, AxisBits row, class Table, class Ids, int axis>
auto lower(PickAlong<Table, Ids, axis> const& e, Tape* tape) {
  return lower_gather < M, (inner >= 0),
         inner < 0 ? FrameReach::spread : FrameReach::strided > (e, 0, tape);
}

template <class M, int inner, AxisBits row, class Table, class Ids, int axis>
auto lower(TakeAlong<Table, Ids, axis> const& e, Tape* tape) {
  return lower_gather < M, (inner >= 0),
         inner < 0 ? FrameReach::spread : FrameReach::strided > (e, 0, tape);
}

}  // namespace tenon

// ---- tenon/eval/store.hpp

/// How the values of a formula get to memory.
namespace tenon {

/// Stores the values of a frame for the lanes from `begin` to `end`. The loop reads a copy of the
/// frame, which no store can change, so that its pointers stay in registers.
template <class M, class F, class T>
[[gnu::always_inline]] inline void store_values(F const& frame, T* to, std::int64_t begin,
                                                std::int64_t end) {
  F const own = frame;
  std::int64_t j = begin;
  for (; j + M::count <= end; j += M::count) M::store(F::of(own.trace(j, M::count)), to + j);
  if (j == end) return;
  int const left = static_cast<int>(end - j);
  M::store(F::of(own.trace(j, left)), to + j, left);
}

/// The same to every `step`th element.
template <class M, class F, class T>
void store_strided_values(F const& frame, T* to, std::int64_t step, std::int64_t begin,
                          std::int64_t end) {
  for (std::int64_t j = begin; j < end; j += M::count) {
    int const n = static_cast<int>(std::min<std::int64_t>(M::count, end - j));
    M::store_strided(F::of(frame.trace(j, n)), to + j * step, step, n);
  }
}

/// A result of so many bytes is gone from the caches before it is read again: it is stored past
/// them, which saves reading what is overwritten. (Half of a common last cache; the result shares
/// it with what it is made of.)
inline constexpr std::int64_t bytes_past_caches = std::int64_t{16} << 20;

/// A formula that costs more waits for itself rather than for memory.
inline constexpr int cost_past_caches = 48;

/// `store_values` past the caches, where the machine can do that and the memory is aligned. Whoever
/// has stored so calls `M::finish_past_caches()` before another thread may read.
template <class M, class F, class T>
[[gnu::always_inline]] inline void store_past_caches(F const& frame, T* to, std::int64_t begin,
                                                     std::int64_t end) {
  if constexpr (cost<F> < cost_past_caches && M::template stores_past_caches<T>) {
    F const own = frame;
    std::int64_t j = begin;
    if (M::is_aligned(to + j)) {
      for (; j + M::count <= end; j += M::count)
        M::store_past_caches(F::of(own.trace(j, M::count)), to + j);
    }
    begin = j;
  }
  store_values<M>(frame, to, begin, end);
}

}  // namespace tenon

// ---- tenon/eval/frame_shared.hpp

namespace tenon {

/// A costly part of a row's formula that stands in it several times: its values are kept for the
/// row by the first of the equal frames, and its adjoints added up there, to be pulled back once.
/// Where no equal frame turns up it is as if it were not there.
template <class M, class F>
struct SharedFrame {
  using value_type = typename F::value_type;
  using T = value_type;
  using V = typename F::V;
  using Trace = V;

  F frame;
  ScratchRow row;
  T* values = nullptr;    ///< Of the row; null where nothing is shared.
  T* adjoints = nullptr;  ///< Zeros at the start of a row.
  std::ptrdiff_t distance = 0;
  bool is_shared = false;

  SharedFrame(F f, ScratchRow const& r) : frame(f), row(r) {}

  static V of(Trace const& trace) { return trace; }

  template <class Visit>
  void visit(Visit const& f) {
    frame.visit(f);
  }
  template <class Visit>
  void step(Visit const& f) {
    frame.step(f);
  }
  /// Calls `f(shared)` for every frame that keeps a row.
  template <class Visit>
  void rows(Visit const& f) {
    frame.rows(f);
    if (is_shared && distance == 0) f(*this);
  }
  template <class R>
  void share(R& shared) {
    frame.share(shared);
    distance = row.rank == 1 ? shared.enter(*this) : 0;
    if (distance != 0) is_shared = owner().is_shared = true;
  }
  bool same(SharedFrame const& other) const {
    return row.sizes == other.row.sizes && frame.same(other.frame);
  }

  /// Memory for one row of values and adjoints; the adjoints start as zeros.
  std::int64_t elements() const { return 2 * row.inner(); }
  void place(T* memory) {
    values = memory;
    adjoints = memory + row.inner();
    std::fill_n(adjoints, row.inner(), T(0));
  }

  void prepare() {
    if (distance != 0) {
      values = owner().values;
      return;
    }
    frame.prepare();
    if (is_shared)
      walk_runs<M>(row, frame, [&] { store_values<M>(frame, values, 0, row.inner()); });
  }

  [[gnu::always_inline]] V trace(std::int64_t j, int n) const {
    if (!is_shared) return F::of(frame.trace(j, n));
    return get(values + j, n);
  }

  void pull(Trace const&, V adjoint, std::int64_t j, int n) {
    if (!is_shared) return frame.pull(frame.trace(j, n), adjoint, j, n);
    T* const sum = owner().adjoints + j;
    put(sum, get(sum, n) + adjoint, n);
  }

  void back() {
    if (distance != 0) return;
    if constexpr (std::is_floating_point_v<T>) {
      if (is_shared) {
        walk<M>(row, frame, [&](std::int64_t j, int n) {
          frame.pull(frame.trace(j, n), get(adjoints + j, n), j, n);
        });
        std::fill_n(adjoints, row.inner(), T(0));
      }
    }
    frame.back();
  }

 private:
  SharedFrame& owner() const {
    auto* const self = reinterpret_cast<std::byte*>(const_cast<SharedFrame*>(this));
    return *reinterpret_cast<SharedFrame*>(self + distance);
  }
  static V get(T const* from, int n) { return n == M::count ? M::load(from) : M::load(from, n); }
  static void put(T* to, V value, int n) {
    if (n == M::count) M::store(value, to);
    else M::store(value, to, n);
  }
};

}  // namespace tenon

// ---- tenon/eval/share_rows.hpp

/// Finds the maps of a kernel that stand in it more than once and cost more than a few operations,
/// and lets them share a row.
namespace tenon {

inline constexpr int cost_worth_sharing = 6;

/// How often a formula stands in a row of the formula `Tree`.
template <class F, class Tree>
inline constexpr int occurrences = std::same_as<F, Tree> ? 1 : 0;
template <class F, class M, class Op, class... G>
inline constexpr int occurrences<F, MapFrame<M, Op, G...>> =
    std::same_as<F, MapFrame<M, Op, G...>> ? 1 : (0 + ... + occurrences<F, G>);
template <class F, class M, class G>
inline constexpr int occurrences<F, ScalarFrame<M, G>> = occurrences<F, G>;
template <class F, class M, class Op, class G>
inline constexpr int occurrences<F, FoldFrame<M, Op, G>> = occurrences<F, G>;
template <class F, class M, class Op, class G>
inline constexpr int occurrences<F, PositionFrame<M, Op, G>> = occurrences<F, G>;

template <class F, class Root>
concept WorthSharing = (cost<F> >= cost_worth_sharing) && (occurrences<F, Root> > 1);

/// A frame of the kernel `Root` in the row `row` (null: it stands still), with what is worth it
/// shared.
template <class Root, class F>
auto with_shared_rows(F const& frame, ScratchRow const*) {
  return frame;
}

template <class Root, class M, class F>
auto with_shared_rows(ScalarFrame<M, F> const& scalar, ScratchRow const*) {
  auto frame = with_shared_rows<Root>(scalar.frame, nullptr);
  return ScalarFrame<M, decltype(frame)>(frame);
}
template <class Root, class M, class Op, class F>
auto with_shared_rows(FoldFrame<M, Op, F> const& fold, ScratchRow const*) {
  auto frame = with_shared_rows<Root>(fold.frame, &fold.row);
  return FoldFrame<M, Op, decltype(frame)>(frame, fold.row);
}
template <class Root, class M, class Op, class F>
auto with_shared_rows(PositionFrame<M, Op, F> const& fold, ScratchRow const*) {
  auto frame = with_shared_rows<Root>(fold.frame, &fold.row);
  return PositionFrame<M, Op, decltype(frame)>(frame, fold.row);
}

template <class Root, class M, class Op, class A>
auto with_shared_operands(MapFrame<M, Op, A> const& map, ScratchRow const* row) {
  auto a = with_shared_rows<Root>(map.a, row);
  return MapFrame<M, Op, decltype(a)>{a};
}
template <class Root, class M, class Op, class A, class B>
auto with_shared_operands(MapFrame<M, Op, A, B> const& map, ScratchRow const* row) {
  auto a = with_shared_rows<Root>(map.a, row);
  auto b = with_shared_rows<Root>(map.b, row);
  return MapFrame<M, Op, decltype(a), decltype(b)>{a, b};
}
template <class Root, class M, class Op, class A, class B, class C>
auto with_shared_operands(MapFrame<M, Op, A, B, C> const& map, ScratchRow const* row) {
  auto a = with_shared_rows<Root>(map.a, row);
  auto b = with_shared_rows<Root>(map.b, row);
  auto c = with_shared_rows<Root>(map.c, row);
  return MapFrame<M, Op, decltype(a), decltype(b), decltype(c)>{a, b, c};
}

template <class Root, class M, class Op, class... F>
auto with_shared_rows(MapFrame<M, Op, F...> const& map, ScratchRow const* row) {
  auto frame = with_shared_operands<Root>(map, row);
  if constexpr (WorthSharing<MapFrame<M, Op, F...>, Root>) {
    ScratchRow const still;
    return SharedFrame<M, decltype(frame)>(frame, row != nullptr ? *row : still);
  } else {
    return frame;
  }
}

}  // namespace tenon

// ---- tenon/eval/kernel.hpp

namespace tenon {

/// Bytes for a shared row, in whole cache lines.
template <class F>
std::size_t scratch_for(F const& shared) {
  auto const bytes = static_cast<std::size_t>(shared.elements()) * sizeof(typename F::T);
  return (bytes + 63) / 64 * 64;
}

/// A kernel ready to run. `M` is the machine, `F` the frame of the formula.
template <class M, class F, bool is_scalar, bool folds>
struct FusedKernel : RowLayout {
  static constexpr bool has_scalar_rows = is_scalar;  ///< One element a row.
  static constexpr bool has_folds = folds;

  F frame;

  /// All accesses, that of the result among them.
  Accesses accesses() {
    Accesses list = accesses_of(frame);
    list.add(out);
    return list;
  }
  Accesses walking_accesses() {
    Accesses list = walking_accesses_of(frame);
    list.add(out);
    return list;
  }

  /// Bytes of working memory for the rows that are shared.
  std::size_t scratch_bytes() {
    std::size_t bytes = 0;
    frame.rows([&](auto& shared) { bytes += scratch_for(shared); });
    return bytes;
  }
  void place_scratch(std::byte* scratch) {
    frame.rows([&](auto& shared) {
      shared.place(reinterpret_cast<typename Unqualified<decltype(shared)>::T*>(scratch));
      scratch += scratch_for(shared);
    });
  }
};

/// Collects what folds have to say: which of them are equal, and how long the longest row is.
struct RowNotes : SharedFrames {
  std::int64_t work = 1;

  template <class Frame>
  std::ptrdiff_t enter(Frame const& frame) {
    if constexpr (requires { frame.row; }) work = std::max(work, frame.row.size());
    return SharedFrames::enter(frame);
  }
};

/// Lets the first of equal parts compute for the others.
template <class K>
void note_equals(K& kernel) {
  RowNotes notes;
  kernel.frame.share(notes);
  kernel.row_work = std::max(notes.work, kernel.row.size());
}

/// Lays the axes of a kernel out: the last are the row, the others are walked outside of it.
template <bool merges, class K>
void arrange(K& kernel, Sizes const& sizes, int rank, int row_axes) {
  kernel.outer_rank = rank - row_axes;
  for (int i = 0; i < kernel.outer_rank; ++i) at(kernel.outer, i) = at(sizes, i);
  kernel.row = row_of(sizes, rank, row_axes);
  Accesses const walking = kernel.walking_accesses();
  walking.each([&](MemoryAccess& access) { access.enter_row(rank, row_axes); });
  if constexpr (!K::has_scalar_rows) collapse_row(walking, kernel.row);
  set_inner(walking, kernel.row);
  Accesses const all = kernel.accesses();
  if constexpr (!K::has_scalar_rows && !K::has_folds && merges) kernel.merge_into_row(all);
  kernel.collapse_outer(all);
}

/// Gives the parts of a row's formula that stand in it several times a row to share.
template <class M, class F, bool is_scalar>
auto sharing(FusedKernel<M, F, is_scalar, true> const& plain) {
  using Shared = decltype(with_shared_rows<F>(plain.frame, &plain.row));
  ScratchRow const* const row = is_scalar ? nullptr : &plain.row;
  return FusedKernel<M, Shared, is_scalar, true>{plain, with_shared_rows<F>(plain.frame, row)};
}

/// The kernel of a settled recipe as it stands; `out` has strides over the axes of `E`.
template <class M, bool merges, class E>
auto arranged(E const& e, MemoryAccess const& out, Tape* tape) {
  constexpr int rank = E::shape.rank;
  constexpr bool folds = has_fold<E>;
  constexpr int row_axes = folds ? wanted_row<E> : (rank > 0 ? 1 : 0);
  constexpr int inner = row_axes > 0 ? rank - 1 : -1;
  using F = decltype(lower<M, inner, last_axes(rank, row_axes)>(e, tape));
  FusedKernel<M, F, row_axes == 0, folds> kernel{
      RowLayout{out}, lower<M, inner, last_axes(rank, row_axes)>(e, tape)};
  arrange<merges>(kernel, e.sizes(), rank, row_axes);
  if constexpr (is_column_fold<E>) kernel.element_work = kernel.frame.length();
  return kernel;
}

/// The kernel of a settled recipe. Where `merges`, a row may be several rows of the result.
template <class M, bool merges = true, class E>
auto bind(E const& e, MemoryAccess const& out, Tape* tape) {
  if constexpr (has_fold<E>) {
    auto kernel = sharing(arranged<M, merges>(e, out, tape));
    note_equals(kernel);
    return kernel;
  } else {
    auto kernel = arranged<M, merges>(e, out, tape);
    note_equals(kernel);
    return kernel;
  }
}

}  // namespace tenon

// ---- tenon/eval/run.hpp

namespace tenon {

/// Elements of work in one chunk. Chunks depend on sizes alone, never on the number of threads.
inline constexpr std::int64_t chunk_elements = 16384;

/// A piece of a row is no shorter: a few cache lines.
inline constexpr std::int64_t shortest_piece = 64;

/// How the rows of a kernel are cut: whole rows, or pieces of one long row.
struct RowChunks {
  std::int64_t rows = 1;    ///< Rows in a chunk.
  std::int64_t pieces = 1;  ///< Chunks in a row.
  std::int64_t piece = 0;   ///< Elements in such a chunk.
  std::int64_t count = 0;
};

inline RowChunks chunks_of(RowLayout const& layout, bool has_folds, bool has_scalar_rows) {
  RowChunks chunks;
  std::int64_t const element_work = std::max<std::int64_t>(layout.element_work, 1);
  std::int64_t const work = std::max<std::int64_t>(layout.row_work * element_work, 1);
  if (layout.row.size() == 0 && !has_scalar_rows) return chunks;
  if (!has_folds && !has_scalar_rows && layout.row.rank == 1 && work > chunk_elements) {
    chunks.piece = std::max(shortest_piece, chunk_elements / element_work);
    chunks.pieces = (layout.row.inner() + chunks.piece - 1) / chunks.piece;
    chunks.count = layout.rows() * chunks.pieces;
  } else {
    chunks.rows = std::max<std::int64_t>(1, chunk_elements / work);
    chunks.count = (layout.rows() + chunks.rows - 1) / chunks.rows;
  }
  return chunks;
}

template <class K>
RowChunks chunks_of(K const& kernel) {
  return chunks_of(kernel, K::has_folds, K::has_scalar_rows);
}

/// A kernel's formula and its result as one thing that steps along a row.
template <class K>
struct FrameAndResult {
  K& kernel;

  template <class F>
  void step(F const& f) {
    kernel.frame.step(f);
    f(kernel.out);
  }
};

/// Calls `body(begin, end)` for the runs of a row that belong to a chunk.
template <class M, class K, class Body>
[[gnu::always_inline]] inline void walk_piece(K& kernel, RowChunks const& chunks,
                                              std::int64_t piece, Body const& body) {
  std::int64_t const inner = kernel.row.inner();
  std::int64_t const begin = chunks.pieces == 1 ? 0 : piece * chunks.piece;
  std::int64_t const end = chunks.pieces == 1 ? inner : std::min(begin + chunks.piece, inner);
  FrameAndResult<K> both{kernel};
  walk_runs<M>(kernel.row, both, [&] { body(begin, end); });
}

/// Calls `row(kernel, piece)` for every row, or piece of a row, of one chunk.
template <class K, class F>
void for_rows(K& kernel, RowChunks const& chunks, std::int64_t chunk, F const& row) {
  std::int64_t const first = chunks.pieces > 1 ? chunk / chunks.pieces : chunk * chunks.rows;
  std::int64_t const last = std::min(first + chunks.rows, kernel.rows());
  std::int64_t const piece = chunk % chunks.pieces;
  Accesses const accesses = kernel.accesses();
  for (std::int64_t number = first; number < last; ++number) {
    if (number == first || number % kernel.last_outer() == 0) kernel.start(accesses, number);
    else kernel.advance(accesses);
    row(kernel, piece);
  }
}

/// Computes one row (or piece) of a result.
template <class M, class T, class K>
void run_row(K& kernel, RowChunks const& chunks, std::int64_t piece) {
  using F = decltype(kernel.frame);
  T* const to = reinterpret_cast<T*>(kernel.out.gradient);
  kernel.frame.prepare();
  if constexpr (K::has_scalar_rows) {
    to[kernel.out.at] = M::lane(F::of(kernel.frame.trace(0, 1)), 0);
  } else {
    walk_piece<M>(kernel, chunks, piece, [&](std::int64_t begin, std::int64_t end) {
      T* const run = to + kernel.out.now;
      if (kernel.past_caches) store_past_caches<M>(kernel.frame, run, begin, end);
      else if (kernel.out.inner == 1) store_values<M>(kernel.frame, run, begin, end);
      else store_strided_values<M>(kernel.frame, run, kernel.out.inner, begin, end);
    });
  }
}

/// Calls `work(kernel, chunk)` for every chunk: a lone one works on the kernel itself, each of
/// several on a copy.
template <class Backend, class K, class F>
void for_chunks(K& kernel, std::int64_t chunks, F const& work) {
  auto const bytes = kernel.scratch_bytes();
  Backend::parallel_for(chunks, bytes, [&](std::int64_t chunk, std::byte* scratch) {
    if (chunks == 1) {
      kernel.place_scratch(scratch);
      work(kernel, chunk);
    } else {
      auto own = kernel;
      own.place_scratch(scratch);
      work(own, chunk);
    }
  });
}

/// Computes every element of a settled recipe and stores it to `out`.
template <class Backend, class E>
void run(E const& e, MemoryAccess const& out) {
  using M = typename Backend::machine;
  auto kernel = tenon::bind<M>(e, out, nullptr);
  RowChunks const chunks = chunks_of(kernel);
  kernel.past_caches = kernel.out.inner == 1 && kernel.out_bytes() >= bytes_past_caches;
  for_chunks<Backend>(kernel, chunks.count, [&](auto& own, std::int64_t chunk) {
    for_rows(own, chunks, chunk, [&](auto& at, std::int64_t piece) {
      run_row<M, typename E::value_type>(at, chunks, piece);
    });
    if (own.past_caches) M::finish_past_caches();
  });
}

}  // namespace tenon

// ---- tenon/eval/epilogue.hpp

/// A product takes the maps that follow it along: bias, activation, residual are applied to a panel
/// of rows while it is in cache.
namespace tenon {

/// Has a recipe a fold anywhere in it?
template <class E>
inline constexpr bool contains_fold = false;
template <class Op, class E, AxisBits axes, bool keeps>
inline constexpr bool contains_fold<Fold<Op, E, axes, keeps>> = true;
template <class Op, class... E>
inline constexpr bool contains_fold<Elementwise<Op, E...>> = (contains_fold<E> || ...);
template <class E, PackedMap order, Spec S>
inline constexpr bool contains_fold<Moved<E, order, S>> = contains_fold<E>;

/// Lies an operand on its map axis for axis?
constexpr bool lies_straight(AxisMap const& map, int operand_rank, int rank) {
  if (operand_rank != rank) return false;
  for (int i = 0; i < rank; ++i) {
    if (map[static_cast<std::size_t>(i)] != i) return false;
  }
  return true;
}

/// Is there a product in `E` whose elements lie where those of `E` do? The first such is the host.
template <class E>
inline constexpr bool has_host = is_contract<E>;

template <std::size_t k, class Node, class E>
constexpr bool hosts() {
  if constexpr (!has_host<E>) return false;
  else return lies_straight(Node::types::aligned.maps[k], E::shape.rank, Node::shape.rank);
}

/// Which operand of a map leads to the host; as many as there are operands if none does.
template <class Op, class... E>
struct HostOperand {
  static constexpr std::size_t value = []<std::size_t... k>(std::index_sequence<k...>) {
    bool const leads[] = {hosts<k, Elementwise<Op, E...>, E>()...};
    std::size_t first = 0;
    while (first < sizeof...(E) && !leads[first]) ++first;
    return first;
  }(std::index_sequence_for<E...>());
};

template <class Op, class... E>
inline constexpr bool has_host<Elementwise<Op, E...>> = HostOperand<Op, E...>::value < sizeof...(E);

/// A map of maps that ends a product: what is evaluated panel by panel.
template <class E>
concept Epilogue = is_map<E> && has_host<E> && !contains_fold<E>;

template <class A, class B, class Rule>
auto const& host_of(Contract<A, B, Rule> const& e) {
  return e;
}
template <class Op, class... E>
auto const& host_of(Elementwise<Op, E...> const& e) {
  constexpr std::size_t k = HostOperand<Op, E...>::value;
  if constexpr (k == 0) return host_of(e.a);
  else if constexpr (k == 1) return host_of(e.b);
  else return host_of(e.c);
}

/// The recipe with the host's value in its place.
template <class A, class B, class Rule, class P>
P with_host(Contract<A, B, Rule> const&, P const& value) {
  return value;
}
template <bool replaces, class E, class P>
auto replaced(E const& operand, P const& value) {
  if constexpr (replaces) return with_host(operand, value);
  else return operand;
}
template <class Op, class A, class P>
auto with_host(Elementwise<Op, A> const& e, P const& value) {
  auto a = with_host(e.a, value);
  return Elementwise<Op, decltype(a)>(std::move(a));
}
template <class Op, class A, class B, class P>
auto with_host(Elementwise<Op, A, B> const& e, P const& value) {
  constexpr std::size_t k = HostOperand<Op, A, B>::value;
  auto a = replaced<k == 0>(e.a, value);
  auto b = replaced<k == 1>(e.b, value);
  return Elementwise<Op, decltype(a), decltype(b)>(std::move(a), std::move(b));
}
template <class Op, class A, class B, class C, class P>
auto with_host(Elementwise<Op, A, B, C> const& e, P const& value) {
  constexpr std::size_t k = HostOperand<Op, A, B, C>::value;
  auto a = replaced<k == 0>(e.a, value);
  auto b = replaced<k == 1>(e.b, value);
  auto c = replaced<k == 2>(e.c, value);
  using Node = Elementwise<Op, decltype(a), decltype(b), decltype(c)>;
  return Node(std::move(a), std::move(b), std::move(c));
}

/// Do the panels of a product cover whole, consecutive rows of its result?
template <class T>
bool covers_rows(ProductPlan<T> const& plan, std::int64_t row) {
  return plan.matrix.n == row && (plan.matrix.m == 1 || plan.matrix.c_row == row);
}

/// Runs a product, and after each panel of it the rows of `kernel` that read it.
template <class Backend, class T, class K, class U>
void run_panels(ProductPlan<T> plan, K const& kernel, std::type_identity<U>) {
  using M = typename Backend::machine;
  plan.columns_at_once = std::max<std::int64_t>(1, plan.matrix.n);
  run_tasks<Backend>(plan, [&](std::int64_t task) {
    MatrixProduct<T> const panel = plan.task(task, 0);
    auto own = kernel;
    Accesses const accesses = own.accesses();
    std::int64_t const first = (panel.c - plan.matrix.c) / kernel.row.size();
    for (std::int64_t number = first; number < first + panel.m; ++number) {
      own.start(accesses, number);
      run_row<M, U>(own, RowChunks{}, 0);
    }
  });
}

/// Computes a product to `value`, row-major, and the settled recipe `e`, which reads it, to `out`.
template <class Backend, class A, class B, class Rule, class E>
void contract_with_epilogue(Contract<A, B, Rule> const& product, typename A::value_type* value,
                            E const& e, MemoryAccess const& out) {
  using T = typename A::value_type;
  auto const plan = plan_labels<T>(labels_of(product), memory_of(product.a).data,
                                   memory_of(product.b).data, value, false);
  auto const kernel = tenon::bind<typename Backend::machine, false>(e, out, nullptr);
  if (plan && kernel.row.rank == 1 && covers_rows(*plan, kernel.row.size()))
    return run_panels<Backend>(*plan, kernel, std::type_identity<typename E::value_type>{});
  contract<Backend>(product, value);
  run<Backend>(e, out);
}

}  // namespace tenon

// ---- tenon/eval/graph/graph.hpp

/// Derivatives of derivatives. Inside another recording an evaluation is not one fused kernel with
/// a reverse sweep: it is a graph of primitive values, whose derivatives are such values again.
/// Every kernel has to be ready for that, few programs ask for it: so kernels see no more than this
/// interface, and only who differentiates compiles what is behind it.
namespace tenon::graph {

/// The number of a value in its graph: its inputs have smaller ones.
struct Id {
  std::uint32_t number = 0;
};

/// The sizes of a value.
struct Extent {
  int rank = 0;
  Sizes sizes = ones();

  std::int64_t count() const { return tenon::count(sizes, rank); }
  bool is(Extent const& other) const { return rank == other.rank && sizes == other.sizes; }
};

/// What elements are made of; only floating ones have adjoints.
struct Element {
  std::uint8_t bytes = 1;
  bool is_float = false, is_double = false;

  bool is_floating() const { return is_float || is_double; }
};
template <class T>
inline constexpr Element element_of{sizeof(T), std::is_same_v<T, float>, std::is_same_v<T, double>};

/// Elements as they lie in a tensor: row-major.
struct Elements {
  Element element;
  Extent extent;
  SharedBuffer memory;
};

/// The elements of a value in another order: axis k of the result walks along the value's axis
/// `order[k]`; -1 is a new axis, or one that repeats the elements.
struct Reordering {
  Extent extent;
  AxisMap order;
  ElementIndex start{};

  /// Strides of the result, from those of the value.
  Sizes strides(Sizes const& of_value) const {
    Sizes result{};
    for (int k = 0; k < extent.rank; ++k) {
      int const axis = order[static_cast<std::size_t>(k)];
      if (axis >= 0) at(result, k) = at(of_value, axis);
    }
    return result;
  }
};

/// How a fold lies on its operand: axis k of the operand is axis `order[k]` of the result; -1 is
/// folded.
struct Folding {
  Reordering back;  ///< From the result to the operand: repeats along what was folded.
  Extent result;
};

/// The adjoints of the values between some leaves and what was made of them. A value that several
/// results come from has a part for each.
class Adjoints {
 public:
  virtual ~Adjoints() = default;
  /// Does the value depend on the leaves?
  virtual bool wants(Id value) const = 0;
  /// Adds a share to the adjoint of a value; of one that does not depend on the leaves, nothing.
  virtual void add(Id value, Id share, std::size_t part = 0) = 0;
  /// An adjoint, or what was added so far; null where that is nothing.
  virtual Id const* of(Id value, std::size_t part = 0) const = 0;
};

/// How the adjoint of a value is passed on to its inputs.
struct Rule {
  virtual ~Rule() = default;
  virtual void pull(Id self, std::span<Id const> inputs, Adjoints& adjoints) const = 0;
};

/// An op on elements of given dtypes: its values, and what its derivative makes of an adjoint.
struct MapOp {
  using Operands = std::array<std::byte const*, 3>;

  Element result;
  void (*run)(std::byte* to, Operands const& from, std::int64_t count);
  /// Null where it has none.
  void (*pull)(Id self, std::span<Id const> inputs, Id adjoint, Adjoints& adjoints);
};

/// A fold of elements of a given dtype.
struct FoldOp {
  void (*fill)(std::byte* to, std::int64_t count);
  void (*run)(std::byte* to, std::int64_t to_step, std::byte const* from, std::int64_t from_step,
              std::int64_t count);
  void (*pull)(Id self, Id input, Id adjoint, Folding const& folding, Adjoints& adjoints);
};

/// For every element of a result, the one of the operand that it is: its row-major position.
using Positions = std::shared_ptr<std::vector<std::int64_t> const>;

/// Which elements of a value are from an input: element `to[i]` is the input's `from[i]`.
struct Origin {
  std::vector<std::int64_t> from, to;

  void add(std::int64_t source, std::int64_t place) {
    from.push_back(source);
    to.push_back(place);
  }
};

struct Contracting;

/// The values that a thread made since a derivative was asked for inside another one. A tensor's
/// mark names the value that the tensor stands for.
class Graph {
 public:
  virtual ~Graph() = default;

  /// The graph that values of this thread are put into.
  static inline thread_local Graph* current = nullptr;

  std::uint32_t serial = 0;

  /// Elements without history.
  virtual Id constant(Elements elements) = 0;
  /// One number.
  virtual Id number(Element element, void const* number) = 0;
  /// What a tensor of this mark stands for, with these elements.
  virtual Id of_tensor(TapeMark mark, Elements elements) = 0;
  /// Elements with their history.
  virtual Id made(Elements elements, std::span<Id const> inputs, std::unique_ptr<Rule const>) = 0;
  virtual Elements elements_of(Id id) const = 0;
  virtual bool varies(Id id) const = 0;

  /// The op applied to every element; operands that are single numbers are for all.
  virtual Id map(MapOp const& op, std::span<Id> x) = 0;
  /// The same, the operands repeated as a map broadcasts them.
  virtual Id map(MapOp const& op, std::span<Id> x, AxisMap const* maps, Extent const& extent) = 0;
  virtual Id sum(Id x, Folding const& folding) = 0;
  virtual Id fold(FoldOp const& op, Id x, Folding const& folding) = 0;
  virtual Id product(Id a, Id b, Contracting const& contracting, Extent const& result) = 0;
  /// The elements of x reordered; a single number is repeated first to the extent `whole`.
  virtual Id view(Id x, Extent const& whole, Reordering const& reordering) = 0;
  /// x repeated to an extent, where it is one number.
  virtual Id expanded(Id x, Extent const& to) = 0;
  /// Elements chosen by data.
  virtual Id take(Id x, Positions const& from, Extent const& extent) = 0;
  /// Elements put together of parts, each a box of the whole.
  virtual Id boxes(Elements whole, std::span<Id const> parts, std::vector<Reordering> boxes) = 0;
  /// Elements of which each is one of an input.
  virtual Id origins(Elements whole, std::span<Id const> inputs, std::span<Origin> origins) = 0;
};

/// Is a graph being made on this thread?
inline bool is_open() {
  return recording != 0 && Graph::current != nullptr && Graph::current->serial == recording;
}

/// A value as the bodies of derivatives see it: they compute with it as with a number.
template <class T>
struct Number {
  using value_type = T;
  Id id;

  explicit Number(Id of) : id(of) {}
  explicit Number(T constant) : id(Graph::current->number(element_of<T>, &constant)) {}
};

}  // namespace tenon::graph

// ---- tenon/eval/graph/map.hpp

namespace tenon::graph {

template <class Op, class... T>
using ResultOf = std::remove_cvref_t<decltype(Op::f(std::declval<T>()...))>;

template <class Op, class... T>
concept HasDerivative = std::floating_point<ResultOf<Op, T...>> &&
                        requires(Number<T>... x, Number<ResultOf<Op, T...>> y) { Op::d(x..., y); };

/// The share of an adjoint for one operand of dtype `X`.
template <class X, class Slope, class R>
void add_share(Slope const& slope, Number<R> adjoint, Id operand, Adjoints& adjoints) {
  if constexpr (std::floating_point<X> && !std::same_as<Slope, op::Zero>) {
    if (adjoints.wants(operand)) adjoints.add(operand, convert<X>(op::pulled(slope, adjoint)).id);
  }
}

template <class Op, class... T>
struct OpOn {
  using R = ResultOf<Op, T...>;
  static constexpr auto indices = std::index_sequence_for<T...>();

  [[gnu::cold]] static void run(std::byte* to, MapOp::Operands const& from, std::int64_t count) {
    run(indices, reinterpret_cast<R*>(to), from, count);
  }
  [[gnu::cold]] static void pull(Id self, std::span<Id const> x, Id adjoint, Adjoints& adjoints) {
    pull(indices, Number<R>(self), x, Number<R>(adjoint), adjoints);
  }

  static constexpr MapOp op() {
    if constexpr (HasDerivative<Op, T...>) return {element_of<R>, &run, &pull};
    else return {element_of<R>, &run, nullptr};
  }

 private:
  template <std::size_t... k>
  static void run(std::index_sequence<k...>, R* to, MapOp::Operands const& from,
                  std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i)
      to[i] = Op::f(reinterpret_cast<T const*>(from[k])[i]...);
  }

  template <std::size_t... k>
  static void pull(std::index_sequence<k...>, Number<R> y, std::span<Id const> x, Number<R> adjoint,
                   Adjoints& adjoints) {
    auto const slopes = Op::d(Number<T>(x[k])..., y);
    (add<k, T>(slopes, adjoint, x[k], adjoints), ...);
  }

  template <std::size_t k, class X, class Slopes>
  static void add(Slopes const& slopes, Number<R> adjoint, Id x, Adjoints& adjoints) {
    if constexpr (k == 0) add_share<X>(slopes.p0, adjoint, x, adjoints);
    else if constexpr (k == 1) add_share<X>(slopes.p1, adjoint, x, adjoints);
    else add_share<X>(slopes.p2, adjoint, x, adjoints);
  }
};

template <class Op, class... T>
inline constexpr MapOp map_op = OpOn<Op, T...>::op();

/// `Op::f` of every element; single numbers are for all.
template <class Op, class... T>
Number<ResultOf<Op, T...>> map(Number<T>... x) {
  std::array<Id, sizeof...(T)> operands{x.id...};
  return Number<ResultOf<Op, T...>>(Graph::current->map(map_op<Op, T...>, operands));
}

}  // namespace tenon::graph

// ---- tenon/eval/graph/number.hpp

/// What the bodies of derivatives say to numbers: the words, found by argument-dependent lookup.
namespace tenon::graph {

template <class T>
Number<T> operator+(Number<T> a, Number<T> b) {
  return map<op::Add>(a, b);
}
template <class T>
Number<T> operator-(Number<T> a, Number<T> b) {
  return map<op::Sub>(a, b);
}
template <class T>
Number<T> operator*(Number<T> a, Number<T> b) {
  return map<op::Mul>(a, b);
}
template <class T>
Number<T> operator/(Number<T> a, Number<T> b) {
  return map<op::Div>(a, b);
}
template <class T>
Number<T> operator-(Number<T> x) {
  return map<op::Neg>(x);
}

template <class T>
Number<bool> operator==(Number<T> a, Number<T> b) {
  return map<op::Equal>(a, b);
}
template <class T>
Number<bool> operator!=(Number<T> a, Number<T> b) {
  return map<op::NotEqual>(a, b);
}
template <class T>
Number<bool> operator<(Number<T> a, Number<T> b) {
  return map<op::Less>(a, b);
}
template <class T>
Number<bool> operator<=(Number<T> a, Number<T> b) {
  return map<op::LessEqual>(a, b);
}
template <class T>
Number<bool> operator>(Number<T> a, Number<T> b) {
  return map<op::Less>(b, a);
}
template <class T>
Number<bool> operator>=(Number<T> a, Number<T> b) {
  return map<op::LessEqual>(b, a);
}
inline Number<bool> operator!(Number<bool> mask) { return map<op::Not>(mask); }
inline Number<bool> operator&(Number<bool> a, Number<bool> b) { return map<op::And>(a, b); }
inline Number<bool> operator|(Number<bool> a, Number<bool> b) { return map<op::Or>(a, b); }

template <class T>
Number<T> select(Number<bool> mask, Number<T> yes, Number<T> no) {
  return map<op::Where>(mask, yes, no);
}
template <class T>
Number<T> abs(Number<T> x) {
  return map<op::Abs>(x);
}
template <class T>
Number<T> sqrt(Number<T> x) {
  return map<op::Sqrt>(x);
}
template <class T>
Number<T> floor(Number<T> x) {
  return map<op::Floor>(x);
}
template <class T>
Number<T> maximum(Number<T> a, Number<T> b) {
  return map<op::Maximum>(a, b);
}
template <class T>
Number<T> minimum(Number<T> a, Number<T> b) {
  return map<op::Minimum>(a, b);
}
template <class T>
Number<bool> is_nan(Number<T> x) {
  return x != x;
}
template <class T>
Number<T> fma(Number<T> x, Number<T> y, Number<T> z) {
  return x * y + z;
}
template <class T>
Number<T> clamp(Number<T> x, Number<T> low, Number<T> high) {
  return select(x < low, low, select(high < x, high, x));
}
template <class T>
Number<T> copysign(Number<T> magnitude, Number<T> sign) {
  Number<T> const size = abs(magnitude);
  return select(sign < Number<T>(T(0)), -size, size);
}
template <class To, class T>
Number<To> convert(Number<T> x) {
  if constexpr (std::same_as<To, T>) return x;
  else return map<op::Cast<To>>(x);
}

template <class T>
Number<T> add(Number<T> a, Number<T> b) {
  return a + b;
}
template <class T>
Number<T> subtract(Number<T> a, Number<T> b) {
  return a - b;
}
template <class T>
Number<T> multiply(Number<T> a, Number<T> b) {
  return a * b;
}
template <class T>
Number<T> divide(Number<T> a, Number<T> b) {
  return a / b;
}

/// Another op inside a derivative: its own derivative is known.
template <class Op, class T>
Number<T> applied(Number<T> x) {
  return map<Op>(x);
}
template <class Op, class T>
Number<T> applied(Number<T> a, Number<T> b) {
  return map<Op>(a, b);
}

}  // namespace tenon::graph

// ---- tenon/eval/graph/fold.hpp

namespace tenon::graph {

template <class Op, class T>
Number<T> fold(Number<T> x, Folding const& folding);

/// A result of a fold, repeated along what was folded.
template <class T>
Number<T> back(Id result, Folding const& folding) {
  return Number<T>(Graph::current->view(result, folding.result, folding.back));
}

/// Other folds over all values that a fold is over: what the derivatives of folds ask for.
template <class T>
struct Over {
  Number<T> x;
  Folding const& folding;

  template <class Op, class F>
  Number<T> operator()(Op, F const& of_value) const {
    return back<T>(fold<Op>(of_value(x), folding).id, folding);
  }
};

template <class Op, class T>
struct FoldOn {
  [[gnu::cold]] static void fill(std::byte* to, std::int64_t count) {
    std::fill_n(reinterpret_cast<T*>(to), count, Op::template identity<T>);
  }
  [[gnu::cold]] static void run(std::byte* to, std::int64_t to_step, std::byte const* from,
                                std::int64_t from_step, std::int64_t count) {
    T* const folded = reinterpret_cast<T*>(to);
    T const* const x = reinterpret_cast<T const*>(from);
    for (std::int64_t i = 0; i < count; ++i)
      folded[i * to_step] = Op::f(folded[i * to_step], x[i * from_step]);
  }
  [[gnu::cold]] static void pull(Id self, Id input, Id adjoint, Folding const& folding,
                                 Adjoints& adjoints) {
    Number<T> const x(input), y = back<T>(self, folding);
    auto const share = Op::share(back<T>(adjoint, folding), y, Over<T>{x, folding});
    Id const whole = Graph::current->expanded(Op::pull(share, x, y).id, folding.back.extent);
    adjoints.add(input, whole);
  }
};

template <class Op, class T>
inline constexpr FoldOp fold_op{&FoldOn<Op, T>::fill, &FoldOn<Op, T>::run, &FoldOn<Op, T>::pull};

template <class Op, class T>
Number<T> fold(Number<T> x, Folding const& folding) {
  if constexpr (std::same_as<Op, op::SumFold>) return Number<T>(Graph::current->sum(x.id, folding));
  else return Number<T>(Graph::current->fold(fold_op<Op, T>, x.id, folding));
}

}  // namespace tenon::graph

// ---- tenon/eval/graph/product.hpp

namespace tenon::graph {

/// A product over labels, as `Contraction` has them; its derivatives are products over the same
/// labels. `multiply` is the backend's.
struct Contracting {
  using Multiply = void (*)(LoopLabels const&, void const*, void const*, void*);

  AxisMap left, right, out;
  LabelExtents extents;
  std::size_t labels;
  Multiply multiply;

  LoopLabels steps(Sizes const& a, Sizes const& b, Sizes const& c) const {
    auto const in_a = label_steps(left, a), in_b = label_steps(right, b);
    auto const in_c = label_steps(out, c);
    LoopLabels all;
    for (std::size_t i = 0; i < labels; ++i) all.add({extents[i], in_a[i], in_b[i], in_c[i]});
    return all;
  }
  /// The adjoint of the left operand from that of the result and the right one.
  Contracting for_left() const { return {out, right, left, extents, labels, multiply}; }
  /// The adjoint of the right operand from that of the result and the left one.
  Contracting for_right() const { return {out, left, right, extents, labels, multiply}; }
};

template <class Backend, class T>
void multiply_as(LoopLabels const& labels, void const* a, void const* b, void* c) {
  multiply_labels<Backend>(labels, static_cast<T const*>(a), static_cast<T const*>(b),
                           static_cast<T*>(c), true);
}

}  // namespace tenon::graph

// ---- tenon/eval/graph/tensor.hpp

/// Tensors into a graph and out of it.
namespace tenon::graph {

/// The elements of a tensor.
template <TensorType E>
[[gnu::cold]] Elements elements_of(E const& tensor) {
  Element const element = element_of<typename E::value_type>;
  Extent const extent{E::rank, tensor.sizes()};
  if constexpr (!E::holds_elements) return {element, extent, tensor.storage().buffer};
  else {
    SharedBuffer const memory(static_cast<std::size_t>(tensor.size()) * element.bytes);
    if (tensor.size() > 0) std::memcpy(memory.data(), tensor.data(), memory.bytes());
    return {element, extent, memory};
  }
}

/// The value that a tensor stands for.
template <TensorType E>
[[gnu::cold]] Id id_of(E const& tensor) {
  return Graph::current->of_tensor(tensor.mark(), elements_of(tensor));
}

/// A value as a tensor, which stands for it where it varies.
template <TensorType R>
[[gnu::cold]] R tensor_of(Id id) {
  Elements const from = Graph::current->elements_of(id);
  R result = R::uninitialised(from.extent.sizes);
  if constexpr (!R::holds_elements) result = R::adopt(from.memory, from.extent.sizes);
  else if (from.extent.count() > 0)
    std::memcpy(result.mutable_data(), from.memory.data(), from.memory.bytes());
  if (is_open() && Graph::current->varies(id)) result.set_mark({Graph::current->serial, id.number});
  return result;
}

/// The same, repeated to these sizes where it is a single number.
template <TensorType R>
[[gnu::cold]] R tensor_of(Id id, Sizes const& sizes) {
  return tensor_of<R>(Graph::current->expanded(id, {R::rank, sizes}));
}

/// One number in a tensor of these sizes.
template <TensorType R>
[[gnu::cold]] R repeated(typename R::value_type number, Sizes const& sizes) {
  R result = R::uninitialised(sizes);
  std::fill_n(result.mutable_data(), result.size(), number);
  return result;
}

}  // namespace tenon::graph

// ---- tenon/eval/recorded.hpp

namespace tenon {

/// Does a value depend on something that this thread records? Integers and masks never do. Every
/// leaf is looked at: one that another thread records throws.
template <TensorType E>
bool depends_on_recording(E const& tensor) {
  Tape::check(tensor.mark());
  return std::is_floating_point_v<typename E::value_type> && is_recorded(tensor.mark());
}
template <class T>
bool depends_on_recording(ConstantNode<T> const&) {
  return false;
}
template <class Op, class A>
bool depends_on_recording(Elementwise<Op, A> const& e) {
  return depends_on_recording(e.a);
}
template <class Op, class A, class B>
bool depends_on_recording(Elementwise<Op, A, B> const& e) {
  bool const a = depends_on_recording(e.a), b = depends_on_recording(e.b);
  return a || b;
}
template <class Op, class A, class B, class C>
bool depends_on_recording(Elementwise<Op, A, B, C> const& e) {
  bool const a = depends_on_recording(e.a), b = depends_on_recording(e.b);
  bool const c = depends_on_recording(e.c);
  return a || b || c;
}
template <class Op, class E, AxisBits axes, bool keeps>
bool depends_on_recording(Fold<Op, E, axes, keeps> const& e) {
  return depends_on_recording(e.operand);
}
template <class E, PackedMap order, Spec S>
bool depends_on_recording(Moved<E, order, S> const& e) {
  return depends_on_recording(e.operand);
}
template <class E, Spec S, bool by_one>
bool depends_on_recording(Stepped<E, S, by_one> const& e) {
  return depends_on_recording(e.operand);
}
template <class A, class B, class Rule>
bool depends_on_recording(Contract<A, B, Rule> const& e) {
  bool const a = depends_on_recording(e.a), b = depends_on_recording(e.b);
  return a || b;
}
template <class Table, class Ids, int axis>
bool depends_on_recording(Gather<Table, Ids, axis> const& e) {
  return depends_on_recording(e.table);
}
template <class Table, class Ids, int axis>
bool depends_on_recording(PickAlong<Table, Ids, axis> const& e) {
  return depends_on_recording(e.table);
}
template <class Table, class Ids, int axis>
bool depends_on_recording(TakeAlong<Table, Ids, axis> const& e) {
  return depends_on_recording(e.table);
}

/// Bit by bit, the tapes that the tensors of a small recipe bear the marks of; 0: none.
template <TensorType E>
constexpr std::uint32_t tapes_of(E const& tensor) {
  return tensor.mark().tape;
}
template <class T>
constexpr std::uint32_t tapes_of(ConstantNode<T> const&) {
  return 0;
}
template <class Op, class A>
constexpr std::uint32_t tapes_of(Elementwise<Op, A> const& e) {
  return tapes_of(e.a);
}
template <class Op, class A, class B>
constexpr std::uint32_t tapes_of(Elementwise<Op, A, B> const& e) {
  return tapes_of(e.a) | tapes_of(e.b);
}
template <class Op, class A, class B, class C>
constexpr std::uint32_t tapes_of(Elementwise<Op, A, B, C> const& e) {
  return tapes_of(e.a) | tapes_of(e.b) | tapes_of(e.c);
}
template <class E, PackedMap order, Spec S>
constexpr std::uint32_t tapes_of(Moved<E, order, S> const& e) {
  return tapes_of(e.operand);
}
template <class Op, class E, AxisBits axes, bool keeps>
constexpr std::uint32_t tapes_of(Fold<Op, E, axes, keeps> const& e) {
  return tapes_of(e.operand);
}
template <class A, class B, class Rule>
constexpr std::uint32_t tapes_of(Contract<A, B, Rule> const& e) {
  return tapes_of(e.a) | tapes_of(e.b);
}

/// The same elements under another shape of as many elements: shared where they lie in a buffer.
/// The tape mark stays: adjoints are kept flat.
template <TensorType R, TensorType E>
constexpr R reshaped(E const& tensor, Sizes const& sizes) {
  if constexpr (std::same_as<R, E>) return tensor;
  else if constexpr (!R::holds_elements && !E::holds_elements) {
    return R::adopt(tensor.storage().buffer, sizes, tensor.mark());
  } else {
    R result = R::uninitialised(sizes);
    auto* const to = result.mutable_data();
    for (std::int64_t i = 0; i < tensor.size(); ++i) to[i] = tensor.data()[i];
    result.set_mark(tensor.mark());
    return result;
  }
}

/// The same with the same sizes: other names, static sizes that run time has to confirm.
template <TensorType R, TensorType E>
constexpr R relabelled(E const& tensor) {
  return reshaped<R>(tensor, tensor.sizes());
}

}  // namespace tenon

// ---- tenon/eval/graph/recipe.hpp

/// What a recipe is in a graph, node by node.
namespace tenon {

template <TensorType E>
[[gnu::cold]] graph::Id in_graph(E const& tensor) {
  return graph::id_of(tensor);
}
template <class T>
[[gnu::cold]] graph::Id in_graph(ConstantNode<T> const& constant) {
  return graph::Number<T>(constant.value).id;
}

template <class Op, class... E>
[[gnu::cold]] graph::Id map_in_graph(std::array<graph::Id, sizeof...(E)> x,
                                     Elementwise<Op, E...> const& e) {
  using M = Elementwise<Op, E...>;
  return graph::Graph::current->map(graph::map_op<Op, typename E::value_type...>, x,
                                    M::types::aligned.maps.data(), {M::shape.rank, e.sizes()});
}
template <class Op, class A>
[[gnu::cold]] graph::Id in_graph(Elementwise<Op, A> const& e) {
  return map_in_graph({in_graph(e.a)}, e);
}
template <class Op, class A, class B>
[[gnu::cold]] graph::Id in_graph(Elementwise<Op, A, B> const& e) {
  return map_in_graph({in_graph(e.a), in_graph(e.b)}, e);
}
template <class Op, class A, class B, class C>
[[gnu::cold]] graph::Id in_graph(Elementwise<Op, A, B, C> const& e) {
  return map_in_graph({in_graph(e.a), in_graph(e.b), in_graph(e.c)}, e);
}

/// Where the axes of a fold's operand are in its result; -1: folded.
constexpr AxisMap folded_to(AxisBits axes, bool keeps, int rank) {
  AxisMap order{};
  order.fill(-1);
  for (int i = 0, to = 0; i < rank; ++i) {
    if (!has_axis(axes, i)) order[static_cast<std::size_t>(i)] = static_cast<std::int8_t>(to);
    to += keeps || !has_axis(axes, i) ? 1 : 0;
  }
  return order;
}

/// A fold without a derivative is computed as everywhere.
template <class Op, class E, AxisBits axes, bool keeps>
[[gnu::cold]] graph::Id in_graph(Fold<Op, E, axes, keeps> const& e) {
  using F = Fold<Op, E, axes, keeps>;
  using T = typename F::value_type;
  if constexpr (op::SmoothFold<Op> && std::floating_point<T>) {
    constexpr AxisMap order = folded_to(axes, keeps, E::shape.rank);
    graph::Extent const whole{E::shape.rank, e.operand.sizes()}, result{F::shape.rank, e.sizes()};
    return graph::fold<Op>(graph::Number<T>(in_graph(e.operand)), {{whole, order}, result}).id;
  } else {
    return in_graph(evaluate(e));
  }
}

template <class E, PackedMap order, Spec S>
[[gnu::cold]] graph::Id in_graph(Moved<E, order, S> const& e) {
  using M = Moved<E, order, S>;
  return graph::Graph::current->view(in_graph(e.operand), {E::shape.rank, e.operand.sizes()},
                                     {{M::shape.rank, e.sizes()}, M::order, e.start});
}

template <class A, class B, class Rule>
[[gnu::cold]] graph::Id in_graph(Contract<A, B, Rule> const& e) {
  using C = Contract<A, B, Rule>;
  using T = typename C::value_type;
  if constexpr (std::floating_point<T>) {
    Contraction const& rule = Rule::contraction;
    graph::Contracting const contracting{rule.left,
                                         rule.right,
                                         rule.out,
                                         e.extents(),
                                         static_cast<std::size_t>(rule.labels),
                                         &graph::multiply_as<BackendOf<typename C::device>, T>};
    return graph::Graph::current->product(in_graph(e.a), in_graph(e.b), contracting,
                                          {C::shape.rank, e.sizes()});
  } else {
    return in_graph(evaluate(e));
  }
}

/// Elements of a tensor at places of their own: for each the position in the tensor.
template <class E, class X, class F>
[[gnu::cold]] graph::Id chosen_in_graph(E const& e, X const& from, F const& place) {
  std::vector<std::int64_t> positions;
  Sizes const sizes = e.sizes();
  ElementIndex index{};
  if (count(sizes, E::shape.rank) > 0) {
    do positions.push_back(place(index));
    while (next(index, sizes, E::shape.rank));
  }
  return graph::Graph::current->take(
      in_graph(from), std::make_shared<std::vector<std::int64_t> const>(std::move(positions)),
      {E::shape.rank, sizes});
}

/// Elements chosen by data.
template <class E>
[[gnu::cold]] graph::Id gather_in_graph(E const& e) {
  constexpr int rank = Unqualified<decltype(e.table)>::rank;
  Sizes const strides = row_major(e.table.sizes(), rank);
  return chosen_in_graph(
      e, e.table, [&](ElementIndex const& at) { return offset(strides, e.source(at), rank); });
}
template <class E, Spec S, bool by_one>
[[gnu::cold]] graph::Id in_graph(Stepped<E, S, by_one> const& e) {
  return chosen_in_graph(e, e.operand, [&](ElementIndex const& at) { return e.place(at); });
}
template <class Table, class Ids, int axis>
[[gnu::cold]] graph::Id in_graph(Gather<Table, Ids, axis> const& e) {
  return gather_in_graph(e);
}
template <class Table, class Ids, int axis>
[[gnu::cold]] graph::Id in_graph(PickAlong<Table, Ids, axis> const& e) {
  return gather_in_graph(e);
}
template <class Table, class Ids, int axis>
[[gnu::cold]] graph::Id in_graph(TakeAlong<Table, Ids, axis> const& e) {
  return gather_in_graph(e);
}

}  // namespace tenon

// ---- tenon/eval/held_walk.hpp

/// How maps and moves lie on tensors that hold their elements: the compiler knows it all.
namespace tenon {

/// Is a small recipe made of maps and moves alone?
template <class E>
inline constexpr bool is_held = false;
template <TensorType E>
inline constexpr bool is_held<E> = E::holds_elements;
template <class T>
inline constexpr bool is_held<ConstantNode<T>> = true;
template <class Op, class... E>
inline constexpr bool is_held<Elementwise<Op, E...>> =
    is_small<Elementwise<Op, E...>> && (is_held<E> && ...);
template <class E, PackedMap order, Spec S>
inline constexpr bool is_held<Moved<E, order, S>> = is_small<Moved<E, order, S>> && is_held<E>;

/// Where the axes of a map lie on those of an operand; -1: the operand is the same all along.
constexpr AxisMap axes_on_operand(AxisMap const& of_operand, int rank) {
  AxisMap axes = no_axes();
  for (int i = 0; i < rank; ++i) {
    int const axis = of_operand[static_cast<std::size_t>(i)];
    if (axis >= 0) axes[static_cast<std::size_t>(axis)] = static_cast<std::int8_t>(i);
  }
  return axes;
}

/// The axes of operand k of a map that the axes of a walk go along; `axes` are those of the map.
template <PackedMap axes, std::size_t k, class Node, class E>
inline constexpr PackedMap axes_of_operand =
    packed(followed(unpacked(axes), axes_on_operand(Node::types::aligned.maps[k], E::shape.rank)));
template <PackedMap axes, class E>
inline constexpr PackedMap axes_of_move = packed(followed(unpacked(axes), E::order));

/// The steps through a tensor along the axes of a walk.
template <class E, PackedMap axes>
inline constexpr Sizes held_steps = [] {
  Sizes const own = row_major(static_sizes(E::shape), E::rank);
  AxisMap const map = unpacked(axes);
  Sizes steps{};
  for (int i = 0; i < max_rank; ++i) {
    int const axis = map[static_cast<std::size_t>(i)];
    if (axis >= 0) at(steps, i) = at(own, axis);
  }
  return steps;
}();

/// Does every tensor of a recipe walk the axes `axis` and `axis + 1` as one?
template <PackedMap axes, class E>
constexpr bool walks_as_one(E const*, Sizes const& sizes, int axis) {
  if constexpr (is_constant<E>) return true;
  else {
    Sizes const steps = held_steps<E, axes>;
    return at(steps, axis) == at(steps, axis + 1) * at(sizes, axis + 1);
  }
}
template <PackedMap axes, class Op, class... E>
constexpr bool walks_as_one(Elementwise<Op, E...> const*, Sizes const& sizes, int axis) {
  return [&]<std::size_t... k>(std::index_sequence<k...>) {
    return (walks_as_one<axes_of_operand<axes, k, Elementwise<Op, E...>, E>>(
                static_cast<E const*>(nullptr), sizes, axis) &&
            ...);
  }(std::index_sequence_for<E...>());
}
template <PackedMap axes, class E, PackedMap order, Spec S>
constexpr bool walks_as_one(Moved<E, order, S> const*, Sizes const& sizes, int axis) {
  return walks_as_one<axes_of_move<axes, Moved<E, order, S>>>(static_cast<E const*>(nullptr), sizes,
                                                              axis);
}

/// The axes of a result that are longer than one.
constexpr AxisMap long_axes(Sizes const& sizes, int rank) {
  AxisMap axes = no_axes();
  for (int i = 0, to = 0; i < rank; ++i) {
    if (at(sizes, i) != 1) axes[static_cast<std::size_t>(to++)] = static_cast<std::int8_t>(i);
  }
  return axes;
}

/// How the elements of a recipe are walked: in runs along the last axes, as many of them as all its
/// tensors walk as one.
template <class E>
struct HeldWalk {
  static constexpr AxisMap long_ones = long_axes(static_sizes(E::shape), E::shape.rank);
  static constexpr PackedMap axes = packed(long_ones);
  static constexpr Sizes sizes = moved_sizes(static_sizes(E::shape), long_ones, max_rank);
  static constexpr int rank = [] {
    int rank = 0;
    while (rank < max_rank && long_ones[static_cast<std::size_t>(rank)] >= 0) ++rank;
    return rank;
  }();
  static constexpr int outer_rank = [] {
    int first = rank > 0 ? rank - 1 : 0;
    while (first > 0 && walks_as_one<axes>(static_cast<E const*>(nullptr), sizes, first - 1))
      --first;
    return first;
  }();
  static constexpr std::int64_t runs = count(sizes, outer_rank);
  static constexpr std::int64_t run = runs == 0 ? 0 : count(sizes, rank) / runs;
};

/// Where the runs of a walk begin in a tensor, and its steps along them.
template <class W, class E, PackedMap axes>
struct HeldPlaces {
  static constexpr Sizes const& steps = held_steps<E, axes>;
  static constexpr std::int64_t step = W::rank > 0 ? at(steps, W::rank - 1) : 0;
  static constexpr auto begins = [] {
    std::array<std::int16_t, static_cast<std::size_t>(W::runs)> begins{};
    for (std::size_t i = 0; i < begins.size(); ++i) {
      ElementIndex const at = unravel(static_cast<std::int64_t>(i), W::sizes, W::outer_rank);
      begins[i] = static_cast<std::int16_t>(offset(steps, at, W::outer_rank));
    }
    return begins;
  }();
};

}  // namespace tenon

// ---- tenon/eval/held.hpp

/// Maps and moves over tensors that hold their elements: loops of constant length, which the
/// compiler unrolls. Nothing is bound, laid out or cut into chunks at run time: that takes a
/// hundred times what sixteen additions do.
namespace tenon {

/// So many elements of a run, from one on.
struct HeldPlace {
  std::int64_t run, element;
  int count;
};

/// Of a recipe that is not moved, the first element.
struct AtOrigin {};

template <class E>
constexpr std::int64_t held_start(AtOrigin) {
  return 0;
}
template <class E>
constexpr std::int64_t held_start(ElementIndex const& start) {
  return offset(row_major(static_sizes(E::shape), E::rank), start, E::rank);
}

template <std::size_t k, class Node, class E>
constexpr AtOrigin start_of_operand(AtOrigin) {
  return {};
}
template <std::size_t k, class Node, class E>
constexpr ElementIndex start_of_operand(ElementIndex const& start) {
  ElementIndex own{};
  for (int i = 0; i < E::shape.rank; ++i) {
    int const axis = Node::types::aligned.maps[k][static_cast<std::size_t>(i)];
    if (axis >= 0) at(own, i) = at(start, axis);
  }
  return own;
}

/// The elements of a recipe at a place of a walk. `M` is the machine; `axes` are those of the
/// recipe that the walk's go along.
template <class M, class W, PackedMap axes, TensorType E, class Start>
[[gnu::always_inline]] inline auto held_values(E const& tensor, Start const& start,
                                               HeldPlace const& at) {
  using P = HeldPlaces<W, E, axes>;
  using V = typename M::template vector<typename E::value_type>;
  auto const* from = tensor.data() + held_start<E>(start);
  from += P::begins[static_cast<std::size_t>(at.run)] + at.element * P::step;
  if constexpr (P::step == 0) return V(*from);
  else if constexpr (P::step != 1) return M::load_strided(from, P::step, at.count);
  else return at.count == M::count ? M::load(from) : M::load(from, at.count);
}

template <class M, class W, PackedMap axes, class T, class Start>
[[gnu::always_inline]] inline auto held_values(ConstantNode<T> const& constant, Start const&,
                                               HeldPlace const&) {
  return typename M::template vector<T>(constant.value);
}

template <class M, class W, PackedMap axes, std::size_t k, class Node, class E, class Start>
[[gnu::always_inline]] inline auto operand_values(E const& operand, Start const& start,
                                                  HeldPlace const& at) {
  return held_values<M, W, axes_of_operand<axes, k, Node, E>>(
      operand, start_of_operand<k, Node, E>(start), at);
}

template <class M, class W, PackedMap axes, class Op, class A, class Start>
[[gnu::always_inline]] inline auto held_values(Elementwise<Op, A> const& e, Start const& start,
                                               HeldPlace const& at) {
  return Op::f(operand_values<M, W, axes, 0, Elementwise<Op, A>>(e.a, start, at));
}
template <class M, class W, PackedMap axes, class Op, class A, class B, class Start>
[[gnu::always_inline]] inline auto held_values(Elementwise<Op, A, B> const& e, Start const& start,
                                               HeldPlace const& at) {
  auto const a = operand_values<M, W, axes, 0, Elementwise<Op, A, B>>(e.a, start, at);
  auto const b = operand_values<M, W, axes, 1, Elementwise<Op, A, B>>(e.b, start, at);
  return Op::f(a, b);
}
template <class M, class W, PackedMap axes, class Op, class A, class B, class C, class Start>
[[gnu::always_inline]] inline auto held_values(Elementwise<Op, A, B, C> const& e,
                                               Start const& start, HeldPlace const& at) {
  auto const a = operand_values<M, W, axes, 0, Elementwise<Op, A, B, C>>(e.a, start, at);
  auto const b = operand_values<M, W, axes, 1, Elementwise<Op, A, B, C>>(e.b, start, at);
  auto const c = operand_values<M, W, axes, 2, Elementwise<Op, A, B, C>>(e.c, start, at);
  return Op::f(a, b, c);
}

template <class M, class W, PackedMap axes, class E, PackedMap order, Spec S>
[[gnu::always_inline]] inline auto held_values(Moved<E, order, S> const& e, AtOrigin,
                                               HeldPlace const& at) {
  return held_values<M, W, axes_of_move<axes, Moved<E, order, S>>>(e.operand, e.start, at);
}
template <class M, class W, PackedMap axes, class E, PackedMap order, Spec S>
[[gnu::always_inline]] inline auto held_values(Moved<E, order, S> const& e,
                                               ElementIndex const& start, HeldPlace const& at) {
  return held_values<M, W, axes_of_move<axes, Moved<E, order, S>>>(e.operand, e.source(start), at);
}

/// Ops of which a loop over scalars becomes the best code: one instruction each, no branch. What
/// else there is runs in lanes.
using PlainOps = op::List<op::Add, op::Sub, op::Mul, op::Div, op::Neg, op::Square, op::Reciprocal>;

template <class Op, class... Ops>
constexpr bool is_among(op::List<Ops...>) {
  return (std::same_as<Op, Ops> || ...);
}

template <class E>
inline constexpr bool is_plain = true;
template <class Op, class... E>
inline constexpr bool is_plain<Elementwise<Op, E...>> =
    is_among<Op>(PlainOps()) && (is_plain<E> && ...);
template <class E, PackedMap order, Spec S>
inline constexpr bool is_plain<Moved<E, order, S>> = is_plain<E>;

/// Stores every element of a held recipe, row-major.
template <class M, class E>
[[gnu::always_inline]] inline void fill_held(E const& e, typename E::value_type* to) {
  using W = HeldWalk<E>;
  constexpr int left = static_cast<int>(W::run % M::count);
  for (std::int64_t run = 0; run < W::runs; ++run, to += W::run) {
    std::int64_t j = 0;
    for (; j + M::count <= W::run; j += M::count)
      M::store(held_values<M, W, W::axes>(e, AtOrigin(), {run, j, M::count}), to + j);
    if constexpr (left > 0)
      M::store(held_values<M, W, W::axes>(e, AtOrigin(), {run, j, left}), to + j, left);
  }
}

}  // namespace tenon

// ---- tenon/eval/evaluate.hpp

namespace tenon {

/// Kernels that ran since the start of this thread: what tests of fusion count.
inline thread_local std::int64_t kernels_run = 0;

/// Where a tensor's elements lie, as the result of a kernel.
template <TensorType R>
MemoryAccess access_to_result(R const& result, typename R::value_type* memory) {
  return access_out(reinterpret_cast<std::byte*>(memory), row_major(result.sizes(), R::rank),
                    sizeof(typename R::value_type));
}

/// What the tape keeps of a kernel: the recipe, and the sizes of its result.
template <class E>
struct KernelStep {
  E recipe;

  void operator()(Tape& tape, std::byte const* adjoint) const {
    MemoryAccess at = access_out(nullptr, row_major(recipe.sizes(), E::shape.rank),
                                 sizeof(typename E::value_type));
    at.data = adjoint;
    BackendOf<typename E::device>::pull(recipe, at, tape);
  }
};

/// What the tape keeps of a product.
template <class E>
struct ProductStep {
  E product;

  void operator()(Tape& tape, std::byte const* adjoint) const {
    using T = typename E::value_type;
    BackendOf<typename E::device>::pull_contract(product, reinterpret_cast<T const*>(adjoint),
                                                 tape);
  }
};

/// Records how `result` came to be, if that depends on something recorded.
template <class Step, class E, TensorType R>
void record(E const& e, R& result) {
  if constexpr (std::is_floating_point_v<typename E::value_type>) {
    if (!depends_on_recording(e)) return;
    Tape& tape = *Tape::current();
    TapeMark const mark = tape.new_slot();
    tape.record(mark, Step{e});
    result.set_mark(mark);
  }
}

/// Element by element, also in constant evaluation.
template <TensorType R, class E>
constexpr R evaluate_by_element(E const& e) {
  R result = R::uninitialised(e.sizes());
  auto* to = result.mutable_data();
  ElementIndex index{};
  Sizes const sizes = e.sizes();
  for (std::int64_t i = 0; i < result.size(); ++i) {
    to[i] = element(e, index);
    next(index, sizes, E::shape.rank);
  }
  return result;
}

/// Is `e` to be computed node by node, because a derivative of its derivative may be asked for?
template <class E>
constexpr bool joins_graph(E const& e) {
  if (std::is_constant_evaluated()) return false;
  return graph::is_open() && depends_on_recording(e);
}

/// Is a recipe, or a product, to be evaluated by loops of constant length?
template <class R, class E>
concept FillsHeld = R::holds_elements && is_small<E> &&
                    requires(E const& e) { BackendOf<typename E::device>::fill_held(e, nullptr); };

template <TensorType R, class E>
[[gnu::always_inline]] inline R held_kernel(E const& e) {
  R result;
  BackendOf<typename E::device>::fill_held(
      e, const_cast<typename R::value_type*>(std::as_const(result).data()));
  ++kernels_run;
  return result;
}

template <TensorType R, class E>
R unrecorded_kernel(E const& e) {
  if constexpr (FillsHeld<R, E>) return held_kernel<R>(e);
  else {
    R result = R::uninitialised(e.sizes());
    if constexpr (is_contract<E>) BackendOf<typename E::device>::contract(e, result.mutable_data());
    else BackendOf<typename E::device>::fill(e, access_to_result(result, result.mutable_data()));
    ++kernels_run;
    return result;
  }
}

/// The value of a settled recipe: one kernel.
template <TensorType R, class E>
R run_kernel(E const& e) {
  if constexpr (TensorType<E>) return relabelled<R>(e);
  else {
    R result = unrecorded_kernel<R>(e);
    record<KernelStep<E>>(e, result);
    return result;
  }
}

template <TensorType R, class E>
R run_product(E const& e) {
  R result = unrecorded_kernel<R>(e);
  record<ProductStep<E>>(e, result);
  return result;
}

/// Memory for a product that is read while the result is written: the result's own where nothing
/// asks for the product later.
template <TensorType P, TensorType R, class E>
P product_value(R const& result, E const& e) {
  if constexpr (!P::holds_elements && !R::holds_elements &&
                std::same_as<typename P::value_type, typename R::value_type>) {
    if (!depends_on_recording(e)) return P::adopt(result.storage().buffer, host_of(e).sizes());
  }
  return P::uninitialised(host_of(e).sizes());
}

/// The value of maps over a product: one kernel that runs panel by panel.
template <TensorType R, class E>
R run_epilogue(E const& e) {
  auto const& product = host_of(e);
  using P = TensorOf<decltype(product)>;
  R result = R::uninitialised(e.sizes());
  P value = product_value<P>(result, e);
  auto* const memory = const_cast<typename P::value_type*>(value.data());
  MemoryAccess const out =
      access_to_result(result, const_cast<typename R::value_type*>(result.data()));
  record<ProductStep<Unqualified<decltype(product)>>>(product, value);
  auto const rest = settled(with_host(e, value));
  BackendOf<typename E::device>::contract_with_epilogue(product, memory, rest, out);
  ++kernels_run;
  record<KernelStep<Unqualified<decltype(rest)>>>(rest, result);
  return result;
}

/// A product that holds its elements itself is copied into the recipe: it is computed first.
template <class E>
concept FusesEpilogue = Epilogue<E> && requires(E const& e) {
  requires !TensorOf<decltype(host_of(e))>::holds_elements;
  BackendOf<typename E::device>::contract_with_epilogue(host_of(e), nullptr, e, MemoryAccess());
};

/// The value of a settled or product recipe, fused as far as can be. (Of a recipe that settles to
/// its own type nothing is evaluated first: it is not copied, which would count its handles.)
template <TensorType R, class E>
R evaluate_fused(E const& e) {
  if constexpr (is_contract<E>) return run_product<R>(e);
  else if constexpr (FusesEpilogue<E>) return run_epilogue<R>(e);
  else if constexpr (std::same_as<decltype(settled(e)), E>) return run_kernel<R>(e);
  else return run_kernel<R>(settled(e));
}

template <TensorType R, class E>
R evaluate_now(E const& e) {
  if constexpr (std::is_floating_point_v<typename E::value_type>)
    if (joins_graph(e)) return graph::tensor_of<R>(in_graph(e), e.sizes());
  return evaluate_fused<R>(e);
}

/// The same, out of the way.
template <TensorType R, class E>
[[gnu::noinline]] R evaluate_marked(E const& e) {
  return evaluate_now<R>(e);
}

/// The value of a small recipe. What may be recorded is a copy of it: the recipe itself shows its
/// address to nobody, so the compiler leaves it out.
template <TensorType R, class E>
[[gnu::always_inline]] inline R evaluate_small(E const& e) {
  if (tapes_of(e) != 0) return evaluate_marked<R>(E(e));
  if constexpr (FillsHeld<R, E>) return held_kernel<R>(e);
  else if constexpr (is_contract<E>) return unrecorded_kernel<R>(e);
  else return unrecorded_kernel<R>(settled(e));
}

/// The value of `e` as an `R`, whose axes agree with those of `e`. A size that only run time knows
/// is checked; throws `ShapeError`.
template <TensorType R, class E>
constexpr R evaluate_as(std::type_identity<R>, E const& e) {
  if constexpr (R::holds_elements) {
    if (std::is_constant_evaluated()) return evaluate_by_element<R>(e);
  }
  if constexpr (TensorType<E>) return relabelled<R>(e);
  else if constexpr (R::holds_elements && is_small<E>) return evaluate_small<R>(e);
  else return evaluate_now<R>(e);
}

/// The value of a recipe as a tensor; of a tensor, itself. PyTorch has no other.
template <Expression E>
constexpr TensorOf<E> evaluate(E const& e) {
  if constexpr (TensorType<E>) return e;
  else return evaluate_as(std::type_identity<TensorOf<E>>{}, e);
}

/// The value of a recipe that has a name: evaluated once, and remembered by its node.
template <Expression E>
constexpr TensorOf<E> remembered(E const& e) {
  if (std::is_constant_evaluated()) return evaluate(e);
  if constexpr (!remembers<E>) return evaluate(e);
  else return e.memo_.template get<TensorOf<E>>([&] { return evaluate(e); });
}

/// The value of `x` as an `R`; a recipe over a product that has a name is evaluated once.
template <TensorType R, Expression X>
constexpr R evaluate_once_as(std::type_identity<R> type, X&& x) {
  if constexpr (std::same_as<Held<X&&>, Unqualified<X>>) return evaluate_as(type, x);
  else return relabelled<R>(remembered(x));
}

/// The value of a recipe as a tensor; of a tensor, itself.
template <Expression X>
constexpr TensorOf<X> eval(X&& x) {
  return evaluate_once_as(std::type_identity<TensorOf<X>>{}, std::forward<X>(x));
}
template <Mistake X>
auto eval(X const&) -> X;

/// One element of a recipe: computed alone where that is cheap, else the whole is remembered.
template <Expression E>
constexpr auto access(E const& e, ElementIndex const& index) {
  if constexpr (is_heavy<E>) {
    if (!std::is_constant_evaluated()) return element(remembered(e), index);
  }
  return element(e, index);
}

}  // namespace tenon

// ---- tenon/eval/graph/value.hpp

namespace tenon::graph {

/// Computed elements in any order, and where they came from if that can vary.
struct Value {
  Extent extent{};
  Sizes strides{};
  std::int64_t start = 0;
  Element element{};
  SharedBuffer memory{};
  bool varies = false;  ///< Does it depend on a leaf?
  std::vector<Id> inputs{};
  std::unique_ptr<Rule const> rule{};

  std::byte* data() const { return memory.as<std::byte>() + start * element.bytes; }

  bool is_packed() const {
    Sizes const packed = row_major(extent.sizes, extent.rank);
    for (int i = 0; i < extent.rank; ++i) {
      if (at(extent.sizes, i) != 1 && at(strides, i) != at(packed, i)) return false;
    }
    return true;
  }
};

[[gnu::cold]] inline Value value_of(Elements elements) {
  Value value;
  value.extent = elements.extent;
  value.strides = row_major(elements.extent.sizes, elements.extent.rank);
  value.element = elements.element;
  value.memory = std::move(elements.memory);
  return value;
}

/// A value with room for its elements, row-major.
[[gnu::cold]] inline Value new_value(Element element, Extent const& extent) {
  return value_of(
      {element, extent, SharedBuffer(static_cast<std::size_t>(extent.count()) * element.bytes)});
}

/// Calls `row(index)` for the first element of every row along the last axis.
template <class F>
void each_row(Extent const& extent, F const& row) {
  ElementIndex index{};
  if (extent.count() == 0) return;
  do row(index);
  while (next(index, extent.sizes, extent.rank - 1));
}
inline std::int64_t row_length(Extent const& extent) {
  return extent.rank == 0 ? 1 : at(extent.sizes, extent.rank - 1);
}
inline std::int64_t row_step(Extent const& extent, Sizes const& strides) {
  return extent.rank == 0 ? 0 : at(strides, extent.rank - 1);
}

/// The elements of a value, row-major: its own memory where they lie so.
[[gnu::cold]] inline SharedBuffer packed(Value const& value) {
  std::size_t const element = value.element.bytes;
  std::size_t const bytes = static_cast<std::size_t>(value.extent.count()) * element;
  if (value.start == 0 && value.is_packed() && value.memory.bytes() == bytes) return value.memory;
  SharedBuffer copy(bytes);
  std::byte* to = copy.as<std::byte>();
  std::int64_t const length = row_length(value.extent);
  std::int64_t const step = row_step(value.extent, value.strides);
  each_row(value.extent, [&](ElementIndex const& index) {
    std::int64_t const first = offset(value.strides, index, value.extent.rank);
    for (std::int64_t i = 0; i < length; ++i, to += element)
      std::memcpy(to, value.data() + (first + i * step) * value.element.bytes, element);
  });
  return copy;
}

/// A few elements, one behind the other: the value's own where they lie so.
[[gnu::cold]] inline std::byte const* some_elements(Value const& x, std::int64_t begin,
                                                    std::int64_t count, std::byte* scratch) {
  if (x.is_packed()) return x.data() + begin * x.element.bytes;
  ElementIndex index = unravel(begin, x.extent.sizes, x.extent.rank);
  for (std::int64_t i = 0; i < count; ++i) {
    std::int64_t const from = offset(x.strides, index, x.extent.rank);
    std::memcpy(scratch + i * x.element.bytes, x.data() + from * x.element.bytes, x.element.bytes);
    next(index, x.extent.sizes, x.extent.rank);
  }
  return scratch;
}

/// `to` with elements added where a reordering has them from; the sums are kept in double.
template <class T>
[[gnu::cold]] void add_spread(Value const& from, Reordering const& reordering, Value const& to) {
  std::vector<double> sums(static_cast<std::size_t>(to.extent.count()));
  Sizes const strides = reordering.strides(to.strides);
  std::int64_t const first = offset(to.strides, reordering.start, to.extent.rank);
  std::int64_t const length = row_length(from.extent), step = row_step(from.extent, strides);
  std::int64_t const from_step = row_step(from.extent, from.strides);
  each_row(from.extent, [&](ElementIndex const& index) {
    double* const sum = sums.data() + first + offset(strides, index, from.extent.rank);
    T const* const x =
        reinterpret_cast<T const*>(from.data()) + offset(from.strides, index, from.extent.rank);
    for (std::int64_t i = 0; i < length; ++i)
      sum[i * step] += static_cast<double>(x[i * from_step]);
  });
  for (std::size_t i = 0; i < sums.size(); ++i)
    reinterpret_cast<T*>(to.data())[i] = static_cast<T>(sums[i]);
}

/// `to` with elements added at positions.
template <class T>
[[gnu::cold]] void add_put(SharedBuffer const& elements, std::vector<std::int64_t> const& positions,
                           Value const& to) {
  T* const sums = reinterpret_cast<T*>(to.data());
  for (std::int64_t i = 0; i < to.extent.count(); ++i) sums[i] = T(0);
  T const* from = elements.as<T>();
  for (std::int64_t const position : positions) sums[position] += *from++;
}

}  // namespace tenon::graph

// ---- tenon/eval/graph/values.hpp

namespace tenon::graph {

/// A rule that is a function of the adjoint.
template <class F>
struct LinearRule : Rule {
  F f;
  explicit LinearRule(F of) : f(std::move(of)) {}
  [[gnu::cold]] void pull(Id self, std::span<Id const> x, Adjoints& adjoints) const override {
    f(*adjoints.of(self), self, x, adjoints);
  }
};
template <class F>
std::unique_ptr<Rule const> rule(F f) {
  return std::unique_ptr<Rule const>(new LinearRule<F>(std::move(f)));
}

/// A value of the tape around a graph.
struct Around {
  TapeMark mark;
  Id id;
};

/// The graph as it is: values in the order in which they were made. (A template, so that only who
/// differentiates compiles it.)
template <class Nothing>
class ValuesOf final : public Graph {
 public:
  ValuesOf() { serial = Tape::enter(); }
  ValuesOf(ValuesOf const&) = delete;
  ValuesOf& operator=(ValuesOf const&) = delete;
  ~ValuesOf() override { Tape::leave(serial); }

  /// Values of the tape around, which are leaves of the graph.
  std::vector<Around> leaves_around{};

  Value const& operator[](Id id) const { return values_[id.number]; }

  Id add(Value value) {
    values_.push_back(std::move(value));
    return {static_cast<std::uint32_t>(values_.size() - 1)};
  }
  Id add(Value value, std::span<Id const> inputs, std::unique_ptr<Rule const> rule);
  /// The same value as a leaf of its own: what came before it is its input.
  Id as_leaf(Id before);
  /// Zeros of the extent `whole`, to which each element of x is added where a reordering has it
  /// from: the reverse of a view, and sums over axes.
  Id spread(Id x, Reordering const& reordering, Extent const& whole);
  Id view(Id x, Reordering const& reordering);
  /// Zeros of the extent `whole`, to which each element is added at its position.
  Id put(Id x, Positions const& to, Extent const& whole);

  Id constant(Elements elements) override { return add(value_of(std::move(elements))); }
  Id number(Element element, void const* number) override;
  Id of_tensor(TapeMark mark, Elements elements) override;
  Id made(Elements elements, std::span<Id const> inputs,
          std::unique_ptr<Rule const> rule) override {
    return add(value_of(std::move(elements)), inputs, std::move(rule));
  }
  Elements elements_of(Id id) const override {
    Value const& value = (*this)[id];
    return {value.element, value.extent, packed(value)};
  }
  bool varies(Id id) const override { return (*this)[id].varies; }

  Id map(MapOp const& op, std::span<Id> x) override;
  Id map(MapOp const& op, std::span<Id> x, AxisMap const* maps, Extent const& extent) override;
  Id sum(Id x, Folding const& folding) override {
    return spread(expanded(x, folding.back.extent), folding.back, folding.result);
  }
  Id fold(FoldOp const& op, Id x, Folding const& folding) override;
  Id product(Id a, Id b, Contracting const& contracting, Extent const& result) override;
  Id view(Id x, Extent const& whole, Reordering const& reordering) override {
    return view(expanded(x, whole), reordering);
  }
  Id expanded(Id x, Extent const& to) override;
  Id take(Id x, Positions const& from, Extent const& extent) override;
  Id boxes(Elements whole, std::span<Id const> parts, std::vector<Reordering> boxes) override;
  Id origins(Elements whole, std::span<Id const> inputs, std::span<Origin> origins) override;

 private:
  std::vector<Value> values_;
};

using Values = ValuesOf<void>;

/// The graph of this thread.
inline Values& values() { return static_cast<Values&>(*Graph::current); }

}  // namespace tenon::graph

// ---- tenon/eval/graph/values_linear.hpp

/// Values that are linear in their inputs, each with its reverse.
namespace tenon::graph {

template <class Nothing>
[[gnu::cold]] Id ValuesOf<Nothing>::view(Id x, Reordering const& reordering) {
  Value const& from = (*this)[x];
  Value value;
  value.extent = reordering.extent;
  value.element = from.element;
  value.memory = from.memory;
  value.strides = reordering.strides(from.strides);
  value.start = from.start + offset(from.strides, reordering.start, from.extent.rank);
  return add(std::move(value), {&x, 1},
             rule([reordering](Id adjoint, Id, std::span<Id const> in, Adjoints& adjoints) {
               adjoints.add(in[0], values().spread(adjoint, reordering, values()[in[0]].extent));
             }));
}

template <class Nothing>
[[gnu::cold]] Id ValuesOf<Nothing>::spread(Id x, Reordering const& reordering,
                                           Extent const& whole) {
  Value const& from = (*this)[x];
  Value to = new_value(from.element, whole);
  if (from.element.is_float) add_spread<float>(from, reordering, to);
  else add_spread<double>(from, reordering, to);
  return add(std::move(to), {&x, 1},
             rule([reordering](Id adjoint, Id, std::span<Id const> in, Adjoints& adjoints) {
               adjoints.add(in[0], values().view(adjoint, reordering));
             }));
}

template <class Nothing>
[[gnu::cold]] Id ValuesOf<Nothing>::expanded(Id x, Extent const& to) {
  if ((*this)[x].extent.is(to)) return x;
  Reordering repeated{to, {}};
  repeated.order.fill(-1);
  return view(x, repeated);
}

template <class Nothing>
[[gnu::cold]] Id ValuesOf<Nothing>::take(Id x, Positions const& from, Extent const& extent) {
  SharedBuffer const elements = packed((*this)[x]);
  Value value = new_value((*this)[x].element, extent);
  std::byte* to = value.data();
  std::size_t const bytes = value.element.bytes;
  for (std::int64_t const position : *from) {
    std::memcpy(to, elements.as<std::byte>() + position * value.element.bytes, bytes);
    to += bytes;
  }
  return add(std::move(value), {&x, 1},
             rule([from](Id adjoint, Id, std::span<Id const> in, Adjoints& adjoints) {
               adjoints.add(in[0], values().put(adjoint, from, values()[in[0]].extent));
             }));
}

template <class Nothing>
[[gnu::cold]] Id ValuesOf<Nothing>::put(Id x, Positions const& to, Extent const& whole) {
  SharedBuffer const elements = packed((*this)[x]);
  Value value = new_value((*this)[x].element, whole);
  if (value.element.is_float) add_put<float>(elements, *to, value);
  else add_put<double>(elements, *to, value);
  return add(std::move(value), {&x, 1},
             rule([to](Id adjoint, Id, std::span<Id const> in, Adjoints& adjoints) {
               adjoints.add(in[0], values().take(adjoint, to, values()[in[0]].extent));
             }));
}

template <class Nothing>
[[gnu::cold]] Id ValuesOf<Nothing>::product(Id a, Id b, Contracting const& contracting,
                                            Extent const& result) {
  Value const &left = (*this)[a], &right = (*this)[b];
  Value to = new_value(left.element, result);
  if (result.count() > 0) std::memset(to.data(), 0, to.memory.bytes());
  contracting.multiply(contracting.steps(left.strides, right.strides, to.strides), left.data(),
                       right.data(), to.data());
  std::array const inputs{a, b};
  return add(std::move(to), inputs,
             rule([contracting](Id adjoint, Id, std::span<Id const> x, Adjoints& adjoints) {
               Extent const left_extent = values()[x[0]].extent;
               Extent const right_extent = values()[x[1]].extent;
               if (adjoints.wants(x[0]))
                 adjoints.add(x[0],
                              values().product(adjoint, x[1], contracting.for_left(), left_extent));
               if (adjoints.wants(x[1]))
                 adjoints.add(
                     x[1], values().product(adjoint, x[0], contracting.for_right(), right_extent));
             }));
}

template <class Nothing>
[[gnu::cold]] Id ValuesOf<Nothing>::boxes(Elements whole, std::span<Id const> parts,
                                          std::vector<Reordering> boxes) {
  return made(
      std::move(whole), parts,
      rule([boxes = std::move(boxes)](Id adjoint, Id, std::span<Id const> in, Adjoints& adjoints) {
        for (std::size_t k = 0; k < boxes.size(); ++k)
          adjoints.add(in[k], values().view(adjoint, boxes[k]));
      }));
}

/// The adjoint of one of several inputs whose elements a value has.
[[gnu::cold]] inline Id adjoint_of_origin(Id adjoint, Origin const& origin, Extent const& input) {
  auto const kept = [](std::vector<std::int64_t> const& positions) {
    return std::make_shared<std::vector<std::int64_t> const>(positions);
  };
  Extent chosen{1, ones()};
  at(chosen.sizes, 0) = static_cast<std::int64_t>(origin.to.size());
  return values().put(values().take(adjoint, kept(origin.to), chosen), kept(origin.from), input);
}

template <class Nothing>
[[gnu::cold]] Id ValuesOf<Nothing>::origins(Elements whole, std::span<Id const> inputs,
                                            std::span<Origin> origins) {
  return made(std::move(whole), inputs,
              rule([all = std::vector<Origin>(origins.begin(), origins.end())](
                       Id adjoint, Id, std::span<Id const> in, Adjoints& adjoints) {
                for (std::size_t k = 0; k < in.size(); ++k) {
                  Extent const extent = values()[in[k]].extent;
                  adjoints.add(in[k], adjoint_of_origin(adjoint, all[k], extent));
                }
              }));
}

}  // namespace tenon::graph

// ---- tenon/eval/graph/values_mapped.hpp

/// Values that ops make, and where all values begin.
namespace tenon::graph {

template <class Nothing>
[[gnu::cold]] Id ValuesOf<Nothing>::add(Value value, std::span<Id const> inputs,
                                        std::unique_ptr<Rule const> rule) {
  bool varies = false;
  for (Id const input : inputs) varies = varies || (*this)[input].varies;
  if (varies && rule != nullptr && value.element.is_floating()) {
    value.varies = true;
    value.inputs.assign(inputs.begin(), inputs.end());
    value.rule = std::move(rule);
  }
  return add(std::move(value));
}

template <class Nothing>
[[gnu::cold]] Id ValuesOf<Nothing>::number(Element element, void const* number) {
  Value value = new_value(element, {});
  std::memcpy(value.data(), number, element.bytes);
  return add(std::move(value));
}

template <class Nothing>
[[gnu::cold]] Id ValuesOf<Nothing>::as_leaf(Id before) {
  Value leaf;
  Value const& same = (*this)[before];
  leaf.extent = same.extent;
  leaf.strides = same.strides;
  leaf.start = same.start;
  leaf.element = same.element;
  leaf.memory = same.memory;
  leaf.varies = true;
  leaf.inputs = {before};
  leaf.rule = rule([](Id adjoint, Id, std::span<Id const> in, Adjoints& adjoints) {
    adjoints.add(in[0], adjoint);
  });
  return add(std::move(leaf));
}

template <class Nothing>
[[gnu::cold]] Id ValuesOf<Nothing>::of_tensor(TapeMark mark, Elements elements) {
  if (!is_recorded(mark)) return constant(std::move(elements));
  if (mark.tape == serial) return {mark.slot};
  for (Around const& known : leaves_around) {
    if (known.mark == mark) return known.id;
  }
  leaves_around.push_back({mark, as_leaf(constant(std::move(elements)))});
  return leaves_around.back().id;
}

template <class Nothing>
[[gnu::cold]] Id ValuesOf<Nothing>::map(MapOp const& op, std::span<Id> x) {
  constexpr std::int64_t at_once = 512;
  Extent widest = (*this)[x[0]].extent;
  for (Id const operand : x) {
    if ((*this)[operand].extent.rank > widest.rank) widest = (*this)[operand].extent;
  }
  for (Id& operand : x) operand = expanded(operand, widest);
  Value value = new_value(op.result, widest);
  std::vector<std::byte> scratch(x.size() * at_once * sizeof(double));
  for (std::int64_t begin = 0; begin < widest.count(); begin += at_once) {
    std::int64_t const count = std::min(at_once, widest.count() - begin);
    MapOp::Operands from{};
    for (std::size_t k = 0; k < x.size(); ++k)
      from[k] =
          some_elements((*this)[x[k]], begin, count, scratch.data() + k * at_once * sizeof(double));
    op.run(value.data() + begin * op.result.bytes, from, count);
  }
  if (op.pull == nullptr) return add(std::move(value));
  return add(std::move(value), x,
             rule([pull = op.pull](Id adjoint, Id self, std::span<Id const> in,
                                   Adjoints& adjoints) { pull(self, in, adjoint, adjoints); }));
}

template <class Nothing>
[[gnu::cold]] Id ValuesOf<Nothing>::map(MapOp const& op, std::span<Id> x, AxisMap const* maps,
                                        Extent const& extent) {
  for (std::size_t k = 0; k < x.size(); ++k) {
    int const rank = (*this)[x[k]].extent.rank;
    if (rank == 0) continue;
    Reordering repeated{extent, {}};
    for (std::size_t i = 0; i < max_rank; ++i)
      repeated.order[i] =
          static_cast<std::int8_t>(operand_axis(maps[k], rank, static_cast<int>(i)));
    x[k] = view(x[k], repeated);
  }
  return map(op, x);
}

template <class Nothing>
[[gnu::cold]] Id ValuesOf<Nothing>::fold(FoldOp const& op, Id operand, Folding const& folding) {
  Id const x = expanded(operand, folding.back.extent);
  Value const& from = (*this)[x];
  Value to = new_value(from.element, folding.result);
  op.fill(to.data(), folding.result.count());
  Sizes const strides = folding.back.strides(to.strides);
  std::int64_t const bytes = from.element.bytes;
  each_row(from.extent, [&](ElementIndex const& index) {
    op.run(to.data() + offset(strides, index, from.extent.rank) * bytes,
           row_step(from.extent, strides),
           from.data() + offset(from.strides, index, from.extent.rank) * bytes,
           row_step(from.extent, from.strides), row_length(from.extent));
  });
  return add(std::move(to), {&x, 1},
             rule([pull = op.pull, folding](Id adjoint, Id self, std::span<Id const> in,
                                            Adjoints& adjoints) {
               pull(self, in[0], adjoint, folding, adjoints);
             }));
}

}  // namespace tenon::graph

// ---- tenon/eval/graph/reverse.hpp

namespace tenon::graph {

/// Adjoints of the values between leaves and results, passed on from the last value to the first.
template <class Nothing>
class ReverseOf final : public Adjoints {
 public:
  [[gnu::cold]] ReverseOf(std::span<Id const> results, std::span<Id const> leaves) {
    first_ = last_ = leaves.empty() ? 0 : leaves[0].number;
    for (Id const leaf : leaves) first_ = std::min(first_, leaf.number);
    for (Id const result : results) last_ = std::max(last_, result.number + 1);
    for (Id const leaf : leaves) last_ = std::max(last_, leaf.number + 1);
    between_.resize(last_ - first_);
    for (Id const leaf : leaves) between_[leaf.number - first_].is_leaf = true;
    for (std::uint32_t i = first_; i < last_; ++i) {
      Between& value = between_[i - first_];
      value.depends = value.is_leaf;
      for (Id const input : values()[{i}].inputs) value.depends = value.depends || wants(input);
    }
  }

  bool wants(Id id) const override {
    return id.number >= first_ && id.number < last_ && between_[id.number - first_].depends;
  }

  [[gnu::cold]] void add(Id to, Id share, std::size_t part = 0) override {
    if (!wants(to)) return;
    std::vector<Sum>& parts = between_[to.number - first_].parts;
    if (parts.size() <= part) parts.resize(part + 1);
    Sum& sum = parts[part];
    sum = {sum.is_there ? sum_of(sum.id, share) : share, true};
  }

  Id const* of(Id value, std::size_t part = 0) const override {
    if (!wants(value)) return nullptr;
    std::vector<Sum> const& parts = between_[value.number - first_].parts;
    return part < parts.size() && parts[part].is_there ? &parts[part].id : nullptr;
  }

  [[gnu::cold]] void pull() {
    for (std::uint32_t i = last_; i-- > first_;) {
      Between const& value = between_[i - first_];
      if (value.parts.empty() || value.is_leaf) continue;
      std::vector<Id> const inputs = values()[{i}].inputs;
      if (Rule const* const rule = values()[{i}].rule.get()) rule->pull({i}, inputs, *this);
    }
  }

 private:
  struct Sum {
    Id id{};
    bool is_there = false;
  };
  struct Between {
    bool is_leaf = false;
    bool depends = false;
    std::vector<Sum> parts{};
  };

  [[gnu::cold]] static Id sum_of(Id a, Id b) {
    if (values()[a].element.is_float) return (Number<float>(a) + Number<float>(b)).id;
    return (Number<double>(a) + Number<double>(b)).id;
  }

  std::uint32_t first_, last_;
  std::vector<Between> between_;
};

using Reverse = ReverseOf<void>;

}  // namespace tenon::graph

// ---- tenon/tree/bindings.hpp

// A table for each number of fields: C++20 has no other way to bind as many names as a type has
// fields.

#include <tuple>

namespace tenon::tree {

/// The largest number of fields of an aggregate.
inline constexpr std::size_t most_fields = 32;

template <std::size_t count>
using FieldCount = std::integral_constant<std::size_t, count>;

/// References to the fields of an object that has so many.
template <class T>
constexpr auto bind_fields(T&, FieldCount<0>) {
  return std::tuple<>();
}
template <class T>
constexpr auto bind_fields(T& object, FieldCount<1>) {
  auto& [a] = object;
  return std::tie(a);
}
template <class T>
constexpr auto bind_fields(T& object, FieldCount<2>) {
  auto& [a, b] = object;
  return std::tie(a, b);
}
template <class T>
constexpr auto bind_fields(T& object, FieldCount<3>) {
  auto& [a, b, c] = object;
  return std::tie(a, b, c);
}
template <class T>
constexpr auto bind_fields(T& object, FieldCount<4>) {
  auto& [a, b, c, d] = object;
  return std::tie(a, b, c, d);
}
template <class T>
constexpr auto bind_fields(T& object, FieldCount<5>) {
  auto& [a, b, c, d, e] = object;
  return std::tie(a, b, c, d, e);
}
template <class T>
constexpr auto bind_fields(T& object, FieldCount<6>) {
  auto& [a, b, c, d, e, f] = object;
  return std::tie(a, b, c, d, e, f);
}
template <class T>
constexpr auto bind_fields(T& object, FieldCount<7>) {
  auto& [a, b, c, d, e, f, g] = object;
  return std::tie(a, b, c, d, e, f, g);
}
template <class T>
constexpr auto bind_fields(T& object, FieldCount<8>) {
  auto& [a, b, c, d, e, f, g, h] = object;
  return std::tie(a, b, c, d, e, f, g, h);
}
template <class T>
constexpr auto bind_fields(T& object, FieldCount<9>) {
  auto& [a, b, c, d, e, f, g, h, i] = object;
  return std::tie(a, b, c, d, e, f, g, h, i);
}
template <class T>
constexpr auto bind_fields(T& object, FieldCount<10>) {
  auto& [a, b, c, d, e, f, g, h, i, j] = object;
  return std::tie(a, b, c, d, e, f, g, h, i, j);
}
template <class T>
constexpr auto bind_fields(T& object, FieldCount<11>) {
  auto& [a, b, c, d, e, f, g, h, i, j, k] = object;
  return std::tie(a, b, c, d, e, f, g, h, i, j, k);
}
template <class T>
constexpr auto bind_fields(T& object, FieldCount<12>) {
  auto& [a, b, c, d, e, f, g, h, i, j, k, l] = object;
  return std::tie(a, b, c, d, e, f, g, h, i, j, k, l);
}
template <class T>
constexpr auto bind_fields(T& object, FieldCount<13>) {
  auto& [a, b, c, d, e, f, g, h, i, j, k, l, m] = object;
  return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m);
}
template <class T>
constexpr auto bind_fields(T& object, FieldCount<14>) {
  auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n] = object;
  return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n);
}
template <class T>
constexpr auto bind_fields(T& object, FieldCount<15>) {
  auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o] = object;
  return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o);
}
template <class T>
constexpr auto bind_fields(T& object, FieldCount<16>) {
  auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = object;
  return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p);
}
template <class T>
constexpr auto bind_fields(T& object, FieldCount<17>) {
  auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q] = object;
  return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q);
}
template <class T>
constexpr auto bind_fields(T& object, FieldCount<18>) {
  auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r] = object;
  return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r);
}
template <class T>
constexpr auto bind_fields(T& object, FieldCount<19>) {
  auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s] = object;
  return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s);
}
template <class T>
constexpr auto bind_fields(T& object, FieldCount<20>) {
  auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t] = object;
  return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t);
}
template <class T>
constexpr auto bind_fields(T& object, FieldCount<21>) {
  auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u] = object;
  return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u);
}
template <class T>
constexpr auto bind_fields(T& object, FieldCount<22>) {
  auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v] = object;
  return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v);
}
template <class T>
constexpr auto bind_fields(T& object, FieldCount<23>) {
  auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w] = object;
  return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w);
}
template <class T>
constexpr auto bind_fields(T& object, FieldCount<24>) {
  auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x] = object;
  return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x);
}
template <class T>
constexpr auto bind_fields(T& object, FieldCount<25>) {
  auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y] = object;
  return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y);
}
template <class T>
constexpr auto bind_fields(T& object, FieldCount<26>) {
  auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z] = object;
  return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z);
}
template <class T>
constexpr auto bind_fields(T& object, FieldCount<27>) {
  auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, A] = object;
  return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, A);
}
template <class T>
constexpr auto bind_fields(T& object, FieldCount<28>) {
  auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, A, B] =
      object;
  return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, A,
                  B);
}
template <class T>
constexpr auto bind_fields(T& object, FieldCount<29>) {
  auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, A, B, C] =
      object;
  return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, A,
                  B, C);
}
template <class T>
constexpr auto bind_fields(T& object, FieldCount<30>) {
  auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, A, B, C, D] =
      object;
  return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, A,
                  B, C, D);
}
template <class T>
constexpr auto bind_fields(T& object, FieldCount<31>) {
  auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, A, B, C, D,
         E] = object;
  return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, A,
                  B, C, D, E);
}
template <class T>
constexpr auto bind_fields(T& object, FieldCount<32>) {
  auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, A, B, C, D,
         E, F] = object;
  return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, A,
                  B, C, D, E, F);
}

}  // namespace tenon::tree

// ---- tenon/tree/initialisers.hpp

// A table for each number of fields, as that of bindings.hpp.

namespace tenon::tree {

/// Does the aggregate take so many initialisers? Each is `{}`, which stands for exactly one field
/// whatever its type: anything convertible to everything would be spread over the elements of an
/// array, and is ambiguous for a `std::optional`.
template <class T>
constexpr bool takes(FieldCount<0>) {
  return requires { T{}; };
}
template <class T>
constexpr bool takes(FieldCount<1>) {
  return requires { T{{}}; };
}
template <class T>
constexpr bool takes(FieldCount<2>) {
  return requires { T{{}, {}}; };
}
template <class T>
constexpr bool takes(FieldCount<3>) {
  return requires { T{{}, {}, {}}; };
}
template <class T>
constexpr bool takes(FieldCount<4>) {
  return requires { T{{}, {}, {}, {}}; };
}
template <class T>
constexpr bool takes(FieldCount<5>) {
  return requires { T{{}, {}, {}, {}, {}}; };
}
template <class T>
constexpr bool takes(FieldCount<6>) {
  return requires { T{{}, {}, {}, {}, {}, {}}; };
}
template <class T>
constexpr bool takes(FieldCount<7>) {
  return requires { T{{}, {}, {}, {}, {}, {}, {}}; };
}
template <class T>
constexpr bool takes(FieldCount<8>) {
  return requires { T{{}, {}, {}, {}, {}, {}, {}, {}}; };
}
template <class T>
constexpr bool takes(FieldCount<9>) {
  return requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}}; };
}
template <class T>
constexpr bool takes(FieldCount<10>) {
  return requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; };
}
template <class T>
constexpr bool takes(FieldCount<11>) {
  return requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; };
}
template <class T>
constexpr bool takes(FieldCount<12>) {
  return requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; };
}
template <class T>
constexpr bool takes(FieldCount<13>) {
  return requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; };
}
template <class T>
constexpr bool takes(FieldCount<14>) {
  return requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; };
}
template <class T>
constexpr bool takes(FieldCount<15>) {
  return requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; };
}
template <class T>
constexpr bool takes(FieldCount<16>) {
  return requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; };
}
template <class T>
constexpr bool takes(FieldCount<17>) {
  return requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; };
}
template <class T>
constexpr bool takes(FieldCount<18>) {
  return requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; };
}
template <class T>
constexpr bool takes(FieldCount<19>) {
  return requires {
    T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
  };
}
template <class T>
constexpr bool takes(FieldCount<20>) {
  return requires {
    T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
  };
}
template <class T>
constexpr bool takes(FieldCount<21>) {
  return requires {
    T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
  };
}
template <class T>
constexpr bool takes(FieldCount<22>) {
  return requires {
    T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
  };
}
template <class T>
constexpr bool takes(FieldCount<23>) {
  return requires {
    T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
  };
}
template <class T>
constexpr bool takes(FieldCount<24>) {
  return requires {
    T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},
      {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
  };
}
template <class T>
constexpr bool takes(FieldCount<25>) {
  return requires {
    T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},
      {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
  };
}
template <class T>
constexpr bool takes(FieldCount<26>) {
  return requires {
    T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},
      {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
  };
}
template <class T>
constexpr bool takes(FieldCount<27>) {
  return requires {
    T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},
      {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
  };
}
template <class T>
constexpr bool takes(FieldCount<28>) {
  return requires {
    T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},
      {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
  };
}
template <class T>
constexpr bool takes(FieldCount<29>) {
  return requires {
    T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},
      {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
  };
}
template <class T>
constexpr bool takes(FieldCount<30>) {
  return requires {
    T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},
      {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
  };
}
template <class T>
constexpr bool takes(FieldCount<31>) {
  return requires {
    T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},
      {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
  };
}
template <class T>
constexpr bool takes(FieldCount<32>) {
  return requires {
    T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},
      {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
  };
}
template <class T>
constexpr bool takes(FieldCount<33>) {
  return requires {
    T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},
      {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
  };
}

}  // namespace tenon::tree

// ---- tenon/tree/aggregate.hpp

namespace tenon::tree {

/// Becomes any base class of `T`, and nothing else.
template <class T>
struct BaseOf {
  template <class Base>
    requires(std::is_base_of_v<Base, T> && !std::is_same_v<Base, T>)
  operator Base() const;
};
struct Nothing {};

/// The first element of an aggregate with base classes is a base. (`Nothing` tells a base from a
/// first field that takes whatever there is, as `std::any` does.)
template <class T>
inline constexpr bool has_base_class = requires { T{BaseOf<T>{}}; } && !requires { T{Nothing{}}; };

template <class T, std::size_t count = 0>
consteval std::size_t count_fields() {
  if constexpr (count > most_fields) {
    return count;
  } else if constexpr (takes<T>(FieldCount<count + 1>())) {
    return count_fields<T, count + 1>();
  } else {
    return count;
  }
}

/// The number of fields of an aggregate; `most_fields` + 1 where there are more.
template <class T>
inline constexpr std::size_t field_count = count_fields<T>();

template <class Fields>
inline constexpr bool has_array = false;
template <class... Field>
inline constexpr bool has_array<std::tuple<Field&...>> = (std::is_array_v<Field> || ...);

template <class Fields>
inline constexpr bool has_pointer = false;
template <class... Field>
inline constexpr bool has_pointer<std::tuple<Field&...>> = (std::is_pointer_v<Field> || ...);

/// References to the fields of an aggregate, in order: `std::tuple<Field&...>`, constant where the
/// object is. Refused in words of their own: base classes, C arrays, pointers, fields that cannot
/// be default-constructed (references among them), more than 32 fields. Constant fields are fields.
template <class T>
constexpr auto fields(T& object) {
  using Struct = std::remove_const_t<T>;
  static_assert(takes<Struct>(FieldCount<0>()),
                "tenon::tree: a field cannot be default-constructed (is it a reference?)");
  static_assert(field_count<Struct> <= most_fields,
                "tenon::tree: a struct has more than 32 fields; group some in a struct");
  static_assert(!has_base_class<Struct>, "tenon::tree: a struct has a base class; make it a field");
  if constexpr (takes<Struct>(FieldCount<0>()) && field_count<Struct> <= most_fields &&
                !has_base_class<Struct>) {
    auto const bound = bind_fields(object, FieldCount<field_count<Struct>>());
    using Fields = std::remove_const_t<decltype(bound)>;
    static_assert(!has_array<Fields>, "tenon::tree: a field is a C array; use std::array");
    static_assert(!has_pointer<Fields>,
                  "tenon::tree: a field is a pointer; hold a value, or the pointer in Frozen<>");
    return bound;
  } else {
    return std::tuple<>();
  }
}

}  // namespace tenon::tree

// ---- tenon/op/philox.hpp

namespace tenon::op {

using namespace word;

/// The counter and the result of one call: four words of 32 random bits.
template <class V>
struct PhiloxBlock {
  V word0, word1, word2, word3;
};

using PhiloxKey = std::array<std::uint32_t, 2>;

template <class V>
constexpr PhiloxBlock<V> philox_round(PhiloxBlock<V> c, PhiloxKey key) {
  V const m0 = V(std::uint32_t{0xD2511F53}), m1 = V(std::uint32_t{0xCD9E8D57});
  return {multiply_high(m1, c.word2) ^ c.word1 ^ V(key[0]), multiply(m1, c.word2),
          multiply_high(m0, c.word0) ^ c.word3 ^ V(key[1]), multiply(m0, c.word0)};
}

/// Philox 4x32-10: random bits as a function of a counter and a key, the same on every machine.
/// V is `std::uint32_t` or lanes of it. J. Salmon et al., "Parallel random numbers: as easy as
/// 1, 2, 3", SC 2011; the constants are those of Random123.
template <class V>
constexpr PhiloxBlock<V> philox(PhiloxBlock<V> counter, PhiloxKey key) {
  for (int round = 0; round < 10; ++round) {
    counter = philox_round(counter, key);
    key = {key[0] + 0x9E3779B9u, key[1] + 0xBB67AE85u};
  }
  return counter;
}

/// A float in [0, 1), a multiple of 2^-24, from one word.
template <class V>
constexpr auto uniform_float(V word) {
  auto const digits = convert<float>(word >> 8);
  return digits * decltype(digits)(0x1p-24f);
}

/// A double in [0, 1), a multiple of 2^-53, from two words.
template <class V>
constexpr auto uniform_double(V high, V low) {
  auto const upper = convert<double>(high >> 5);
  using Result = std::remove_const_t<decltype(upper)>;
  return (upper * Result(0x1p26) + convert<double>(low >> 6)) * Result(0x1p-53);
}

}  // namespace tenon::op

// ---- tenon/random/key.hpp

namespace tenon {

/// What a block of random words is for: the last word of its counter, so that no use of a key meets
/// another.
enum class RandomUse : std::uint32_t { draw = 0, split = 1, fold_in = 2 };

/// A key to random numbers, which are a function of it: Philox 4x32-10, counter-based, the same on
/// every machine and device. It has no state: use it once, and `split` it for more. JAX: `key`.
class Key {
 public:
  /// The key of seed 0, so that a key may be a field of a tree.
  constexpr Key() = default;

  template <std::integral I>
  explicit constexpr Key(I seed)
      : words_{static_cast<std::uint32_t>(static_cast<std::uint64_t>(seed)),
               static_cast<std::uint32_t>(static_cast<std::uint64_t>(seed) >> 32)} {}

  /// What the key is; `Key(words)` is it again.
  constexpr op::PhiloxKey const& words() const { return words_; }
  explicit constexpr Key(op::PhiloxKey const& words) : words_(words) {}

  /// A key that is a function of this one and of `number`.
  constexpr Key derived(RandomUse use, std::uint64_t number) const {
    op::PhiloxBlock<std::uint32_t> const counter{static_cast<std::uint32_t>(number),
                                                 static_cast<std::uint32_t>(number >> 32), 0,
                                                 static_cast<std::uint32_t>(use)};
    auto const block = op::philox(counter, words_);
    return Key(block.word0 | std::uint64_t{block.word1} << 32);
  }

  friend constexpr bool operator==(Key const&, Key const&) = default;

 private:
  op::PhiloxKey words_{};
};

/// Independent keys from one, which is spent: `auto [dropout, rest] = split(key);`. JAX: `split`.
template <std::size_t number = 2>
constexpr std::array<Key, number> split(Key const& key) {
  return [&]<std::size_t... i>(std::index_sequence<i...>) {
    return std::array<Key, number>{key.derived(RandomUse::split, i)...};
  }(std::make_index_sequence<number>());
}

/// The key of one step, layer or rank out of many: `fold_in(key, step)`. JAX: `fold_in`.
template <std::integral I>
constexpr Key fold_in(Key const& key, I data) {
  return key.derived(RandomUse::fold_in, static_cast<std::uint64_t>(data));
}

}  // namespace tenon

// ---- tenon/tensor/aliases.hpp

namespace tenon {

/// A tensor of dtype `T` whose spec may be written in any form: `Of<float, " _x  n+1 ">`.
template <class T, Spec S, class D = Cpu>
using Of = Tensor<T, canonical<S>, D>;

template <Spec S, class D = Cpu>
using Float32 = Of<float, S, D>;
template <Spec S, class D = Cpu>
using Float64 = Of<double, S, D>;
template <Spec S, class D = Cpu>
using Float16 = Of<float16, S, D>;
template <Spec S, class D = Cpu>
using BFloat16 = Of<bfloat16, S, D>;
template <Spec S, class D = Cpu>
using Int8 = Of<std::int8_t, S, D>;
template <Spec S, class D = Cpu>
using Int16 = Of<std::int16_t, S, D>;
template <Spec S, class D = Cpu>
using Int32 = Of<std::int32_t, S, D>;
template <Spec S, class D = Cpu>
using Int64 = Of<std::int64_t, S, D>;
template <Spec S, class D = Cpu>
using UInt8 = Of<std::uint8_t, S, D>;
template <Spec S, class D = Cpu>
using UInt16 = Of<std::uint16_t, S, D>;
template <Spec S, class D = Cpu>
using UInt32 = Of<std::uint32_t, S, D>;
template <Spec S, class D = Cpu>
using UInt64 = Of<std::uint64_t, S, D>;
template <Spec S, class D = Cpu>
using Complex64 = Of<std::complex<float>, S, D>;
template <Spec S, class D = Cpu>
using Complex128 = Of<std::complex<double>, S, D>;
/// A tensor of truth values. (The concept over such tensors keeps jaxtyping's name, `Bool`.)
template <Spec S, class D = Cpu>
using Mask = Of<bool, S, D>;

}  // namespace tenon

// ---- tenon/tree/frozen.hpp

namespace tenon {

/// A part of a model that is not learned: no gradient enters it, no optimiser changes it, but a
/// checkpoint holds it. `*frozen` is the value; a frozen layer is called as the layer is.
template <class T>
struct Frozen {
  T value{};

  constexpr Frozen() = default;
  constexpr Frozen(T frozen) : value(std::move(frozen)) {}

  constexpr operator T const&() const { return value; }
  constexpr T const& operator*() const { return value; }
  constexpr T const* operator->() const { return &value; }

  template <class... Arguments>
    requires std::invocable<T const&, Arguments...>
  constexpr decltype(auto) operator()(Arguments&&... arguments) const {
    return value(std::forward<Arguments>(arguments)...);
  }

  friend constexpr bool operator==(Frozen const&, Frozen const&) = default;
};

template <class T>
inline constexpr bool is_frozen = false;
template <class T>
inline constexpr bool is_frozen<Frozen<T>> = true;

}  // namespace tenon

// ---- tenon/tree/leaf.hpp

namespace tenon::tree {

/// What a walk over a tree stops at. Specialise it to make a type of one's own a leaf.
template <class T>
struct is_leaf : std::false_type {};
template <class T, Spec S, class D>
struct is_leaf<Tensor<T, S, D>> : std::true_type {};

/// Has a leaf a gradient? A tensor has one if its dtype is floating or complex.
template <class T>
struct is_differentiable : is_leaf<T> {};
template <class T, Spec S, class D>
struct is_differentiable<Tensor<T, S, D>>
    : std::bool_constant<is_any_of<T, DtypeCategory::floating, DtypeCategory::complex>> {};

/// A number, or another dtype: part of a checkpoint, but nothing to learn.
template <class T>
inline constexpr bool is_number = std::is_arithmetic_v<T> || is_dtype<T>;

/// A walk over what is learned: differentiable leaves outside of `Frozen`. All else passes through.
struct Learned {
  template <class T>
  static constexpr bool visits = is_differentiable<T>::value;
  static constexpr bool opens_frozen = false;
};

/// The same for a key to random numbers: who resumes goes on with the numbers that come next.
template <class T>
inline constexpr bool is_key = std::is_same_v<T, Key>;

/// A walk over all that is stored: every leaf, number and key, also within `Frozen`.
struct Stored {
  template <class T>
  static constexpr bool visits = is_leaf<T>::value || is_number<T> || is_key<T>;
  static constexpr bool opens_frozen = true;
};

}  // namespace tenon::tree

// ---- tenon/tree/names.hpp

namespace tenon::tree {

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wundefined-var-template"
#pragma clang diagnostic ignored "-Wundefined-internal"
#endif

/// An object that is named and never defined: the address of a field of it, as a template argument,
/// is printed by the compiler with the name of the field. The wrapper makes types that cannot be
/// constants acceptable.
template <class T>
struct Undefined {
  T value;
  ~Undefined();
};
template <class T>
extern Undefined<T> const undefined;

/// g++ 12 prints the name of a field only where the address stands in a struct.
template <class Field>
struct Address {
  Field const* field;
};
template <class Field>
Address(Field const*) -> Address<Field>;

/// g++: `… [with auto address = Address<int>{(& undefined<S>.Undefined<S>::value.S::bias)}; …]`,
/// clang: `… [address = Address<int>{&undefined.value.bias}]`.
template <auto address>
consteval std::string_view printed() {
  return __PRETTY_FUNCTION__;
}

constexpr bool is_part_of_a_name(char c) {
  bool const letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  return letter || (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 0x80;
}

/// The last word before the last brace.
consteval std::string_view last_name(std::string_view text) {
  std::size_t end = text.rfind('}');
  while (end > 0 && !is_part_of_a_name(text[end - 1])) --end;
  std::size_t begin = end;
  while (begin > 0 && is_part_of_a_name(text[begin - 1])) --begin;
  return text.substr(begin, end - begin);
}

template <class T, std::size_t index>
consteval std::string_view find_field_name() {
  return last_name(printed<Address{&std::get<index>(fields(undefined<T>.value))}>());
}

/// The name of a field. A copy, so that the long text it comes from stays out of the program.
template <class T, std::size_t index>
inline constexpr auto field_name =
    Spec<find_field_name<T, index>().size() + 1>(find_field_name<T, index>());

#if defined(__clang__)
#pragma clang diagnostic pop
#endif

}  // namespace tenon::tree

// ---- tenon/tree/node.hpp

namespace tenon::tree {

/// What a walk does with a type. `record`: its parts are known to the compiler (a plain aggregate,
/// a pair, a tuple); `passed`: nothing to visit in it.
enum class Node { leaf, frozen, record, array, vector, optional, passed };

template <class T>
inline constexpr bool is_tuple = false;
template <class... T>
inline constexpr bool is_tuple<std::tuple<T...>> = true;
template <class First, class Second>
inline constexpr bool is_tuple<std::pair<First, Second>> = true;

template <class T>
inline constexpr bool is_array = false;
template <class T, std::size_t size>
inline constexpr bool is_array<std::array<T, size>> = true;

/// (Not a vector of bool: it has no elements to refer to.)
template <class T>
inline constexpr bool is_vector = false;
template <class T, class Allocator>
inline constexpr bool is_vector<std::vector<T, Allocator>> = !std::is_same_v<T, bool>;

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

/// References to the parts of a record, in order, as a tuple.
template <class T>
constexpr auto parts(T& record) {
  if constexpr (is_tuple<std::remove_const_t<T>>) {
    return std::apply([](auto&... part) { return std::tie(part...); }, record);
  } else {
    return fields(record);
  }
}

/// The name of a part of a record; empty for the parts of tuples, which are counted.
template <class T, std::size_t index>
constexpr std::string_view part_name() {
  if constexpr (is_tuple<T>) {
    return {};
  } else {
    return field_name<T, index>;
  }
}

template <class T>
using Parts = decltype(parts(std::declval<T&>()));

template <class Walk, class T>
consteval bool reaches();

template <class Walk, class Parts>
inline constexpr bool reaches_any = false;
template <class Walk, class... Part>
inline constexpr bool reaches_any<Walk, std::tuple<Part&...>> =
    (reaches<Walk, std::remove_const_t<Part>>() || ...);

/// Is there anything in a type that the walk visits? What it does not enter may be of any type.
template <class Walk, class T>
consteval bool reaches() {
  if constexpr (Walk::template visits<T>) {
    return true;
  } else if constexpr (is_leaf<T>::value) {
    return false;
  } else if constexpr (is_frozen<T>) {
    return Walk::opens_frozen && reaches<Walk, decltype(T::value)>();
  } else if constexpr (is_array<T> || is_vector<T> || is_optional<T>) {
    return reaches<Walk, std::remove_const_t<typename T::value_type>>();
  } else if constexpr (is_tuple<T> || (std::is_class_v<T> && std::is_aggregate_v<T>)) {
    return reaches_any<Walk, Parts<T>>;
  } else {
    return false;
  }
}

template <class Walk, class T>
inline constexpr Node node_of = Walk::template visits<T> ? Node::leaf
                                : !reaches<Walk, T>()    ? Node::passed
                                : is_frozen<T>           ? Node::frozen
                                : is_array<T>            ? Node::array
                                : is_vector<T>           ? Node::vector
                                : is_optional<T>         ? Node::optional
                                                         : Node::record;

}  // namespace tenon::tree

// ---- tenon/tree/path.hpp

namespace tenon::tree {

/// Where in a tree something stands: `blocks.0.attention.query.weight`. Written out only when asked
/// for; valid during the call that it is handed to.
struct Path {
  Path const* parent = nullptr;
  std::string_view name{};  ///< Of a field; empty for an element.
  std::size_t index = 0;    ///< Of an element.

  std::string text() const {
    if (!parent) return {};
    std::string before = parent->text();
    if (!before.empty()) before += '.';
    return before += name.empty() ? std::to_string(index) : std::string(name);
  }
  operator std::string() const { return text(); }
};

}  // namespace tenon::tree

// ---- tenon/tree/match.hpp

namespace tenon::tree {

/// Do trees have the same kind of node here, with as many parts, or elements of an array?
template <class Walk, class First, class Other>
consteval bool same_node() {
  constexpr Node node = node_of<Walk, First>;
  if constexpr (node != node_of<Walk, Other>) {
    return false;
  } else if constexpr (node == Node::record) {
    return std::tuple_size_v<Parts<First>> == std::tuple_size_v<Parts<Other>>;
  } else if constexpr (node == Node::array) {
    return std::tuple_size_v<First> == std::tuple_size_v<Other>;
  } else {
    return true;
  }
}

template <class Walk, class First, class... Rest>
constexpr void check_nodes() {
  static_assert((same_node<Walk, First, Rest>() && ...),
                "tenon::tree: the trees differ in structure");
}

[[noreturn]] inline void fail_to_match(Path const& path, std::string const& expected,
                                       std::string const& got) {
  std::string const where = path.text();
  fail<ShapeError>({.who = "tree", .what = where, .expected = expected, .got = got});
}

/// Trees of equal structure have as many elements in their vectors.
constexpr void check_size(Path const& path, std::size_t first, std::size_t other) {
  if (first == other) return;
  fail_to_match(path, std::to_string(first) + " elements", std::to_string(other));
}

/// And values in the same optionals.
constexpr void check_value(Path const& path, bool first, bool other) {
  if (first == other) return;
  fail_to_match(path, first ? "a value" : "none", other ? "a value" : "none");
}

/// f(path, leaves...) or, where `f` takes no path, f(leaves...).
template <class F, class... Leaf>
constexpr decltype(auto) visit(F& f, Path const& path, Leaf&... leaf) {
  if constexpr (std::is_invocable_v<F&, Path const&, Leaf&...>) {
    return f(path, leaf...);
  } else {
    static_assert(std::is_invocable_v<F&, Leaf&...>,
                  "tenon::tree: the function takes neither these leaves nor a path and the leaves");
    return f(leaf...);
  }
}

}  // namespace tenon::tree

// ---- tenon/tree/walk.hpp

namespace tenon::tree {

/// One walk over several trees of equal structure at once.
template <class Walk, class F>
struct Walker {
  F& f;

  template <class First, class... Rest>
  constexpr void walk(Path const& path, First& first, Rest&... rest) const {
    check_nodes<Walk, Unqualified<First>, Unqualified<Rest>...>();
    constexpr Node node = node_of<Walk, Unqualified<First>>;
    if constexpr (node == Node::leaf) {
      visit(f, path, first, rest...);
    } else if constexpr (node == Node::frozen) {
      walk(path, first.value, rest.value...);
    } else if constexpr (node == Node::record) {
      constexpr std::size_t count = std::tuple_size_v<Parts<Unqualified<First>>>;
      walk_parts(std::make_index_sequence<count>(), path, first, rest...);
    } else if constexpr (node == Node::optional) {
      (check_value(path, first.has_value(), rest.has_value()), ...);
      if (first) walk(path, *first, *rest...);
    } else if constexpr (node != Node::passed) {
      walk_elements(path, first, rest...);
    }
  }

 private:
  template <std::size_t... i, class First, class... Rest>
  constexpr void walk_parts(std::index_sequence<i...>, Path const& path, First& first,
                            Rest&... rest) const {
    (walk_part<i>(path, first, rest...), ...);
  }

  template <std::size_t i, class First, class... Rest>
  constexpr void walk_part(Path const& path, First& first, Rest&... rest) const {
    walk(Path{&path, part_name<Unqualified<First>, i>(), i}, std::get<i>(parts(first)),
         std::get<i>(parts(rest))...);
  }

  template <class First, class... Rest>
  constexpr void walk_elements(Path const& path, First& first, Rest&... rest) const {
    (check_size(path, first.size(), rest.size()), ...);
    for (std::size_t i = 0; i < first.size(); ++i) walk(Path{&path, {}, i}, first[i], rest[i]...);
  }
};

/// Visits the leaves of a tree in order: f(leaf), or f(path, leaf). A tree is a leaf (a tensor), a
/// plain aggregate, `std::array`, `std::tuple`, `std::pair`, `std::vector`, `std::optional`, nested
/// at will (but no struct that holds itself in a vector). Leaves are references into the tree,
/// constant where it is. `Walk` says what is visited: by default what is learned, with `Stored` all
/// that a checkpoint holds.
template <class Walk = Learned, class F, class Tree>
constexpr void for_each(F&& f, Tree&& tree) {
  Walker<Walk, std::remove_reference_t<F>>{f}.walk(Path{}, tree);
}

/// Visits the leaves of several trees of the same structure together: f(a, b...), or
/// f(path, a, b...). Structures that differ do not compile; vectors of different sizes and
/// optionals of which one is empty throw `ShapeError` with the path.
template <class Walk = Learned, class F, class First, class... Rest>
constexpr void zip(F&& f, First&& first, Rest&&... rest) {
  Walker<Walk, std::remove_reference_t<F>>{f}.walk(Path{}, first, rest...);
}

}  // namespace tenon::tree

// ---- tenon/tree/collect.hpp

namespace tenon::tree {

/// f(f(initial, first leaf), second leaf) and so on.
template <class Walk = Learned, class F, class Value, class Tree>
constexpr Value fold(F&& f, Value initial, Tree const& tree) {
  for_each<Walk>([&](auto const& leaf) { initial = f(std::move(initial), leaf); }, tree);
  return initial;
}

/// What f(leaf), or f(path, leaf), gives for every leaf, in order.
template <class Result, class Walk = Learned, class F, class Tree>
std::vector<Result> collect(F&& f, Tree const& tree) {
  std::vector<Result> results;
  for_each<Walk>(
      [&](Path const& path, auto const& leaf) { results.push_back(visit(f, path, leaf)); }, tree);
  return results;
}

/// The leaves in order, where all are of one type (or convertible to it).
template <class Leaf, class Walk = Learned, class Tree>
std::vector<Leaf> leaves(Tree const& tree) {
  return collect<Leaf, Walk>(
      [](auto const& leaf) {
        static_assert(std::convertible_to<decltype(leaf), Leaf>,
                      "tenon::tree: a leaf is of another type; use for_each");
        return leaf;
      },
      tree);
}

/// The paths of the leaves in order: `blocks.0.attention.query.weight`.
template <class Walk = Learned, class Tree>
std::vector<std::string> paths(Tree const& tree) {
  return collect<std::string, Walk>([](Path const& path, auto const&) { return path.text(); },
                                    tree);
}

/// The number of leaves.
template <class Walk = Learned, class Tree>
constexpr std::int64_t count(Tree const& tree) {
  return fold<Walk>([](std::int64_t before, auto const&) { return before + 1; }, std::int64_t{0},
                    tree);
}

/// The number of elements of all leaves: how many parameters a model has.
template <class Walk = Learned, class Tree>
constexpr std::int64_t elements(Tree const& tree) {
  return fold<Walk>([](std::int64_t before, auto const& leaf) { return before + leaf.size(); },
                    std::int64_t{0}, tree);
}

}  // namespace tenon::tree

// ---- tenon/tree/map.hpp

namespace tenon::tree {

/// Builds a tree of the type of the first of several trees, from what a function makes of their
/// leaves.
template <class Walk, class F>
struct Builder {
  F& f;

  template <class First, class... Rest>
  constexpr First build(Path const& path, First const& first, Rest const&... rest) const {
    check_nodes<Walk, First, Rest...>();
    constexpr Node node = node_of<Walk, First>;
    if constexpr (node == Node::leaf) {
      return visit(f, path, first, rest...);
    } else if constexpr (node == Node::frozen) {
      return First(build(path, first.value, rest.value...));
    } else if constexpr (node == Node::record) {
      constexpr std::size_t count = std::tuple_size_v<Parts<First>>;
      return build_record(std::make_index_sequence<count>(), path, first, rest...);
    } else if constexpr (node == Node::array) {
      constexpr std::size_t size = std::tuple_size_v<First>;
      return build_array(std::make_index_sequence<size>(), path, first, rest...);
    } else if constexpr (node == Node::vector) {
      return build_vector(path, first, rest...);
    } else if constexpr (node == Node::optional) {
      return build_optional(path, first, rest...);
    } else {
      return first;
    }
  }

 private:
  // In braces the parts are built in order.
  template <std::size_t... i, class First, class... Rest>
  constexpr First build_record(std::index_sequence<i...>, Path const& path, First const& first,
                               Rest const&... rest) const {
    return First{build_part<i>(path, first, rest...)...};
  }

  template <std::size_t i, class First, class... Rest>
  constexpr auto build_part(Path const& path, First const& first, Rest const&... rest) const {
    return build(Path{&path, part_name<First, i>(), i}, std::get<i>(parts(first)),
                 std::get<i>(parts(rest))...);
  }

  template <std::size_t... i, class First, class... Rest>
  constexpr First build_array(std::index_sequence<i...>, Path const& path, First const& first,
                              Rest const&... rest) const {
    return First{{element(i, path, first, rest...)...}};
  }

  template <class First, class... Rest>
  constexpr auto element(std::size_t i, Path const& path, First const& first,
                         Rest const&... rest) const {
    return build(Path{&path, {}, i}, first[i], rest[i]...);
  }

  template <class First, class... Rest>
  constexpr First build_vector(Path const& path, First const& first, Rest const&... rest) const {
    (check_size(path, first.size(), rest.size()), ...);
    First built(first.get_allocator());
    built.reserve(first.size());
    for (std::size_t i = 0; i < first.size(); ++i) {
      built.push_back(element(i, path, first, rest...));
    }
    return built;
  }

  template <class First, class... Rest>
  constexpr First build_optional(Path const& path, First const& first, Rest const&... rest) const {
    (check_value(path, first.has_value(), rest.has_value()), ...);
    if (!first) return {};
    return First(build(path, *first, *rest...));
  }
};

/// A tree of the same type with f(leaf), or f(path, leaf), in the place of every leaf; what is not
/// visited is copied. With several trees of the same structure it is f(a, b...), as in `zip`.
template <class Walk = Learned, class F, class First, class... Rest>
constexpr First map(F&& f, First const& first, Rest const&... rest) {
  return Builder<Walk, std::remove_reference_t<F>>{f}.build(Path{}, first, rest...);
}

}  // namespace tenon::tree

// ---- tenon/tree/tree.hpp

// Trees: plain structs, arrays, tuples, vectors and optionals of tensors, walked as one.

// ---- tenon/eval/leaves.hpp

/// How trees go into a recording and their adjoints come out of it.
namespace tenon {

/// A copy of a tree whose learned leaves are recorded on `tape`.
template <class Tree>
Tree tracked(Tree const& tree, Tape& tape) {
  return tree::map(
      [&](auto leaf) {
        Tape::check_outer(leaf.mark());
        leaf.set_mark(tape.new_slot());
        return leaf;
      },
      tree);
}

/// The adjoint of a leaf, as a tensor of the leaf's type: zeros where nothing depends on it.
template <TensorType E>
E gradient_of(E const& leaf, Tape& tape) {
  using T = typename E::value_type;
  std::byte* const found = tape.gradient_of(leaf.mark(), leaf.size(), sizeof(T));
  if constexpr (!E::holds_elements) {
    return E::adopt(tape.take_gradient(leaf.mark()), leaf.sizes());
  } else {
    E gradient = E::uninitialised(leaf.sizes());
    std::memcpy(gradient.mutable_data(), found, static_cast<std::size_t>(leaf.size()) * sizeof(T));
    return gradient;
  }
}

template <class Tree>
Tree gradients_of(Tree const& leaves, Tape& tape) {
  return tree::map([&](auto const& leaf) { return gradient_of(leaf, tape); }, leaves);
}

/// A value without its mark: what leaves a recording is a constant.
template <TensorType E>
E unmarked(E value) {
  value.set_mark({});
  return value;
}

/// Adds `adjoint` to that of a recorded value; of a constant, nothing.
template <TensorType E>
void seed(E const& value, E const& adjoint, Tape& tape) {
  using T = typename E::value_type;
  std::byte* const to = tape.gradient_of(value.mark(), value.size(), sizeof(T));
  if (to == nullptr) return;
  T* const sum = reinterpret_cast<T*>(to);
  for (std::int64_t i = 0; i < value.size(); ++i) sum[i] += adjoint.data()[i];
}

template <class Tree>
Tree unmarked_leaves(Tree const& tree) {
  return tree::map([](auto const& leaf) { return unmarked(leaf); }, tree);
}

/// Adds an adjoint to those of the leaves of a tree. Throws `ShapeError` where sizes differ.
template <class Tree>
void seed_leaves(Tree const& tree, Tree const& adjoint, Tape& tape) {
  tree::zip(
      [&](auto const& leaf, auto const& share) {
        if (leaf.sizes() != share.sizes())
          throw ShapeError("tenon::vjp: the adjoint of a value is of another size");
        seed(leaf, share, tape);
      },
      tree, adjoint);
}

/// An adjoint as a tree of the argument's type.
template <class A, class X>
A as_adjoint_of(A const&, X const& adjoint) {
  if constexpr (TensorType<A>) return A(adjoint);
  else return adjoint;
}

}  // namespace tenon

// ---- tenon/eval/graph/leaves.hpp

/// Trees in a graph, and their gradients.
namespace tenon::graph {

/// Complex leaves have no gradient yet: they pass as they are.
template <class E>
concept RealTensor = std::floating_point<typename E::value_type>;

/// A copy of a tree whose learned leaves are leaves of the graph.
template <class Tree>
[[gnu::cold]] Tree tracked(Tree tree) {
  tree::for_each(
      []<class E>(E& leaf) {
        if constexpr (RealTensor<E>) {
          Id const own = values().as_leaf(id_of(leaf));
          leaf.set_mark({Graph::current->serial, own.number});
        }
      },
      tree);
  return tree;
}

template <class Tree>
[[gnu::cold]] std::vector<Id> ids_of(Tree const& tree) {
  std::vector<Id> ids;
  tree::for_each([&](auto const& leaf) { ids.push_back(id_of(leaf)); }, tree);
  return ids;
}

/// The adjoints of `leaves` from those of `values`, trees in the graph.
template <class Values, class Tree>
[[gnu::cold]] Tree gradients(Values const& values, Values const& adjoint, Tree leaves) {
  std::vector<Id> const results = ids_of(values), inputs = ids_of(leaves);
  std::vector<Id> const shares = ids_of(adjoint);
  Reverse adjoints(results, inputs);
  for (std::size_t i = 0; i < results.size(); ++i) adjoints.add(results[i], shares[i]);
  adjoints.pull();
  std::size_t next = 0;
  tree::for_each(
      [&]<class E>(E& leaf) {
        Id const* const sum = adjoints.of(inputs[next++]);
        leaf = sum ? tensor_of<E>(*sum, leaf.sizes()) : repeated<E>(0, leaf.sizes());
      },
      leaves);
  return leaves;
}

}  // namespace tenon::graph

// ---- tenon/eval/graph/scope.hpp

namespace tenon::graph {

/// Adds an adjoint of a graph to that of a value of the tape.
template <class T>
void add_to_tape(Elements const& adjoint, Tape& tape, TapeMark mark) {
  std::int64_t const count = adjoint.extent.count();
  T* const to = reinterpret_cast<T*>(tape.gradient_of(mark, count, sizeof(T)));
  for (std::int64_t i = 0; i < count; ++i) to[i] += adjoint.memory.as<T>()[i];
}

/// What the tape around keeps of a graph: the values that came out of it.
template <class Nothing>
struct LinkStepOf {
  struct Result {
    Id id;
    TapeMark mark{};
  };
  std::shared_ptr<Values> graph;
  std::vector<Result> results{};

  [[gnu::cold]] void operator()(Tape& tape, std::byte const*) const {
    Graph* const before = std::exchange(Graph::current, graph.get());
    std::vector<Id> from, to;
    for (Result const& result : results) from.push_back(result.id);
    for (Around const& leaf : graph->leaves_around) to.push_back(leaf.id);
    Reverse adjoints(from, to);
    for (Result const& result : results) {
      if (tape.has_gradient(result.mark)) adjoints.add(result.id, adjoint_of(result, tape));
    }
    adjoints.pull();
    for (Around const& leaf : graph->leaves_around) {
      if (Id const* const sum = adjoints.of(leaf.id))
        add(graph->elements_of(*sum), tape, leaf.mark);
    }
    Graph::current = before;
  }

 private:
  /// What the tape has for a result.
  static Id adjoint_of(Result const& result, Tape& tape) {
    Value const& value = values()[result.id];
    return values().constant({value.element, value.extent, tape.take_gradient(result.mark)});
  }
  static void add(Elements const& adjoint, Tape& tape, TapeMark mark) {
    if (adjoint.element.is_float) add_to_tape<float>(adjoint, tape, mark);
    else add_to_tape<double>(adjoint, tape, mark);
  }
};

/// Makes a graph, unless one is being made already.
template <class Nothing>
class ScopeOf {
  using LinkStep = LinkStepOf<Nothing>;

 public:
  ScopeOf() {
    if (is_open()) return;
    graph_ = std::make_shared<Values>();
    before_ = std::exchange(Graph::current, graph_.get());
    around_ = std::exchange(recording_around, recording);
    recording_ = std::exchange(recording, graph_->serial);
  }
  ScopeOf(ScopeOf const&) = delete;
  ScopeOf& operator=(ScopeOf const&) = delete;
  ~ScopeOf() { close(); }

  /// Ends the graph that was made. Trees that leave it belong to the tape around, or are constants.
  template <class... Trees>
  [[gnu::cold]] void leave(Trees&... trees) {
    if (graph_ == nullptr) return;
    LinkStep link{graph_};
    close();
    Tape* const tape = link.graph->leaves_around.empty() ? nullptr : Tape::current();
    auto const mark = [&](auto& leaf) { leaf.set_mark(mark_outside(leaf.mark(), link, tape)); };
    (tree::for_each(mark, trees), ...);
    if (tape != nullptr) tape->record_joint(std::move(link));
  }

 private:
  void close() {
    if (graph_ == nullptr) return;
    Graph::current = before_;
    recording_around = around_;
    recording = recording_;
    graph_ = nullptr;
  }

  /// The mark outside of what had this one inside.
  static TapeMark mark_outside(TapeMark inside, LinkStep& link, Tape* tape) {
    if (tape == nullptr || inside.tape != link.graph->serial) return {};
    TapeMark const mark = tape->new_slot();
    link.results.push_back({{inside.slot}, mark});
    return mark;
  }

  std::shared_ptr<Values> graph_;
  Graph* before_ = nullptr;
  std::uint32_t around_ = 0, recording_ = 0;
};

using Scope = ScopeOf<void>;

}  // namespace tenon::graph

// ---- tenon/autodiff/differentiate.hpp

namespace tenon {

/// Has a tree anything of which there is a gradient?
template <class Tree>
concept Learns = tree::reaches<tree::Learned, Tree>();

/// The value of `f(leaves)` and the gradient with respect to the leaves, once their adjoint comes
/// from `adjoint_of(value)`. Alone it is recorded on a tape; inside another recording, where its
/// gradient may be differentiated again, in a graph.
template <class F, class Tree, class Adjoint>
auto differentiated(F const& f, Tree const& at, Adjoint const& adjoint_of) {
  if (recording != 0) {
    graph::Scope scope;
    Tree const leaves = graph::tracked(at);
    auto value = as_value(f(leaves));
    Tree gradient = graph::gradients(value, adjoint_of(value), leaves);
    scope.leave(value, gradient);
    return std::pair(std::move(value), std::move(gradient));
  }
  Tape tape;
  Tree const leaves = tracked(at, tape);
  auto const value = as_value(f(leaves));
  seed_leaves(value, adjoint_of(value), tape);
  tape.backward();
  return std::pair(unmarked_leaves(value), gradients_of(leaves, tape));
}

}  // namespace tenon

// ---- tenon/eval/graph/custom.hpp

namespace tenon::graph {

/// One of several results of a function with a backward of its own: its adjoint is a part of the
/// function's.
struct PartRule : Rule {
  std::size_t part;
  explicit PartRule(std::size_t p) : part(p) {}
  [[gnu::cold]] void pull(Id self, std::span<Id const> x, Adjoints& adjoints) const override {
    adjoints.add(x[0], *adjoints.of(self), part);
  }
};

/// The backward of a function as its user wrote it, on tensors: what it computes is in the graph.
template <class Backward, class Y, class... A>
struct CustomRule : Rule {
  Backward backward;
  std::tuple<A...> arguments;
  Y value{};

  CustomRule(Backward const& b, A const&... x) : backward(b), arguments(x...) {}

  [[gnu::cold]] void pull(Id self, std::span<Id const>, Adjoints& adjoints) const override {
    std::size_t part = 0;
    Y const adjoint = tree::map(
        [&](auto const& leaf) {
          using E = std::remove_cvref_t<decltype(leaf)>;
          Id const* const found = adjoints.of(self, part++);
          return found ? tensor_of<E>(*found, leaf.sizes()) : repeated<E>(0, leaf.sizes());
        },
        value);
    std::apply([&](A const&... x) { pull(backward(adjoint, value, x...), adjoints, x...); },
               arguments);
  }

 private:
  template <class Shares>
  static void pull(Shares const& shares, Adjoints& adjoints, A const&... x) {
    if constexpr (sizeof...(A) == 1) (add(x, shares, adjoints), ...);
    else {
      [&]<std::size_t... k>(std::index_sequence<k...>) {
        (add(x, std::get<k>(shares), adjoints), ...);
      }(std::index_sequence_for<A...>());
    }
  }

  template <class Argument, class Share>
  static void add(Argument const& argument, Share const& share, Adjoints& adjoints) {
    tree::zip(
        [&](auto const& leaf, auto const& part) {
          if (leaf.mark().tape == Graph::current->serial)
            adjoints.add({leaf.mark().slot}, id_of(part));
        },
        argument, as_adjoint_of(argument, share));
  }
};

/// A copy of a tree whose recorded leaves stand for values of the graph.
template <class Tree>
Tree entered(Tree const& tree) {
  return tree::map(
      [](auto leaf) {
        if (is_recorded(leaf.mark())) leaf.set_mark({Graph::current->serial, id_of(leaf).number});
        return leaf;
      },
      tree);
}

/// The value of a function with a backward of its own, computed already, in the graph.
template <class Backward, class Y, class... A>
Y custom(Backward const& backward, Y const& value, A const&... arguments) {
  using Own = CustomRule<Backward, Y, A...>;
  auto rule = std::make_unique<Own>(backward, entered(arguments)...);
  Own* const own = rule.get();
  std::vector<Id> inputs;
  auto const enter = [&](auto const& leaf) {
    if (is_recorded(leaf.mark())) inputs.push_back({leaf.mark().slot});
  };
  std::apply([&](A const&... x) { (tree::for_each(enter, x), ...); }, own->arguments);
  Id const whole = Graph::current->made({element_of<double>, {}, {}}, inputs, std::move(rule));
  std::size_t part = 0;
  own->value = tree::map(
      [&](auto const& leaf) {
        return tensor_of<std::remove_cvref_t<decltype(leaf)>>(Graph::current->made(
            elements_of(leaf), {&whole, 1}, std::make_unique<PartRule>(part++)));
      },
      value);
  return own->value;
}

}  // namespace tenon::graph

// ---- tenon/eval/custom.hpp

namespace tenon {

/// Nothing is recorded on this thread while it lives.
class Unrecorded {
 public:
  Unrecorded()
      : before_(std::exchange(recording, 0)),
        around_(std::exchange(recording_around, 0)),
        paused_(std::exchange(recording_paused, true)) {}
  Unrecorded(Unrecorded const&) = delete;
  Unrecorded& operator=(Unrecorded const&) = delete;
  ~Unrecorded() {
    recording = before_;
    recording_around = around_;
    recording_paused = paused_;
  }

 private:
  std::uint32_t before_, around_;
  bool paused_;
};

/// The value of a recipe; any other tree as it is.
template <class X>
constexpr auto as_value(X&& x) {
  if constexpr (Expression<X>) return eval(std::forward<X>(x));
  else return Unqualified<X>(std::forward<X>(x));
}

/// Does any learned leaf of any of the trees depend on what this thread records?
template <class... Tree>
bool any_recorded(Tree const&... trees) {
  bool found = false;
  auto const look = [&](auto const& leaf) { found = depends_on_recording(leaf) || found; };
  (tree::for_each(look, trees), ...);
  return found;
}

/// Has anything that was made of `tree` an adjoint?
template <class Tree>
bool has_adjoint(Tree const& tree, Tape& tape) {
  bool found = false;
  tree::for_each([&](auto const& leaf) { found = found || tape.has_gradient(leaf.mark()); }, tree);
  return found;
}

/// What the tape keeps of a function with a backward of its own.
template <class Backward, class Y, class... A>
struct CustomStep {
  Backward backward;
  Y value;
  std::tuple<A...> arguments;

  void operator()(Tape& tape, std::byte const*) const {
    if (!has_adjoint(value, tape)) return;
    auto const adjoint = gradients_of(value, tape);
    std::apply(
        [&](A const&... x) {
          auto const shares = backward(adjoint, unmarked_leaves(value), unmarked_leaves(x)...);
          if constexpr (sizeof...(A) == 1) (add(shares, x, tape), ...);
          else add_all(shares, std::index_sequence_for<A...>(), tape);
        },
        arguments);
  }

 private:
  template <class X, class Argument>
  static void add(X const& adjoint, Argument const& argument, Tape& tape) {
    seed_leaves(argument, as_adjoint_of(argument, adjoint), tape);
  }
  template <class Shares, std::size_t... k>
  void add_all(Shares const& shares, std::index_sequence<k...>, Tape& tape) const {
    (add(std::get<k>(shares), std::get<k>(arguments), tape), ...);
  }
};

/// A function whose backward is given, not derived.
template <class Forward, class Backward>
struct CustomVjp {
  Forward forward;
  Backward backward;

  template <class... X>
  auto operator()(X&&... x) const {
    return of_values(as_value(std::forward<X>(x))...);
  }

 private:
  template <class... A>
  auto of_values(A const&... arguments) const {
    bool const recorded = any_recorded(arguments...);
    auto value = computed(arguments...);
    if (!recorded) return value;
    if (graph::is_open()) return graph::custom(backward, value, arguments...);
    Tape& tape = *Tape::current();
    value = tree::map([&](auto leaf) { return leaf.set_mark(tape.new_slot()), leaf; }, value);
    using Step = CustomStep<Backward, decltype(value), A...>;
    tape.record_joint(Step{backward, value, {arguments...}});
    return value;
  }

  template <class... A>
  auto computed(A const&... arguments) const {
    Unrecorded const unrecorded;
    return as_value(forward(unmarked_leaves(arguments)...));
  }
};

/// A function with a backward of its own: `forward(x...)` gives y, and `backward(dy, y, x...)` the
/// adjoint of x, or a `std::tuple` of one for each argument. Arguments and y are tensors or trees;
/// what `forward` captures has to be constant: throws `Error` where it is recorded. What `backward`
/// says in Tenon's functions has derivatives again. JAX: `custom_vjp`. PyTorch:
/// `autograd.Function`.
template <class Forward, class Backward>
CustomVjp<Forward, Backward> custom_vjp(Forward forward, Backward backward) {
  return {std::move(forward), std::move(backward)};
}

}  // namespace tenon

// ---- tenon/autodiff/checkpoint.hpp

namespace tenon {

/// A function of which only the arguments are kept; what else its gradient needs is computed again.
template <class F>
struct Checkpointed {
  F f;

  template <class... X>
  auto operator()(X&&... x) const {
    return of_values(as_value(std::forward<X>(x))...);
  }

 private:
  template <class... A>
  auto of_values(A const&... arguments) const {
    auto const forward = [f = f](A const&... x) { return f(x...); };
    auto const backward = [f = f](auto const& adjoint, auto const&, A const&... x) {
      auto const again = [&](std::tuple<A...> const& leaves) { return std::apply(f, leaves); };
      auto const shares = differentiated(again, std::tuple<A...>(x...), [&](auto const&) {
                            return adjoint;
                          }).second;
      if constexpr (sizeof...(A) == 1) return std::get<0>(shares);
      else return shares;
    };
    return custom_vjp(forward, backward)(arguments...);
  }
};

/// The same function, which a recording remembers by its arguments alone: its backward runs it a
/// second time, so that memory is bought with time. What is to be learned comes as an argument, any
/// tree: `checkpoint([](Block const& block, auto const& x) { return block(x); })(block, x)`; throws
/// `Error` where something recorded is captured. JAX: `checkpoint`. PyTorch: `checkpoint`.
template <class F>
Checkpointed<F> checkpoint(F f) {
  return {std::move(f)};
}

}  // namespace tenon

// ---- tenon/autodiff/grad.hpp

namespace tenon {

struct ValueAndGradName {
  static constexpr std::string_view name = "value_and_grad";
};
struct GradName {
  static constexpr std::string_view name = "grad";
};

namespace error {

/// The function that is differentiated returns something that is no tensor.
template <Spec Operation>
struct is_not_a_tensor;

/// The argument has no floating tensor that a gradient could be of.
template <Spec Operation, class Argument>
struct nothing_is_learned;

}  // namespace error

/// The tensor that a loss evaluates to, or the name of a mistake: it must be a floating scalar.
template <class Name, class R>
constexpr auto loss_type() {
  if constexpr (!Expression<R>)
    return std::type_identity<error::is_not_a_tensor<spec_of_name<Name>>>{};
  else if constexpr (!ScalarShape<Unqualified<R>>)
    return std::type_identity<
        error::is_not_a_scalar<spec_of_name<Name>, spec_of<Unqualified<R>>>>{};
  else if constexpr (!std::floating_point<typename Unqualified<R>::value_type>)
    return std::type_identity<error::dtype_is_not_supported<
        spec_of_name<Name>, spec_of_dtype<typename Unqualified<R>::value_type>>>{};
  else return std::type_identity<TensorOf<R>>{};
}

/// The same for the function of an argument: that has to be a tree with something to learn.
template <class Name, class Tree, class R>
constexpr auto loss_type_at() {
  if constexpr (Learns<Tree> || !TensorType<typename decltype(loss_type<Name, R>())::type>)
    return loss_type<Name, R>();
  else return std::type_identity<error::nothing_is_learned<spec_of_name<Name>, Tree>>{};
}

template <class Name, class F, class Tree, class... Args>
using LossOf = typename decltype(loss_type_at<Name, std::remove_cvref_t<Tree>,
                                              std::invoke_result_t<F, Tree, Args...>>())::type;

/// A scalar function with its gradient; `Name` is what its mistakes call it.
template <class F, class Name>
struct ValueAndGrad {
  F f;

  template <class Tree, class... Args,
            TensorType Loss = LossOf<Name, F const&, Tree const&, Args const&...>>
  std::pair<Loss, Tree> operator()(Tree const& at, Args const&... args) const {
    auto const loss = [&](Tree const& leaves) -> Loss { return f(leaves, args...); };
    return differentiated(loss, at, [](Loss const&) { return Loss(typename Loss::value_type(1)); });
  }
  template <class Tree, class... Args,
            class Mistake = LossOf<Name, F const&, Tree const&, Args const&...>>
    requires(!TensorType<Mistake>)
  auto operator()(Tree const& at, Args const&... args) const -> Mistake;
};

/// The gradient alone.
template <class F>
struct Gradient {
  ValueAndGrad<F, GradName> f;

  template <class Tree, class... Args,
            TensorType Loss = LossOf<GradName, F const&, Tree const&, Args const&...>>
  Tree operator()(Tree const& at, Args const&... args) const {
    return f(at, args...).second;
  }
  template <class Tree, class... Args,
            class Mistake = LossOf<GradName, F const&, Tree const&, Args const&...>>
    requires(!TensorType<Mistake>)
  auto operator()(Tree const& at, Args const&... args) const -> Mistake;
};

/// The value of a scalar function and its gradient with respect to its first argument, any tree:
/// `auto [loss, grads] = value_and_grad(f)(model, args...)`. The gradient has the argument's type;
/// integers, numbers and `Frozen` fields pass through. Other arguments, and what f captures, are
/// constants. JAX: `value_and_grad`. PyTorch: `loss.backward()`.
template <class F>
ValueAndGrad<F, ValueAndGradName> value_and_grad(F f) {
  return {std::move(f)};
}

/// The gradient alone. JAX: `grad`.
template <class F>
Gradient<F> grad(F f) {
  return {{std::move(f)}};
}

/// What a recorded function hands back: its value, and the function that pulls an adjoint of that
/// value back to the argument. It can be called once.
template <class F, TensorType Value, class Tree>
struct Pullback {
  F f;
  Value value;
  Tree leaves;
  std::shared_ptr<Tape> tape;  ///< None inside another recording: there `f` runs anew.
  bool is_spent = false;

  /// The adjoint of the argument for the adjoint of the value. Throws `Error` the second time.
  Tree operator()(Value const& adjoint) {
    if (std::exchange(is_spent, true)) throw Error("tenon::vjp: the pullback was called before");
    if (tape == nullptr)
      return differentiated(f, leaves, [&](Value const&) { return adjoint; }).second;
    auto const once = std::exchange(tape, nullptr);
    seed_leaves(value, adjoint, *once);
    once->backward();
    return gradients_of(leaves, *once);
  }
};

/// The value of f and its pullback: `auto [y, pull] = vjp(f, x); auto dx = pull(dy)`. JAX: `vjp`.
template <class F, Learns Tree>
auto vjp(F const& f, Tree const& at) {
  using Value = TensorOf<decltype(f(at))>;
  if (recording != 0) {
    Value const value = eval(f(at));
    return std::pair(value, Pullback<F, Value, Tree>{f, value, at, nullptr});
  }
  auto tape = std::make_shared<Tape>();
  Tree const leaves = tracked(at, *tape);
  Value const value = eval(f(leaves));
  tape->stop();
  return std::pair(unmarked(value), Pullback<F, Value, Tree>{f, value, leaves, tape});
}

}  // namespace tenon

// ---- tenon/autodiff/jvp.hpp

namespace tenon {

/// Zeros that vary: what a derivative is linear in.
template <class Tree>
Tree varying_zeros(Tree const& like) {
  return graph::tracked(tree::map(
      [](auto const& leaf) {
        return graph::repeated<std::remove_cvref_t<decltype(leaf)>>(0, leaf.sizes());
      },
      like));
}

/// The value of f and its derivative along a tangent of its argument, any tree:
/// `auto [y, dy] = jvp(f, x, dx)`. The gradient is linear in the adjoint it starts from; its own
/// gradient with respect to that is the derivative (so every function that has a gradient has this
/// too). JAX: `jvp`. PyTorch: `torch.func.jvp`.
template <class F, Learns Tree>
auto jvp(F const& f, Tree const& at, Tree const& tangent) {
  graph::Scope scope;
  Tree const leaves = graph::tracked(at);
  auto value = as_value(f(leaves));
  auto const adjoint = varying_zeros(value);
  auto derivative = graph::gradients(graph::gradients(value, adjoint, leaves), tangent, adjoint);
  scope.leave(value, derivative);
  return std::pair(std::move(value), std::move(derivative));
}

/// The Hessian of a scalar function times a vector: how its gradient changes along `tangent`. Both
/// are trees of the argument's type. PyTorch: `torch.func.hvp`'s second result.
template <class F, Learns Tree>
Tree hvp(F const& f, Tree const& at, Tree const& tangent) {
  using Loss = TensorOf<decltype(f(at))>;
  graph::Scope scope;
  Tree const leaves = graph::tracked(at);
  Loss const value = eval(f(leaves));
  Tree const slope = graph::gradients(value, Loss(typename Loss::value_type(1)), leaves);
  Tree product = graph::gradients(slope, tangent, leaves);
  scope.leave(product);
  return product;
}

}  // namespace tenon

// ---- tenon/backend/cpu/matrix.hpp

namespace tenon {

/// A matrix somewhere in memory; strides count elements and may be zero or negative.
template <class T>
struct StridedMatrix {
  T* data = nullptr;
  std::int64_t row_stride = 0;
  std::int64_t column_stride = 0;

  constexpr T& operator()(std::int64_t row, std::int64_t column) const {
    return data[row * row_stride + column * column_stride];
  }
  constexpr StridedMatrix transposed() const { return {data, column_stride, row_stride}; }
};

/// sum + a b. Integers wrap around, as NumPy's do.
template <class T>
constexpr T multiply_add(T sum, T a, T b) {
  static_assert(!std::is_same_v<T, bool>, "tenon: a mask has no product");
  if constexpr (std::is_integral_v<T>) {
    using Wide = std::conditional_t<sizeof(T) <= 4, std::uint32_t, std::uint64_t>;
    return static_cast<T>(static_cast<Wide>(sum) + static_cast<Wide>(a) * static_cast<Wide>(b));
  } else {
    return sum + a * b;
  }
}

/// Sixteen elements as one value: a vector extension of g++ and clang, for this file's sums.
template <class T>
struct Sixteen {
  using Vector [[gnu::vector_size(16 * sizeof(T))]] = T;
  Vector elements{};

  void add_product(T const* a, T const* b) {
    Vector x, y;
    std::memcpy(&x, a, sizeof x);
    std::memcpy(&y, b, sizeof y);
    elements += x * y;
  }
};

/// The sum of a(p) b(p) over contiguous a and b: sixteen sums side by side, added at the end.
template <class T>
T sum_of_products(std::int64_t k, T const* a, T const* b) {
  T sum{};
  std::int64_t p = 0;
  if constexpr (std::is_floating_point_v<T>) {
    Sixteen<T> sums;
    for (; p + 16 <= k; p += 16) sums.add_product(a + p, b + p);
    for (int i = 0; i < 16; ++i) sum += sums.elements[i];
  }
  for (; p < k; ++p) sum = multiply_add(sum, a[p], b[p]);
  return sum;
}

/// One row of c += a b, by dot products: a and the columns of b are contiguous.
template <class T>
void add_row_of_dots(std::int64_t n, std::int64_t k, T const* a, StridedMatrix<T const> b, T* c,
                     std::int64_t c_stride) {
  for (std::int64_t j = 0; j < n; ++j) {
    T& sum = c[j * c_stride];
    sum = multiply_add(sum, T(1), sum_of_products(k, a, &b(0, j)));
  }
}

/// One row of c += a b for four rows of b: c is read and written once. All rows are contiguous.
template <class T>
void add_four_rows(std::int64_t n, T const* a, std::int64_t a_stride, T const* b,
                   std::int64_t b_stride, T* c) {
  T const f0 = a[0], f1 = a[a_stride], f2 = a[2 * a_stride], f3 = a[3 * a_stride];
  T const *b0 = b, *b1 = b0 + b_stride, *b2 = b1 + b_stride, *b3 = b2 + b_stride;
  for (std::int64_t j = 0; j < n; ++j) {
    T sum = multiply_add(c[j], f0, b0[j]);
    sum = multiply_add(sum, f1, b1[j]);
    sum = multiply_add(sum, f2, b2[j]);
    c[j] = multiply_add(sum, f3, b3[j]);
  }
}

/// One row of c += a b, row by row of b.
template <class T>
void add_row_of_rows(std::int64_t n, std::int64_t k, T const* a, std::int64_t a_stride,
                     StridedMatrix<T const> b, T* c, std::int64_t c_stride) {
  std::int64_t const fours = b.column_stride == 1 && c_stride == 1 ? k / 4 * 4 : 0;
  for (std::int64_t p = 0; p < fours; p += 4) {
    add_four_rows(n, a + p * a_stride, a_stride, &b(p, 0), b.row_stride, c);
  }
  for (std::int64_t p = fours; p < k; ++p) {
    T const factor = a[p * a_stride];
    T const* const row = &b(p, 0);
    for (std::int64_t j = 0; j < n; ++j) {
      T& sum = c[j * c_stride];
      sum = multiply_add(sum, factor, row[j * b.column_stride]);
    }
  }
}

/// c += a b, row by row.
template <class T>
void loop_rows(std::int64_t m, std::int64_t n, std::int64_t k, StridedMatrix<T const> a,
               StridedMatrix<T const> b, StridedMatrix<T> c) {
  bool const dots = a.column_stride == 1 && b.row_stride == 1;
  for (std::int64_t i = 0; i < m; ++i) {
    if (dots) {
      add_row_of_dots(n, k, &a(i, 0), b, &c(i, 0), c.column_stride);
    } else {
      add_row_of_rows(n, k, &a(i, 0), a.column_stride, b, &c(i, 0), c.column_stride);
    }
  }
}

/// c += a b by loops: for what is small, thin or has no kernel. Any strides. A column is a row of
/// the transposed product, also where it has one element only: its parts are summed alike.
template <class T>
void loop_product(std::int64_t m, std::int64_t n, std::int64_t k, StridedMatrix<T const> a,
                  StridedMatrix<T const> b, StridedMatrix<T> c) {
  if (n == 1) loop_rows(1, m, k, b.transposed(), a.transposed(), c.transposed());
  else loop_rows(m, n, k, a, b, c);
}

}  // namespace tenon

// ---- tenon/backend/cpu/lanes_generic.hpp

// g++ 12 warns of an uninitialised __Y inside its own avx512fintrin.h (GCC bug 105593).
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <xsimd/xsimd.hpp>
#pragma GCC diagnostic pop

namespace tenon {

/// One count for all dtypes, so that a loop may mix them: as many as there are floats in a
/// register.
inline constexpr int lane_count = static_cast<int>(xsimd::batch<float>::size);

}  // namespace tenon

/// Registers and what is done with them; of no interest above `Lanes`.
namespace tenon::simd {

template <class T>
using Batch = xsimd::batch<T>;
template <class T>
using Flags = xsimd::batch_bool<T>;

template <class T>
inline constexpr int width = static_cast<int>(Batch<T>::size);

/// The flags of one dtype as those of another of the same width; no instruction.
template <class To, class From>
[[gnu::always_inline]] inline Flags<To> recast(Flags<From> flags) {
  using Register = typename Flags<To>::register_type;
  return Flags<To>(
      std::bit_cast<Register>(static_cast<typename Flags<From>::register_type>(flags)));
}

/// What is done with registers, on any machine that xsimd knows. A machine that does better in some
/// point inherits the rest.
struct Generic {
  template <class T>
  static Batch<T> fma(Batch<T> x, Batch<T> y, Batch<T> z) {
    return xsimd::fma(x, y, z);
  }

  /// True where either is NaN. (xsimd 8.1's `!=` is false for NaN with AVX and AVX-512.)
  template <class T>
  static Flags<T> not_equal(Batch<T> a, Batch<T> b) {
    return ~(a == b);
  }

  using Word = std::uint32_t;
  static Batch<Word> multiply_high(Batch<Word> a, Batch<Word> b) {
    Word x[width<Word>], y[width<Word>];
    a.store_unaligned(x);
    b.store_unaligned(y);
    for (int i = 0; i < width<Word>; ++i) x[i] = word::multiply_high(x[i], y[i]);
    return Batch<Word>::load_unaligned(x);
  }

  template <class T>
  static Batch<T> select(Flags<T> flags, Batch<T> yes, Batch<T> no) {
    return xsimd::select(flags, yes, no);
  }

  /// NaN stays NaN.
  template <class T>
  static Batch<T> clamp(Batch<T> x, Batch<T> low, Batch<T> high) {
    return xsimd::select(x < low, low, xsimd::select(high < x, high, x));
  }

  /// The two orders of min differ in zeros and NaN only; `or` finds the -0 among zeros.
  template <class T>
  static Batch<T> minimum(Batch<T> a, Batch<T> b) {
    Batch<T> const smaller = xsimd::min(a, b) | xsimd::min(b, a);
    return xsimd::select((a == a) & (b == b), smaller, a + b);
  }
  template <class T>
  static Batch<T> maximum(Batch<T> a, Batch<T> b) {
    Batch<T> const larger = xsimd::max(a, b) & xsimd::max(b, a);
    return xsimd::select((a == a) & (b == b), larger, a + b);
  }

  /// 2^n for integers n within the normal range.
  template <class T>
  static Batch<T> power_of_two(Batch<T> n) {
    using L = word::Layout<T>;
    using Bits = Batch<typename L::Bits>;
    Batch<T> const magic = T(1) / std::numeric_limits<T>::epsilon() + T(L::bias);
    return xsimd::bitwise_cast<Batch<T>>(xsimd::bitwise_cast<Bits>(n + magic) << L::mantissa_bits);
  }
  template <class T>
  static Batch<T> scale(Batch<T> x, Batch<T> n) {
    Batch<T> const half = xsimd::floor(n * Batch<T>(T(0.5)));
    return (x * power_of_two(half)) * power_of_two(n - half);
  }

  template <class T>
  static Batch<T> made_normal(Batch<T> x) {
    T const factor = T(1) / std::numeric_limits<T>::epsilon();
    return xsimd::select(x < Batch<T>(word::Layout<T>::smallest_normal), x * Batch<T>(factor), x);
  }
  template <class T>
  static Batch<T> exponent(Batch<T> x) {
    using L = word::Layout<T>;
    using Bits = Batch<typename L::Bits>;
    T const magic = T(1) / std::numeric_limits<T>::epsilon();
    Bits const biased = xsimd::bitwise_cast<Bits>(made_normal(x)) >> L::mantissa_bits;
    Batch<T> const e = xsimd::bitwise_cast<Batch<T>>(biased | Bits(word::bits(magic))) - magic;
    Batch<T> const small = T(L::bias + L::mantissa_bits), large = T(L::bias);
    return e - xsimd::select(x < Batch<T>(L::smallest_normal), small, large);
  }
  template <class T>
  static Batch<T> mantissa(Batch<T> x) {
    using L = word::Layout<T>;
    using Bits = Batch<typename L::Bits>;
    Bits const fraction = xsimd::bitwise_cast<Bits>(made_normal(x)) & Bits(L::fraction);
    return xsimd::bitwise_cast<Batch<T>>(fraction | Bits(L::one));
  }

  /// The lane i of the result is lane i ^ step.
  template <int step, class T>
  static Batch<T> exchanged(Batch<T> x) {
    T from[width<T>], to[width<T>];
    x.store_unaligned(from);
    for (int i = 0; i < width<T>; ++i) to[i] = from[i ^ step];
    return Batch<T>::load_unaligned(to);
  }

  /// `count` elements, the remaining lanes are `last`.
  template <class T>
  static Batch<T> load(T const* from, int count, T last) {
    T buffer[width<T>];
    for (int i = 0; i < width<T>; ++i) buffer[i] = i < count ? from[i] : last;
    return Batch<T>::load_unaligned(buffer);
  }
  template <class T>
  static void store(Batch<T> x, T* to, int count) {
    T buffer[width<T>];
    x.store_unaligned(buffer);
    for (int i = 0; i < width<T> && i < count; ++i) to[i] = buffer[i];
  }

  /// Has the machine stores that leave the caches alone?
  static constexpr bool stores_past_caches = false;
  static void finish_past_caches() {}

  /// True in the first `count` lanes.
  static Flags<float> first_flags(int count) {
    float index[lane_count];
    for (int i = 0; i < lane_count; ++i) index[i] = static_cast<float>(i);
    return Batch<float>::load_unaligned(index) < Batch<float>(static_cast<float>(count));
  }
  static Flags<float> load(bool const* from) { return Flags<float>::load_unaligned(from); }
  static void store(Flags<float> flags, bool* to) { flags.store_unaligned(to); }

  /// Of the flags of all lanes those that part `p` of a dtype of twice the width covers.
  template <class T>
  static Flags<T> part(Flags<float> flags, int p) {
    bool buffer[lane_count];
    flags.store_unaligned(buffer);
    return Flags<T>::load_unaligned(buffer + p * width<T>);
  }
  /// The flags of all lanes from those of the two parts of a dtype of twice the width.
  template <class T>
  static Flags<float> joined(Flags<T> low, Flags<T> high) {
    bool buffer[lane_count];
    low.store_unaligned(buffer);
    high.store_unaligned(buffer + width<T>);
    return Flags<float>::load_unaligned(buffer);
  }

  /// The two halves as doubles.
  static void widened(Batch<float> x, Batch<double> (&to)[2]) {
    float buffer[lane_count];
    double wide[lane_count];
    x.store_unaligned(buffer);
    for (int i = 0; i < lane_count; ++i) wide[i] = buffer[i];
    for (int p = 0; p < 2; ++p) to[p] = Batch<double>::load_unaligned(wide + p * width<double>);
  }
  static Batch<float> narrowed(Batch<double> low, Batch<double> high) {
    double buffer[lane_count];
    float narrow[lane_count];
    low.store_unaligned(buffer);
    high.store_unaligned(buffer + width<double>);
    for (int i = 0; i < lane_count; ++i) narrow[i] = static_cast<float>(buffer[i]);
    return Batch<float>::load_unaligned(narrow);
  }
};

}  // namespace tenon::simd

// ---- tenon/backend/cpu/lanes_avx2.hpp

#if defined(__AVX2__) && !defined(__AVX512F__)

namespace tenon::simd {

/// AVX2: a mask is a register of all-ones and zeros; one of doubles is twice as wide.
struct Avx2 : Generic {
  using Generic::load;
  using Generic::not_equal;
  using Generic::store;

  template <class T>
  static __m256i bits(Batch<T> x) {
    return std::bit_cast<__m256i>(static_cast<typename Batch<T>::register_type>(x));
  }
  template <class T>
  static Batch<T> from_bits(__m256i x) {
    return Batch<T>(std::bit_cast<typename Batch<T>::register_type>(x));
  }
  template <class T>
  static Flags<T> flags(__m256i x) {
    return Flags<T>(std::bit_cast<typename Flags<T>::register_type>(x));
  }
  template <class T>
  static __m256i flag_bits(Flags<T> x) {
    return std::bit_cast<__m256i>(static_cast<typename Flags<T>::register_type>(x));
  }

  static Flags<float> not_equal(Batch<float> a, Batch<float> b) {
    return Flags<float>(_mm256_cmp_ps(a, b, _CMP_NEQ_UQ));
  }
  static Flags<double> not_equal(Batch<double> a, Batch<double> b) {
    return Flags<double>(_mm256_cmp_pd(a, b, _CMP_NEQ_UQ));
  }

  static Batch<float> clamp(Batch<float> x, Batch<float> low, Batch<float> high) {
    return Batch<float>(_mm256_min_ps(high, _mm256_max_ps(low, x)));  // of NaN they give the second
  }
  static Batch<double> clamp(Batch<double> x, Batch<double> low, Batch<double> high) {
    return Batch<double>(_mm256_min_pd(high, _mm256_max_pd(low, x)));
  }

  static Batch<Word> multiply_high(Batch<Word> a, Batch<Word> b) {
    __m256i const even = _mm256_srli_epi64(_mm256_mul_epu32(a, b), 32);
    __m256i const odd = _mm256_mul_epu32(_mm256_srli_epi64(a, 32), _mm256_srli_epi64(b, 32));
    return Batch<Word>(_mm256_blend_epi32(even, odd, 0xAA));
  }

  template <int step, class T>
  static Batch<T> exchanged(Batch<T> x) {
    constexpr int bytes = step * static_cast<int>(sizeof(T));
    __m256i const b = bits(x);
    if constexpr (bytes == 16) return from_bits<T>(_mm256_permute2x128_si256(b, b, 1));
    if constexpr (bytes == 8) return from_bits<T>(_mm256_shuffle_epi32(b, 0b01001110));
    if constexpr (bytes == 4) return from_bits<T>(_mm256_shuffle_epi32(b, 0b10110001));
  }

  static constexpr bool stores_past_caches = true;
  template <class T>
  static void store_past_caches(Batch<T> x, T* to) {
    _mm256_stream_si256(reinterpret_cast<__m256i*>(to), bits(x));
  }
  static void finish_past_caches() { _mm_sfence(); }

  static Flags<float> load(bool const* from) {
    __m256i const wide =
        _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<__m128i const*>(from)));
    return flags<float>(_mm256_cmpgt_epi32(wide, _mm256_setzero_si256()));
  }
  static void store(Flags<float> mask, bool* to) {
    __m256i const ones = _mm256_srli_epi32(flag_bits(mask), 31);
    __m128i const low = _mm256_castsi256_si128(ones), high = _mm256_extracti128_si256(ones, 1);
    __m128i const words = _mm_packs_epi32(low, high);
    _mm_storel_epi64(reinterpret_cast<__m128i*>(to), _mm_packs_epi16(words, words));
  }
  template <class T>
  static Flags<T> part(Flags<float> mask, int p) {
    __m256i const b = flag_bits(mask);
    __m128i const half = p == 0 ? _mm256_castsi256_si128(b) : _mm256_extracti128_si256(b, 1);
    return flags<T>(_mm256_cvtepi32_epi64(half));
  }
  template <class T>
  static Flags<float> joined(Flags<T> low, Flags<T> high) {
    __m256 const a = _mm256_castsi256_ps(flag_bits(low)), b = _mm256_castsi256_ps(flag_bits(high));
    __m256d const even = _mm256_castps_pd(_mm256_shuffle_ps(a, b, 0b10001000));
    return Flags<float>(_mm256_castpd_ps(_mm256_permute4x64_pd(even, 0b11011000)));
  }

  static void widened(Batch<float> x, Batch<double> (&to)[2]) {
    to[0] = Batch<double>(_mm256_cvtps_pd(_mm256_castps256_ps128(x)));
    to[1] = Batch<double>(_mm256_cvtps_pd(_mm256_extractf128_ps(x, 1)));
  }
  static Batch<float> narrowed(Batch<double> low, Batch<double> high) {
    return Batch<float>(_mm256_set_m128(_mm256_cvtpd_ps(high), _mm256_cvtpd_ps(low)));
  }
};

}  // namespace tenon::simd

#endif

// ---- tenon/backend/cpu/lanes_avx512.hpp

#ifdef __AVX512F__

namespace tenon::simd {

/// AVX-512: masks are integers, and there are instructions for most words. (xsimd 8.1 has no fma
/// for it: it multiplies and adds.)
struct Avx512 : Generic {
  static Batch<float> fma(Batch<float> x, Batch<float> y, Batch<float> z) {
    return Batch<float>(_mm512_fmadd_ps(x, y, z));
  }
  static Batch<double> fma(Batch<double> x, Batch<double> y, Batch<double> z) {
    return Batch<double>(_mm512_fmadd_pd(x, y, z));
  }

  using Generic::not_equal;
  static Flags<float> not_equal(Batch<float> a, Batch<float> b) {
    return Flags<float>(_mm512_cmp_ps_mask(a, b, _CMP_NEQ_UQ));
  }
  static Flags<double> not_equal(Batch<double> a, Batch<double> b) {
    return Flags<double>(_mm512_cmp_pd_mask(a, b, _CMP_NEQ_UQ));
  }

  static Batch<float> scale(Batch<float> x, Batch<float> n) {
    return Batch<float>(_mm512_scalef_ps(x, n));
  }
  static Batch<double> scale(Batch<double> x, Batch<double> n) {
    return Batch<double>(_mm512_scalef_pd(x, n));
  }
  static Batch<float> exponent(Batch<float> x) { return Batch<float>(_mm512_getexp_ps(x)); }
  static Batch<double> exponent(Batch<double> x) { return Batch<double>(_mm512_getexp_pd(x)); }
  static Batch<float> mantissa(Batch<float> x) {
    return Batch<float>(_mm512_getmant_ps(x, _MM_MANT_NORM_1_2, _MM_MANT_SIGN_zero));
  }
  static Batch<double> mantissa(Batch<double> x) {
    return Batch<double>(_mm512_getmant_pd(x, _MM_MANT_NORM_1_2, _MM_MANT_SIGN_zero));
  }

#ifdef __AVX512DQ__  // `range` orders the zeros, but prefers a number to NaN
  static Batch<float> maximum(Batch<float> a, Batch<float> b) {
    __mmask16 const nan = _mm512_cmp_ps_mask(a, b, _CMP_UNORD_Q);
    return Batch<float>(_mm512_mask_add_ps(_mm512_range_ps(a, b, 0b0101), nan, a, b));
  }
  static Batch<float> minimum(Batch<float> a, Batch<float> b) {
    __mmask16 const nan = _mm512_cmp_ps_mask(a, b, _CMP_UNORD_Q);
    return Batch<float>(_mm512_mask_add_ps(_mm512_range_ps(a, b, 0b0100), nan, a, b));
  }
  static Batch<double> maximum(Batch<double> a, Batch<double> b) {
    __mmask8 const nan = _mm512_cmp_pd_mask(a, b, _CMP_UNORD_Q);
    return Batch<double>(_mm512_mask_add_pd(_mm512_range_pd(a, b, 0b0101), nan, a, b));
  }
  static Batch<double> minimum(Batch<double> a, Batch<double> b) {
    __mmask8 const nan = _mm512_cmp_pd_mask(a, b, _CMP_UNORD_Q);
    return Batch<double>(_mm512_mask_add_pd(_mm512_range_pd(a, b, 0b0100), nan, a, b));
  }
#endif

  template <class T>
  static __m512i bits(Batch<T> x) {
    return std::bit_cast<__m512i>(static_cast<typename Batch<T>::register_type>(x));
  }
  template <class T>
  static Batch<T> from_bits(__m512i x) {
    return Batch<T>(std::bit_cast<typename Batch<T>::register_type>(x));
  }

  /// (xsimd 8.1's for integers does not compile with g++ -O0, where intrinsics are macros.)
  template <class T>
  static Batch<T> select(Flags<T> flags, Batch<T> yes, Batch<T> no) {
    if constexpr (sizeof(T) == 4)
      return from_bits<T>(
          _mm512_mask_blend_epi32(static_cast<__mmask16>(flags), bits(no), bits(yes)));
    else
      return from_bits<T>(
          _mm512_mask_blend_epi64(static_cast<__mmask8>(flags), bits(no), bits(yes)));
  }

  static Batch<float> clamp(Batch<float> x, Batch<float> low, Batch<float> high) {
    return Batch<float>(_mm512_min_ps(high, _mm512_max_ps(low, x)));  // of NaN they give the second
  }
  static Batch<double> clamp(Batch<double> x, Batch<double> low, Batch<double> high) {
    return Batch<double>(_mm512_min_pd(high, _mm512_max_pd(low, x)));
  }

  static Batch<Word> multiply_high(Batch<Word> a, Batch<Word> b) {
    __m512i const even = _mm512_srli_epi64(_mm512_mul_epu32(a, b), 32);
    __m512i const odd = _mm512_mul_epu32(_mm512_srli_epi64(a, 32), _mm512_srli_epi64(b, 32));
    return Batch<Word>(_mm512_mask_mov_epi32(even, 0xAAAA, odd));
  }

  template <int step, class T>
  static Batch<T> exchanged(Batch<T> x) {
    constexpr int bytes = step * static_cast<int>(sizeof(T));
    constexpr int swapped = 0b01001110, neighbours = 0b10110001;
    __m512i const b = bits(x);
    if constexpr (bytes == 32) return from_bits<T>(_mm512_shuffle_i64x2(b, b, swapped));
    if constexpr (bytes == 16) return from_bits<T>(_mm512_shuffle_i64x2(b, b, neighbours));
    if constexpr (bytes == 8) return from_bits<T>(_mm512_shuffle_epi32(b, _MM_PERM_BADC));
    if constexpr (bytes == 4) return from_bits<T>(_mm512_shuffle_epi32(b, _MM_PERM_CDAB));
  }

  static unsigned first(int count) {
    return (1u << (count < 0 ? 0 : count > 16 ? 16 : count)) - 1u;
  }
  template <class T>
  static Batch<T> load(T const* from, int count, T last) {
    __m512i const rest = bits(Batch<T>(last));
    auto const mask = first(count);
    if constexpr (sizeof(T) == 4)
      return from_bits<T>(_mm512_mask_loadu_epi32(rest, static_cast<__mmask16>(mask), from));
    else return from_bits<T>(_mm512_mask_loadu_epi64(rest, static_cast<__mmask8>(mask), from));
  }
  template <class T>
  static void store(Batch<T> x, T* to, int count) {
    auto const mask = first(count);
    if constexpr (sizeof(T) == 4)
      _mm512_mask_storeu_epi32(to, static_cast<__mmask16>(mask), bits(x));
    else _mm512_mask_storeu_epi64(to, static_cast<__mmask8>(mask), bits(x));
  }

  static constexpr bool stores_past_caches = true;
  template <class T>
  static void store_past_caches(Batch<T> x, T* to) {
    _mm512_stream_si512(reinterpret_cast<__m512i*>(to), bits(x));
  }
  static void finish_past_caches() { _mm_sfence(); }

  static Flags<float> first_flags(int count) {
    return Flags<float>(static_cast<__mmask16>(first(count)));
  }
  static Flags<float> load(bool const* from) {
    __m512i const wide =
        _mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<__m128i const*>(from)));
    return Flags<float>(_mm512_test_epi32_mask(wide, wide));
  }
  static void store(Flags<float> flags, bool* to) {
    __m128i const bytes = _mm512_cvtepi32_epi8(_mm512_maskz_set1_epi32(flags, 1));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), bytes);
  }
  template <class T>
  static Flags<T> part(Flags<float> flags, int p) {
    return Flags<T>(static_cast<__mmask8>(static_cast<__mmask16>(flags) >> (8 * p)));
  }
  template <class T>
  static Flags<float> joined(Flags<T> low, Flags<T> high) {
    unsigned const upper = static_cast<__mmask8>(high);
    return Flags<float>(static_cast<__mmask16>(static_cast<__mmask8>(low) | (upper << 8)));
  }

  static void widened(Batch<float> x, Batch<double> (&to)[2]) {
    __m512d const both = std::bit_cast<__m512d>(bits(x));
    to[0] = Batch<double>(_mm512_cvtps_pd(_mm512_castps512_ps256(x)));
    to[1] = Batch<double>(_mm512_cvtps_pd(_mm256_castpd_ps(_mm512_extractf64x4_pd(both, 1))));
  }
  static Batch<float> narrowed(Batch<double> low, Batch<double> high) {
    __m256d const upper = _mm256_castps_pd(_mm512_cvtpd_ps(high));
    __m512d const lower = _mm512_castpd256_pd512(_mm256_castps_pd(_mm512_cvtpd_ps(low)));
    return from_bits<float>(std::bit_cast<__m512i>(_mm512_insertf64x4(lower, upper, 1)));
  }
};

}  // namespace tenon::simd

#endif

// ---- tenon/backend/cpu/lanes_sse2.hpp

#if defined(__SSE2__) && !defined(__AVX__)

namespace tenon::simd {

/// SSE2, what every x86-64 has.
struct Sse2 : Generic {
  template <class T>
  static Batch<T> from_bits(__m128i x) {
    return Batch<T>(std::bit_cast<typename Batch<T>::register_type>(x));
  }
  template <class T>
  static __m128 flag_bits(Flags<T> x) {
    return std::bit_cast<__m128>(static_cast<typename Flags<T>::register_type>(x));
  }
  template <class T>
  static Flags<T> flags(__m128 x) {
    return Flags<T>(std::bit_cast<typename Flags<T>::register_type>(x));
  }

  static constexpr bool stores_past_caches = true;
  template <class T>
  static void store_past_caches(Batch<T> x, T* to) {
    _mm_stream_si128(reinterpret_cast<__m128i*>(to),
                     std::bit_cast<__m128i>(static_cast<typename Batch<T>::register_type>(x)));
  }
  static void finish_past_caches() { _mm_sfence(); }

  template <int step, class T>
  static Batch<T> exchanged(Batch<T> x) {
    constexpr int bytes = step * static_cast<int>(sizeof(T));
    auto const b = std::bit_cast<__m128i>(static_cast<typename Batch<T>::register_type>(x));
    if constexpr (bytes == 8) return from_bits<T>(_mm_shuffle_epi32(b, 0b01001110));
    if constexpr (bytes == 4) return from_bits<T>(_mm_shuffle_epi32(b, 0b10110001));
  }

  template <class T>
  static Flags<T> part(Flags<float> mask, int p) {
    __m128 const b = flag_bits(mask);
    return flags<T>(p == 0 ? _mm_unpacklo_ps(b, b) : _mm_unpackhi_ps(b, b));
  }
  template <class T>
  static Flags<float> joined(Flags<T> low, Flags<T> high) {
    return Flags<float>(_mm_shuffle_ps(flag_bits(low), flag_bits(high), 0b10001000));
  }

  static void widened(Batch<float> x, Batch<double> (&to)[2]) {
    to[0] = Batch<double>(_mm_cvtps_pd(x));
    to[1] = Batch<double>(_mm_cvtps_pd(_mm_movehl_ps(x, x)));
  }
  static Batch<float> narrowed(Batch<double> low, Batch<double> high) {
    return Batch<float>(_mm_movelh_ps(_mm_cvtpd_ps(low), _mm_cvtpd_ps(high)));
  }
};

}  // namespace tenon::simd

#endif

// ---- tenon/backend/cpu/lanes_machine.hpp

namespace tenon::simd {

/// The machine that is compiled for.
#if defined(__AVX512F__)
using Native = Avx512;
#elif defined(__AVX2__)
using Native = Avx2;
#elif defined(__SSE2__) && !defined(__AVX__)
using Native = Sse2;
#else
using Native = Generic;
#endif

}  // namespace tenon::simd

// ---- tenon/backend/cpu/product_tile.hpp

/// The innermost part of a product: a tile of the result that is held in registers.
namespace tenon::simd {

/// How large it is. Every step of a sum loads `vectors` registers of the right matrix and spreads
/// `rows` elements of the left for rows * vectors multiply-adds. With 32 registers of 512 bits that
/// is 8 x 3 sums, three of the right matrix and one that is spread: 11 loads for 24 multiply-adds.
/// It reaches 97 % of the machine's rate, as 14 x 2 does, and rows in powers of two leave nothing
/// over of the usual sizes. With 16 registers 4 x 3 need 7 loads for 12.
struct TileShape {
  static constexpr int rows = sizeof(Batch<float>) == 64 ? 8 : 4;
  static constexpr int vectors = 3;
  template <class T>
  static constexpr int columns = vectors * width<T>;
};

/// Where the matrices of a tile lie; strides count elements. The rows of b hold whole registers.
template <class T>
struct TilePlace {
  T const* a;
  std::int64_t a_row, a_column;
  T const* b;
  std::int64_t b_row;
  T* c;
  std::int64_t c_row;
};

/// The sums of a tile. Each is a chain of fused multiply-adds in the order of k, so that an element
/// has the same bits wherever it lies in a tile. (The left matrix is walked by two pointers: rows
/// 0 to 3 of either are reached by one register and an index, times 1 or 2.)
template <class T, int rows, int vectors>
[[gnu::always_inline]] inline void add_products(Batch<T> (&sum)[rows][vectors], std::int64_t k,
                                                TilePlace<T> const& at) {
  constexpr int half = (rows + 1) / 2;
  T const *low = at.a, *high = low + half * at.a_row, *b = at.b;
  for (std::int64_t p = 0; p < k; ++p) {
    Batch<T> right[vectors];
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) right[v] = Batch<T>::load_unaligned(b + v * width<T>);
#pragma GCC unroll 8
    for (int i = 0; i < rows; ++i) {
      Batch<T> const left(*(i < half ? low + i * at.a_row : high + (i - half) * at.a_row));
#pragma GCC unroll 8
      for (int v = 0; v < vectors; ++v) sum[i][v] = Native::fma(left, right[v], sum[i][v]);
    }
    low += at.a_column;
    high += at.a_column;
    b += at.b_row;
  }
}

/// What a tile is added to where it begins: so there is one loop, not one for either case.
template <class T>
alignas(64) inline constexpr T zeros[TileShape::columns<T>] = {};

/// c = a b, or c += a b.
template <int rows, int vectors, class T>
void tile_product(std::int64_t k, TilePlace<T> const& at, bool accumulate) {
  T const* const before = accumulate ? at.c : zeros<T>;
  std::int64_t const before_row = accumulate ? at.c_row : 0;
  Batch<T> sum[rows][vectors];
#pragma GCC unroll 8
  for (int i = 0; i < rows; ++i) {
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) sum[i][v] = Batch<T>(T(0));
  }
  add_products(sum, k, at);
#pragma GCC unroll 8
  for (int i = 0; i < rows; ++i) {
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) {
      auto const old = Batch<T>::load_unaligned(before + i * before_row + v * width<T>);
      (old + sum[i][v]).store_unaligned(at.c + i * at.c_row + v * width<T>);
    }
  }
}

}  // namespace tenon::simd

// ---- tenon/backend/cpu/transpose.hpp

namespace tenon::simd {

/// True in the lanes whose number has the bit `step`.
template <int step, class T>
[[gnu::always_inline]] inline Flags<T> odd_lanes() {
  T odd[width<T>];
  for (int i = 0; i < width<T>; ++i) odd[i] = (i & step) != 0 ? T(1) : T(0);
  return Native::not_equal(Batch<T>::load_unaligned(odd), Batch<T>(T(0)));
}

/// Transposes a square of as many registers as each has lanes: exchanges its quarters, then theirs.
template <class T, int step = width<T> / 2>
[[gnu::always_inline]] inline void transpose_registers(Batch<T> (&row)[width<T>]) {
  Flags<T> const odd = odd_lanes<step, T>();
#pragma GCC unroll 16
  for (int i = 0; i < width<T>; ++i) {
    if ((i & step) != 0) continue;
    Batch<T> const upper = row[i], lower = row[i + step];
    row[i] = Native::select(odd, Native::template exchanged<step>(lower), upper);
    row[i + step] = Native::select(odd, lower, Native::template exchanged<step>(upper));
  }
  if constexpr (step > 1) transpose_registers<T, step / 2>(row);
}

/// Writes the transposed of m x n elements, at most a square of registers; zeros for rows beyond m.
/// All of `from` but a part at its edges lies in whole registers.
template <class T>
void transpose_square(std::int64_t m, std::int64_t n, StridedMatrix<T const> from, T* to,
                      std::int64_t to_row) {
  Batch<T> row[width<T>];
  bool const unit = from.column_stride == 1;
#pragma GCC unroll 16
  for (int i = 0; i < width<T>; ++i) {
    if (i >= m) row[i] = Batch<T>(T(0));
    else if (unit && n == width<T>) row[i] = Batch<T>::load_unaligned(&from(i, 0));
    else {
      T part[width<T>] = {};
      for (std::int64_t j = 0; j < n; ++j) part[j] = from(i, j);
      row[i] = Batch<T>::load_unaligned(part);
    }
  }
  transpose_registers(row);
  for (std::int64_t j = 0; j < n; ++j) row[j].store_unaligned(to + j * to_row);
}

}  // namespace tenon::simd

// ---- tenon/backend/cpu/product_pack.hpp

/// Copies of what tiles read, laid out as they read it: no lines in between, and no strides that
/// meet in one set of the cache.
namespace tenon::simd {

/// A panel of `TileShape::rows` rows of the left matrix; rows that it has not are zero.
template <class T>
struct LeftPanel {
  static constexpr int rows = TileShape::rows;
  static constexpr std::int64_t elements(std::int64_t k) { return rows * (k + width<T>); }

  T const* data;
  std::int64_t row, column;

  /// A row-major matrix by its rows, another one column by column: the tile takes either.
  static LeftPanel pack(std::int64_t m, std::int64_t k, StridedMatrix<T const> from, T* to) {
    if (from.column_stride == 1) return pack_rows(m, k, from, to);
    for (std::int64_t p = 0; p < k; ++p, to += rows) {
      T const* const column = &from(0, p);
      if (from.row_stride == 1 && m == rows) std::memcpy(to, column, rows * sizeof(T));
      else
        for (int i = 0; i < rows; ++i) to[i] = i < m ? column[i * from.row_stride] : T(0);
    }
    return {to - k * rows, 1, rows};
  }

 private:
  static LeftPanel pack_rows(std::int64_t m, std::int64_t k, StridedMatrix<T const> from, T* to) {
    std::int64_t const length = k + width<T>;  // of a row: odd multiples of a register
    for (std::int64_t i = 0; i < m; ++i)
      std::memcpy(to + i * length, &from(i, 0), static_cast<std::size_t>(k) * sizeof(T));
    std::fill(to + m * length, to + rows * length, T(0));
    return {to, length, 1};
  }
};

/// Rows of the right matrix cut into panels of `TileShape::columns`, each k x columns; the columns
/// of the last one are filled up to whole registers with zeros.
template <class T>
struct RightPanels {
  static constexpr std::int64_t columns = TileShape::columns<T>;
  static constexpr std::int64_t whole(std::int64_t n) {
    return (n + width<T> - 1) / width<T> * width<T>;
  }
  static constexpr std::int64_t elements(std::int64_t n, std::int64_t k) { return whole(n) * k; }

  static void pack(std::int64_t n, std::int64_t k, StridedMatrix<T const> from, T* to) {
    for (std::int64_t j = 0; j < n; j += columns, to += columns * k) {
      std::int64_t const here = std::min(columns, n - j);
      StridedMatrix<T const> const part{&from(0, j), from.row_stride, from.column_stride};
      if (from.column_stride == 1) pack_rows(here, k, part, to);
      else pack_columns(here, k, part, to);
    }
  }

 private:
  static void pack_rows(std::int64_t n, std::int64_t k, StridedMatrix<T const> from, T* to) {
    std::int64_t const length = whole(n);
    for (std::int64_t p = 0; p < k; ++p, to += length) {
      for (std::int64_t j = 0; j < n; j += width<T>) {
        auto const count = static_cast<int>(n - j);
        (count >= width<T> ? Batch<T>::load_unaligned(&from(p, j))
                           : Native::load<T>(&from(p, j), count, T(0)))
            .store_unaligned(to + j);
      }
    }
  }

  static void pack_columns(std::int64_t n, std::int64_t k, StridedMatrix<T const> from, T* to) {
    std::int64_t const length = whole(n);
    for (std::int64_t j = 0; j < length; j += width<T>) {
      for (std::int64_t p = 0; p < k; p += width<T>) {
        auto const m = std::min<std::int64_t>(width<T>, n - j);
        auto const here = std::min<std::int64_t>(width<T>, k - p);
        StridedMatrix<T const> const part{&from(p, j), from.column_stride, from.row_stride};
        transpose_square(m, here, part, to + p * length + j, length);
      }
    }
  }
};

}  // namespace tenon::simd

// ---- tenon/backend/cpu/product_blocks.hpp

namespace tenon::simd {

/// How a product is cut for the caches: a block of `depth` x `columns` of the right matrix fills
/// half of a second-level cache, from where its panels stream past a panel of the left that stays
/// in the first. Fixed, not asked of the machine, so that sums are cut alike everywhere.
template <class T>
struct ProductBlocks {
  static constexpr std::int64_t depth = 384;
  static constexpr std::int64_t columns = TileShape::columns<T> * (sizeof(T) == 4 ? 8 : 7);
  static constexpr std::int64_t elements =
      RightPanels<T>::elements(columns, depth) + LeftPanel<T>::elements(depth);

  /// The depth cut into equal parts of at most `depth`.
  static constexpr std::int64_t equal_depth(std::int64_t k) {
    std::int64_t const parts = (k + depth - 1) / depth;
    return (k + parts - 1) / parts;
  }
};

/// c += (or =) the part of a tile that the result has.
template <class T>
void store_part(std::int64_t m, std::int64_t n, T const* from, StridedMatrix<T> c,
                bool accumulate) {
  for (std::int64_t i = 0; i < m; ++i, from += TileShape::columns<T>) {
    for (std::int64_t j = 0; j < n; j += width<T>) {
      auto const count = static_cast<int>(std::min<std::int64_t>(width<T>, n - j));
      Batch<T> const sum = Batch<T>::load_unaligned(from + j);
      Batch<T> const old = accumulate ? Native::load<T>(&c(i, j), count, T(0)) : Batch<T>(T(0));
      Native::store<T>(old + sum, &c(i, j), count);
    }
  }
}

template <int rows, class T>
void tile_of(std::int64_t n, std::int64_t k, TilePlace<T> const& at, bool accumulate) {
  if (n > 2 * width<T>) tile_product<rows, 3>(k, at, accumulate);
  else if (n > width<T>) tile_product<rows, 2>(k, at, accumulate);
  else tile_product<rows, 1>(k, at, accumulate);
}

/// One tile of at most `TileShape`, whole or not.
template <class T>
void any_tile(std::int64_t m, std::int64_t n, std::int64_t k, TilePlace<T> at, bool accumulate) {
  if (m == TileShape::rows && n % width<T> == 0)
    return tile_of<TileShape::rows>(n, k, at, accumulate);
  alignas(64) T part[TileShape::rows * TileShape::columns<T>];
  StridedMatrix<T> const c{at.c, at.c_row, 1};
  at.c = part;
  at.c_row = TileShape::columns<T>;
  tile_of<TileShape::rows>(n, k, at, false);
  store_part<T>(m, n, part, c, accumulate);
}

/// One block: a is m x k, b k x n with packed panels or, where `b_row` is not 0, as it is.
template <class T>
void block_product(std::int64_t m, std::int64_t n, std::int64_t k, StridedMatrix<T const> a,
                   T const* panels, StridedMatrix<T> c, bool accumulate, T* scratch) {
  constexpr std::int64_t rows = TileShape::rows, columns = TileShape::columns<T>;
  for (std::int64_t i = 0; i < m; i += rows) {
    std::int64_t const height = std::min(rows, m - i);
    StridedMatrix<T const> const part{&a(i, 0), a.row_stride, a.column_stride};
    auto const left = height == rows && n <= 2 * columns
                          ? LeftPanel<T>{part.data, a.row_stride, a.column_stride}
                          : LeftPanel<T>::pack(height, k, part, scratch);
    for (std::int64_t j = 0; j < n; j += columns) {
      std::int64_t const length = std::min(columns, n - j);
      TilePlace<T> const at{
          left.data, left.row,    left.column, panels + j * k, RightPanels<T>::whole(length),
          &c(i, j),  c.row_stride};
      any_tile(height, length, k, at, accumulate);
    }
  }
}

/// c = a b, or c += a b, on one thread; any strides of a and b. `scratch`: `elements` of T, 64-byte
/// aligned.
template <class T>
void blocked_product(std::int64_t m, std::int64_t n, std::int64_t k, StridedMatrix<T const> a,
                     StridedMatrix<T const> b, StridedMatrix<T> c, bool accumulate, T* scratch) {
  using Blocks = ProductBlocks<T>;
  std::int64_t const depth = Blocks::equal_depth(k);
  T* const left = scratch + RightPanels<T>::elements(Blocks::columns, Blocks::depth);
  for (std::int64_t j = 0; j < n; j += Blocks::columns) {
    std::int64_t const columns = std::min(Blocks::columns, n - j);
    for (std::int64_t p = 0; p < k; p += depth) {
      std::int64_t const here = std::min(depth, k - p);
      RightPanels<T>::pack(columns, here, {&b(p, j), b.row_stride, b.column_stride}, scratch);
      block_product<T>(m, columns, here, {&a(0, p), a.row_stride, a.column_stride}, scratch,
                       {&c(0, j), c.row_stride, 1}, accumulate || p > 0, left);
    }
  }
}

}  // namespace tenon::simd

// ---- tenon/backend/cpu/product.hpp

namespace tenon {

/// The dtypes that have a kernel; the others are multiplied by loops.
template <class T>
inline constexpr bool has_product_kernel = std::is_same_v<T, float> || std::is_same_v<T, double>;
template <class T>
inline constexpr bool has_product_kernel<std::complex<T>> = has_product_kernel<T>;

/// Bytes of working memory, 64-byte aligned, that `product` wants.
template <class T>
inline constexpr std::size_t product_scratch = 0;
template <std::floating_point T>
inline constexpr std::size_t product_scratch<T> = simd::ProductBlocks<T>::elements * sizeof(T);
template <class T>
inline constexpr std::size_t product_scratch<std::complex<T>> = product_scratch<T>;

/// Are loops faster than packing for a kernel? (Measured: up to 4 x 4 x 4, and vectors.)
template <class T>
constexpr bool takes_loops(std::int64_t m, std::int64_t n, std::int64_t k) {
  return !has_product_kernel<T> || m == 1 || n == 1 || m * n * k <= 4 * 4 * 4;
}

template <class T>
void set_zero(std::int64_t m, std::int64_t n, StridedMatrix<T> c) {
  for (std::int64_t i = 0; i < m; ++i) std::fill_n(&c(i, 0), n, T{});
}

/// A row-major copy of a complex matrix, or what it does to a row of real and imaginary parts: for
/// every element z the square {re z, im z; -im z, re z}.
template <class T, bool squares>
class RealParts {
 public:
  static constexpr std::int64_t height = squares ? 2 : 1;

  RealParts(std::int64_t rows, std::int64_t columns, StridedMatrix<std::complex<T> const> from)
      : buffer_(memory::bytes_of(std::array{height, rows, 2 * columns}, sizeof(T))),
        length_(2 * columns) {
    for (std::int64_t i = 0; i < rows; ++i) {
      T* const to = buffer_.as<T>() + height * i * length_;
      for (std::int64_t j = 0; j < columns; ++j) put(from(i, j), to + 2 * j);
    }
  }
  StridedMatrix<T const> matrix() const { return {buffer_.as<T const>(), length_, 1}; }

 private:
  void put(std::complex<T> z, T* to) const {
    to[0] = z.real();
    to[1] = z.imag();
    if constexpr (squares) {
      to[length_] = -z.imag();
      to[length_ + 1] = z.real();
    }
  }

  SharedBuffer buffer_;
  std::int64_t length_;
};

/// A complex product as a real one, of m x 2k and 2k x 2n: as many multiplications, and c lies as
/// it should.
template <class T>
void complex_product(std::int64_t m, std::int64_t n, std::int64_t k,
                     StridedMatrix<std::complex<T> const> a, StridedMatrix<std::complex<T> const> b,
                     StridedMatrix<std::complex<T>> c, bool accumulate, std::byte* scratch) {
  RealParts<T, false> const left(m, k, a);
  RealParts<T, true> const right(k, n, b);
  StridedMatrix<T> const result{reinterpret_cast<T*>(c.data), 2 * c.row_stride, 1};
  simd::blocked_product<T>(m, 2 * n, 2 * k, left.matrix(), right.matrix(), result, accumulate,
                           reinterpret_cast<T*>(scratch));
}

/// c = a b, or c += a b (`accumulate`), on one thread; a is m x k, b is k x n and c is m x n with
/// contiguous rows (`column_stride` 1); a and b have any strides (zero repeats a row or column).
/// Sums are those of the plain definition, in a fixed order: NaN and infinity arrive where they
/// should, and k = 0 gives zeros. `scratch`: `product_scratch<T>` bytes at a multiple of 64, or
/// null for loops: whoever cuts a product decides once for all its parts (`takes_loops`), so that
/// an element has the same bits wherever it stands.
template <class T>
void product(std::int64_t m, std::int64_t n, std::int64_t k, StridedMatrix<T const> a,
             StridedMatrix<T const> b, StridedMatrix<T> c, bool accumulate, std::byte* scratch) {
  if (m == 0 || n == 0) return;
  bool const loops = k == 0 || scratch == nullptr;
  if (loops && !accumulate) set_zero(m, n, c);
  if (k == 0) return;
  if (loops) return loop_product(m, n, k, a, b, c);
  if constexpr (std::is_floating_point_v<T>)
    simd::blocked_product(m, n, k, a, b, c, accumulate, reinterpret_cast<T*>(scratch));
  else if constexpr (has_product_kernel<T>) complex_product(m, n, k, a, b, c, accumulate, scratch);
}

/// The same, with working memory from the cache of blocks.
template <class T>
void product(std::int64_t m, std::int64_t n, std::int64_t k, StridedMatrix<T const> a,
             StridedMatrix<T const> b, StridedMatrix<T> c, bool accumulate = false) {
  if (takes_loops<T>(m, n, k)) return product(m, n, k, a, b, c, accumulate, nullptr);
  SharedBuffer const scratch(product_scratch<T>);
  product(m, n, k, a, b, c, accumulate, scratch.as<std::byte>());
}

}  // namespace tenon

// ---- tenon/tensor/workspace.hpp

/// Sizes that the compiler knows, beside those that only run time knows: one text of an algorithm
/// serves both, unrolled and without memory from the heap where the sizes are constants.
namespace tenon {

/// A number that the compiler knows; it converts to `std::int64_t`.
template <std::int64_t n>
using Known = std::integral_constant<std::int64_t, n>;

template <class N>
inline constexpr bool is_known = false;
template <std::int64_t n>
inline constexpr bool is_known<Known<n>> = true;

constexpr std::int64_t product_of(std::int64_t a, std::int64_t b) { return a * b; }
template <std::int64_t a, std::int64_t b>
constexpr Known<a * b> product_of(Known<a>, Known<b>) {
  return {};
}

constexpr std::int64_t sum_of(std::int64_t a, std::int64_t b) { return a + b; }
template <std::int64_t a, std::int64_t b>
constexpr Known<a + b> sum_of(Known<a>, Known<b>) {
  return {};
}

constexpr std::int64_t smaller(std::int64_t a, std::int64_t b) { return a < b ? a : b; }
template <std::int64_t a, std::int64_t b>
constexpr Known<(a < b ? a : b)> smaller(Known<a>, Known<b>) {
  return {};
}

/// Working memory, uninitialised: of a known size on the stack, else from the cache of blocks.
template <class T, class N = std::int64_t>
class Workspace {
 public:
  explicit Workspace(std::int64_t count) : buffer_(static_cast<std::size_t>(count) * sizeof(T)) {}
  T* data() const { return buffer_.as<T>(); }

 private:
  SharedBuffer buffer_;
};
template <class T, std::int64_t n>
class Workspace<T, Known<n>> {
 public:
  explicit Workspace(Known<n>) {}
  T* data() { return elements_; }

 private:
  T elements_[n > 0 ? n : 1];
};
template <class T, class N>
Workspace<T, N> workspace(N count) {
  return Workspace<T, N>(count);
}

}  // namespace tenon

// ---- tenon/backend/cpu/factor/rows.hpp

/// What factorisations do with rows that are contiguous.
namespace tenon::linalg {

/// Columns that are worked on before the rest is brought up to date by one product.
inline constexpr std::int64_t factor_panel = 64;

/// y += f x.
template <class T, class N>
void add_multiple(N n, T f, T const* x, T* y) {
  for (std::int64_t i = 0; i < n; ++i) y[i] += f * x[i];
}

template <class T, class N>
void scale_row(N n, T f, T* x) {
  for (std::int64_t i = 0; i < n; ++i) x[i] *= f;
}

template <class T, class N>
void swap_rows(N n, T* x, T* y) {
  for (std::int64_t i = 0; i < n; ++i) {
    T const kept = x[i];
    x[i] = y[i];
    y[i] = kept;
  }
}

/// (x, y) becomes (c x + s y, c y - s x).
template <class T, class N>
void rotate_rows(N n, T c, T s, T* x, T* y) {
  for (std::int64_t i = 0; i < n; ++i) {
    T const a = x[i], b = y[i];
    x[i] = c * a + s * b;
    y[i] = c * b - s * a;
  }
}

template <class T>
void negate(std::int64_t m, std::int64_t n, StridedMatrix<T> c) {
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t j = 0; j < n; ++j) c(i, j) = -c(i, j);
  }
}

/// c -= a b, by the kernel that adds.
template <class T>
void subtract_product(std::int64_t m, std::int64_t n, std::int64_t k, StridedMatrix<T const> a,
                      StridedMatrix<T const> b, StridedMatrix<T> c) {
  negate(m, n, c);
  product(m, n, k, a, b, c, true);
  negate(m, n, c);
}

/// to = fromᵀ, n x m of m x n.
template <class T, class M, class N>
void transpose_matrix(M m, N n, T const* from, T* to) {
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t j = 0; j < n; ++j) to[j * m + i] = from[i * n + j];
  }
}

template <class T, class M, class N>
void set_identity(M m, N n, T* to) {
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t j = 0; j < n; ++j) to[i * n + j] = i == j ? T(1) : T(0);
  }
}

/// A power of two that brings numbers so large or so small that their squares are none near 1, else
/// 1; 0 where one is not finite.
template <class T, class N>
T even_scale(N count, T const* x) {
  T largest = 0, sum = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    T const size = std::abs(x[i]);
    largest = size > largest ? size : largest;
    sum += x[i] * T(0);
  }
  if (!(sum == T(0))) return T(0);
  constexpr int most = std::numeric_limits<T>::max_exponent - 2, even = most / 4;
  int const exponent = largest == T(0) ? 0 : std::ilogb(largest);
  if (-even <= exponent && exponent <= even) return T(1);
  return std::ldexp(T(1), std::clamp(-exponent, -most, most));
}

template <class T, class N>
void fill_nan(N count, T* to) {
  for (std::int64_t i = 0; i < count; ++i) to[i] = std::numeric_limits<T>::quiet_NaN();
}

/// The root of a sum of squares, also where these vanish.
template <class T, class N>
T length(N n, T const* x) {
  T const sum = sum_of_products<T>(n, x, x);
  constexpr T least = std::numeric_limits<T>::min() / std::numeric_limits<T>::epsilon();
  if (sum > least) return std::sqrt(sum);
  T result = 0;
  for (std::int64_t i = 0; i < n; ++i) result = std::hypot(result, x[i]);
  return result;
}

/// The reflector I - tau v vᵀ that takes x to (beta, 0, ...); v, with v[0] = 1, takes x's place.
template <class T>
struct Reflector {
  T beta, tau;
};

/// As LAPACK's `larfg`: a vector that is (alpha, 0, ...) already keeps its sign.
template <class T, class N>
Reflector<T> make_reflector(N n, T* x) {
  T const alpha = x[0], tail = length(n - 1, x + 1);
  x[0] = T(1);
  if (tail == T(0)) return {alpha, T(0)};
  T const beta = -std::copysign(std::hypot(alpha, tail), alpha);
  scale_row(n - 1, T(1) / (alpha - beta), x + 1);
  return {beta, (beta - alpha) / beta};
}

/// A row of a matrix times a reflector.
template <class T, class N>
void reflect_row(N n, T tau, T const* v, T* row) {
  add_multiple(n, -tau * sum_of_products<T>(n, v, row), v, row);
}

}  // namespace tenon::linalg

// ---- tenon/backend/cpu/factor/cholesky.hpp

namespace tenon::linalg {

/// Columns `from` to `to` of the factor, given that what stands before them is subtracted already:
/// the first pivot that is not positive, or -1.
template <class T, class N, class Columns>
std::int64_t cholesky_panel(N n, T* a, std::int64_t from, Columns to) {
  for (std::int64_t j = from; j < to; ++j) {
    T* const row = a + j * n;
    T const square = row[j] - sum_of_products(j - from, row + from, row + from);
    if (!(square > T(0))) return j;
    T const pivot = row[j] = std::sqrt(square);
    for (std::int64_t i = j + 1; i < n; ++i) {
      T* const below = a + i * n;
      below[j] = (below[j] - sum_of_products(j - from, below + from, row + from)) / pivot;
    }
  }
  return -1;
}

/// Subtracts what columns `from` to `to` contribute to the rest, block of rows by block.
template <class T>
void cholesky_update(std::int64_t n, T* a, std::int64_t from, std::int64_t to) {
  for (std::int64_t i = to; i < n; i += factor_panel) {
    std::int64_t const rows = std::min(factor_panel, n - i);
    StridedMatrix<T const> const left{a + i * n + from, n, 1}, right{a + to * n + from, 1, n};
    subtract_product<T>(rows, i + rows - to, to - from, left, right, {a + i * n + to, n, 1});
  }
}

/// a = L Lᵀ in place, from the lower triangle; zeros above. The first pivot that is not positive
/// (or NaN), or -1.
template <class T, class N>
std::int64_t cholesky_in_place(N n, T* a) {
  std::int64_t bad = -1;
  if constexpr (is_known<N>) bad = cholesky_panel(n, a, 0, n);
  else {
    for (std::int64_t from = 0; from < n && bad < 0; from += factor_panel) {
      std::int64_t const to = std::min(n, from + factor_panel);
      bad = cholesky_panel(n, a, from, to);
      if (bad < 0) cholesky_update<T>(n, a, from, to);
    }
  }
  for (std::int64_t i = 0; i < n; ++i) std::fill_n(a + i * n + i + 1, n - i - 1, T(0));
  return bad;
}

}  // namespace tenon::linalg

// ---- tenon/backend/cpu/factor/eigh.hpp

namespace tenon::linalg {

/// a -= v wᵀ + w vᵀ of the last n rows and columns of a symmetric matrix, where w = tau (a v -
/// ...): the reflector of v from both sides. `a` points to the first of them, rows lie `stride`
/// apart.
template <class T>
void reflect_both_sides(std::int64_t n, std::int64_t stride, T tau, T const* v, T* w, T* a) {
  for (std::int64_t i = 0; i < n; ++i) w[i] = tau * sum_of_products(n, a + i * stride, v);
  add_multiple(n, -tau / 2 * sum_of_products(n, w, v), v, w);
  for (std::int64_t i = 0; i < n; ++i) {
    add_multiple(n, -v[i], w, a + i * stride);
    add_multiple(n, -w[i], v, a + i * stride);
  }
}

/// qᵀ a q is tridiagonal, with the diagonals d and e; row i of `a` keeps the reflector of step i.
template <class T, class N>
void tridiagonalise(N n, T* a, T* d, T* e, T* tau, T* w) {
  for (std::int64_t i = 0; i + 1 < n; ++i) {
    T* const v = a + i * n + i + 1;
    d[i] = a[i * n + i];
    auto const reflector = make_reflector(n - i - 1, v);
    e[i] = reflector.beta;
    tau[i] = reflector.tau;
    reflect_both_sides<T>(n - i - 1, n, reflector.tau, v, w, a + (i + 1) * n + i + 1);
  }
  if (n > 0) d[n - 1] = a[n * n - 1];
}

/// The product of the reflectors, transposed: its row i is column i of q.
template <class T, class N>
void tridiagonal_basis(N n, T const* a, T const* tau, T* q) {
  set_identity(n, n, q);
  for (std::int64_t i = n - 2; i >= 0; --i)
    for (std::int64_t r = i + 1; r < n; ++r)
      reflect_row(n - i - 1, tau[i], a + i * n + i + 1, q + r * n + i + 1);
}

/// One implicit QL step on rows `from` to `to` of a tridiagonal matrix; the rows of q turn along.
template <class T, class N>
void ql_step(N n, std::int64_t from, std::int64_t to, T* d, T* e, T* q) {
  T g = (d[from + 1] - d[from]) / (2 * e[from]);
  g = d[to] - d[from] + e[from] / (g + std::copysign(std::hypot(g, T(1)), g));
  T s = 1, c = 1, p = 0;
  for (std::int64_t i = to - 1; i >= from; --i) {
    T const f = s * e[i], b = c * e[i], r = std::hypot(f, g);
    e[i + 1] = r;
    if (r == T(0)) return d[i + 1] -= p, void(e[to] = 0);
    s = f / r;
    c = g / r;
    g = d[i + 1] - p;
    T const t = (d[i] - g) * s + 2 * c * b;
    p = s * t;
    d[i + 1] = g + p;
    g = c * t - b;
    rotate_rows(n, c, s, q + (i + 1) * n, q + i * n);
  }
  d[from] -= p;
  e[from] = g;
  e[to] = 0;
}

/// Diagonalises a tridiagonal matrix; false where it does not converge.
template <class T, class N>
bool ql_iterations(N n, T* d, T* e, T* q) {
  constexpr T epsilon = std::numeric_limits<T>::epsilon();
  for (std::int64_t from = 0; from < n; ++from) {
    for (int step = 0;; ++step) {
      std::int64_t to = from;
      while (to + 1 < n && std::abs(e[to]) > epsilon * (std::abs(d[to]) + std::abs(d[to + 1])))
        ++to;
      if (to == from) break;
      if (step == 60) return false;
      ql_step(n, from, to, d, e, q);
    }
  }
  return true;
}

/// Sorts rows by their keys, the smallest first.
template <class T, class N>
void sort_rows(N n, T* keys, T* rows) {
  for (std::int64_t i = 0; i < n; ++i) {
    std::int64_t const least = std::min_element(keys + i, keys + n) - keys;
    if (least == i) continue;
    std::swap(keys[i], keys[least]);
    swap_rows(n, rows + i * n, rows + least * n);
  }
}

/// a = v diag(values) vᵀ for symmetric a, which v takes the place of; values ascend. Reflectors to
/// a tridiagonal matrix, then implicit QL steps. False where it does not converge.
template <class T, class N>
bool symmetric_eigen(N n, T* a, T* values) {
  auto const count = product_of(n, n);
  auto rows = workspace<T>(count);
  auto e = workspace<T>(n), tau = workspace<T>(n), w = workspace<T>(n);
  T const scale = even_scale(count, a);
  if (scale == T(0)) return fill_nan(count, a), fill_nan(n, values), true;
  scale_row(count, scale, a);
  if (n > 0) e.data()[n - 1] = 0;
  tridiagonalise(n, a, values, e.data(), tau.data(), w.data());
  tridiagonal_basis(n, a, tau.data(), rows.data());
  bool const converges = ql_iterations(n, values, e.data(), rows.data());
  sort_rows(n, values, rows.data());
  transpose_matrix(n, n, rows.data(), a);
  for (std::int64_t i = 0; i < n; ++i) values[i] /= scale;
  return converges;
}

}  // namespace tenon::linalg

// ---- tenon/backend/cpu/factor/lu.hpp

namespace tenon::linalg {

/// The row with the largest element of a column, from the diagonal down; NaN counts as largest.
template <class T, class N>
std::int64_t pivot_row(N n, T const* a, std::int64_t column) {
  std::int64_t best = column;
  for (std::int64_t i = column + 1; i < n; ++i) {
    if (!(std::abs(a[i * n + column]) <= std::abs(a[best * n + column]))) best = i;
  }
  return best;
}

/// Columns `from` to `to` of the factors; whole rows change places. The first pivot that is zero,
/// or -1.
template <class T, class N, class Columns>
std::int64_t lu_panel(N n, T* a, std::int32_t* pivots, std::int64_t from, Columns to) {
  std::int64_t zero = -1;
  for (std::int64_t j = from; j < to; ++j) {
    std::int64_t const p = pivot_row(n, a, j);
    pivots[j] = static_cast<std::int32_t>(p);
    T* const row = a + j * n;
    if (p != j) swap_rows(n, row, a + p * n);
    if (row[j] == T(0) && zero < 0) zero = j;
    for (std::int64_t i = j + 1; i < n; ++i) {
      T* const below = a + i * n;
      if (row[j] != T(0)) below[j] /= row[j];  // else all below are zeros, too
      add_multiple(to - j - 1, -below[j], row + j + 1, below + j + 1);
    }
  }
  return zero;
}

/// Rows `from` to `to` of the upper factor, right of the panel, and what is left of the rest.
template <class T>
void lu_update(std::int64_t n, T* a, std::int64_t from, std::int64_t to) {
  for (std::int64_t i = from + 1; i < to; ++i) {
    for (std::int64_t j = from; j < i; ++j)
      add_multiple(n - to, -a[i * n + j], a + j * n + to, a + i * n + to);
  }
  subtract_product<T>(n - to, n - to, to - from, {a + to * n + from, n, 1},
                      {a + from * n + to, n, 1}, {a + to * n + to, n, 1});
}

/// P a = L U in place with partial pivoting; L has ones on its diagonal. `pivots[i]` is the row
/// that row i changed places with. The first pivot that is zero, or -1.
template <class T, class N>
std::int64_t lu_in_place(N n, T* a, std::int32_t* pivots) {
  if constexpr (is_known<N>) return lu_panel(n, a, pivots, 0, n);
  else {
    std::int64_t zero = -1;
    for (std::int64_t from = 0; from < n; from += factor_panel) {
      std::int64_t const to = std::min(n, from + factor_panel);
      std::int64_t const here = lu_panel(n, a, pivots, from, to);
      zero = zero < 0 ? here : zero;
      if (to < n) lu_update<T>(n, a, from, to);
    }
    return zero;
  }
}

/// b = L⁻¹ b for rows `from` to `to`, what stands before them done.
template <class T, class N, class K>
void solve_lower_rows(N n, K k, T const* lu, T* b, std::int64_t from, std::int64_t to) {
  for (std::int64_t i = from; i < to; ++i) {
    if (k == 1) b[i] -= sum_of_products(i - from, lu + i * n + from, b + from);
    else
      for (std::int64_t j = from; j < i; ++j) add_multiple(k, -lu[i * n + j], b + j * k, b + i * k);
  }
}

/// b = U⁻¹ b for rows `to` - 1 down to `from`, what stands behind them done.
template <class T, class N, class K>
void solve_upper_rows(N n, K k, T const* lu, T* b, std::int64_t from, std::int64_t to) {
  for (std::int64_t i = to - 1; i >= from; --i) {
    T const* const row = lu + i * n;
    if (k == 1) b[i] -= sum_of_products(to - i - 1, row + i + 1, b + i + 1);
    else
      for (std::int64_t j = i + 1; j < to; ++j) add_multiple(k, -row[j], b + j * k, b + i * k);
    for (std::int64_t c = 0; c < k; ++c) b[i * k + c] /= row[i];
  }
}

/// b = L⁻¹ b, then b = U⁻¹ b, panel by panel.
template <class T>
void solve_panels(std::int64_t n, std::int64_t k, T const* lu, T* b) {
  std::int64_t const panel = factor_panel, last = n == 0 ? -1 : (n - 1) / panel * panel;
  for (std::int64_t from = 0; from < n; from += panel) {
    std::int64_t const to = std::min(n, from + panel);
    if (from > 0)
      subtract_product<T>(to - from, k, from, {lu + from * n, n, 1}, {b, k, 1},
                          {b + from * k, k, 1});
    solve_lower_rows(n, k, lu, b, from, to);
  }
  for (std::int64_t from = last; from >= 0; from -= panel) {
    std::int64_t const to = std::min(n, from + panel);
    if (to < n)
      subtract_product<T>(to - from, k, n - to, {lu + from * n + to, n, 1}, {b + to * k, k, 1},
                          {b + from * k, k, 1});
    solve_upper_rows(n, k, lu, b, from, to);
  }
}

/// b (n x k) becomes a⁻¹ b, for the factors of a.
template <class T, class N, class K>
void lu_solve(N n, K k, T const* lu, std::int32_t const* pivots, T* b) {
  for (std::int64_t i = 0; i < n; ++i)
    if (pivots[i] != i) swap_rows(k, b + i * k, b + pivots[i] * k);
  if constexpr (is_known<N>) {
    solve_lower_rows(n, k, lu, b, 0, n);
    solve_upper_rows(n, k, lu, b, 0, n);
  } else {
    solve_panels<T>(n, k, lu, b);
  }
}

}  // namespace tenon::linalg

// ---- tenon/backend/cpu/factor/qr.hpp

namespace tenon::linalg {

/// Columns of an m x n matrix, each a contiguous row of `c` (n x m), become reflectors below and R
/// above: the diagonal of R goes to `diagonal`, the factors of the reflectors to `tau`.
template <class T, class M, class N>
void reflect_columns(M m, N n, T* c, T* diagonal, T* tau) {
  std::int64_t const k = smaller(m, n);
  for (std::int64_t j = 0; j < k; ++j) {
    T* const v = c + j * m + j;
    auto const reflector = make_reflector(m - j, v);
    diagonal[j] = reflector.beta;
    tau[j] = reflector.tau;
    for (std::int64_t i = j + 1; i < n; ++i) reflect_row(m - j, reflector.tau, v, c + i * m + j);
  }
}

/// The first k columns of the product of the reflectors, as rows of `q` (k x m).
template <class T, class M, class K>
void reflectors_as_rows(M m, K k, T const* c, T const* tau, T* q) {
  set_identity(k, m, q);
  for (std::int64_t j = k - 1; j >= 0; --j)
    for (std::int64_t i = j; i < k; ++i) reflect_row(m - j, tau[j], c + j * m + j, q + i * m + j);
}

/// a = q r: q (m x k) has orthonormal columns, r (k x n) is upper triangular, k = min(m, n). By
/// reflectors, with the signs of LAPACK.
template <class T, class M, class N>
void qr_factors(M m, N n, T const* a, T* q, T* r) {
  auto const k = smaller(m, n);
  auto columns = workspace<T>(product_of(n, m)), rows = workspace<T>(product_of(k, m));
  auto diagonal = workspace<T>(k), tau = workspace<T>(k);
  T* const c = columns.data();
  transpose_matrix(m, n, a, c);
  T const scale = even_scale(product_of(n, m), c);
  if (scale == T(0)) return fill_nan(product_of(m, k), q), fill_nan(product_of(k, n), r);
  scale_row(product_of(n, m), scale, c);
  reflect_columns(m, n, c, diagonal.data(), tau.data());
  reflectors_as_rows(m, k, c, tau.data(), rows.data());
  transpose_matrix(k, m, rows.data(), q);
  for (std::int64_t i = 0; i < k; ++i) {
    for (std::int64_t j = 0; j < n; ++j) r[i * n + j] = j > i ? c[j * m + i] / scale : T(0);
    r[i * n + i] = diagonal.data()[i] / scale;
  }
}

}  // namespace tenon::linalg

// ---- tenon/backend/cpu/factor/bidiagonal.hpp

/// a = u b vᵀ with b upper bidiagonal, by reflectors from both sides (Golub and Kahan 1965). All
/// that is done to rows of contiguous elements.
namespace tenon::linalg {

/// Rows of `a` (m x n, `stride` apart) under the reflector of v (v_i at v[i * stride]) from the
/// left; w has room for n.
template <class T>
void reflect_rows(std::int64_t m, std::int64_t n, std::int64_t stride, T tau, T const* v, T* w,
                  T* a) {
  std::fill_n(w, n, T(0));
  for (std::int64_t i = 0; i < m; ++i) add_multiple(n, tau * v[i * stride], a + i * stride, w);
  for (std::int64_t i = 0; i < m; ++i) add_multiple(n, -v[i * stride], w, a + i * stride);
}

/// A reflector from a column whose elements lie `stride` apart.
template <class T>
Reflector<T> make_column_reflector(std::int64_t m, std::int64_t stride, T* x, T* w) {
  for (std::int64_t i = 0; i < m; ++i) w[i] = x[i * stride];
  auto const reflector = make_reflector(m, w);
  for (std::int64_t i = 0; i < m; ++i) x[i * stride] = w[i];
  return reflector;
}

/// The two diagonals of b and the factors of the reflectors.
template <class T>
struct Bidiagonal {
  T *d, *e, *left, *right;
};

/// m >= n. The reflectors from the left take the place of the columns of `a`, those from the right
/// of its rows. w has room for m.
template <class T>
void bidiagonalise(std::int64_t m, std::int64_t n, T* a, Bidiagonal<T> const& b, T* w) {
  for (std::int64_t j = 0; j < n; ++j) {
    T* const corner = a + j * n + j;
    auto const left = make_column_reflector(m - j, n, corner, w);
    b.d[j] = left.beta;
    b.left[j] = left.tau;
    std::int64_t const rest = n - j - 1;
    if (rest == 0) return;
    reflect_rows(m - j, rest, n, left.tau, corner, w, corner + 1);
    auto const right = make_reflector(rest, corner + 1);
    b.e[j] = right.beta;
    b.right[j] = right.tau;
    for (std::int64_t i = 1; i < m - j; ++i)
      reflect_row(rest, right.tau, corner + 1, corner + i * n + 1);
  }
}

/// u (m x n) and vᵀ (n x n) of the reflectors.
template <class T>
void bidiagonal_bases(std::int64_t m, std::int64_t n, T const* a, Bidiagonal<T> const& b, T* u,
                      T* vt, T* w) {
  set_identity(m, n, u);
  set_identity(n, n, vt);
  for (std::int64_t j = n - 1; j >= 0; --j)
    reflect_rows(m - j, n - j, n, b.left[j], a + j * n + j, w, u + j * n + j);
  for (std::int64_t j = n - 2; j >= 0; --j)
    for (std::int64_t i = j + 1; i < n; ++i)
      reflect_row(n - j - 1, b.right[j], a + j * n + j + 1, vt + i * n + j + 1);
}

}  // namespace tenon::linalg

// ---- tenon/backend/cpu/factor/svd.hpp

namespace tenon::linalg {

/// A rotation that takes (f, g) to (r, 0).
template <class T>
struct Rotation {
  T c = 1, s = 0, r = 0;
};
template <class T>
Rotation<T> rotation(T f, T g) {
  if (g == T(0)) return {T(1), T(0), f};
  T const r = std::hypot(f, g);
  return {f / r, g / r, r};
}

/// A bidiagonal matrix with the rows of uᵀ and vᵀ, which turn along: b = u diag(d) vᵀ in the end.
template <class T>
class BidiagonalSvd {
 public:
  BidiagonalSvd(std::int64_t m, std::int64_t n, T* d, T* e, T* ut, T* vt)
      : m_(m), n_(n), d_(d), e_(e), ut_(ut), vt_(vt) {
    for (std::int64_t i = 0; i < n; ++i) {
      norm_ = std::max(norm_, std::abs(d[i]));
      if (i + 1 < n) norm_ = std::max(norm_, std::abs(e[i]));
    }
  }

  /// Implicit QR steps from the end; false where they do not converge.
  bool run() {
    int steps = 0;
    for (std::int64_t to = n_ - 1; to > 0;) {
      std::int64_t const from = start_of_block(to);
      if (from == to) --to, steps = 0;
      else if (++steps > 60) return false;
      else if (!cut_at_zero(from, to)) step(from, to);
    }
    return true;
  }

  /// Positive, the largest first.
  void order() {
    for (std::int64_t i = 0; i < n_; ++i) {
      if (std::signbit(d_[i])) d_[i] = -d_[i], scale_row(n_, T(-1), vt_ + i * n_);
    }
    for (std::int64_t i = 0; i < n_; ++i) {
      std::int64_t const most = std::max_element(d_ + i, d_ + n_) - d_;
      if (most == i) continue;
      std::swap(d_[i], d_[most]);
      swap_rows(m_, ut_ + i * m_, ut_ + most * m_);
      swap_rows(n_, vt_ + i * n_, vt_ + most * n_);
    }
  }

 private:
  static constexpr T epsilon = std::numeric_limits<T>::epsilon();

  bool is_small(std::int64_t i) const {
    return std::abs(e_[i]) <= epsilon * (std::abs(d_[i]) + std::abs(d_[i + 1]));
  }
  std::int64_t start_of_block(std::int64_t to) {
    std::int64_t from = to;
    while (from > 0 && !is_small(from - 1)) --from;
    if (from > 0) e_[from - 1] = 0;
    return from;
  }
  void turn_left(std::int64_t i, std::int64_t j, Rotation<T> const& by) {
    rotate_rows(m_, by.c, by.s, ut_ + i * m_, ut_ + j * m_);
  }
  void turn_right(std::int64_t i, std::int64_t j, Rotation<T> const& by) {
    rotate_rows(n_, by.c, by.s, vt_ + i * n_, vt_ + j * n_);
  }

  /// A zero on the diagonal splits the block: the element beside it is chased out of the matrix.
  bool cut_at_zero(std::int64_t from, std::int64_t to) {
    for (std::int64_t i = from; i <= to; ++i) {
      if (std::abs(d_[i]) > epsilon * norm_) continue;
      d_[i] = 0;
      i < to ? chase_row(i, to) : chase_column(from, to);
      return true;
    }
    return false;
  }
  void chase_row(std::int64_t i, std::int64_t to) {
    T f = std::exchange(e_[i], T(0));
    for (std::int64_t j = i + 1; j <= to && f != T(0); ++j) {
      auto const by = rotation(d_[j], f);
      d_[j] = by.r;
      turn_left(j, i, by);
      if (j == to) return;
      f = -by.s * e_[j];
      e_[j] *= by.c;
    }
  }
  void chase_column(std::int64_t from, std::int64_t to) {
    T f = std::exchange(e_[to - 1], T(0));
    for (std::int64_t j = to - 1; j >= from && f != T(0); --j) {
      auto const by = rotation(d_[j], f);
      d_[j] = by.r;
      turn_right(j, to, by);
      if (j == from) return;
      f = -by.s * e_[j - 1];
      e_[j - 1] *= by.c;
    }
  }

  /// The eigenvalue of the last 2 x 2 of bᵀb that is nearer to its last element (Wilkinson).
  T shift(std::int64_t from, std::int64_t to) const {
    T const d = d_[to - 1], above = to - 1 > from ? e_[to - 2] : T(0), e = e_[to - 1];
    T const last = d_[to] * d_[to] + e * e, beside = d * e;
    T const half = (d * d + above * above - last) / 2;
    T const away = half + std::copysign(std::hypot(half, beside), half);
    return away == T(0) ? last : last - beside / away * beside;
  }
  /// Golub and Van Loan, algorithm 8.6.1.
  void step(std::int64_t from, std::int64_t to) {
    T y = d_[from] * d_[from] - shift(from, to), z = d_[from] * e_[from];
    for (std::int64_t k = from; k < to; ++k) {
      auto const right = rotation(y, z);
      if (k > from) e_[k - 1] = right.r;
      y = right.c * d_[k] + right.s * e_[k];
      e_[k] = right.c * e_[k] - right.s * d_[k];
      z = right.s * d_[k + 1];
      d_[k + 1] *= right.c;
      turn_right(k, k + 1, right);
      auto const left = rotation(y, z);
      d_[k] = left.r;
      y = left.c * e_[k] + left.s * d_[k + 1];
      d_[k + 1] = left.c * d_[k + 1] - left.s * e_[k];
      z = k + 1 < to ? left.s * e_[k + 1] : T(0);
      if (k + 1 < to) e_[k + 1] *= left.c;
      turn_left(k, k + 1, left);
    }
    e_[to - 1] = y;
  }

  std::int64_t m_, n_;
  T *d_, *e_, *ut_, *vt_;
  T norm_ = 0;
};

/// The factors of `a` (m x n, m >= n), which is lost: s, and the rows of uᵀ (n x m) and vᵀ (n x n).
/// `u` and `w` are room for m x n and 3 n + m elements.
template <class T>
bool tall_svd(std::int64_t m, std::int64_t n, T* a, T* s, T* ut, T* vt, T* u, T* w) {
  Bidiagonal<T> const b{s, w, w + n, w + 2 * n};
  bidiagonalise(m, n, a, b, w + 3 * n);
  bidiagonal_bases(m, n, a, b, u, vt, w + 3 * n);
  transpose_matrix(m, n, u, ut);
  BidiagonalSvd<T> rest(m, n, s, b.e, ut, vt);
  bool const converges = rest.run();
  rest.order();
  return converges;
}

/// a = u diag(s) vt, u is m x k, vt is k x n, k = min(m, n); s is not negative and descends. False
/// where it does not converge.
template <class T, class M, class N>
bool singular_values(M m, N n, T const* a, T* u, T* s, T* vt) {
  auto const k = smaller(m, n);
  auto const all = product_of(m, n);
  auto copy = workspace<T>(all), other = workspace<T>(all), room = workspace<T>(all);
  auto diagonals = workspace<T>(sum_of(product_of(Known<4>(), m), product_of(Known<4>(), n)));
  T const scale = even_scale(all, a);
  if (scale == T(0)) return fill_nan(m * k, u), fill_nan(k, s), fill_nan(k * n, vt), true;
  if (m < n) transpose_matrix(m, n, a, copy.data());
  else std::copy_n(a, m * n, copy.data());
  scale_row(all, scale, copy.data());
  // Of a wide matrix the transpose is factored: its uᵀ is vt, and its v is u.
  T *const ut = m < n ? vt : other.data(), *const right = m < n ? other.data() : vt;
  bool const converges = tall_svd<T>(std::max<std::int64_t>(m, n), k, copy.data(), s, ut, right,
                                     room.data(), diagonals.data());
  transpose_matrix(k, m, other.data(), u);
  for (std::int64_t i = 0; i < k; ++i) s[i] /= scale;
  return converges;
}

}  // namespace tenon::linalg

// ---- tenon/backend/cpu/factor/factors.hpp

namespace tenon::linalg {

/// One matrix at a time, row-major, on one thread. Loops over the library's product kernel. Eigen's
/// decompositions cost the compiler 2 s to be read and 4 s (LU), 8 s (QR, symmetric eigenvalues,
/// Jacobi's SVD) or 23 s (divide and conquer) for each dtype (g++ 12 -O3), and run about as fast:
/// from 3 times slower at 4 rows to 1.4 times faster at 512 (bench/linalg.cpp).
struct CpuFactors {
  template <class T, class N>
  static std::int64_t cholesky(N n, T* a) {
    return cholesky_in_place(n, a);
  }
  template <class T, class N>
  static std::int64_t lu(N n, T* a, std::int32_t* pivots) {
    return lu_in_place(n, a, pivots);
  }
  template <class T, class N, class K>
  static void solve(N n, K k, T const* lu, std::int32_t const* pivots, T* b) {
    lu_solve(n, k, lu, pivots, b);
  }
  template <class T, class M, class N>
  static void qr(M m, N n, T const* a, T* q, T* r) {
    qr_factors(m, n, a, q, r);
  }
  template <class T, class N>
  static bool eigh(N n, T* a, T* values) {
    return symmetric_eigen(n, a, values);
  }
  template <class T, class M, class N>
  static bool svd(M m, N n, T const* a, T* u, T* s, T* vt) {
    return singular_values(m, n, a, u, s, vt);
  }
};

}  // namespace tenon::linalg

// ---- tenon/backend/cpu/lanes_mask.hpp

namespace tenon {

/// `lane_count` elements of a dtype that are computed with at once: the V of an op's body in a
/// vectorised loop. The tail of a loop is a partial load and a partial store, never a scalar loop.
template <class T>
struct Lanes;

/// The mask of every comparison, whatever the dtype compared.
template <>
struct Lanes<bool> {
  using value_type = bool;
  simd::Flags<float> flags;

  Lanes() = default;
  Lanes(bool value) : flags(value) {}
  explicit Lanes(simd::Flags<float> f) : flags(f) {}

  static Lanes load(bool const* from) { return Lanes(simd::Native::load(from)); }
  static Lanes load(bool const* from, int count) {
    bool buffer[lane_count];
    for (int i = 0; i < lane_count; ++i) buffer[i] = from[i < count ? i : count - 1];
    return load(buffer);
  }
  void store(bool* to) const { simd::Native::store(flags, to); }
  void store(bool* to, int count) const {
    bool buffer[lane_count];
    store(buffer);
    for (int i = 0; i < count; ++i) to[i] = buffer[i];
  }
  bool lane(int i) const { return flags.get(static_cast<std::size_t>(i)); }

  /// True in the first `count` lanes.
  static Lanes first(int count) { return Lanes(simd::Native::first_flags(count)); }
  bool any() const { return xsimd::any(flags); }
  bool all() const { return xsimd::all(flags); }

  /// Folds all lanes with an op on masks; the order does not matter.
  template <class Op>
  bool folded() const {
    bool lane[lane_count];
    store(lane);
    for (int i = 1; i < lane_count; ++i) lane[0] = Op::f(lane[0], lane[i]);
    return lane[0];
  }

  friend Lanes operator&(Lanes a, Lanes b) { return Lanes(a.flags & b.flags); }
  friend Lanes operator|(Lanes a, Lanes b) { return Lanes(a.flags | b.flags); }
  /// (xsimd 8.1 takes `^` of two AVX-512 masks for `|`.)
  friend Lanes operator^(Lanes a, Lanes b) { return (a | b) & !(a & b); }
  friend Lanes operator!(Lanes a) { return Lanes(~a.flags); }
  friend Lanes operator==(Lanes a, Lanes b) { return !(a ^ b); }
  friend Lanes operator!=(Lanes a, Lanes b) { return a ^ b; }
  friend Lanes operator<(Lanes a, Lanes b) { return (!a) & b; }
  friend Lanes operator>(Lanes a, Lanes b) { return a & (!b); }
  friend Lanes operator<=(Lanes a, Lanes b) { return (!a) | b; }
  friend Lanes operator>=(Lanes a, Lanes b) { return a | (!b); }
  friend Lanes maximum(Lanes a, Lanes b) { return a | b; }
  friend Lanes minimum(Lanes a, Lanes b) { return a & b; }
  friend Lanes select(Lanes mask, Lanes yes, Lanes no) { return (mask & yes) | ((!mask) & no); }
};

namespace simd {

/// The lanes that part `p` of a dtype covers, as its own kind of flags.
template <class T>
Flags<T> part_of(Lanes<bool> mask, [[maybe_unused]] int p) {
  if constexpr (sizeof(T) == sizeof(float)) return recast<T>(mask.flags);
  else return Native::part<T>(mask.flags, p);
}

/// The mask that the flags of all parts of a dtype make up.
template <class T>
Lanes<bool> joined(Flags<T> const (&part)[1]) {
  return Lanes<bool>(recast<float>(part[0]));
}
template <class T>
Lanes<bool> joined(Flags<T> const (&part)[2]) {
  return Lanes<bool>(Native::joined<T>(part[0], part[1]));
}

}  // namespace simd

}  // namespace tenon

// ---- tenon/backend/cpu/lanes_fold.hpp

namespace tenon {

/// Folds over the lanes of one value, in a fixed tree: lane i with lane i + half, and again. `Op`
/// is commutative, like `op::Add` or `op::Maximum`.
template <class T>
struct LaneFolds {
  template <class Op, int half = lane_count / 2>
  T folded() const {
    auto const& x = static_cast<Lanes<T> const&>(*this);
    Lanes<T> const y = Op::f(x, x.template exchanged<half>());
    if constexpr (half == 1) return y.lane(0);
    else return y.template folded<Op, half / 2>();
  }
  T sum() const { return folded<op::Add>(); }
  T max() const { return folded<op::Maximum>(); }
  T min() const { return folded<op::Minimum>(); }

  /// Of the first `count` lanes only. (x + -0 is x, also for x = -0.)
  T sum(int count) const { return kept(count, static_cast<T>(-0.0)).sum(); }
  T max(int count) const { return kept(count).max(); }
  T min(int count) const { return kept(count).min(); }

 private:
  Lanes<T> kept(int count, T rest) const {
    auto const& x = static_cast<Lanes<T> const&>(*this);
    return select(Lanes<bool>::first(count), x, Lanes<T>(rest));
  }
  Lanes<T> kept(int count) const {
    return kept(count, static_cast<Lanes<T> const&>(*this).lane(0));
  }
};

}  // namespace tenon

// ---- tenon/backend/cpu/lanes_narrow.hpp

namespace tenon {

/// Dtypes for which there is no register of `lane_count` elements: small integers, complex numbers.
/// Plain arrays, element by element with the scalar words.
template <class T>
struct Lanes : LaneFolds<T> {
  using value_type = T;
  T element[lane_count];

  Lanes() = default;
  Lanes(T value) {
    for (T& e : element) e = value;
  }

  static Lanes load(T const* from) { return load(from, lane_count); }
  static Lanes load(T const* from, int count) {
    return generated([&](int i) { return from[i < count ? i : count - 1]; });
  }
  void store(T* to) const { store(to, lane_count); }
  void store(T* to, int count) const {
    for (int i = 0; i < count; ++i) to[i] = element[i];
  }
  T lane(int i) const { return element[i]; }

  template <class F>
  static Lanes generated(F f) {
    Lanes r;
    for (int i = 0; i < lane_count; ++i) r.element[i] = f(i);
    return r;
  }
  template <class F>
  static Lanes<bool> tested(F f) {
    bool r[lane_count];
    for (int i = 0; i < lane_count; ++i) r[i] = f(i);
    return Lanes<bool>::load(r);
  }

  /// Lane i of the result is lane i ^ step.
  template <int step>
  Lanes exchanged() const {
    return generated([&](int i) { return element[i ^ step]; });
  }

  friend Lanes operator+(Lanes const& a, Lanes const& b) {
    return generated([&](int i) { return word::add(a.element[i], b.element[i]); });
  }
  friend Lanes operator-(Lanes const& a, Lanes const& b) {
    return generated([&](int i) { return word::subtract(a.element[i], b.element[i]); });
  }
  friend Lanes operator*(Lanes const& a, Lanes const& b) {
    return generated([&](int i) { return word::multiply(a.element[i], b.element[i]); });
  }
  friend Lanes operator/(Lanes const& a, Lanes const& b) {
    return generated([&](int i) { return word::divide(a.element[i], b.element[i]); });
  }
  friend Lanes operator-(Lanes const& a) { return Lanes(T(0)) - a; }
  friend Lanes operator%(Lanes const& a, Lanes const& b) {
    return generated([&](int i) { return word::modulo(a.element[i], b.element[i]); });
  }
  friend Lanes operator<<(Lanes const& a, Lanes const& b) {
    return generated([&](int i) { return word::shift_left(a.element[i], b.element[i]); });
  }
  friend Lanes operator>>(Lanes const& a, Lanes const& b) {
    return generated([&](int i) { return word::shift_right(a.element[i], b.element[i]); });
  }
  friend Lanes operator&(Lanes const& a, Lanes const& b) {
    return generated([&](int i) { return static_cast<T>(a.element[i] & b.element[i]); });
  }
  friend Lanes operator|(Lanes const& a, Lanes const& b) {
    return generated([&](int i) { return static_cast<T>(a.element[i] | b.element[i]); });
  }
  friend Lanes operator^(Lanes const& a, Lanes const& b) {
    return generated([&](int i) { return static_cast<T>(a.element[i] ^ b.element[i]); });
  }

  friend Lanes<bool> operator<(Lanes const& a, Lanes const& b) {
    return tested([&](int i) { return a.element[i] < b.element[i]; });
  }
  friend Lanes<bool> operator<=(Lanes const& a, Lanes const& b) { return !(b < a); }
  friend Lanes<bool> operator>(Lanes const& a, Lanes const& b) { return b < a; }
  friend Lanes<bool> operator>=(Lanes const& a, Lanes const& b) { return !(a < b); }
  friend Lanes<bool> operator==(Lanes const& a, Lanes const& b) {
    return tested([&](int i) { return a.element[i] == b.element[i]; });
  }
  friend Lanes<bool> operator!=(Lanes const& a, Lanes const& b) { return !(a == b); }

  friend Lanes select(Lanes<bool> mask, Lanes const& yes, Lanes const& no) {
    bool m[lane_count];
    mask.store(m);
    return generated([&](int i) { return m[i] ? yes.element[i] : no.element[i]; });
  }
};

}  // namespace tenon

// ---- tenon/backend/cpu/lanes_wide.hpp

namespace tenon {

namespace simd {
/// The dtypes that are computed with in registers; the others are plain arrays.
template <class T>
concept Wide = std::is_same_v<T, float> || std::is_same_v<T, double> ||
               std::is_same_v<T, std::int32_t> || std::is_same_v<T, std::uint32_t> ||
               std::is_same_v<T, std::int64_t> || std::is_same_v<T, std::uint64_t>;
}  // namespace simd

template <simd::Wide T>
struct Lanes<T> : LaneFolds<T> {
  using value_type = T;
  static constexpr int width = simd::width<T>;
  static constexpr int parts = lane_count / width;
  simd::Batch<T> part[parts];

  Lanes() = default;
  Lanes(T value) {
    for (simd::Batch<T>& b : part) b = simd::Batch<T>(value);
  }

  static Lanes load(T const* from) {
    Lanes r;
    for (int p = 0; p < parts; ++p) r.part[p] = simd::Batch<T>::load_unaligned(from + p * width);
    return r;
  }
  static Lanes load(T const* from, int count) {
    Lanes r;
    for (int p = 0; p < parts; ++p) {
      r.part[p] = simd::Native::load<T>(from + p * width, count - p * width, from[count - 1]);
    }
    return r;
  }
  void store(T* to) const {
    for (int p = 0; p < parts; ++p) part[p].store_unaligned(to + p * width);
  }
  void store(T* to, int count) const {
    for (int p = 0; p < parts; ++p) {
      simd::Native::store<T>(part[p], to + p * width, count - p * width);
    }
  }
  void store_past_caches(T* to) const {
    for (int p = 0; p < parts; ++p) simd::Native::store_past_caches(part[p], to + p * width);
  }
  T lane(int i) const { return part[i / width].get(static_cast<std::size_t>(i % width)); }

  /// Applies a function of batches to every part.
  template <class F, class... L>
  [[gnu::always_inline]] static Lanes mapped(F f, L const&... x) {
    Lanes r;
    for (int p = 0; p < parts; ++p) r.part[p] = f(x.part[p]...);
    return r;
  }
  template <class F>
  [[gnu::always_inline]] static Lanes<bool> tested(F f, Lanes a, Lanes b) {
    simd::Flags<T> r[parts];
    for (int p = 0; p < parts; ++p) r[p] = f(a.part[p], b.part[p]);
    return simd::joined(r);
  }
  /// Applies a function of scalars to every lane: for what no register instruction does.
  template <class F>
  static Lanes by_lane(F f, Lanes a, Lanes b) {
    T x[lane_count], y[lane_count];
    a.store(x);
    b.store(y);
    for (int i = 0; i < lane_count; ++i) x[i] = f(x[i], y[i]);
    return load(x);
  }

  /// Lane i of the result is lane i ^ step.
  template <int step>
  Lanes exchanged() const {
    Lanes r;
    for (int p = 0; p < parts; ++p) {
      if constexpr (step >= width) r.part[p] = part[p ^ (step / width)];
      else r.part[p] = simd::Native::template exchanged<step>(part[p]);
    }
    return r;
  }

  [[gnu::always_inline]] friend Lanes operator+(Lanes a, Lanes b) {
    return mapped([](simd::Batch<T> x, simd::Batch<T> y) { return x + y; }, a, b);
  }
  [[gnu::always_inline]] friend Lanes operator-(Lanes a, Lanes b) {
    return mapped([](simd::Batch<T> x, simd::Batch<T> y) { return x - y; }, a, b);
  }
  [[gnu::always_inline]] friend Lanes operator*(Lanes a, Lanes b) {
    if constexpr (sizeof(T) == 8 && std::is_integral_v<T>)
      return by_lane([](T x, T y) { return word::multiply(x, y); }, a, b);
    else return mapped([](simd::Batch<T> x, simd::Batch<T> y) { return x * y; }, a, b);
  }
  [[gnu::always_inline]] friend Lanes operator/(Lanes a, Lanes b) {
    if constexpr (std::is_integral_v<T>)
      return by_lane([](T x, T y) { return word::divide(x, y); }, a, b);
    else return mapped([](simd::Batch<T> x, simd::Batch<T> y) { return x / y; }, a, b);
  }
  [[gnu::always_inline]] friend Lanes operator%(Lanes a, Lanes b) {
    return by_lane([](T x, T y) { return word::modulo(x, y); }, a, b);
  }
  [[gnu::always_inline]] friend Lanes operator-(Lanes a) {
    if constexpr (std::is_integral_v<T>) return Lanes(T(0)) - a;
    else return a ^ Lanes(T(-0.0));  // xsimd 8.1 subtracts from 0, which loses the -0
  }
  [[gnu::always_inline]] friend Lanes operator&(Lanes a, Lanes b) {
    return mapped([](simd::Batch<T> x, simd::Batch<T> y) { return x & y; }, a, b);
  }
  [[gnu::always_inline]] friend Lanes operator|(Lanes a, Lanes b) {
    return mapped([](simd::Batch<T> x, simd::Batch<T> y) { return x | y; }, a, b);
  }
  [[gnu::always_inline]] friend Lanes operator^(Lanes a, Lanes b) {
    return mapped([](simd::Batch<T> x, simd::Batch<T> y) { return x ^ y; }, a, b);
  }
  [[gnu::always_inline]] friend Lanes operator<<(Lanes a, int n)
    requires std::is_integral_v<T>
  {
    return mapped([n](simd::Batch<T> x) { return x << n; }, a);
  }
  [[gnu::always_inline]] friend Lanes operator>>(Lanes a, int n)
    requires std::is_integral_v<T>
  {
    return mapped([n](simd::Batch<T> x) { return x >> n; }, a);
  }
  [[gnu::always_inline]] friend Lanes operator<<(Lanes a, Lanes n) {
    return by_lane([](T x, T y) { return word::shift_left(x, y); }, a, n);
  }
  [[gnu::always_inline]] friend Lanes operator>>(Lanes a, Lanes n) {
    return by_lane([](T x, T y) { return word::shift_right(x, y); }, a, n);
  }

  [[gnu::always_inline]] friend Lanes<bool> operator<(Lanes a, Lanes b) {
    return tested([](simd::Batch<T> x, simd::Batch<T> y) { return x < y; }, a, b);
  }
  [[gnu::always_inline]] friend Lanes<bool> operator<=(Lanes a, Lanes b) {
    return tested([](simd::Batch<T> x, simd::Batch<T> y) { return x <= y; }, a, b);
  }
  [[gnu::always_inline]] friend Lanes<bool> operator>(Lanes a, Lanes b) { return b < a; }
  [[gnu::always_inline]] friend Lanes<bool> operator>=(Lanes a, Lanes b) { return b <= a; }
  [[gnu::always_inline]] friend Lanes<bool> operator==(Lanes a, Lanes b) {
    return tested([](simd::Batch<T> x, simd::Batch<T> y) { return x == y; }, a, b);
  }
  [[gnu::always_inline]] friend Lanes<bool> operator!=(Lanes a, Lanes b) {
    return tested([](simd::Batch<T> x, simd::Batch<T> y) { return simd::Native::not_equal(x, y); },
                  a, b);
  }

  [[gnu::always_inline]] friend Lanes select(Lanes<bool> mask, Lanes yes, Lanes no) {
    Lanes r;
    for (int p = 0; p < parts; ++p) {
      r.part[p] = simd::Native::select(simd::part_of<T>(mask, p), yes.part[p], no.part[p]);
    }
    return r;
  }
};

}  // namespace tenon

// ---- tenon/backend/cpu/lanes_convert.hpp

/// The word `convert` for lanes: the same values as for scalars.
namespace tenon {

namespace simd {

/// Between any two dtypes, lane by lane, with the scalar word.
template <class To, class From>
Lanes<To> converted_by_lane(Lanes<From> x) {
  From from[lane_count];
  To to[lane_count];
  x.store(from);
  for (int i = 0; i < lane_count; ++i) to[i] = word::convert<To>(from[i]);
  return Lanes<To>::load(to);
}

/// Towards zero; the machine gives the smallest integer for all that does not fit.
inline Lanes<std::int32_t> truncated(Lanes<float> x) {
  Lanes<std::int32_t> r;
  r.part[0] = xsimd::to_int(x.part[0]);
  Lanes<std::int32_t> const limited =
      select(x >= Lanes<float>(2147483648.0f), Lanes<std::int32_t>(INT32_MAX), r);
  return select(x == x, limited, Lanes<std::int32_t>(0));
}

/// Rounded once: the two halves are exact, and so is the upper one in its place.
inline Lanes<float> floating(Lanes<std::uint32_t> x) {
  auto const half = [](Batch<std::uint32_t> h) {
    return xsimd::to_float(xsimd::bitwise_cast<Batch<std::int32_t>>(h));
  };
  Lanes<float> high, low;
  high.part[0] = half(x.part[0] >> 16);
  low.part[0] = half(x.part[0] & Batch<std::uint32_t>(0xffffu));
  return high * Lanes<float>(65536.0f) + low;
}

}  // namespace simd

template <class To, class From>
Lanes<To> convert(Lanes<From> x) {
  Lanes<To> r;
  if constexpr (std::is_same_v<To, From>) return x;
  else if constexpr (std::is_same_v<To, bool>) return x != Lanes<From>(From(0));
  else if constexpr (std::is_same_v<From, bool>)
    return select(x, Lanes<To>(To(1)), Lanes<To>(To(0)));
  else if constexpr (std::is_same_v<From, float> && std::is_same_v<To, std::int32_t>)
    return simd::truncated(x);
  else if constexpr (std::is_same_v<From, std::uint32_t> && std::is_same_v<To, float>)
    return simd::floating(x);
  else if constexpr (std::is_same_v<From, std::int32_t> && std::is_same_v<To, float>)
    r.part[0] = xsimd::to_float(x.part[0]);
  else if constexpr (std::is_same_v<From, float> && std::is_same_v<To, double>)
    simd::Native::widened(x.part[0], r.part);
  else if constexpr (std::is_same_v<From, double> && std::is_same_v<To, float>)
    r.part[0] = simd::Native::narrowed(x.part[0], x.part[1]);
  else return simd::converted_by_lane<To>(x);
  return r;
}

}  // namespace tenon

// ---- tenon/backend/cpu/lanes_words.hpp

/// The machine words for lanes, found by argument-dependent lookup from the bodies of the ops. All
/// are inlined: in a large program g++ would rather call `abs`, and a call in the innermost loop
/// saves every register.
namespace tenon {

template <std::floating_point T>
[[gnu::always_inline]] inline Lanes<T> fma(Lanes<T> x, Lanes<T> y, Lanes<T> z) {
  return Lanes<T>::mapped([](simd::Batch<T> a, simd::Batch<T> b,
                             simd::Batch<T> c) { return simd::Native::fma(a, b, c); },
                          x, y, z);
}

template <std::floating_point T>
[[gnu::always_inline]] inline Lanes<T> sqrt(Lanes<T> x) {
  return Lanes<T>::mapped([](auto b) { return xsimd::sqrt(b); }, x);
}

template <std::floating_point T>
[[gnu::always_inline]] inline Lanes<T> floor(Lanes<T> x) {
  return Lanes<T>::mapped([](auto b) { return xsimd::floor(b); }, x);
}

template <std::floating_point T>
[[gnu::always_inline]] inline Lanes<T> round_even(Lanes<T> x) {
  return Lanes<T>::mapped([](auto b) { return xsimd::nearbyint(b); }, x);
}

template <std::floating_point T>
[[gnu::always_inline]] inline auto bits(Lanes<T> x) {
  using Bits = Lanes<typename word::Layout<T>::Bits>;
  return Bits::mapped(
      [](auto b) { return xsimd::bitwise_cast<simd::Batch<typename Bits::value_type>>(b); }, x);
}

template <std::unsigned_integral U>
[[gnu::always_inline]] inline auto from_bits(Lanes<U> x) {
  using Floats = Lanes<std::conditional_t<sizeof(U) == 4, float, double>>;
  return Floats::mapped(
      [](auto b) { return xsimd::bitwise_cast<simd::Batch<typename Floats::value_type>>(b); }, x);
}

/// The upper half of the product of two words.
inline Lanes<std::uint32_t> multiply_high(Lanes<std::uint32_t> a, Lanes<std::uint32_t> b) {
  return Lanes<std::uint32_t>::mapped(
      [](auto x, auto y) { return simd::Native::multiply_high(x, y); }, a, b);
}

template <std::floating_point T>
[[gnu::always_inline]] inline Lanes<bool> is_nan(Lanes<T> x) {
  return x != x;
}

template <std::floating_point T>
[[gnu::always_inline]] inline Lanes<T> copysign(Lanes<T> magnitude, Lanes<T> sign) {
  Lanes<T> const s = T(-0.0);
  return Lanes<T>::mapped([](auto m, auto x, auto b) { return (m & ~b) | (x & b); }, magnitude,
                          sign, s);
}

template <class T>
[[gnu::always_inline]] inline Lanes<T> abs(Lanes<T> x) {
  if constexpr (std::floating_point<T>) return copysign(x, Lanes<T>(T(0)));
  else if constexpr (std::signed_integral<T>) return select(x < T(0), -x, x);
  else return x;
}

template <class T>
[[gnu::always_inline]] inline Lanes<T> maximum(Lanes<T> a, Lanes<T> b) {
  if constexpr (!std::floating_point<T>) return select(a < b, b, a);
  else return Lanes<T>::mapped([](auto x, auto y) { return simd::Native::maximum(x, y); }, a, b);
}

template <class T>
[[gnu::always_inline]] inline Lanes<T> minimum(Lanes<T> a, Lanes<T> b) {
  if constexpr (!std::floating_point<T>) return select(b < a, b, a);
  else return Lanes<T>::mapped([](auto x, auto y) { return simd::Native::minimum(x, y); }, a, b);
}

template <std::floating_point T>
[[gnu::always_inline]] inline Lanes<T> clamp(Lanes<T> x, Lanes<T> low, Lanes<T> high) {
  return Lanes<T>::mapped([](auto b, auto l, auto h) { return simd::Native::clamp(b, l, h); }, x,
                          low, high);
}

/// Applies a function of scalars to every lane: for what is rare.
template <class T, class F>
[[gnu::noinline, gnu::cold]] Lanes<T> by_lane(Lanes<T> x, F f) {
  return Lanes<T>::by_lane([&](T lane, T) { return f(lane); }, x, x);
}

template <class T, class F>
[[gnu::always_inline]] inline Lanes<T> rarely(Lanes<bool> mask, Lanes<T> x, F f, Lanes<T> usual) {
  return mask.any() ? select(mask, by_lane(x, f), usual) : usual;
}

template <std::floating_point T>
[[gnu::always_inline]] inline Lanes<T> scale(Lanes<T> x, Lanes<T> n) {
  return Lanes<T>::mapped([](auto a, auto b) { return simd::Native::scale(a, b); }, x, n);
}

template <std::floating_point T>
[[gnu::always_inline]] inline Lanes<T> exponent(Lanes<T> x) {
  return Lanes<T>::mapped([](auto b) { return simd::Native::exponent(b); }, x);
}

template <std::floating_point T>
[[gnu::always_inline]] inline Lanes<T> mantissa(Lanes<T> x) {
  return Lanes<T>::mapped([](auto b) { return simd::Native::mantissa(b); }, x);
}

}  // namespace tenon

// ---- tenon/backend/cpu/lanes.hpp

// ---- tenon/backend/cpu/machine.hpp

namespace tenon {

/// The machine that computes `lane_count` elements at a time.
struct CpuMachine {
  static constexpr int count = lane_count;
  template <class T>
  using vector = Lanes<T>;

  template <class T>
  static Lanes<T> load(T const* from) {
    return Lanes<T>::load(from);
  }
  template <class T>
  static Lanes<T> load(T const* from, int n) {
    return Lanes<T>::load(from, n);
  }
  template <class T>
  static Lanes<T> load_strided(T const* from, std::int64_t step, int n) {
    T element[lane_count]{};
    for (int i = 0; i < n; ++i) element[i] = from[i * step];
    return Lanes<T>::load(element, n);
  }
  template <class T>
  static void store(Lanes<T> const& value, T* to) {
    value.store(to);
  }
  template <class T>
  static void store(Lanes<T> const& value, T* to, int n) {
    value.store(to, n);
  }
  /// Stores that leave the caches alone: to aligned memory, in any order, until they are finished.
  template <class T>
  static constexpr bool stores_past_caches = simd::Wide<T> && simd::Native::stores_past_caches;
  static bool is_aligned(void const* to) {
    return reinterpret_cast<std::uintptr_t>(to) % (sizeof(float) * lane_count) == 0;
  }
  template <class T>
  static void store_past_caches(Lanes<T> const& value, T* to) {
    value.store_past_caches(to);
  }
  static void finish_past_caches() { simd::Native::finish_past_caches(); }
  template <class T>
  static void store_strided(Lanes<T> const& value, T* to, std::int64_t step, int n) {
    for (int i = 0; i < n; ++i) to[i * step] = value.lane(i);
  }
  template <class T>
  static T lane(Lanes<T> const& value, int i) {
    return value.lane(i);
  }
  /// The first n lanes; the others are `rest`.
  template <class T>
  static Lanes<T> first(Lanes<T> const& value, int n, T rest) {
    return select(Lanes<bool>::first(n), value, Lanes<T>(rest));
  }
  /// The lanes folded into one; of n lanes only the first n, the others count as `rest`.
  template <class Op, class T>
  static T fold(Lanes<T> const& value, int n, T rest) {
    return (n == count ? value : first(value, n, rest)).template folded<Op>();
  }
};

}  // namespace tenon

// ---- tenon/backend/cpu/small_product.hpp

/// Products of tensors that hold their elements: every size and stride is known to the compiler,
/// which unrolls the loops and keeps the sums in registers. (A plan made at run time costs twenty
/// times what a 4 x 4 product does.)
namespace tenon {

/// A register of so many elements: a vector extension of g++ and clang, so that it does not hang on
/// the compiler's taste which loops become vectors.
template <class T, int width>
struct RegisterOf {
  using Vector [[gnu::vector_size(static_cast<std::size_t>(width) * sizeof(T))]] = T;
};
template <class T>
struct RegisterOf<T, 1> {
  using Vector = T;
};

/// Elements side by side. Lanes beyond `count` are zeros.
template <class T, int count>
struct SideBySide {
  static constexpr int width = static_cast<int>(std::bit_ceil(static_cast<unsigned>(count)));
  typename RegisterOf<T, width>::Vector elements{};

  template <std::int64_t step>
  [[gnu::always_inline]] void load(T const* from) {
    if constexpr (step == 1 && count == width) std::memcpy(&elements, from, sizeof elements);
    else load<step>(from, std::make_integer_sequence<int, width>());
  }
  [[gnu::always_inline]] void add_product(SideBySide const& a, SideBySide const& b) {
    elements += a.elements * b.elements;
  }
  [[gnu::always_inline]] void store(T* to) const {
    if constexpr (count == width) std::memcpy(to, &elements, sizeof elements);
    else
      for (int i = 0; i < count; ++i) to[i] = elements[i];
  }

 private:
  template <std::int64_t step, int... i>
  [[gnu::always_inline]] void load(T const* from, std::integer_sequence<int, i...>) {
    elements = decltype(elements){(i < count ? from[i < count ? i * step : 0] : T(0))...};
  }
};

/// The steps through a tensor along the axes of a product's operand, from its type alone.
template <class E>
constexpr Sizes known_strides() {
  if constexpr (TensorType<E>) return row_major(static_sizes(E::shape), E::rank);
  else {
    Sizes const of_tensor = known_strides<typename E::operand_type>();
    Sizes strides{};
    for (int i = 0; i < E::shape.rank; ++i) {
      int const axis = E::order[static_cast<std::size_t>(i)];
      if (axis >= 0) at(strides, i) = at(of_tensor, axis);
    }
    return strides;
  }
}

/// The first element of a product's operand.
template <TensorType E>
constexpr auto const* first_of(E const& tensor) {
  return tensor.data();
}
template <class E, PackedMap order, Spec S>
constexpr auto const* first_of(Moved<E, order, S> const& e) {
  return e.operand.data() + offset(known_strides<E>(), e.start, E::rank);
}

/// A product's labels: the columns step by one in the result, the others are rows or summed.
template <class A, class B, class Rule>
struct SmallProduct {
  static constexpr Contraction const& rule = Rule::contraction;

  static constexpr LoopLabels labels(bool in_result) {
    auto const a = label_steps(rule.left, known_strides<A>());
    auto const b = label_steps(rule.right, known_strides<B>());
    auto const c = label_steps(rule.out, row_major(static_sizes(rule.shape), rule.shape.rank));
    LoopLabels chosen;
    for (std::size_t i = 0; i < static_cast<std::size_t>(rule.labels); ++i) {
      LoopLabel const label{rule.extents[i], a[i], b[i], c[i]};
      if (label.extent != 1 && label.in_result() == in_result) chosen.add(label);
    }
    return chosen;
  }

  /// The column, taken out of the labels of the result.
  static constexpr LoopLabel column_of(LoopLabels& labels) {
    bool found = false;
    return labels.take_unit(found);
  }
  static constexpr LoopLabel column = [] {
    LoopLabels all = labels(true);
    return column_of(all);
  }();

  template <bool is_summed>
  static constexpr auto places = [] {
    constexpr LoopLabels walked = [] {
      LoopLabels all = labels(!is_summed);
      if constexpr (!is_summed) (void)column_of(all);
      return all;
    }();
    std::array<LoopLabel, static_cast<std::size_t>(walked.count())> places{};
    for (std::size_t i = 0; i < places.size(); ++i)
      places[i] = walked.place(static_cast<std::int64_t>(i));
    return places;
  }();
  static constexpr auto const& rows = places<false>;
  static constexpr auto const& summed = places<true>;
};

/// Is a product to be unrolled?
template <class E>
inline constexpr bool is_small_product = false;
template <class A, class B, class Rule>
inline constexpr bool is_small_product<Contract<A, B, Rule>> =
    is_small<Contract<A, B, Rule>> && std::floating_point<typename A::value_type>;

/// Some columns of all rows of a product, from the column `first` on.
template <class P, int columns, class T>
[[gnu::always_inline]] inline void multiply_columns(T const* a, T const* b, T* c,
                                                    std::int64_t first) {
  a += first * P::column.a;
  b += first * P::column.b;
  SideBySide<T, columns> sums[P::rows.size()];
  for (std::size_t i = 0; i < P::rows.size(); ++i) {
    for (LoopLabel const& inner : P::summed) {
      SideBySide<T, columns> x, y;
      x.template load<P::column.a>(a + P::rows[i].a + inner.a);
      y.template load<P::column.b>(b + P::rows[i].b + inner.b);
      sums[i].add_product(x, y);
    }
  }
  for (std::size_t i = 0; i < P::rows.size(); ++i) sums[i].store(c + P::rows[i].c + first);
}

/// Computes a small product to `out`, row-major, in the order of the definition.
template <class A, class B, class Rule>
[[gnu::always_inline]] inline void small_product(Contract<A, B, Rule> const& e,
                                                 typename A::value_type* out) {
  using T = typename A::value_type;
  using P = SmallProduct<A, B, Rule>;
  if constexpr (P::column.extent > 0 && !P::rows.empty()) {
    constexpr auto at_once = static_cast<std::int64_t>(64 / sizeof(T));
    constexpr int left = static_cast<int>(P::column.extent % at_once);
    T const *const a = first_of(e.a), *const b = first_of(e.b);
    std::int64_t j = 0;
    for (; j + at_once <= P::column.extent; j += at_once)
      multiply_columns<P, int{at_once}>(a, b, out, j);
    if constexpr (left > 0) multiply_columns<P, left>(a, b, out, j);
  }
}

}  // namespace tenon

// ---- tenon/backend/cpu/thread_count.hpp

#include <charconv>
#include <cstdlib>
#include <system_error>
#include <thread>

/// How many threads there may be, and how many there are when nobody says.
namespace tenon::thread_count {

inline constexpr int most = 1024;

constexpr bool fits(int count) { return count >= 1 && count <= most; }

[[noreturn]] inline void refuse(std::string_view who, std::string_view what, std::string_view got) {
  std::string const expected = "a number of threads from 1 to " + std::to_string(most);
  fail<ValueError>({.who = who, .what = what, .expected = expected, .got = got});
}

inline int parse(std::string_view text) {
  int count = 0;
  auto const [end, failed] = std::from_chars(text.data(), text.data() + text.size(), count);
  bool const whole = failed == std::errc() && end == text.data() + text.size();
  if (!whole || !fits(count)) refuse("threads", "TENON_THREADS", text);
  return count;
}

/// TENON_THREADS, else as many as the machine has.
inline int initial() {
  if (char const* const given = std::getenv("TENON_THREADS")) return parse(given);
  unsigned const count = std::thread::hardware_concurrency();
  return count < 1 ? 1 : count > most ? most : static_cast<int>(count);
}

}  // namespace tenon::thread_count

// ---- tenon/backend/cpu/thread_pool.hpp

#include <condition_variable>
#include <exception>

namespace tenon {

/// Threads that work on the chunks of one call at a time, together with the thread that calls. They
/// look out for the next call for some microseconds, then sleep. Each begins with a share of its
/// own, so that what one call left in its cache is there for the next, then helps the others: which
/// thread takes which chunk is open, and whoever cuts the chunks must not let a result depend on
/// it.
class WorkerThreads {
 public:
  using Call = void (*)(void* context, std::int64_t chunk);

  /// Never destroyed, only stopped: what is in static storage may still compute after that, alone.
  static WorkerThreads& instance() {
    static WorkerThreads& pool = *new WorkerThreads(thread_count::initial());
    static struct Stop {
      ~Stop() { pool.stop_at_exit(); }
    } const stop;
    return pool;
  }

  /// Which of the threads of the present call this is: 0 for the one that called.
  static std::size_t thread_index() { return index_; }

  int threads() const { return threads_.load(std::memory_order_relaxed); }

  void set_threads(int count) {
    if (!thread_count::fits(count)) thread_count::refuse("set_threads", "", std::to_string(count));
    if (inside_) throw Error("tenon::set_threads: called from within parallel_for");
    std::lock_guard const one_call(calls_);
    stop_workers();
    threads_.store(count, std::memory_order_relaxed);
  }

  /// Calls `call(context, i)` for every i in [0, chunks). The first exception that is seen ends the
  /// call: chunks not yet begun are left out, and it is thrown here. A call from within a chunk, or
  /// while another thread's call is under way, runs in place.
  void run(std::int64_t chunks, Call call, void* context) {
    std::unique_lock one_call(calls_, std::defer_lock);
    if (chunks <= 1 || threads() == 1 || inside_ || !one_call.try_lock()) {
      for (std::int64_t i = 0; i < chunks; ++i) call(context, i);
      return;
    }
    start_workers();
    Job const job{call, context, chunks};
    open(job);
    work(job, 0);
    close();
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

 private:
  struct Job {
    Call call = nullptr;
    void* context = nullptr;
    std::int64_t chunks = 0;
  };

  /// The chunks that one thread begins with, on a cache line of its own.
  struct alignas(64) Share {
    std::atomic<std::int64_t> next{0};
    std::int64_t end = 0;
  };

  static constexpr int spins = 4000;  // about 50 µs: two kernels of a training step lie closer

  explicit WorkerThreads(int count) : threads_(count) {}

  static void pause() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
  }

  template <class Condition>
  static bool spin_until(Condition condition) {
    for (int i = 0; i < spins; ++i) {
      if (condition()) return true;
      pause();
    }
    return condition();
  }

  /// Where the system gives fewer threads than asked for, those that there are do the work.
  void start_workers() {
    auto const count = static_cast<std::size_t>(threads());
    if (shares_.size() != count) shares_ = std::vector<Share>(count);
    if (!workers_.empty() || stopped_) return;
    try {
      for (std::size_t i = 1; i < count; ++i) workers_.emplace_back([this, i] { serve(i); });
    } catch (std::system_error const&) {
    }
  }

  void stop_workers() {
    {
      std::lock_guard const lock(mutex_);
      stopping_ = true;
    }
    wake_.notify_all();
    for (std::thread& worker : workers_) worker.join();
    workers_.clear();
    stopping_ = false;
  }

  /// A chunk that ends the program cannot wait for itself.
  void stop_at_exit() {
    if (inside_) return;
    stopped_ = true;
    stop_workers();
  }

  void open(Job const& job) {
    {
      std::lock_guard const lock(mutex_);
      job_ = job;
      deal(job.chunks);
      open_ = true;
      calls_seen_.fetch_add(1, std::memory_order_release);
    }
    wake_.notify_all();
  }

  void deal(std::int64_t chunks) {
    auto const count = static_cast<std::int64_t>(shares_.size());
    std::int64_t const each = chunks / count, longer = chunks % count;
    std::int64_t begin = 0, i = 0;
    for (Share& share : shares_) {
      share.next.store(begin, std::memory_order_relaxed);
      share.end = begin += each + (i++ < longer ? 1 : 0);
    }
  }

  /// Nobody joins a closed job; whoever has joined is waited for.
  void close() {
    std::unique_lock lock(mutex_);
    open_ = false;
    if (joined_.load(std::memory_order_relaxed) == 0) return;
    lock.unlock();
    auto const all_left = [this] { return joined_.load(std::memory_order_acquire) == 0; };
    if (spin_until(all_left)) return;
    lock.lock();
    left_.wait(lock, all_left);
  }

  void work(Job const& job, std::size_t thread) {
    inside_ = true;
    index_ = thread;
    try {
      for (std::size_t i = 0; i < shares_.size(); ++i) {
        Share& share = shares_[(thread + i) % shares_.size()];
        for (std::int64_t chunk; (chunk = share.next++) < share.end;) {
          job.call(job.context, chunk);
        }
      }
    } catch (...) {
      fail(std::current_exception());
    }
    inside_ = false;
  }

  void fail(std::exception_ptr failure) {
    for (Share& share : shares_) share.next.store(share.end, std::memory_order_relaxed);
    std::lock_guard const lock(mutex_);
    if (!failure_) failure_ = std::move(failure);
  }

  void serve(std::size_t thread) {
    for (std::uint64_t seen = 0;;) {
      auto const called = [&] { return calls_seen_.load(std::memory_order_acquire) != seen; };
      spin_until(called);
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [&] { return stopping_ || called(); });
      if (stopping_) return;
      seen = calls_seen_.load(std::memory_order_relaxed);
      if (open_) join(lock, thread);
    }
  }

  void join(std::unique_lock<std::mutex>& lock, std::size_t thread) {
    Job const job = job_;
    joined_.fetch_add(1, std::memory_order_relaxed);
    lock.unlock();
    work(job, thread);
    lock.lock();
    if (joined_.fetch_sub(1, std::memory_order_release) == 1) left_.notify_one();
  }

  static inline thread_local bool inside_ = false;  ///< Within a chunk of a shared call.
  static inline thread_local std::size_t index_ = 0;

  std::atomic<int> threads_;
  std::mutex calls_;  ///< Held by the call that has the workers.
  std::vector<std::thread> workers_;
  std::vector<Share> shares_;
  bool stopped_ = false;

  std::mutex mutex_;  ///< Guards what follows.
  std::condition_variable wake_, left_;
  Job job_;
  bool open_ = false, stopping_ = false;
  std::exception_ptr failure_;
  std::atomic<std::uint64_t> calls_seen_{0};
  std::atomic<int> joined_{0};
};

}  // namespace tenon

// ---- tenon/backend/cpu/threads.hpp

namespace tenon {

/// The number of threads that compute. By default TENON_THREADS, else as many as the machine has;
/// throws `ValueError` where that variable is something else.
inline int threads() { return WorkerThreads::instance().threads(); }

/// Not from within `parallel_for`. No result depends on it.
inline void set_threads(int count) { WorkerThreads::instance().set_threads(count); }

/// Calls `f(chunk)` once for every chunk in [0, chunks), in any order, on this thread and on the
/// workers, and returns when all are done. Exceptions of `f` arrive here. Allocates nothing.
/// More than one chunk costs about 1 µs, or 7 µs where the workers sleep: work of less than about
/// 20 µs is best left in one.
template <class F>
void parallel_for(std::int64_t chunks, F&& f) {
  if (chunks == 1) return static_cast<void>(f(std::int64_t{0}));
  if (chunks < 1) return;
  using Function = std::remove_reference_t<F>;
  auto const call = [](void* context, std::int64_t chunk) {
    (*static_cast<Function*>(context))(chunk);
  };
  auto* const context = const_cast<std::remove_cv_t<Function>*>(std::addressof(f));
  WorkerThreads::instance().run(chunks, call, static_cast<void*>(context));
}

/// The same with working memory: `f(chunk, scratch)` gets `bytes` at a multiple of 64, which no
/// other thread uses at the time. One buffer is taken for all threads, so that how much memory the
/// program holds does not hang on which thread came first.
template <class F>
void parallel_for(std::int64_t chunks, std::size_t bytes, F&& f) {
  if (bytes == 0) return parallel_for(chunks, [&](std::int64_t chunk) { f(chunk, nullptr); });
  constexpr std::size_t line = block_alignment;
  std::size_t const each = (bytes + line - 1) / line * line;
  auto const count = static_cast<std::size_t>(threads());
  SharedBuffer const all(count * each);
  parallel_for(chunks, [&](std::int64_t chunk) {
    std::size_t const index = WorkerThreads::thread_index();
    // Another thread may have called `set_threads` in the meantime.
    SharedBuffer const own = index < count ? SharedBuffer() : SharedBuffer(each);
    f(chunk, own ? own.as<std::byte>() : all.as<std::byte>() + index * each);
  });
}

}  // namespace tenon

// ---- tenon/eval/sweep.hpp

namespace tenon {

/// Pulls the adjoint of one row (or piece) back to all leaves: the folds of the row forward, then
/// its elements, then the folds backward.
template <class M, class T, class K>
void sweep_row(K& kernel, RowChunks const& chunks, std::int64_t piece) {
  using V = typename M::template vector<T>;
  T const* const from = reinterpret_cast<T const*>(kernel.out.data);
  kernel.frame.prepare();
  if constexpr (K::has_scalar_rows) {
    kernel.frame.pull(kernel.frame.trace(0, 1), V(from[kernel.out.at]), 0, 1);
  } else {
    walk_piece<M>(kernel, chunks, piece, [&](std::int64_t begin, std::int64_t end) {
      walk_lanes<M>(begin, end, [&](std::int64_t j, int n) {
        T const* const at = from + kernel.out.now + j * kernel.out.inner;
        V const adjoint = kernel.out.inner != 1 ? M::load_strided(at, kernel.out.inner, n)
                          : n == M::count       ? M::load(at)
                                                : M::load(at, n);
        kernel.frame.pull(kernel.frame.trace(j, n), adjoint, j, n);
      });
    });
  }
  kernel.frame.back();
}

/// May two rows add to the same element through this access?
inline bool is_shared(RowLayout const& layout, MemoryAccess const& access) {
  if (access.shares_gradient) return true;
  for (int i = 0; i < layout.outer_rank; ++i) {
    if (at(access.stride, i) == 0 && at(layout.outer, i) > 1) return true;
  }
  return false;
}

/// Walk two accesses to one adjoint over it in different ways?
inline bool differ(MemoryAccess const& a, MemoryAccess const& b) {
  return a.gradient == b.gradient && (a.stride != b.stride || a.row != b.row || a.start != b.start);
}

/// The adjoints to which several chunks add. Each group of chunks gets a copy of its own; copies
/// are added in the order of the groups, so that the sum does not depend on the threads.
class SharedAdjoints {
 public:
  static constexpr std::int64_t most_groups = 16;
  static constexpr std::int64_t most_elements = std::int64_t{1} << 22;

  /// `accesses` are those of a kernel's formula.
  SharedAdjoints(Accesses const& accesses, RowLayout const& layout, RowChunks const& chunks)
      : groups_(chunks.count) {
    find(accesses, layout, chunks);
    std::int64_t elements = 0;
    for (Shared const& shared : shared_) elements += shared.count;
    if (shared_.empty()) return;
    groups_ =
        std::min({chunks.count, most_groups,
                  std::max<std::int64_t>(1, most_elements / std::max<std::int64_t>(1, elements))});
    if (groups_ <= 1) return;
    for (Shared& shared : shared_) shared.copies = zeros(groups_ * shared.count * shared.bytes);
  }

  /// Groups are worked on in parallel, the chunks of a group one after the other.
  std::int64_t groups() const { return groups_; }

  /// Points a kernel's accesses at the copies of a group.
  void redirect(Accesses const& accesses, std::int64_t group) const {
    if (groups_ <= 1) return;
    accesses.each([&](MemoryAccess& access) {
      for (Shared const& shared : shared_) {
        if (access.gradient == shared.gradient)
          access.gradient = shared.copies.as<std::byte>() + group * shared.count * shared.bytes;
      }
    });
  }

  /// Adds up the copies.
  void collect() const {
    for (Shared const& shared : shared_) {
      for (std::int64_t group = 0; groups_ > 1 && group < groups_; ++group) {
        shared.add(shared.gradient,
                   shared.copies.as<std::byte>() + group * shared.count * shared.bytes,
                   shared.count);
      }
    }
  }

 private:
  struct Shared {
    std::byte* gradient;
    std::int64_t count;
    std::int64_t bytes;
    void (*add)(std::byte*, std::byte const*, std::int64_t);
    SharedBuffer copies{};
  };

  static SharedBuffer zeros(std::int64_t bytes) {
    SharedBuffer buffer(static_cast<std::size_t>(bytes));
    std::memset(buffer.data(), 0, buffer.bytes());
    return buffer;
  }

  void enter(MemoryAccess const& access) {
    for (Shared const& shared : shared_) {
      if (shared.gradient == access.gradient) return;
    }
    shared_.push_back({access.gradient, access.count, access.element_bytes, access.add});
  }

  void find(Accesses const& accesses, RowLayout const& layout, RowChunks const& chunks) {
    if (chunks.count <= 1) return;
    accesses.each([&](MemoryAccess& access) {
      if (access.gradient == nullptr) return;
      bool shared = is_shared(layout, access);
      accesses.each([&](MemoryAccess& other) { shared = shared || differ(access, other); });
      bool const small_pieces = chunks.pieces > 1 && at(access.row, 0) == 0;
      if (shared || small_pieces) enter(access);
    });
  }

  std::vector<Shared> shared_;
  std::int64_t groups_;
};

/// Adds the adjoint of a settled recipe, which lies at `adjoint`, to those of its leaves.
template <class Backend, class E>
void sweep(E const& e, MemoryAccess const& adjoint, Tape& tape) {
  using M = typename Backend::machine;
  auto kernel = tenon::bind<M>(e, adjoint, &tape);
  RowChunks const chunks = chunks_of(kernel);
  SharedAdjoints const shared(accesses_of(kernel.frame), kernel, chunks);
  std::int64_t const groups = shared.groups();
  for_chunks<Backend>(kernel, groups, [&](auto& own, std::int64_t group) {
    shared.redirect(accesses_of(own.frame), group);
    for (std::int64_t chunk = group * chunks.count / groups;
         chunk < (group + 1) * chunks.count / groups; ++chunk) {
      for_rows(own, chunks, chunk, [&](auto& at, std::int64_t piece) {
        sweep_row<M, typename E::value_type>(at, chunks, piece);
      });
    }
  });
  shared.collect();
}

}  // namespace tenon

// ---- tenon/backend/cpu/backend.hpp

namespace tenon {

/// SIMD lanes on a pool of threads; products by a kernel.
struct CpuBackend {
  using device = Cpu;
  using machine = CpuMachine;
  using factors = linalg::CpuFactors;

  template <class F>
  static void parallel_for(std::int64_t chunks, F const& f) {
    tenon::parallel_for(chunks, f);
  }
  template <class F>
  static void parallel_for(std::int64_t chunks, std::size_t scratch_bytes, F const& f) {
    tenon::parallel_for(chunks, scratch_bytes, f);
  }

  template <class E>
  static void fill(E const& e, MemoryAccess const& out) {
    run<CpuBackend>(e, out);
  }

  template <class E>
    requires is_held<E>
  [[gnu::always_inline]] static void fill_held(E const& e, typename E::value_type* out) {
    tenon::fill_held<std::conditional_t<is_plain<E>, ScalarMachine, CpuMachine>>(e, out);
  }
  template <class E>
    requires is_small_product<E>
  [[gnu::always_inline]] static void fill_held(E const& e, typename E::value_type* out) {
    small_product(e, out);
  }

  template <class E>
  static void pull(E const& e, MemoryAccess const& adjoint, Tape& tape) {
    sweep<CpuBackend>(e, adjoint, tape);
  }

  template <class E>
  static void contract(E const& product, typename E::value_type* out) {
    tenon::contract<CpuBackend>(product, out);
  }

  template <class P, class E>
  static void contract_with_epilogue(P const& product, typename P::value_type* value, E const& e,
                                     MemoryAccess const& out) {
    tenon::contract_with_epilogue<CpuBackend>(product, value, e, out);
  }

  template <class E>
  static void pull_contract(E const& product, typename E::value_type const* adjoint, Tape& tape) {
    pull_product<CpuBackend>(product, adjoint, tape);
  }

  /// Bytes of working memory for a product of such sizes.
  template <class T>
  static std::size_t product_scratch(MatrixProduct<T> const& p) {
    return takes_loops<T>(p.m, p.n, p.k) ? 0 : tenon::product_scratch<T>;
  }

  template <class T>
  static void product(MatrixProduct<T> const& p, std::byte* scratch) {
    tenon::product<T>(p.m, p.n, p.k, {p.a, p.a_row, p.a_column}, {p.b, p.b_row, p.b_column},
                      {p.c, p.c_row, 1}, p.accumulate, scratch);
  }
};

template <>
struct BackendFor<Cpu> {
  using type = CpuBackend;
};

static_assert(Backend<CpuBackend>);

}  // namespace tenon

// ---- tenon/backend/reference/householder.hpp

namespace tenon::linalg {

/// The reflector that takes column j of an m x n matrix, from its diagonal down, to one number:
/// I - tau v vᵀ. Where there is nothing below the diagonal, tau is 0.
template <class T>
T reference_reflector(std::int64_t m, std::int64_t n, std::int64_t j, T const* a, T* v) {
  T tail = 0;
  for (std::int64_t i = 0; i < m; ++i) v[i] = i < j ? T(0) : a[i * n + j];
  for (std::int64_t i = j + 1; i < m; ++i) tail = std::hypot(tail, v[i]);
  if (tail == T(0)) return T(0);
  T const alpha = v[j], beta = -std::copysign(std::hypot(alpha, tail), alpha);
  for (std::int64_t i = j + 1; i < m; ++i) v[i] /= alpha - beta;
  v[j] = T(1);
  return (beta - alpha) / beta;
}

/// a = (I - tau v vᵀ) a, for a of m rows and n columns.
template <class T>
void reference_reflect(std::int64_t m, std::int64_t n, T tau, T const* v, T* a) {
  for (std::int64_t j = 0; j < n; ++j) {
    T sum = 0;
    for (std::int64_t i = 0; i < m; ++i) sum += v[i] * a[i * n + j];
    for (std::int64_t i = 0; i < m; ++i) a[i * n + j] -= tau * sum * v[i];
  }
}

/// a = q r by Householder's reflectors, each applied to the whole matrix.
template <class T>
void householder_qr(std::int64_t m, std::int64_t n, T const* a, T* q, T* r) {
  std::int64_t const k = std::min(m, n);
  std::vector<T> work(a, a + m * n), taus(static_cast<std::size_t>(k));
  std::vector<std::vector<T>> v(static_cast<std::size_t>(k),
                                std::vector<T>(static_cast<std::size_t>(m)));
  for (std::int64_t j = 0; j < k; ++j) {
    auto const at = static_cast<std::size_t>(j);
    taus[at] = reference_reflector(m, n, j, work.data(), v[at].data());
    reference_reflect(m, n, taus[at], v[at].data(), work.data());
  }
  for (std::int64_t i = 0; i < k; ++i)
    for (std::int64_t j = 0; j < n; ++j)
      r[i * n + j] = j < i ? T(0) : work[static_cast<std::size_t>(i * n + j)];
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < k; ++j) q[i * k + j] = i == j ? T(1) : T(0);
  for (std::int64_t j = k - 1; j >= 0; --j)
    reference_reflect(m, k, taus[static_cast<std::size_t>(j)],
                      v[static_cast<std::size_t>(j)].data(), q);
}

}  // namespace tenon::linalg

// ---- tenon/backend/reference/jacobi.hpp

#include <functional>
#include <numeric>

/// Jacobi's methods: rotations that make one element zero after the other, until all are.
namespace tenon::linalg {

/// A row-major matrix of its own, for the judge alone.
template <class T>
struct Grid {
  std::int64_t rows, columns;
  std::vector<T> elements;

  Grid(std::int64_t m, std::int64_t n) : rows(m), columns(n), elements(std::size_t(m * n)) {}
  T& operator()(std::int64_t i, std::int64_t j) { return elements[std::size_t(i * columns + j)]; }

  static Grid identity(std::int64_t n) {
    Grid result(n, n);
    for (std::int64_t i = 0; i < n; ++i) result(i, i) = T(1);
    return result;
  }
  T dot(std::int64_t p, std::int64_t q) {
    T sum = 0;
    for (std::int64_t i = 0; i < rows; ++i) sum += (*this)(i, p) * (*this)(i, q);
    return sum;
  }
  /// Columns p and q turn by the angle of a tangent.
  void turn_columns(std::int64_t p, std::int64_t q, T tangent) {
    T const c = 1 / std::hypot(T(1), tangent), s = c * tangent;
    for (std::int64_t i = 0; i < rows; ++i) {
      T const x = (*this)(i, p), y = (*this)(i, q);
      (*this)(i, p) = c * x - s * y;
      (*this)(i, q) = s * x + c * y;
    }
  }
  void turn_rows(std::int64_t p, std::int64_t q, T tangent) {
    T const c = 1 / std::hypot(T(1), tangent), s = c * tangent;
    for (std::int64_t j = 0; j < columns; ++j) {
      T const x = (*this)(p, j), y = (*this)(q, j);
      (*this)(p, j) = c * x - s * y;
      (*this)(q, j) = s * x + c * y;
    }
  }
};

/// The tangent of the angle that makes `between` zero, which lies between two diagonal elements.
template <class T>
T jacobi_tangent(T first, T second, T between) {
  T const theta = (second - first) / (2 * between);
  return std::copysign(T(1), theta) / (std::abs(theta) + std::hypot(theta, T(1)));
}

/// Calls turn(p, q) for all pairs, until it is false for all; false where that does not come.
template <class F>
bool sweep_pairs(std::int64_t n, F const& turn) {
  bool turned = true;
  for (int sweep = 0; turned && sweep < 100; ++sweep) {
    turned = false;
    for (std::int64_t p = 0; p < n; ++p)
      for (std::int64_t q = p + 1; q < n; ++q) turned = turn(p, q) || turned;
  }
  return !turned;
}

/// The positions of `count` keys in order.
template <class T, class Before>
std::vector<std::int64_t> order_of(std::int64_t count, T const* keys, Before before) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](auto i, auto j) { return before(keys[i], keys[j]); });
  return order;
}

/// The largest magnitude; NaN or infinite where an element is.
template <class T>
T largest_of(std::int64_t count, T const* a) {
  T largest = 0;
  for (std::int64_t i = 0; i < count; ++i)
    if (!(std::abs(a[i]) <= largest)) largest = std::abs(a[i]);
  return largest;
}

template <class T>
void fill_with_nan(std::int64_t count, T* a) {
  std::fill_n(a, count, std::numeric_limits<T>::quiet_NaN());
}

/// a = v diag(values) vᵀ; v takes the place of a, values ascend.
template <class T>
bool jacobi_eigen(std::int64_t n, T* a, T* values) {
  T const largest = largest_of(n * n, a);
  if (!std::isfinite(largest)) return fill_with_nan(n * n, a), fill_with_nan(n, values), true;
  Grid<T> d(n, n), v = Grid<T>::identity(n);
  std::copy_n(a, n * n, d.elements.begin());
  bool const converges = sweep_pairs(n, [&](std::int64_t p, std::int64_t q) {
    if (std::abs(d(p, q)) <= largest * std::numeric_limits<T>::epsilon() / 4) return false;
    T const tangent = jacobi_tangent(d(p, p), d(q, q), d(p, q));
    d.turn_columns(p, q, tangent);
    d.turn_rows(p, q, tangent);
    v.turn_columns(p, q, tangent);
    return true;
  });
  for (std::int64_t i = 0; i < n; ++i) values[i] = d(i, i);
  auto const order = order_of(n, values, std::less<T>());
  for (std::int64_t j = 0; j < n; ++j) {
    std::int64_t const from = order[std::size_t(j)];
    values[j] = d(from, from);
    for (std::int64_t i = 0; i < n; ++i) a[i * n + j] = v(i, from);
  }
  return converges;
}

}  // namespace tenon::linalg

// ---- tenon/backend/reference/jacobi_svd.hpp

namespace tenon::linalg {

/// Fills column j with a unit vector orthogonal to all columns before it.
template <class T>
void complete_column(Grid<T>& u, std::int64_t j) {
  T best = 0;
  for (std::int64_t unit = 0; unit < u.rows && best < T(0.5); ++unit) {
    Grid<T> candidate(u.rows, 1);
    candidate(unit, 0) = T(1);
    for (int twice = 0; twice < 2; ++twice)
      for (std::int64_t l = 0; l < j; ++l) {
        T along = 0;
        for (std::int64_t i = 0; i < u.rows; ++i) along += u(i, l) * candidate(i, 0);
        for (std::int64_t i = 0; i < u.rows; ++i) candidate(i, 0) -= along * u(i, l);
      }
    T const length = std::sqrt(candidate.dot(0, 0));
    if (length <= best) continue;
    best = length;
    for (std::int64_t i = 0; i < u.rows; ++i) u(i, j) = candidate(i, 0) / length;
  }
}

/// Columns as short as this are nothing but what rounding left.
template <class T>
T noise_of(Grid<T>& g) {
  T squares = 0;
  for (std::int64_t j = 0; j < g.columns; ++j) squares += g.dot(j, j);
  return std::numeric_limits<T>::epsilon() * T(g.rows) * std::sqrt(squares);
}

/// The columns of g (m x n, m >= n) become orthogonal, v turns along (Hestenes 1958).
template <class T>
bool orthogonalise_columns(Grid<T>& g, Grid<T>& v, T noise) {
  T const tolerance = 4 * std::numeric_limits<T>::epsilon() * T(g.rows);
  return sweep_pairs(g.columns, [&](std::int64_t p, std::int64_t q) {
    T const first = g.dot(p, p), second = g.dot(q, q), between = g.dot(p, q);
    T const least = std::sqrt(std::min(first, second)), most = std::sqrt(std::max(first, second));
    if (least <= noise || std::abs(between) <= tolerance * least * most) return false;
    T const tangent = jacobi_tangent(first, second, between);
    g.turn_columns(p, q, tangent);
    v.turn_columns(p, q, tangent);
    return true;
  });
}

/// a = u diag(s) vt for m >= n; the elements of a and of the three factors are found by functions
/// of row and column.
template <class T, class A, class U, class Vt>
bool tall_jacobi_svd(std::int64_t m, std::int64_t n, T scale, A const& a, U const& u, T* s,
                     Vt const& vt) {
  Grid<T> g(m, n), v = Grid<T>::identity(n);
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < n; ++j) g(i, j) = a(i, j) / scale;
  T const noise = noise_of(g);
  bool const converges = orthogonalise_columns(g, v, noise);
  std::vector<T> lengths;
  for (std::int64_t j = 0; j < n; ++j) lengths.push_back(std::sqrt(g.dot(j, j)));
  auto const order = order_of(n, lengths.data(), std::greater<T>());
  Grid<T> sorted(m, n);
  for (std::int64_t j = 0; j < n; ++j) {
    std::int64_t const from = order[std::size_t(j)];
    T const length = lengths[std::size_t(from)];
    s[j] = length * scale;
    for (std::int64_t i = 0; i < m && length > noise; ++i) sorted(i, j) = g(i, from) / length;
    if (length <= noise) complete_column(sorted, j);
    for (std::int64_t i = 0; i < m; ++i) u(i, j) = sorted(i, j);
    for (std::int64_t i = 0; i < n; ++i) vt(j, i) = v(i, from);
  }
  return converges;
}

/// a = u diag(s) vt; of a wide matrix the transpose is factored.
template <class T>
bool jacobi_svd(std::int64_t m, std::int64_t n, T const* a, T* u, T* s, T* vt) {
  std::int64_t const k = std::min(m, n);
  T const largest = largest_of(m * n, a), scale = largest == T(0) ? T(1) : largest;
  if (!std::isfinite(largest))
    return fill_with_nan(m * k, u), fill_with_nan(k, s), fill_with_nan(k * n, vt), true;
  auto const in = [&](auto i, auto j) { return a[i * n + j]; };
  auto const turned = [&](auto i, auto j) { return a[j * n + i]; };
  auto const left = [&](auto i, auto j) -> T& { return u[i * k + j]; };
  auto const right = [&](auto i, auto j) -> T& { return vt[i * n + j]; };
  auto const left_turned = [&](auto i, auto j) -> T& { return u[j * k + i]; };
  auto const right_turned = [&](auto i, auto j) -> T& { return vt[j * n + i]; };
  return m < n ? tall_jacobi_svd(n, m, scale, turned, right_turned, s, left_turned)
               : tall_jacobi_svd(m, n, scale, in, left, s, right);
}

}  // namespace tenon::linalg

// ---- tenon/backend/reference/factors.hpp

namespace tenon::linalg {

/// Factorisations as textbooks write them, element by element.
struct ReferenceFactors {
  /// Cholesky and Crout: one element after the other, row by row.
  template <class T, class N>
  static std::int64_t cholesky(N n, T* a) {
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t j = 0; j <= i; ++j) {
        T sum = a[i * n + j];
        for (std::int64_t k = 0; k < j; ++k) sum -= a[i * n + k] * a[j * n + k];
        if (i == j && !(sum > T(0))) return i;
        a[i * n + j] = i == j ? std::sqrt(sum) : sum / a[j * n + j];
      }
      for (std::int64_t j = i + 1; j < n; ++j) a[i * n + j] = T(0);
    }
    return -1;
  }

  /// Doolittle with the largest element of each column as its pivot.
  template <class T, class N>
  static std::int64_t lu(N n, T* a, std::int32_t* pivots) {
    std::int64_t zero = -1;
    for (std::int64_t k = 0; k < n; ++k) {
      std::int64_t p = k;
      for (std::int64_t i = k + 1; i < n; ++i)
        if (!(std::abs(a[i * n + k]) <= std::abs(a[p * n + k]))) p = i;
      pivots[k] = static_cast<std::int32_t>(p);
      for (std::int64_t j = 0; j < n; ++j) std::swap(a[k * n + j], a[p * n + j]);
      if (a[k * n + k] == T(0)) {
        zero = zero < 0 ? k : zero;
        continue;
      }
      for (std::int64_t i = k + 1; i < n; ++i) {
        a[i * n + k] /= a[k * n + k];
        for (std::int64_t j = k + 1; j < n; ++j) a[i * n + j] -= a[i * n + k] * a[k * n + j];
      }
    }
    return zero;
  }

  /// Columns of b one after the other: rows exchanged, then substituted forward and back.
  template <class T, class N, class K>
  static void solve(N n, K k, T const* lu, std::int32_t const* pivots, T* b) {
    for (std::int64_t c = 0; c < k; ++c) {
      for (std::int64_t i = 0; i < n; ++i) std::swap(b[i * k + c], b[pivots[i] * k + c]);
      for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t j = 0; j < i; ++j) b[i * k + c] -= lu[i * n + j] * b[j * k + c];
      for (std::int64_t i = n - 1; i >= 0; --i) {
        for (std::int64_t j = i + 1; j < n; ++j) b[i * k + c] -= lu[i * n + j] * b[j * k + c];
        b[i * k + c] /= lu[i * n + i];
      }
    }
  }

  template <class T, class M, class N>
  static void qr(M m, N n, T const* a, T* q, T* r) {
    householder_qr<T>(m, n, a, q, r);
  }
  template <class T, class N>
  static bool eigh(N n, T* a, T* values) {
    return jacobi_eigen<T>(n, a, values);
  }
  template <class T, class M, class N>
  static bool svd(M m, N n, T const* a, T* u, T* s, T* vt) {
    return jacobi_svd<T>(m, n, a, u, s, vt);
  }
};

}  // namespace tenon::linalg

// ---- tenon/backend/reference.hpp

namespace tenon {

/// Naive loops, one element at a time: obviously right, and the judge of every other backend.
struct ReferenceBackend {
  using device = Reference;
  using machine = ScalarMachine;
  using factors = linalg::ReferenceFactors;

  template <class F>
  static void parallel_for(std::int64_t chunks, F const& f) {
    for (std::int64_t chunk = 0; chunk < chunks; ++chunk) f(chunk);
  }
  template <class F>
  static void parallel_for(std::int64_t chunks, std::size_t scratch_bytes, F const& f) {
    SharedBuffer const scratch(scratch_bytes);
    for (std::int64_t chunk = 0; chunk < chunks; ++chunk) f(chunk, scratch.as<std::byte>());
  }

  /// Each element from its meaning; folds inside are computed anew for every element.
  template <class E>
  static void fill(E const& e, MemoryAccess const& out) {
    using T = typename E::value_type;
    ElementIndex index{};
    Sizes const sizes = e.sizes();
    T* const to = reinterpret_cast<T*>(out.gradient);
    if (count(sizes, E::shape.rank) == 0) return;
    do {
      to[offset(out.stride, index, E::shape.rank)] = element(e, index);
    } while (next(index, sizes, E::shape.rank));
  }

  template <class E>
  static void pull(E const& e, MemoryAccess const& adjoint, Tape& tape) {
    sweep<ReferenceBackend>(e, adjoint, tape);
  }

  template <class E>
  static void contract(E const& product, typename E::value_type* out) {
    ElementIndex index{};
    Sizes const sizes = product.sizes();
    if (count(sizes, E::shape.rank) == 0) return;
    do {
      *out++ = element(product, index);
    } while (next(index, sizes, E::shape.rank));
  }

  template <class E>
  static void pull_contract(E const& product, typename E::value_type const* adjoint, Tape& tape) {
    pull_product<ReferenceBackend>(product, adjoint, tape);
  }

  template <class T>
  static std::size_t product_scratch(MatrixProduct<T> const&) {
    return 0;
  }

  template <class T>
  static void product(MatrixProduct<T> const& p, std::byte*) {
    for (std::int64_t i = 0; i < p.m; ++i) {
      for (std::int64_t j = 0; j < p.n; ++j) {
        T sum = p.accumulate ? p.c[i * p.c_row + j] : T(0);
        for (std::int64_t l = 0; l < p.k; ++l)
          sum += p.a[i * p.a_row + l * p.a_column] * p.b[l * p.b_row + j * p.b_column];
        p.c[i * p.c_row + j] = sum;
      }
    }
  }
};

template <>
struct BackendFor<Reference> {
  using type = ReferenceBackend;
};

static_assert(Backend<ReferenceBackend>);

}  // namespace tenon

// ---- tenon/eval/assemble.hpp

namespace tenon {

/// Settled recipes whose values lie side by side in a result `R`.
template <TensorType R, class... E>
struct AssembledParts {
  using value_type = typename R::value_type;
  static constexpr std::size_t size = sizeof...(E);

  std::tuple<E...> parts;
  std::array<std::int64_t, size> starts;  ///< The result's element where a part begins.
  Sizes strides;                          ///< Of the result, along the axes of a part.
  std::array<bool, size> recorded;        ///< Does a part depend on what is recorded?

  /// Calls `f(part, start, recorded)` for every part.
  template <class F>
  constexpr void for_each(F const& f) const {
    [&]<std::size_t... k>(std::index_sequence<k...>) {
      (f(std::get<k>(parts), starts[k], recorded[k]), ...);
    }(std::make_index_sequence<size>());
  }
};

template <TensorType R, class... E>
bool depends_on_recording(AssembledParts<R, E...> const& assembly) {
  for (bool recorded : assembly.recorded) {
    if (recorded) return true;
  }
  return false;
}

/// What the tape keeps of an assembly: each part's adjoint is a box of that of the whole.
template <TensorType R, class... E>
struct AssemblyStep {
  AssembledParts<R, E...> assembly;

  void operator()(Tape& tape, std::byte const* adjoint) const {
    using T = typename R::value_type;
    assembly.for_each([&](auto const& part, std::int64_t start, bool recorded) {
      if (!recorded) return;
      MemoryAccess at = access_out(nullptr, assembly.strides, sizeof(T));
      at.data = adjoint + start * static_cast<std::int64_t>(sizeof(T));
      BackendOf<typename R::device>::pull(part, at, tape);
    });
  }
};

/// Computes one part into its box.
template <TensorType R, class E>
constexpr void fill_box(typename R::value_type* to, E const& part, Sizes const& strides) {
  Sizes const sizes = part.sizes();
  if (std::is_constant_evaluated()) {
    ElementIndex index{};
    for (std::int64_t i = 0; i < count(sizes, E::shape.rank); ++i) {
      to[offset(strides, index, E::shape.rank)] = element(part, index);
      next(index, sizes, E::shape.rank);
    }
  } else {
    MemoryAccess const out =
        access_out(reinterpret_cast<std::byte*>(to), strides, sizeof(typename R::value_type));
    BackendOf<typename R::device>::fill(part, out);
    ++kernels_run;
  }
}

/// A recipe as one kernel can compute it to any place.
template <class E>
constexpr auto as_part(E const& e) {
  if constexpr (FusesEpilogue<E>) return evaluate(e);
  else return settled(e);
}

/// An assembly in a graph: every part is a box of the result.
template <TensorType R, class... X>
R assembled_in_graph(R const& result, std::span<ElementIndex const> starts, int first_axis,
                     X const&... parts) {
  std::vector<graph::Reordering> boxes;
  auto const box = [&](auto const& part) {
    int const rank = Unqualified<decltype(part)>::shape.rank;
    graph::Reordering whole{{rank, part.sizes()}, {}, starts[boxes.size()]};
    for (int i = 0; i < rank; ++i)
      whole.order[static_cast<std::size_t>(i)] = static_cast<std::int8_t>(first_axis + i);
    boxes.push_back(whole);
    return graph::Graph::current->expanded(in_graph(part), whole.extent);
  };
  std::array<graph::Id, sizeof...(X)> const ids{box(parts)...};
  return graph::tensor_of<R>(
      graph::Graph::current->boxes(graph::elements_of(result), ids, std::move(boxes)));
}

/// `result` with the values of recipes in boxes of it: part k begins at `starts[k]`, and its axes
/// are those of the result from `first_axis` on. What is in no box stays as it is.
template <TensorType R, std::size_t N, class... X>
constexpr R assembled(R result, std::array<ElementIndex, N> const& starts, int first_axis,
                      X const&... parts) {
  using A = AssembledParts<R, decltype(as_part(parts))...>;
  Sizes const strides = row_major(result.sizes(), R::rank);
  Sizes own{};
  for (int i = first_axis; i < R::rank; ++i) at(own, i - first_axis) = at(strides, i);
  A assembly{{as_part(parts)...}, {}, own, {}};
  for (std::size_t k = 0; k < N; ++k) assembly.starts[k] = offset(strides, starts[k], R::rank);
  auto* const to = result.mutable_data();
  assembly.for_each(
      [&](auto const& part, std::int64_t start, bool) { fill_box<R>(to + start, part, own); });
  if (std::is_constant_evaluated()) return result;
  if constexpr (std::is_floating_point_v<typename R::value_type>) {
    assembly.recorded =
        std::apply([](auto const&... part) { return std::array{depends_on_recording(part)...}; },
                   assembly.parts);
    if (graph::is_open() && depends_on_recording(assembly))
      return assembled_in_graph(result, starts, first_axis, parts...);
    record<AssemblyStep<R, decltype(as_part(parts))...>>(assembly, result);
  }
  return result;
}

}  // namespace tenon

// ---- tenon/eval/draw.hpp

namespace tenon {

/// Blocks of four random words in one chunk: a number of its own, so that no word depends on
/// threads.
inline constexpr std::int64_t chunk_blocks = 4096;

/// Writes the words of `M::count` blocks of a stream, or of those that are left, one block after
/// the other.
template <class M>
void draw_blocks(op::PhiloxKey key, std::uint32_t stream, std::int64_t block, std::uint32_t* to,
                 std::int64_t words) {
  using V = typename M::template vector<std::uint32_t>;
  std::uint32_t number[M::count], drawn[4][M::count];
  for (int i = 0; i < M::count; ++i) number[i] = static_cast<std::uint32_t>(block + i);
  V const high = V(static_cast<std::uint32_t>(static_cast<std::uint64_t>(block) >> 32));
  auto const y =
      op::philox(op::PhiloxBlock<V>{M::load(number), high, V(stream), V(std::uint32_t{0})}, key);
  M::store(y.word0, drawn[0]);
  M::store(y.word1, drawn[1]);
  M::store(y.word2, drawn[2]);
  M::store(y.word3, drawn[3]);
  if (words >= 4 * M::count) {
    for (int i = 0; i < 4 * M::count; ++i) to[i] = drawn[i % 4][i / 4];
  } else {
    for (int i = 0; i < words; ++i) to[i] = drawn[i % 4][i / 4];
  }
}

/// Fills memory with random words: word i is word i % 4 of block i / 4 of a stream of a key. What
/// makers of random tensors ask evaluation for.
template <class D>
void draw_words(D, op::PhiloxKey key, std::uint32_t stream, std::uint32_t* to, std::int64_t count) {
  using Backend = BackendOf<D>;
  using M = typename Backend::machine;
  std::int64_t const blocks = (count + 3) / 4;
  Backend::parallel_for((blocks + chunk_blocks - 1) / chunk_blocks, [=](std::int64_t chunk) {
    std::int64_t const last = std::min((chunk + 1) * chunk_blocks, blocks);
    for (std::int64_t b = chunk * chunk_blocks; b < last; b += M::count)
      draw_blocks<M>(key, stream, b, to + 4 * b, count - 4 * b);
  });
}

}  // namespace tenon

// ---- tenon/eval/linalg/batch.hpp

/// How the functions of linear algebra walk over the matrices of a batch.
namespace tenon::linalg {

/// The backend's factorisations of one matrix.
template <TensorType E>
using FactorsOf = typename BackendOf<typename E::device>::factors;

/// The size of an axis counted from the end, 1 the last: known where the tensor holds its elements,
/// so that other tensors of one dtype share one instantiation.
template <int from_end, TensorType E>
constexpr auto extent(E const& tensor) {
  constexpr int axis = E::rank - from_end;
  if constexpr (E::holds_elements) return Known<E::shape[axis].size>();
  else return at(tensor.sizes(), axis);
}

/// The product of the sizes of all but the last `own` axes.
template <int own, TensorType E>
constexpr std::int64_t batch_size(E const& tensor) {
  return count(tensor.sizes(), E::rank - own);
}

/// Multiplications below which starting threads costs more than it gives.
inline constexpr std::int64_t batch_work = std::int64_t{1} << 17;

/// Calls f(i) for every matrix, several at a time where there is much to do: `work` counts the
/// multiplications for one. Returns the first one for which f is false, or -1.
template <TensorType E, class F>
std::int64_t first_failure(std::int64_t matrices, std::int64_t work, F const& f) {
  if (matrices == 1) return f(std::int64_t{0}) ? -1 : 0;
  std::int64_t const group =
      std::max<std::int64_t>(1, batch_work / std::max<std::int64_t>(1, work));
  std::atomic<std::int64_t> first{matrices};
  auto const run = [&](std::int64_t chunk) {
    for (std::int64_t i = chunk * group; i < std::min(matrices, (chunk + 1) * group); ++i) {
      std::int64_t known = first.load();
      if (i >= known || f(i)) continue;
      while (i < known && !first.compare_exchange_weak(known, i)) {
      }
    }
  };
  BackendOf<typename E::device>::parallel_for((matrices + group - 1) / group, run);
  return first.load() == matrices ? -1 : first.load();
}

/// Throws `ValueError`: which of several matrices is not as it should be.
[[noreturn]] inline void fail_matrix(std::string_view who, std::string_view expected,
                                     std::string_view got, std::int64_t matrix,
                                     std::int64_t matrices) {
  std::string const where = "matrix " + std::to_string(matrix) + " of " + std::to_string(matrices);
  fail<ValueError>({who, {}, expected, got, matrices == 1 ? std::string_view() : where});
}

/// Throws `ShapeError` where the last two axes differ in size.
template <TensorType E>
constexpr void require_square(std::string_view who, E const& a) {
  if constexpr (!E::shape[E::rank - 1].is_static() || !E::shape[E::rank - 2].is_static()) {
    std::int64_t const rows = at(a.sizes(), E::rank - 2), columns = at(a.sizes(), E::rank - 1);
    if (rows == columns) return;
    fail<ShapeError>({who, axis_label(E::shape, E::rank - 1), std::to_string(rows),
                      std::to_string(columns), "\"" + std::string(E::spec.view()) + "\""});
  }
}

/// The type that recorded calls work in: matrices in a row, every size known at run time. Gradients
/// are compiled once for a dtype, not for every shape.
template <TensorType E>
using Matrices = Tensor<typename E::value_type, "_ _ _", typename E::device>;

/// A tensor as matrices, the last axes those of a matrix (of vectors, `own` is 1: one column each).
template <int own, TensorType E>
Matrices<E> as_matrices(E const& tensor) {
  Sizes sizes = ones();
  at(sizes, 0) = batch_size<own>(tensor);
  at(sizes, 1) = at(tensor.sizes(), E::rank - own);
  if constexpr (own == 2) at(sizes, 2) = at(tensor.sizes(), E::rank - 1);
  return reshaped<Matrices<E>>(tensor, sizes);
}

/// The sizes of a factor: those of the batch, then others.
template <TensorType A>
Sizes factor_sizes(A const& a, std::int64_t rows, std::int64_t columns) {
  Sizes sizes = a.sizes();
  at(sizes, A::rank - 2) = rows;
  at(sizes, A::rank - 1) = columns;
  return sizes;
}

/// The sizes of the vectors of a batch of matrices.
template <TensorType A>
Sizes vector_sizes(A const& a, std::int64_t size) {
  Sizes sizes = a.sizes();
  at(sizes, A::rank - 1) = 1;
  at(sizes, A::rank - 2) = size;
  return sizes;
}

/// A tensor with the elements of another.
template <TensorType R, TensorType E>
constexpr R copied(Sizes const& sizes, E const& from) {
  R result = R::uninitialised(sizes);
  auto* const to = result.mutable_data();
  for (std::int64_t i = 0; i < result.size(); ++i) to[i] = from.data()[i];
  return result;
}

}  // namespace tenon::linalg

// ---- tenon/expr/create.hpp

/// Tensors from nothing: `zeros<Float32<"batch 784">>(32)`. The sizes of the run-time axes are
/// given in order; tensors that hold their elements are usable in constant expressions.
namespace tenon {

namespace error {

/// The operation, the spec, how many of its sizes only run time knows, and how many were given.
template <Spec Operation, Spec Shape, int Expected, int Got>
struct wrong_number_of_sizes;

/// The operation works on so many axes, the shape has others.
template <Spec Operation, Spec Shape, int Expected, int Got>
struct wrong_number_of_axes;

}  // namespace error

template <class R, class... I>
concept TakesSizes =
    TensorType<R> && (std::integral<I> && ...) && dynamic_axes(R::shape) == sizeof...(I);

/// What a maker returns that got another number of sizes than its type has run-time axes.
template <class Name, TensorType R, class... I>
using SizesMistake = error::wrong_number_of_sizes<spec_of_name<Name>, R::spec,
                                                  dynamic_axes(R::shape), int{sizeof...(I)}>;

struct ZerosName {
  static constexpr std::string_view name = "zeros";
};
struct OnesName {
  static constexpr std::string_view name = "ones";
};
struct FullName {
  static constexpr std::string_view name = "full";
};
struct IotaName {
  static constexpr std::string_view name = "iota";
};
struct EyeName {
  static constexpr std::string_view name = "eye";
};

/// Room for the elements of an `R`. Throws `ShapeError` for sizes that the spec does not allow.
template <TensorType R, std::integral... I>
constexpr R uninitialised(I... sizes) {
  return R::uninitialised(R::with_run_time_sizes({static_cast<std::int64_t>(sizes)...}));
}

/// Every element is `value`. PyTorch: `full`.
template <TensorType R, class V, class... I>
  requires TakesSizes<R, I...> && std::constructible_from<typename R::value_type, V>
constexpr R full(V value, I... sizes) {
  R result = uninitialised<R>(sizes...);
  std::fill_n(result.mutable_data(), result.size(), static_cast<typename R::value_type>(value));
  return result;
}
template <TensorType R, class V, class... I>
  requires(!TakesSizes<R, I...>)
constexpr auto full(V value, I... sizes) -> SizesMistake<FullName, R, I...>;

/// Zeros. PyTorch: `zeros`.
template <TensorType R, class... I>
  requires TakesSizes<R, I...>
constexpr R zeros(I... sizes) {
  return full<R>(typename R::value_type{}, sizes...);
}
template <TensorType R, class... I>
  requires(!TakesSizes<R, I...>)
constexpr auto zeros(I... sizes) -> SizesMistake<ZerosName, R, I...>;

/// Ones; of a mask: true. PyTorch: `ones`.
template <TensorType R, class... I>
  requires TakesSizes<R, I...>
constexpr R ones(I... sizes) {
  return full<R>(static_cast<typename R::value_type>(1), sizes...);
}
template <TensorType R, class... I>
  requires(!TakesSizes<R, I...>)
constexpr auto ones(I... sizes) -> SizesMistake<OnesName, R, I...>;

/// 0, 1, 2, … in row-major order. Not for masks. PyTorch: `arange`.
template <TensorType R, class... I>
  requires TakesSizes<R, I...> && NumType<typename R::value_type>
constexpr R iota(I... sizes) {
  using T = typename R::value_type;
  R result = uninitialised<R>(sizes...);
  T* const to = result.mutable_data();
  for (std::int64_t i = 0; i < result.size(); ++i) {
    if constexpr (ComplexType<T>) to[i] = static_cast<typename T::value_type>(i);
    else if constexpr (HalfType<T>) to[i] = T(static_cast<float>(i));
    else to[i] = static_cast<T>(i);
  }
  return result;
}
template <TensorType R, class... I>
  requires(!TakesSizes<R, I...>)
constexpr auto iota(I... sizes) -> SizesMistake<IotaName, R, I...>;
template <TensorType R, class... I>
  requires TakesSizes<R, I...> && BoolType<typename R::value_type>
constexpr auto iota(I... sizes) -> typename decltype(dtype_mistake<IotaName, R>())::type;

/// Both axes of a square matrix have one name and one run-time size.
template <class R, class... I>
concept TakesOneSize =
    TensorType<R> && (std::integral<I> && ...) && sizeof...(I) == 1 && R::rank == 2 &&
    dynamic_axes(R::shape) == 2 && R::shape[0].name == R::shape[1].name && R::shape[0].is_named();

/// Ones on the diagonal of a matrix: `eye<Float32<"n n">>(n)`, `eye<Float32<"3 3">>()`. It need not
/// be square: `eye<Float32<"n m">>(2, 3)`. PyTorch: `eye`.
template <TensorType R, class... I>
  requires(R::rank == 2) && (TakesSizes<R, I...> || TakesOneSize<R, I...>)
constexpr R eye(I... sizes) {
  if constexpr (TakesOneSize<R, I...>) {
    return eye<R>(sizes..., sizes...);
  } else {
    R result = zeros<R>(sizes...);
    Sizes const extents = result.sizes();
    auto* const to = result.mutable_data();
    for (std::int64_t i = 0; i < std::min(extents[0], extents[1]); ++i)
      to[i * (extents[1] + 1)] = static_cast<typename R::value_type>(1);
    return result;
  }
}
template <TensorType R, class... I>
  requires(R::rank == 2) && (!TakesSizes<R, I...> && !TakesOneSize<R, I...>)
constexpr auto eye(I... sizes) -> SizesMistake<EyeName, R, I...>;
template <TensorType R, class... I>
  requires(R::rank != 2)
constexpr auto eye(I... sizes)
    -> error::wrong_number_of_axes<spec_of_name<EyeName>, R::spec, 2, R::rank>;

struct FromSpanName {
  static constexpr std::string_view name = "from_span";
};

/// A copy of `elements`, row-major: `from_span<Float32<"n 3">>(numbers, 2)`. Takes whatever
/// converts to a span: a vector, an array. Throws `ShapeError` for another number of elements.
template <TensorType R, class... I>
  requires TakesSizes<R, I...>
constexpr R from_span(std::span<typename R::value_type const> elements, I... sizes) {
  R result = uninitialised<R>(sizes...);
  if (static_cast<std::int64_t>(elements.size()) != result.size()) {
    std::string const expected = std::to_string(result.size()) + " elements";
    std::string const got = std::to_string(elements.size());
    fail<ShapeError>({"from_span", {}, expected, got, R::spec.view()});
  }
  std::copy(elements.begin(), elements.end(), result.mutable_data());
  return result;
}
template <TensorType R, class... I>
  requires(!TakesSizes<R, I...>)
constexpr auto from_span(std::span<typename R::value_type const> elements, I... sizes)
    -> SizesMistake<FromSpanName, R, I...>;

}  // namespace tenon

// ---- tenon/expr/like.hpp

/// Tensors with the dtype, axes, sizes and device of another.
namespace tenon {

/// Every element is `value`. PyTorch: `full_like`.
template <Expression X, class V>
  requires std::constructible_from<typename Unqualified<X>::value_type, V>
constexpr TensorOf<X> full_like(X const& x, V value) {
  using T = typename Unqualified<X>::value_type;
  auto result = TensorOf<X>::uninitialised(x.sizes());
  std::fill_n(result.mutable_data(), result.size(), static_cast<T>(value));
  return result;
}
template <Mistake X, class V>
auto full_like(X const&, V) -> X;

/// Zeros. PyTorch: `zeros_like`.
template <Expression X>
constexpr TensorOf<X> zeros_like(X const& x) {
  return full_like(x, typename Unqualified<X>::value_type{});
}
template <Mistake X>
auto zeros_like(X const&) -> X;

/// Ones; of a mask: true. PyTorch: `ones_like`.
template <Expression X>
constexpr TensorOf<X> ones_like(X const& x) {
  return full_like(x, static_cast<typename Unqualified<X>::value_type>(1));
}
template <Mistake X>
auto ones_like(X const&) -> X;

}  // namespace tenon

// ---- tenon/expr/operators.hpp

/// Operators on expressions, elementwise and broadcasting. Comparisons give masks.
namespace tenon {

template <class A, Sound R = MapOf<op::Neg, A>>
constexpr auto operator-(A&& a) -> R {
  return map<op::Neg>(std::forward<A>(a));
}
template <class A, Mistaken R = MapOf<op::Neg, A>>
auto operator-(A&& a) -> R;

template <class A, Sound R = MapOf<op::Not, A>>
constexpr auto operator!(A&& a) -> R {
  return map<op::Not>(std::forward<A>(a));
}
template <class A, Mistaken R = MapOf<op::Not, A>>
auto operator!(A&& a) -> R;

template <class A, class B, Sound R = MapOf<op::Add, A, B>>
constexpr auto operator+(A&& a, B&& b) -> R {
  return map<op::Add>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B, Mistaken R = MapOf<op::Add, A, B>>
auto operator+(A&& a, B&& b) -> R;

template <class A, class B, Sound R = MapOf<op::Sub, A, B>>
constexpr auto operator-(A&& a, B&& b) -> R {
  return map<op::Sub>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B, Mistaken R = MapOf<op::Sub, A, B>>
auto operator-(A&& a, B&& b) -> R;

template <class A, class B, Sound R = MapOf<op::Mul, A, B>>
constexpr auto operator*(A&& a, B&& b) -> R {
  return map<op::Mul>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B, Mistaken R = MapOf<op::Mul, A, B>>
auto operator*(A&& a, B&& b) -> R;

template <class A, class B, Sound R = MapOf<op::Div, A, B>>
constexpr auto operator/(A&& a, B&& b) -> R {
  return map<op::Div>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B, Mistaken R = MapOf<op::Div, A, B>>
auto operator/(A&& a, B&& b) -> R;

template <class A, class B, Sound R = MapOf<op::Less, A, B>>
constexpr auto operator<(A&& a, B&& b) -> R {
  return map<op::Less>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B, Mistaken R = MapOf<op::Less, A, B>>
auto operator<(A&& a, B&& b) -> R;

template <class A, class B, Sound R = MapOf<op::LessEqual, A, B>>
constexpr auto operator<=(A&& a, B&& b) -> R {
  return map<op::LessEqual>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B, Mistaken R = MapOf<op::LessEqual, A, B>>
auto operator<=(A&& a, B&& b) -> R;

template <class A, class B, Sound R = MapOf<op::Greater, A, B>>
constexpr auto operator>(A&& a, B&& b) -> R {
  return map<op::Greater>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B, Mistaken R = MapOf<op::Greater, A, B>>
auto operator>(A&& a, B&& b) -> R;

template <class A, class B, Sound R = MapOf<op::GreaterEqual, A, B>>
constexpr auto operator>=(A&& a, B&& b) -> R {
  return map<op::GreaterEqual>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B, Mistaken R = MapOf<op::GreaterEqual, A, B>>
auto operator>=(A&& a, B&& b) -> R;

template <class A, class B, Sound R = MapOf<op::Equal, A, B>>
constexpr auto operator==(A&& a, B&& b) -> R {
  return map<op::Equal>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B, Mistaken R = MapOf<op::Equal, A, B>>
auto operator==(A&& a, B&& b) -> R;

template <class A, class B, Sound R = MapOf<op::NotEqual, A, B>>
constexpr auto operator!=(A&& a, B&& b) -> R {
  return map<op::NotEqual>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B, Mistaken R = MapOf<op::NotEqual, A, B>>
auto operator!=(A&& a, B&& b) -> R;

template <class A, class B, Sound R = MapOf<op::And, A, B>>
constexpr auto operator&&(A&& a, B&& b) -> R {
  return map<op::And>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B, Mistaken R = MapOf<op::And, A, B>>
auto operator&&(A&& a, B&& b) -> R;

template <class A, class B, Sound R = MapOf<op::Or, A, B>>
constexpr auto operator||(A&& a, B&& b) -> R {
  return map<op::Or>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B, Mistaken R = MapOf<op::Or, A, B>>
auto operator||(A&& a, B&& b) -> R;

}  // namespace tenon

// ---- tenon/eval/linalg/words.hpp

/// The few words of which the backwards of linear algebra are made. All is a stack of matrices, of
/// one type: vectors are matrices of one row. So a program compiles five kernels for a dtype,
/// however many factorisations it has.
namespace tenon::linalg {

template <TensorType M>
M added(M const& a, M const& b) {
  return a + b;
}
template <TensorType M>
M subtracted(M const& a, M const& b) {
  return a - b;
}
/// Element by element.
template <TensorType M>
M weighted(M const& a, M const& b) {
  return a * b;
}
template <TensorType M>
M turned(M const& a) {
  return transpose(a);
}
template <TensorType M>
M chained(M const& a, M const& b) {
  return matmul(a, b);
}

/// A stack like `x` of other matrices, without values.
template <TensorType M>
M stack_like(M const& x, std::int64_t rows, std::int64_t columns) {
  return M::uninitialised({at(x.sizes(), 0), rows, columns, 1, 1, 1, 1, 1});
}

/// Matrices that say by position what to do with those of `x`: above, on and below the diagonal.
template <TensorType M>
M weights_like(M const& x, std::int64_t n, std::array<int, 3> const& halves) {
  M weights = stack_like(x, n, n);
  auto* const to = weights.mutable_data();
  for (std::int64_t i = 0; i < weights.size(); ++i) {
    std::int64_t const row = i / n % n, column = i % n;
    auto const half = halves[row < column ? 0 : row == column ? 1 : 2];
    to[i] = static_cast<typename M::value_type>(half) / 2;
  }
  return weights;
}

/// One row n times, and the column of it n times.
template <TensorType M>
M repeated_row(M const& row, std::int64_t n) {
  auto ones = stack_like(row, n, 1);
  std::fill_n(ones.mutable_data(), ones.size(), typename M::value_type(1));
  return chained(ones, row);
}
template <TensorType M>
M repeated_column(M const& row, std::int64_t n) {
  return turned(repeated_row(row, n));
}

template <TensorType M>
M diagonal_matrix(M const& row) {
  std::int64_t const n = at(row.sizes(), 2);
  return weighted(repeated_row(row, n), weights_like(row, n, {0, 2, 0}));
}

/// (x + xᵀ) / 2, with the type of weights for the rest: -(x) / 2 and so on.
template <TensorType M>
M symmetric_part(M const& x) {
  return weighted(added(x, turned(x)), weights_like(x, at(x.sizes(), 2), {1, 1, 1}));
}

/// x - xᵀ.
template <TensorType M>
M skew(M const& x) {
  return subtracted(x, turned(x));
}

/// 1 / x, and 0 where x is 0: equal eigenvalues count as if they did not turn their vectors.
template <TensorType M>
M inverse_or_zero(M const& x) {
  auto const forward = [](M const& from) {
    M result = from;
    auto* const to = result.mutable_data();
    for (std::int64_t i = 0; i < result.size(); ++i) to[i] = to[i] == 0 ? 0 : 1 / to[i];
    return result;
  };
  auto const backward = [](M const& d, M const& y, M const&) {
    return subtracted(zeros_like(d), weighted(d, weighted(y, y)));
  };
  return custom_vjp(forward, backward)(x);
}

/// 1 / (x_j - x_i) in row i and column j; 0 where they are equal.
template <TensorType M>
M inverse_gaps(M const& row) {
  std::int64_t const n = at(row.sizes(), 2);
  return inverse_or_zero(skew(repeated_row(row, n)));
}

}  // namespace tenon::linalg

// ---- tenon/eval/linalg/solve.hpp

namespace tenon::linalg {

/// Throws `ShapeError` where a vector or matrix has another number of rows.
template <int own, TensorType A, TensorType B>
constexpr void require_rows(std::string_view who, A const& a, B const& b) {
  std::int64_t const rows = at(a.sizes(), A::rank - 2), got = at(b.sizes(), B::rank - own);
  if (rows != got) sizes_differ(who, B::shape, B::rank - own, rows, got);
}

/// The number of right-hand sides: one for every vector.
template <TensorType A, TensorType X>
constexpr auto right_sides(X const& x) {
  if constexpr (X::rank == A::rank) return extent<1>(x);
  else if constexpr (A::holds_elements) return Known<1>();
  else return std::int64_t{1};
}

/// x becomes a⁻¹ x, for every matrix of a batch.
template <TensorType A, TensorType X>
void solve_batch(std::string_view who, A const& a, X& x) {
  using T = typename A::value_type;
  auto const n = extent<1>(a);
  auto const k = right_sides<A>(x);
  T* const to = x.mutable_data();
  std::int64_t const matrices = batch_size<2>(a);
  auto const solve_one = [&](std::int64_t i) {
    auto factors = workspace<T>(product_of(n, n));
    auto pivots = workspace<std::int32_t>(n);
    std::copy_n(a.data() + i * n * n, product_of(n, n), factors.data());
    if (FactorsOf<A>::lu(n, factors.data(), pivots.data()) >= 0) return false;
    FactorsOf<A>::solve(n, k, factors.data(), pivots.data(), to + i * n * k);
    return true;
  };
  auto const bad = first_failure<A>(matrices, n * n * (n + k), solve_one);
  if (bad >= 0) fail_matrix(who, "a matrix that has an inverse", "a singular one", bad, matrices);
}

template <TensorType R, TensorType A, TensorType B>
R solution(A const& a, B const& b) {
  R x = copied<R>(b.sizes(), b);
  solve_batch("solve", a, x);
  return x;
}

template <TensorType R, TensorType A>
R inverse_of(A const& a) {
  R x = copied<R>(a.sizes(), a);
  auto const n = extent<1>(a);
  auto* const to = x.mutable_data();
  for (std::int64_t i = 0; i < x.size(); ++i) to[i] = i % (n * n) % (n + 1) == 0 ? 1 : 0;
  solve_batch("inverse", a, x);
  return x;
}

template <TensorType M>
M recorded_solution(M const& a, M const& b);

/// x = a⁻¹ b: the adjoint of b is a⁻ᵀ dx, that of a is -db xᵀ (Giles 2008, 2.3.1).
struct SolveBackward {
  template <TensorType M>
  std::tuple<M, M> operator()(M const& dx, M const& x, M const& a, M const&) const {
    M const db = recorded_solution(turned(a), dx), negative = subtracted(zeros_like(db), db);
    return {chained(negative, turned(x)), db};
  }
};

template <TensorType M>
M recorded_solution(M const& a, M const& b) {
  auto const forward = [](M const& x, M const& y) { return solution<M>(x, y); };
  return custom_vjp(forward, SolveBackward())(a, b);
}

/// x = a⁻¹: the adjoint of a is -xᵀ dx xᵀ (Giles 2008, 2.2.3).
struct InverseBackward {
  template <TensorType M>
  M operator()(M const& dx, M const& x, M const&) const {
    M const xt = turned(x);
    return chained(chained(xt, subtracted(zeros_like(dx), dx)), xt);
  }
};

template <TensorType M>
M recorded_inverse(M const& a) {
  return custom_vjp([](M const& x) { return inverse_of<M>(x); }, InverseBackward())(a);
}

}  // namespace tenon::linalg

namespace tenon {

/// The value of `linalg::solve` as an `R`; the axes before the matrices are equal.
template <TensorType R, TensorType A, TensorType B>
R solved(std::type_identity<R>, A const& a, B const& b) {
  constexpr int own = B::rank - A::rank + 2;
  linalg::require_square("solve", a);
  linalg::require_rows<own>("solve", a, b);
  if (!any_recorded(a, b)) return linalg::solution<R>(a, b);
  auto const matrices = linalg::as_matrices<2>(a), right = linalg::as_matrices<own>(b);
  return reshaped<R>(linalg::recorded_solution(matrices, right), b.sizes());
}

/// The value of `linalg::inverse` as an `R`.
template <TensorType R, TensorType A>
R inverted(std::type_identity<R>, A const& a) {
  linalg::require_square("inverse", a);
  if (!any_recorded(a)) return linalg::inverse_of<R>(a);
  return reshaped<R>(linalg::recorded_inverse(linalg::as_matrices<2>(a)), a.sizes());
}

}  // namespace tenon

// ---- tenon/eval/linalg/symmetrise.hpp

namespace tenon::linalg {

/// (a + aᵀ) / 2, to `to`: exactly a where a is symmetric.
template <class T, class N>
constexpr void symmetrise(N n, T const* a, T* to) {
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j) to[i * n + j] = a[i * n + j] / 2 + a[j * n + i] / 2;
}

}  // namespace tenon::linalg

// ---- tenon/eval/linalg/cholesky.hpp

namespace tenon::linalg {

template <TensorType R, TensorType A>
R cholesky_of(A const& a) {
  R result = R::uninitialised(a.sizes());
  auto* const to = result.mutable_data();
  auto const n = extent<1>(a);
  std::int64_t const matrices = batch_size<2>(a);
  auto const factor_one = [&](std::int64_t i) {
    symmetrise(n, a.data() + i * n * n, to + i * n * n);
    return FactorsOf<A>::cholesky(n, to + i * n * n) < 0;
  };
  auto const bad = first_failure<A>(matrices, n * n * n, factor_one);
  if (bad >= 0) fail_matrix("cholesky", "a positive definite matrix", "another one", bad, matrices);
  return result;
}

/// a = l lᵀ: the adjoint of a is the symmetric part of l⁻ᵀ p l⁻¹, where p is the lower part of
/// lᵀ dl with its diagonal halved (Murray 2016, "Differentiation of the Cholesky decomposition").
struct CholeskyBackward {
  template <TensorType M>
  M operator()(M const& dl, M const& l, M const&) const {
    M const lt = turned(l);
    M const p = weighted(chained(lt, dl), weights_like(l, at(l.sizes(), 1), {0, 1, 2}));
    M const left = recorded_solution(lt, turned(p));
    return symmetric_part(recorded_solution(lt, turned(left)));
  }
};

template <TensorType M>
M recorded_cholesky(M const& a) {
  return custom_vjp([](M const& x) { return cholesky_of<M>(x); }, CholeskyBackward())(a);
}

}  // namespace tenon::linalg

namespace tenon {

/// The value of `linalg::cholesky` as an `R`.
template <TensorType R, TensorType A>
R cholesky_factor(std::type_identity<R>, A const& a) {
  linalg::require_square("cholesky", a);
  if (!any_recorded(a)) return linalg::cholesky_of<R>(a);
  return reshaped<R>(linalg::recorded_cholesky(linalg::as_matrices<2>(a)), a.sizes());
}

}  // namespace tenon

// ---- tenon/expr/linalg/factors.hpp

/// What factorisations give: plain structs, to be taken apart by `auto [q, r] = linalg::qr(a)`.
namespace tenon::linalg {

/// A = Q R: orthonormal columns, upper triangular.
template <TensorType Q, TensorType R>
struct QR {
  Q q;
  R r;
};

/// A = U diag(S) Vᵀ: orthonormal columns and rows; singular values, the largest first.
template <TensorType U, TensorType S, TensorType Vt>
struct SVD {
  U u;
  S s;
  Vt vt;
};

/// A V = V diag(values): eigenvalues, the smallest first, and eigenvectors, one a column.
template <TensorType Values, TensorType Vectors>
struct Eigen {
  Values values;
  Vectors vectors;
};

/// One of these structs, and no name of a mistake.
template <class R>
concept Factored = !Mistake<R>;

}  // namespace tenon::linalg

// ---- tenon/eval/linalg/svd.hpp

namespace tenon::linalg {

template <TensorType U, TensorType S, TensorType Vt, TensorType A>
std::tuple<U, S, Vt> svd_of(A const& a, Sizes const& value_sizes) {
  auto const m = extent<2>(a), n = extent<1>(a);
  auto const k = smaller(m, n);
  std::tuple<U, S, Vt> result(U::uninitialised(factor_sizes(a, m, k)),
                              S::uninitialised(value_sizes),
                              Vt::uninitialised(factor_sizes(a, k, n)));
  auto* const u = std::get<0>(result).mutable_data();
  auto* const s = std::get<1>(result).mutable_data();
  auto* const vt = std::get<2>(result).mutable_data();
  std::int64_t const matrices = batch_size<2>(a);
  auto const bad = first_failure<A>(matrices, 10 * m * n * k, [&](std::int64_t i) {
    return FactorsOf<A>::svd(m, n, a.data() + i * m * n, u + i * m * k, s + i * k, vt + i * k * n);
  });
  if (bad >= 0) fail_matrix("svd", "steps that converge", "others", bad, matrices);
  return result;
}

/// a = u diag(s) vt (Townsend 2016, "Differentiating the singular value decomposition"). What a
/// long matrix has beyond its square part is added for long ones alone.
struct SvdBackward {
  template <TensorType M>
  M operator()(std::tuple<M, M, M> const& d, std::tuple<M, M, M> const& y, M const& a) const {
    auto const& [du, ds, dvt] = d;
    auto const& [u, s, vt] = y;
    std::int64_t const m = at(a.sizes(), 1), n = at(a.sizes(), 2), k = at(s.sizes(), 2);
    M const rows = repeated_row(s, k), gaps = inverse_gaps(weighted(s, s));
    M const u_turns = chained(turned(u), du), v_turns = chained(vt, turned(dvt));
    M const left = weighted(weighted(gaps, skew(u_turns)), rows);
    M const right = weighted(turned(rows), weighted(gaps, skew(v_turns)));
    M before = chained(u, added(added(left, right), diagonal_matrix(ds)));
    if (m > n) {
      M const beyond = subtracted(du, chained(u, u_turns));
      before = added(before, weighted(beyond, repeated_row(inverse_or_zero(s), m)));
    }
    if (n <= m) return chained(before, vt);
    M const beyond = subtracted(dvt, chained(turned(v_turns), vt));
    M const scaled = weighted(turned(repeated_row(inverse_or_zero(s), n)), beyond);
    return added(chained(before, vt), chained(u, scaled));
  }
};

template <TensorType M>
std::tuple<M, M, M> recorded_svd(M const& a) {
  auto const forward = [](M const& x) {
    std::int64_t const k = std::min(at(x.sizes(), 1), at(x.sizes(), 2));
    return svd_of<M, M, M>(x, factor_sizes(x, 1, k));
  };
  return custom_vjp(forward, SvdBackward())(a);
}

}  // namespace tenon::linalg

namespace tenon {

/// The value of `linalg::svd`.
template <TensorType U, TensorType S, TensorType Vt, TensorType A>
linalg::SVD<U, S, Vt> singular_factors(std::type_identity<linalg::SVD<U, S, Vt>>, A const& a) {
  std::int64_t const m = at(a.sizes(), A::rank - 2), n = at(a.sizes(), A::rank - 1);
  std::int64_t const k = std::min(m, n);
  Sizes const sizes = linalg::vector_sizes(a, k);
  if (!any_recorded(a)) {
    auto const [u, s, vt] = linalg::svd_of<U, S, Vt>(a, sizes);
    return {u, s, vt};
  }
  auto const [u, s, vt] = linalg::recorded_svd(linalg::as_matrices<2>(a));
  return {reshaped<U>(u, linalg::factor_sizes(a, m, k)), reshaped<S>(s, sizes),
          reshaped<Vt>(vt, linalg::factor_sizes(a, k, n))};
}

}  // namespace tenon

// ---- tenon/eval/linalg/det.hpp

namespace tenon::linalg {

/// The product of numbers `stride` apart and of a sign, also where parts of it are out of range.
template <class T, class N>
T long_product(N n, std::int64_t stride, T const* x, T sign) {
  T mantissa = sign;
  std::int64_t exponent = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    int part = 0, carry = 0;
    mantissa = std::frexp(mantissa * std::frexp(x[i * stride], &part), &carry);
    if (std::isfinite(mantissa)) exponent += part + carry;
  }
  return std::ldexp(mantissa, static_cast<int>(std::clamp<std::int64_t>(exponent, -5000, 5000)));
}

/// The determinant of one matrix, of its factors.
template <class F, class T, class N>
T determinant(N n, T const* a) {
  auto factors = workspace<T>(product_of(n, n));
  auto pivots = workspace<std::int32_t>(n);
  std::copy_n(a, product_of(n, n), factors.data());
  if (F::lu(n, factors.data(), pivots.data()) >= 0) return T(0);
  T sign = 1;
  for (std::int64_t i = 0; i < n; ++i) sign = pivots.data()[i] == i ? sign : -sign;
  T product = sign;
  for (std::int64_t i = 0; i < n; ++i) product *= factors.data()[i * (n + 1)];
  bool const plain = std::isfinite(product) && std::abs(product) >= std::numeric_limits<T>::min();
  return plain ? product : long_product(n, n + 1, factors.data(), sign);
}

template <TensorType R, TensorType A>
R determinant_of(A const& a, Sizes const& sizes) {
  R result = R::uninitialised(sizes);
  auto* const to = result.mutable_data();
  auto const n = extent<1>(a);
  first_failure<A>(batch_size<2>(a), n * n * n, [&](std::int64_t i) {
    to[i] = determinant<FactorsOf<A>>(n, a.data() + i * n * n);
    return true;
  });
  return result;
}

/// The cofactors of singular matrices as well: det(u) det(v) u diag(products of the other singular
/// values) vᵀ. A constant: a singular matrix has no second derivative here.
template <TensorType M>
M cofactors(M const& a) {
  if (any_recorded(a)) throw Error("tenon::det: no second derivative where a matrix is singular");
  std::int64_t const n = at(a.sizes(), 2);
  auto const [u, s, vt] = svd_of<M, M, M>(a, factor_sizes(a, 1, n));
  M const left = determinant_of<M>(u, factor_sizes(a, 1, 1));
  M const right = determinant_of<M>(vt, factor_sizes(a, 1, 1));
  M scaled = u;
  auto* const to = scaled.mutable_data();
  for (std::int64_t i = 0; i < a.size(); ++i) {
    std::int64_t const p = i / (n * n);
    to[i] *= left.data()[p] * right.data()[p];
    for (std::int64_t j = 0; j < n; ++j) to[i] *= j == i % n ? 1 : s.data()[p * n + j];
  }
  return chained(scaled, vt);
}

/// The adjoint of a is that of its determinant times the cofactors: det a⁻ᵀ where there is one.
struct DetBackward {
  template <TensorType M>
  M operator()(M const& d, M const& y, M const& a) const {
    std::int64_t const n = at(a.sizes(), 2);
    auto const everywhere = [&](M const& x) {
      return repeated_column(turned(repeated_row(x, n)), n);
    };
    bool const singular = std::find(y.data(), y.data() + y.size(), 0) != y.data() + y.size();
    if (singular) return weighted(everywhere(d), cofactors(a));
    return weighted(everywhere(weighted(d, y)), turned(recorded_inverse(a)));
  }
};

template <TensorType M>
M recorded_determinant(M const& a) {
  auto const forward = [](M const& x) { return determinant_of<M>(x, factor_sizes(x, 1, 1)); };
  return custom_vjp(forward, DetBackward())(a);
}

}  // namespace tenon::linalg

namespace tenon {

/// The value of `linalg::det` as an `R`.
template <TensorType R, TensorType A>
R determinants(std::type_identity<R>, A const& a) {
  linalg::require_square("det", a);
  Sizes const sizes = linalg::factor_sizes(a, 1, 1);
  if (!any_recorded(a)) return linalg::determinant_of<R>(a, sizes);
  return reshaped<R>(linalg::recorded_determinant(linalg::as_matrices<2>(a)), sizes);
}

}  // namespace tenon

// ---- tenon/eval/linalg/eigh.hpp

namespace tenon::linalg {

template <TensorType Values, TensorType Vectors, TensorType A>
std::tuple<Values, Vectors> eigen_of(A const& a, Sizes const& value_sizes) {
  auto const n = extent<1>(a);
  std::tuple<Values, Vectors> result(Values::uninitialised(value_sizes),
                                     Vectors::uninitialised(a.sizes()));
  auto* const values = std::get<0>(result).mutable_data();
  auto* const v = std::get<1>(result).mutable_data();
  std::int64_t const matrices = batch_size<2>(a);
  auto const bad = first_failure<A>(matrices, 10 * n * n * n, [&](std::int64_t i) {
    symmetrise(n, a.data() + i * n * n, v + i * n * n);
    return FactorsOf<A>::eigh(n, v + i * n * n, values + i * n);
  });
  if (bad >= 0) fail_matrix("eigh", "steps that converge", "others", bad, matrices);
  return result;
}

/// a v = v diag(w): the adjoint of a is v (diag(dw) + f ∘ vᵀ dv) vᵀ, where f is 1 / (w_j - w_i)
/// (Giles 2008, 3.1).
struct EighBackward {
  template <TensorType M>
  M operator()(std::tuple<M, M> const& d, std::tuple<M, M> const& y, M const&) const {
    auto const& [dw, dv] = d;
    auto const& [w, v] = y;
    M const vt = turned(v), turns = weighted(inverse_gaps(w), chained(vt, dv));
    return symmetric_part(chained(chained(v, added(diagonal_matrix(dw), turns)), vt));
  }
};

template <TensorType M>
std::tuple<M, M> recorded_eigen(M const& a) {
  auto const forward = [](M const& x) {
    return eigen_of<M, M>(x, factor_sizes(x, 1, at(x.sizes(), 2)));
  };
  return custom_vjp(forward, EighBackward())(a);
}

}  // namespace tenon::linalg

namespace tenon {

/// The value of `linalg::eigh`.
template <TensorType Values, TensorType Vectors, TensorType A>
linalg::Eigen<Values, Vectors> symmetric_eigen(std::type_identity<linalg::Eigen<Values, Vectors>>,
                                               A const& a) {
  linalg::require_square("eigh", a);
  Sizes const sizes = linalg::vector_sizes(a, at(a.sizes(), A::rank - 1));
  if (!any_recorded(a)) {
    auto const [values, vectors] = linalg::eigen_of<Values, Vectors>(a, sizes);
    return {values, vectors};
  }
  auto const [values, vectors] = linalg::recorded_eigen(linalg::as_matrices<2>(a));
  return {reshaped<Values>(values, sizes), reshaped<Vectors>(vectors, a.sizes())};
}

}  // namespace tenon

// ---- tenon/eval/linalg/qr.hpp

namespace tenon::linalg {

template <TensorType Q, TensorType R, TensorType A>
std::tuple<Q, R> qr_of(A const& a) {
  auto const m = extent<2>(a), n = extent<1>(a);
  auto const k = smaller(m, n);
  std::tuple<Q, R> result(Q::uninitialised(factor_sizes(a, m, k)),
                          R::uninitialised(factor_sizes(a, k, n)));
  auto* const q = std::get<0>(result).mutable_data();
  auto* const r = std::get<1>(result).mutable_data();
  first_failure<A>(batch_size<2>(a), m * n * k, [&](std::int64_t i) {
    FactorsOf<A>::qr(m, n, a.data() + i * m * n, q + i * m * k, r + i * k * n);
    return true;
  });
  return result;
}

/// a = q r, as many rows as columns or more: the adjoint of a is (dq + q c) r⁻ᵀ, where c is
/// r drᵀ - dqᵀ q with what is below its diagonal mirrored (Walter and Lehmann 2012, in reverse).
struct QrBackward {
  template <TensorType M>
  M operator()(std::tuple<M, M> const& d, std::tuple<M, M> const& y, M const&) const {
    auto const& [dq, dr] = d;
    auto const& [q, r] = y;
    M const both = subtracted(chained(r, turned(dr)), chained(turned(dq), q));
    M const lower = weighted(both, weights_like(both, at(r.sizes(), 1), {0, 1, 2}));
    M const adjoint = added(dq, chained(q, added(lower, turned(lower))));
    return turned(recorded_solution(r, turned(adjoint)));
  }
};

/// Columns `from` and so on of the n x n matrix of one: times it, a matrix gives those columns.
template <TensorType M>
M columns_of_one(M const& x, std::int64_t n, std::int64_t columns, std::int64_t from) {
  M result = zeros_like(stack_like(x, n, columns));
  auto* const to = result.mutable_data();
  for (std::int64_t i = 0; i < result.size(); ++i) to[i] = i / columns % n == i % columns + from;
  return result;
}

/// Of a wide matrix the square on the left is factored; the rest of r is qᵀ times the rest.
template <TensorType M>
std::tuple<M, M> recorded_qr(M const& a) {
  std::int64_t const m = at(a.sizes(), 1), n = at(a.sizes(), 2);
  auto const factored = custom_vjp([](M const& x) { return qr_of<M, M>(x); }, QrBackward());
  if (m >= n) return factored(a);
  M const first = columns_of_one(a, n, m, 0), others = columns_of_one(a, n, n - m, m);
  auto const [q, r] = factored(chained(a, first));
  M const rest = chained(turned(q), chained(a, others));
  return {q, added(chained(r, turned(first)), chained(rest, turned(others)))};
}

}  // namespace tenon::linalg

namespace tenon {

/// The value of `linalg::qr`.
template <TensorType Q, TensorType R, TensorType A>
linalg::QR<Q, R> orthogonal_factors(std::type_identity<linalg::QR<Q, R>>, A const& a) {
  if (!any_recorded(a)) {
    auto const [q, r] = linalg::qr_of<Q, R>(a);
    return {q, r};
  }
  auto const [q, r] = linalg::recorded_qr(linalg::as_matrices<2>(a));
  std::int64_t const m = q.sizes()[1], k = q.sizes()[2], n = r.sizes()[2];
  return {reshaped<Q>(q, linalg::factor_sizes(a, m, k)),
          reshaped<R>(r, linalg::factor_sizes(a, k, n))};
}

}  // namespace tenon

// ---- tenon/expr/join_set.hpp

namespace tenon {

struct SetName {
  static constexpr std::string_view name = "set";
};

/// What `set` may be told to replace: one slice by its position, or several by a tensor of
/// positions.
template <class I>
concept SetPosition = (std::integral<I> && !std::same_as<I, bool>) || Expression<I>;

/// The axes of what replaces the slices: those of `E` without the axis, with those of the positions
/// in its place.
template <class E, class I, int axis>
struct ReplacementRule {
  static constexpr Shape shape = removed(E::shape, axis);
};
template <class E, ExpressionType I, int axis>
struct ReplacementRule<E, I, axis> {
  static constexpr Shape shape = Gather<TensorOf<E>, TensorOf<I>, axis>::shape;
};

template <class I>
inline constexpr bool is_position = true;
template <ExpressionType I>
inline constexpr bool is_position<I> = IntegerType<typename I::value_type>;

/// Names what keeps `V` from replacing slices of `E`; `void` where nothing does.
template <class E, class I, class V, int axis>
constexpr auto replacement_mistake() {
  using Rule = ReplacementRule<E, I, axis>;
  if constexpr (!ExpressionType<V>) return std::type_identity<void>{};
  else if constexpr (!DevicesMeet<E, V>) return device_mistake<SetName, E, V>();
  else if constexpr (!std::same_as<typename E::value_type, typename V::value_type>)
    return dtype_mistake<SetName, E, V>();
  else if constexpr (!assignable(Rule::shape, V::shape))
    return assignment_mistake<SetName, Rule, V>();
  else return std::type_identity<void>{};
}

template <Axes axes, class E, class I, class V>
constexpr auto set_type() {
  using axis = typename decltype(axes_mistake<SetName, axes, 1, E>())::type;
  if constexpr (!std::is_void_v<axis>) return std::type_identity<axis>{};
  else if constexpr (!is_position<I>) return dtype_mistake<SetName, I>();
  else {
    using mistake =
        typename decltype(replacement_mistake<E, I, V, Chosen<axes, E>::value.axis()>())::type;
    return std::type_identity<std::conditional_t<std::is_void_v<mistake>, TensorOf<E>, mistake>>{};
  }
}

/// The tensor that `set` gives, or an undefined type that names the mistake.
template <Axes axes, Expression X, SetPosition I, MapOperand V>
using SetIn =
    typename decltype(set_type<axes, Unqualified<X>, Unqualified<I>, Unqualified<V>>())::type;

/// The sizes that a replacement has to have: those of `x` with those of the positions in the place
/// of the axis. Throws `ShapeError`.
template <class Rule, class E, class I, class V>
constexpr void check_replacement(E const& x, I const& positions, V const& value, int axis) {
  Sizes const from = x.sizes(), got = value.sizes();
  Sizes chosen = ones();
  int chosen_rank = 0;
  if constexpr (ExpressionType<I>) chosen = positions.sizes(), chosen_rank = I::shape.rank;
  for (int i = 0; i < Rule::shape.rank; ++i) {
    std::int64_t const expected = i < axis                 ? at(from, i)
                                  : i < axis + chosen_rank ? at(chosen, i - axis)
                                                           : at(from, i - chosen_rank + 1);
    if (at(got, i) != expected) sizes_differ("set", Rule::shape, i, expected, at(got, i));
  }
}

/// A tensor of one position, or the positions as they are.
template <class D, class I>
constexpr auto positions_of(I const& i) {
  if constexpr (ExpressionType<I>) return evaluate(i);
  else return Tensor<std::int64_t, "", D>(static_cast<std::int64_t>(i));
}

/// `x` with the slices at `i` along an axis replaced by `value`: at an integer by a slice without
/// the axis, at a tensor of integers by slices with its axes instead; of equal integers the last
/// counts. A number replaces every element. What is not shared is changed in place. Throws
/// `IndexError`, `ShapeError`. PyTorch: `x[:, i] = value`, `index_copy`. JAX: `x.at[i].set(value)`.
template <Axes axis, Expression X, SetPosition I, MapOperand V>
constexpr auto set(X&& x, I const& i, V&& value) -> SetIn<axis, X, I, V> {
  using E = Unqualified<X>;
  constexpr int along = Chosen<axis, E>::value.axis();
  auto const positions = positions_of<typename E::device>(i);
  check_ids("set", positions, at(x.sizes(), along));
  if constexpr (Expression<V>) {
    check_replacement<ReplacementRule<E, I, along>>(x, i, value, along);
    return replaced_slices(TensorOf<X>(hold(std::forward<X>(x))), along, positions,
                           evaluate(hold(std::forward<V>(value))));
  } else {
    return replaced_slices(TensorOf<X>(hold(std::forward<X>(x))), along, positions,
                           ConstantNode(static_cast<typename E::value_type>(value)));
  }
}
template <Axes, class... X>
auto set(X const&...) -> FirstMistake<X...>;

}  // namespace tenon

// ---- tenon/eval/replace.hpp

namespace tenon {

/// Slices along an axis in memory: `rows` of them, `outer` times, of `inner` elements each.
struct AxisRows {
  std::int64_t outer = 1;
  std::int64_t rows = 1;
  std::int64_t inner = 1;
};

constexpr AxisRows rows_along(Sizes const& sizes, int rank, int axis) {
  AxisRows rows{};
  for (int i = 0; i < rank; ++i) {
    std::int64_t& count = i < axis ? rows.outer : i == axis ? rows.rows : rows.inner;
    count *= at(sizes, i);
  }
  return rows;
}

/// Where a replacement for a slice comes from, for every slice; -1 where it stays.
template <class P>
SharedBuffer winners(P const& positions, std::int64_t rows) {
  SharedBuffer buffer(static_cast<std::size_t>(rows) * sizeof(std::int64_t));
  std::fill_n(buffer.as<std::int64_t>(), rows, std::int64_t{-1});
  for (std::int64_t k = 0; k < positions.size(); ++k)
    buffer.as<std::int64_t>()[static_cast<std::int64_t>(positions.data()[k])] = k;
  return buffer;
}

/// What the tape keeps of replaced slices: a slice's adjoint belongs to the replacement that is
/// seen there, or to the original where it stayed.
template <class T, class P>
struct ReplacementStep {
  TapeMark original, replacement;
  P positions;
  AxisRows axis;

  void operator()(Tape& tape, std::byte const* adjoint) const {
    auto const [outer, rows, inner] = axis;
    std::int64_t const given = positions.size();
    std::byte* const kept = tape.gradient_of(original, outer * rows * inner, sizeof(T));
    std::byte* const put = tape.gradient_of(replacement, outer * given * inner, sizeof(T));
    SharedBuffer const from = winners(positions, rows);
    for (std::int64_t i = 0; i < outer * rows; ++i) {
      std::int64_t const winner = from.as<std::int64_t>()[i % rows];
      std::byte* const to = winner < 0 ? kept : put;
      std::int64_t const place = winner < 0 ? i : i / rows * given + winner;
      if (to == nullptr) continue;
      add_elements<T>(to + place * inner * static_cast<std::int64_t>(sizeof(T)),
                      adjoint + i * inner * static_cast<std::int64_t>(sizeof(T)), inner);
    }
  }
};

/// The mark of what replaces slices; a number has none.
template <class V>
constexpr TapeMark mark_of(V const& value) {
  if constexpr (TensorType<V>) return value.mark();
  else return {};
}

template <class V>
bool is_tracked(V const& value) {
  if constexpr (TensorType<V>) return depends_on_recording(value);
  else return false;
}

/// Writes a replacement's slices to their positions, one after the other.
template <class T, class P, class V>
constexpr void write_slices(T* to, AxisRows const& axis, P const& positions, V const& value) {
  for (std::int64_t o = 0; o < axis.outer; ++o) {
    for (std::int64_t k = 0; k < positions.size(); ++k) {
      std::int64_t const row = o * axis.rows + static_cast<std::int64_t>(positions.data()[k]);
      T* const slice = to + row * axis.inner;
      if constexpr (is_constant<V>) std::fill_n(slice, axis.inner, value.value);
      else std::copy_n(value.data() + (o * positions.size() + k) * axis.inner, axis.inner, slice);
    }
  }
}

/// Replaced slices in a graph: every element is the original's or the replacement's.
template <TensorType R, class P, class V>
R replaced_in_graph(R x, AxisRows const& axis, P const& positions, V const& value) {
  std::vector<graph::Id> inputs{graph::id_of(x)};
  x.set_mark({});
  write_slices(x.mutable_data(), axis, positions, value);
  SharedBuffer const from = winners(positions, axis.rows);
  std::vector<graph::Origin> origins(2);
  for (std::int64_t i = 0; i < axis.outer * axis.rows * axis.inner; ++i) {
    std::int64_t const row = i / axis.inner, slice = from.as<std::int64_t>()[row % axis.rows];
    std::int64_t const put = row / axis.rows * positions.size() + slice;
    if (slice < 0) origins[0].add(i, i);
    else origins[1].add(put * axis.inner + i % axis.inner, i);
  }
  if constexpr (TensorType<V>) inputs.push_back(graph::id_of(value));
  return graph::tensor_of<R>(graph::Graph::current->origins(
      graph::elements_of(x), inputs, std::span(origins).first(inputs.size())));
}

/// `x` with slices along an axis replaced. Its memory is used again if nobody else has it.
template <TensorType R, class P, class V>
constexpr R replaced_slices(R x, int axis, P const& positions, V const& value) {
  using T = typename R::value_type;
  TapeMark const original = x.mark();
  bool kept = false, put = false;
  if (!std::is_constant_evaluated()) kept = is_tracked(x), put = is_tracked(value);
  AxisRows const rows = rows_along(x.sizes(), R::rank, axis);
  if constexpr (std::is_floating_point_v<T>) {
    if ((kept || put) && graph::is_open()) return replaced_in_graph(x, rows, positions, value);
  }
  x.set_mark({});
  write_slices(x.mutable_data(), rows, positions, value);
  if constexpr (std::is_floating_point_v<T>) {
    if (kept || put) {
      TapeMark const mark = Tape::current()->new_slot();
      Tape::current()->record(mark,
                              ReplacementStep<T, P>{original, mark_of(value), positions, rows});
      x.set_mark(mark);
    }
  }
  return x;
}

}  // namespace tenon

// ---- tenon/eval/lines.hpp

namespace tenon {

/// Lines along an axis, as many as lie side by side in memory: the element `i` of line `j` is at
/// `start + i * step + j`.
struct AxisLines {
  std::int64_t start = 0;
  std::int64_t length = 0;
  std::int64_t step = 1;
  std::int64_t width = 1;

  /// The same lines from their end.
  constexpr AxisLines reversed() const {
    return {start + std::max<std::int64_t>(length - 1, 0) * step, length, -step, width};
  }
};

/// The most lines that are walked side by side.
inline constexpr std::int64_t most_lines = 256;

/// Calls `f(lines, scratch)` for all lines of a tensor along an axis, in chunks that do not depend
/// on the number of threads; `scratch` are so many bytes to work in.
template <TensorType E, class F>
void for_lines(E const& tensor, int axis, std::size_t scratch_bytes, F const& f) {
  AxisRows const along = rows_along(tensor.sizes(), E::rank, axis);
  if (tensor.size() == 0) return;
  std::int64_t const bundles = (along.inner + most_lines - 1) / most_lines;
  std::int64_t const work = along.rows * std::min(along.inner, most_lines);
  std::int64_t const total = along.outer * bundles;
  std::int64_t const each = std::max<std::int64_t>(1, chunk_elements / work);
  auto const lines = [=](std::int64_t number) {
    std::int64_t const first = number % bundles * most_lines;
    return AxisLines{number / bundles * along.rows * along.inner + first, along.rows, along.inner,
                     std::min(most_lines, along.inner - first)};
  };
  BackendOf<typename E::device>::parallel_for(
      (total + each - 1) / each, scratch_bytes, [&](std::int64_t chunk, std::byte* scratch) {
        std::int64_t const end = std::min((chunk + 1) * each, total);
        for (std::int64_t i = chunk * each; i < end; ++i) f(lines(i), scratch);
      });
}
template <TensorType E, class F>
void for_lines(E const& tensor, int axis, F const& f) {
  for_lines(tensor, axis, 0, [&](AxisLines const& lines, std::byte*) { f(lines); });
}

}  // namespace tenon

// ---- tenon/op/stop.hpp

namespace tenon::op {

/// The same value, which counts as a constant.
struct StopGradient {
  static constexpr std::string_view name = "stop_gradient";
  static constexpr std::string_view onnx = "Identity";
  template <class V>
  static constexpr V f(V x) {
    return x;
  }
  template <class V>
  static constexpr auto d(V, V) {
    return partials(Zero{});
  }
};

}  // namespace tenon::op

namespace tenon {

/// The same values, which count as constants. PyTorch: `detach`.
template <class X, Sound R = MapOf<op::StopGradient, X>>
constexpr auto stop_gradient(X&& x) -> R {
  return map<op::StopGradient>(std::forward<X>(x));
}
template <class X, Mistaken R = MapOf<op::StopGradient, X>>
auto stop_gradient(X&& x) -> R;

}  // namespace tenon

// ---- tenon/expr/functions.hpp

/// The elementwise functions on expressions. Each stands in the file of its op, in `op/`; `map`, to
/// which they lead, is here. Only the cast, which names a dtype, is a function of its own.
namespace tenon {

/// The same values as another dtype: `to<float>(mask)`. PyTorch: `x.to(dtype)`.
template <class T, Expression X, Sound R = MapOf<op::Cast<T>, X>>
  requires is_dtype<T>
constexpr auto to(X&& x) -> R {
  return map<op::Cast<T>>(std::forward<X>(x));
}
template <class T, class X, Mistaken R = MapOf<op::Cast<T>, X>>
  requires is_dtype<T>
auto to(X&& x) -> R;

}  // namespace tenon

// ---- tenon/eval/scan.hpp

/// Running sums and products. What their backwards need is closed under differentiation: linear
/// recurrences, and a line moved on by one place.
namespace tenon {

/// In what a scan is carried along a line: `float` as `double`, so that long lines stay accurate.
template <class T>
using ScanCarry = std::conditional_t<std::same_as<T, float>, double, T>;

/// Walks lines, place after place: `f(at, carry)` gives the element at a place its value from what
/// is carried to it, and carries on. A single line is carried in a register.
template <class C, class F>
void carry_along(AxisLines const& lines, C first, F const& f) {
  auto const walk = [&]<std::int64_t most>(auto width) {
    std::array<C, most> carry;
    std::fill_n(carry.data(), width, first);
    for (std::int64_t i = 0, at = lines.start; i < lines.length; ++i, at += lines.step)
      for (std::int64_t j = 0; j < width; ++j) f(at + j, carry[static_cast<std::size_t>(j)]);
  };
  if (lines.width == 1) walk.template operator()<1>(std::integral_constant<std::int64_t, 1>());
  else walk.template operator()<most_lines>(lines.width);
}

/// The running fold along an axis, from its beginning or from its end.
template <class Op, TensorType R>
R accumulated(R const& x, int axis, bool reversed) {
  using T = typename R::value_type;
  R y = R::uninitialised(x.sizes());
  T const* const from = x.data();
  T* const to = y.mutable_data();
  for_lines(x, axis, [=](AxisLines const& lines) {
    carry_along(reversed ? lines.reversed() : lines, Op::template identity<ScanCarry<T>>,
                [=](std::int64_t at, ScanCarry<T>& carry) {
                  carry = Op::f(carry, static_cast<ScanCarry<T>>(from[at]));
                  to[at] = static_cast<T>(carry);
                });
  });
  return y;
}

/// The running sum; its backward is the running sum from the other side.
template <TensorType R>
R cumsum_along(R const& x, int axis, bool reversed = false) {
  auto const forward = [=](R const& at) { return accumulated<op::SumFold>(at, axis, reversed); };
  if constexpr (!std::floating_point<typename R::value_type>) return forward(x);
  else {
    return custom_vjp(forward, [=](R const& dy, R const&, R const&) -> R {
      return cumsum_along(dy, axis, !reversed);
    })(x);
  }
}

/// A line moved on by one place, `fill` at its beginning; or moved back, `fill` at its end.
template <TensorType R>
R preceding(R const& x, int axis, typename R::value_type fill, bool reversed = false) {
  using T = typename R::value_type;
  auto const forward = [=](R const& moved) {
    R y = R::uninitialised(moved.sizes());
    T const* const from = moved.data();
    T* const to = y.mutable_data();
    for_lines(moved, axis, [=](AxisLines const& lines) {
      carry_along(reversed ? lines.reversed() : lines, fill,
                  [=](std::int64_t at, T& before) { to[at] = std::exchange(before, from[at]); });
    });
    return y;
  };
  return custom_vjp(forward, [=](R const& dy, R const&, R const&) -> R {
    return preceding(dy, axis, T(0), !reversed);
  })(x);
}

/// y[i] = b[i] + a[i] y[i-1]; from the end, y[i] = b[i] + a[i+1] y[i+1].
template <TensorType R>
R recurrence(R const& a, R const& b, int axis, bool reversed) {
  using T = typename R::value_type;
  struct Before {
    T factor = 0;
    ScanCarry<T> y = 0;
  };
  R y = R::uninitialised(b.sizes());
  T const *const p = a.data(), *const q = b.data();
  T* const to = y.mutable_data();
  for_lines(b, axis, [=](AxisLines const& lines) {
    carry_along(reversed ? lines.reversed() : lines, Before{}, [=](auto at, Before& before) {
      T const factor = reversed ? std::exchange(before.factor, p[at]) : p[at];
      before.y = static_cast<ScanCarry<T>>(q[at]) + factor * before.y;
      to[at] = static_cast<T>(before.y);
    });
  });
  return y;
}

/// The recurrence from either side: each is the other's backward.
template <TensorType R>
R recurred(R const& a, R const& b, int axis, bool reversed) {
  using T = typename R::value_type;
  auto const forward = [=](R const& p, R const& q) { return recurrence(p, q, axis, reversed); };
  return custom_vjp(forward, [=](R const& dy, R const& y, R const& p, R const&) {
    R const dq = recurred(p, dy, axis, !reversed);
    R const dp = reversed ? R(y * preceding(dq, axis, T(0))) : R(dq * preceding(y, axis, T(0)));
    return std::tuple<R, R>(dp, dq);
  })(a, b);
}

/// The running product. With what follows, s[i] = dy[i] + x[i+1] s[i+1], its slope is s[i] y[i-1]:
/// no division, zeros are like other numbers.
template <TensorType R>
R cumprod_along(R const& x, int axis) {
  using T = typename R::value_type;
  auto const forward = [=](R const& at) { return accumulated<op::ProdFold>(at, axis, false); };
  if constexpr (!std::floating_point<T>) return forward(x);
  else {
    return custom_vjp(forward, [=](R const& dy, R const& y, R const& factors) -> R {
      return recurred(factors, dy, axis, true) * preceding(y, axis, T(1));
    })(x);
  }
}

}  // namespace tenon

// ---- tenon/eval/sort.hpp

namespace tenon {

/// A number as an unsigned one in the same order: -0 is 0, NaN is the largest.
template <class T>
constexpr auto order_of(T x) {
  if constexpr (std::floating_point<T>) {
    using Bits = typename word::Layout<T>::Bits;
    if (word::is_nan(x)) return static_cast<Bits>(~Bits{0});
    auto const bits = std::bit_cast<Bits>(x + T(0));
    return static_cast<Bits>(x < T(0) ? ~bits : bits | word::Layout<T>::sign);
  } else {
    using Bits = std::make_unsigned_t<T>;
    auto const lowest = static_cast<Bits>(std::numeric_limits<T>::min());
    return static_cast<Bits>(static_cast<Bits>(x) ^ lowest);
  }
}

/// What is sorted: an element's order, and among equals its place, so that there is only one result
/// and it is stable. One word, where both have room in it.
template <class Order>
using Ranked =
    std::conditional_t<sizeof(Order) <= 4, std::uint64_t, std::pair<std::uint64_t, std::uint32_t>>;

template <class Order>
constexpr Ranked<Order> ranked(Order order, std::int64_t place) {
  if constexpr (sizeof(Order) <= 4)
    return std::uint64_t{order} << 32 | static_cast<std::uint64_t>(place);
  else return {order, static_cast<std::uint32_t>(place)};
}
constexpr std::int32_t place_of(std::uint64_t ranked) {
  return static_cast<std::int32_t>(ranked & 0xffffffffu);
}
constexpr std::int32_t place_of(std::pair<std::uint64_t, std::uint32_t> const& ranked) {
  return static_cast<std::int32_t>(ranked.second);
}

/// A byte of the order of what is sorted.
constexpr std::size_t byte_of(std::uint64_t ranked, int byte) {
  return static_cast<std::size_t>(ranked >> (32 + 8 * byte) & 255);
}
constexpr std::size_t byte_of(std::pair<std::uint64_t, std::uint32_t> const& ranked, int byte) {
  return static_cast<std::size_t>(ranked.first >> (8 * byte) & 255);
}

/// Sorts items whose places ascend, byte after byte of their order, the lowest first; `spare` has
/// room for as many. Returns where they are.
template <class Item>
Item* radix_sorted(Item* items, Item* spare, std::int64_t count, int bytes) {
  for (int byte = 0; byte < bytes; ++byte) {
    std::array<std::int64_t, 256> next{};
    for (std::int64_t i = 0; i < count; ++i) ++next[byte_of(items[i], byte)];
    if (next[byte_of(items[0], byte)] == count) continue;
    std::exclusive_scan(next.begin(), next.end(), next.begin(), std::int64_t{0});
    for (std::int64_t i = 0; i < count; ++i) spare[next[byte_of(items[i], byte)]++] = items[i];
    std::swap(items, spare);
  }
  return items;
}

/// From so many items on, counting bytes is faster than comparing.
inline constexpr std::int64_t shortest_radix = 256;

/// Sorts what is to be the first `kept` and says where that is; what follows is in no order. Of a
/// few among many the others are only looked at.
template <class Order, class Item>
Item* sorted_first(Item* items, Item* spare, std::int64_t count, std::int64_t kept) {
  if (kept < count / 8) std::partial_sort(items, items + kept, items + count);
  else if (count < shortest_radix) std::sort(items, items + count);
  else return radix_sorted(items, spare, count, int{sizeof(Order)});
  return items;
}

/// The places of the smallest elements along an axis, or of the largest, in order: so many as `R`
/// has room for.
template <TensorType R, TensorType E>
R ordered_places(E const& x, Sizes const& sizes, int axis, bool largest_first) {
  using Order = decltype(order_of(typename E::value_type()));
  R result = R::uninitialised(sizes);
  std::int64_t const length = at(x.sizes(), axis), kept = at(sizes, axis);
  auto const* const from = x.data();
  std::int32_t* const to = result.mutable_data();
  auto const bytes = static_cast<std::size_t>(2 * length) * sizeof(Ranked<Order>);
  for_lines(x, axis, bytes, [=](AxisLines const& lines, std::byte* scratch) {
    auto* const items = reinterpret_cast<Ranked<Order>*>(scratch);
    std::int64_t const before = lines.start / (length * lines.step);
    std::int64_t const start = lines.start - before * (length - kept) * lines.step;
    for (std::int64_t j = 0; j < lines.width; ++j) {
      for (std::int64_t i = 0; i < length; ++i) {
        Order const order = order_of(from[lines.start + i * lines.step + j]);
        items[i] = ranked(largest_first ? static_cast<Order>(~order) : order, i);
      }
      auto const* const first = sorted_first<Order>(items, items + length, length, kept);
      for (std::int64_t i = 0; i < kept; ++i) to[start + i * lines.step + j] = place_of(first[i]);
    }
  });
  return result;
}

}  // namespace tenon

// ---- tenon/tensor/view.hpp

namespace tenon {

/// Borrowed memory, to be read: the elements are somebody else's, and must outlive the view. It is
/// the only thing that may dangle. An expression like any other, with strides of its own.
template <class T, Spec S, class D = Cpu>
  requires Canonical<S>
class View : public ExpressionNode<View<T, S, D>> {
 public:
  using value_type = T;
  using device = D;
  static constexpr auto spec = S;
  static constexpr Shape const& shape = ShapeOf<S>::shape;
  static constexpr int rank = shape.rank;

  /// Throws `ShapeError` for sizes that the spec does not allow.
  constexpr View(T const* data, Sizes const& sizes, Sizes const& strides)
      : data_(data), sizes_(sizes), strides_(strides) {
    check_sizes("view", shape, sizes);
  }

  constexpr T const* data() const { return data_; }
  constexpr Sizes sizes() const { return sizes_; }
  constexpr Sizes strides() const { return strides_; }
  constexpr std::int64_t size() const { return count(sizes_, rank); }

 private:
  T const* data_;
  Sizes sizes_;
  Sizes strides_;
};

/// Borrowed memory that `assign` may write.
template <class T, Spec S, class D = Cpu>
class MutableView : public View<T, S, D> {
 public:
  constexpr MutableView(T* data, Sizes const& sizes, Sizes const& strides)
      : View<T, S, D>(data, sizes, strides), data_(data) {}

  constexpr T* mutable_data() const { return data_; }

 private:
  T* data_;
};

/// The elements that a view reaches lie from `first` elements before its first one to `last`
/// behind.
struct Reached {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

constexpr Reached reached(Sizes const& sizes, Sizes const& strides, int rank) {
  Reached result{};
  for (int i = 0; i < rank; ++i) {
    std::int64_t const far = (at(sizes, i) - 1) * at(strides, i);
    (far < 0 ? result.first : result.last) += far;
  }
  result.first = -result.first;
  return result;
}

/// Throws `Error`: the view would be a constant where its tensor is not.
inline void refuse_recorded(std::string_view operation, TapeMark mark) {
  if (!is_recorded(mark)) return;
  fail({operation, {}, "a constant", "a recorded tensor, whose gradient a view would lose", {}});
}

/// A tensor's elements, without a share in them: it must stay where it is.
template <TensorType E>
constexpr auto view(E const& tensor) {
  if (!std::is_constant_evaluated()) refuse_recorded("view", tensor.mark());
  Sizes const sizes = tensor.sizes();
  return View<typename E::value_type, E::spec, typename E::device>(tensor.data(), sizes,
                                                                   row_major(sizes, E::rank));
}
template <TensorType E>
constexpr auto view(E const&& tensor) = delete;

/// The same to be written; what the tensor shares with others is copied first.
template <TensorType E>
constexpr auto mutable_view(E& tensor) {
  Sizes const sizes = tensor.sizes();
  return MutableView<typename E::value_type, E::spec, typename E::device>(
      tensor.mutable_data(), sizes, row_major(sizes, E::rank));
}

template <class E>
inline constexpr bool is_view = false;
template <class T, Spec S, class D>
inline constexpr bool is_view<View<T, S, D>> = true;
template <class T, Spec S, class D>
inline constexpr bool is_view<MutableView<T, S, D>> = true;

}  // namespace tenon

// ---- tenon/eval/view.hpp

/// What evaluation has to know of views: a leaf with strides of its own, which nobody records.
namespace tenon {

template <class T, Spec S, class D>
constexpr T element(View<T, S, D> const& view, ElementIndex const& index) {
  return view.data()[offset(view.strides(), index, view.rank)];
}

template <class T, Spec S, class D>
bool depends_on_recording(View<T, S, D> const&) {
  return false;
}

/// In a graph, its elements as they are now.
template <class T, Spec S, class D>
[[gnu::cold]] graph::Id in_graph(View<T, S, D> const& view) {
  Tensor<T, S, D> const copy(view);
  return graph::id_of(copy);
}

/// The memory of a view, from its lowest element on.
template <class T, Spec S, class D>
MemoryAccess access_to_view(View<T, S, D> const& view) {
  Reached const around = reached(view.sizes(), view.strides(), view.rank);
  MemoryAccess access;
  access.data = reinterpret_cast<std::byte const*>(view.data() - around.first);
  access.start = around.first;
  access.stride = view.strides();
  access.element_bytes = sizeof(T);
  access.count = view.size() == 0 ? 0 : around.first + around.last + 1;
  return access;
}

template <class M, int inner, AxisBits row, class T, Spec S, class D>
auto lower(View<T, S, D> const& view, Tape*) {
  constexpr FrameReach reach = inner < 0 ? FrameReach::spread : FrameReach::strided;
  return LeafFrame<M, T, reach>{access_to_view(view)};
}

/// Does a settled recipe read any byte of the memory behind `to`?
template <class E>
bool reads(E const& e, MemoryAccess const& out, MemoryAccess const& to) {
  using M = typename BackendOf<typename E::device>::machine;
  auto kernel = tenon::bind<M>(e, out, nullptr);
  std::byte const* const end = to.data + to.count * to.element_bytes;
  bool found = false;
  kernel.frame.visit([&](MemoryAccess const& access) {
    std::byte const* const last = access.data + access.count * access.element_bytes;
    found = found || (access.data < end && to.data < last);
  });
  return found;
}

/// Writes the value of a recipe through a view; what reads the view's memory is copied first.
template <class T, Spec S, class D, class X>
void write_through(MutableView<T, S, D> const& to, X const& e) {
  if (depends_on_recording(e)) {
    fail({"assign", {}, "a constant", "a recorded value, whose gradient a view would lose", {}});
  }
  using Backend = BackendOf<D>;
  auto const part = as_part(e);
  MemoryAccess const out =
      access_out(reinterpret_cast<std::byte*>(to.mutable_data()), to.strides(), sizeof(T));
  if (reads(part, out, access_to_view(to))) {
    auto value = Tensor<T, S, D>::uninitialised(to.sizes());
    Backend::fill(part, access_to_result(value, value.mutable_data()));
    Backend::fill(value, out);
    kernels_run += 2;
  } else {
    Backend::fill(part, out);
    ++kernels_run;
  }
}

}  // namespace tenon

// ---- tenon/core/annotation_parse.hpp

namespace tenon {

/// What the words of an annotation are.
enum class WordMeaning {
  names,      ///< `Float<"batch pixel=784">`: a word is the axis's own name.
  variables,  ///< `fits<"b n, n m", X, Y>`: a word takes the axis that stands in its place.
  leaves,     ///< As `names`, for every leaf of a tree: `?n` is bound per leaf.
};

/// The annotations of `N` arguments, and of their result: `"*batch c, c d -> *batch d"`.
template <std::size_t N>
struct Annotation {
  std::array<Tokens, N> arguments{};
  Tokens result{};
  bool has_result = false;
  WordMeaning words = WordMeaning::names;
  std::string_view culprit{};  ///< The first word that makes no sense,
  std::string_view mistake{};  ///< and why; empty where all do.

  constexpr Tokens const& operator[](std::size_t i) const { return i < N ? arguments[i] : result; }
};

/// Where the next `,` or `->` outside parentheses stands, or the end.
constexpr std::size_t find_separator(std::string_view text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth == 0 && (text[i] == ',' || text.substr(i).starts_with("->"))) return i;
  }
  return text.size();
}

/// Whether a pattern says what the result is.
constexpr bool has_arrow(std::string_view text) {
  for (std::size_t at = find_separator(text); at < text.size(); at = find_separator(text)) {
    if (text[at] == '-') return true;
    text.remove_prefix(at + 1);
  }
  return false;
}

/// How many arguments a pattern has.
constexpr std::size_t argument_count(std::string_view text) {
  std::size_t count = 1;
  for (std::size_t at = find_separator(text); at < text.size(); at = find_separator(text)) {
    if (text[at] == '-') break;
    text.remove_prefix(at + 1);
    ++count;
  }
  return count;
}

/// Takes the text of one argument off a pattern.
constexpr std::string_view next_argument(std::string_view& text) {
  std::size_t const at = find_separator(text);
  std::string_view const argument = text.substr(0, at);
  text.remove_prefix(at == text.size() ? at : at + (text[at] == ',' ? 1 : 2));
  return argument;
}

/// Reads an expression only to learn whether all its names are bound.
template <std::size_t N>
struct BindingAlgebra {
  using Value = bool;  ///< all names are bound
  Annotation<N> const* annotation = nullptr;

  constexpr bool number(std::int64_t) const { return true; }
  constexpr bool name(std::string_view name) const { return binds(*annotation, name); }
  constexpr bool add(bool a, bool b) const { return a && b; }
  constexpr bool subtract(bool a, bool b) const { return a && b; }
  constexpr bool multiply(bool a, bool b) const { return a && b; }
  constexpr bool divide(bool a, bool b) const { return a && b; }
  constexpr bool modulo(bool a, bool b) const { return a && b; }
  constexpr bool minimum(bool a, bool b) const { return a && b; }
  constexpr bool is_zero(bool) const { return false; }
};

/// Whether an annotation has a word that is this name.
template <std::size_t N>
constexpr bool binds(Annotation<N> const& annotation, std::string_view name) {
  for (std::size_t i = 0; i <= N; ++i) {
    for (SpecToken const& token : annotation[i]) {
      if (token.kind == TokenKind::name && !token.is_variadic() && token.name == name) return true;
    }
  }
  return false;
}

/// Why two words cannot stand in one annotation; empty where they can.
constexpr std::string_view clash(SpecToken const& a, SpecToken const& b) {
  if (a.kind != TokenKind::name || b.kind != TokenKind::name || a.name != b.name) return {};
  if (a.is_variadic() != b.is_variadic()) return "one name for one axis and several";
  if (a.question != b.question) return "? before a name: always or never";
  return sizes_agree(named_axis(a), named_axis(b)) ? "" : "one name stands for two sizes";
}

/// Why a word contradicts another; empty where none does.
template <std::size_t N>
constexpr std::string_view clash(Annotation<N> const& annotation, SpecToken const& token) {
  for (std::size_t i = 0; i <= N; ++i) {
    for (SpecToken const& other : annotation[i]) {
      if (auto const why = clash(other, token); !why.empty()) return why;
    }
  }
  return {};
}

/// Why a word has no place in an annotation; empty where it has.
template <std::size_t N>
constexpr std::string_view word_mistake(Annotation<N> const& annotation, SpecToken const& token) {
  if (token.question && annotation.words != WordMeaning::leaves) {
    return "? belongs to annotations of trees";
  }
  if (token.kind != TokenKind::expression) return clash(annotation, token);
  ReadExtent const read = read_extent(token.expression);
  if (!read.mistake.empty()) return read.mistake;
  if (auto const why = extent_mistake(read.extent); !why.empty()) return why;
  ExpressionReader<BindingAlgebra<N>> names{token.expression, {&annotation}};
  bool const stands_alone = annotation.words != WordMeaning::variables;
  return names.whole() || stands_alone ? "" : "a name in it is bound nowhere";
}

/// The annotation with its first mistake.
template <std::size_t N>
constexpr Annotation<N> proofread(Annotation<N> const& annotation) {
  Annotation<N> result = annotation;
  for (std::size_t i = 0; i <= N && result.mistake.empty(); ++i) {
    for (SpecToken const& token : annotation[i]) {
      if (!result.mistake.empty()) break;
      result.culprit = token.word;
      result.mistake = word_mistake(annotation, token);
    }
    if (!result.mistake.empty() || annotation[i].mistake.empty()) continue;
    result.culprit = annotation[i].culprit;
    result.mistake = annotation[i].mistake;
  }
  return result;
}

/// Reads a pattern: the annotations of N arguments, of which it has as many.
template <std::size_t N>
constexpr Annotation<N> read_pattern(std::string_view text) {
  Annotation<N> result{};
  result.words = WordMeaning::variables;
  result.has_result = has_arrow(text);
  for (Tokens& argument : result.arguments) argument = tokens_of(next_argument(text));
  if (result.has_result) result.result = tokens_of(text);
  return proofread(result);
}

/// Reads the annotation of one shape, or the same for each of the N leaves of a tree.
template <std::size_t N = 1>
constexpr Annotation<N> read_annotation(std::string_view text,
                                        WordMeaning words = WordMeaning::names) {
  Annotation<N> result{};
  result.words = words;
  Tokens const tokens = tokens_of(text);
  for (Tokens& argument : result.arguments) argument = tokens;
  return proofread(result);
}

}  // namespace tenon

// ---- tenon/core/annotation_bind.hpp

namespace tenon {

/// What a word is bound to.
struct BoundAxis {
  std::string_view name{};
  int leaf = -1;        ///< Of `?n`: the leaf it belongs to.
  bool is_one = false;  ///< `#n` has met only axes of static size 1.
  Axis axis{};
};

/// What `*n` or `+n` is bound to.
struct BoundAxes {
  std::string_view name{};
  bool stretches = true;  ///< All its words were written with `#`.
  Shape shape{};
};

/// What the words of an annotation are bound to, in N shapes.
template <std::size_t N>
struct Bindings {
  WordMeaning words = WordMeaning::names;
  int leaf = 0;  ///< The shape that is matched.
  std::array<BoundAxis, N * max_rank> axes{};
  int axis_count = 0;
  std::array<BoundAxes, N> several{};
  int several_count = 0;

  /// The position of what a name is bound to, or -1.
  constexpr int find(std::string_view name) const {
    for (int i = 0; i < axis_count; ++i) {
      BoundAxis const& bound = axes[static_cast<std::size_t>(i)];
      if (bound.name == name && (bound.leaf < 0 || bound.leaf == leaf)) return i;
    }
    return -1;
  }

  constexpr int find_several(std::string_view name) const {
    for (int i = 0; i < several_count; ++i) {
      if (several[static_cast<std::size_t>(i)].name == name) return i;
    }
    return -1;
  }

  constexpr void bind(SpecToken const& token, Axis const& axis) {
    int const known = find(token.name);
    bool const is_one = token.hash && axis.is_one();
    BoundAxis& bound = axes[static_cast<std::size_t>(known < 0 ? axis_count++ : known)];
    if (known < 0) {
      bound = {token.name, token.question ? leaf : -1, is_one, axis};
    } else if (!is_one) {
      bound.axis = bound.is_one ? axis : merge(bound.axis, axis);
      bound.is_one = false;
    }
  }
};

/// Expressions over bound names. In a pattern a name that is not bound yet is of any size; else it
/// is the name of an axis.
template <std::size_t N>
struct BoundAlgebra : ExtentAlgebra {
  Bindings<N> const* bindings = nullptr;

  constexpr AxisExtent name(std::string_view name) const {
    int const bound = bindings->find(name);
    if (bound >= 0) return extent_of(bindings->axes[static_cast<std::size_t>(bound)].axis);
    return bindings->words == WordMeaning::variables ? unknown_extent() : name_extent(name);
  }
};

}  // namespace tenon

// ---- tenon/core/annotation_match.hpp

namespace tenon {

/// Whether shapes fit an annotation; where not, the word to blame.
struct Annotated {
  bool fits = true;
  bool open = false;     ///< Something is left to run time.
  int argument = -1;     ///< Where it does not fit: which shape; the result follows the arguments,
  int axis = -1;         ///< its axis, -1 where the rank is wrong,
  FixedText word{};      ///< the word,
  FixedText expected{};  ///< what the word stands for,
  FixedText got{};       ///< and the axis that does not fit.

  constexpr FixedText mistake() const {
    return fits ? FixedText{} : sentence({"expected ", expected.view(), ", got ", got.view()});
  }
};

/// An annotation while it is matched. `N` is the number of shapes.
template <std::size_t N>
struct Matcher {
  Bindings<N> bindings{};
  Annotated result{};

  constexpr void refuse(int axis, SpecToken const& token, std::string_view expected,
                        std::string_view got) {
    if (!result.fits) return;
    result.fits = false;
    result.argument = bindings.leaf;
    result.axis = axis;
    result.word = sentence({token.word});
    result.expected = sentence({expected.empty() ? "no axes" : expected});
    result.got = sentence({got.empty() ? "no axes" : got});
  }

  /// Refuses the axis of a shape for another that was expected.
  constexpr void refuse(int axis, SpecToken const& token, Axis const& expected, Axis const& got) {
    refuse(axis, token, format(expected).view(), format(got).view());
  }

  /// What a word says by itself, whatever it is bound to.
  static constexpr Axis said(SpecToken const& token) {
    return token.kind == TokenKind::name ? named_axis(token) : axis_of_size(token.size);
  }

  /// The same without the name where that is a variable.
  constexpr Axis wanted(SpecToken const& token) const {
    Axis axis = said(token);
    if (bindings.words == WordMeaning::variables) axis.name = FixedText{};
    return axis;
  }

  /// Matches a size or a name with one axis.
  constexpr void match_axis(SpecToken const& token, Axis const& axis, int position) {
    Axis const word = wanted(token);
    bool const is_one = token.hash && axis.is_one();
    if (!names_agree(word, axis) || (!is_one && !agree(word, axis))) {
      return refuse(position, token, said(token), axis);
    }
    bool const sized = word.is_static() || token.has_bounds();
    result.open = result.open || (sized && !axis.is_static());
    if (token.kind == TokenKind::name)
      match_bound(token, is_one ? axis : merge(word, axis), position);
  }

  constexpr void match_bound(SpecToken const& token, Axis const& axis, int position) {
    int const known = bindings.find(token.name);
    bool const is_one = token.hash && axis.is_one();
    if (known >= 0 && !is_one && !bindings.axes[static_cast<std::size_t>(known)].is_one) {
      Axis const& bound = bindings.axes[static_cast<std::size_t>(known)].axis;
      if (!agree(bound, axis)) return refuse(position, token, bound, axis);
      result.open = result.open || !bound.is_static() || !axis.is_static();
    }
    bindings.bind(token, axis);
  }

  /// Matches an expression with one axis, when all names are bound.
  constexpr void match_expression(SpecToken const& token, Axis const& axis, int position) {
    if (token.hash && axis.is_one()) return;
    ExpressionReader<BoundAlgebra<N>> reader{token.expression, {{}, &bindings}};
    AxisExtent const extent = reader.whole();
    AxisExtent const difference = extent - extent_of(axis);
    bool const equal = is_zero(difference);
    bool const possible = equal || !difference.is_constant();
    bool const in_bounds = !extent.is_constant() || sizes_agree(axis_of(extent), axis);
    result.open = result.open || !equal;
    if (possible && in_bounds && reader.mistake.empty()) return;
    if (!reader.mistake.empty()) return refuse(position, token, "a size", reader.mistake);
    refuse(position, token, written(extent).view(), format(axis).view());
  }

  /// Matches `*n` or `+n` with the axes it stands for, a shape of its own.
  constexpr void match_several(SpecToken const& token, Shape const& shape, int position) {
    int const known = bindings.find_several(token.name);
    BoundAxes& bound =
        bindings.several[static_cast<std::size_t>(known < 0 ? bindings.several_count++ : known)];
    if (known < 0) {
      bound = {token.name, token.hash, shape};
      return;
    }
    result.open = result.open || !bound.shape.is_static() || !shape.is_static();
    bool const stretches = bound.stretches || token.hash;
    if (!(stretches ? stretched(bound, token, shape) : assignable(bound.shape, shape))) {
      return refuse(position, token, format(bound.shape).view(), format(shape).view());
    }
    bound.shape = stretches ? broadcast(bound.shape, shape).shape : merged(bound.shape, shape);
    bound.stretches = bound.stretches && token.hash;
  }

  /// Whether two sequences broadcast, and no axis written without `#` is stretched.
  static constexpr bool stretched(BoundAxes const& bound, SpecToken const& token,
                                  Shape const& shape) {
    Broadcast<2> const both = broadcast(bound.shape, shape);
    return both.fits && (bound.stretches || is_whole(bound.shape, both.maps[0], both.shape)) &&
           (token.hash || is_whole(shape, both.maps[1], both.shape));
  }

  static constexpr bool is_whole(Shape const& shape, AxisMap const& map, Shape const& whole) {
    for (int i = 0; i < shape.rank; ++i) {
      if (map[static_cast<std::size_t>(i)] != i) return false;
    }
    return shape.rank == whole.rank;
  }

  static constexpr FixedText count_of_axes(std::string_view before, int count) {
    TextWriter<FixedText::capacity> text{};
    text << before << std::int64_t{count} << (count == 1 ? " axis" : " axes");
    return FixedText(text.view());
  }

  /// Whether a shape has as many axes as its annotation says.
  constexpr bool match_rank(Tokens const& tokens, Shape const& shape) {
    int const variadics = tokens.variadics();
    int least = tokens.count - variadics;
    for (SpecToken const& token : tokens) least += token.plus;
    if (shape.rank == least || (shape.rank > least && variadics > 0)) return true;
    FixedText const expected = count_of_axes(variadics > 0 ? "at least " : "", least);
    refuse(-1, {}, expected.view(), count_of_axes("", shape.rank).view());
    return false;
  }

  /// Matches the words of one shape: first the names, or then the expressions.
  constexpr void match(Tokens const& tokens, Shape const& shape, bool expressions) {
    if (!result.fits || !match_rank(tokens, shape)) return;
    int position = 0;
    for (SpecToken const& token : tokens) {
      if (token.is_variadic()) {
        int const end = position + shape.rank - (tokens.count - 1);
        bool const binds = token.kind == TokenKind::name && !expressions;
        if (binds) match_several(token, part_of(shape, position, end), position);
        position = end;
        continue;
      }
      bool const is_expression = token.kind == TokenKind::expression;
      if (is_expression && expressions) match_expression(token, shape[position], position);
      bool const binds = token.kind == TokenKind::name || token.kind == TokenKind::size;
      if (binds && !expressions) match_axis(token, shape[position], position);
      ++position;
    }
  }

  static constexpr Shape part_of(Shape const& shape, int begin, int end) {
    Shape result{};
    for (int i = begin; i < end; ++i) result[result.rank++] = shape[i];
    return result;
  }
};

/// Matches an annotation of N arguments with the shapes of these, or of these and the result.
template <std::size_t N, std::size_t M>
  requires(M == N || M == N + 1)
constexpr Annotated match(Annotation<N> const& annotation, std::array<Shape, M> const& shapes) {
  Matcher<M> matcher{};
  matcher.bindings.words = annotation.words;
  for (bool expressions : {false, true}) {
    for (std::size_t i = 0; i < M; ++i) {
      matcher.bindings.leaf = static_cast<int>(i);
      matcher.match(annotation[i], shapes[i], expressions);
    }
  }
  return matcher.result;
}

}  // namespace tenon

// ---- tenon/core/annotation.hpp

/// Annotations say what shapes may be: `* + ... # ?`, sizes, names, bounds and expressions.
///
///   annotation_fits<S>(shape)          `Float<S>`: a word is the axis's own name
///   pattern_fits<S>(shapes)            `fits<S, X...>`, `checked<S>`: a word is a variable; with
///                                      one shape more than S has arguments, the result as well
///   tree_fits<S>(shapes)               S for every leaf of a tree; `?n` is bound per leaf
///   match_annotation<S>(shape) ...     the same with the word to blame: an `Annotated`
///   check_annotation<S>(who, ...) ...  the same at run time with sizes: throws ShapeError
///   pattern_arguments<S>               how many arguments a pattern has
///   pattern_has_result<S>              whether it has an arrow
///
/// What only run time knows fits at compile time, and `Annotated::open` says so. A malformed
/// annotation does not compile: error::malformed_spec names it, the word in it, and why.
namespace tenon {

template <Spec S>
inline constexpr std::size_t pattern_arguments = argument_count(S.view());

template <Spec S>
inline constexpr bool pattern_has_result = has_arrow(S.view());

/// The annotation that a spec stands for; for `N` leaves or arguments.
template <Spec S, WordMeaning words, std::size_t N>
constexpr Annotation<N> annotation_from() {
  if (words == WordMeaning::variables) return read_pattern<N>(S.view());
  return read_annotation<N>(S.view(), words);
}

template <Spec S, WordMeaning words = WordMeaning::names>
concept WellFormedAnnotation = annotation_from < S,
        words, words == WordMeaning::variables ? pattern_arguments<S> : 1 > ().mistake.empty();

/// Refuses an annotation by an incomplete type, whose name the compiler prints.
template <Spec S, WordMeaning words, std::size_t N>
constexpr auto refuse_annotation() {
  constexpr auto refused = annotation_from<S, words, N>();
  constexpr auto why = spec_from<refused.mistake.size()>(refused.mistake);
  if constexpr (refused.culprit.size() == S.view().size()) {
    return error::malformed_spec<S, why>{};
  } else {
    return error::malformed_spec<S, spec_from<refused.culprit.size()>(refused.culprit), why>{};
  }
}

template <Spec S, WordMeaning words, std::size_t N>
constexpr auto annotation_or_refusal() {
  if constexpr (annotation_from<S, words, N>().mistake.empty()) {
    return annotation_from<S, words, N>();
  } else {
    return refuse_annotation<S, words, N>();
  }
}

/// A well-formed annotation; a malformed one does not compile and says why.
template <Spec S, WordMeaning words = WordMeaning::names, std::size_t N = 1>
inline constexpr auto annotation_of = annotation_or_refusal<S, words, N>();

template <Spec S>
constexpr Annotated match_annotation(Shape const& shape) {
  return match(annotation_of<S>, std::array<Shape, 1>{shape});
}

/// Whether N shapes are the arguments of a pattern, or these and the result.
template <Spec S, std::size_t N>
concept AsManyShapes =
    N == pattern_arguments<S> || (pattern_has_result<S> && N == pattern_arguments<S> + 1);

template <Spec S, std::size_t N>
constexpr Annotated match_pattern(std::array<Shape, N> const& shapes) {
  if constexpr (AsManyShapes<S, N>) {
    return match(annotation_of<S, WordMeaning::variables, pattern_arguments<S>>, shapes);
  } else {
    return error::malformed_spec<S, "another number of arguments">{};
  }
}

template <Spec S, std::size_t N>
constexpr Annotated match_tree(std::array<Shape, N> const& leaves) {
  return match(annotation_of<S, WordMeaning::leaves, N>, leaves);
}

template <Spec S>
constexpr bool annotation_fits(Shape const& shape) {
  return match_annotation<S>(shape).fits;
}

template <Spec S, std::size_t N>
constexpr bool pattern_fits(std::array<Shape, N> const& shapes) {
  return match_pattern<S>(shapes).fits;
}

template <Spec S, std::size_t N>
constexpr bool tree_fits(std::array<Shape, N> const& leaves) {
  return match_tree<S>(leaves).fits;
}

/// The shape with the sizes that run time knows.
constexpr Shape with_run_time_sizes(Shape const& shape, Sizes const& sizes) {
  Shape result{};
  for (Axis const& axis : shape) {
    Axis& sized = result[result.rank++];
    sized.name = axis.name;
    sized.size = sizes[static_cast<std::size_t>(result.rank - 1)];
  }
  return result;
}

template <std::size_t N>
constexpr std::array<Shape, N> with_run_time_sizes(std::array<Shape, N> const& shapes,
                                                   std::array<Sizes, N> const& sizes) {
  std::array<Shape, N> result{};
  for (std::size_t i = 0; i < N; ++i) result[i] = with_run_time_sizes(shapes[i], sizes[i]);
  return result;
}

/// Throws ShapeError if shapes do not fit: `tenon::checked: 'n': expected 3, got 4 (axis 0 of
/// argument 2)`.
inline void require_fit(std::string_view who, Annotated const& match, int arguments) {
  if (match.fits) return;
  std::string const place =
      match.argument == arguments ? "the result" : "argument " + std::to_string(match.argument + 1);
  std::string const axis = match.axis < 0 ? "" : "axis " + std::to_string(match.axis) + " of ";
  fail<ShapeError>({who, match.word.view(), match.expected.view(), match.got.view(), axis + place});
}

/// Checks sizes at run time against an annotation of one shape.
template <Spec S>
void check_annotation(std::string_view who, Shape const& shape, Sizes const& sizes) {
  require_fit(who, match_annotation<S>(with_run_time_sizes(shape, sizes)), 1);
}

/// Checks that the words of a pattern have one size each at run time.
template <Spec S, std::size_t N>
void check_words(std::string_view who, std::array<Shape, N> const& shapes,
                 std::array<Sizes, N> const& sizes) {
  require_fit(who, match_pattern<S>(with_run_time_sizes(shapes, sizes)),
              static_cast<int>(pattern_arguments<S>));
}

/// Checks the leaves of a tree at run time against the annotation of each.
template <Spec S, std::size_t N>
void check_leaves(std::string_view who, std::array<Shape, N> const& leaves,
                  std::array<Sizes, N> const& sizes) {
  require_fit(who, match_tree<S>(with_run_time_sizes(leaves, sizes)), static_cast<int>(N));
}

}  // namespace tenon

// ---- tenon/expr/annotation.hpp

/// Annotations as concepts: `auto f(Float<"batch pixel=784"> auto const& image)`. Each asks for a
/// category of dtypes and for axes; `Shaped` takes any dtype. A word is the axis's own name. An
/// overload for a narrower category is preferred, as in jaxtyping: `Shaped` > `Bool`, `Num`;
/// `Num` > `Inexact` > `Float`, `Complex`; `Num` > `Integer` > `Int`, `UInt`; `Real` is `Float` or
/// `Integer`.
///
/// What names a mistake fits everywhere, so that the compiler speaks of that mistake alone.
///
/// A concept sees types alone: what only run time knows fits (`batch` where 32 is asked for, the
/// equal sizes of `n n`). `as<"batch=32 784">(x)` and `checked<...>(f)` check at run time.
namespace tenon {

namespace error {

/// What does not fit: the word and why, the annotation, the shape.
template <Spec Mistake, Spec Annotation, Spec Shape>
struct annotation_does_not_fit;

}  // namespace error

/// Says that axes fit.
struct AxesThatFit {};

/// The word to blame and why; of a rank, which has no word, where that is.
constexpr FixedText blamed(Annotated const& match, std::string_view place = "") {
  return sentence({match.word.empty() ? place : match.word.view(),
                   match.word.empty() && place.empty() ? "" : ": ", match.mistake().view()});
}

/// The name of an argument of a pattern, or of its result.
constexpr FixedText place_in_pattern(int argument, std::size_t arguments) {
  if (static_cast<std::size_t>(argument) == arguments) return "result";
  TextWriter<FixedText::capacity> text{};
  text << "argument " << std::int64_t{argument + 1};
  return FixedText(text.view());
}

/// How the axes of `E` match an annotation.
template <Spec S, class E>
struct AnnotationMatch {
  static constexpr Annotated value = match_annotation<S>(E::shape);
  static constexpr FixedText text = blamed(value);
};

/// How the axes of several match a pattern.
template <Spec S, class... E>
struct PatternMatch {
  static constexpr Annotated value =
      match_pattern<S>(std::array<Shape, sizeof...(E)>{Shape(E::shape)...});
  static constexpr FixedText text =
      blamed(value, place_in_pattern(value.argument, pattern_arguments<S>).view());
};

template <Spec S, class E>
constexpr auto annotation_judgement() {
  using Match = AnnotationMatch<S, E>;
  if constexpr (Mistake<E>) return std::type_identity<AxesThatFit>{};
  else if constexpr (Match::value.fits) return std::type_identity<AxesThatFit>{};
  else
    return std::type_identity<error::annotation_does_not_fit<spec_of_text<Match>, S, spec_of<E>>>{};
}

struct FitsName {
  static constexpr std::string_view name = "fits";
};

template <Spec S, class... E>
constexpr auto pattern_judgement() {
  using Match = PatternMatch<S, E...>;
  if constexpr ((Mistake<E> || ...)) return std::type_identity<AxesThatFit>{};
  else if constexpr (Match::value.fits) return std::type_identity<AxesThatFit>{};
  else
    return std::type_identity<error::pattern_does_not_fit<spec_of_name<FitsName>,
                                                          spec_of_text<Match>, S, spec_of<E>...>>{};
}

/// `AxesThatFit`, or an undefined type that names the mistake: g++ and clang print it.
template <Spec S, class E>
using AnnotationJudgement = typename decltype(annotation_judgement<S, E>())::type;
template <Spec S, class... E>
using PatternJudgement = typename decltype(pattern_judgement<S, E...>())::type;

template <class Judgement>
concept AxesFit = std::is_same_v<Judgement, AxesThatFit>;

/// What can be asked for its axes: a mistake has none, and fits.
template <class X>
concept HasAxesToFit = Expression<X> || Mistake<X>;

/// The dtype of an expression; of a mistake, `Any`.
template <class X, class Any>
struct DtypeIn {
  using type = typename X::value_type;
};
template <Mistake X, class Any>
struct DtypeIn<X, Any> {
  using type = Any;
};
template <class X, class Any = float>
using DtypeOf = typename DtypeIn<Unqualified<X>, Any>::type;

template <class X, Spec S>
concept Shaped = HasAxesToFit<X> && AxesFit<AnnotationJudgement<S, Unqualified<X>>>;

template <class X, Spec S>
concept Bool = Shaped<X, S> && BoolType<DtypeOf<X, bool>>;

template <class X, Spec S>
concept Num = Shaped<X, S> && NumType<DtypeOf<X>>;

template <class X, Spec S>
concept Real = Num<X, S> && RealType<DtypeOf<X>>;

template <class X, Spec S>
concept Inexact = Num<X, S> && InexactType<DtypeOf<X>>;

template <class X, Spec S>
concept Float = Real<X, S> && Inexact<X, S> && FloatType<DtypeOf<X>>;

template <class X, Spec S>
concept Complex = Inexact<X, S> && ComplexType<DtypeOf<X, std::complex<float>>>;

template <class X, Spec S>
concept Integer = Real<X, S> && IntegerType<DtypeOf<X, int>>;

template <class X, Spec S>
concept Int = Integer<X, S> && IntType<DtypeOf<X, int>>;

template <class X, Spec S>
concept UInt = Integer<X, S> && UIntType<DtypeOf<X, unsigned>>;

/// One pattern over the axes of several arguments, and of a result if it has an arrow and one type
/// more is given: `requires fits<"b n, n m", X, Y>`. A word is a variable: it takes the axis in its
/// place, and the same word twice asks for axes that agree.
template <Spec S, class... X>
concept fits = (HasAxesToFit<X> && ...) && AxesFit<PatternJudgement<S, Unqualified<X>...>>;

}  // namespace tenon

// ---- tenon/expr/assign.hpp

namespace tenon {

/// What an assignment from `E` to a view `V` returns: nothing, or an undefined type that names the
/// mistake.
template <class V, class E>
constexpr auto assign_type() {
  if constexpr (Assignable<V, E>) return std::type_identity<void>{};
  else return unfit_value<V, E>();
}

template <class V, Expression X>
using Assigned = typename decltype(assign_type<V, Unqualified<X>>())::type;

/// Writes the value of `e` through a view. Does not broadcast. If `e` reads memory that the view
/// covers it is computed first: what is read is what was there before. Throws `ShapeError` where
/// run-time sizes differ, `Error` for what is recorded. PyTorch: `copy_`.
template <class T, Spec S, class D, Expression X>
auto assign(MutableView<T, S, D> const& to, X&& e) -> Assigned<View<T, S, D>, X> {
  Sizes const wanted = to.sizes(), got = e.sizes();
  for (int i = 0; i < to.rank; ++i) {
    if (at(wanted, i) != at(got, i)) sizes_differ("assign", to.shape, i, at(wanted, i), at(got, i));
  }
  write_through(to, hold(std::forward<X>(e)));
}

/// Writes a number to every element.
template <class T, Spec S, class D, LiteralNumber V>
  requires std::constructible_from<T, V>
void assign(MutableView<T, S, D> const& to, V value) {
  ElementIndex index{};
  if (to.size() == 0) return;
  do {
    to.mutable_data()[offset(to.strides(), index, to.rank)] = static_cast<T>(value);
  } while (next(index, to.sizes(), to.rank));
}

}  // namespace tenon

// ---- tenon/expr/bit_operators.hpp

/// Operators of integers and masks, elementwise and broadcasting. `& | ^ ~` take both, as in NumPy;
/// of masks they are `&& || != !`. A shift by as many bits as there are leaves 0, or the sign.
namespace tenon {

template <class A, Sound R = MapOf<op::BitNot, A>>
constexpr auto operator~(A&& a) -> R {
  return map<op::BitNot>(std::forward<A>(a));
}
template <class A, Mistaken R = MapOf<op::BitNot, A>>
auto operator~(A&& a) -> R;

template <class A, class B, Sound R = MapOf<op::Mod, A, B>>
constexpr auto operator%(A&& a, B&& b) -> R {
  return map<op::Mod>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B, Mistaken R = MapOf<op::Mod, A, B>>
auto operator%(A&& a, B&& b) -> R;

template <class A, class B, Sound R = MapOf<op::BitAnd, A, B>>
constexpr auto operator&(A&& a, B&& b) -> R {
  return map<op::BitAnd>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B, Mistaken R = MapOf<op::BitAnd, A, B>>
auto operator&(A&& a, B&& b) -> R;

template <class A, class B, Sound R = MapOf<op::BitOr, A, B>>
constexpr auto operator|(A&& a, B&& b) -> R {
  return map<op::BitOr>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B, Mistaken R = MapOf<op::BitOr, A, B>>
auto operator|(A&& a, B&& b) -> R;

template <class A, class B, Sound R = MapOf<op::BitXor, A, B>>
constexpr auto operator^(A&& a, B&& b) -> R {
  return map<op::BitXor>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B, Mistaken R = MapOf<op::BitXor, A, B>>
auto operator^(A&& a, B&& b) -> R;

template <class A, class B, Sound R = MapOf<op::ShiftLeft, A, B>>
constexpr auto operator<<(A&& a, B&& b) -> R {
  return map<op::ShiftLeft>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B, Mistaken R = MapOf<op::ShiftLeft, A, B>>
auto operator<<(A&& a, B&& b) -> R;

template <class A, class B, Sound R = MapOf<op::ShiftRight, A, B>>
constexpr auto operator>>(A&& a, B&& b) -> R {
  return map<op::ShiftRight>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B, Mistaken R = MapOf<op::ShiftRight, A, B>>
auto operator>>(A&& a, B&& b) -> R;

/// Are both masks true, elementwise? Of numbers write `x != 0`. PyTorch: `logical_and`.
template <class A, class B, Sound R = MapOf<op::And, A, B>>
constexpr auto logical_and(A&& a, B&& b) -> R {
  return map<op::And>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B, Mistaken R = MapOf<op::And, A, B>>
auto logical_and(A&& a, B&& b) -> R;

/// Is either mask true, elementwise? PyTorch: `logical_or`.
template <class A, class B, Sound R = MapOf<op::Or, A, B>>
constexpr auto logical_or(A&& a, B&& b) -> R {
  return map<op::Or>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B, Mistaken R = MapOf<op::Or, A, B>>
auto logical_or(A&& a, B&& b) -> R;

/// Is one of two masks true and not the other, elementwise? PyTorch: `logical_xor`.
template <class A, class B, Sound R = MapOf<op::Xor, A, B>>
constexpr auto logical_xor(A&& a, B&& b) -> R {
  return map<op::Xor>(std::forward<A>(a), std::forward<B>(b));
}
template <class A, class B, Mistaken R = MapOf<op::Xor, A, B>>
auto logical_xor(A&& a, B&& b) -> R;

/// Is a mask false, elementwise? PyTorch: `logical_not`.
template <class A, Sound R = MapOf<op::Not, A>>
constexpr auto logical_not(A&& a) -> R {
  return map<op::Not>(std::forward<A>(a));
}
template <class A, Mistaken R = MapOf<op::Not, A>>
auto logical_not(A&& a) -> R;

}  // namespace tenon

// ---- tenon/expr/checked.hpp

namespace tenon {

struct CheckedName {
  static constexpr std::string_view name = "checked";
};
struct AsName {
  static constexpr std::string_view name = "as";
};

/// Why a result cannot be judged.
struct NoExpression {
  static constexpr FixedText text = "the result is no tensor";
};

/// What is wrong with the arguments `E...`, the last of which may be the result, or `void`.
template <Spec S, class... E>
constexpr auto pattern_mistake_of() {
  using Match = PatternMatch<S, E...>;
  if constexpr (Match::value.fits) return std::type_identity<void>{};
  else
    return std::type_identity<error::pattern_does_not_fit<spec_of_name<CheckedName>,
                                                          spec_of_text<Match>, S, spec_of<E>...>>{};
}

template <Spec S, class F, class... X>
constexpr auto checked_mistake() {
  if constexpr (!PatternMatch<S, Unqualified<X>...>::value.fits || !pattern_has_result<S>)
    return pattern_mistake_of<S, Unqualified<X>...>();
  else {
    using Result = std::invoke_result_t<F, X...>;
    if constexpr (!Expression<Result>)
      return std::type_identity<
          error::pattern_does_not_fit<spec_of_name<CheckedName>, spec_of_text<NoExpression>, S>>{};
    else return pattern_mistake_of<S, Unqualified<X>..., Unqualified<Result>>();
  }
}

template <Spec S, class F, class... X>
using CheckedMistake = typename decltype(checked_mistake<S, F, X...>())::type;

template <Spec S, class F, class... X>
concept Checks = std::is_void_v<CheckedMistake<S, F, X...>>;

/// Checks at run time what the types leave open.
template <Spec S, class... E>
constexpr void check_pattern(std::array<Sizes, sizeof...(E)> const& sizes) {
  if constexpr (PatternMatch<S, E...>::value.open)
    check_words<S>(CheckedName::name, std::array<Shape, sizeof...(E)>{Shape(E::shape)...}, sizes);
}

/// A function whose arguments and result are checked against a pattern.
template <Spec S, class F>
struct Checked {
  F function;

  template <Expression... X>
    requires Checks<S, F const&, X&&...>
  constexpr decltype(auto) operator()(X&&... x) const {
    std::array<Sizes, sizeof...(X)> const sizes{x.sizes()...};
    check_pattern<S, Unqualified<X>...>(sizes);
    if constexpr (!pattern_has_result<S>) return std::invoke(function, std::forward<X>(x)...);
    else {
      std::invoke_result_t<F const&, X&&...> result = std::invoke(function, std::forward<X>(x)...);
      std::array<Sizes, sizeof...(X) + 1> all{};
      for (std::size_t i = 0; i < sizeof...(X); ++i) all[i] = sizes[i];
      all[sizeof...(X)] = result.sizes();
      check_pattern<S, Unqualified<X>..., Unqualified<decltype(result)>>(all);
      return result;
    }
  }
  template <Expression... X>
    requires(!Checks<S, F const&, X && ...>)
  auto operator()(X&&... x) const -> CheckedMistake<S, F const&, X&&...>;
  template <class... X>
  auto operator()(X const&...) const -> FirstMistake<X...>;
};

/// `f` under a pattern, `checked<"*batch c, c d -> *batch d">(f)`: what does not fit does not
/// compile; sizes that only run time knows are checked before `f` and, of its result, after it.
/// Throws `ShapeError`. The result keeps its own names. jaxtyping: `@jaxtyped`.
template <Spec S, class F>
constexpr Checked<S, std::decay_t<F>> checked(F&& f) {
  return {std::forward<F>(f)};
}

/// The first axis of a shape that does not agree with that of the other, or -1.
constexpr int first_disagreement(Shape const& a, Shape const& b) {
  for (int i = 0; i < a.rank && a.rank == b.rank; ++i) {
    if (!agree(a[i], b[i])) return i;
  }
  return -1;
}

template <Spec S, class E>
using AsTensor = Tensor<typename E::value_type, canonical<S>, typename E::device>;

template <Spec S, class E>
constexpr auto as_mistake() {
  using To = AsTensor<S, E>;
  constexpr int axis = first_disagreement(To::shape, E::shape);
  if constexpr (To::shape.rank != E::shape.rank)
    return std::type_identity<
        error::shapes_do_not_align<spec_of_name<AsName>, To::spec, spec_of<E>>>{};
  else if constexpr (axis >= 0)
    return std::type_identity<
        error::axes_do_not_fit<spec_of_name<AsName>, spec_of_axis<To, axis>, spec_of_axis<E, axis>,
                               To::spec, spec_of<E>>>{};
  else return std::type_identity<void>{};
}

/// What keeps `X` from having the spec `S`, or `void`.
template <Spec S, Expression X>
using AsMistake = typename decltype(as_mistake<S, Unqualified<X>>())::type;

/// `x` as a tensor of spec `S`, a word of which is an axis's own name: `as<"batch=32 784">(x)`.
/// This is the one run-time check of sizes; throws `ShapeError`. The elements of a tensor are
/// shared, an expression is evaluated.
template <Spec S, Expression X>
  requires std::is_void_v<AsMistake<S, X>>
constexpr auto as(X&& x) -> AsTensor<S, Unqualified<X>> {
  using To = AsTensor<S, Unqualified<X>>;
  check_sizes(AsName::name, To::shape, x.sizes());
  return To(hold(std::forward<X>(x)));
}
template <Spec S, Expression X, class R = AsMistake<S, X>>
  requires(!std::is_void_v<R>)
auto as(X&& x) -> R;
template <Spec, Mistake X>
auto as(X const&) -> X;

}  // namespace tenon

// ---- tenon/expr/reductions.hpp

/// Reductions over named axes, `sum<"height width">(x)`, over one by index, `sum<-1>(x)`, or over
/// all, `sum(x)`. They drop their axes; with `keep` they leave them with size 1.
namespace tenon {

/// How many elements of `x` are folded into one.
template <Axes axes, class X>
constexpr std::int64_t folded_elements(X const& x) {
  Sizes const sizes = x.sizes();
  std::int64_t number = 1;
  for (int i = 0; i < X::shape.rank; ++i) {
    if (Chosen<axes, X>::value[i]) number *= at(sizes, i);
  }
  return number;
}

/// The sizes of `x`, those of its folded axes as 1.
template <Axes axes, class X>
constexpr Sizes folded_sizes(X const& x) {
  Sizes sizes = x.sizes();
  for (int i = 0; i < X::shape.rank; ++i) {
    if (Chosen<axes, X>::value[i]) at(sizes, i) = 1;
  }
  return sizes;
}

/// Throws `ValueError` where an extreme of no elements is asked for, as NumPy does.
template <class Op, Axes axes, class X>
constexpr void require_elements(X const& x) {
  bool const is_wanted = count(folded_sizes<axes>(x), X::shape.rank) != 0;
  if (is_wanted && folded_elements<axes>(x) == 0)
    throw ValueError("tenon::" + std::string(Op::name) + ": an empty axis");
}

/// Sum. Of nothing: 0. PyTorch: `sum`.
template <Axes axes = every, Expression X, Sound R = Folded<op::SumFold, axes, false, X&&>>
constexpr auto sum(X&& x) -> R {
  return fold<op::SumFold, axes>(std::forward<X>(x));
}
template <Axes axes = every, Expression X, Mistaken R = Folded<op::SumFold, axes, false, X&&>>
auto sum(X&& x) -> R;
template <Axes axes = every, Expression X, Sound R = Folded<op::SumFold, axes, true, X&&>>
constexpr auto sum(X&& x, Keep) -> R {
  return fold<op::SumFold, axes, true>(std::forward<X>(x));
}
template <Axes axes = every, Expression X, Mistaken R = Folded<op::SumFold, axes, true, X&&>>
auto sum(X&& x, Keep) -> R;
template <Axes = every, class... X>
auto sum(X const&...) -> FirstMistake<X...>;

/// Product. Of nothing: 1. PyTorch: `prod`.
template <Axes axes = every, Expression X, Sound R = Folded<op::ProdFold, axes, false, X&&>>
constexpr auto prod(X&& x) -> R {
  return fold<op::ProdFold, axes>(std::forward<X>(x));
}
template <Axes axes = every, Expression X, Mistaken R = Folded<op::ProdFold, axes, false, X&&>>
auto prod(X&& x) -> R;
template <Axes axes = every, Expression X, Sound R = Folded<op::ProdFold, axes, true, X&&>>
constexpr auto prod(X&& x, Keep) -> R {
  return fold<op::ProdFold, axes, true>(std::forward<X>(x));
}
template <Axes axes = every, Expression X, Mistaken R = Folded<op::ProdFold, axes, true, X&&>>
auto prod(X&& x, Keep) -> R;
template <Axes = every, class... X>
auto prod(X const&...) -> FirstMistake<X...>;

/// The largest; NaN if there is one. Throws `ValueError` for an empty axis. PyTorch: `amax`.
template <Axes axes = every, Expression X, Sound R = Folded<op::MaxFold, axes, false, X&&>>
constexpr auto max(X&& x) -> R {
  require_elements<op::MaxFold, axes>(x);
  return fold<op::MaxFold, axes>(std::forward<X>(x));
}
template <Axes axes = every, Expression X, Mistaken R = Folded<op::MaxFold, axes, false, X&&>>
auto max(X&& x) -> R;
template <Axes axes = every, Expression X, Sound R = Folded<op::MaxFold, axes, true, X&&>>
constexpr auto max(X&& x, Keep) -> R {
  require_elements<op::MaxFold, axes>(x);
  return fold<op::MaxFold, axes, true>(std::forward<X>(x));
}
template <Axes axes = every, Expression X, Mistaken R = Folded<op::MaxFold, axes, true, X&&>>
auto max(X&& x, Keep) -> R;
template <Axes = every, class... X>
auto max(X const&...) -> FirstMistake<X...>;

/// The smallest; NaN if there is one. Throws `ValueError` for an empty axis. PyTorch: `amin`.
template <Axes axes = every, Expression X, Sound R = Folded<op::MinFold, axes, false, X&&>>
constexpr auto min(X&& x) -> R {
  require_elements<op::MinFold, axes>(x);
  return fold<op::MinFold, axes>(std::forward<X>(x));
}
template <Axes axes = every, Expression X, Mistaken R = Folded<op::MinFold, axes, false, X&&>>
auto min(X&& x) -> R;
template <Axes axes = every, Expression X, Sound R = Folded<op::MinFold, axes, true, X&&>>
constexpr auto min(X&& x, Keep) -> R {
  require_elements<op::MinFold, axes>(x);
  return fold<op::MinFold, axes, true>(std::forward<X>(x));
}
template <Axes axes = every, Expression X, Mistaken R = Folded<op::MinFold, axes, true, X&&>>
auto min(X&& x, Keep) -> R;
template <Axes = every, class... X>
auto min(X const&...) -> FirstMistake<X...>;

/// Is any element of a mask true? PyTorch: `any`.
template <Axes axes = every, Expression X, Sound R = Folded<op::AnyFold, axes, false, X&&>>
constexpr auto any(X&& x) -> R {
  return fold<op::AnyFold, axes>(std::forward<X>(x));
}
template <Axes axes = every, Expression X, Mistaken R = Folded<op::AnyFold, axes, false, X&&>>
auto any(X&& x) -> R;
template <Axes = every, class... X>
auto any(X const&...) -> FirstMistake<X...>;

/// Are all elements of a mask true? PyTorch: `all`.
template <Axes axes = every, Expression X, Sound R = Folded<op::AllFold, axes, false, X&&>>
constexpr auto all(X&& x) -> R {
  return fold<op::AllFold, axes>(std::forward<X>(x));
}
template <Axes axes = every, Expression X, Mistaken R = Folded<op::AllFold, axes, false, X&&>>
auto all(X&& x) -> R;
template <Axes = every, class... X>
auto all(X const&...) -> FirstMistake<X...>;

/// The position of the largest along an axis (along all: in row-major order), as int32; the first
/// among equals, the first NaN if there is one. Throws `ValueError` for an empty axis.
template <Axes axes = every, Expression X, Sound R = Folded<op::ArgmaxFold, axes, false, X&&>>
constexpr auto argmax(X&& x) -> R {
  return fold<op::ArgmaxFold, axes>(std::forward<X>(x));
}
template <Axes axes = every, Expression X, Mistaken R = Folded<op::ArgmaxFold, axes, false, X&&>>
auto argmax(X&& x) -> R;
template <Axes = every, class... X>
auto argmax(X const&...) -> FirstMistake<X...>;
template <Axes axes = every, Expression X, Sound R = Folded<op::ArgminFold, axes, false, X&&>>
constexpr auto argmin(X&& x) -> R {
  return fold<op::ArgminFold, axes>(std::forward<X>(x));
}
template <Axes axes = every, Expression X, Mistaken R = Folded<op::ArgminFold, axes, false, X&&>>
auto argmin(X&& x) -> R;
template <Axes = every, class... X>
auto argmin(X const&...) -> FirstMistake<X...>;

/// The dtype in which `x` is averaged: masks and integers count as `float`.
template <Expression X>
constexpr decltype(auto) as_floating(X&& x) {
  if constexpr (InexactType<typename Unqualified<X>::value_type>) return std::forward<X>(x);
  else return to<float>(std::forward<X>(x));
}

template <class X>
using Floating = std::remove_cvref_t<decltype(as_floating(std::declval<X>()))>;

template <Axes axes, bool keeps, class X>
constexpr auto mean_of(X&& x) {
  auto const number = static_cast<typename Floating<X>::value_type>(folded_elements<axes>(x));
  return fold<op::SumFold, axes, keeps>(as_floating(std::forward<X>(x))) / number;
}

/// `void`, or the name of what keeps rows of `E` along `axes` from being averaged or normalised:
/// the axes, or the dtype, of which `accepts` says whether it will do.
template <class Name, Axes axes, class E, bool accepts>
constexpr auto rows_mistake() {
  if constexpr (!Chosen<axes, E>::ok) return std::type_identity<ChoiceMistake<Name, axes, E>>{};
  else if constexpr (!accepts) return dtype_mistake<Name, E>();
  else return std::type_identity<void>{};
}

template <class X>
inline constexpr bool can_be_averaged = !HalfType<typename Unqualified<X>::value_type>;

template <class Name, Axes axes, Expression X>
using MeanMistake =
    typename decltype(rows_mistake<Name, axes, Unqualified<X>, can_be_averaged<X>>())::type;

/// Mean; of nothing: NaN. Masks and integers are averaged as `float`. PyTorch: `mean`.
template <Axes axes = every, Expression X>
  requires std::is_void_v<MeanMistake<op::MeanReduction, axes, X>>
constexpr auto mean(X&& x) {
  return mean_of<axes, false>(std::forward<X>(x));
}
template <Axes axes = every, Expression X>
  requires std::is_void_v<MeanMistake<op::MeanReduction, axes, X>>
constexpr auto mean(X&& x, Keep) {
  return mean_of<axes, true>(std::forward<X>(x));
}
template <Axes axes = every, Expression X, std::same_as<Keep>... K,
          class R = MeanMistake<op::MeanReduction, axes, X>>
  requires(!std::is_void_v<R>)
auto mean(X&& x, K... kept) -> R;
template <Axes = every, class... X>
auto mean(X const&...) -> FirstMistake<X...>;

/// Variance, the mean of squared distances from the mean (NumPy's: divided by n, not n - 1).
/// PyTorch: `var(correction=0)`.
template <Axes axes = every, Expression X>
  requires std::is_void_v<MeanMistake<op::VarianceReduction, axes, X>>
constexpr auto var(X&& x) {
  auto const& named = x;
  return mean<axes>(square(named - mean<axes>(named, keep)));
}
template <Axes axes = every, Expression X>
  requires std::is_void_v<MeanMistake<op::VarianceReduction, axes, X>>
constexpr auto var(X&& x, Keep) {
  auto const& named = x;
  return mean<axes>(square(named - mean<axes>(named, keep)), keep);
}
template <Axes axes = every, Expression X, std::same_as<Keep>... K,
          class R = MeanMistake<op::VarianceReduction, axes, X>>
  requires(!std::is_void_v<R>)
auto var(X&& x, K... kept) -> R;
template <Axes = every, class... X>
auto var(X const&...) -> FirstMistake<X...>;

}  // namespace tenon

// ---- tenon/expr/close.hpp

/// Comparison within a tolerance.
namespace tenon {

/// How far two numbers may be apart: `absolute` and, of the second, the share `relative`.
struct Tolerance {
  double relative = 1e-5;
  double absolute = 1e-8;
};

/// Elementwise |a - b| <= absolute + relative |b|; infinities are close to themselves, NaN to
/// nothing. NumPy's `isclose` and PyTorch's.
template <Expression A, Expression B>
  requires std::floating_point<typename Unqualified<A>::value_type> &&
           (!Mistake<MapOf<op::Sub, A const&, B const&>>)
constexpr auto isclose(A const& a, B const& b, Tolerance tolerance = {}) {
  using T = typename Unqualified<A>::value_type;
  auto const most = T(tolerance.absolute) + T(tolerance.relative) * abs(b);
  return (a == b) || (isfinite(b) && abs(a - b) <= most);
}
template <class A, class B, Mistake R = MapOf<op::Sub, A const&, B const&>>
auto isclose(A const& a, B const& b, Tolerance tolerance = {}) -> R;

/// Are all elements close? PyTorch: `allclose`.
template <Expression A, Expression B>
  requires requires(A const& a, B const& b) { isclose(a, b).sizes(); }
constexpr bool allclose(A const& a, B const& b, Tolerance tolerance = {}) {
  return all(isclose(a, b, tolerance)).item();
}
template <class A, class B, Mistake R = MapOf<op::Sub, A const&, B const&>>
auto allclose(A const& a, B const& b, Tolerance tolerance = {}) -> R;

}  // namespace tenon

// ---- tenon/expr/compound.hpp

/// `x += y` is `x = x + y`: the name gets a new value, and who shared the old one keeps it. The
/// result must fit `x` as an assignment asks: `y` may broadcast, `x` does not grow.
namespace tenon {

/// `X&`, or the name of what is wrong with the operation or with the assignment of its result.
template <class Op, class X, class Y>
constexpr auto compound_type() {
  using Result = MapOf<Op, X const&, Y>;
  if constexpr (Mistake<Result>) return std::type_identity<Result>{};
  else if constexpr (Assignable<X, Result>) return std::type_identity<X&>{};
  else return unfit_value<X, Result>();
}

template <class Op, TensorType X, class Y>
using Compound = typename decltype(compound_type<Op, X, Y>())::type;

template <class R>
concept SoundCompound = std::is_reference_v<R>;

template <TensorType X, class Y, SoundCompound R = Compound<op::Add, X, Y>>
constexpr R operator+=(X& x, Y&& y) {
  return x = x + std::forward<Y>(y);
}
template <TensorType X, class Y, Mistake R = Compound<op::Add, X, Y>>
R operator+=(X& x, Y&& y);

template <TensorType X, class Y, SoundCompound R = Compound<op::Sub, X, Y>>
constexpr R operator-=(X& x, Y&& y) {
  return x = x - std::forward<Y>(y);
}
template <TensorType X, class Y, Mistake R = Compound<op::Sub, X, Y>>
R operator-=(X& x, Y&& y);

template <TensorType X, class Y, SoundCompound R = Compound<op::Mul, X, Y>>
constexpr R operator*=(X& x, Y&& y) {
  return x = x * std::forward<Y>(y);
}
template <TensorType X, class Y, Mistake R = Compound<op::Mul, X, Y>>
R operator*=(X& x, Y&& y);

template <TensorType X, class Y, SoundCompound R = Compound<op::Div, X, Y>>
constexpr R operator/=(X& x, Y&& y) {
  return x = x / std::forward<Y>(y);
}
template <TensorType X, class Y, Mistake R = Compound<op::Div, X, Y>>
R operator/=(X& x, Y&& y);

template <TensorType X, class Y, SoundCompound R = Compound<op::Mod, X, Y>>
constexpr R operator%=(X& x, Y&& y) {
  return x = x % std::forward<Y>(y);
}
template <TensorType X, class Y, Mistake R = Compound<op::Mod, X, Y>>
R operator%=(X& x, Y&& y);

template <TensorType X, class Y, SoundCompound R = Compound<op::BitAnd, X, Y>>
constexpr R operator&=(X& x, Y&& y) {
  return x = x & std::forward<Y>(y);
}
template <TensorType X, class Y, Mistake R = Compound<op::BitAnd, X, Y>>
R operator&=(X& x, Y&& y);

template <TensorType X, class Y, SoundCompound R = Compound<op::BitOr, X, Y>>
constexpr R operator|=(X& x, Y&& y) {
  return x = x | std::forward<Y>(y);
}
template <TensorType X, class Y, Mistake R = Compound<op::BitOr, X, Y>>
R operator|=(X& x, Y&& y);

template <TensorType X, class Y, SoundCompound R = Compound<op::BitXor, X, Y>>
constexpr R operator^=(X& x, Y&& y) {
  return x = x ^ std::forward<Y>(y);
}
template <TensorType X, class Y, Mistake R = Compound<op::BitXor, X, Y>>
R operator^=(X& x, Y&& y);

template <TensorType X, class Y, SoundCompound R = Compound<op::ShiftLeft, X, Y>>
constexpr R operator<<=(X& x, Y&& y) {
  return x = x << std::forward<Y>(y);
}
template <TensorType X, class Y, Mistake R = Compound<op::ShiftLeft, X, Y>>
R operator<<=(X& x, Y&& y);

template <TensorType X, class Y, SoundCompound R = Compound<op::ShiftRight, X, Y>>
constexpr R operator>>=(X& x, Y&& y) {
  return x = x >> std::forward<Y>(y);
}
template <TensorType X, class Y, Mistake R = Compound<op::ShiftRight, X, Y>>
R operator>>=(X& x, Y&& y);

}  // namespace tenon

// ---- tenon/expr/row.hpp

#include <iterator>

/// One place along an axis, which is gone then: `take<"layer">(x, 2)`, `x[2]`, `for (auto row :
/// x)`. Nothing is copied, the result stays open.
namespace tenon {

/// All axes but one, in order.
constexpr AxisMap order_without(int rank, int axis) {
  AxisMap order = no_axes();
  for (int i = 0; i + 1 < rank; ++i)
    order[static_cast<std::size_t>(i)] = static_cast<std::int8_t>(i < axis ? i : i + 1);
  return order;
}

template <Axes axes, class E>
struct RowRule {
  static constexpr int axis = Chosen<axes, E>::value.axis();
  static constexpr Shape shape = removed(E::shape, axis);
  static constexpr AxisMap order = order_without(E::shape.rank, axis);
};

template <Axes axes, Expression X>
using RowMistake = typename decltype(axes_mistake<TakeName, axes, 1, Held<X>>())::type;

/// The part of `x` at place `i` of one axis; a negative place counts from the end. Throws
/// `IndexError`. PyTorch: `select`.
template <Axes axis, Expression X, std::integral I>
  requires std::is_void_v<RowMistake<axis, X&&>>
constexpr auto take(X&& x, I i) {
  using Rule = RowRule<axis, Held<X&&>>;
  Sizes const sizes = x.sizes();
  std::int64_t const size = at(sizes, Rule::axis), place = static_cast<std::int64_t>(i);
  if (place < -size || place >= size) {
    fail<IndexError>({TakeName::name, axis_label(Unqualified<X>::shape, Rule::axis),
                      "an index below " + std::to_string(size), std::to_string(place),
                      "\"" + std::string(format(Unqualified<X>::shape).view()) + "\""});
  }
  ElementIndex start{};
  at(start, Rule::axis) = place < 0 ? place + size : place;
  return moved<Rule>(std::forward<X>(x), moved_sizes(sizes, Rule::order, Rule::shape.rank), start);
}
template <Axes axis, Expression X, std::integral I, class R = RowMistake<axis, X&&>>
  requires(!std::is_void_v<R>)
auto take(X&& x, I i) -> R;

/// Walks the first axis of a tensor, which it keeps.
template <TensorType E>
class RowIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using difference_type = std::ptrdiff_t;
  using value_type = decltype(take<0>(std::declval<E const&>(), 0));
  using pointer = void;
  using reference = value_type;

  constexpr RowIterator(E x, std::int64_t place) : x_(std::move(x)), place_(place) {}

  constexpr value_type operator*() const { return take<0>(x_, place_); }
  constexpr RowIterator& operator++() {
    ++place_;
    return *this;
  }
  constexpr RowIterator operator++(int) { return {x_, place_++}; }
  /// Of iterators of one expression.
  friend constexpr bool operator==(RowIterator const& a, RowIterator const& b) {
    return a.place_ == b.place_;
  }

 private:
  E x_;
  std::int64_t place_;
};

template <class X>
concept HasRows = TensorType<X> && (X::rank > 0);

/// `for (auto const& row : x)`: the parts along the first axis of a tensor.
template <HasRows X>
constexpr auto begin(X const& x) {
  return RowIterator<X>(x, 0);
}
template <HasRows X>
constexpr auto end(X const& x) {
  return RowIterator<X>(x, at(x.sizes(), 0));
}

}  // namespace tenon

// ---- tenon/expr/diagonal.hpp

/// Diagonals of matrices, which are the last two axes; those before them are a batch.
namespace tenon {

struct DiagonalName {
  static constexpr std::string_view name = "diagonal";
};
struct TraceName {
  static constexpr std::string_view name = "trace";
};
struct DiagName {
  static constexpr std::string_view name = "diag";
};

/// The axis of a diagonal: that of both where they are one, else as long as the shorter.
constexpr Axis diagonal_axis(Axis const& row, Axis const& column) {
  return row == column ? row : axis_of(minimum(extent_of(row), extent_of(column)));
}

template <class E>
struct DiagonalRule {
  static constexpr int rank = E::shape.rank;
  static constexpr Shape shape = with_axis(removed(E::shape, rank - 1), rank - 2,
                                           diagonal_axis(E::shape[rank - 2], E::shape[rank - 1]));
  static constexpr bool by_one = false;
};

/// Names why `E` is no matrix, or a batch of them; `void` where it is.
template <class Name, class E>
constexpr auto no_matrix() {
  if constexpr (E::shape.rank >= 2) return std::type_identity<void>{};
  else
    return std::type_identity<
        error::wrong_number_of_axes<spec_of_name<Name>, spec_of<E>, 2, E::shape.rank>>{};
}

template <class Name, class E>
constexpr auto diagonal_type() {
  using mistake = typename decltype(no_matrix<Name, E>())::type;
  if constexpr (!std::is_void_v<mistake>) return std::type_identity<mistake>{};
  else return std::type_identity<SteppedBy<DiagonalRule<E>, E>>{};
}
template <Expression X>
using Diagonal = typename decltype(diagonal_type<DiagonalName, Held<X>>())::type;

/// The diagonal of matrices: "batch n n" gives "batch n", "3 4" gives "3". Nothing is copied.
/// NumPy, PyTorch: `diagonal` of the last two axes.
template <Expression X, Sound Result = Diagonal<X&&>>
constexpr auto diagonal(X&& x) -> Result {
  constexpr int last = Result::shape.rank;
  Sizes sizes = x.sizes();
  SliceSteps steps{row_major(sizes, last + 1)};
  at(steps.along, last - 1) += at(steps.along, last);
  at(steps.along, last) = 0;
  at(sizes, last - 1) = std::min(at(sizes, last - 1), at(sizes, last));
  at(sizes, last) = 1;
  return Result(keep_value(std::forward<X>(x)), sizes, steps);
}
template <Expression X, Mistaken Result = Diagonal<X&&>>
auto diagonal(X&& x) -> Result;
template <Mistake X>
auto diagonal(X const&) -> X;

template <class E>
constexpr auto trace_mistake() {
  if constexpr (!FoldsDtype<op::SumFold, E>) return dtype_mistake<TraceName, E>();
  else return no_matrix<TraceName, E>();
}
template <Expression X>
using TraceMistake = typename decltype(trace_mistake<Held<X>>())::type;

/// The sum of the diagonal of matrices: "batch n n" gives "batch". NumPy, PyTorch: `trace`.
template <Expression X>
  requires std::is_void_v<TraceMistake<X&&>>
constexpr auto trace(X&& x) {
  return sum<-1>(diagonal(std::forward<X>(x)));
}
template <Expression X, class R = TraceMistake<X&&>>
  requires(!std::is_void_v<R>)
auto trace(X&& x) -> R;
template <Mistake X>
auto trace(X const&) -> X;

/// A vector as a row or a column.
template <class E, int place>
struct LineRule {
  static constexpr Shape shape = inserted(E::shape, 1 - place, axis_of_size(1));
  static constexpr AxisMap order = [] {
    AxisMap map = no_axes();
    map[place] = 0;
    return map;
  }();
};
template <int place, class X>
constexpr auto line(X&& x) {
  return moved<LineRule<Held<X&&>, place>>(std::forward<X>(x));
}

template <class E>
constexpr auto diag_mistake() {
  using T = typename E::value_type;
  if constexpr (!NumType<T>) return dtype_mistake<DiagName, E>();
  else if constexpr (E::shape.rank == 1) return std::type_identity<void>{};
  else
    return std::type_identity<
        error::wrong_number_of_axes<spec_of_name<DiagName>, spec_of<E>, 1, E::shape.rank>>{};
}
template <Expression X>
using DiagMistake = typename decltype(diag_mistake<Held<X>>())::type;

/// The matrix that has a vector as its diagonal, else zeros: "n" gives "n n". NumPy, PyTorch:
/// `diag` of a vector; of a matrix it is `diagonal`.
template <Expression X>
  requires std::is_void_v<DiagMistake<X&&>>
constexpr auto diag(X&& x) {
  using E = Unqualified<X>;
  using T = typename E::value_type;
  using Places = Tensor<std::int32_t, spec_of<E>, typename E::device>;
  auto places = Places::uninitialised(x.sizes());
  auto* const to = places.mutable_data();
  for (std::int64_t i = 0; i < places.size(); ++i) to[i] = static_cast<std::int32_t>(i);
  return where(line<0>(places) == line<1>(places), line<0>(std::forward<X>(x)), T{});
}
template <Expression X, class R = DiagMistake<X&&>>
  requires(!std::is_void_v<R>)
auto diag(X&& x) -> R;
template <Mistake X>
auto diag(X const&) -> X;

}  // namespace tenon

// ---- tenon/core/pattern_side.hpp

namespace tenon {

/// The most words on one side of a pattern.
inline constexpr int max_factors = 2 * max_rank;

/// One word on one side of `b t (h=8 d) -> b h t d`. Words of one pair of parentheses are the
/// factors of one axis: they share a group.
struct PatternFactor {
  std::string_view text{};  ///< As written: `h=8`, `1`, `...`, `()`
  std::string_view name{};  ///< `h`; "" of a number and of `...`
  std::int64_t size = dynamic;
  int group = 0;
  bool is_ellipsis = false;
  bool is_inside = false;  ///< of parentheses

  constexpr bool is_number() const { return name.empty() && !is_ellipsis; }
  constexpr bool is_open() const { return name.starts_with('_'); }  ///< `_`: only documents
};

/// One side of a pattern, or what is wrong with it.
struct PatternSide {
  std::array<PatternFactor, max_factors> factors{};
  int count = 0;
  int groups = 0;
  FixedText mistake{};

  constexpr PatternFactor& operator[](int i) { return factors[static_cast<std::size_t>(i)]; }
  constexpr PatternFactor const& operator[](int i) const {
    return factors[static_cast<std::size_t>(i)];
  }

  /// The position of a word; -1 where it does not stand here. `_` never does: it has no name.
  constexpr int find(std::string_view name) const {
    for (int i = 0; i < count; ++i) {
      if (!name.empty() && (*this)[i].name == name && !(*this)[i].is_open()) return i;
    }
    return -1;
  }

  constexpr int ellipsis() const {
    for (int i = 0; i < count; ++i) {
      if ((*this)[i].is_ellipsis) return i;
    }
    return -1;
  }
};

/// Reads one side of a pattern.
struct SideReader {
  PatternSide side{};
  bool inside = false;  ///< of parentheses
  int opened = 0;       ///< the number of words before them

  constexpr void refuse(FixedText const& mistake) {
    if (side.mistake.empty()) side.mistake = mistake;
  }

  constexpr void add(PatternFactor const& factor) {
    if (side.count == max_factors) return refuse("over 16 words on one side");
    side[side.count] = factor;
    side[side.count].is_inside = inside;
    side[side.count++].group = side.groups;
    if (!inside) ++side.groups;
  }

  constexpr void open() {
    if (inside) refuse("parentheses do not nest");
    inside = true;
    opened = side.count;
  }

  constexpr void close() {
    if (!inside) return refuse("a ) closes nothing");
    if (side.count == opened) add({.text = "()", .size = 1});
    inside = false;
    ++side.groups;
  }

  constexpr void add_word(SpecToken const& token) {
    FixedText const mistake = pattern_mistake(token);
    if (!mistake.empty()) return refuse(mistake);
    if (side.find(token.name) >= 0) {
      return refuse(sentence({token.name, " stands twice on one side"}));
    }
    add({.text = token.word, .name = token.name, .size = token.size});
  }

  constexpr void add_ellipsis() {
    if (side.ellipsis() >= 0) return refuse("... stands twice on one side");
    add({.text = "...", .is_ellipsis = true});
  }

  constexpr void take(PatternWord const& next) {
    switch (next.mark) {
      case PatternMark::open:
        return open();
      case PatternMark::close:
        return close();
      case PatternMark::ellipsis:
        return add_ellipsis();
      case PatternMark::word:
        return add_word(next.token);
      default:
        return refuse(sentence({"a stray ", next.text}));
    }
  }
};

/// Reads a side of a pattern up to its `end`, an arrow or the end of the text.
constexpr PatternSide read_side(PatternReader& pattern, PatternMark end) {
  SideReader reader;
  PatternWord next = pattern.next();
  for (; next.mark != end && next.mark != PatternMark::end; next = pattern.next())
    reader.take(next);
  if (next.mark != end) reader.refuse(missing("an arrow", next));
  if (reader.inside) reader.refuse("a ( is not closed");
  return reader.side;
}

}  // namespace tenon

// ---- tenon/core/split.hpp

namespace tenon {

/// An operand whose axes are split into the factors on the left of a pattern.
struct SplitSizes {
  Shape shape{};             ///< The factors: names of the pattern, sizes where known.
  AxisMap from = no_axes();  ///< Axis of the shape -> axis of the operand.
  AxisMap word = no_axes();  ///< Axis of the shape -> word on the left.
  FixedText mistake{};

  constexpr void refuse(FixedText const& why) {
    if (mistake.empty()) mistake = why;
  }

  constexpr void add(Axis const& axis, int operand_axis, int factor) {
    if (shape.rank == max_rank) return refuse("the factors are more than 8 axes");
    auto const at = static_cast<std::size_t>(shape.rank);
    from[at] = static_cast<std::int8_t>(operand_axis);
    word[at] = static_cast<std::int8_t>(factor);
    shape[shape.rank++] = axis;
  }
};

/// The product of the sizes given to the factors of one axis, and the factor without one.
struct GivenFactors {
  std::int64_t product = 1;
  int open = 0;  ///< How many have no size.
};

constexpr GivenFactors given_factors(PatternSide const& left, int group) {
  GivenFactors result{};
  for (int i = 0; i < left.count; ++i) {
    if (left[i].group != group) continue;
    if (left[i].size == dynamic) {
      ++result.open;
    } else if (__builtin_mul_overflow(result.product, left[i].size, &result.product)) {
      result.product = unbounded;
    }
  }
  return result;
}

/// Why the factors of a group cannot make up an axis; empty where they can.
constexpr FixedText factor_mistake(GivenFactors const& given, Axis const& axis,
                                   PatternFactor const& first) {
  if (given.open > 1) {
    return sentence({"an axis of two open factors, as ", first.text});
  }
  if (given.open == 1 && given.product == 0) return "a factor is open beside a size 0";
  if (!axis.is_static()) return {};
  bool const divides =
      given.open == 1 ? axis.size % given.product == 0 : axis.size == given.product;
  return divides ? FixedText{} : sentence({first.text, " does not make up its axis"});
}

/// The axis of one factor; one that is alone keeps the bounds of the operand's axis.
constexpr Axis factor_axis(PatternFactor const& factor, Axis const& axis,
                           GivenFactors const& given) {
  bool const alone = given.open == 1 && given.product == 1;
  std::int64_t const open_size = axis.is_static() ? axis.size / given.product : dynamic;
  std::string_view const name = factor.is_open() ? std::string_view{} : factor.name;
  bool const is_open = factor.size == dynamic;
  bool const bounded = is_open && alone;
  return {name,
          {},
          is_open ? open_size : factor.size,
          bounded ? axis.lower : 0,
          bounded ? axis.upper : unbounded};
}

/// Splits one axis of the operand into the factors of one group.
constexpr void split_axis(SplitSizes& result, PatternSide const& left, int group, Axis const& axis,
                          int operand_axis) {
  GivenFactors const given = given_factors(left, group);
  bool is_first = true;
  for (int i = 0; i < left.count; ++i) {
    if (left[i].group != group) continue;
    if (is_first) result.mistake = factor_mistake(given, axis, left[i]);
    if (!result.mistake.empty()) return;
    is_first = false;
    result.add(factor_axis(left[i], axis, given), operand_axis, i);
  }
}

/// Why a pattern cannot stand for the axes of an operand; empty where it can.
constexpr FixedText rank_mistake(PatternSide const& left, Shape const& operand) {
  bool const any = left.ellipsis() >= 0;
  int const axes = left.groups - (any ? 1 : 0);
  if (operand.rank < axes) return "fewer axes than in the pattern";
  return operand.rank > axes && !any ? "more axes than in the pattern" : FixedText{};
}

/// Splits the operand into the words on the left; those of `...` keep their own names.
constexpr SplitSizes split_operand(PatternSide const& left, Shape const& operand) {
  SplitSizes result;
  result.mistake = rank_mistake(left, operand);
  int const ellipsis = left.ellipsis();
  int const any = ellipsis < 0 ? -1 : left[ellipsis].group;
  int axis = 0;
  for (int group = 0; group < left.groups && result.mistake.empty(); ++group) {
    if (group != any) {
      split_axis(result, left, group, operand[axis], axis);
      ++axis;
      continue;
    }
    int const end = axis + operand.rank - (left.groups - 1);
    for (; axis < end; ++axis) result.add(operand[axis], axis, ellipsis);
  }
  return result;
}

}  // namespace tenon

// ---- tenon/core/rearrange.hpp

namespace tenon {

/// A rearrangement: the operand is split into factors, permuted, and merged to the result.
struct Rearrangement {
  bool fits = false;
  FixedText mistake{};              ///< Where it does not fit: what is wrong, as a sentence.
  Shape split{};                    ///< The operand, its axes split into factors.
  AxisMap split_from = no_axes();   ///< Axis of `split` -> axis of the operand.
  AxisMap order = no_axes();        ///< Axis of `permuted` -> axis of `split`; -1: a new axis.
  int kept = 0;                     ///< The rank of `permuted`. An axis of `split` that is not in
                                    ///< `order` is of size 1, or is what `reduce` folds.
  Shape permuted{};                 ///< The shape after permutation and repetition.
  AxisMap merged_into = no_axes();  ///< Axis of `permuted` -> axis of the result.
  Shape shape{};                    ///< Of the result: it carries the words of the pattern.
};

/// What a pattern may do beyond moving axes.
struct Freedom {
  bool drops = false;  ///< `reduce` may leave words out.
  bool adds = false;   ///< `repeat` may add words with a size.
};

/// A rearrangement while the right of its pattern is read.
struct RightReader {
  PatternSide const& left;
  PatternSide const& right;
  SplitSizes const& split;
  Freedom freedom{};
  Rearrangement result{};

  constexpr void refuse(FixedText const& mistake) {
    if (result.mistake.empty()) result.mistake = mistake;
  }

  constexpr void append(Axis const& axis, int from) {
    if (result.kept == max_rank) return refuse("the result has more than 8 axes");
    result.order[static_cast<std::size_t>(result.kept++)] = static_cast<std::int8_t>(from);
    result.permuted[result.permuted.rank++] = axis;
  }

  /// Appends the axes of `split` that stand for one word on the left.
  constexpr void append_word(int word) {
    for (int i = 0; i < split.shape.rank; ++i) {
      if (split.word[static_cast<std::size_t>(i)] == word) append(split.shape[i], i);
    }
  }

  constexpr void append_new(PatternFactor const& factor) {
    if (factor.is_number() && factor.size == 1) return append(axis_of_size(1), -1);
    if (factor.is_open()) return refuse(sentence({factor.text, " is no name for a result"}));
    if (!freedom.adds) return refuse(sentence({factor.text, " is not on the left"}));
    if (factor.size == dynamic) {
      return refuse(sentence({factor.text, " is new: write its size, ", factor.text, "=3"}));
    }
    append(named_axis(factor.name, factor.size), -1);
  }

  constexpr void append_factor(PatternFactor const& factor) {
    int const word = factor.is_ellipsis ? left.ellipsis() : left.find(factor.name);
    if (word >= 0) return append_word(word);
    if (factor.is_ellipsis) return refuse("... is not on the left");
    append_new(factor);
  }

  constexpr void add_result(Axis const& axis) {
    if (result.shape.rank < max_rank) result.shape[result.shape.rank++] = axis;
  }

  /// Merges the axes of `permuted` from `begin` on into one axis of the result.
  constexpr void merge_from(int begin) {
    if (begin == result.kept) append(axis_of_size(1), -1);
    Axis merged = result.permuted[begin];
    for (int i = begin; i < result.kept; ++i) {
      if (i > begin) merged = axis_of(extent_of(merged) * extent_of(result.permuted[i]));
      result.merged_into[static_cast<std::size_t>(i)] = static_cast<std::int8_t>(result.shape.rank);
    }
    add_result(merged);
  }

  constexpr void read_group(int group) {
    int const begin = result.kept;
    bool merges = true;
    for (int i = 0; i < right.count; ++i) {
      if (right[i].group != group) continue;
      append_factor(right[i]);
      merges = !right[i].is_ellipsis || right[i].is_inside;
    }
    if (!result.mistake.empty()) return;
    if (merges) return merge_from(begin);
    for (int i = begin; i < result.kept; ++i) {
      result.merged_into[static_cast<std::size_t>(i)] = static_cast<std::int8_t>(result.shape.rank);
      add_result(result.permuted[i]);
    }
  }

  /// Refuses a word on the left that got lost.
  constexpr void check_left() {
    for (int i = 0; i < left.count && !freedom.drops; ++i) {
      PatternFactor const& factor = left[i];
      bool const found = factor.is_ellipsis ? right.ellipsis() >= 0 : right.find(factor.name) >= 0;
      bool const is_one = factor.is_number() && factor.size == 1;
      if (!found && !is_one) refuse(sentence({factor.text, " is not on the right"}));
    }
  }

  constexpr Rearrangement whole() {
    result.mistake = split.mistake;
    check_left();
    for (int group = 0; group < right.groups && result.mistake.empty(); ++group) read_group(group);
    Settled const settled = settle(result.shape);
    if (!settled.mistake.empty()) refuse(settled.mistake);
    result.shape = settled.shape;
    result.split = split.shape;
    result.split_from = split.from;
    result.fits = result.mistake.empty();
    return result;
  }
};

/// The left of a pattern with the sizes that are written on the right: `(h d) -> h=8 d`.
constexpr PatternSide with_sizes(PatternSide const& left, PatternSide const& right) {
  PatternSide result = left;
  for (int i = 0; i < left.count; ++i) {
    int const there = right.find(left[i].name);
    if (there < 0 || right[there].size == dynamic) continue;
    if (left[i].size == dynamic) result[i].size = right[there].size;
    if (result[i].size == right[there].size) continue;
    result.mistake = sentence({left[i].name, " has two sizes"});
  }
  return result;
}

constexpr Rearrangement refused_rearrangement(FixedText const& mistake) {
  Rearrangement result;
  result.mistake = mistake;
  return result;
}

constexpr Rearrangement rearrangement(std::string_view pattern, Shape const& operand,
                                      Freedom freedom) {
  PatternReader reader(pattern);
  PatternSide const plain = read_side(reader, PatternMark::arrow);
  if (!plain.mistake.empty()) return refused_rearrangement(plain.mistake);
  PatternSide const right = read_side(reader, PatternMark::end);
  if (!right.mistake.empty()) return refused_rearrangement(right.mistake);
  PatternSide const left = with_sizes(plain, right);
  if (!left.mistake.empty()) return refused_rearrangement(left.mistake);
  SplitSizes const split = split_operand(left, operand);
  return RightReader{left, right, split, freedom}.whole();
}

/// einops' rearrange: `"b t (h=8 d) -> b h t d"` only moves, splits and merges axes.
constexpr Rearrangement rearrange_rule(std::string_view pattern, Shape const& operand) {
  return rearrangement(pattern, operand, {});
}

/// einops' reduce: words that are not on the right are folded; `1` keeps their place.
constexpr Rearrangement reduce_rule(std::string_view pattern, Shape const& operand) {
  return rearrangement(pattern, operand, {.drops = true});
}

/// einops' repeat: words with a size that are not on the left are new axes.
constexpr Rearrangement repeat_rule(std::string_view pattern, Shape const& operand) {
  return rearrangement(pattern, operand, {.adds = true});
}

/// What the factors of one axis of the operand say of its size.
struct KnownFactors {
  std::int64_t product = 1;
  bool open = false;  ///< One factor follows from the size.

  constexpr bool fit(std::int64_t size) const {
    return product == size || (open && product != 0 && size % product == 0);
  }
};

constexpr KnownFactors known_factors(Rearrangement const& rule, int operand_axis) {
  KnownFactors result;
  for (int i = 0; i < rule.split.rank; ++i) {
    if (rule.split_from[static_cast<std::size_t>(i)] != operand_axis) continue;
    if (rule.split[i].is_static()) result.product *= rule.split[i].size;
    result.open = result.open || !rule.split[i].is_static();
  }
  return result;
}

/// The sizes of the factors at run time: solves the one that is open in each axis of the operand.
/// Throws ShapeError where the known factors do not make up their axis.
constexpr Sizes split_sizes(Rearrangement const& rule, Sizes const& operand,
                            std::string_view who = "rearrange") {
  Sizes result = ones();
  for (int i = 0; i < rule.split.rank; ++i) {
    auto const at = static_cast<std::size_t>(i);
    int const axis = rule.split_from[at];
    std::int64_t const size = operand[static_cast<std::size_t>(axis)];
    KnownFactors const known = known_factors(rule, axis);
    if (!known.fit(size)) {
      fail<ShapeError>({who, "axis " + std::to_string(axis),
                        (known.open ? "a multiple of " : "") + std::to_string(known.product),
                        std::to_string(size)});
    }
    result[at] = rule.split[i].is_static() ? rule.split[i].size : size / known.product;
  }
  return result;
}

/// The sizes after the permutation; new axes have their size from the pattern.
constexpr Sizes permuted_sizes(Rearrangement const& rule, Sizes const& split) {
  Sizes result = ones();
  for (std::size_t i = 0; i < static_cast<std::size_t>(rule.kept); ++i) {
    result[i] = rule.order[i] < 0 ? rule.permuted.axes[i].size
                                  : split[static_cast<std::size_t>(rule.order[i])];
  }
  return result;
}

/// The sizes of the result.
constexpr Sizes merged_sizes(Rearrangement const& rule, Sizes const& permuted) {
  Sizes result = ones();
  for (std::size_t i = 0; i < static_cast<std::size_t>(rule.kept); ++i) {
    result[static_cast<std::size_t>(rule.merged_into[i])] *= permuted[i];
  }
  return result;
}

}  // namespace tenon

// ---- tenon/expr/rearrangement.hpp

namespace tenon {

/// What of a rearrangement has to be done. The base is the operand, split into factors where that
/// takes a reshape; `reduce` folds axes of it. Axes of static size 1 come and go for nothing.
struct RearrangeSteps {
  bool splits = false;         ///< Some axis has more than one factor.
  AxisBits folded = 0;         ///< The axes of the base that are folded.
  bool moves = false;          ///< Elements change places, or are repeated.
  bool merges = false;         ///< Some axis of the result is made of several.
  AxisMap order = no_axes();   ///< Axis of `permuted` -> axis of the folded base, or -1.
  AxisMap direct = no_axes();  ///< Axis of the result -> axis of the folded base, or -1.
};

/// Does one entry come up twice among those axes of a shape that are not of size 1?
constexpr bool is_made_of_several(AxisMap const& map, Shape const& shape) {
  std::array<bool, max_rank> seen{};
  for (int i = 0; i < shape.rank; ++i) {
    int const to = map[static_cast<std::size_t>(i)];
    if (to < 0 || shape[i].is_one()) continue;
    if (seen[static_cast<std::size_t>(to)]) return true;
    seen[static_cast<std::size_t>(to)] = true;
  }
  return false;
}

/// The axis of the base where an axis of `split` lies, or -1.
constexpr int axis_of_base(Rearrangement const& rule, bool splits, int axis) {
  if (axis < 0 || rule.split[axis].is_one()) return -1;
  return splits ? axis : rule.split_from[static_cast<std::size_t>(axis)];
}

/// The axes of the base that have no place in the result.
constexpr AxisBits dropped_axes(Rearrangement const& rule, bool splits) {
  AxisBits dropped = 0;
  for (int i = 0; i < rule.split.rank; ++i) {
    int const axis = axis_of_base(rule, splits, i);
    if (axis >= 0 && position_of(rule.order, i) < 0) dropped |= 1u << axis;
  }
  return dropped;
}

/// The place of an axis after those of `folded` have gone.
constexpr int axis_after_fold(AxisBits folded, int axis) {
  int result = axis;
  for (int i = 0; i < axis; ++i) result -= has_axis(folded, i) ? 1 : 0;
  return result;
}

/// Do the axes that are read stand in another order, or does one stand for many elements?
constexpr bool changes_places(Rearrangement const& rule, AxisMap const& order) {
  int last = -1;
  for (int i = 0; i < rule.kept; ++i) {
    int const axis = order[static_cast<std::size_t>(i)];
    if (axis < 0 && !rule.permuted[i].is_one()) return true;
    if (axis < 0) continue;
    if (axis < last) return true;
    last = axis;
  }
  return false;
}

constexpr RearrangeSteps rearrange_steps(Rearrangement const& rule) {
  RearrangeSteps steps{};
  steps.splits = is_made_of_several(rule.split_from, rule.split);
  steps.folded = dropped_axes(rule, steps.splits);
  for (std::size_t i = 0; i < static_cast<std::size_t>(rule.kept); ++i) {
    int const axis = axis_of_base(rule, steps.splits, rule.order[i]);
    int const place = axis < 0 ? -1 : axis_after_fold(steps.folded, axis);
    steps.order[i] = static_cast<std::int8_t>(place);
    if (place >= 0) steps.direct[static_cast<std::size_t>(rule.merged_into[i])] = steps.order[i];
  }
  steps.moves = changes_places(rule, steps.order);
  steps.merges = is_made_of_several(rule.merged_into, rule.permuted);
  return steps;
}

/// The sizes of a shape without its names, which may stand twice while axes are moved.
constexpr Shape without_names(Shape const& shape) {
  Shape result{};
  for (Axis const& axis : shape) {
    Axis& plain = result[result.rank++];
    plain.size = axis.size;
  }
  return result;
}

}  // namespace tenon

// ---- tenon/expr/rearrange.hpp

/// einops' three functions. The result carries the words of the pattern. What can stay open does: a
/// permutation is a move, which a product reads where it lies. Axes are split and merged by
/// reshaping a tensor, which copies nothing; an expression is evaluated first.
namespace tenon {

struct RearrangeName {
  static constexpr std::string_view name = "rearrange";
};
struct ReduceName {
  static constexpr std::string_view name = "reduce";
};
struct RepeatName {
  static constexpr std::string_view name = "repeat";
};

/// How a pattern lies on an operand.
template <class Name, Spec pattern, class E>
struct RearrangeRule {
  using name = Name;
  static constexpr Rearrangement value = rearrangement(
      pattern.view(), E::shape, {std::same_as<Name, ReduceName>, std::same_as<Name, RepeatName>});
  static constexpr RearrangeSteps steps = value.fits ? rearrange_steps(value) : RearrangeSteps{};
  static constexpr FixedText text = value.mistake;
};

/// The operand split into its factors.
template <class Rule>
struct SplitRule {
  static constexpr Shape shape = without_names(Rule::value.split);
};
/// What is left of it moved to its places, where these are merged afterwards.
template <class Rule>
struct PermuteRule {
  static constexpr Shape shape = without_names(Rule::value.permuted);
  static constexpr AxisMap order = Rule::steps.order;
};
/// The result; as a move where nothing is merged.
template <class Rule>
struct ResultRule {
  static constexpr Shape const& shape = Rule::value.shape;
  static constexpr AxisMap order = Rule::steps.direct;
};

/// A tensor of the dtype and the device of `E`.
template <class Rule, class E>
using TensorBy = Tensor<typename E::value_type, spec_of<Rule>, typename E::device>;

/// The kept operand, split where the pattern splits it.
template <class Rule, class E>
constexpr auto split_base(E const& x, Sizes const& split) {
  if constexpr (Rule::steps.splits)
    return reshaped<TensorBy<SplitRule<Rule>, E>>(evaluate(x), split);
  else return x;
}

/// The base in its places, under the words of the pattern.
template <class Rule, class E>
constexpr auto placed(E x, Sizes const& permuted) {
  using Result = TensorBy<ResultRule<Rule>, E>;
  constexpr RearrangeSteps const& steps = Rule::steps;
  Sizes const sizes = merged_sizes(Rule::value, permuted);
  if constexpr (!steps.moves && !steps.merges && spec_of<E> == spec_of<ResultRule<Rule>>) return x;
  else if constexpr (!steps.moves && (TensorType<E> || steps.merges))
    return reshaped<Result>(evaluate(x), sizes);
  else if constexpr (!steps.merges) return moved<ResultRule<Rule>>(std::move(x), sizes);
  else return reshaped<Result>(evaluate(moved<PermuteRule<Rule>>(std::move(x), permuted)), sizes);
}

/// `x` folded over the axes that the pattern leaves out.
template <class Op, class Rule, class E>
constexpr auto folded_base(E const& x) {
  if constexpr (Rule::steps.folded == 0) return x;
  else if constexpr (std::same_as<Op, op::mean>) {
    std::int64_t number = 1;
    for (int i = 0; i < E::shape.rank; ++i)
      number *= has_axis(Rule::steps.folded, i) ? at(x.sizes(), i) : 1;
    auto const total = folded_base<op::sum, Rule>(x);
    return total / static_cast<typename E::value_type>(number);
  } else return Fold<Op, E, Rule::steps.folded, false>(x);
}

template <class Rule, class Op, class E>
constexpr auto rearranged(E const& x) {
  Sizes const split = split_sizes(Rule::value, x.sizes(), Rule::name::name);
  return placed<Rule>(folded_base<Op, Rule>(split_base<Rule>(x, split)),
                      permuted_sizes(Rule::value, split));
}

template <class Rule>
concept PatternFits = Rule::value.fits;

/// Names what keeps a pattern from fitting.
template <class Name, Spec pattern, class E>
using PatternMistake =
    error::pattern_does_not_fit<spec_of_name<Name>, spec_of_text<RearrangeRule<Name, pattern, E>>,
                                pattern, spec_of<E>>;

/// Axes moved, split, merged: `rearrange<"b t (h=8 d) -> b h t d">(x)`. Throws `ShapeError` where a
/// run-time size does not split. einops: `rearrange`.
template <Spec pattern, Expression X>
  requires PatternFits<RearrangeRule<RearrangeName, pattern, Held<X&&>>>
constexpr auto rearrange(X&& x) {
  using Rule = RearrangeRule<RearrangeName, pattern, Held<X&&>>;
  return rearranged<Rule, op::none>(hold(std::forward<X>(x)));
}
template <Spec pattern, Expression X>
  requires(!PatternFits<RearrangeRule<RearrangeName, pattern, Held<X &&>>>)
auto rearrange(X&& x) -> PatternMistake<RearrangeName, pattern, Unqualified<X>>;
template <Spec, Mistake X>
auto rearrange(X const&) -> X;

/// Axes added by repetition: `repeat<"h w -> h w c=3">(x)`. einops: `repeat`.
template <Spec pattern, Expression X>
  requires PatternFits<RearrangeRule<RepeatName, pattern, Held<X&&>>>
constexpr auto repeat(X&& x) {
  using Rule = RearrangeRule<RepeatName, pattern, Held<X&&>>;
  return rearranged<Rule, op::none>(hold(std::forward<X>(x)));
}
template <Spec pattern, Expression X>
  requires(!PatternFits<RearrangeRule<RepeatName, pattern, Held<X &&>>>)
auto repeat(X&& x) -> PatternMistake<RepeatName, pattern, Unqualified<X>>;
template <Spec, Mistake X>
auto repeat(X const&) -> X;

/// Can `Op` fold `E`, where the mean of masks and integers is one of floats?
template <class Op, class E>
concept ReducesDtype =
    FoldsDtype<Op, E> || (std::same_as<Op, op::mean> && FoldsDtype<op::sum, Floating<E const&>>);

template <class Op, class X>
constexpr decltype(auto) reduced_dtype(X&& x) {
  if constexpr (std::same_as<Op, op::mean>) return as_floating(std::forward<X>(x));
  else return std::forward<X>(x);
}

template <class Op, Spec pattern, class E>
constexpr auto reduce_mistake() {
  if constexpr (PatternFits<RearrangeRule<ReduceName, pattern, E>>) return dtype_mistake<Op, E>();
  else return std::type_identity<PatternMistake<ReduceName, pattern, E>>{};
}

template <class Op, Spec pattern, class E>
concept Reduces = ReducesDtype<Op, E> && PatternFits<RearrangeRule<ReduceName, pattern, E>>;

/// The axes whose words are not on the right are folded by `op::sum`, `mean`, `max`, `min`, `prod`:
/// `reduce<"b h w c -> b c", op::mean>(x)`. einops: `reduce`.
template <Spec pattern, class Op, Expression X>
  requires Reduces<Op, pattern, Held<X&&>>
constexpr auto reduce(X&& x) {
  auto const kept = hold(reduced_dtype<Op>(std::forward<X>(x)));
  return rearranged<RearrangeRule<ReduceName, pattern, Unqualified<decltype(kept)>>, Op>(kept);
}
template <Spec pattern, class Op, Expression X>
  requires(!Reduces<Op, pattern, Held<X &&>>)
auto reduce(X&& x) -> typename decltype(reduce_mistake<Op, pattern, Unqualified<X>>())::type;
template <Spec, class Op, Mistake X>
auto reduce(X const&) -> X;

}  // namespace tenon

// ---- tenon/expr/expand.hpp

/// Axes that come and go: repeated without a copy, of size 1.
namespace tenon {

namespace error {

/// Only an axis of static size 1 can be dropped: the operation, the axis, the shape.
template <Spec Operation, Spec Axis, Spec Shape>
struct axis_is_not_one;

}  // namespace error

struct ExpandName {
  static constexpr std::string_view name = "expand";
};
struct SqueezeName {
  static constexpr std::string_view name = "squeeze";
};
struct UnsqueezeName {
  static constexpr std::string_view name = "unsqueeze";
};

/// How a shape lies under a larger one.
struct Expansion {
  Shape shape{};
  AxisMap order = no_axes();  ///< For each axis of the result that of the operand, or -1.
  int open = 0;               ///< Run-time axes that the operand does not have.
  FixedText mistake{};
};

constexpr Expansion expansion(std::string_view spec, Shape const& operand) {
  Expansion result{};
  Parsed const parsed = parse(spec);
  if (!parsed.ok()) result.mistake = sentence({parsed.culprit, ": ", parsed.mistake});
  else if (parsed.shape.rank < operand.rank) result.mistake = "fewer axes than there are";
  if (!result.mistake.empty()) return result;
  Broadcast<2> const aligned = broadcast(parsed.shape, operand);
  if (!aligned.fits || aligned.shape.rank != parsed.shape.rank) {
    result.mistake = "the axes do not align";
    return result;
  }
  for (int i = 0; i < parsed.shape.rank; ++i) {
    int const from = position_of(aligned.maps[1], i);
    result.order[static_cast<std::size_t>(i)] = static_cast<std::int8_t>(from);
    if (parsed.shape[i].is_one() && !aligned.shape[i].is_one()) result.mistake = "an axis shrinks";
    if (from < 0 && !aligned.shape[i].is_static()) ++result.open;
    result.shape[result.shape.rank++] = aligned.shape[i];
  }
  return result;
}

template <Spec spec, class E>
struct ExpandRule {
  static constexpr Expansion value = expansion(spec.view(), E::shape);
  static constexpr Shape const& shape = value.shape;
  static constexpr AxisMap order = value.order;
  static constexpr FixedText text =
      value.mistake.empty() ? FixedText("another number of new axes") : value.mistake;
};

template <Spec spec, int sizes, class E>
constexpr auto expand_mistake() {
  using Rule = ExpandRule<spec, E>;
  if constexpr (Rule::value.mistake.empty() && Rule::value.open == sizes)
    return std::type_identity<void>{};
  else
    return std::type_identity<error::pattern_does_not_fit<spec_of_name<ExpandName>,
                                                          spec_of_text<Rule>, spec, spec_of<E>>>{};
}
template <Spec spec, Expression X, class... I>
using ExpandMistake = typename decltype(expand_mistake<spec, int{sizeof...(I)}, Held<X>>())::type;

/// `x` repeated along new axes, and those of size 1, to the axes of a spec: `expand<"batch=4
/// n">(x)`. The sizes of new run-time axes are given in order. Nothing is copied. Throws
/// `ShapeError`. PyTorch: `expand`. NumPy: `broadcast_to`.
template <Spec spec, Expression X, std::integral... I>
  requires std::is_void_v<ExpandMistake<spec, X&&, I...>>
constexpr auto expand(X&& x, I... open) {
  using Rule = ExpandRule<spec, Held<X&&>>;
  std::array<std::int64_t, sizeof...(I) + 1> const given{static_cast<std::int64_t>(open)..., 0};
  Sizes const from = x.sizes();
  Sizes sizes = static_sizes(Rule::shape);
  std::size_t next = 0;
  for (int i = 0; i < Rule::shape.rank; ++i) {
    int const axis = Rule::order[static_cast<std::size_t>(i)];
    if (axis >= 0) at(sizes, i) = at(from, axis);
    else if (!Rule::shape[i].is_static()) at(sizes, i) = given[next++];
  }
  check_sizes(ExpandName::name, Rule::shape, sizes);
  return moved<Rule>(std::forward<X>(x), sizes);
}
template <Spec spec, Expression X, std::integral... I, class R = ExpandMistake<spec, X&&, I...>>
  requires(!std::is_void_v<R>)
auto expand(X&& x, I... open) -> R;
template <Spec, Mistake X>
auto expand(X const&, auto...) -> X;

/// `E` with axes of size 1 more or less: a tensor shares its elements, an expression stays open.
template <class Rule, class X>
constexpr auto resized(X&& x) {
  using E = Held<X&&>;
  Sizes const sizes = moved_sizes(x.sizes(), Rule::order, Rule::shape.rank);
  if constexpr (TensorType<E>) return reshaped<TensorBy<Rule, E>>(hold(std::forward<X>(x)), sizes);
  else return moved<Rule>(std::forward<X>(x), sizes);
}

/// The axes that are dropped: those chosen, or all of size 1; and the first that is not of size 1.
template <Axes axes, class E>
struct SqueezeRule {
  static constexpr bool all = axes.names.empty() && !axes.by_index;
  static constexpr bool drops(int axis) {
    return all ? E::shape[axis].is_one() : Chosen<axes, E>::value[axis];
  }
  static constexpr int culprit = [] {
    for (int i = 0; i < E::shape.rank; ++i) {
      if (drops(i) && !E::shape[i].is_one()) return i;
    }
    return -1;
  }();
  static constexpr AxisMap order = [] {
    AxisMap map = no_axes();
    for (int i = 0, to = 0; i < E::shape.rank; ++i) {
      if (!drops(i)) map[static_cast<std::size_t>(to++)] = static_cast<std::int8_t>(i);
    }
    return map;
  }();
  static constexpr Shape shape = [] {
    Shape result{};
    for (int i = 0; i < E::shape.rank; ++i) {
      if (!drops(i)) result[result.rank++] = E::shape[i];
    }
    return result;
  }();
};

template <Axes axes, class E>
constexpr auto squeeze_mistake() {
  if constexpr (!Chosen<axes, E>::ok)
    return std::type_identity<ChoiceMistake<SqueezeName, axes, E>>{};
  else if constexpr (SqueezeRule<axes, E>::culprit < 0) return std::type_identity<void>{};
  else
    return std::type_identity<error::axis_is_not_one<
        spec_of_name<SqueezeName>, spec_of_axis<E, SqueezeRule<axes, E>::culprit>, spec_of<E>>>{};
}
template <Axes axes, Expression X>
using SqueezeMistake = typename decltype(squeeze_mistake<axes, Held<X>>())::type;

/// `x` without some axes, which are of static size 1; without all that are. PyTorch, NumPy:
/// `squeeze`.
template <Axes axes = every, Expression X>
  requires std::is_void_v<SqueezeMistake<axes, X&&>>
constexpr auto squeeze(X&& x) {
  return resized<SqueezeRule<axes, Held<X&&>>>(std::forward<X>(x));
}
template <Axes axes = every, Expression X, class R = SqueezeMistake<axes, X&&>>
  requires(!std::is_void_v<R>)
auto squeeze(X&& x) -> R;
template <Axes = every, Mistake X>
auto squeeze(X const&) -> X;

/// A new axis: its name, "" for none, and the place where it comes to stand.
template <Spec axis, int place, class E>
struct UnsqueezeRule {
  static constexpr int to = place < 0 ? place + E::shape.rank + 1 : place;
  static constexpr bool is_name = axis.view().empty() || tenon::is_name(axis.view());
  static constexpr bool fits =
      is_name && E::shape.rank < max_rank && to >= 0 && to <= E::shape.rank;
  static constexpr Shape shape =
      fits ? inserted(E::shape, to, named_axis(axis.view(), 1)) : Shape{};
  static constexpr AxisMap order = [] {
    AxisMap map = no_axes();
    for (int i = 0; fits && i < E::shape.rank; ++i)
      map[static_cast<std::size_t>(i < to ? i : i + 1)] = static_cast<std::int8_t>(i);
    return map;
  }();
  static constexpr FixedText text = !is_name                    ? "the new axis is one name"
                                    : E::shape.rank == max_rank ? "a tensor has at most eight axes"
                                                                : "no place for a new axis";
};

template <Spec axis, int place, class E>
constexpr auto unsqueeze_mistake() {
  using Rule = UnsqueezeRule<axis, place, E>;
  if constexpr (Rule::fits) return std::type_identity<void>{};
  else
    return std::type_identity<error::pattern_does_not_fit<spec_of_name<UnsqueezeName>,
                                                          spec_of_text<Rule>, axis, spec_of<E>>>{};
}
template <Spec axis, int place, Expression X>
using UnsqueezeMistake = typename decltype(unsqueeze_mistake<axis, place, Held<X>>())::type;

/// `x` with a new axis of size 1 at a place, the first if none is said; a negative one counts from
/// the end: `unsqueeze<"batch">(x)`, `unsqueeze<"c", -1>(x)`, without a name `unsqueeze<-1>(x)`.
/// PyTorch: `unsqueeze`. NumPy: `expand_dims`, `x[:, None]`.
template <Spec axis, int place = 0, Expression X>
  requires std::is_void_v<UnsqueezeMistake<axis, place, X&&>>
constexpr auto unsqueeze(X&& x) {
  return resized<UnsqueezeRule<axis, place, Held<X&&>>>(std::forward<X>(x));
}
template <Spec axis, int place = 0, Expression X, class R = UnsqueezeMistake<axis, place, X&&>>
  requires(!std::is_void_v<R>)
auto unsqueeze(X&& x) -> R;
template <int place, Expression X>
constexpr auto unsqueeze(X&& x) -> decltype(unsqueeze<"", place>(std::forward<X>(x))) {
  return unsqueeze<"", place>(std::forward<X>(x));
}
template <Spec, int = 0, Mistake X>
auto unsqueeze(X const&) -> X;

}  // namespace tenon

// ---- tenon/expr/slice.hpp

/// Slices: a range of one axis. Nothing is copied, the result stays open.
namespace tenon {

namespace error {

/// The operation, the range, the axis it is cut from, the shape.
template <Spec Operation, Spec SliceRange, Spec Axis, Spec Shape>
struct range_is_outside;

}  // namespace error

struct SliceName {
  static constexpr std::string_view name = "slice";
};

/// The end of an axis, whatever its size: `slice<"t", 1, to_end>(x)`.
inline constexpr std::int64_t to_end = unbounded;

/// Where a range begins or ends: counted from the beginning, or back from the end.
struct Bound {
  std::int64_t offset = 0;
  bool from_end = false;

  constexpr Bound(std::int64_t at)
      : offset(at == to_end ? 0 : at), from_end(at < 0 || at == to_end) {}

  constexpr std::int64_t in(std::int64_t size) const { return from_end ? size + offset : offset; }
};

/// A range that the compiler knows, of an axis whose size it may not know.
struct SliceRange {
  Bound begin;
  Bound end;

  /// Whether some size of the axis contains it.
  constexpr bool possible(Axis const& axis) const {
    if (axis.is_static()) return contained(axis.size);
    if (begin.from_end == end.from_end && end.offset < begin.offset) return false;
    return least_size() <= axis.upper;
  }

  constexpr bool contained(std::int64_t size) const {
    return 0 <= begin.in(size) && begin.in(size) <= end.in(size) && end.in(size) <= size;
  }

  constexpr std::int64_t least_size() const {
    std::int64_t const first = begin.from_end ? -begin.offset : begin.offset;
    std::int64_t const last = end.from_end ? -end.offset : end.offset;
    return begin.from_end == end.from_end ? (first > last ? first : last) : first + last;
  }

  /// What becomes of the axis.
  constexpr Axis of(Axis const& axis) const {
    if (axis.is_static()) return resized(axis, end.in(axis.size) - begin.in(axis.size));
    if (begin.from_end == end.from_end) return resized(axis, end.offset - begin.offset);
    return end.from_end ? plus(axis, end.offset - begin.offset) : Axis{};
  }
};

/// A range as it is written: `1..9`, `1..`.
constexpr FixedText range_text(std::int64_t begin, std::int64_t end) {
  TextWriter<FixedText::capacity> text{};
  text << begin << "..";
  if (end != to_end) text << end;
  return FixedText(text.view());
}

/// Throws `IndexError` unless `begin..end` lies within an axis of this size.
constexpr void check_range(Shape const& shape, int axis, std::int64_t size, std::int64_t begin,
                           std::int64_t end, std::string_view operation = SliceName::name) {
  if (0 <= begin && begin <= end && end <= size) return;
  fail<IndexError>({operation, axis_label(shape, axis), "a range within 0.." + std::to_string(size),
                    std::to_string(begin) + ".." + std::to_string(end),
                    "\"" + std::string(format(shape).view()) + "\""});
}

/// A slice of `E` along the axis `axes`, which becomes `sliced`.
template <Axes axes, class E, class Sliced>
struct SliceRule {
  static constexpr int axis = Chosen<axes, E>::value.axis();
  static constexpr Shape shape = with_axis(E::shape, axis, Sliced::of(E::shape[axis]));
  static constexpr AxisMap order = same_order(E::shape.rank);
};

/// Ranges as rules: what becomes of the axis, and whether it contains them.
template <std::int64_t begin, std::int64_t end>
struct StaticRange {
  static constexpr SliceRange range{begin, end};
  static constexpr FixedText text = range_text(begin, end);
  static constexpr bool possible(Axis const& axis) { return range.possible(axis); }
  static constexpr Axis of(Axis const& axis) { return range.of(axis); }
};
template <std::int64_t length>
struct StaticLength {
  static constexpr FixedText text = range_text(0, length);
  static constexpr bool possible(Axis const& axis) {
    return length >= 0 && length <= (axis.is_static() ? axis.size : axis.upper);
  }
  static constexpr Axis of(Axis const& axis) { return resized(axis, length); }
};
struct AnyRange {
  static constexpr FixedText text = "";
  static constexpr bool possible(Axis const&) { return true; }
  static constexpr Axis of(Axis const& axis) { return resized(axis, dynamic); }
};

template <Axes axes, class Sliced, class E>
constexpr auto slice_mistake() {
  using mistake = decltype(axes_mistake<SliceName, axes, 1, E>());
  if constexpr (!std::is_void_v<typename mistake::type>) return mistake{};
  else {
    constexpr int axis = Chosen<axes, E>::value.axis();
    if constexpr (Sliced::possible(E::shape[axis])) return std::type_identity<void>{};
    else
      return std::type_identity<error::range_is_outside<
          spec_of_name<SliceName>, spec_of_text<Sliced>, spec_of_axis<E, axis>, spec_of<E>>>{};
  }
}

/// What is wrong with a slice of `X`, or `void`.
template <Axes axes, class Sliced, Expression X>
using SliceMistake = typename decltype(slice_mistake<axes, Sliced, Held<X>>())::type;

template <Axes axes, class Sliced, class X>
concept Slices = std::is_void_v<SliceMistake<axes, Sliced, X>>;

/// The slice from `begin` on, so long as `Sliced` or `end` says.
template <Axes axes, class Sliced, class X>
constexpr auto sliced(X&& x, std::int64_t begin, std::int64_t end) {
  using Rule = SliceRule<axes, Held<X&&>, Sliced>;
  Sizes sizes = x.sizes();
  check_range(Unqualified<X>::shape, Rule::axis, at(sizes, Rule::axis), begin, end);
  at(sizes, Rule::axis) = end - begin;
  ElementIndex start{};
  at(start, Rule::axis) = begin;
  return moved<Rule>(std::forward<X>(x), sizes, start);
}

/// `x` along one axis from `begin` to before `end`: `slice<"t", 1, 9>(x)`, `slice<"t", 0, -1>(x)`,
/// `slice<"t", 1, to_end>(x)`; what is negative counts from the end. The size that is left is the
/// axis's new extent: `8`, `t-1`. Throws `IndexError` for a run-time axis that is too short.
/// PyTorch: `x[1:9]`.
template <Axes axis, std::int64_t begin, std::int64_t end, Expression X>
  requires Slices<axis, StaticRange<begin, end>, X&&>
constexpr auto slice(X&& x) {
  using Sliced = StaticRange<begin, end>;
  std::int64_t const size = at(x.sizes(), Chosen<axis, Unqualified<X>>::value.axis());
  return sliced<axis, Sliced>(std::forward<X>(x), Sliced::range.begin.in(size),
                              Sliced::range.end.in(size));
}
template <Axes axis, std::int64_t begin, std::int64_t end, Expression X,
          class R = SliceMistake<axis, StaticRange<begin, end>, X&&>>
  requires(!std::is_void_v<R>)
auto slice(X&& x) -> R;

/// So many elements of one axis from `start` on: `slice<"batch", 32>(x, start)`. Throws
/// `IndexError`. JAX: `dynamic_slice`. PyTorch: `narrow`.
template <Axes axis, std::int64_t length, Expression X>
  requires Slices<axis, StaticLength<length>, X&&>
constexpr auto slice(X&& x, std::int64_t start) {
  return sliced<axis, StaticLength<length>>(std::forward<X>(x), start, start + length);
}
template <Axes axis, std::int64_t length, Expression X,
          class R = SliceMistake<axis, StaticLength<length>, X&&>>
  requires(!std::is_void_v<R>)
auto slice(X&& x, std::int64_t start) -> R;

/// `x` along one axis from `begin` to before `end`, which run time knows: the axis becomes `_`.
/// Throws `IndexError`.
template <Axes axis, Expression X>
  requires Slices<axis, AnyRange, X&&>
constexpr auto slice(X&& x, std::int64_t begin, std::int64_t end) {
  return sliced<axis, AnyRange>(std::forward<X>(x), begin, end);
}
template <Axes axis, Expression X, class R = SliceMistake<axis, AnyRange, X&&>>
  requires(!std::is_void_v<R>)
auto slice(X&& x, std::int64_t begin, std::int64_t end) -> R;
template <Axes, std::int64_t..., Mistake X>
auto slice(X const&, auto...) -> X;

}  // namespace tenon

// ---- tenon/expr/flip.hpp

/// Axes walked backward, or in larger steps. Nothing is copied; an expression is evaluated first.
namespace tenon {

struct FlipName {
  static constexpr std::string_view name = "flip";
};

template <Axes axes, class E>
struct FlipRule {
  static constexpr AxisChoice chosen = Chosen<axes, E>::value;
  static constexpr Shape const& shape = E::shape;
  static constexpr bool by_one = shape.rank > 0 && !chosen[shape.rank - 1];
};

template <Axes axes, class E>
constexpr auto flip_type() {
  if constexpr (!Chosen<axes, E>::ok) return std::type_identity<ChoiceMistake<FlipName, axes, E>>{};
  else return std::type_identity<SteppedBy<FlipRule<axes, E>, E>>{};
}
template <Axes axes, Expression X>
using Flipped = typename decltype(flip_type<axes, Held<X>>())::type;

/// `x` with the elements along some axes, or all, in reverse order: `flip<"t">(x)`. PyTorch,
/// NumPy: `flip`, `x[::-1]`.
template <Axes axes = every, Expression X, Sound Result = Flipped<axes, X&&>>
constexpr auto flip(X&& x) -> Result {
  Sizes const sizes = x.sizes();
  SliceSteps steps{row_major(sizes, Result::shape.rank)};
  for (int i = 0; i < Result::shape.rank; ++i) {
    if (!Chosen<axes, Unqualified<X>>::value[i]) continue;
    std::int64_t& step = at(steps.along, i);
    steps.start += std::max<std::int64_t>(at(sizes, i) - 1, 0) * step;
    step = -step;
  }
  return Result(keep_value(std::forward<X>(x)), sizes, steps);
}
template <Axes axes = every, Expression X, Mistaken Result = Flipped<axes, X&&>>
auto flip(X&& x) -> Result;
template <Axes = every, class... X>
auto flip(X const&...) -> FirstMistake<X...>;

/// An axis of which every `step`th element is left.
constexpr Axis every_nth(Axis const& axis, std::int64_t step) {
  if (step == 1) return axis;
  return axis_of(quotient(extent_of(axis) + number_extent(step - 1), number_extent(step)));
}

template <Axes axes, class Sliced, std::int64_t step, class E>
struct StrideRule {
  static constexpr int axis = Chosen<axes, E>::value.axis();
  static constexpr Shape shape =
      with_axis(E::shape, axis, every_nth(Sliced::of(E::shape[axis]), step));
  static constexpr bool by_one = axis != E::shape.rank - 1 || step == 1;
};

template <Axes axes, class Sliced, std::int64_t step, class E>
constexpr auto stride_type() {
  static_assert(step > 0, "tenon::slice: the step is below one; flip walks backward");
  using mistake = typename decltype(slice_mistake<axes, Sliced, E>())::type;
  if constexpr (!std::is_void_v<mistake>) return std::type_identity<mistake>{};
  else return std::type_identity<SteppedBy<StrideRule<axes, Sliced, step, E>, E>>{};
}
template <Axes axes, std::int64_t begin, std::int64_t end, std::int64_t step, Expression X>
using SlicedInSteps =
    typename decltype(stride_type<axes, StaticRange<begin, end>, step, Held<X>>())::type;

/// Every `step`th element of a range of one axis: `slice<"t", 0, to_end, 2>(x)`, of which
/// "(t+1)//2" are left. Throws `IndexError`. PyTorch, NumPy: `x[::2]`.
template <Axes axis, std::int64_t begin, std::int64_t end, std::int64_t step, Expression X,
          Sound Result = SlicedInSteps<axis, begin, end, step, X&&>>
constexpr auto slice(X&& x) -> Result {
  using Sliced = StaticRange<begin, end>;
  constexpr int along = Chosen<axis, Unqualified<X>>::value.axis();
  Sizes sizes = x.sizes();
  SliceSteps steps{row_major(sizes, Result::shape.rank)};
  std::int64_t const size = at(sizes, along), first = Sliced::range.begin.in(size);
  std::int64_t const last = Sliced::range.end.in(size);
  check_range(Unqualified<X>::shape, along, size, first, last);
  steps.start = first * at(steps.along, along);
  at(steps.along, along) *= step;
  at(sizes, along) = (last - first + step - 1) / step;
  return Result(keep_value(std::forward<X>(x)), sizes, steps);
}
template <Axes axis, std::int64_t begin, std::int64_t end, std::int64_t step, Expression X,
          Mistaken Result = SlicedInSteps<axis, begin, end, step, X&&>>
auto slice(X&& x) -> Result;

}  // namespace tenon

// ---- tenon/expr/join.hpp

/// Values put together: end to end along an axis, or along a new one. The result is a tensor; every
/// operand is computed straight into its place there.
namespace tenon {

/// How shapes go together, or the operand, and the axis of it, that do not fit with the first.
struct Joining {
  bool fits = true;
  Shape shape{};
  int operand = 0;
  int axis = -1;  ///< -1: the operand has another number of axes.
};

constexpr Joining refused_joining(int operand, int axis) {
  Joining result{};
  result.fits = false;
  result.operand = operand;
  result.axis = axis;
  return result;
}

/// Shapes whose axes agree one by one; the sizes along `joined` (-1: none) add up.
template <std::size_t N>
constexpr Joining join_rule(std::array<Shape const*, N> const& shapes, int joined) {
  Shape result = *shapes[0];
  for (std::size_t k = 1; k < N; ++k) {
    Shape const& other = *shapes[k];
    if (other.rank != result.rank) return refused_joining(static_cast<int>(k), -1);
    Shape next{};
    for (int i = 0; i < other.rank; ++i) {
      bool const adds = i == joined;
      if (!adds && !agree(result[i], other[i])) return refused_joining(static_cast<int>(k), i);
      next[next.rank++] = adds ? sum_of(result[i], other[i]) : merge(result[i], other[i]);
    }
    result = next;
  }
  return {true, settle(result).shape, 0, -1};
}

/// Names two operands that differ in dtype or device; `void` where none do.
template <class Name, class A>
constexpr auto operands_mistake() {
  return std::type_identity<void>{};
}
template <class Name, class A, class B, class... Rest>
constexpr auto operands_mistake() {
  if constexpr (!DevicesMeet<A, B>) return device_mistake<Name, A, B>();
  else if constexpr (!std::same_as<typename A::value_type, typename B::value_type>)
    return dtype_mistake<Name, A, B>();
  else return operands_mistake<Name, A, Rest...>();
}

/// Names the operand that does not fit with the first.
template <class Name, class Rule, class... E>
constexpr auto joining_mistake() {
  constexpr Joining rule = Rule::joining;
  using A = typename TypeAt<0, E...>::type;
  using B = typename TypeAt<static_cast<std::size_t>(rule.operand), E...>::type;
  if constexpr (rule.axis < 0)
    return std::type_identity<
        error::shapes_do_not_align<spec_of_name<Name>, spec_of<A>, spec_of<B>>>{};
  else
    return std::type_identity<
        error::axes_do_not_fit<spec_of_name<Name>, spec_of_axis<A, rule.axis>,
                               spec_of_axis<B, rule.axis>, spec_of<A>, spec_of<B>>>{};
}

template <class Rule, class... E>
using JoinedTensor = Tensor<typename TypeAt<0, E...>::type::value_type, spec_of<Rule>,
                            typename CommonDevice<typename E::device...>::type>;

struct ConcatName {
  static constexpr std::string_view name = "concat";
};

/// The axis that `axes` names in the first operand that has it, which is then that of all.
template <Axes axes, class... E>
struct ConcatRule {
  static constexpr AxisChoice choice = [] {
    AxisChoice const choices[]{choose(E::shape, axes)...};
    for (AxisChoice const& one : choices) {
      if (one.result == AxisSearch::ok) return one;
    }
    return choices[0];
  }();
  static constexpr bool one_axis = choice.result == AxisSearch::ok && choice.count == 1;
  static constexpr int axis = choice.axis();
  static constexpr Joining joining =
      join_rule(std::array<Shape const*, sizeof...(E)>{&E::shape...}, axis);
  static constexpr Shape shape = joining.shape;
};

template <Axes axes, class... E>
constexpr auto concat_type() {
  using Rule = ConcatRule<axes, E...>;
  using operands = typename decltype(operands_mistake<ConcatName, E...>())::type;
  if constexpr (!std::is_void_v<operands>) return std::type_identity<operands>{};
  else if constexpr (!Rule::one_axis)
    return std::type_identity<ChoiceMistake<ConcatName, axes, typename TypeAt<0, E...>::type>>{};
  else if constexpr (!Rule::joining.fits) return joining_mistake<ConcatName, Rule, E...>();
  else return std::type_identity<JoinedTensor<Rule, E...>>{};
}

/// The tensor that `concat<axes>` gives, or an undefined type that names the mistake.
template <Axes axes, Expression... X>
using Concat = typename decltype(concat_type<axes, Held<X>...>())::type;

/// The sizes of a joined value, and where its operands begin in it.
template <std::size_t N>
struct JoinPlaces {
  Sizes sizes{};
  std::array<ElementIndex, N> starts{};
};

/// Puts operands one after the other along an axis (-1: on top of each other). Throws `ShapeError`
/// where other sizes differ.
template <std::size_t N>
constexpr JoinPlaces<N> places_along(std::string_view operation, Shape const& shape, int axis,
                                     std::array<Sizes, N> const& operands) {
  JoinPlaces<N> places{operands[0], {}};
  for (std::size_t k = 1; k < N; ++k) {
    for (int i = 0; i < shape.rank; ++i) {
      std::int64_t const size = at(operands[k], i), expected = at(places.sizes, i);
      if (i != axis && size != expected) sizes_differ(operation, shape, i, expected, size);
    }
    if (axis < 0) continue;
    at(places.starts[k], axis) = at(places.sizes, axis);
    at(places.sizes, axis) += at(operands[k], axis);
  }
  return places;
}

/// The operands one after the other along an axis: "batch t" and "batch s" give "batch s+t", 3 and
/// 4 give 7. Their other axes agree. Throws `ShapeError`. PyTorch: `cat`.
template <Axes axis, Expression... X>
  requires(sizeof...(X) > 0)
constexpr auto concat(X&&... x) -> Concat<axis, X&&...> {
  using Rule = ConcatRule<axis, Held<X&&>...>;
  auto const places = places_along<sizeof...(X)>("concat", Rule::shape, Rule::axis, {x.sizes()...});
  auto result = Concat<axis, X&&...>::uninitialised(places.sizes);
  return assembled(std::move(result), places.starts, 0, hold(std::forward<X>(x))...);
}
template <Axes, class... X>
auto concat(X const&...) -> FirstMistake<X...>;

struct StackName {
  static constexpr std::string_view name = "stack";
};

/// A new axis in front: its name, and as many entries as there are operands.
template <Spec axis, class... E>
struct StackRule {
  static constexpr Parsed word = parse(axis.view());
  static constexpr bool one_axis =
      word.ok() && word.shape.rank == 1 && word.shape[0].is_named() && !word.shape[0].is_static();
  static constexpr Joining joining =
      join_rule(std::array<Shape const*, sizeof...(E)>{&E::shape...}, -1);
  static constexpr Shape operands = joining.shape;
  static constexpr bool has_room = operands.rank < max_rank;
  static constexpr Shape shape =
      one_axis && has_room
          ? inserted(operands, 0, named_axis(word.shape[0].name.view(), sizeof...(E)))
          : Shape{};
  static constexpr FixedText text = !word.ok()  ? "the new axis is malformed"
                                    : !one_axis ? "the new axis is one name"
                                                : "a tensor has at most eight axes";
};

template <Spec axis, class... E>
constexpr auto stack_type() {
  using Rule = StackRule<axis, E...>;
  using operands = typename decltype(operands_mistake<StackName, E...>())::type;
  if constexpr (!std::is_void_v<operands>) return std::type_identity<operands>{};
  else if constexpr (!Rule::joining.fits) return joining_mistake<StackName, Rule, E...>();
  else if constexpr (!Rule::one_axis || !Rule::has_room)
    return std::type_identity<error::pattern_does_not_fit<
        spec_of_name<StackName>, spec_of_text<Rule>, axis, spec_of<E>...>>{};
  else return std::type_identity<JoinedTensor<Rule, E...>>{};
}

template <Spec axis, Expression... X>
using Stacked = typename decltype(stack_type<axis, Held<X>...>())::type;

/// Operands of one shape along a new axis in front: two of "batch d" give "layer=2 batch d". Throws
/// `ShapeError` where their sizes differ. PyTorch: `stack`.
template <Spec axis, Expression... X>
  requires(sizeof...(X) > 0)
constexpr auto stack(X&&... x) -> Stacked<axis, X&&...> {
  using Rule = StackRule<axis, Held<X&&>...>;
  auto places = places_along<sizeof...(X)>("stack", Rule::operands, -1, {x.sizes()...});
  Sizes sizes = ones();
  at(sizes, 0) = sizeof...(X);
  for (int i = 0; i < Rule::operands.rank; ++i) at(sizes, i + 1) = at(places.sizes, i);
  for (std::size_t k = 0; k < sizeof...(X); ++k) places.starts[k][0] = static_cast<std::int64_t>(k);
  auto result = Stacked<axis, X&&...>::uninitialised(sizes);
  return assembled(std::move(result), places.starts, 1, hold(std::forward<X>(x))...);
}
template <Spec, class... X>
auto stack(X const&...) -> FirstMistake<X...>;

}  // namespace tenon

// ---- tenon/expr/join_pad.hpp

namespace tenon {

struct PadName {
  static constexpr std::string_view name = "pad";
};

template <Axes axes, std::int64_t before, std::int64_t after, class E>
struct PadRule {
  static constexpr int axis = Chosen<axes, E>::value.axis();
  static constexpr Shape shape = with_axis(E::shape, axis, plus(E::shape[axis], before + after));
};

template <Axes axes, std::int64_t before, std::int64_t after, class E>
constexpr auto pad_type() {
  static_assert(before >= 0 && after >= 0, "tenon::pad: a negative number; slice cuts");
  using T = typename E::value_type;
  using mistake = typename decltype(axes_mistake<PadName, axes, 1, E>())::type;
  if constexpr (!std::is_void_v<mistake>) return std::type_identity<mistake>{};
  else
    return std::type_identity<
        Tensor<T, spec_of<PadRule<axes, before, after, E>>, typename E::device>>{};
}

/// The tensor that `pad` gives, or an undefined type that names the mistake.
template <Axes axes, std::int64_t before, std::int64_t after, Expression X>
using Padded = typename decltype(pad_type<axes, before, after, Held<X>>())::type;

/// `x` with `before` and `after` more entries at the ends of an axis, which are `value`: "t"
/// becomes "t+2" by `pad<"t", 1, 1>(x)`. PyTorch: `pad`.
template <Axes axis, std::int64_t before, std::int64_t after, Expression X,
          class V = typename Unqualified<X>::value_type>
  requires std::constructible_from<typename Unqualified<X>::value_type, V>
constexpr auto pad(X&& x, V value = {}) -> Padded<axis, before, after, X&&> {
  using R = Padded<axis, before, after, X&&>;
  using Rule = PadRule<axis, before, after, Held<X&&>>;
  using T = typename R::value_type;
  Sizes sizes = x.sizes();
  at(sizes, Rule::axis) += before + after;
  R result = R::uninitialised(sizes);
  std::fill_n(result.mutable_data(), result.size(), static_cast<T>(value));
  std::array<ElementIndex, 1> starts{};
  at(starts[0], Rule::axis) = before;
  return assembled(std::move(result), starts, 0, hold(std::forward<X>(x)));
}
template <Axes, std::int64_t, std::int64_t, class... X>
auto pad(X const&...) -> FirstMistake<X...>;

}  // namespace tenon

// ---- tenon/core/matrices.hpp

/// The shapes of linear algebra: a matrix is the last two axes, the axes before it are a batch. The
/// names of a matrix are units: "n m" takes what is measured along `m` to what is along `n`.
namespace tenon {

/// Whether two axes can have one size, whatever their names.
constexpr bool can_be_equal(Axis const& a, Axis const& b) {
  AxisExtent const difference = extent_of(a) - extent_of(b);
  return sizes_agree(a, b) && (!difference.is_constant() || difference.constant() == 0);
}

/// Whether the last two axes of a shape can have one size.
constexpr bool is_square(Shape const& shape) {
  return shape.rank >= 2 && can_be_equal(shape[shape.rank - 2], shape[shape.rank - 1]);
}

/// An axis that keeps its name and learns the size of another one as long as itself.
constexpr Axis sized_as(Axis const& axis, Axis const& other) {
  if (axis.is_static() || !other.is_static()) return axis;
  return axis.is_named() ? named_axis(axis.name.view(), other.size) : axis_of_size(other.size);
}

/// The axes before the matrix, and then others.
template <class... A>
constexpr Shape batch_and(Shape const& shape, A const&... axes) {
  Shape result = leading(shape, shape.rank - 2);
  ((result[result.rank++] = axes), ...);
  return settle(result).shape;
}

/// "n m" of a matrix becomes "m n" of its inverse.
constexpr Shape inverse_shape(Shape const& a) {
  Axis const &row = a[a.rank - 2], &column = a[a.rank - 1];
  return batch_and(a, sized_as(column, row), sized_as(row, column));
}

/// A matrix from one space to itself has one axis twice.
constexpr Shape symmetric_shape(Shape const& a) {
  Axis const axis = merge(a[a.rank - 2], a[a.rank - 1]);
  return batch_and(a, axis, axis);
}

/// The shorter axis of a matrix, as the number of columns of its factors: min(m,n), without a name.
constexpr Axis shorter_axis(Shape const& a) {
  return axis_of(minimum(extent_of(a[a.rank - 2]), extent_of(a[a.rank - 1])));
}

/// How `solve` reads its operands, or the axes that do not fit.
struct Solving {
  bool fits = false;
  bool vectors = false;  ///< b is a vector for every matrix, not a matrix.
  Broadcast<2> batch{};  ///< The axes before matrices and vectors.
  Shape shape{};
  int left_axis = -1, right_axis = -1;
};

/// One reading of `solve`: b ends in a vector, or in a matrix.
constexpr Solving solve_reading(Shape const& a, Shape const& b, bool vectors) {
  Solving result;
  result.vectors = vectors;
  int const rows = b.rank - (vectors ? 1 : 2);
  result.left_axis = a.rank - 2;
  result.right_axis = rows < 0 ? -1 : rows;
  if (rows < 0 || !agree(a[a.rank - 2], b[rows])) return result;
  result.batch = broadcast(leading(a, a.rank - 2), leading(b, rows));
  result.left_axis = result.batch.left_axis;
  result.right_axis = result.batch.right_axis;
  if (!result.batch.fits || result.batch.shape.rank + 2 > max_rank) return result;
  Shape shape = result.batch.shape;
  shape[shape.rank++] = sized_as(a[a.rank - 1], merge(a[a.rank - 2], b[rows]));
  if (!vectors) shape[shape.rank++] = b[rows + 1];
  result.shape = settle(shape).shape;
  result.fits = settle(shape).mistake.empty();
  return result;
}

/// "n m" and "n" give "m", "n m" and "n k" give "m k". With as many axes as a has before its last
/// one, b is a vector for every matrix, unless it fits as a matrix: then, as in NumPy, it is one.
constexpr Solving solve_rule(Shape const& a, Shape const& b) {
  Solving const matrices = solve_reading(a, b, false);
  if (b.rank > 1 && (matrices.fits || b.rank != a.rank - 1)) return matrices;
  Solving const vectors = solve_reading(a, b, true);
  return vectors.fits || b.rank == 1 ? vectors : matrices;
}

/// An operand of a batch with all its axes: the batch, then its own last ones.
struct Stretch {
  bool needed = false;
  Shape shape{};
  AxisMap order = no_axes();  ///< For each axis the one of the operand, -1 where it repeats.
};

/// What stretches the axes before the last `own` ones of `operand` to those of the batch.
constexpr Stretch stretch_rule(Broadcast<2> const& batch, std::size_t side, Shape const& operand,
                               int own) {
  Stretch result;
  result.shape = batch.shape;
  result.needed = operand.rank - own != batch.shape.rank;
  for (int i = 0; i < batch.shape.rank; ++i) {
    int const from = position_of(batch.maps[side], i);
    bool const repeats = from < 0 || (operand[from].is_one() && !batch.shape[i].is_one());
    result.order[static_cast<std::size_t>(i)] = static_cast<std::int8_t>(repeats ? -1 : from);
    result.needed = result.needed || repeats;
  }
  for (int i = operand.rank - own; i < operand.rank; ++i) {
    result.order[static_cast<std::size_t>(result.shape.rank)] = static_cast<std::int8_t>(i);
    result.shape[result.shape.rank++] = operand[i];
  }
  return result;
}

}  // namespace tenon

// ---- tenon/expr/linalg/matrix.hpp

/// Linear algebra: matrices are the last two axes of a tensor, the axes before them a batch.
/// `float` and `double`. Every function evaluates at once.
namespace tenon {

namespace error {

/// The operation needs a square matrix: its name, the two axes, the shape.
template <Spec Operation, Spec ScratchRow, Spec Column, Spec Shape>
struct matrix_is_not_square;

}  // namespace error

namespace linalg {

/// The dtypes that have linear algebra.
template <class T>
concept Solvable = std::same_as<T, float> || std::same_as<T, double>;

/// Names why `E` is no matrix for an operation; `void` where it is one.
template <class Name, class E>
constexpr auto matrix_mistake() {
  if constexpr (!Solvable<typename E::value_type>) return dtype_mistake<Name, E>();
  else if constexpr (E::shape.rank < 2)
    return std::type_identity<
        error::wrong_number_of_axes<spec_of_name<Name>, spec_of<E>, 2, E::shape.rank>>{};
  else return std::type_identity<void>{};
}

/// The same for a square matrix, whose axes may have different names.
template <class Name, class E>
constexpr auto square_mistake() {
  using other = typename decltype(matrix_mistake<Name, E>())::type;
  if constexpr (!std::is_void_v<other>) return std::type_identity<other>{};
  else if constexpr (!is_square(E::shape))
    return std::type_identity<
        error::matrix_is_not_square<spec_of_name<Name>, spec_of_axis<E, E::shape.rank - 2>,
                                    spec_of_axis<E, E::shape.rank - 1>, spec_of<E>>>{};
  else return std::type_identity<void>{};
}

/// The same for a matrix from a space to itself, whose axes agree.
template <class Name, class E>
constexpr auto symmetric_mistake() {
  using other = typename decltype(square_mistake<Name, E>())::type;
  if constexpr (!std::is_void_v<other>) return std::type_identity<other>{};
  else if constexpr (!agree(E::shape[E::shape.rank - 2], E::shape[E::shape.rank - 1]))
    return std::type_identity<
        error::axes_do_not_fit<spec_of_name<Name>, spec_of_axis<E, E::shape.rank - 2>,
                               spec_of_axis<E, E::shape.rank - 1>, spec_of<E>, spec_of<E>>>{};
  else return std::type_identity<void>{};
}

/// A tensor of another shape with the dtype and device of `E`.
template <class E, class Carrier>
using TensorLike = Tensor<typename E::value_type, spec_of<Carrier>, typename E::device>;

}  // namespace linalg
}  // namespace tenon

// ---- tenon/expr/linalg/cholesky.hpp

namespace tenon::linalg {

struct CholeskyName {
  static constexpr std::string_view name = "cholesky";
};

template <class E>
struct CholeskyRule {
  static constexpr Shape shape = symmetric_shape(E::shape);
};

template <class E>
constexpr auto cholesky_type() {
  using mistake = typename decltype(symmetric_mistake<CholeskyName, E>())::type;
  if constexpr (!std::is_void_v<mistake>) return std::type_identity<mistake>{};
  else return std::type_identity<TensorLike<E, CholeskyRule<E>>>{};
}
template <Expression X>
using Cholesky = typename decltype(cholesky_type<TensorOf<X>>())::type;

/// L, lower triangular with a positive diagonal, of a symmetric positive definite A = L Lᵀ: "n n"
/// gives "n n". What is factored is (A + Aᵀ) / 2. Throws `ValueError` for a matrix that is not
/// positive definite, NaN among them. JAX: `linalg.cholesky`.
template <Expression X, Sound Result = Cholesky<X&&>>
auto cholesky(X&& a) -> Result {
  return cholesky_factor(std::type_identity<Result>{}, keep_value(std::forward<X>(a)));
}
template <Expression X, Mistaken Result = Cholesky<X&&>>
auto cholesky(X&& a) -> Result;
template <class... X>
auto cholesky(X const&...) -> FirstMistake<X...>;

}  // namespace tenon::linalg

// ---- tenon/expr/linalg/decompose.hpp

namespace tenon::linalg {

struct QrName {
  static constexpr std::string_view name = "qr";
};
struct SvdName {
  static constexpr std::string_view name = "svd";
};
struct DetName {
  static constexpr std::string_view name = "det";
};

/// "m n" as "m k", "k n", "k" and "", where k is the shorter of its axes.
template <class E>
struct LeftRule {
  static constexpr Shape shape =
      batch_and(E::shape, E::shape[E::shape.rank - 2], shorter_axis(E::shape));
};
template <class E>
struct RightRule {
  static constexpr Shape shape =
      batch_and(E::shape, shorter_axis(E::shape), E::shape[E::shape.rank - 1]);
};
template <class E>
struct BetweenRule {
  static constexpr Shape shape = batch_and(E::shape, shorter_axis(E::shape));
};
template <class E>
struct BatchRule {
  static constexpr Shape shape = batch_and(E::shape);
};

template <class E>
constexpr auto qr_type() {
  using mistake = typename decltype(matrix_mistake<QrName, E>())::type;
  if constexpr (!std::is_void_v<mistake>) return std::type_identity<mistake>{};
  else return std::type_identity<QR<TensorLike<E, LeftRule<E>>, TensorLike<E, RightRule<E>>>>{};
}
template <Expression X>
using QrOf = typename decltype(qr_type<TensorOf<X>>())::type;

template <class E>
constexpr auto svd_type() {
  using mistake = typename decltype(matrix_mistake<SvdName, E>())::type;
  if constexpr (!std::is_void_v<mistake>) return std::type_identity<mistake>{};
  else
    return std::type_identity<SVD<TensorLike<E, LeftRule<E>>, TensorLike<E, BetweenRule<E>>,
                                  TensorLike<E, RightRule<E>>>>{};
}
template <Expression X>
using SvdOf = typename decltype(svd_type<TensorOf<X>>())::type;

template <class E>
constexpr auto det_type() {
  using mistake = typename decltype(square_mistake<DetName, E>())::type;
  if constexpr (!std::is_void_v<mistake>) return std::type_identity<mistake>{};
  else return std::type_identity<TensorLike<E, BatchRule<E>>>{};
}
template <Expression X>
using DetOf = typename decltype(det_type<TensorOf<X>>())::type;

/// A = Q R, reduced: "m n" gives {q "m k", r "k n"}, k = min(m, n); Q has orthonormal columns, R is
/// upper triangular, signs are LAPACK's. NaN or infinity gives NaN. For a gradient the first k
/// columns of A must be independent. JAX: `linalg.qr`.
template <Expression X, Factored Result = QrOf<X&&>>
auto qr(X&& a) -> Result {
  return orthogonal_factors(std::type_identity<Result>{}, keep_value(std::forward<X>(a)));
}
template <Expression X, Mistake Result = QrOf<X&&>>
auto qr(X&& a) -> Result;
template <class... X>
auto qr(X const&...) -> FirstMistake<X...>;

/// A = U diag(S) Vᵀ, reduced: "m n" gives {u "m k", s "k", vt "k n"}, k = min(m, n); S is not
/// negative and descends. The signs of pairs of vectors are arbitrary: what is differentiated must
/// not depend on them. NaN or infinity gives NaN. Throws `ValueError` where the steps do not
/// converge. JAX: `linalg.svd(full_matrices=False)`.
template <Expression X, Factored Result = SvdOf<X&&>>
auto svd(X&& a) -> Result {
  return singular_factors(std::type_identity<Result>{}, keep_value(std::forward<X>(a)));
}
template <Expression X, Mistake Result = SvdOf<X&&>>
auto svd(X&& a) -> Result;
template <class... X>
auto svd(X const&...) -> FirstMistake<X...>;

/// The determinant: "*batch n n" gives "*batch". Of a singular matrix 0, of an empty one 1. JAX:
/// `linalg.det`.
template <Expression X, Sound Result = DetOf<X&&>>
auto det(X&& a) -> Result {
  return determinants(std::type_identity<Result>{}, keep_value(std::forward<X>(a)));
}
template <Expression X, Mistaken Result = DetOf<X&&>>
auto det(X&& a) -> Result;
template <class... X>
auto det(X const&...) -> FirstMistake<X...>;

}  // namespace tenon::linalg

// ---- tenon/expr/linalg/eigh.hpp

namespace tenon::linalg {

struct EighName {
  static constexpr std::string_view name = "eigh";
};

template <class E>
struct EigenvectorsRule {
  static constexpr Shape shape = symmetric_shape(E::shape);
};
template <class E>
struct EigenvaluesRule {
  static constexpr Shape shape = removed(symmetric_shape(E::shape), E::shape.rank - 1);
};

template <class E>
constexpr auto eigh_type() {
  using mistake = typename decltype(symmetric_mistake<EighName, E>())::type;
  if constexpr (!std::is_void_v<mistake>) return std::type_identity<mistake>{};
  else
    return std::type_identity<
        Eigen<TensorLike<E, EigenvaluesRule<E>>, TensorLike<E, EigenvectorsRule<E>>>>{};
}
template <Expression X>
using Eigh = typename decltype(eigh_type<TensorOf<X>>())::type;

/// The eigenvalues of a symmetric matrix, the smallest first, and its orthonormal eigenvectors, as
/// columns: "n n" gives {values "n", vectors "n n"}. Those of (A + Aᵀ) / 2. NaN or infinity
/// anywhere gives NaN. The gradient lets vectors of equal values be. Throws `ValueError` where the
/// steps do not converge. JAX: `linalg.eigh`.
template <Expression X, Factored Result = Eigh<X&&>>
auto eigh(X&& a) -> Result {
  return symmetric_eigen(std::type_identity<Result>{}, keep_value(std::forward<X>(a)));
}
template <Expression X, Mistake Result = Eigh<X&&>>
auto eigh(X&& a) -> Result;
template <class... X>
auto eigh(X const&...) -> FirstMistake<X...>;

}  // namespace tenon::linalg

// ---- tenon/expr/linalg/solve.hpp

namespace tenon::linalg {

struct SolveName {
  static constexpr std::string_view name = "solve";
};
struct InverseName {
  static constexpr std::string_view name = "inverse";
};

/// How a matrix and its right-hand sides lie on each other.
template <class A, class B>
struct SolveRule {
  static constexpr Solving solving = solve_rule(A::shape, B::shape);
  static constexpr Shape shape = solving.shape;
};

/// An operand of `solve` with all axes of the batch: side 0 is the matrix.
template <class Rule, std::size_t side, class E>
struct StretchRule {
  static constexpr int own = side == 0 || !Rule::solving.vectors ? 2 : 1;
  static constexpr Stretch stretch = stretch_rule(Rule::solving.batch, side, E::shape, own);
  static constexpr Shape shape = stretch.shape;
  static constexpr AxisMap order = stretch.order;
};

template <class A, class B>
constexpr auto solve_type() {
  using matrix = typename decltype(square_mistake<SolveName, A>())::type;
  using Rule = SolveRule<A, B>;
  if constexpr (!DevicesMeet<A, B>) return device_mistake<SolveName, A, B>();
  else if constexpr (!SameDtype<A, B>) return dtype_mistake<SolveName, A, B>();
  else if constexpr (!std::is_void_v<matrix>) return std::type_identity<matrix>{};
  else if constexpr (Rule::solving.fits) return std::type_identity<TensorLike<A, Rule>>{};
  else if constexpr (Rule::solving.left_axis < 0 || Rule::solving.right_axis < 0)
    return std::type_identity<
        error::shapes_do_not_align<spec_of_name<SolveName>, spec_of<A>, spec_of<B>>>{};
  else
    return std::type_identity<error::axes_do_not_fit<
        spec_of_name<SolveName>, spec_of_axis<A, Rule::solving.left_axis>,
        spec_of_axis<B, Rule::solving.right_axis>, spec_of<A>, spec_of<B>>>{};
}
template <Expression A, Expression B>
using Solution = typename decltype(solve_type<TensorOf<A>, TensorOf<B>>())::type;

template <class E>
struct InverseRule {
  static constexpr Shape shape = inverse_shape(E::shape);
};

template <class E>
constexpr auto inverse_type() {
  using mistake = typename decltype(square_mistake<InverseName, E>())::type;
  if constexpr (!std::is_void_v<mistake>) return std::type_identity<mistake>{};
  else return std::type_identity<TensorLike<E, InverseRule<E>>>{};
}
template <Expression X>
using Inverse = typename decltype(inverse_type<TensorOf<X>>())::type;

/// An operand with the axes of the batch that `other` has and it lacks, or has with size 1.
template <class Rule, std::size_t side, TensorType E, TensorType Other>
auto stretched(E const& operand, Other const& other) {
  using Stretching = StretchRule<Rule, side, E>;
  if constexpr (!Stretching::stretch.needed) return operand;
  else {
    Sizes const own = operand.sizes(), others = other.sizes();
    Sizes sizes = moved_sizes(own, Stretching::order, Stretching::shape.rank);
    auto const& map = Rule::solving.batch.maps[1 - side];
    for (std::size_t i = 0; i < map.size(); ++i) {
      if (map[i] >= 0) at(sizes, map[i]) = others[i];
    }
    return evaluate(moved<Stretching>(operand, sizes));
  }
}

/// X of A X = B: "n m" and "n" give "m", "n m" and "n k" give "m k"; the axes before them
/// broadcast. B is a vector if it has one axis, or as many as A before its last and does not fit as
/// a matrix. Throws `ValueError` for a singular matrix. Same dtype. JAX: `linalg.solve`.
template <Expression A, Expression B, Sound Result = Solution<A&&, B&&>>
auto solve(A&& a, B&& b) -> Result {
  using Rule = SolveRule<TensorOf<A>, TensorOf<B>>;
  auto const matrix = keep_value(std::forward<A>(a));
  auto const right = keep_value(std::forward<B>(b));
  return solved(std::type_identity<Result>{}, stretched<Rule, 0>(matrix, right),
                stretched<Rule, 1>(right, matrix));
}
template <Expression A, Expression B, Mistaken Result = Solution<A&&, B&&>>
auto solve(A&& a, B&& b) -> Result;
template <class... X>
auto solve(X const&...) -> FirstMistake<X...>;

/// The inverse of a square matrix: "n m" gives "m n". To solve equations, `solve` is faster and
/// more exact. Throws `ValueError` for a singular matrix. JAX: `linalg.inv`.
template <Expression X, Sound Result = Inverse<X&&>>
auto inverse(X&& a) -> Result {
  return inverted(std::type_identity<Result>{}, keep_value(std::forward<X>(a)));
}
template <Expression X, Mistaken Result = Inverse<X&&>>
auto inverse(X&& a) -> Result;
template <class... X>
auto inverse(X const&...) -> FirstMistake<X...>;

}  // namespace tenon::linalg

// ---- tenon/expr/linspace.hpp

namespace tenon {

struct LinspaceName {
  static constexpr std::string_view name = "linspace";
};

/// Evenly spaced numbers from `first` to `last`, both included; of one number, `first`:
/// `linspace<Float32<"t">>(0, 1, 101)`. NumPy's and PyTorch's.
template <TensorType R, class... I>
  requires TakesSizes<R, I...> && (R::rank == 1) && std::floating_point<typename R::value_type>
constexpr R linspace(typename R::value_type first, typename R::value_type last, I... sizes) {
  using T = typename R::value_type;
  R result = uninitialised<R>(sizes...);
  std::int64_t const steps = result.size() - 1;
  T* const to = result.mutable_data();
  for (std::int64_t i = 0; i <= steps; ++i) {
    double const share = steps == 0 ? 0.0 : static_cast<double>(i) / static_cast<double>(steps);
    to[i] = static_cast<T>((1 - share) * double(first) + share * double(last));
  }
  return result;
}
template <TensorType R, class... I>
  requires(!TakesSizes<R, I...>)
constexpr auto linspace(typename R::value_type, typename R::value_type, I... sizes)
    -> SizesMistake<LinspaceName, R, I...>;

}  // namespace tenon

// ---- tenon/expr/normalise.hpp

/// The stable forms. Each is a plain formula over rows and becomes one kernel. The shift by the
/// largest element cancels exactly and counts as a constant; an infinite one is no shift.
namespace tenon {

struct SoftmaxName {
  static constexpr std::string_view name = "softmax";
};
struct LogSoftmaxName {
  static constexpr std::string_view name = "log_softmax";
};
struct LogSumExpName {
  static constexpr std::string_view name = "logsumexp";
};

template <class Name, Axes axes, Expression X>
using NormaliseMistake =
    typename decltype(rows_mistake<Name, axes, Unqualified<X>,
                                   FloatType<typename Unqualified<X>::value_type> &&
                                       can_be_averaged<X>>())::type;

/// The largest element along `axes`; -inf where there is none.
template <Axes axes, class X, std::same_as<Keep>... K>
constexpr auto largest_of(X const& x, K...) {
  return fold<op::MaxFold, axes, sizeof...(K) == 1>(x);
}

/// The largest element along `axes`, where it is finite; else 0. With `keep` and without it is one
/// fold to a kernel, computed once.
template <Axes axes, class X, std::same_as<Keep>... K>
constexpr auto shift_of(X const& x, K... kept) {
  using T = typename X::value_type;
  auto const largest = largest_of<axes>(x, kept...);
  return stop_gradient(where(abs(largest) == std::numeric_limits<T>::infinity(), T(0), largest));
}

/// exp(x) / sum(exp(x)) along `axes`. PyTorch: `softmax`.
template <Axes axes, Expression X>
  requires std::is_void_v<NormaliseMistake<SoftmaxName, axes, X>>
constexpr auto softmax(X&& x) {
  auto const& named = x;
  auto const e = exp(named - stop_gradient(largest_of<axes>(named, keep)));
  return e / sum<axes>(e, keep);
}
template <Axes axes, Expression X, std::same_as<Keep>... K,
          class R = NormaliseMistake<SoftmaxName, axes, X>>
  requires(!std::is_void_v<R>)
auto softmax(X&& x, K... kept) -> R;
template <Axes, class... X>
auto softmax(X const&...) -> FirstMistake<X...>;

/// log(sum(exp(x))) along `axes`; of nothing: -inf. PyTorch: `logsumexp`.
template <Axes axes, Expression X>
  requires std::is_void_v<NormaliseMistake<LogSumExpName, axes, X>>
constexpr auto logsumexp(X&& x) {
  auto const& named = x;
  auto const held = hold(named);
  return log(sum<axes>(exp(held - shift_of<axes>(held, keep)))) + shift_of<axes>(held);
}
template <Axes axes, Expression X>
  requires std::is_void_v<NormaliseMistake<LogSumExpName, axes, X>>
constexpr auto logsumexp(X&& x, Keep) {
  auto const& named = x;
  auto const shift = shift_of<axes>(hold(named), keep);
  return log(sum<axes>(exp(named - shift), keep)) + shift;
}
template <Axes axes, Expression X, std::same_as<Keep>... K,
          class R = NormaliseMistake<LogSumExpName, axes, X>>
  requires(!std::is_void_v<R>)
auto logsumexp(X&& x, K... kept) -> R;
template <Axes, class... X>
auto logsumexp(X const&...) -> FirstMistake<X...>;

/// x - logsumexp(x) along `axes`. PyTorch: `log_softmax`.
template <Axes axes, Expression X>
  requires std::is_void_v<NormaliseMistake<LogSoftmaxName, axes, X>>
constexpr auto log_softmax(X&& x) {
  auto const& named = x;
  auto const shifted = named - stop_gradient(largest_of<axes>(named, keep));
  return shifted - log(sum<axes>(exp(shifted), keep));
}
template <Axes axes, Expression X, std::same_as<Keep>... K,
          class R = NormaliseMistake<LogSoftmaxName, axes, X>>
  requires(!std::is_void_v<R>)
auto log_softmax(X&& x, K... kept) -> R;
template <Axes, class... X>
auto log_softmax(X const&...) -> FirstMistake<X...>;

}  // namespace tenon

// ---- tenon/expr/norms.hpp

/// Roots of sums and means of squares.
namespace tenon {

struct NormName {
  static constexpr std::string_view name = "norm";
};
struct DeviationName {
  static constexpr std::string_view name = "stddev";
};

/// `void`, or the name of what keeps `X` from having a root along `axes`.
template <class Name, Axes axes, Expression X>
using RootMistake = typename decltype(rows_mistake<Name, axes, Unqualified<X>,
                                                   FloatType<typename Unqualified<X>::value_type> &&
                                                       can_be_averaged<X>>())::type;

/// The Euclidean norm, the root of the sum of squares. (Squares beyond the range make it infinite;
/// it has no slope at zero.) PyTorch: `linalg.vector_norm`.
template <Axes axes = every, Expression X, std::same_as<Keep>... K>
  requires std::is_void_v<RootMistake<NormName, axes, X>>
constexpr auto norm(X&& x, K... kept) {
  return sqrt(sum<axes>(square(std::forward<X>(x)), kept...));
}
template <Axes axes = every, Expression X, std::same_as<Keep>... K,
          class R = RootMistake<NormName, axes, X>>
  requires(!std::is_void_v<R>)
auto norm(X&& x, K... kept) -> R;
template <Axes = every, class... X>
auto norm(X const&...) -> FirstMistake<X...>;

/// The standard deviation, the root of `var` (divided by n, not n - 1, as NumPy's). It is not
/// called `std`, which is taken. PyTorch: `std(correction=0)`.
template <Axes axes = every, Expression X, std::same_as<Keep>... K>
  requires std::is_void_v<RootMistake<DeviationName, axes, X>>
constexpr auto stddev(X&& x, K... kept) {
  return sqrt(var<axes>(std::forward<X>(x), kept...));
}
template <Axes axes = every, Expression X, std::same_as<Keep>... K,
          class R = RootMistake<DeviationName, axes, X>>
  requires(!std::is_void_v<R>)
auto stddev(X&& x, K... kept) -> R;
template <Axes = every, class... X>
auto stddev(X const&...) -> FirstMistake<X...>;

}  // namespace tenon

// ---- tenon/expr/one_hot.hpp

namespace tenon {

struct OneHotName {
  static constexpr std::string_view name = "one_hot";
};

/// Ids with one more axis behind theirs, along which they are repeated.
template <Spec axis, class Ids>
struct OneHotRule {
  static constexpr Parsed word = parse(axis.view());
  static constexpr bool one_axis = word.ok() && word.shape.rank == 1;
  static constexpr bool has_room = Ids::shape.rank < max_rank;
  static constexpr bool fits = one_axis && has_room;
  static constexpr Axis added = one_axis ? word.shape[0] : Axis{};
  static constexpr Shape shape = fits ? inserted(Ids::shape, Ids::shape.rank, added) : Shape{};
  static constexpr AxisMap order = same_order(Ids::shape.rank);
  static constexpr FixedText text = !word.ok()  ? "the new axis is malformed"
                                    : !one_axis ? "the new axis is one axis"
                                                : "a tensor has at most eight axes";
  /// Of its places along the new axis an element knows the position alone, no name.
  struct Places {
    static constexpr Shape shape = inserted(Shape{}, 0, added.is_static() ? added : Axis{});
  };
};

/// `void`, or the name of what keeps ids from being written out along a new axis.
template <Spec axis, class Ids, class... I>
constexpr auto one_hot_mistake() {
  using Rule = OneHotRule<axis, Ids>;
  if constexpr (!IntegerType<typename Ids::value_type>) return dtype_mistake<OneHotName, Ids>();
  else if constexpr (!Rule::fits)
    return std::type_identity<error::pattern_does_not_fit<
        spec_of_name<OneHotName>, spec_of_text<Rule>, axis, spec_of<Ids>>>{};
  else if constexpr (dynamic_axes(Rule::word.shape) != sizeof...(I))
    return std::type_identity<error::wrong_number_of_sizes<
        spec_of_name<OneHotName>, axis, dynamic_axes(Rule::word.shape), int{sizeof...(I)}>>{};
  else return std::type_identity<void>{};
}

template <Spec axis, Expression X, class... I>
using OneHotMistake = typename decltype(one_hot_mistake<axis, TensorOf<X>, I...>())::type;

/// Ones at the ids along a new last axis, zeros elsewhere: `one_hot<"digit=10">(labels)`, of
/// "batch" "batch digit=10"; as float32, or `one_hot<"digit=10", T>`. A size known at run time
/// follows: `one_hot<"digit">(labels, 10)`. Throws `IndexError`. PyTorch: `one_hot`.
template <Spec axis, class T = float, Expression X, std::integral... I>
  requires std::is_void_v<OneHotMistake<axis, X, I...>>
constexpr auto one_hot(X&& ids, I... size) {
  using Rule = OneHotRule<axis, TensorOf<X>>;
  using Places = Tensor<std::int32_t, spec_of<typename Rule::Places>, typename TensorOf<X>::device>;
  auto const places = iota<Places>(size...);
  auto const value = keep_value(std::forward<X>(ids));
  check_ids(OneHotName::name, value, places.size());
  Sizes sizes = value.sizes();
  at(sizes, Rule::shape.rank - 1) = places.size();
  return to<T>(moved<Rule>(value, sizes) == places);
}
template <Spec axis, class T = float, Expression X, std::integral... I,
          class R = OneHotMistake<axis, X, I...>>
  requires(!std::is_void_v<R>)
auto one_hot(X&& ids, I... size) -> R;
template <Spec, class T = float, Mistake X>
auto one_hot(X const&, auto...) -> X;

}  // namespace tenon

// ---- tenon/expr/rename.hpp

namespace tenon {

struct RenameName {
  static constexpr std::string_view name = "rename";
};

/// A shape under new names, or what is wrong with them.
struct Renaming {
  Shape shape{};
  std::array<bool, max_rank> done{};
  AxisSearch choice = AxisSearch::ok;
  FixedText text{};  ///< The name that is not chosen, or the mistake.

  constexpr bool ok() const { return text.empty(); }

  constexpr void refuse(FixedText const& why, AxisSearch how = AxisSearch::ok) {
    if (!ok()) return;
    choice = how;
    text = why;
  }

  /// Reads one name, or `_` for none.
  constexpr PatternWord name(PatternReader& reader, bool may_be_any) {
    PatternWord const word = reader.next();
    bool const plain = is_name(word.text);
    if (word.mark != PatternMark::word) refuse(missing("a name", word));
    else if (!plain) refuse(sentence({word.text, ": write a name"}));
    else if (!may_be_any && word.token.kind != TokenKind::name) refuse("_ is no name");
    return word;
  }

  /// Gives the axis `from` of the operand another name.
  constexpr void rename(Shape const& operand, std::string_view from, PatternWord const& to) {
    AxisChoice const chosen = choose_axes(operand, from);
    if (chosen.result != AxisSearch::ok) return refuse(chosen.culprit, chosen.result);
    auto const axis = static_cast<std::size_t>(chosen.axis());
    if (done[axis]) return refuse(sentence({from, " is renamed twice"}));
    done[axis] = true;
    shape[chosen.axis()].name = FixedText(to.token.kind == TokenKind::name ? to.text : "");
  }

  constexpr PatternMark pair(Shape const& operand, PatternReader& reader) {
    PatternWord const from = name(reader, false);
    if (PatternWord const arrow = reader.next(); arrow.mark != PatternMark::arrow) {
      refuse(missing("an arrow", arrow));
    }
    PatternWord const to = name(reader, true);
    if (ok()) rename(operand, from.text, to);
    PatternWord const next = reader.next();
    if (next.mark != PatternMark::comma && next.mark != PatternMark::end)
      refuse(missing("a comma", next));
    return next.mark;
  }
};

constexpr Shape same_axes(Shape const& shape) {
  Shape result{};
  for (Axis const& axis : shape) result[result.rank++] = axis;
  return result;
}

/// The shape with the names that pairs such as `t -> key, h -> head` give, all at once.
constexpr Renaming renaming(std::string_view pairs, Shape const& operand) {
  PatternReader reader(pairs);
  Renaming result{};
  result.shape = same_axes(operand);
  while (result.ok() && result.pair(operand, reader) == PatternMark::comma) {
  }
  Settled const settled = settle(result.shape);
  if (!settled.mistake.empty()) result.refuse(settled.mistake);
  result.shape = settled.shape;
  return result;
}

template <Spec pairs, class E>
struct RenameRule {
  static constexpr Renaming value = renaming(pairs.view(), E::shape);
  static constexpr Shape const& shape = value.shape;
  static constexpr AxisMap order = same_order(shape.rank);
  static constexpr FixedText text = value.text;
};

template <Spec pairs, class E>
constexpr auto rename_mistake() {
  using Rule = RenameRule<pairs, E>;
  if constexpr (Rule::value.ok()) return std::type_identity<void>{};
  else if constexpr (Rule::value.choice == AxisSearch::not_found)
    return std::type_identity<
        error::axis_is_not_found<spec_of_name<RenameName>, spec_of_text<Rule>, spec_of<E>>>{};
  else if constexpr (Rule::value.choice == AxisSearch::ambiguous)
    return std::type_identity<
        error::name_is_ambiguous<spec_of_name<RenameName>, spec_of_text<Rule>, spec_of<E>>>{};
  else
    return std::type_identity<error::pattern_does_not_fit<spec_of_name<RenameName>,
                                                          spec_of_text<Rule>, pairs, spec_of<E>>>{};
}

/// What is wrong with new names for the axes of `X`, or `void`.
template <Spec pairs, Expression X>
using RenameMistake = typename decltype(rename_mistake<pairs, Held<X>>())::type;

/// `x` with other names for some axes: `rename<"t -> key, h -> head">(x)`; `t -> _` takes a name
/// away. A tensor shares its elements, an expression stays open. PyTorch: `rename`.
template <Spec pairs, Expression X>
  requires std::is_void_v<RenameMistake<pairs, X&&>>
constexpr auto rename(X&& x) {
  return relabel<RenameRule<pairs, Held<X&&>>>(std::forward<X>(x));
}
template <Spec pairs, Expression X, class R = RenameMistake<pairs, X&&>>
  requires(!std::is_void_v<R>)
auto rename(X&& x) -> R;
template <Spec, Mistake X>
auto rename(X const&) -> X;

}  // namespace tenon

// ---- tenon/core/reshape.hpp

/// The same elements, in row-major order, under other axes.
namespace tenon {

/// A shape that a spec asks for, of the elements of another; or why it cannot be.
struct Reshaping {
  Shape shape{};
  AxisMap from = no_axes();  ///< The axis of the operand whose size an axis takes; -1: it does not.
  AxisMap open = no_axes();  ///< The axes of which neither the spec nor the operand says the size.
  int open_axes = 0;
  FixedText mistake{};

  constexpr bool fits() const { return mistake.empty(); }
  constexpr int rest() const { return open_axes == 1 ? open[0] : -1; }
  constexpr bool takes(int operand_axis) const { return position_of(from, operand_axis) >= 0; }

  constexpr void refuse(FixedText const& why) {
    if (fits()) mistake = why;
  }
};

/// The axis of a shape that has this name and no other has; -1 if there is none.
constexpr int only_axis(Shape const& shape, FixedText const& name) {
  int found = -1;
  for (int i = 0; i < shape.rank; ++i) {
    if (name.empty() || !(shape[i].name == name)) continue;
    if (found >= 0) return -1;
    found = i;
  }
  return found;
}

/// A product of sizes, as far as the compiler knows them.
struct ElementsAtOnce {
  std::int64_t number = 1;
  bool known = true;

  constexpr void add(Axis const& axis) {
    if (!axis.is_static()) known = false;
    else if (__builtin_mul_overflow(number, axis.size, &number)) known = false;
  }
};

/// The axes without a size take that of the operand's axis of their name.
constexpr void take_sizes(Reshaping& result, Shape const& operand) {
  for (int i = 0; i < result.shape.rank; ++i) {
    Axis& axis = result.shape[i];
    if (axis.is_static()) continue;
    int const same = only_axis(operand, axis.name);
    if (same < 0 || result.takes(same)) {
      result.open[static_cast<std::size_t>(result.open_axes++)] = static_cast<std::int8_t>(i);
    } else if (sizes_agree(axis, operand[same])) {
      result.from[static_cast<std::size_t>(i)] = static_cast<std::int8_t>(same);
      axis = merge(axis, operand[same]);
    } else {
      result.refuse(sentence({axis.name.view(), ": its size is outside its bounds"}));
    }
  }
}

/// Gives the open axis what the others leave, where the compiler knows it; checks what it can.
constexpr void share_out(Reshaping& result, Shape const& operand) {
  ElementsAtOnce left{}, given{};
  for (int i = 0; i < operand.rank; ++i) {
    if (!result.takes(i)) left.add(operand[i]);
  }
  for (int i = 0; i < result.shape.rank; ++i) {
    if (result.from[static_cast<std::size_t>(i)] < 0 && i != result.rest())
      given.add(result.shape[i]);
  }
  if (!left.known || !given.known) return;
  bool const divides = given.number != 0 && left.number % given.number == 0;
  if (result.open_axes == 0 && left.number != given.number)
    result.refuse("another number of elements");
  if (result.open_axes == 1 && !divides) result.refuse("the elements are not a multiple");
  if (result.open_axes == 1 && divides)
    result.shape[result.rest()].size = left.number / given.number;
}

/// A spec's axes for the elements of `operand`. One axis may be open and takes what the others
/// leave; several may where the caller gives their sizes, `sizes_given` of them.
constexpr Reshaping reshaping(std::string_view spec, Shape const& operand, int sizes_given) {
  Reshaping result{};
  Parsed const parsed = parse(spec);
  if (!parsed.ok()) result.refuse(sentence({parsed.culprit, ": ", parsed.mistake}));
  if (!result.fits()) return result;
  for (Axis const& axis : parsed.shape) result.shape[result.shape.rank++] = axis;
  take_sizes(result, operand);
  bool const asks = sizes_given == 0 && result.open_axes > 1;
  if (asks) result.refuse("more than one axis is open");
  if (sizes_given > 0 && sizes_given != result.open_axes)
    result.refuse("another number of open axes");
  if (result.fits() && sizes_given == 0) share_out(result, operand);
  Settled const settled = settle(result.shape);
  if (!settled.mistake.empty()) result.refuse(settled.mistake);
  result.shape = settled.shape;
  return result;
}

}  // namespace tenon

// ---- tenon/expr/reshape.hpp

/// The same elements in the same order under other axes. A tensor shares its elements; an
/// expression is evaluated.
namespace tenon {

struct ReshapeName {
  static constexpr std::string_view name = "reshape";
};
struct FlattenName {
  static constexpr std::string_view name = "flatten";
};

/// A tensor with the dtype and the device of `E` and the shape of a rule.
template <class Rule, class E>
using TensorUnder = Tensor<typename E::value_type, spec_of<Rule>, typename E::device>;

template <Spec spec, class E, int sizes_given>
struct ReshapeRule {
  static constexpr Reshaping value = reshaping(spec.view(), E::shape, sizes_given);
  static constexpr Shape const& shape = value.shape;
  static constexpr FixedText text = value.mistake;
};

template <Spec spec, class E, int sizes_given>
constexpr auto reshape_type() {
  using Rule = ReshapeRule<spec, E, sizes_given>;
  if constexpr (Rule::value.fits()) return std::type_identity<TensorUnder<Rule, E>>{};
  else
    return std::type_identity<error::pattern_does_not_fit<spec_of_name<ReshapeName>,
                                                          spec_of_text<Rule>, spec, spec_of<E>>>{};
}
template <Spec spec, Expression X, class... I>
using Reshaped = typename decltype(reshape_type<spec, TensorOf<X>, int{sizeof...(I)}>())::type;

[[noreturn]] inline void fail_elements(Shape const& shape, std::int64_t expected,
                                       std::int64_t got) {
  fail<ShapeError>({ReshapeName::name,
                    {},
                    std::to_string(expected) + " elements",
                    std::to_string(got),
                    "\"" + std::string(format(shape).view()) + "\""});
}

/// The sizes of a reshaped tensor of `sizes`. Throws `ShapeError` where the elements do not go up.
constexpr Sizes reshaped_sizes(Reshaping const& rule, Sizes const& sizes, int rank,
                               std::initializer_list<std::int64_t> given) {
  Sizes result = static_sizes(rule.shape);
  for (int i = 0; i < rule.shape.rank; ++i) {
    int const from = rule.from[static_cast<std::size_t>(i)];
    if (from >= 0) at(result, i) = at(sizes, from);
  }
  int next = 0;
  for (std::int64_t const size : given)
    at(result, rule.open[static_cast<std::size_t>(next++)]) = size;
  std::int64_t left = 1, others = 1;
  for (int i = 0; i < rank; ++i) left *= rule.takes(i) ? 1 : at(sizes, i);
  for (int i = 0; i < rule.shape.rank; ++i) {
    bool const own = rule.from[static_cast<std::size_t>(i)] < 0;
    others *= own && (given.size() > 0 || i != rule.rest()) ? at(result, i) : 1;
  }
  if (given.size() == 0 && rule.rest() >= 0 && others != 0)
    at(result, rule.rest()) = left / others, others *= left / others;
  if (others != left) fail_elements(rule.shape, others, left);
  return result;
}

/// The same elements in row-major order under the axes of a spec: `reshape<"a=2 b=3">(x)`. An axis
/// without a size keeps that of x's axis of its name; one more may be open and takes what is left:
/// `reshape<"batch p">(x)`; or all that are open are given, `reshape<"a b">(x, 2, n)`. Throws
/// `ShapeError` where the elements do not go up. NumPy, PyTorch: `reshape`, `view`.
template <Spec spec, Expression X, std::integral... I, Sound Result = Reshaped<spec, X&&, I...>>
constexpr auto reshape(X&& x, I... open) -> Result {
  using Rule = ReshapeRule<spec, TensorOf<X>, int{sizeof...(I)}>;
  Sizes const sizes = reshaped_sizes(Rule::value, x.sizes(), Unqualified<X>::shape.rank,
                                     {static_cast<std::int64_t>(open)...});
  return reshaped<Result>(keep_value(std::forward<X>(x)), sizes);
}
template <Spec spec, Expression X, std::integral... I, Mistaken Result = Reshaped<spec, X&&, I...>>
auto reshape(X&& x, I... open) -> Result;
template <Spec, Mistake X>
auto reshape(X const&, auto...) -> X;

/// Axes made one: those of `Axes`, or `h w -> p` with the name of the one.
struct Flattening {
  AxisChoice chosen{};
  FixedText name{};
  FixedText mistake{};
};

constexpr Flattening flattening(Shape const& shape, Axes const& axes) {
  Flattening result{};
  std::string_view names = axes.names.view();
  if (std::size_t const arrow = names.find("->"); arrow != names.npos) {
    std::string_view rest = names.substr(arrow + 2);
    std::string_view const name = next_word(rest);
    if (!is_name(name) || !next_word(rest).empty()) result.mistake = "one name after the arrow";
    else result.name = FixedText(name);
    names = names.substr(0, arrow);
  }
  result.chosen = axes.by_index ? choose_axis(shape, axes.index) : choose_axes(shape, names);
  if (result.chosen.result != AxisSearch::ok) return result;
  int const first = result.chosen.axis();
  for (int i = first; i >= 0 && i < first + result.chosen.count; ++i) {
    if (i >= shape.rank || !result.chosen[i]) result.mistake = "the axes are not neighbours";
  }
  return result;
}

/// The axis of the elements of several: alone it stays as it is.
constexpr Axis flat_axis(Shape const& shape, Flattening const& rule) {
  AxisExtent product = number_extent(1);
  for (int i = 0; i < shape.rank; ++i) {
    if (rule.chosen[i]) product = product * extent_of(shape[i]);
  }
  Axis const axis = rule.chosen.count == 1 ? shape[rule.chosen.axis()] : axis_of(product);
  return rule.name.empty() ? axis : named_axis(rule.name.view(), axis.size);
}

constexpr Shape flattened_shape(Shape const& shape, Flattening const& rule) {
  Shape result{};
  int const first = rule.chosen.axis();
  if (first < 0) result[result.rank++] = flat_axis(shape, rule);
  for (int i = 0; i < shape.rank; ++i) {
    if (i == first) result[result.rank++] = flat_axis(shape, rule);
    if (!rule.chosen[i]) result[result.rank++] = shape[i];
  }
  return settle(result).shape;
}

template <Axes axes, class E>
struct FlattenRule {
  static constexpr Flattening value = flattening(E::shape, axes);
  static constexpr bool ok = value.chosen.result == AxisSearch::ok && value.mistake.empty();
  static constexpr Shape shape = ok ? flattened_shape(E::shape, value) : Shape{};
  static constexpr FixedText text = value.mistake.empty() ? value.chosen.culprit : value.mistake;
};

template <Axes axes, class E>
constexpr auto flatten_type() {
  using Rule = FlattenRule<axes, E>;
  constexpr AxisSearch choice = Rule::value.chosen.result;
  if constexpr (Rule::ok) return std::type_identity<TensorUnder<Rule, E>>{};
  else if constexpr (choice == AxisSearch::ok)
    return std::type_identity<error::pattern_does_not_fit<
        spec_of_name<FlattenName>, spec_of_text<Rule>, spec_of_text<NamesOf<axes>>, spec_of<E>>>{};
  else if constexpr (choice == AxisSearch::ambiguous)
    return std::type_identity<
        error::name_is_ambiguous<spec_of_name<FlattenName>, spec_of_text<Rule>, spec_of<E>>>{};
  else
    return std::type_identity<
        error::axis_is_not_found<spec_of_name<FlattenName>, spec_of_text<Rule>, spec_of<E>>>{};
}
template <Axes axes, Expression X>
using Flattened = typename decltype(flatten_type<axes, TensorOf<X>>())::type;

/// Neighbouring axes made one: all, `flatten(x)`, or some, `flatten<"h w">(x)`, under a name if one
/// is given, `flatten<"h w -> p">(x)`; else the axis is "h*w", or its number. PyTorch: `flatten`.
/// NumPy: `ravel`.
template <Axes axes = every, Expression X, Sound Result = Flattened<axes, X&&>>
constexpr auto flatten(X&& x) -> Result {
  constexpr AxisChoice chosen = FlattenRule<axes, TensorOf<X>>::value.chosen;
  Sizes const from = x.sizes();
  Sizes sizes = ones();
  for (int i = 0, to = 0; i < Unqualified<X>::shape.rank; ++i) {
    bool const goes_on = chosen[i] && i > chosen.axis();
    to += i == 0 || goes_on ? 0 : 1;
    at(sizes, to) *= at(from, i);
  }
  return reshaped<Result>(keep_value(std::forward<X>(x)), sizes);
}
template <Axes axes = every, Expression X, Mistaken Result = Flattened<axes, X&&>>
auto flatten(X&& x) -> Result;
template <Axes = every, Mistake X>
auto flatten(X const&) -> X;

}  // namespace tenon

// ---- tenon/expr/scan.hpp

namespace tenon {

struct CumsumName {
  static constexpr std::string_view name = "cumsum";
};
struct CumprodName {
  static constexpr std::string_view name = "cumprod";
};

template <class Name, class Op, Axes axes, class E>
constexpr auto scan_type() {
  using axis = typename decltype(axes_mistake<Name, axes, 1, E>())::type;
  if constexpr (!std::is_void_v<axis>) return std::type_identity<axis>{};
  else if constexpr (!FoldsDtype<Op, E>) return dtype_mistake<Name, E>();
  else return std::type_identity<TensorOf<E>>{};
}

/// The tensor that a scan gives, or an undefined type that names the mistake.
template <class Name, class Op, Axes axes, Expression X>
using ScanOf = typename decltype(scan_type<Name, Op, axes, Unqualified<X>>())::type;

/// The running sum along one axis: 1 2 3 gives 1 3 6. Numbers of any dtype but the 16-bit ones,
/// which it keeps (`float` is added up as `double`); evaluated at once. PyTorch: `cumsum`.
template <Axes axis, Expression X, Sound R = ScanOf<CumsumName, op::SumFold, axis, X>>
auto cumsum(X&& x) -> R {
  return cumsum_along(keep_value(std::forward<X>(x)), Chosen<axis, R>::value.axis());
}
template <Axes axis, Expression X, Mistaken R = ScanOf<CumsumName, op::SumFold, axis, X>>
auto cumsum(X&& x) -> R;
template <Axes, class... X>
auto cumsum(X const&...) -> FirstMistake<X...>;

/// The running product along one axis: 2 3 4 gives 2 6 24. Numbers of any dtype but the 16-bit
/// ones, which it keeps; evaluated at once. Its slope is right also at zeros. PyTorch: `cumprod`.
template <Axes axis, Expression X, Sound R = ScanOf<CumprodName, op::ProdFold, axis, X>>
auto cumprod(X&& x) -> R {
  return cumprod_along(keep_value(std::forward<X>(x)), Chosen<axis, R>::value.axis());
}
template <Axes axis, Expression X, Mistaken R = ScanOf<CumprodName, op::ProdFold, axis, X>>
auto cumprod(X&& x) -> R;
template <Axes, class... X>
auto cumprod(X const&...) -> FirstMistake<X...>;

}  // namespace tenon

// ---- tenon/expr/shape_of.hpp

namespace tenon {

/// The shape of a tensor, an expression or the type of one, a value that is compared, printed and
/// computed with: `static_assert(shape_of<decltype(x)> == "batch hidden=128")`.
template <Expression X>
inline constexpr Shape const& shape_of = Unqualified<X>::shape;

struct SizeName {
  static constexpr std::string_view name = "size";
};

/// The size of an axis, `size<"batch">(x)` or `size<-1>(x)`; of several, how many positions they
/// have. A constant where the compiler knows it. PyTorch: `x.size(dim)`.
template <Axes axes, Expression X>
  requires(Chosen<axes, X>::ok)
constexpr std::int64_t size(X const& x) {
  std::int64_t positions = 1;
  for (int i = 0; i < X::shape.rank; ++i) {
    if (!Chosen<axes, X>::value[i]) continue;
    positions *= X::shape[i].is_static() ? X::shape[i].size : at(x.sizes(), i);
  }
  return positions;
}
template <Axes axes, Expression X>
  requires(!Chosen<axes, X>::ok)
auto size(X const& x) -> ChoiceMistake<SizeName, axes, X>;
template <Axes, Mistake X>
auto size(X const&) -> X;

}  // namespace tenon

// ---- tenon/expr/sort.hpp

/// Order along an axis. NaN counts as the largest, -0 as 0; equals stay in their order. Evaluated
/// at once; adjoints go back to where the elements came from.
namespace tenon {

struct ArgsortName {
  static constexpr std::string_view name = "argsort";
};
struct SortName {
  static constexpr std::string_view name = "sort";
};
struct TopkName {
  static constexpr std::string_view name = "topk";
};

/// Asks for the largest first: `sort<"n">(x, descending)`.
struct Descending {};
inline constexpr Descending descending{};

/// What can be sorted; the 16-bit dtypes are cast first.
template <class T>
concept SortableType = RealType<T> && !HalfType<T>;

/// `E` with an axis cut to `Sliced`: elements, or their places.
template <class T, Axes axes, class E, class Sliced>
using OrderedAlong = Tensor<T, spec_of<SliceRule<axes, E, Sliced>>, typename E::device>;

/// The tensor of `T` that `Name` makes of `E`, or an undefined type that names the mistake.
template <class Name, class T, Axes axes, class E>
constexpr auto sort_type() {
  using axis = typename decltype(axes_mistake<Name, axes, 1, E>())::type;
  if constexpr (!std::is_void_v<axis>) return std::type_identity<axis>{};
  else if constexpr (!SortableType<typename E::value_type>) return dtype_mistake<Name, E>();
  else return std::type_identity<Tensor<T, spec_of<E>, typename E::device>>{};
}

template <Axes axes, Expression X>
using Argsorted =
    typename decltype(sort_type<ArgsortName, std::int32_t, axes, Unqualified<X>>())::type;
template <Axes axes, Expression X>
using SortedTensor = typename decltype(sort_type<SortName, typename Unqualified<X>::value_type,
                                                 axes, Unqualified<X>>())::type;

/// The places of the elements along one axis in ascending order, or `descending`, as int32.
/// NumPy: `argsort(kind="stable")`. PyTorch: `argsort(stable=True)`.
template <Axes axis, Expression X, std::same_as<Descending>... D, Sound R = Argsorted<axis, X>>
  requires(sizeof...(D) <= 1)
auto argsort(X&& x, D...) -> R {
  auto const value = keep_value(std::forward<X>(x));
  return ordered_places<R>(value, value.sizes(), Chosen<axis, R>::value.axis(), sizeof...(D) == 1);
}
template <Axes axis, Expression X, std::same_as<Descending>... D, Mistaken R = Argsorted<axis, X>>
auto argsort(X&& x, D...) -> R;
template <Axes, class... X>
auto argsort(X const&...) -> FirstMistake<X...>;

/// The elements along one axis in ascending order, or `descending`. PyTorch: `sort(stable=True)`.
template <Axes axis, Expression X, std::same_as<Descending>... D, Sound R = SortedTensor<axis, X>>
  requires(sizeof...(D) <= 1)
auto sort(X&& x, D... order) -> R {
  auto const value = keep_value(std::forward<X>(x));
  return evaluate(take_along<axis>(value, argsort<axis>(value, order...)));
}
template <Axes axis, Expression X, std::same_as<Descending>... D,
          Mistaken R = SortedTensor<axis, X>>
auto sort(X&& x, D...) -> R;
template <Axes, class... X>
auto sort(X const&...) -> FirstMistake<X...>;

/// The largest elements along an axis and their places.
template <TensorType V, TensorType I>
struct Topk {
  V values;
  I indices;
};

template <Axes axes, std::int64_t k, class E>
constexpr auto topk_type() {
  using Sliced = StaticLength<k>;
  using T = typename E::value_type;
  using sorted = typename decltype(sort_type<TopkName, T, axes, E>())::type;
  if constexpr (!TensorType<sorted>) return std::type_identity<sorted>{};
  else if constexpr (constexpr int axis = Chosen<axes, E>::value.axis();
                     !Sliced::possible(E::shape[axis]))
    return std::type_identity<error::range_is_outside<spec_of_name<TopkName>, spec_of_text<Sliced>,
                                                      spec_of_axis<E, axis>, spec_of<E>>>{};
  else
    return std::type_identity<
        Topk<OrderedAlong<T, axes, E, Sliced>, OrderedAlong<std::int32_t, axes, E, Sliced>>>{};
}

template <Axes axes, std::int64_t k, Expression X>
using TopkOf = typename decltype(topk_type<axes, k, Unqualified<X>>())::type;

/// The `k` largest elements along one axis, the largest first, and their places, as int32: of
/// "batch n" two "batch 3". Throws `IndexError` for a run-time axis that is too short. PyTorch:
/// `topk`. JAX: `top_k`.
template <Axes axis, std::int64_t k, Expression X, class R = TopkOf<axis, k, X>>
  requires(!Mistake<R>)
auto topk(X&& x) -> R {
  using I = decltype(R::indices);
  constexpr int along = Chosen<axis, Unqualified<X>>::value.axis();
  auto const value = keep_value(std::forward<X>(x));
  Sizes sizes = value.sizes();
  check_range(value.shape, along, at(sizes, along), 0, k, TopkName::name);
  at(sizes, along) = k;
  auto const indices = ordered_places<I>(value, sizes, along, true);
  return {evaluate(take_along<axis>(value, indices)), indices};
}
template <Axes axis, std::int64_t k, Expression X, Mistake R = TopkOf<axis, k, X>>
auto topk(X&& x) -> R;
template <Axes, std::int64_t, class... X>
auto topk(X const&...) -> FirstMistake<X...>;

}  // namespace tenon

// ---- tenon/expr/split.hpp

/// Parts along an axis. Nothing is copied, the parts stay open; what costs a pass is evaluated
/// once, before.
namespace tenon {

namespace error {

/// The operation, into what, the axis, the shape.
template <Spec Operation, Spec Parts, Spec Axis, Spec Shape>
struct axis_does_not_split;

}  // namespace error

struct SplitName {
  static constexpr std::string_view name = "split";
};

/// So many equal parts.
template <std::int64_t count>
struct EqualParts {
  static constexpr FixedText text = [] {
    TextWriter<FixedText::capacity> words{};
    words << count << " equal parts";
    return FixedText(words.view());
  }();
  static constexpr bool possible(Axis const& axis) {
    return count > 0 && (!axis.is_static() || axis.size % count == 0);
  }
  static constexpr Axis of(Axis const& axis) {
    if (count == 1) return axis;
    return axis_of(quotient(extent_of(axis), number_extent(count)));
  }
};

/// Parts of these sizes.
template <std::int64_t... sizes>
struct PartsOfSizes {
  static constexpr std::int64_t whole = (sizes + ...);
  static constexpr FixedText text = [] {
    TextWriter<FixedText::capacity> words{};
    std::string_view before = "";
    ((words << before << sizes, before = "+"), ...);
    return FixedText(words.view());
  }();
  static constexpr bool possible(Axis const& axis) {
    bool const fits = axis.is_static() ? axis.size == whole : whole <= axis.upper;
    return fits && ((sizes >= 0) && ...);
  }
};

template <Axes axes, class Parts, class E>
constexpr auto split_mistake() {
  using mistake = decltype(axes_mistake<SplitName, axes, 1, E>());
  if constexpr (!std::is_void_v<typename mistake::type>) return mistake{};
  else {
    constexpr int axis = Chosen<axes, E>::value.axis();
    if constexpr (Parts::possible(E::shape[axis])) return std::type_identity<void>{};
    else
      return std::type_identity<error::axis_does_not_split<
          spec_of_name<SplitName>, spec_of_text<Parts>, spec_of_axis<E, axis>, spec_of<E>>>{};
  }
}
template <Axes axes, class Parts, Expression X>
using SplitMistake = typename decltype(split_mistake<axes, Parts, Held<X>>())::type;

template <Axes axes, class Parts, class X>
concept Splits = std::is_void_v<SplitMistake<axes, Parts, X>>;

/// The whole as its parts keep it.
template <class X>
constexpr auto keep_whole(X&& x) {
  if constexpr (is_heavy<Unqualified<X>>) return keep_value(std::forward<X>(x));
  else return hold(std::forward<X>(x));
}

/// Throws `ShapeError` unless the axis is as long as its parts.
constexpr void check_parts(Shape const& shape, int axis, std::int64_t size, bool fits,
                           std::string_view parts) {
  if (fits) return;
  fail<ShapeError>({SplitName::name, axis_label(shape, axis), parts, std::to_string(size),
                    "\"" + std::string(format(shape).view()) + "\""});
}

/// `x` in so many equal parts along an axis, as an array: `auto [q, k, v] = split<"e", 3>(x)`.
/// Throws `ShapeError` where a run-time size does not divide. NumPy: `split`. PyTorch: `chunk`.
template <Axes axis, std::int64_t count, Expression X>
  requires Splits<axis, EqualParts<count>, X&&>
constexpr auto split(X&& x) {
  using Parts = EqualParts<count>;
  constexpr int along = Chosen<axis, Unqualified<X>>::value.axis();
  auto const whole = keep_whole(std::forward<X>(x));
  std::int64_t const size = at(whole.sizes(), along), part = size / count;
  check_parts(whole.shape, along, size, size % count == 0, Parts::text.view());
  return [&]<std::int64_t... k>(std::integer_sequence<std::int64_t, k...>) {
    return std::array{sliced<Axes(along), Parts>(whole, k * part, (k + 1) * part)...};
  }(std::make_integer_sequence<std::int64_t, count>());
}
template <Axes axis, std::int64_t count, Expression X,
          class R = SplitMistake<axis, EqualParts<count>, X&&>>
  requires(!std::is_void_v<R>)
auto split(X&& x) -> R;

/// `x` in parts of these sizes along an axis, as a tuple: `auto [a, b] = split<"t", 3, 5>(x)`.
/// Throws `ShapeError` where a run-time size is not their sum. PyTorch: `split(x, [3, 5])`.
template <Axes axis, std::int64_t first, std::int64_t second, std::int64_t... rest, Expression X>
  requires Splits<axis, PartsOfSizes<first, second, rest...>, X&&>
constexpr auto split(X&& x) {
  using Parts = PartsOfSizes<first, second, rest...>;
  constexpr int along = Chosen<axis, Unqualified<X>>::value.axis();
  auto const whole = keep_whole(std::forward<X>(x));
  std::int64_t const size = at(whole.sizes(), along);
  check_parts(whole.shape, along, size, size == Parts::whole, Parts::text.view());
  std::int64_t end = 0;
  auto const next = [&]<std::int64_t part>(std::integral_constant<std::int64_t, part>) {
    end += part;
    return sliced<Axes(along), StaticLength<part>>(whole, end - part, end);
  };
  return std::tuple{next(std::integral_constant<std::int64_t, first>{}),
                    next(std::integral_constant<std::int64_t, second>{}),
                    next(std::integral_constant<std::int64_t, rest>{})...};
}
template <Axes axis, std::int64_t first, std::int64_t second, std::int64_t... rest, Expression X,
          class R = SplitMistake<axis, PartsOfSizes<first, second, rest...>, X&&>>
  requires(!std::is_void_v<R>)
auto split(X&& x) -> R;
template <Axes, std::int64_t..., Mistake X>
auto split(X const&) -> X;

}  // namespace tenon

// ---- tenon/expr/triangle.hpp

/// The triangles of matrices, which the last two axes make up. They stay open.
namespace tenon {

struct TrilName {
  static constexpr std::string_view name = "tril";
};
struct TriuName {
  static constexpr std::string_view name = "triu";
};

/// One of the last two axes without its name, alone or as a column.
template <class E, bool is_column>
struct SideRule {
  static constexpr Axis const& axis = E::shape[E::shape.rank - (is_column ? 2 : 1)];
  static constexpr Axis bare = axis.is_static() ? axis_of_size(axis.size) : Axis{};
  static constexpr Shape alone = inserted(Shape{}, 0, bare);
  static constexpr Shape shape = is_column ? inserted(alone, 1, axis_of_size(1)) : alone;
};
template <class E, bool is_column>
using TriangleSide = Tensor<std::int32_t, spec_of<SideRule<E, is_column>>, typename E::device>;

/// The column in which the k-th diagonal meets each row, or the next one outside of the matrix.
template <class E>
constexpr auto diagonal_columns(E const& x, std::int64_t k) {
  std::int64_t const rows = at(x.sizes(), E::shape.rank - 2),
                     columns = at(x.sizes(), E::shape.rank - 1);
  auto result = TriangleSide<E, true>::uninitialised({rows, 1, 1, 1, 1, 1, 1, 1});
  for (std::int64_t i = 0; i < rows; ++i) {
    std::int64_t const column = k < -rows ? -1 : k > columns ? columns : i + k;
    result.mutable_data()[i] =
        static_cast<std::int32_t>(std::clamp<std::int64_t>(column, -1, columns));
  }
  return result;
}

/// 0, 1, 2, … for the columns of a matrix.
template <class E>
constexpr auto columns_of(E const& x) {
  auto result = TriangleSide<E, false>::uninitialised(
      {at(x.sizes(), E::shape.rank - 1), 1, 1, 1, 1, 1, 1, 1});
  for (std::int64_t i = 0; i < result.size(); ++i)
    result.mutable_data()[i] = static_cast<std::int32_t>(i);
  return result;
}

/// `void`, or the name of what keeps `E` from having a triangle.
template <class Name, class E>
constexpr auto triangle_mistake() {
  using M = Tensor<bool, "", typename E::device>;
  if constexpr (E::shape.rank < 2)
    return std::type_identity<
        error::wrong_number_of_axes<spec_of_name<Name>, spec_of<E>, 2, E::shape.rank>>{};
  else if constexpr (!TakesDtypes<op::Where, M, E, E>) return dtype_mistake<Name, E>();
  else return std::type_identity<void>{};
}
template <class Name, Expression X>
using TriangleMistake = typename decltype(triangle_mistake<Name, Unqualified<X>>())::type;

/// The lower triangle of a matrix, which the last two axes make up: zero above the k-th diagonal
/// (k > 0: to the right of the main one). All dtypes but the 16-bit ones. PyTorch: `tril`.
template <Expression X>
  requires std::is_void_v<TriangleMistake<TrilName, X>>
constexpr auto tril(X&& x, std::int64_t k = 0) {
  using T = typename Unqualified<X>::value_type;
  auto const inside = columns_of(x) <= diagonal_columns(x, k);
  return where(inside, std::forward<X>(x), T(0));
}
template <Expression X, class R = TriangleMistake<TrilName, X>>
  requires(!std::is_void_v<R>)
auto tril(X&& x, std::int64_t k = 0) -> R;
template <Mistake X>
auto tril(X const&, std::int64_t = 0) -> X;

/// The upper triangle of a matrix, which the last two axes make up: zero below the k-th diagonal.
/// PyTorch: `triu`.
template <Expression X>
  requires std::is_void_v<TriangleMistake<TriuName, X>>
constexpr auto triu(X&& x, std::int64_t k = 0) {
  using T = typename Unqualified<X>::value_type;
  auto const inside = columns_of(x) >= diagonal_columns(x, k);
  return where(inside, std::forward<X>(x), T(0));
}
template <Expression X, class R = TriangleMistake<TriuName, X>>
  requires(!std::is_void_v<R>)
auto triu(X&& x, std::int64_t k = 0) -> R;
template <Mistake X>
auto triu(X const&, std::int64_t = 0) -> X;

}  // namespace tenon

// ---- tenon/expr/vectors.hpp

/// Products of two vectors.
namespace tenon {

struct DotName {
  static constexpr std::string_view name = "dot";
};
struct OuterName {
  static constexpr std::string_view name = "outer";
};

template <class A, class B>
struct DotRule {
  static constexpr std::string_view name = "dot";
  static constexpr Contraction contraction = matmul_rule(A::shape, B::shape);
};

template <class A, class B>
struct OuterRule {
  static constexpr Broadcast<2> aligned = broadcast(LineRule<A, 0>::shape, LineRule<B, 1>::shape);
};

/// Names the operand that is no vector, or what keeps two from being multiplied; else `void`.
template <class Name, class A, class B>
constexpr auto vectors_mistake() {
  if constexpr (A::shape.rank != 1)
    return std::type_identity<
        error::wrong_number_of_axes<spec_of_name<Name>, spec_of<A>, 1, A::shape.rank>>{};
  else if constexpr (B::shape.rank != 1)
    return std::type_identity<
        error::wrong_number_of_axes<spec_of_name<Name>, spec_of<B>, 1, B::shape.rank>>{};
  else return product_mistake<Name, A, B>();
}

template <class A, class B>
constexpr auto dot_type() {
  using mistake = typename decltype(vectors_mistake<DotName, A, B>())::type;
  if constexpr (!std::is_void_v<mistake>) return std::type_identity<mistake>{};
  else if constexpr (DotRule<A, B>::contraction.fits)
    return std::type_identity<Contract<A, B, DotRule<A, B>>>{};
  else return contraction_mistake<DotName, DotRule<A, B>, A, B>();
}
template <Expression X, Expression Y>
using DotResult = typename decltype(dot_type<HeldForProduct<X>, HeldForProduct<Y>>())::type;

/// The inner product of two vectors whose axes agree: a scalar. NumPy, PyTorch: `dot`.
template <Expression X, Expression Y, Sound Result = DotResult<X&&, Y&&>>
constexpr auto dot(X&& x, Y&& y) -> Result {
  return Result(keep_product_operand<HeldForProduct<X&&>>(std::forward<X>(x)),
                keep_product_operand<HeldForProduct<Y&&>>(std::forward<Y>(y)));
}
template <Expression X, Expression Y, Mistaken Result = DotResult<X&&, Y&&>>
auto dot(X&& x, Y&& y) -> Result;
template <class... X>
auto dot(X const&...) -> FirstMistake<X...>;

template <class A, class B>
constexpr auto outer_mistake() {
  using mistake = typename decltype(vectors_mistake<OuterName, A, B>())::type;
  if constexpr (!std::is_void_v<mistake>) return std::type_identity<mistake>{};
  else if constexpr (OuterRule<A, B>::aligned.fits) return std::type_identity<void>{};
  else
    return std::type_identity<
        error::shapes_do_not_align<spec_of_name<OuterName>, spec_of<A>, spec_of<B>>>{};
}
template <Expression X, Expression Y>
using OuterMistake = typename decltype(outer_mistake<Held<X>, Held<Y>>())::type;

/// Every element of one vector times every element of another: "i" and "j" give "i j". It stays
/// open. NumPy, PyTorch: `outer`.
template <Expression X, Expression Y>
  requires std::is_void_v<OuterMistake<X&&, Y&&>>
constexpr auto outer(X&& x, Y&& y) {
  return line<0>(std::forward<X>(x)) * line<1>(std::forward<Y>(y));
}
template <Expression X, Expression Y, class R = OuterMistake<X&&, Y&&>>
  requires(!std::is_void_v<R>)
auto outer(X&& x, Y&& y) -> R;
template <class... X>
auto outer(X const&...) -> FirstMistake<X...>;

}  // namespace tenon

// ---- tenon/expr/view.hpp

namespace tenon {

namespace error {

/// The operation, the spec, its number of axes, and how many strides were given.
template <Spec Operation, Spec Shape, int Expected, int Got>
struct wrong_number_of_strides;

}  // namespace error

/// Strides for a view, one for each axis: how many elements lie between two neighbours. 0 repeats
/// an element, a negative one walks backward.
template <std::size_t N>
struct ViewStrides {
  std::array<std::int64_t, N> steps{};

  template <std::integral... I>
  explicit constexpr ViewStrides(I... elements) : steps{static_cast<std::int64_t>(elements)...} {}
};
template <std::integral... I>
ViewStrides(I...) -> ViewStrides<sizeof...(I)>;

template <class A>
inline constexpr int strides_in = 0;
template <std::size_t N>
inline constexpr int strides_in<ViewStrides<N>> = static_cast<int>(N);

/// Memory with the axes of an `R`, as the sizes of its run-time axes and strides, if any, say.
template <TensorType R>
class ViewLayout {
 public:
  Sizes sizes = static_sizes(R::shape);
  Sizes strides{};

  template <class... A>
  explicit constexpr ViewLayout(A const&... arguments) {
    (take(arguments), ...);
    if (!strided_) strides = row_major(sizes, R::rank);
  }

 private:
  constexpr void take(std::integral auto size) {
    while (R::shape[axis_].is_static()) ++axis_;
    at(sizes, axis_++) = static_cast<std::int64_t>(size);
  }
  template <std::size_t N>
  constexpr void take(ViewStrides<N> const& given) {
    std::copy(given.steps.begin(), given.steps.end(), strides.begin());
    strided_ = true;
  }

  int axis_ = 0;
  bool strided_ = false;
};

/// Do the arguments after a pointer say where all elements lie?
template <class R, class... A>
concept LaysOut = TensorType<R> && ((std::integral<A> || strides_in<A> == R::rank) && ...) &&
                  (int{std::integral<A>} + ... + 0) == dynamic_axes(R::shape) &&
                  (int{!std::integral<A>} + ... + 0) <= 1;

struct ViewName {
  static constexpr std::string_view name = "view";
};

/// Names what is wrong with the arguments after a pointer.
template <TensorType R, class... A>
constexpr auto layout_mistake() {
  constexpr int sizes = (int{std::integral<A>} + ... + 0), strides = (strides_in<A> + ... + 0);
  if constexpr (sizes != dynamic_axes(R::shape) || strides == 0)
    return std::type_identity<error::wrong_number_of_sizes<spec_of_name<ViewName>, R::spec,
                                                           dynamic_axes(R::shape), sizes>>{};
  else
    return std::type_identity<
        error::wrong_number_of_strides<spec_of_name<ViewName>, R::spec, R::rank, strides>>{};
}

/// Memory at a pointer as a tensor is written: `view<Float32<"n 3">>(numbers, n)`. The sizes of the
/// run-time axes in order, then strides unless it is row-major: `view<R>(numbers, n, Strides(1,
/// n))`. From a pointer to what is not const a view that `assign` may write. Throws `ShapeError`.
template <TensorType R, class... A>
  requires LaysOut<R, A...>
constexpr auto view(typename R::value_type const* data, A... sizes_and_strides) {
  ViewLayout<R> const layout(sizes_and_strides...);
  return View<typename R::value_type, R::spec, typename R::device>(data, layout.sizes,
                                                                   layout.strides);
}
template <TensorType R, class... A>
  requires LaysOut<R, A...>
constexpr auto view(typename R::value_type* data, A... sizes_and_strides) {
  ViewLayout<R> const layout(sizes_and_strides...);
  return MutableView<typename R::value_type, R::spec, typename R::device>(data, layout.sizes,
                                                                          layout.strides);
}
template <TensorType R, class... A>
  requires(!LaysOut<R, A...>)
constexpr auto view(typename R::value_type const* data, A... sizes_and_strides) ->
    typename decltype(layout_mistake<R, A...>())::type;

}  // namespace tenon

// ---- tenon/expr/window.hpp

/// Windows that slide along an axis, and axes that turn. Windows are not copied.
namespace tenon {

struct WindowName {
  static constexpr std::string_view name = "window";
};
struct RollName {
  static constexpr std::string_view name = "roll";
};

/// Windows of `size` elements, `dilation` apart, of which every `stride`th is taken.
template <std::int64_t length_, std::int64_t stride_, std::int64_t dilation_>
struct WindowSteps {
  static_assert(length_ > 0 && stride_ > 0 && dilation_ > 0, "tenon::window: a number below one");
  static constexpr std::int64_t length = length_, stride = stride_, dilation = dilation_;
  static constexpr std::int64_t reach = (length - 1) * dilation + 1;
  static constexpr FixedText text = range_text(0, reach);

  static constexpr bool possible(Axis const& axis) {
    return reach <= (axis.is_static() ? axis.size : axis.upper);
  }
  /// How many there are along an axis.
  static constexpr Axis of(Axis const& axis) {
    if (stride == 1) return plus(axis, 1 - reach);
    AxisExtent const starts = extent_of(axis) + number_extent(stride - reach);
    return axis_of(quotient(starts, number_extent(stride)));
  }
};

template <Axes axes, class Slid, class E>
struct WindowRule {
  static constexpr int axis = Chosen<axes, E>::value.axis();
  static constexpr int rank = E::shape.rank;
  static constexpr Shape windows = with_axis(E::shape, axis, Slid::of(E::shape[axis]));
  static constexpr Shape shape = inserted(windows, rank, named_axis("window", Slid::length));
  static constexpr AxisMap order = [] {
    AxisMap map = same_order(rank);
    map[static_cast<std::size_t>(rank)] = static_cast<std::int8_t>(axis);
    return map;
  }();
  static constexpr bool by_one = Slid::dilation == 1 && axis == rank - 1;
};

/// Room for the new axis.
struct NoRoom {
  static constexpr FixedText text = "a tensor has at most eight axes";
};

template <Axes axes, class Slid, class E>
constexpr auto window_mistake() {
  using mistake = decltype(axes_mistake<WindowName, axes, 1, E>());
  if constexpr (!std::is_void_v<typename mistake::type>) return mistake{};
  else if constexpr (E::shape.rank == max_rank)
    return std::type_identity<error::pattern_does_not_fit<
        spec_of_name<WindowName>, spec_of_text<NoRoom>, spec_of_text<NamesOf<axes>>, spec_of<E>>>{};
  else {
    constexpr int axis = Chosen<axes, E>::value.axis();
    if constexpr (Slid::possible(E::shape[axis])) return std::type_identity<void>{};
    else
      return std::type_identity<error::range_is_outside<
          spec_of_name<WindowName>, spec_of_text<Slid>, spec_of_axis<E, axis>, spec_of<E>>>{};
  }
}
template <Axes axes, class Slid, Expression X>
using WindowMistake = typename decltype(window_mistake<axes, Slid, Held<X>>())::type;

/// The sizes of windows. Throws `IndexError` where none fits into the axis.
template <class Rule, class Slid>
constexpr Sizes window_sizes(Shape const& shape, Sizes const& from) {
  Sizes sizes = from;
  std::int64_t& along = at(sizes, Rule::axis);
  check_range(shape, Rule::axis, along, 0, Slid::reach, WindowName::name);
  along = (along - Slid::reach) / Slid::stride + 1;
  at(sizes, Rule::rank) = Slid::length;
  return sizes;
}

template <class Rule, class Slid, class X>
constexpr auto stepped_windows(X&& x, Sizes const& sizes) {
  SliceSteps steps{row_major(x.sizes(), Rule::rank)};
  std::int64_t& step = at(steps.along, Rule::axis);
  at(steps.along, Rule::rank) = step * Slid::dilation;
  step *= Slid::stride;
  steps.overlaps = Slid::length > 1 && Slid::stride < Slid::reach;
  return SteppedBy<Rule, Unqualified<X>>(keep_value(std::forward<X>(x)), sizes, steps);
}

/// Windows of `size` elements that slide along an axis, as a new last axis: "batch t" gives
/// "batch t-2 window=3" by `window<"t", 3>(x)`. Of the windows every `stride`th is taken, and their
/// elements lie `dilation` apart. Throws `IndexError` where none fits. PyTorch: `unfold`. NumPy:
/// `sliding_window_view`.
template <Axes axis, std::int64_t size, std::int64_t stride = 1, std::int64_t dilation = 1,
          Expression X>
  requires std::is_void_v<WindowMistake<axis, WindowSteps<size, stride, dilation>, X&&>>
constexpr auto window(X&& x) {
  using Slid = WindowSteps<size, stride, dilation>;
  using Rule = WindowRule<axis, Slid, Held<X&&>>;
  Sizes const sizes = window_sizes<Rule, Slid>(Unqualified<X>::shape, x.sizes());
  if constexpr (stride == 1 && dilation == 1) return moved<Rule>(std::forward<X>(x), sizes);
  else return stepped_windows<Rule, Slid>(std::forward<X>(x), sizes);
}
template <Axes axis, std::int64_t size, std::int64_t stride = 1, std::int64_t dilation = 1,
          Expression X, class R = WindowMistake<axis, WindowSteps<size, stride, dilation>, X&&>>
  requires(!std::is_void_v<R>)
auto window(X&& x) -> R;
template <Axes, std::int64_t..., Mistake X>
auto window(X const&) -> X;

template <Axes axes, Expression X>
using RollMistake = typename decltype(axes_mistake<RollName, axes, 1, Held<X>>())::type;

/// `x` turned by so many places along an axis: what leaves at the end comes in at the beginning. A
/// negative number turns backward. NumPy, PyTorch: `roll`.
template <Axes axis, Expression X>
  requires std::is_void_v<RollMistake<axis, X&&>>
constexpr TensorOf<X> roll(X&& x, std::int64_t places) {
  constexpr int along = Chosen<axis, Unqualified<X>>::value.axis();
  auto const whole = keep_value(std::forward<X>(x));
  std::int64_t const size = at(whole.sizes(), along);
  if (size == 0) return whole;
  std::int64_t const first = size - (places % size + size) % size;
  std::array<ElementIndex, 2> starts{};
  at(starts[1], along) = size - first;
  return assembled(TensorOf<X>::uninitialised(whole.sizes()), starts, 0,
                   slice<Axes(along)>(whole, first, size), slice<Axes(along)>(whole, 0, first));
}
template <Axes axis, Expression X, class R = RollMistake<axis, X&&>>
  requires(!std::is_void_v<R>)
auto roll(X&& x, std::int64_t places) -> R;
template <Axes, Mistake X>
auto roll(X const&, std::int64_t) -> X;

}  // namespace tenon

// ---- tenon/nn/axes.hpp

/// The axes of layers: each is a spec of one axis, as in `Linear<"embed=64", "hidden=256">`.
namespace tenon {

/// The one axis of a spec.
template <Spec S>
struct LayerAxis {
  static constexpr Axis axis = ShapeOf<canonical<S>>::shape[0];
  static_assert(ShapeOf<canonical<S>>::shape.rank == 1,
                "tenon::nn: a layer takes specs of one axis each, such as \"embed=64\"");
  static constexpr std::int64_t size = axis.size;
};

/// Axes in a row.
template <Spec... S>
struct AxesInOrder {
  static constexpr Shape shape = [] {
    Shape result{};
    ((result[result.rank++] = LayerAxis<S>::axis), ...);
    return result;
  }();
};

/// A tensor of a layer: one axis for each spec.
template <class T, class D, Spec... S>
using LayerTensor = Tensor<T, spec_of<AxesInOrder<S...>>, D>;

/// Whether the last axis of `X` is the axis of a layer.
template <class X, Spec S>
concept EndsWith = Expression<X> && Unqualified<X>::shape.rank > 0 &&
                   agree(Unqualified<X>::shape[Unqualified<X>::shape.rank - 1], LayerAxis<S>::axis);

/// Names what does not fit the axis of a layer, the last axis or the rank; `void` where all does.
/// `Layer` has a name.
template <class Layer, class X, Spec S, int least_rank>
constexpr auto layer_mistake() {
  using Own = AxesInOrder<S>;
  if constexpr (X::shape.rank < least_rank)
    return std::type_identity<
        error::shapes_do_not_align<spec_of_name<Layer>, spec_of<X>, spec_of<Own>>>{};
  else if constexpr (EndsWith<X, S>) return std::type_identity<void>{};
  else
    return std::type_identity<
        error::axes_do_not_fit<spec_of_name<Layer>, spec_of_axis<X, X::shape.rank - 1>,
                               spec_of_axis<Own, 0>, spec_of<X>, spec_of<Own>>>{};
}

template <class Layer, Expression X, Spec S, int least_rank = 1>
using LayerMistake = typename decltype(layer_mistake<Layer, Unqualified<X>, S, least_rank>())::type;

}  // namespace tenon

// ---- tenon/nn/linear.hpp

namespace tenon {

/// An affine map of the last axis: `Linear<"embed=64", "hidden=256">` takes "… embed=64" to
/// "… hidden=256". The result is open: `relu(linear(x))` is one kernel.
/// PyTorch: `nn.Linear` (whose weight is "out in").
template <Spec In, Spec Out, class T = float, class D = Cpu>
struct Linear {
  using Weight = LayerTensor<T, D, In, Out>;

  Weight weight;
  LayerTensor<T, D, Out> bias;

  template <Expression X, Sound Product = Matmul<X&&, Weight const&>>
  constexpr auto operator()(X&& x) const {
    return matmul(std::forward<X>(x), weight) + bias;
  }
  template <Expression X, Mistaken R = Matmul<X&&, Weight const&>>
  auto operator()(X&& x) const -> R;
  template <Mistake X>
  auto operator()(X const&) const -> X;

  template <class Start>
  Linear initialised(Start& start) const {
    return {start(weight), start.zeros(bias)};
  }
};

}  // namespace tenon

// ---- tenon/nn/attention.hpp

namespace tenon {

/// The rows of a layer with their features in heads: "batch key head=4 feature=16".
template <Spec SetPosition, std::int64_t heads, std::int64_t features>
struct RowsInHeads {
  static constexpr Shape shape = [] {
    Shape result{};
    result[result.rank++] = named_axis("batch");
    result[result.rank++] = named_axis(SetPosition);
    result[result.rank++] = named_axis("head", heads);
    result[result.rank++] = named_axis("feature", features);
    return result;
  }();
};

/// "… t embed" with its last axis in heads, all leading axes one. Nothing is copied.
template <TensorType Heads, Expression X>
Heads in_heads(X const& x) {
  Sizes const from = x.sizes();
  Sizes to = static_sizes(Heads::shape);
  at(to, 1) = at(from, X::shape.rank - 2);
  at(to, 0) = count(from, X::shape.rank - 2);
  return reshaped<Heads>(evaluate(x), to);
}

/// Which keys a query may see, "query key": those at its own position and before it.
template <class D = Cpu>
auto causal_mask(std::int64_t length) {
  auto const query = iota<Int32<"query 1", D>>(length);
  auto const key = iota<Int32<"key", D>>(length);
  return key <= query;
}

/// Every position gathers from the values at itself and before it, by how well its query and their
/// keys match, softmax(q kᵀ / sqrt(feature)) v: "batch query head feature" and twice "batch key
/// head feature" give "batch query head feature". PyTorch:
/// `scaled_dot_product_attention(is_causal=True)`.
template <TensorType Q, TensorType K>
auto causal_attention(Q const& q, K const& k, K const& v) {
  using T = typename Q::value_type;
  T const scale = T(1) / std::sqrt(static_cast<T>(at(q.sizes(), 3)));
  auto const scores = eval(
      einsum<"batch query head feature, batch key head feature -> batch head query key">(q, k));
  auto const seen = causal_mask<typename Q::device>(at(q.sizes(), 1));
  auto const weights =
      eval(softmax<"key">(where(seen, scores * scale, -std::numeric_limits<T>::infinity())));
  return eval(einsum<"batch head query key, batch key head feature -> batch query head feature">(
      weights, v));
}

/// Attention in several heads, "… t embed=64" to the same. A position sees itself and those before
/// it; the length is that of the call. The result is open, so that a residual joins its last
/// kernel. A. Vaswani et al., "Attention is all you need", 2017.
/// PyTorch: `nn.MultiheadAttention(batch_first=True)` with `is_causal`.
template <Spec Embed, int heads, class T = float, class D = Cpu>
struct MultiHeadAttention {
  static constexpr std::string_view name = "MultiHeadAttention";
  static constexpr std::int64_t width = LayerAxis<Embed>::size;
  static_assert(heads > 0 && width > 0 && width % heads == 0,
                "tenon::MultiHeadAttention: the embedding must be a multiple of the heads");
  template <Spec SetPosition>
  using Heads = Tensor<T, spec_of<RowsInHeads<SetPosition, heads, width / heads>>, D>;

  Linear<Embed, Embed, T, D> query;
  Linear<Embed, Embed, T, D> key;
  Linear<Embed, Embed, T, D> value;
  Linear<Embed, Embed, T, D> output;

  template <Expression X>
    requires(EndsWith<X, Embed> && X::shape.rank > 1)
  auto operator()(X const& x) const {
    TensorOf<X> const rows = x;
    auto const gathered =
        causal_attention(in_heads<Heads<"query">>(query(rows)), in_heads<Heads<"key">>(key(rows)),
                         in_heads<Heads<"key">>(value(rows)));
    return output(reshaped<TensorOf<X>>(gathered, rows.sizes()));
  }
  template <Expression X, class R = LayerMistake<MultiHeadAttention, X, Embed, 2>>
    requires(!std::is_void_v<R>)
  auto operator()(X const& x) const -> R;
  template <Mistake X>
  auto operator()(X const&) const -> X;

  template <class Start>
  MultiHeadAttention initialised(Start& start) const {
    return {start(query), start(key), start(value), start.residual(output)};
  }
};

}  // namespace tenon

// ---- tenon/nn/sizes_of.hpp

namespace tenon {

/// make(n, m, …) with the run-time sizes of `x` in order, as the makers of tensors take them:
/// `with_sizes_of(x, [](auto... n) { return zeros<R>(n...); })`.
template <Expression X, class Make>
constexpr auto with_sizes_of(X const& x, Make const& make) {
  constexpr std::size_t number = static_cast<std::size_t>(dynamic_axes(X::shape));
  std::array<std::int64_t, number> run_time{};
  Sizes const sizes = x.sizes();
  std::size_t known = 0;
  for (int i = 0; i < X::shape.rank; ++i) {
    if (!X::shape[i].is_static()) run_time[known++] = at(sizes, i);
  }
  return std::apply(make, run_time);
}

}  // namespace tenon

// ---- tenon/op/draw.hpp

/// What random words become, element by element: lanes and scalars give the same values.
namespace tenon::op {

/// A number in [0, 1) with as many digits as `T` has after the point, from one or two words.
template <class T>
struct UniformDraw {
  static constexpr std::string_view name = "uniform";
  static constexpr int digits = std::same_as<T, bfloat16> ? 8 : std::same_as<T, float16> ? 11 : 24;

  template <class V>
  static constexpr auto f(V word) {
    if constexpr (digits == 24) {
      return uniform_float(word);
    } else {
      auto const top = convert<float>(word >> (32 - digits));
      using F = std::remove_const_t<decltype(top)>;
      return convert<T>(top * F(1.0f / static_cast<float>(1 << digits)));
    }
  }
  template <class V>
  static constexpr auto f(V high, V low) {
    return uniform_double(high, low);
  }
};

/// [0, 1) stretched to [low, high); what rounding makes `high` becomes `low`.
struct StretchedDraw {
  static constexpr std::string_view name = "uniform";
  template <class V>
  static constexpr V f(V u, V low, V high) {
    V const y = fma(u, high - low, low);
    return select(y < high, y, low);
  }
};

/// A number below `range`, from a word; the chances differ by less than range / 2^32.
struct IntegerDraw {
  static constexpr std::string_view name = "uniform";
  template <class V>
  static constexpr V f(V word, V range) {
    return multiply_high(word, range);
  }
};

/// Two numbers in [0, 1) make one of the normal distribution. G. Box, M. Muller, "A note on the
/// generation of random normal deviates", 1958.
struct NormalDraw {
  static constexpr std::string_view name = "normal";
  template <FloatingValue V>
  static constexpr V f(V u, V turn) {
    using T = scalar_of<V>;
    V const radius = sqrt(V(T(-2)) * Log::f(V(T(1)) - u));
    return radius * Cos::f(turn * V(T(6.28318530717958647692)));
  }
};

/// A normal deviate of another mean and spread.
struct SpreadDraw {
  static constexpr std::string_view name = "normal";
  template <class V>
  static constexpr V f(V z, V mean, V deviation) {
    return fma(z, deviation, mean);
  }
};

}  // namespace tenon::op

// ---- tenon/random/words.hpp

namespace tenon {

/// Random words with the axes of `R`; streams of one key are independent of each other.
template <TensorType R>
auto random_words(Key const& key, std::uint32_t stream, Sizes const& sizes) {
  auto words = Tensor<std::uint32_t, R::spec, typename R::device>::uninitialised(sizes);
  draw_words(typename R::device{}, key.words(), stream, words.mutable_data(), words.size());
  return words;
}

/// Numbers in [0, 1) with the axes of `R`. `double` takes the streams `stream` and `stream + 1`.
template <TensorType R>
R unit_draw(Key const& key, std::uint32_t stream, Sizes const& sizes) {
  using T = typename R::value_type;
  auto const words = random_words<R>(key, stream, sizes);
  if constexpr (std::same_as<T, double>)
    return R(map<op::UniformDraw<T>>(words, random_words<R>(key, stream + 1, sizes)));
  else return R(map<op::UniformDraw<T>>(words));
}

}  // namespace tenon

// ---- tenon/random/uniform.hpp

/// Random tensors: `uniform<Float32<"n m">>(key, n, m)`. After the key come the parameters of the
/// distribution, if any, then the sizes of the run-time axes in order, as for `full`. Element i
/// depends on the key and i alone: not on the device, the threads or the number of elements.
namespace tenon {

struct RandomBitsName {
  static constexpr std::string_view name = "random_bits";
};
struct UniformName {
  static constexpr std::string_view name = "uniform";
};
struct BernoulliName {
  static constexpr std::string_view name = "bernoulli";
};

/// All sizes of an `R` from those of its run-time axes.
template <TensorType R, class... I>
constexpr Sizes given_sizes(I... sizes) {
  return R::with_run_time_sizes({static_cast<std::int64_t>(sizes)...});
}

template <class V>
concept DrawParameter = std::is_arithmetic_v<V>;

/// What is random has numbers of this kind.
template <class R>
concept FloatingTensor = TensorType<R> && FloatType<typename R::value_type>;
template <class R>
concept IntegerTensor = TensorType<R> && IntegerType<typename R::value_type>;

/// The words of the stream, 32 random bits each. JAX: `bits`.
template <TensorType R, class... I>
  requires TakesSizes<R, I...> && std::same_as<typename R::value_type, std::uint32_t>
R random_bits(Key const& key, I... sizes) {
  return random_words<R>(key, 0, given_sizes<R>(sizes...));
}
template <TensorType R, class... I>
  requires(!TakesSizes<R, I...>)
auto random_bits(Key const& key, I... sizes) -> SizesMistake<RandomBitsName, R, I...>;

/// Uniform in [0, 1). JAX: `uniform`.
template <FloatingTensor R, class... I>
  requires TakesSizes<R, I...>
R uniform(Key const& key, I... sizes) {
  return unit_draw<R>(key, 0, given_sizes<R>(sizes...));
}

/// Uniform in [low, high). JAX: `uniform`.
template <FloatingTensor R, DrawParameter L, DrawParameter H, class... I>
  requires TakesSizes<R, I...> && (!HalfType<typename R::value_type>)
R uniform(Key const& key, L low, H high, I... sizes) {
  using T = typename R::value_type;
  R const unit = uniform<R>(key, sizes...);
  return R(map<op::StretchedDraw>(unit, static_cast<T>(low), static_cast<T>(high)));
}

/// Throws `ValueError` unless [low, high) has an element and fewer than 2^32.
constexpr std::uint32_t integer_range(std::int64_t low, std::int64_t high) {
  auto const range = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  if (low >= high || range >> 32 != 0) {
    std::string const got = "[" + std::to_string(low) + ", " + std::to_string(high) + ")";
    fail<ValueError>({"uniform", {}, "1 to 2^32 - 1 integers", got, {}});
  }
  return static_cast<std::uint32_t>(range);
}

/// Integers, uniform in [low, high). Throws `ValueError` where that is empty. JAX: `randint`.
template <IntegerTensor R, std::integral L, std::integral H, class... I>
  requires TakesSizes<R, I...>
R uniform(Key const& key, L low, H high, I... sizes) {
  using T = typename R::value_type;
  auto const first = static_cast<std::int64_t>(low);
  std::uint32_t const range = integer_range(first, static_cast<std::int64_t>(high));
  auto const words = random_words<R>(key, 0, given_sizes<R>(sizes...));
  return R(to<T>(to<std::int64_t>(map<op::IntegerDraw>(words, range)) + first));
}

template <TensorType R, class... P>
  requires(!TakesSizes<R, P...> && dynamic_axes(R::shape) + 2 != sizeof...(P))
auto uniform(Key const& key, P... parameters) -> SizesMistake<UniformName, R, P...>;

/// True with probability `p`. JAX: `bernoulli`.
template <TensorType R, DrawParameter P, class... I>
  requires TakesSizes<R, I...> && BoolType<typename R::value_type>
R bernoulli(Key const& key, P p, I... sizes) {
  using Unit = Tensor<float, R::spec, typename R::device>;
  return R(uniform<Unit>(key, sizes...) < static_cast<float>(p));
}
template <TensorType R, DrawParameter P, class... I>
  requires(!TakesSizes<R, I...>)
auto bernoulli(Key const& key, P p, I... sizes) -> SizesMistake<BernoulliName, R, I...>;

}  // namespace tenon

// ---- tenon/nn/dropout.hpp

namespace tenon {

/// Sets elements to zero at random and scales the others so that the mean stays. With a key it is
/// training, without one it does nothing: there is no mode to forget. The result is open. Throws
/// `ValueError` unless the rate is from 0 to 1. N. Srivastava et al., 2014. PyTorch: `nn.Dropout`.
struct Dropout {
  float rate = 0.1f;  ///< The share of elements that become zero.

  /// Without a key: `x` as it is.
  template <Expression X>
  constexpr Held<X&&> operator()(X&& x) const {
    return hold(std::forward<X>(x));
  }
  template <Mistake X>
  auto operator()(X const&, std::same_as<Key> auto const&...) const -> X;

  template <Expression X>
    requires FloatType<typename Unqualified<X>::value_type>
  auto operator()(X&& x, Key const& key) const {
    using E = Unqualified<X>;
    using Kept = Tensor<bool, spec_of<E>, typename E::device>;
    if (!(rate >= 0.0f && rate <= 1.0f))
      fail<ValueError>({"Dropout", "rate", "a number from 0 to 1", std::to_string(rate), {}});
    float const share = 1.0f - rate;
    auto const kept =
        with_sizes_of(x, [&](auto... sizes) { return bernoulli<Kept>(key, share, sizes...); });
    return where(kept, std::forward<X>(x) * (rate < 1.0f ? 1.0f / share : 0.0f), 0.0f);
  }
};

}  // namespace tenon

// ---- tenon/nn/embedding.hpp

namespace tenon {

/// A learned row for every word of a vocabulary: `Embedding<"vocab=97", "embed=64">` takes integers
/// "batch t" to "batch t embed=64". The result is open. Throws `IndexError` for an id outside.
/// PyTorch: `nn.Embedding`.
template <Spec Vocabulary, Spec Embed, class T = float, class D = Cpu>
struct Embedding {
  using Weight = LayerTensor<T, D, Vocabulary, Embed>;

  Weight weight;

  template <Expression Ids, Sound R = Taken<0, Weight const&, Ids&&>>
  constexpr auto operator()(Ids&& ids) const -> R {
    return take<0>(weight, std::forward<Ids>(ids));
  }
  template <Expression Ids, Mistaken R = Taken<0, Weight const&, Ids&&>>
  auto operator()(Ids&& ids) const -> R;
  template <Mistake Ids>
  auto operator()(Ids const&) const -> Ids;
};

}  // namespace tenon

// ---- tenon/nn/feed_forward.hpp

namespace tenon {

/// Two linear maps with gelu between them, at every position: "… embed=64" to the same, through
/// "… hidden=256". The result is open, so that a residual joins its last kernel.
/// PyTorch: `Sequential(Linear, GELU, Linear)`.
template <Spec Embed, Spec Hidden, class T = float, class D = Cpu>
struct FeedForward {
  static constexpr std::string_view name = "FeedForward";

  Linear<Embed, Hidden, T, D> up;
  Linear<Hidden, Embed, T, D> down;

  template <Expression X>
    requires EndsWith<X, Embed>
  constexpr auto operator()(X&& x) const {
    return down(gelu(up(std::forward<X>(x))));
  }
  template <Expression X, class R = LayerMistake<FeedForward, X, Embed>>
    requires(!std::is_void_v<R>)
  auto operator()(X&& x) const -> R;
  template <Mistake X>
  auto operator()(X const&) const -> X;

  template <class Start>
  FeedForward initialised(Start& start) const {
    return {start(up), start.residual(down)};
  }
};

}  // namespace tenon

// ---- tenon/random/normal.hpp

namespace tenon {

struct NormalName {
  static constexpr std::string_view name = "normal";
};

template <class R>
concept NormalTensor = FloatingTensor<R> && !HalfType<typename R::value_type>;

/// The normal distribution of mean 0 and deviation 1, by Box and Muller. JAX: `normal`.
template <NormalTensor R, class... I>
  requires TakesSizes<R, I...>
R normal(Key const& key, I... sizes) {
  Sizes const all = given_sizes<R>(sizes...);
  return R(map<op::NormalDraw>(unit_draw<R>(key, 0, all), unit_draw<R>(key, 2, all)));
}

/// The normal distribution of a mean and a deviation: `normal<Float32<"n">>(key, 0, 0.02, n)`.
template <NormalTensor R, DrawParameter M, DrawParameter D, class... I>
  requires TakesSizes<R, I...>
R normal(Key const& key, M mean, D deviation, I... sizes) {
  using T = typename R::value_type;
  R const unit = normal<R>(key, sizes...);
  return R(map<op::SpreadDraw>(unit, static_cast<T>(mean), static_cast<T>(deviation)));
}

template <TensorType R, class... P>
  requires(!TakesSizes<R, P...> && dynamic_axes(R::shape) + 2 != sizeof...(P))
auto normal(Key const& key, P... parameters) -> SizesMistake<NormalName, R, P...>;

}  // namespace tenon

// ---- tenon/nn/init.hpp

/// How models start. Every learned tensor is drawn from a normal distribution, each with a key of
/// its own, unless its layer says otherwise: a layer with the member `template <class Start> Layer
/// initialised(Start& start) const` is asked. For what is in a layer `start` offers: `start(part)`,
/// as this rule has it; `start.residual(part)` for what is added to a residual stream;
/// `start.zeros(tensor)` and `start.ones(tensor)`.
namespace tenon::init {

/// A tensor of the type and the sizes of another.
template <TensorType R>
R filled(R const& like, double value) {
  using T = typename R::value_type;
  return with_sizes_of(like, [&](auto... sizes) {
    return full<R>(static_cast<T>(static_cast<float>(value)), sizes...);
  });
}

/// The same, normal with mean 0; 16-bit numbers are drawn as `float`.
template <TensorType R>
R drawn(R const& like, Key const& key, double deviation) {
  using T = typename R::value_type;
  static_assert(FloatType<T>, "tenon::init: complex tensors are not drawn; set them yourself");
  using Wide = Tensor<std::conditional_t<HalfType<T>, float, T>, R::spec, typename R::device>;
  Wide const wide = with_sizes_of(
      like, [&](auto... sizes) { return tenon::normal<Wide>(key, 0, deviation, sizes...); });
  if constexpr (HalfType<T>) return to<T>(wide);
  else return wide;
}

class Start;

/// A layer that says how it starts.
template <class Layer>
concept SaysHowToStart = requires(Layer const& layer, Start& start) {
  { layer.initialised(start) } -> std::same_as<Layer>;
};

/// A walk that stops at learned tensors and at layers that say how they start.
struct LayersThatStart {
  template <class T>
  static constexpr bool visits = tree::is_differentiable<T>::value || SaysHowToStart<T>;
  static constexpr bool opens_frozen = false;
};

/// Goes through a model and fills it.
class Start {
 public:
  Start(Key const& key, double deviation, double residual_scale = 1)
      : key_(key), deviation_(deviation), residual_scale_(residual_scale) {}

  /// Any part of a model, filled as it says itself, or else drawn.
  template <class Tree>
  Tree operator()(Tree const& part) {
    return tree::map<LayersThatStart>(
        [this](auto const& found) { return this->filled_part(found); }, part);
  }

  /// A part whose result is added to what came in: its deviation is scaled down.
  template <class Tree>
  Tree residual(Tree const& part) {
    double const whole = std::exchange(deviation_, deviation_ * residual_scale_);
    Tree result = (*this)(part);
    deviation_ = whole;
    return result;
  }

  template <TensorType R>
  static R zeros(R const& tensor) {
    return filled(tensor, 0);
  }
  template <TensorType R>
  static R ones(R const& tensor) {
    return filled(tensor, 1);
  }

 private:
  template <class Part>
  Part filled_part(Part const& part) {
    if constexpr (SaysHowToStart<Part>) return part.initialised(*this);
    else return drawn(part, fold_in(key_, leaves_++), deviation_);
  }

  Key key_;
  double deviation_;
  double residual_scale_;
  std::int64_t leaves_ = 0;
};

/// A model whose learned tensors are normal with mean 0, except where a layer says otherwise
/// (biases are zero, gammas one). Tensors with run-time axes need a model to take their sizes from.
template <class Model>
Model normal(Key const& key, double deviation, Model const& like = Model()) {
  return Start(key, deviation)(like);
}

/// A model whose learned tensors are all zero: a place to sum gradients in.
template <class Model>
Model zeros(Model const& like = Model()) {
  return tree::map([](auto const& leaf) { return filled(leaf, 0); }, like);
}

/// GPT-2's rule: normal with deviation 0.02, what ends in one of the 2·layers residual sums scaled
/// by 1 / sqrt(2·layers). A. Radford et al., "Language models are unsupervised multitask learners",
/// 2019, and its code.
template <class Model>
Model gpt2(Key const& key, std::int64_t layers, Model const& like = Model()) {
  double const sums = 2.0 * static_cast<double>(layers < 1 ? 1 : layers);
  return Start(key, 0.02, 1 / std::sqrt(sums))(like);
}

}  // namespace tenon::init

// ---- tenon/nn/layer_norm.hpp

namespace tenon {

/// Ones where the compiler knows the sizes; a tensor with run-time axes is empty until it is set.
template <TensorType R>
constexpr R ones_if_static() {
  if constexpr (R::shape.is_static()) return ones<R>();
  else return R();
}

/// Shifts and scales every row along the last axis to mean 0 and variance 1, then by what it
/// learned: "… embed=64" to the same, one kernel. J. L. Ba et al., "Layer normalization", 2016.
/// PyTorch: `nn.LayerNorm`.
template <Spec Embed, class T = float, class D = Cpu>
struct LayerNorm {
  static constexpr std::string_view name = "LayerNorm";
  using Row = LayerTensor<T, D, Embed>;

  Row gamma = ones_if_static<Row>();
  Row beta;
  T epsilon = T(1e-5);  ///< Added to the variance.

  template <Expression X>
    requires EndsWith<X, Embed>
  constexpr TensorOf<X> operator()(X const& x) const {
    auto const centred = x - mean<-1>(x, keep);
    return centred * rsqrt(mean<-1>(square(centred), keep) + epsilon) * gamma + beta;
  }
  template <Expression X, class R = LayerMistake<LayerNorm, X, Embed>>
    requires(!std::is_void_v<R>)
  auto operator()(X const& x) const -> R;
  template <Mistake X>
  auto operator()(X const&) const -> X;

  template <class Start>
  LayerNorm initialised(Start& start) const {
    return {start.ones(gamma), start.zeros(beta), epsilon};
  }
};

}  // namespace tenon

// ---- tenon/nn/losses.hpp

/// Losses. Their arguments have equal shapes: nothing is broadcast. The result is the mean of all
/// positions, a scalar tensor; `mse<op::sum>(a, b)` is their sum, `op::none` leaves them as they
/// are.
namespace tenon {

template <class R>
concept LossReduction =
    std::same_as<R, op::mean> || std::same_as<R, op::sum> || std::same_as<R, op::none>;

/// The losses of all positions as their reduction asks for.
template <LossReduction R, Expression X>
auto reduced_loss(X const& loss) {
  if constexpr (std::same_as<R, op::mean>) return eval(mean(loss));
  else if constexpr (std::same_as<R, op::sum>) return eval(sum(loss));
  else return eval(loss);
}

/// Names the first axis that differs of two shapes that should be equal; what is shown are the
/// shapes of `A` and `B`.
template <class Name, class Expected, class A, class B>
constexpr auto equal_shapes_mistake() {
  constexpr int axis = first_disagreement(Expected::shape, B::shape);
  if constexpr (axis < 0)
    return std::type_identity<
        error::shapes_do_not_align<spec_of_name<Name>, spec_of<A>, spec_of<B>>>{};
  else
    return std::type_identity<
        error::axes_do_not_fit<spec_of_name<Name>, spec_of_axis<Expected, axis>,
                               spec_of_axis<B, axis>, spec_of<A>, spec_of<B>>>{};
}

/// Sizes that only run time knows are equal as well: throws `ShapeError`.
inline void check_equal_sizes(std::string_view loss, Shape const& shape, Sizes const& expected,
                              Sizes const& got) {
  for (int i = 0; i < shape.rank; ++i) {
    if (at(expected, i) != at(got, i)) sizes_differ(loss, shape, i, at(expected, i), at(got, i));
  }
}

struct CrossEntropyName {
  static constexpr std::string_view name = "cross_entropy";
};
struct SquaredErrorName {
  static constexpr std::string_view name = "mse";
};

/// The axes of logits that its labels have.
template <Axes classes, class X>
struct LabelAxes {
  static constexpr Shape shape = removed(X::shape, Chosen<classes, X>::value.axis());
};

/// `void`, or what is wrong with logits and labels.
template <Axes classes, class X, class L>
constexpr auto cross_entropy_mistake() {
  using Name = CrossEntropyName;
  if constexpr (!DevicesMeet<X, L>) return device_mistake<Name, X, L>();
  else if constexpr (!FloatType<typename X::value_type>) return dtype_mistake<Name, X>();
  else if constexpr (!IntegerType<typename L::value_type>) return dtype_mistake<Name, L>();
  else if constexpr (!Chosen<classes, X>::ok || Chosen<classes, X>::value.count != 1)
    return std::type_identity<ChoiceMistake<Name, classes, X>>{};
  else if constexpr (!assignable(LabelAxes<classes, X>::shape, L::shape))
    return equal_shapes_mistake<Name, LabelAxes<classes, X>, X, L>();
  else return std::type_identity<void>{};
}
template <Axes classes, Expression X, Expression L>
using CrossEntropyMistake =
    typename decltype(cross_entropy_mistake<classes, Unqualified<X>, Unqualified<L>>())::type;

/// -log of what softmax along the axis `classes` gives the label: logits "batch digit=10" and
/// integers "batch". Exact where logits are large, and where they lie far from zero together.
/// Throws `IndexError` for a label outside. PyTorch: `cross_entropy`.
template <Axes classes, LossReduction R = op::mean, Expression X, Expression L>
  requires std::is_void_v<CrossEntropyMistake<classes, X, L>>
auto cross_entropy(X const& logits, L const& labels) {
  using Labels = LabelAxes<classes, X>;
  TensorOf<X> const x = logits;
  TensorOf<L> const y = labels;
  check_equal_sizes(CrossEntropyName::name, Labels::shape, sum<classes>(x).sizes(), y.sizes());
  auto const above = log(sum<classes>(exp(x - shift_of<classes>(x, keep))));
  return reduced_loss<R>(above - (pick<classes>(x, y) - shift_of<classes>(x)));
}
template <Axes classes, LossReduction R = op::mean, Expression X, Expression L,
          class M = CrossEntropyMistake<classes, X, L>>
  requires(!std::is_void_v<M>)
auto cross_entropy(X const& logits, L const& labels) -> M;
template <Axes, LossReduction = op::mean, class... X>
auto cross_entropy(X const&...) -> FirstMistake<X...>;

/// `void`, or what is wrong with the two arguments of a squared error.
template <class A, class B>
constexpr auto squared_error_mistake() {
  using Name = SquaredErrorName;
  using T = typename A::value_type;
  if constexpr (!DevicesMeet<A, B>) return device_mistake<Name, A, B>();
  else if constexpr (!std::same_as<T, typename B::value_type>) return dtype_mistake<Name, A, B>();
  else if constexpr (!FloatType<T>) return dtype_mistake<Name, A>();
  else if constexpr (!assignable(A::shape, B::shape)) return equal_shapes_mistake<Name, A, A, B>();
  else return std::type_identity<void>{};
}
template <Expression A, Expression B>
using SquaredErrorMistake =
    typename decltype(squared_error_mistake<Unqualified<A>, Unqualified<B>>())::type;

/// The mean of (a - b)². PyTorch: `mse_loss`.
template <LossReduction R = op::mean, Expression A, Expression B>
  requires std::is_void_v<SquaredErrorMistake<A, B>>
auto mse(A const& a, B const& b) {
  check_equal_sizes(SquaredErrorName::name, A::shape, a.sizes(), b.sizes());
  return reduced_loss<R>(square(a - b));
}
template <LossReduction R = op::mean, Expression A, Expression B,
          class M = SquaredErrorMistake<A, B>>
  requires(!std::is_void_v<M>)
auto mse(A const& a, B const& b) -> M;
template <LossReduction = op::mean, class... X>
auto mse(X const&...) -> FirstMistake<X...>;

}  // namespace tenon

// ---- tenon/nn/transformer_block.hpp

namespace tenon {

/// Attention, then a feed-forward layer, each after a normalisation and added to what came in:
/// "… t embed=64" to the same. GPT-2's block: A. Radford et al., 2019.
/// PyTorch: `nn.TransformerEncoderLayer(norm_first=True, batch_first=True)`.
template <Spec Embed, int heads, Spec Hidden, class T = float, class D = Cpu>
struct TransformerBlock {
  static constexpr std::string_view name = "TransformerBlock";

  LayerNorm<Embed, T, D> attention_norm;
  MultiHeadAttention<Embed, heads, T, D> attention;
  LayerNorm<Embed, T, D> feed_forward_norm;
  FeedForward<Embed, Hidden, T, D> feed_forward;
  Dropout dropout;

  template <Expression X>
    requires(EndsWith<X, Embed> && X::shape.rank > 1)
  TensorOf<X> operator()(X const& x) const {
    TensorOf<X> const before = x;
    TensorOf<X> const between = before + attention(attention_norm(before));
    return between + feed_forward(feed_forward_norm(between));
  }
  /// With a key: training with dropout before each sum.
  template <Expression X>
    requires(EndsWith<X, Embed> && X::shape.rank > 1)
  TensorOf<X> operator()(X const& x, Key const& dropout_key) const {
    auto const [first, second] = split(dropout_key);
    TensorOf<X> const before = x;
    TensorOf<X> const between = before + dropout(attention(attention_norm(before)), first);
    return between + dropout(feed_forward(feed_forward_norm(between)), second);
  }
  template <Expression X, class R = LayerMistake<TransformerBlock, X, Embed, 2>>
    requires(!std::is_void_v<R>)
  auto operator()(X const& x, std::same_as<Key> auto const&...) const -> R;
  template <Mistake X>
  auto operator()(X const&, std::same_as<Key> auto const&...) const -> X;
};

}  // namespace tenon

// ---- tenon/nn/nn.hpp

/// Layers, their initialisation, and losses.

// ---- tenon/optim/leaves.hpp

namespace tenon::optim {

/// The elements of a leaf in a row. An update does not care for axes, so that one kernel serves all
/// leaves of a dtype.
template <TensorType Leaf>
using Row = Tensor<typename Leaf::value_type, "n", typename Leaf::device>;

template <TensorType Leaf>
Row<Leaf> row_of(Leaf const& leaf) {
  Sizes sizes = ones();
  sizes[0] = leaf.size();
  return reshaped<Row<Leaf>>(leaf, sizes);
}

/// Gives a leaf new elements: the value of a recipe over its row and rows as long.
template <TensorType Leaf, Expression Recipe>
void set_row(Leaf& leaf, Recipe const& recipe) {
  leaf = reshaped<Leaf>(Row<Leaf>(recipe), leaf.sizes());
}

template <class Leaf>
void check_leaf() {
  static_assert(std::floating_point<typename Leaf::value_type>,
                "tenon::optim: a leaf is neither float32 nor float64; hold it in Frozen<>");
}

/// A tree like `tree` with zeros in the place of what is learned.
template <class Tree>
Tree zeros_of(Tree const& tree) {
  return tree::map(
      []<class Leaf>(Leaf const& leaf) {
        check_leaf<Leaf>();
        Leaf zeros = Leaf::uninitialised(leaf.sizes());
        std::fill_n(zeros.mutable_data(), zeros.size(), typename Leaf::value_type(0));
        return zeros;
      },
      tree);
}

/// Does weight decay pull at a leaf? As in GPT-2: at matrices and all of higher rank, embeddings
/// among them; not at biases, nor at the scales of normalisations.
template <TensorType Leaf>
inline constexpr bool is_decayed = Leaf::rank >= 2;

}  // namespace tenon::optim

// ---- tenon/optim/adamw.hpp

namespace tenon {

/// What AdamW remembers between steps: a plain tree.
template <class Tree>
struct AdamWState {
  Tree mean;         ///< Running mean of the gradients.
  Tree mean_square;  ///< Running mean of their squares.
  std::int64_t steps = 0;
};

/// Adam with decoupled weight decay (Loshchilov and Hutter, arXiv:1711.05101). Weight decay pulls
/// at matrices and all of higher rank, not at vectors. PyTorch: `torch.optim.AdamW(lr, betas, eps,
/// weight_decay)`, with the same defaults.
struct AdamW {
  double rate = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  double weight_decay = 1e-2;

  template <class Tree>
  AdamWState<Tree> init(Tree const& model) const {
    return {optim::zeros_of(model), optim::zeros_of(model)};
  }

  /// The model and the state after one step. A pure function: what is handed in by name stays as it
  /// is. Throws `ShapeError` where the sizes of model and gradients differ.
  template <class Tree>
  std::pair<Tree, AdamWState<Tree>> step(Tree model, Tree const& gradients,
                                         AdamWState<Tree> state) const {
    return step(std::move(model), gradients, std::move(state), rate);
  }

  /// The same at another rate, as a schedule says.
  template <class Tree>
  std::pair<Tree, AdamWState<Tree>> step(Tree model, Tree const& gradients, AdamWState<Tree> state,
                                         double rate_now) const {
    ++state.steps;
    Scales const scales = scales_at(state.steps, rate_now);
    tree::zip([&](auto& parameter, auto const& gradient, auto& mean,
                  auto& mean_square) { update(scales, parameter, gradient, mean, mean_square); },
              model, gradients, state.mean, state.mean_square);
    return {std::move(model), std::move(state)};
  }

 private:
  /// The numbers that a step needs, the same for every element.
  struct Scales {
    double decayed;  ///< 1 - rate weight_decay
    double step;     ///< rate / (1 - beta1^t)
    double root;     ///< 1 / sqrt(1 - beta2^t)
  };

  Scales scales_at(std::int64_t steps, double rate_now) const {
    auto const t = static_cast<double>(steps);
    return {1 - rate_now * weight_decay, rate_now / (1 - std::pow(beta1, t)),
            1 / std::sqrt(1 - std::pow(beta2, t))};
  }

  template <TensorType Leaf>
  void update(Scales const& scales, Leaf& parameter, Leaf const& gradient, Leaf& mean,
              Leaf& mean_square) const {
    using optim::row_of;
    double const kept = optim::is_decayed<Leaf> ? scales.decayed : 1.0;
    auto const g = row_of(gradient);
    optim::set_row(mean, beta1 * row_of(mean) + (1 - beta1) * g);
    optim::set_row(mean_square, beta2 * row_of(mean_square) + (1 - beta2) * square(g));
    optim::set_row(parameter, kept * row_of(parameter) -
                                  scales.step * row_of(mean) /
                                      (scales.root * sqrt(row_of(mean_square)) + epsilon));
  }
};

}  // namespace tenon

// ---- tenon/optim/clip.hpp

namespace tenon {

/// The length of all that is learned in a tree, as one vector: the root of the sum of the squares.
template <class Tree>
double global_norm(Tree const& tree) {
  double const squares = tree::fold(
      []<class Leaf>(double before, Leaf const& leaf) {
        optim::check_leaf<Leaf>();
        return before + static_cast<double>(eval(sum(square(optim::row_of(leaf)))).item());
      },
      0.0, tree);
  return std::sqrt(squares);
}

/// The same gradients, scaled down to a global norm of `limit` where theirs is larger. Gradients
/// that are not finite stay so. PyTorch: `torch.nn.utils.clip_grad_norm_`.
template <class Tree>
Tree clip_by_global_norm(Tree gradients, double limit) {
  double const norm = global_norm(gradients);
  if (!(norm > limit)) return gradients;
  tree::for_each(
      [&](auto& gradient) { optim::set_row(gradient, optim::row_of(gradient) * (limit / norm)); },
      gradients);
  return gradients;
}

}  // namespace tenon

// ---- tenon/optim/schedule.hpp

#include <numbers>

namespace tenon {

/// A rate that rises in a line over `warmup` steps to `peak` and falls along half a cosine to
/// `floor`, which it has from step `steps` on. Steps count from 0; the first has a rate already.
/// PyTorch: `LinearLR` and `CosineAnnealingLR` one after the other.
struct WarmupCosine {
  double peak = 1e-3;
  std::int64_t warmup = 0;
  std::int64_t steps = 1;
  double floor = 0;

  double operator()(std::int64_t step) const {
    if (step < warmup) return peak * static_cast<double>(step + 1) / static_cast<double>(warmup);
    auto const length = static_cast<double>(std::max<std::int64_t>(steps - warmup, 1));
    double const done = std::min(static_cast<double>(step - warmup) / length, 1.0);
    return floor + (peak - floor) * 0.5 * (1 + std::cos(std::numbers::pi * done));
  }
};

}  // namespace tenon

// ---- tenon/optim/sgd.hpp

namespace tenon {

/// What SGD remembers between steps: a plain tree.
template <class Tree>
struct SGDState {
  Tree velocity;
};

/// Stochastic gradient descent with momentum: velocity = momentum velocity + gradient,
/// model = model - rate velocity. PyTorch: `torch.optim.SGD(lr, momentum)`.
struct SGD {
  double rate = 1e-3;
  double momentum = 0;

  template <class Tree>
  SGDState<Tree> init(Tree const& model) const {
    return {optim::zeros_of(model)};
  }

  /// The model and the state after one step. A pure function: what is handed in by name stays as it
  /// is. Throws `ShapeError` where the sizes of model and gradients differ.
  template <class Tree>
  std::pair<Tree, SGDState<Tree>> step(Tree model, Tree const& gradients,
                                       SGDState<Tree> state) const {
    return step(std::move(model), gradients, std::move(state), rate);
  }

  /// The same at another rate, as a schedule says.
  template <class Tree>
  std::pair<Tree, SGDState<Tree>> step(Tree model, Tree const& gradients, SGDState<Tree> state,
                                       double rate_now) const {
    tree::zip(
        [&](auto& parameter, auto const& gradient, auto& velocity) {
          using optim::row_of;
          optim::set_row(velocity, momentum * row_of(velocity) + row_of(gradient));
          optim::set_row(parameter, row_of(parameter) - rate_now * row_of(velocity));
        },
        model, gradients, state.velocity);
    return {std::move(model), std::move(state)};
  }
};

}  // namespace tenon

// ---- tenon/optim/optim.hpp

// Optimisers as pure functions over trees.

// ---- tenon/random/choice.hpp

namespace tenon {

struct CategoricalName {
  static constexpr std::string_view name = "categorical";
};
struct PermutationName {
  static constexpr std::string_view name = "permutation";
};

/// Positions along an axis, chosen with probability softmax(logits): "batch class" gives "batch",
/// `int32`. A logit of -inf is never chosen unless all are. The largest of logits + Gumbel noise.
/// JAX: `categorical`.
template <Axes axis, Expression X>
  requires HasAxes<axis, X> && FloatType<typename Unqualified<X>::value_type>
auto categorical(Key const& key, X&& logits) {
  using R = TensorOf<X>;
  using T = typename R::value_type;
  R const unit = unit_draw<R>(key, 0, logits.sizes());
  // The least step of the unit draw; 0 would make infinite noise.
  T const least = static_cast<T>(std::same_as<T, double> ? 0x1p-53 : 0x1p-24);
  return evaluate(argmax<axis>(logits - log(max(-log(T(1) - unit), least))));
}
template <Axes axis, Expression X>
  requires(!HasAxes<axis, X>)
auto categorical(Key const& key, X&& logits)
    -> ChoiceMistake<CategoricalName, axis, Unqualified<X>>;

/// The upper 64 bits of (high·2^32 + low)·range, for range up to 2^32: uniform below `range`, with
/// chances that differ by less than range / 2^64.
constexpr std::uint64_t below(std::uint32_t high, std::uint32_t low, std::uint64_t range) {
  return (high * range + (low * range >> 32)) >> 32;
}

/// How many elements a permutation in `T` can have: `below` draws from 2^32, `T` holds the
/// positions.
template <std::integral T>
inline constexpr std::uint64_t most_permuted =
    std::min(std::uint64_t{1} << 32, std::uint64_t{std::numeric_limits<T>::max()} + 1);
template <>
inline constexpr std::uint64_t most_permuted<std::uint64_t> = std::uint64_t{1} << 32;

template <std::integral T>
constexpr void check_permutation(std::int64_t size) {
  if (std::cmp_less_equal(size, most_permuted<T>)) return;
  std::string const most = "at most " + std::to_string(most_permuted<T>) + " elements";
  fail<ShapeError>({"permutation", {}, most, std::to_string(size), {}});
}

/// 0, 1, 2, … in random order: `take<"example">(x, permutation<Int32<"example">>(key, n))`. Throws
/// `ShapeError` beyond 2^32 elements or what the dtype can count. R. Durstenfeld, "Algorithm 235",
/// 1964. JAX: `permutation`.
template <IntegerTensor R, class... I>
  requires(R::rank == 1) && TakesSizes<R, I...>
R permutation(Key const& key, I... sizes) {
  check_permutation<typename R::value_type>(
      count(R::with_run_time_sizes({static_cast<std::int64_t>(sizes)...}), R::rank));
  R result = iota<R>(sizes...);
  auto const high = random_words<R>(key, 0, result.sizes());
  auto const low = random_words<R>(key, 1, result.sizes());
  auto* const order = result.mutable_data();
  for (std::int64_t i = result.size() - 1; i > 0; --i) {
    auto const range = static_cast<std::uint64_t>(i) + 1;
    std::swap(order[i], order[below(high.data()[i], low.data()[i], range)]);
  }
  return result;
}
template <IntegerTensor R, class... I>
  requires(R::rank == 1) && (!TakesSizes<R, I...>)
auto permutation(Key const& key, I... sizes) -> SizesMistake<PermutationName, R, I...>;
template <IntegerTensor R, class... I>
  requires(R::rank != 1)
auto permutation(Key const& key, I... sizes)
    -> error::wrong_number_of_axes<spec_of_name<PermutationName>, R::spec, 1, R::rank>;

}  // namespace tenon

// ---- tenon/random/random.hpp

// ---- tenon/tensor/number_text.hpp

/// The text of numbers, as NumPy prints them: the fewest digits that tell a number from its
/// neighbours, at most eight after the point, and the numbers of one array aligned.
namespace tenon {

/// The most digits after the point, NumPy's default.
inline constexpr int print_precision = 8;

/// A number's text cut at the point and at the exponent.
struct NumberText {
  std::string whole;     ///< With the sign.
  std::string fraction;  ///< Without zeros at its end.
  std::string exponent;  ///< Its sign and digits; "" in the plain form.
};

inline NumberText cut(std::string_view text) {
  std::size_t const e = std::min(text.find('e'), text.size());
  std::size_t const point = std::min(text.find('.'), e);
  NumberText result{std::string(text.substr(0, point)), "", ""};
  if (point < e) result.fraction = text.substr(point + 1, e - point - 1);
  if (e < text.size()) result.exponent = text.substr(e + 1);
  while (result.fraction.ends_with('0')) result.fraction.pop_back();
  return result;
}

/// The shortest text of a finite number in one form, or rounded to `print_precision` digits.
template <std::floating_point T>
NumberText number_text(T x, std::chars_format form, int precision = print_precision) {
  char buffer[512];  // the longest double in full has 309 digits
  auto const end = std::to_chars(buffer, buffer + sizeof(buffer), x, form).ptr;
  NumberText shortest = cut({buffer, end});
  if (static_cast<int>(shortest.fraction.size()) <= precision) return shortest;
  auto const rounded = std::to_chars(buffer, buffer + sizeof(buffer), x, form, precision).ptr;
  return cut({buffer, rounded});
}

inline std::string not_finite(double x) { return std::isnan(x) ? "nan" : x < 0 ? "-inf" : "inf"; }

/// A number that stands alone: 1.5, 1.0, 1e+20; `trimmed`: 1 instead of 1.0.
template <std::floating_point T>
std::string lone_number(T x, bool trimmed = false) {
  if (!std::isfinite(x)) return not_finite(static_cast<double>(x));
  bool const plain = x == T(0) || (std::abs(x) >= T(1e-4) && std::abs(x) < T(1e16));
  auto const form = plain ? std::chars_format::fixed : std::chars_format::scientific;
  NumberText const text = number_text(x, form, 1000);
  std::string result = text.whole;
  if (!text.fraction.empty()) result += "." + text.fraction;
  else if (plain && !trimmed) result += ".0";
  return plain ? result : result + "e" + text.exponent;
}

/// The text of floating numbers in columns.
template <std::floating_point T>
class FloatColumns {
 public:
  /// Looks at the numbers that will be printed; `plus` writes the sign of positive ones.
  explicit FloatColumns(std::span<T const> numbers, bool plus = false) : plus_(plus) {
    scientific_ = wants_exponent(numbers);
    for (T x : numbers) {
      if (!std::isfinite(x)) continue;
      NumberText const text = text_of(x);
      left_ = std::max(left_, text.whole.size());
      fraction_ = std::max(fraction_, text.fraction.size());
      exponent_ = std::max(exponent_, text.exponent.size());
    }
    for (T x : numbers) {
      if (std::isfinite(x)) continue;
      std::size_t const room = after() + 1, size = std::isnan(x) ? 3 : not_finite_text(x).size();
      left_ = std::max(left_, size > room ? size - room : 0);
    }
  }

  std::string operator()(T x) const {
    if (!std::isfinite(x)) return aligned(not_finite_text(x), left_ + 1 + after());
    NumberText const text = text_of(x);
    std::string result = aligned(text.whole, left_) + "." + text.fraction;
    char const fill = scientific_ ? '0' : ' ';
    result.append(fraction_ - text.fraction.size(), fill);
    if (!scientific_) return result;
    std::string const digits(exponent_ - text.exponent.size(), '0');
    return result + "e" + text.exponent[0] + digits + text.exponent.substr(1);
  }

  static std::string aligned(std::string const& text, std::size_t width) {
    return std::string(width > text.size() ? width - text.size() : 0, ' ') + text;
  }

 private:
  /// Very large, very small, or both too far apart.
  static bool wants_exponent(std::span<T const> numbers) {
    T largest = 0, smallest = 0;
    for (T x : numbers) {
      if (!std::isfinite(x) || x == T(0)) continue;
      T const size = std::abs(x);
      largest = std::max(largest, size);
      smallest = smallest == T(0) ? size : std::min(smallest, size);
    }
    if (largest == T(0)) return false;
    return largest >= T(1e8) || smallest < T(1e-4) || largest / smallest > T(1000);
  }

  NumberText text_of(T x) const {
    using enum std::chars_format;
    NumberText text = number_text(x, scientific_ ? scientific : fixed);
    if (plus_ && !std::signbit(x)) text.whole.insert(0, "+");
    return text;
  }

  std::string not_finite_text(T x) const {
    std::string const text = not_finite(static_cast<double>(x));
    return plus_ && text[0] != '-' ? "+" + text : text;
  }

  /// Characters after the point.
  std::size_t after() const { return fraction_ + (scientific_ ? exponent_ + 1 : 0); }

  bool plus_;
  bool scientific_ = false;
  std::size_t left_ = 0, fraction_ = 0, exponent_ = 0;
};

}  // namespace tenon

// ---- tenon/tensor/columns.hpp

/// The text of the elements of one tensor, of any dtype, in columns.
namespace tenon {

template <class T>
struct PrintColumns;

/// Masks.
template <BoolType T>
struct PrintColumns<T> {
  explicit PrintColumns(std::vector<bool> const&) {}
  std::string operator()(bool x) const { return x ? " True" : "False"; }
  static std::string alone(bool x) { return x ? "True" : "False"; }
};

template <IntegerType T>
struct PrintColumns<T> {
  std::size_t width = 0;

  explicit PrintColumns(std::vector<T> const& numbers) {
    for (T x : numbers) width = std::max(width, std::to_string(x).size());
  }
  std::string operator()(T x) const { return FloatColumns<float>::aligned(alone(x), width); }
  static std::string alone(T x) { return std::to_string(x); }
};

template <std::floating_point T>
struct PrintColumns<T> : FloatColumns<T> {
  explicit PrintColumns(std::vector<T> const& numbers)
      : FloatColumns<T>(std::span<T const>(numbers)) {}
  static std::string alone(T x) { return lone_number(x); }
};

/// The 16-bit types: the shortest decimal that rounds to the number stands for it.
template <HalfType T>
struct PrintColumns<T> : FloatColumns<float> {
  explicit PrintColumns(std::vector<T> const& numbers) : FloatColumns<float>(readable(numbers)) {}
  std::string operator()(T x) const { return FloatColumns<float>::operator()(readable(x)); }
  static std::string alone(T x) { return lone_number(readable(x)); }

  static float readable(T x) {
    float const exact = static_cast<float>(x);
    if (!std::isfinite(exact)) return exact;
    char buffer[64];
    for (int digits = 0; digits < 8; ++digits) {
      auto const end = std::to_chars(buffer, buffer + sizeof(buffer), exact,
                                     std::chars_format::scientific, digits)
                           .ptr;
      float candidate = 0;
      std::from_chars(buffer, end, candidate);
      if (static_cast<float>(static_cast<T>(candidate)) == exact) return candidate;
    }
    return exact;
  }

 private:
  static std::vector<float> readable(std::vector<T> const& numbers) {
    std::vector<float> result;
    for (T x : numbers) result.push_back(readable(x));
    return result;
  }
};

template <ComplexType T>
struct PrintColumns<T> {
  using Part = typename T::value_type;
  FloatColumns<Part> real, imaginary;

  explicit PrintColumns(std::vector<T> const& numbers)
      : real(parts(numbers, false)), imaginary(parts(numbers, true), true) {}

  std::string operator()(T x) const {
    std::string text = imaginary(x.imag());
    text.insert(text.find_last_not_of(' ') + 1, "j");
    return real(x.real()) + text;
  }
  static std::string alone(T x) {
    std::string const imaginary = lone_number(x.imag(), true);
    if (x.real() == 0 && !std::signbit(x.real())) return imaginary + "j";
    bool const signs = imaginary.starts_with("-");
    return "(" + lone_number(x.real(), true) + (signs ? "" : "+") + imaginary + "j)";
  }

 private:
  static std::vector<Part> parts(std::vector<T> const& numbers, bool imaginary) {
    std::vector<Part> result;
    for (T x : numbers) result.push_back(imaginary ? x.imag() : x.real());
    return result;
  }
};

}  // namespace tenon

// ---- tenon/tensor/print.hpp

#include <ostream>

/// Tensors as text, as NumPy prints them: `[[1. 2.]\n [3. 4.]]`.
namespace tenon {

/// NumPy's defaults: lines up to 75 characters; beyond 1000 elements three at either end of an
/// axis.
struct PrintLimits {
  static constexpr std::size_t line = 75;
  static constexpr std::int64_t elements = 1000;
  static constexpr std::int64_t edge = 3;
};

/// The elements of a tensor between brackets.
template <class T>
class ArrayText {
 public:
  ArrayText(T const* data, Sizes const& sizes, int rank)
      : data_(data),
        sizes_(sizes),
        strides_(row_major(sizes, rank)),
        rank_(rank),
        is_summary_(count(sizes, rank) > PrintLimits::elements) {}

  std::string text() const {
    if (rank_ == 0) return PrintColumns<T>::alone(*data_);
    if (count(sizes_, rank_) == 0) return "[]";
    std::vector<T> visible;
    collect(0, 0, visible);
    return axis(PrintColumns<T>(visible), 0, 0, " ", PrintLimits::line);
  }

 private:
  static constexpr std::int64_t gap = -1;

  /// The positions of an axis that are shown.
  std::vector<std::int64_t> shown(int axis) const {
    std::int64_t const size = at(sizes_, axis), edge = PrintLimits::edge;
    std::vector<std::int64_t> result;
    bool const cuts = is_summary_ && size > 2 * edge;
    for (std::int64_t i = 0; i < (cuts ? edge : size); ++i) result.push_back(i);
    if (cuts) result.push_back(gap);
    for (std::int64_t i = size - edge; cuts && i < size; ++i) result.push_back(i);
    return result;
  }

  void collect(int axis, std::int64_t start, std::vector<T>& to) const {
    if (axis == rank_) return to.push_back(data_[start]);
    for (std::int64_t i : shown(axis)) {
      if (i != gap) collect(axis + 1, start + i * at(strides_, axis), to);
    }
  }

  std::string axis(PrintColumns<T> const& columns, int axis, std::int64_t start,
                   std::string const& indent, std::size_t width) const {
    std::string const inner = axis + 1 == rank_ ? row(columns, start, indent, width - 1)
                                                : blocks(columns, axis, start, indent, width);
    return "[" + inner.substr(indent.size()) + "]";
  }

  /// The last axis: elements with a space between them, broken into lines.
  std::string row(PrintColumns<T> const& columns, std::int64_t start, std::string const& indent,
                  std::size_t width) const {
    std::string done, line = indent;
    for (std::int64_t i : shown(rank_ - 1)) {
      std::string const word = i == gap ? "..." : columns(data_[start + i]);
      if (line.size() > indent.size() && line.size() + word.size() > width) {
        done += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
        line = indent;
      }
      line += word + " ";
    }
    line.pop_back();
    return done + line;
  }

  /// Another axis: its entries on lines of their own.
  std::string blocks(PrintColumns<T> const& columns, int axis, std::int64_t start,
                     std::string const& indent, std::size_t width) const {
    std::string result;
    std::string const between(static_cast<std::size_t>(rank_ - axis - 1), '\n');
    for (std::int64_t i : shown(axis)) {
      if (!result.empty()) result += between;
      std::int64_t const next = start + i * at(strides_, axis);
      result += indent;
      result += i == gap ? "..." : this->axis(columns, axis + 1, next, indent + " ", width - 1);
    }
    return result;
  }

  T const* data_;
  Sizes sizes_, strides_;
  int rank_;
  bool is_summary_;
};

/// The elements of a tensor, or of the value of a recipe, as text.
template <Expression E>
std::string to_string(E const& e) {
  if constexpr (requires { e.storage(); })
    return ArrayText<typename E::value_type>(e.data(), e.sizes(), E::shape.rank).text();
  else return to_string(evaluate(e));
}

/// Dtype and axes with their sizes: `float32 "batch=32 digit=10"`.
template <Expression E>
std::string describe(E const& e) {
  Shape shape = E::shape;
  Sizes const sizes = e.sizes();
  for (int i = 0; i < shape.rank; ++i) {
    if (shape[i].is_static()) continue;
    shape[i] = named_axis(shape[i].name.view(), at(sizes, i));
  }
  return std::string(dtype_name<typename E::value_type>) + " \"" +
         std::string(format(shape).view()) + "\"";
}

template <class Traits, Expression E>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, E const& e) {
  return out << to_string(e);
}

}  // namespace tenon

// ---- tenon/tenon.hpp

/// The core of Tenon: tensors, expressions, their evaluation on the CPU, gradients.

