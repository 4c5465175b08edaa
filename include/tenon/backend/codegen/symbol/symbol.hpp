#pragma once

#include <tenon/backend/codegen/text/listing.hpp>
#include <tenon/backend/codegen/text/literal.hpp>
#include <tenon/op/intrinsics.hpp>

namespace tenon::internal::codegen {

/// A symbolic value for tracing: computing with it emits statements of a listing. Constants stay
/// constants until combined with a name.
template <class T>
struct Symbol {
  using value_type = T;

  Listing* listing = nullptr;
  int name = -1;
  T number{};

  Symbol() = default;
  Symbol(T value) : number(value) {}
  Symbol(Listing& where, int known) : listing(&where), name(known) {}

  bool is_number() const { return listing == nullptr; }
  /// Its text in a listing, which is its own unless it is a number.
  std::string text(Listing const& in) const {
    return is_number() ? literal(in.dialect(), number) : in.text(name);
  }
};

/// A symbol of any type as part of a text. Code that handles text is not templated on the type, so
/// that it is compiled once.
struct Term {
  int name;
  std::string text;
};
using Terms = std::vector<Term>;

template <class T>
[[gnu::noinline]] Term term_of(Listing const& listing, Symbol<T> const& x) {
  return {x.name, x.text(listing)};
}

/// The listing of symbols that are not all numbers.
template <class... T>
Listing& listing_of(Symbol<T> const&... x) {
  Listing* listing = nullptr;
  ((listing = listing != nullptr ? listing : x.listing), ...);
  return *listing;
}

/// An operation as text: a pattern, in which `{i32 $0}` is a cast, or one of those of a dialect.
struct Pattern {
  std::string_view text{};
  std::string_view Dialect::*own = nullptr;

  Pattern(char const* pattern) : text(pattern) {}
  Pattern(std::string const& pattern) : text(pattern) {}
  Pattern(std::string_view Dialect::*pattern) : own(pattern) {}

  std::string in(Dialect const& dialect) const {
    return own != nullptr ? std::string(dialect.*own) : with_casts(dialect, text);
  }
};

inline std::vector<int> names_of(Terms const& terms) {
  std::vector<int> names;
  for (Term const& term : terms) names.push_back(term.name);
  return names;
}
inline std::vector<std::string> texts_of(Terms const& terms) {
  std::vector<std::string> texts;
  for (Term const& term : terms) texts.push_back(term.text);
  return texts;
}

/// Emits a pattern; the name of its value.
inline int emit(Listing& listing, std::string_view type, Pattern const& pattern,
                Terms const& terms) {
  std::string const text = filled(pattern.in(listing.dialect()), texts_of(terms));
  return listing.value(type, text, names_of(terms));
}

/// The emitted value of a pattern of symbols; for constants alone, `compute` is evaluated.
template <class R, class F, class... T>
[[gnu::noinline]] Symbol<R> emitted(F const& compute, Pattern const& pattern,
                                    Symbol<T> const&... x) {
  if ((x.is_number() && ...)) return Symbol<R>(static_cast<R>(compute(x.number...)));
  Listing& listing = listing_of(x...);
  return {listing, emit(listing, type_text<R>, pattern, {term_of(listing, x)...})};
}

/// A pattern in which integers are computed as unsigned ones of 32 or 64 bits: they wrap.
template <class T>
std::string arithmetic(std::string_view operation) {
  std::string const sign(operation);
  if (!std::integral<T> || (std::unsigned_integral<T> && sizeof(T) >= 4))
    return "$0 " + sign + " $1";
  std::string const wide = sizeof(T) == 8 ? "{u64 $" : "{u32 $";
  return std::string("{").append(type_text<T>) + " (" + wide + "0} " + sign + " " + wide + "1})}";
}

template <class T>
Symbol<T> operator+(Symbol<T> a, Symbol<T> b) {
  return emitted<T>(intrinsics::add<T>, arithmetic<T>("+"), a, b);
}
template <class T>
Symbol<T> operator-(Symbol<T> a, Symbol<T> b) {
  return emitted<T>(intrinsics::subtract<T>, arithmetic<T>("-"), a, b);
}
template <class T>
Symbol<T> operator*(Symbol<T> a, Symbol<T> b) {
  return emitted<T>(intrinsics::multiply<T>, arithmetic<T>("*"), a, b);
}
template <class T>
Symbol<T> operator-(Symbol<T> a) {
  if constexpr (std::integral<T>) return Symbol<T>(T(0)) - a;
  else return emitted<T>([](T x) { return -x; }, "-$0", a);
}

template <class T>
Symbol<bool> operator==(Symbol<T> a, Symbol<T> b) {
  return emitted<bool>([](T x, T y) { return x == y; }, "$0 == $1", a, b);
}
template <class T>
Symbol<bool> operator!=(Symbol<T> a, Symbol<T> b) {
  return emitted<bool>([](T x, T y) { return x != y; }, "$0 != $1", a, b);
}
template <class T>
Symbol<bool> operator<(Symbol<T> a, Symbol<T> b) {
  return emitted<bool>([](T x, T y) { return x < y; }, "$0 < $1", a, b);
}
template <class T>
Symbol<bool> operator>(Symbol<T> a, Symbol<T> b) {
  return b < a;
}
template <class T>
Symbol<bool> operator<=(Symbol<T> a, Symbol<T> b) {
  return emitted<bool>([](T x, T y) { return x <= y; }, "$0 <= $1", a, b);
}
template <class T>
Symbol<bool> operator>=(Symbol<T> a, Symbol<T> b) {
  return b <= a;
}

/// The pattern for masks, or that for integers.
template <class T>
Pattern bitwise(std::string_view Dialect::*of_masks, char const* of_integers) {
  return std::same_as<T, bool> ? Pattern(of_masks) : Pattern(of_integers);
}

template <std::integral T>
Symbol<T> operator&(Symbol<T> a, Symbol<T> b) {
  return emitted<T>([](T x, T y) { return x & y; }, bitwise<T>(&Dialect::mask_and, "$0 & $1"), a,
                    b);
}
template <std::integral T>
Symbol<T> operator|(Symbol<T> a, Symbol<T> b) {
  return emitted<T>([](T x, T y) { return x | y; }, bitwise<T>(&Dialect::mask_or, "$0 | $1"), a, b);
}
template <std::integral T>
Symbol<T> operator^(Symbol<T> a, Symbol<T> b) {
  return emitted<T>([](T x, T y) { return x ^ y; }, bitwise<T>(&Dialect::mask_xor, "$0 ^ $1"), a,
                    b);
}
inline Symbol<bool> operator!(Symbol<bool> a) {
  return emitted<bool>([](bool x) { return !x; }, "!$0", a);
}

template <std::unsigned_integral T>
Symbol<T> operator<<(Symbol<T> a, Symbol<T> n) {
  return emitted<T>([](T x, T by) { return x << by; }, "$0 << $1", a, n);
}
template <std::unsigned_integral T>
Symbol<T> operator>>(Symbol<T> a, Symbol<T> n) {
  return emitted<T>([](T x, T by) { return x >> by; }, "$0 >> $1", a, n);
}
template <std::unsigned_integral T>
Symbol<T> operator<<(Symbol<T> a, int n) {
  return a << Symbol<T>(static_cast<T>(n));
}
template <std::unsigned_integral T>
Symbol<T> operator>>(Symbol<T> a, int n) {
  return a >> Symbol<T>(static_cast<T>(n));
}

}  // namespace tenon::internal::codegen
