#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include <tenon/core/language/pattern.hpp>

namespace tenon::internal {

/// The most words on one side of a pattern.
inline constexpr int max_factors = 2 * max_rank;

/// One word on one side of `b t (h=8 d) -> b h t d`. Words in one pair of parentheses are the
/// factors of one axis: they share a group.
struct PatternFactor {
  std::string_view text{};  ///< As written: `h=8`, `1`, `...`, `()`
  std::string_view name{};  ///< `h`; "" of a number and of `...`
  std::int64_t size = dynamic;
  int group = 0;
  bool is_ellipsis = false;
  bool is_inside = false;  ///< of parentheses

  constexpr bool is_number() const { return name.empty() && !is_ellipsis; }
  constexpr bool is_open() const { return name.starts_with('_'); }  ///< `_`: documentation only
};

/// One side of a pattern, or its error.
struct PatternSide {
  std::array<PatternFactor, max_factors> factors{};
  int count = 0;
  int groups = 0;
  FixedText mistake{};

  constexpr PatternFactor& operator[](int i) { return factors[static_cast<std::size_t>(i)]; }
  constexpr PatternFactor const& operator[](int i) const {
    return factors[static_cast<std::size_t>(i)];
  }

  /// The index of a word; -1 if it is not on this side. `_` has no name and is never found.
  constexpr int find(std::string_view name) const {
    for (int i = 0; i < count; ++i) {
      if (!name.empty() && (*this)[i].name == name && !(*this)[i].is_open()) return i;
    }
    return -1;
  }

  constexpr int ellipsis() const {
    for (int i = 0; i < count; ++i) {
      if ((*this)[i].is_ellipsis) return i;
    }
    return -1;
  }
};

/// Reads one side of a pattern.
struct SideReader {
  PatternSide side{};
  bool inside = false;  ///< of parentheses
  int opened = 0;       ///< the number of words before them

  constexpr void refuse(FixedText const& mistake) {
    if (side.mistake.empty()) side.mistake = mistake;
  }

  constexpr void add(PatternFactor const& factor) {
    if (side.count == max_factors) return refuse("over 16 words on one side");
    side[side.count] = factor;
    side[side.count].is_inside = inside;
    side[side.count++].group = side.groups;
    if (!inside) ++side.groups;
  }

  constexpr void open() {
    if (inside) refuse("parentheses do not nest");
    inside = true;
    opened = side.count;
  }

  constexpr void close() {
    if (!inside) return refuse("a ) closes nothing");
    if (side.count == opened) add({.text = "()", .size = 1});
    inside = false;
    ++side.groups;
  }

  constexpr void add_word(SpecToken const& token) {
    FixedText const mistake = pattern_mistake(token);
    if (!mistake.empty()) return refuse(mistake);
    if (side.find(token.name) >= 0) {
      return refuse(mistake_text({token.name, " stands twice on one side"}));
    }
    add({.text = token.word, .name = token.name, .size = token.size});
  }

  constexpr void add_ellipsis() {
    if (side.ellipsis() >= 0) return refuse("... stands twice on one side");
    add({.text = "...", .is_ellipsis = true});
  }

  constexpr void take(PatternWord const& next) {
    switch (next.mark) {
      case PatternMark::open:
        return open();
      case PatternMark::close:
        return close();
      case PatternMark::ellipsis:
        return add_ellipsis();
      case PatternMark::word:
        return add_word(next.token);
      default:
        return refuse(mistake_text({"a stray ", next.text}));
    }
  }
};

/// Reads a side of a pattern up to its `end`, an arrow or the end of the text.
constexpr PatternSide read_side(PatternReader& pattern, PatternMark end) {
  SideReader reader;
  PatternWord next = pattern.next();
  for (; next.mark != end && next.mark != PatternMark::end; next = pattern.next())
    reader.take(next);
  if (next.mark != end) reader.refuse(missing("an arrow", next));
  if (reader.inside) reader.refuse("a ( is not closed");
  return reader.side;
}

}  // namespace tenon::internal
