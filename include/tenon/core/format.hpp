#pragma once

#include <cstddef>
#include <iosfwd>
#include <string_view>
#include <type_traits>

#include <tenon/core/language/parse.hpp>
#include <tenon/core/language/writer.hpp>
#include <tenon/core/shape.hpp>

namespace tenon::internal {

/// Capacity for eight axes with the longest names and bounds.
using ShapeText = TextWriter<1023>;

template <std::size_t N>
constexpr void write_axis(TextWriter<N>& out, Axis const& axis) {
  bool const bounded = axis.is_bare() && (axis.lower > 0 || axis.upper != unbounded);
  out << axis.name.view();
  if (axis.is_named() && (!axis.is_bare() || bounded)) out << "=";
  if (axis.is_static()) {
    out << axis.size;
  } else if (bounded) {
    if (axis.lower > 0) out << axis.lower;
    out << "..";
    if (axis.upper != unbounded) out << axis.upper;
  } else if (!axis.is_bare()) {
    out << (axis.expression.empty() ? std::string_view("_") : axis.expression.view());
  }
}

/// An axis as in a canonical spec.
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

/// Writes a shape as its spec: `batch digit=10`.
template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out,
                                             Shape const& shape) {
  return out << format(shape).view();
}

/// Shapes compare with specs: `static_assert(shape_of<X> == "batch digit=10")`. The spec need not
/// be canonical; a malformed one equals no shape.
constexpr bool operator==(Shape const& shape, std::string_view spec) {
  Parsed const parsed = parse(spec);
  return parsed.ok() && shape == parsed.shape;
}

}  // namespace tenon::internal

namespace tenon::compile_error {

/// A malformed spec, the word in it (unless it is the only one), and the reason.
template <Spec spec, Spec... why>
struct malformed_spec;

/// A spec of `Tensor` that is not in canonical form; the aliases canonicalise it.
template <Spec spec, Spec canonical>
struct spec_is_not_canonical;

}  // namespace tenon::compile_error

namespace tenon::internal {

/// A text shorter than its capacity as a template argument.
template <std::size_t N>
constexpr Spec<N + 1> spec_from(std::string_view text) {
  return Spec<N + 1>(text.substr(0, N));
}

/// A parsed spec, cached per spec.
template <Spec S>
inline constexpr Parsed parsed = parse(S.view());

template <Spec S>
concept ValidSpec = parsed<S>.ok();

/// The canonical text of a spec. (A variable template: clang evaluates a `constexpr` local variable
/// again in each call of its function.)
template <Spec S>
inline constexpr ShapeText canonical_text = format(parsed<S>.shape);

/// The parse of a well-formed spec.
template <Spec S>
struct WellFormedSpec {
  static constexpr auto canonical = spec_from<canonical_text<S>.length>(canonical_text<S>.view());
};

template <Spec S>
constexpr auto read_spec() {
  if constexpr (ValidSpec<S>) {
    return std::type_identity<WellFormedSpec<S>>{};
  } else {
    constexpr std::string_view culprit = parsed<S>.culprit;
    constexpr auto why = spec_from<parsed<S>.mistake.size()>(parsed<S>.mistake);
    if constexpr (culprit.size() == S.view().size()) {
      return std::type_identity<error::malformed_spec<S, why>>{};
    } else {
      return std::type_identity<
          error::malformed_spec<S, spec_from<culprit.size()>(culprit), why>>{};
    }
  }
}

template <Spec S>
struct SpecReader {
  using type = typename decltype(read_spec<S>())::type;
};
/// `WellFormedSpec<S>`, or an undefined type that names the error. An alias that uses this for
/// `canonical` is rejected where it is written, without further errors in the parser.
template <Spec S>
using ReadSpec = typename SpecReader<S>::type;

/// A spec in canonical form; a malformed one does not compile, with the reason in the error.
template <Spec S>
inline constexpr auto canonical = ReadSpec<S>::canonical;

template <Spec S>
inline constexpr bool is_canonical = ValidSpec<S> && canonical_text<S>.view() == S.view();

template <Spec S>
constexpr bool check_canonical() {
  if constexpr (!ValidSpec<S>) {
    return sizeof(ReadSpec<S>) == 0;
  } else if constexpr (!is_canonical<S>) {
    // NOLINTNEXTLINE(bugprone-sizeof-expression): the type is undefined, and so refused here.
    return sizeof(error::spec_is_not_canonical<S, canonical<S>>) > 0;
  } else {
    return true;
  }
}

/// A spec in canonical form. Another one does not compile; the error has the canonical form.
template <Spec S>
concept Canonical = check_canonical<S>();

/// The canonical spec of a shape with its numbers in its expressions.
constexpr ShapeText format_resolved(Shape const& shape) {
  return names_a_number(shape) ? format(resolve(shape).shape) : format(shape);
}

template <class Carrier>
inline constexpr ShapeText carried_text = format_resolved(Carrier::shape);

/// The canonical spec of a tensor or an expression, as a template argument:
/// `Float32<spec("{} head=8", spec_of<X>)>` has one axis more than `X`.
template <class Carrier>
inline constexpr auto spec_of =
    spec_from<carried_text<Carrier>.length>(carried_text<Carrier>.view());
template <class Carrier>
inline constexpr auto spec_of<Carrier const> = spec_of<Carrier>;
template <class Carrier>
inline constexpr auto spec_of<Carrier&> = spec_of<Carrier>;
template <class Carrier>
inline constexpr auto spec_of<Carrier&&> = spec_of<Carrier>;

}  // namespace tenon::internal

namespace tenon {

using internal::operator<<;
using internal::operator==;
using internal::spec_of;

}  // namespace tenon
