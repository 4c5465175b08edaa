#pragma once

#include <stdexcept>

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
  std::string text() const { return is_number() ? literal(number) : listing->text(name); }
};

/// A symbol of any type as part of a text. Code that handles text is not templated on the type, so
/// that it is compiled once.
struct Term {
  Listing* listing;
  int name;
  std::string text;
};
using Terms = std::vector<Term>;

template <class T>
[[gnu::noinline]] Term term_of(Symbol<T> const& x) {
  return {x.listing, x.name, x.text()};
}

inline Listing& listing_of(Terms const& terms) {
  for (Term const& term : terms) {
    if (term.listing != nullptr) return *term.listing;
  }
  throw std::logic_error("tenon::codegen: a statement without a name");
}
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
inline int emit(std::string_view type, std::string_view pattern, Terms const& terms) {
  return listing_of(terms).value(type, filled(pattern, texts_of(terms)), names_of(terms));
}

/// The emitted value of a pattern of symbols; for constants alone, `compute` is evaluated.
template <class R, class F, class... T>
[[gnu::noinline]] Symbol<R> emitted(F const& compute, std::string_view pattern,
                                    Symbol<T> const&... x) {
  if ((x.is_number() && ...)) return Symbol<R>(static_cast<R>(compute(x.number...)));
  Terms const terms{term_of(x)...};
  return {listing_of(terms), emit(type_text<R>, pattern, terms)};
}

/// A pattern in which integers are computed as unsigned ones of 32 or 64 bits: they wrap.
template <class T>
std::string arithmetic(std::string_view operation) {
  std::string const sign(operation);
  if (!std::integral<T> || (std::unsigned_integral<T> && sizeof(T) >= 4))
    return "$0 " + sign + " $1";
  std::string const wide = sizeof(T) == 8 ? "(u64)" : "(u32)";
  return std::string("(").append(type_text<T>) + ")(" + wide + "$0 " + sign + " " + wide + "$1)";
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

template <std::integral T>
Symbol<T> operator&(Symbol<T> a, Symbol<T> b) {
  return emitted<T>([](T x, T y) { return x & y; }, "$0 & $1", a, b);
}
template <std::integral T>
Symbol<T> operator|(Symbol<T> a, Symbol<T> b) {
  return emitted<T>([](T x, T y) { return x | y; }, "$0 | $1", a, b);
}
template <std::integral T>
Symbol<T> operator^(Symbol<T> a, Symbol<T> b) {
  return emitted<T>([](T x, T y) { return x ^ y; }, "$0 ^ $1", a, b);
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
