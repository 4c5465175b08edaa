#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include <tenon/core/annotation/annotation.hpp>
#include <tenon/core/config.hpp>
#include <tenon/core/error.hpp>

/// Annotations at run time, when all sizes are known. A mismatch throws ShapeError: `tenon::check:
/// '2*n': expected 6, got 7 (axis 0 of argument 2; n=3)`.
namespace tenon::internal {

/// The shape with its run-time sizes filled in.
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

/// The sizes of a shape as a tuple: "(2, 3)".
std::string size_tuple(Shape const& shape);

/// The bindings of the words: "n=3, *batch=(2, 5)".
template <std::size_t N>
std::string bound_words(Bindings<N> const& bindings) {
  std::string text;
  auto const add = [&](std::string_view star, std::string_view name, std::string const& value) {
    text.append(text.empty() ? "" : ", ").append(star).append(name).append("=").append(value);
  };
  for (int i = 0; i < bindings.axis_count; ++i) {
    BoundAxis const& bound = bindings.axes[static_cast<std::size_t>(i)];
    add("", bound.name, std::to_string(bound.axis.size));
  }
  for (int i = 0; i < bindings.several_count; ++i) {
    BoundAxes const& bound = bindings.several[static_cast<std::size_t>(i)];
    add("*", bound.name, size_tuple(bound.shape));
  }
  return text;
}

/// Throws ShapeError if shapes do not fit: the word, its expected value, the actual axis, its
/// position and argument, and the bindings of the words matched before; of trees also the leaf.
template <std::size_t N>
void require_fit(std::string_view who, Matcher<N> const& matcher, int arguments,
                 std::string const& leaf = "") {
  Annotated const& match = matcher.result;
  if (match.fits) return;
  std::string place = match.axis < 0 ? "" : "axis " + std::to_string(match.axis) + " of ";
  if (!leaf.empty()) place += "'" + leaf + "' of ";
  place +=
      match.argument == arguments ? "the result" : "argument " + std::to_string(match.argument + 1);
  if (std::string const bound = bound_words(matcher.bindings); !bound.empty())
    place += "; " + bound;
  fail<ShapeError>({who, match.word.view(), match.expected.view(), match.got.view(), place});
}

/// Checks sizes at run time against an annotation of one shape.
template <Spec S>
void check_annotation(std::string_view who, Shape const& shape, Sizes const& sizes) {
  std::array<Shape, 1> const known{with_run_time_sizes(shape, sizes)};
  require_fit(who, matched(annotation_of<S>, known), 1);
}

/// Checks that the words of a pattern have one size each at run time. Returns their bindings.
template <Spec S, std::size_t N>
Bindings<N> check_words(std::string_view who, std::array<Shape, N> const& shapes,
                        std::array<Sizes, N> const& sizes) {
  constexpr std::size_t arguments = pattern_arguments<S>;
  auto const matcher = matched(annotation_of<S, WordMeaning::variables, arguments>,
                               with_run_time_sizes(shapes, sizes));
  require_fit(who, matcher, static_cast<int>(arguments));
  return matcher.bindings;
}

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME

namespace tenon::internal {

TENON_RUNTIME std::string size_tuple(Shape const& shape) {
  std::string text = "(";
  for (Axis const& axis : shape) {
    text.append(text.size() > 1 ? ", " : "").append(std::to_string(axis.size));
  }
  return text + ")";
}

}  // namespace tenon::internal

#endif
