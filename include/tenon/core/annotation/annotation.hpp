#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include <tenon/core/annotation/match.hpp>
#include <tenon/core/annotation/parse.hpp>
#include <tenon/core/error.hpp>
#include <tenon/core/format.hpp>
#include <tenon/core/spec.hpp>

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
