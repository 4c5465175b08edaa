#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <tenon/core/annotation/bind.hpp>
#include <tenon/core/annotation/parse.hpp>
#include <tenon/core/format.hpp>
#include <tenon/core/language/pattern.hpp>
#include <tenon/core/rules/broadcast.hpp>

namespace tenon::internal {

/// Whether shapes fit an annotation; if not, the mismatched word.
struct Annotated {
  bool fits = true;
  bool open = false;     ///< Some sizes have to be checked at run time.
  int argument = -1;     ///< Of a mismatch: the index of the shape; the result follows the
                         ///< arguments,
  int axis = -1;         ///< its axis, -1 where the rank is wrong,
  FixedText word{};      ///< the word,
  FixedText expected{};  ///< what the word denotes,
  FixedText got{};       ///< and the axis that does not fit.
  FixedText relation{};  ///< Of two sizes in names: that they differ, and by how much.

  /// `expected 4, got 5`, or `sizes differ by 1: t and t=t-1`. (Clang truncates long texts.)
  constexpr FixedText mistake() const {
    if (fits) return {};
    if (relation.empty()) return mistake_text({"expected ", expected.view(), ", got ", got.view()});
    return mistake_text({relation.view(), ": ", expected.view(), " and ", got.view()});
  }
};

/// The state of matching an annotation. `N` is the number of shapes.
template <std::size_t N>
struct Matcher {
  Bindings<N> bindings{};
  Annotated result{};
  int argument = 0;  ///< The index of the shape that is being matched, in an annotation.

  constexpr void refuse(int axis, SpecToken const& token, std::string_view expected,
                        std::string_view got) {
    if (!result.fits) return;
    result.fits = false;
    result.argument = argument;
    result.axis = axis;
    result.word = mistake_text({token.word});
    result.expected = mistake_text({expected.empty() ? "no axes" : expected});
    result.got = mistake_text({got.empty() ? "no axes" : got});
  }

  /// Records a mismatch of an axis with the expected one.
  constexpr void refuse(int axis, SpecToken const& token, Axis const& expected, Axis const& got) {
    refuse(axis, token, format(expected).view(), format(got).view());
  }

  /// The same of two sizes in names of one shape: by how much they differ.
  constexpr void refuse(int axis, SpecToken const& token, AxisExtent const& difference,
                        std::string_view expected, std::string_view got) {
    bool const relates = result.fits && difference.is_constant() && difference.constant() != 0;
    refuse(axis, token, expected, got);
    if (relates) result.relation = mistake_text({difference_text(difference).view()});
  }

  /// The axis that a word denotes by itself, regardless of bindings.
  static constexpr Axis said(SpecToken const& token) {
    if (token.kind != TokenKind::name) return axis_of_size(token.size);
    Axis axis = named_axis(token);
    axis.expression = mistake_text({token.expression});
    return axis;
  }

  /// The same without the name where that is a variable.
  constexpr Axis wanted(SpecToken const& token) const {
    Axis axis = said(token);
    if (are_variables(bindings.words)) axis.name = FixedText{};
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
    if (token.kind == TokenKind::name && token.expression.empty())
      match_bound(token, is_one ? axis : merge(word, axis), axis, position);
  }

  constexpr void match_bound(SpecToken const& token, Axis const& axis, Axis const& own,
                             int position) {
    int const known = bindings.find(token.name);
    bool const is_one = token.hash && axis.is_one();
    if (known >= 0 && !is_one && !bindings.axes[static_cast<std::size_t>(known)].is_one) {
      BoundAxis const& bound = bindings.axes[static_cast<std::size_t>(known)];
      if (!agree(bound.axis, axis)) return refuse(position, token, bound.axis, axis);
      bool const related = bound.shape == bindings.shape;
      if (related && !can_be_equal(bound.own, own))
        return refuse(position, token, symbolic_extent(bound.own) - symbolic_extent(own),
                      format(bound.own).view(), format(own).view());
      result.open = result.open || !bound.axis.is_static() || !axis.is_static();
    }
    bindings.bind(token, axis, own);
  }

