#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include <tenon/core/axis.hpp>
#include <tenon/core/error.hpp>
#include <tenon/core/rules/resolve.hpp>
#include <tenon/core/rules/split.hpp>

namespace tenon::internal {

/// A rearrangement: the operand is split into factors, permuted, and merged to the result.
struct Rearrangement {
  bool fits = false;
  FixedText mistake{};              ///< Of a mismatch: the reason, as a sentence.
  Shape split{};                    ///< The operand, its axes split into factors.
  AxisMap split_from = no_axes();   ///< Axis of `split` -> axis of the operand.
  AxisMap order = no_axes();        ///< Axis of `permuted` -> axis of `split`; -1: a new axis.
  int kept = 0;                     ///< The rank of `permuted`. An axis of `split` that is not in
                                    ///< `order` has size 1, or is reduced by `reduce`.
  Shape permuted{};                 ///< The shape after permutation and repetition.
  AxisMap merged_into = no_axes();  ///< Axis of `permuted` -> axis of the result.
  Shape shape{};                    ///< Of the result: its axes have the names of the pattern.
};

/// The operations of a pattern besides permuting axes.
struct Freedom {
  bool drops = false;  ///< `reduce` may leave words out.
  bool adds = false;   ///< `repeat` may add words with a size.
};

/// The state of parsing the right side of a pattern.
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

  /// Appends the axes of `split` for one word on the left.
  constexpr void append_word(int word) {
    for (int i = 0; i < split.shape.rank; ++i) {
      if (split.word[static_cast<std::size_t>(i)] == word) append(split.shape[i], i);
    }
  }

  constexpr void append_new(PatternFactor const& factor) {
    if (factor.is_number() && factor.size == 1) return append(axis_of_size(1), -1);
    if (factor.is_open()) return refuse(mistake_text({factor.text, " is no name for a result"}));
    if (!freedom.adds) return refuse(mistake_text({factor.text, " is not on the left"}));
    if (factor.size == dynamic) {
      return refuse(mistake_text({factor.text, " is new: write its size, ", factor.text, "=3"}));
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
      if (i > begin)
        merged = axis_of(symbolic_extent(merged) * symbolic_extent(result.permuted[i]));
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

  /// Rejects a word on the left that is missing on the right.
  constexpr void check_left() {
    for (int i = 0; i < left.count && !freedom.drops; ++i) {
      PatternFactor const& factor = left[i];
      bool const found = factor.is_ellipsis ? right.ellipsis() >= 0 : right.find(factor.name) >= 0;
      bool const is_one = factor.is_number() && factor.size == 1;
      if (!found && !is_one) refuse(mistake_text({factor.text, " is not on the right"}));
    }
  }

  /// The axes of the result that `...` denotes, each by itself: only they have the operand's names.
  constexpr AxisMap untouched() const {
    AxisMap result_axes = no_axes();
    int const ellipsis = left.ellipsis();
    for (int i = 0; i < result.kept; ++i) {
      auto const at = static_cast<std::size_t>(i);
      int const from = result.order[at];
      bool const is_any = from >= 0 && split.word[static_cast<std::size_t>(from)] == ellipsis;
      auto const to = result.merged_into[at];
      bool const alone = to >= 0 && result.shape[to] == result.permuted[i];
      if (is_any && alone) result_axes[static_cast<std::size_t>(to)] = to;
    }
    return result_axes;
  }

  constexpr Rearrangement whole() {
    result.mistake = split.mistake;
    check_left();
    for (int group = 0; group < right.groups && result.mistake.empty(); ++group) read_group(group);
    ResolvedAxes const resolved_axes =
        resolve(without_captures(result.shape, result.shape, untouched()));
    if (!resolved_axes.mistake.empty()) refuse(resolved_axes.mistake);
    result.shape = resolved_axes.shape;
    result.split = split.shape;
    result.split_from = split.from;
    result.fits = result.mistake.empty();
    return result;
  }
};

/// The left side of a pattern with the sizes that are given on the right: `(h d) -> h=8 d`.
constexpr PatternSide with_sizes(PatternSide const& left, PatternSide const& right) {
  PatternSide result = left;
  for (int i = 0; i < left.count; ++i) {
    int const there = right.find(left[i].name);
    if (there < 0 || right[there].size == dynamic) continue;
    if (left[i].size == dynamic) result[i].size = right[there].size;
    if (result[i].size == right[there].size) continue;
    result.mistake = mistake_text({left[i].name, " has two sizes"});
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

/// einops' reduce: words that are not on the right are reduced; `1` keeps them with size 1.
constexpr Rearrangement reduce_rule(std::string_view pattern, Shape const& operand) {
  return rearrangement(pattern, operand, {.drops = true});
}

/// einops' repeat: words with a size that are not on the left are new axes.
constexpr Rearrangement repeat_rule(std::string_view pattern, Shape const& operand) {
  return rearrangement(pattern, operand, {.adds = true});
}

/// The known factors of one axis of the operand.
struct KnownFactors {
  std::int64_t product = 1;
  bool open = false;  ///< One factor is inferred from the size.

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

/// The sizes of the factors at run time: infers the unknown one in each axis of the operand. Throws
/// ShapeError where the known factors do not divide their axis.
constexpr Sizes split_sizes(Rearrangement const& rule, Sizes const& operand,
                            std::string_view who = "rearrange") {
  Sizes result = unit_sizes();
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
  Sizes result = unit_sizes();
  for (std::size_t i = 0; i < static_cast<std::size_t>(rule.kept); ++i) {
    result[i] = rule.order[i] < 0 ? rule.permuted.axes[i].size
                                  : split[static_cast<std::size_t>(rule.order[i])];
  }
  return result;
}

/// The sizes of the result.
constexpr Sizes merged_sizes(Rearrangement const& rule, Sizes const& permuted) {
  Sizes result = unit_sizes();
  for (std::size_t i = 0; i < static_cast<std::size_t>(rule.kept); ++i) {
    result[static_cast<std::size_t>(rule.merged_into[i])] *= permuted[i];
  }
  return result;
}

}  // namespace tenon::internal
