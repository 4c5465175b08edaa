#pragma once

#include <initializer_list>
#include <string_view>

#include <tenon/core/language/text.hpp>
#include <tenon/core/language/token.hpp>

namespace tenon::internal {

/// Concatenates the parts; text beyond the capacity is cut off.
constexpr FixedText mistake_text(std::initializer_list<std::string_view> parts) {
  FixedText result;
  for (std::string_view part : parts) {
    result.append(part.substr(0, FixedText::capacity - result.length));
  }
  return result;
}

/// The tokens of a pattern such as `b t (h=8 d) -> b h t d`.
enum class PatternMark { word, ellipsis, open, close, comma, arrow, end };

struct PatternWord {
  PatternMark mark = PatternMark::end;
  std::string_view text{};
  SpecToken token{};  ///< Of a word: its name and size.
};

/// The reason why a word is not allowed in the pattern of an operation; empty where it is.
constexpr FixedText pattern_mistake(SpecToken const& token) {
  if (!token.mistake.empty()) return mistake_text({token.word, ": ", token.mistake});
  if (token.has_modifier()) return mistake_text({token.word, ": no modifier in this pattern"});
  if (token.has_bounds()) return mistake_text({token.word, ": no bounds in this pattern"});
  if (token.kind == TokenKind::expression) return mistake_text({token.word, ": write a name"});
  if (!token.expression.empty())
    return mistake_text({token.word, ": in a pattern write the size alone"});
  return {};
}

/// The error where `expected` is missing. Error texts have no quotes, which compilers print
/// escaped, and are short: clang truncates texts longer than 36 characters.
constexpr FixedText missing(std::string_view expected, PatternWord const& got) {
  if (got.mark == PatternMark::end) return mistake_text({expected, " is missing"});
  return mistake_text({expected, " is missing before ", got.text});
}

/// Reads a pattern token by token; every text is a view into the pattern.
class PatternReader {
 public:
  constexpr explicit PatternReader(std::string_view pattern) : rest_(pattern) {}

  constexpr PatternWord next() {
    while (!rest_.empty() && is_space(rest_[0])) rest_.remove_prefix(1);
    if (rest_.empty()) return {};
    if (rest_.starts_with("...")) return take(PatternMark::ellipsis, 3);
    if (rest_.starts_with("->")) return take(PatternMark::arrow, 2);
    switch (rest_[0]) {
      case '(':
        return take(PatternMark::open, 1);
      case ')':
        return take(PatternMark::close, 1);
      case ',':
        return take(PatternMark::comma, 1);
      default:
        return word();
    }
  }

 private:
  constexpr PatternWord take(PatternMark mark, std::size_t length) {
    PatternWord const result{mark, rest_.substr(0, length), {}};
    rest_.remove_prefix(length);
    return result;
  }

  constexpr PatternWord word() {
    std::size_t length = 1;
    while (length < rest_.size() && !ends_word(rest_.substr(length))) ++length;
    std::string_view const text = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return {PatternMark::word, text, token_of(text)};
  }

  static constexpr bool ends_word(std::string_view rest) {
    return is_space(rest[0]) || rest[0] == '(' || rest[0] == ')' || rest[0] == ',' ||
           rest.starts_with("->");
  }

  std::string_view rest_;
};

}  // namespace tenon::internal
