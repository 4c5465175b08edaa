#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>

#include <tenon/core/annotation/match.hpp>
#include <tenon/core/annotation/parse.hpp>
#include <tenon/core/format.hpp>
#include <tenon/core/shape.hpp>

/// Annotations say what shapes may be: `* + ... # ?`, sizes, names, bounds and expressions.
///
///   annotation_fits<S>(shape)          `Float<S>`: a word is a literal axis name
///   pattern_fits<S>(shapes)            `fits<S, X...>`, `checked<S>`: a word is a variable; with
///                                      one shape more than S has arguments, the result as well
///   match_annotation<S>(shape) ...     the same with the mismatched word: an `Annotated`
///   check_annotation<S>(who, ...) ...  the same at run time with sizes (check.hpp): ShapeError
///   pattern_arguments<S>               the number of arguments of a pattern
///   pattern_has_result<S>              whether it has an arrow
///
/// Sizes known at run time fit at compile time, and `Annotated::open` is true. A malformed
/// annotation does not compile: error::malformed_spec names it, the word in it, and the reason.
namespace tenon::internal {

template <Spec S>
inline constexpr std::size_t pattern_arguments = argument_count(S.view());

template <Spec S>
inline constexpr bool pattern_has_result = has_arrow(S.view());

/// The annotation that a spec denotes; for `N` leaves or arguments.
template <Spec S, WordMeaning words, std::size_t N>
constexpr Annotation<N> annotation_from() {
  if constexpr (are_variables(words)) return read_pattern<N>(S.view(), words);
  else return read_annotation(S.view(), words);
}

template <Spec S, WordMeaning words = WordMeaning::names>
concept WellFormedAnnotation = annotation_from < S,
        words, are_variables(words) ? pattern_arguments<S> : 1 > ().mistake.empty();

/// An undefined type whose name, which the compiler prints, describes what is malformed.
template <Spec S, WordMeaning words, std::size_t N>
constexpr auto malformed_annotation() {
  constexpr auto refused = annotation_from<S, words, N>();
  constexpr auto why = spec_from<refused.mistake.size()>(refused.mistake);
  if constexpr (refused.culprit.size() == S.view().size()) {
    return std::type_identity<error::malformed_spec<S, why>>{};
  } else {
    return std::type_identity<
        error::malformed_spec<S, spec_from<refused.culprit.size()>(refused.culprit), why>>{};
  }
}
template <Spec S, WordMeaning words, std::size_t N = 1>
using MalformedAnnotation = typename decltype(malformed_annotation<S, words, N>())::type;

/// (`sizeof` instead of a value of that type, so that there is only one error.)
template <Spec S, WordMeaning words, std::size_t N>
constexpr Annotation<N> annotation_or_refusal() {
  if constexpr (!annotation_from<S, words, N>().mistake.empty())
    static_cast<void>(sizeof(MalformedAnnotation<S, words, N>));
  return annotation_from<S, words, N>();
}

/// A well-formed annotation; a malformed one does not compile, with the reason in the error.
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
  constexpr WordMeaning words = WordMeaning::variables;
  if constexpr (!AsManyShapes<S, N>) {
    static_cast<void>(sizeof(error::malformed_spec<S, "another number of arguments">));
    return {};
  } else if constexpr (!WellFormedAnnotation<S, words>) {
    static_cast<void>(sizeof(MalformedAnnotation<S, words, pattern_arguments<S>>));
    return {};
  } else {
    return match(annotation_of<S, words, pattern_arguments<S>>, shapes);
  }
}

template <Spec S>
constexpr bool annotation_fits(Shape const& shape) {
  return match_annotation<S>(shape).fits;
}

template <Spec S, std::size_t N>
constexpr bool pattern_fits(std::array<Shape, N> const& shapes) {
  return match_pattern<S>(shapes).fits;
}

}  // namespace tenon::internal