  /// Matches an expression with one axis, when all names are bound. Only numbers prove that two
  /// sizes are equal; within one shape sizes that differ by a constant are refused.
  constexpr void match_expression(SpecToken const& token, Axis const& axis, int position) {
    if (token.hash && axis.is_one()) return;
    ExpressionReader<BoundAlgebra<N>> reader{token.expression, {{}, &bindings}};
    AxisExtent const extent = reader.whole();
    AxisExtent const difference = extent - symbolic_extent(axis);
    bool const possible = !difference.is_constant() || difference.constant() == 0;
    bool const in_bounds = !extent.is_constant() || sizes_agree(axis_of(extent), axis);
    result.open = result.open || !extent.is_constant() || !axis.is_static();
    if (possible && in_bounds && reader.mistake.empty()) return;
    if (!reader.mistake.empty()) return refuse(position, token, "a size", reader.mistake);
    AxisExtent const relation = extent.is_constant() ? unknown_extent() : difference;
    refuse(position, token, relation, written(extent).view(), format(axis).view());
  }

  /// Matches `*n` or `+n` with the axes it denotes, given as a separate shape.
  constexpr void match_several(SpecToken const& token, Shape const& shape, int position) {
    int const known = bindings.find_several(token.name);
    BoundAxes& bound =
        bindings.several[static_cast<std::size_t>(known < 0 ? bindings.several_count++ : known)];
    if (known < 0) {
      bound = {token.name, token.question, token.hash, shape};
      return;
    }
    result.open = result.open || !bound.shape.is_static() || !shape.is_static();
    bool const stretches = bound.stretches || token.hash;
    if (!(stretches ? stretched(bound, token, shape) : assignable(bound.shape, shape))) {
      return refuse(position, token, format(bound.shape).view(), format(shape).view());
    }
    bound.shape =
        stretches ? broadcast_shapes(bound.shape, shape).shape : merged(bound.shape, shape);
    bound.stretches = bound.stretches && token.hash;
  }

  /// Whether two sequences broadcast, and no axis written without `#` is stretched.
  static constexpr bool stretched(BoundAxes const& bound, SpecToken const& token,
                                  Shape const& shape) {
    Broadcast<2> const both = broadcast_shapes(bound.shape, shape);
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

  /// Whether a shape has the rank that its annotation requires.
  constexpr bool match_rank(Tokens const& tokens, Shape const& shape) {
    int const variadics = tokens.variadics();
    int least = tokens.count - variadics;
    for (SpecToken const& token : tokens) least += token.plus;
    if (shape.rank == least || (shape.rank > least && variadics > 0)) return true;
    FixedText const expected = count_of_axes(variadics > 0 ? "at least " : "", least);
    refuse(-1, {}, expected.view(), count_of_axes("", shape.rank).view());
    return false;
  }

  /// Matches the words of one shape: the names in the first pass, the expressions in the second.
  constexpr void match(Tokens const& tokens, Shape const& shape, bool expressions) {
    if (!result.fits || !match_rank(tokens, shape)) return;
    int position = 0;
    for (SpecToken const& token : tokens) {
      if (!result.fits) return;
      if (token.is_variadic()) {
        int const end = position + shape.rank - (tokens.count - 1);
        bool const binds = token.kind == TokenKind::name && !expressions;
        if (binds) match_several(token, part_of(shape, position, end), position);
        position = end;
        continue;
      }
      bool const is_expression = !token.expression.empty() && token.expression != "_";
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

  /// Matches the shapes of all arguments: their names before their expressions.
  template <std::size_t Arguments>
  constexpr void match(Annotation<Arguments> const& annotation,
                       std::array<Shape, N> const& shapes) {
    bindings.words = annotation.words;
    int const first = bindings.shape;
    for (bool expressions : {false, true}) {
      for (std::size_t i = 0; i < N && result.fits; ++i) {
        argument = static_cast<int>(i);
        bindings.shape = first + argument;
        match(annotation[i], shapes[i], expressions);
      }
    }
  }
};

/// Matches an annotation of N arguments with the shapes of these, or of these and the result. The
/// returned matcher also has the bindings of the words.
template <std::size_t N, std::size_t M>
  requires(M == N || M == N + 1)
constexpr Matcher<M> matched(Annotation<N> const& annotation, std::array<Shape, M> const& shapes) {
  Matcher<M> matcher{};
  matcher.match(annotation, shapes);
  return matcher;
}

template <std::size_t N, std::size_t M>
constexpr Annotated match(Annotation<N> const& annotation, std::array<Shape, M> const& shapes) {
  return matched(annotation, shapes).result;
}

}  // namespace tenon::internal
