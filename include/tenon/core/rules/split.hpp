#pragma once

#include <cstdint>
#include <string_view>

#include <tenon/core/language/pattern_side.hpp>
#include <tenon/core/rules/align.hpp>
#include <tenon/core/shape.hpp>

namespace tenon::internal {

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

/// The product of the given sizes of the factors of one axis, and the factor without one.
struct GivenFactors {
  std::int64_t product = 1;
  int open = 0;  ///< The number of factors without a size.
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

/// The reason why the factors of a group cannot make up an axis; empty where they can.
constexpr FixedText factor_mistake(GivenFactors const& given, Axis const& axis,
                                   PatternFactor const& first) {
  if (given.open > 1) {
    return mistake_text({"an axis of two open factors, as ", first.text});
  }
  if (given.open == 1 && given.product == 0) return "a factor is open beside a size 0";
  if (!axis.is_static()) return {};
  bool const divides =
      given.open == 1 ? axis.size % given.product == 0 : axis.size == given.product;
  return divides ? FixedText{} : mistake_text({first.text, " does not make up its axis"});
}

/// The axis of one factor; a single factor keeps the bounds of the operand's axis.
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

/// The reason why a pattern does not match the rank of an operand; empty where it does.
constexpr FixedText rank_mistake(PatternSide const& left, Shape const& operand) {
  bool const any = left.ellipsis() >= 0;
  int const axes = left.groups - (any ? 1 : 0);
  if (operand.rank < axes) return "fewer axes than in the pattern";
  return operand.rank > axes && !any ? "more axes than in the pattern" : FixedText{};
}

/// Splits the operand into the words on the left; the axes of `...` keep their names.
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

}  // namespace tenon::internal
