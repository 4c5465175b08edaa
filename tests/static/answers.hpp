#pragma once

// The results of the shape rules as text: the canonical shape, or the mistake.

#include <string_view>
#include <tenon/core/annotation/annotation.hpp>
#include <tenon/core/annotation/leaves.hpp>
#include <tenon/core/format.hpp>
#include <tenon/core/rules/contraction.hpp>
#include <tenon/core/rules/rearrange.hpp>

namespace answers {

using namespace tenon;
using namespace tenon::internal;

struct Answer {
  ShapeText text{};

  friend constexpr bool operator==(Answer const& answer, std::string_view expected) {
    return answer.text.view() == expected;
  }
};

constexpr Shape shape(std::string_view spec) { return parse(spec).shape; }

template <class Rule>
constexpr Answer answer(Rule const& rule) {
  if (rule.fits) return {format(rule.shape)};
  ShapeText text{};
  text << rule.mistake.view();
  return {text};
}

constexpr Answer product(std::string_view a, std::string_view b) {
  return answer(matmul_rule(shape(a), shape(b)));
}

constexpr Answer einsum(std::string_view pattern, std::string_view a, std::string_view b) {
  return answer(einsum_rule(pattern, shape(a), shape(b)));
}

constexpr Answer einsum(std::string_view pattern, std::string_view a) {
  return answer(einsum_rule(pattern, shape(a)));
}

constexpr Answer rearranged(std::string_view pattern, std::string_view a) {
  return answer(rearrange_rule(pattern, shape(a)));
}

constexpr Answer reduced(std::string_view pattern, std::string_view a) {
  return answer(reduce_rule(pattern, shape(a)));
}

constexpr Answer repeated(std::string_view pattern, std::string_view a) {
  return answer(repeat_rule(pattern, shape(a)));
}

/// "fits", "open" if a check remains for run time, or the axis at fault and the reason.
constexpr Answer verdict(Annotated const& match) {
  ShapeText text{};
  if (match.fits) return {text << (match.open ? "open" : "fits")};
  if (!match.word.empty()) text << match.word.view() << ": ";
  return {text << match.mistake().view()};
}

/// The first invalid part of an annotation.
template <std::size_t N>
constexpr Answer culprit(Annotation<N> const& annotation) {
  ShapeText text{};
  return {text << (annotation.mistake.empty() ? "well-formed" : annotation.culprit)};
}

constexpr Answer refused(std::string_view annotation) {
  return culprit(read_annotation(annotation));
}

constexpr Answer refused_tree(std::string_view annotation) {
  return culprit(read_annotation(annotation, WordMeaning::leaves));
}

constexpr Answer refused_pattern(std::string_view pattern) {
  if (argument_count(pattern) == 1) return culprit(read_pattern<1>(pattern));
  return culprit(read_pattern<2>(pattern));
}

/// `Float<"annotation">` and a shape.
constexpr Answer own(std::string_view annotation, std::string_view a) {
  return verdict(match(read_annotation(annotation), std::array{shape(a)}));
}

/// `fits<"pattern", ...>` or `checked<"pattern">` and the shapes.
template <class... Specs>
constexpr Answer pattern(std::string_view text, Specs... specs) {
  constexpr std::size_t count = sizeof...(specs);
  std::array<Shape, count> const shapes{shape(specs)...};
  if constexpr (count > 1) {
    if (argument_count(text) < count) return verdict(match(read_pattern<count - 1>(text), shapes));
  }
  return verdict(match(read_pattern<count>(text), shapes));
}

/// An annotation and the leaves of a tree.
template <class... Specs>
constexpr Answer tree(std::string_view annotation, Specs... specs) {
  Annotation<1> const words = read_annotation(annotation, WordMeaning::leaves);
  LeafMatcher<1> leaves{};
  static_cast<void>((leaves.next(words, std::array{shape(specs)}) && ...));
  return verdict(leaves.matcher.result);
}

}  // namespace answers
