#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include <tenon/core/language/pattern.hpp>
#include <tenon/core/rules/agree.hpp>
#include <tenon/core/rules/labels.hpp>

namespace tenon::internal {

/// The state of parsing an einsum pattern: the word and the axis of each label.
struct EinsumReader {
  Contraction product{};
  std::array<std::string_view, max_labels> words{};
  std::array<Axis, max_labels> axes{};
  PatternReader rest;
  PatternWord next{};  ///< The next token.

  constexpr explicit EinsumReader(std::string_view pattern) : rest(pattern) { advance(); }

  constexpr void advance() { next = rest.next(); }

  constexpr bool refuse(FixedText const& mistake, int left_axis = -1, int right_axis = -1) {
    product = mismatched(left_axis, right_axis, mistake);
    return false;
  }

  constexpr int find(std::string_view word) const {
    for (int i = 0; i < product.labels; ++i) {
      if (words[static_cast<std::size_t>(i)] == word) return i;
    }
    return -1;
  }

  constexpr std::size_t label(std::string_view word) {
    int const known = find(word);
    if (known >= 0) return static_cast<std::size_t>(known);
    auto const added = static_cast<std::size_t>(product.labels++);
    words[added] = word;
    return added;
  }

  /// Assigns the label of the next word to one axis of an operand.
  constexpr bool read_axis(Axis const& axis, AxisMap& labels, int position) {
    SpecToken const& token = next.token;
    bool const is_left = &labels == &product.left;
    int const left_axis = is_left ? position : -1;
    int const right_axis = is_left ? -1 : position;
    std::size_t const at = label(token.name);
    Axis const sized = Axis{.size = token.size};
    if (!agree(axes[at], sized) || !agree(axis, sized)) {
      return refuse(mistake_text({token.word, " is another size than its axis"}), left_axis,
                    right_axis);
    }
    if (!agree(axes[at], axis)) {
      return refuse(mistake_text({"the axes of ", token.name, " do not agree"}),
                    is_left ? position : first_with(product.left, at), right_axis);
    }
    axes[at] = merge(merge(axes[at], sized), axis);
    labels[static_cast<std::size_t>(position)] = static_cast<std::int8_t>(at);
    return true;
  }

  static constexpr int first_with(AxisMap const& labels, std::size_t label) {
    for (int i = 0; i < max_rank; ++i) {
      if (labels[static_cast<std::size_t>(i)] == static_cast<std::int8_t>(label)) return i;
    }
    return -1;
  }

  /// Rejects a word that is not a name.
  constexpr bool check_word() {
    FixedText const mistake = pattern_mistake(next.token);
    if (!mistake.empty()) return refuse(mistake);
    if (next.token.kind == TokenKind::name) return true;
    return refuse(mistake_text({next.text, ": write a name"}));
  }

  constexpr bool read_operand(Shape const& operand, AxisMap& labels, std::string_view which) {
    int rank = 0, letters = 0;
    for (; next.mark == PatternMark::word; advance()) {
      if (!check_word()) return false;
      letters += static_cast<int>(next.token.word.size());
      if (rank == operand.rank) break;
      if (!read_axis(operand[rank], labels, rank)) return false;
      ++rank;
    }
    if (next.mark == PatternMark::word)
      return refuse(mistake_text({which, ": fewer axes than words"}));
    bool const ends = next.mark == PatternMark::comma || next.mark == PatternMark::arrow ||
                      next.mark == PatternMark::end;
    if (!ends) return refuse(mistake_text({"a stray ", next.text}));
    if (rank == operand.rank) return true;
    if (letters == operand.rank) return refuse("separate letters by spaces");
    return refuse(mistake_text({which, ": more axes than words"}));
  }

  constexpr bool read_mark(PatternMark mark, std::string_view text) {
    if (next.mark != mark) return refuse(missing(text, next));
    advance();
    return true;
  }

  constexpr bool read_result_axis() {
    SpecToken const& token = next.token;
    int const known = find(token.name);
    if (known < 0) return refuse(mistake_text({token.name, " is in no operand"}));
    auto const at = static_cast<std::size_t>(known);
    if (first_with(product.out, at) >= 0) {
      return refuse(mistake_text({token.name, " stands twice in the result"}));
    }
    if (product.shape.rank == max_rank) return refuse("the result has more than 8 axes");
    if (!agree(axes[at], Axis{.size = token.size})) {
      return refuse(mistake_text({token.word, " is another size than its axis"}));
    }
    axes[at] = merge(axes[at], Axis{.size = token.size});
    product.out[static_cast<std::size_t>(product.shape.rank)] = static_cast<std::int8_t>(at);
    product.shape[product.shape.rank++] = named(axes[at], token.name);
    return true;
  }

  static constexpr Axis named(Axis const& axis, std::string_view name) {
    return {name, {}, axis.size, axis.lower, axis.upper};
  }

  constexpr bool read_result() {
    if (!read_mark(PatternMark::arrow, "an arrow")) return false;
    for (; next.mark == PatternMark::word; advance()) {
      if (!check_word() || !read_result_axis()) return false;
    }
    return next.mark == PatternMark::end || refuse(mistake_text({"a stray ", next.text}));
  }

  constexpr Contraction finished(bool fits) {
    if (!fits) return product;
    product.fits = true;
    for (std::size_t i = 0; i < max_labels; ++i) product.extents[i] = axes[i].size;
    return product;
  }
};

/// `"b h q d, b h k d -> b h q k"`: a word denotes one extent; repeated words require axes that
/// agree. Words that are not in the result are summed over; the axes of the result have the names
/// of the pattern.
constexpr Contraction einsum_rule(std::string_view pattern, Shape const& a, Shape const& b) {
  EinsumReader reader(pattern);
  return reader.finished(reader.read_operand(a, reader.product.left, "left operand") &&
                         reader.read_mark(PatternMark::comma, "a comma") &&
                         reader.read_operand(b, reader.product.right, "right operand") &&
                         reader.read_result());
}

/// An einsum of one operand: `"i i ->"` is the trace.
constexpr Contraction einsum_rule(std::string_view pattern, Shape const& a) {
  EinsumReader reader(pattern);
  return reader.finished(reader.read_operand(a, reader.product.left, "operand") &&
                         reader.read_result());
}

}  // namespace tenon::internal
