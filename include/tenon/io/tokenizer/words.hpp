#pragma once

#include <cstddef>
#include <string_view>

#include <tenon/core/config.hpp>

namespace tenon::internal {

/// The regular expressions by which pre-tokenizers split a text into words.
enum class WordPattern { gpt2, llama3 };

inline constexpr std::string_view gpt2_pattern =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";
inline constexpr std::string_view llama3_pattern =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}|)"
    R"( ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";

/// The end of the word that begins at a position of a text, by a pattern.
std::size_t word_end(WordPattern pattern, std::string_view text, std::size_t at);

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME

#include <algorithm>
#include <iterator>
#include <limits>

#include <tenon/io/tokenizer/unicode_tables.hpp>
#include <tenon/io/utf8.hpp>

namespace tenon::internal {

/// What the pre-tokenizers' regular expressions distinguish: `\s`, `\p{L}`, `\p{N}`, and the rest.
enum class CharacterClass { space, letter, number, other };

template <std::size_t n>
constexpr bool contains(CodeRange const (&ranges)[n], std::uint32_t code) {
  auto const* const after = std::ranges::upper_bound(ranges, code, {}, &CodeRange::first);
  return after != std::begin(ranges) && code <= std::prev(after)->last;
}

/// Unicode's White_Space.
inline constexpr CodeRange space_ranges[] = {
    {0x9, 0xd},       {0x20, 0x20},     {0x85, 0x85},     {0xa0, 0xa0},     {0x1680, 0x1680},
    {0x2000, 0x200a}, {0x2028, 0x2029}, {0x202f, 0x202f}, {0x205f, 0x205f}, {0x3000, 0x3000},
};

constexpr CharacterClass class_of(std::uint32_t code) {
  if (contains(space_ranges, code)) return CharacterClass::space;
  if (contains(letter_ranges, code)) return CharacterClass::letter;
  if (contains(number_ranges, code)) return CharacterClass::number;
  return CharacterClass::other;
}

/// A character of a text. A byte that is no UTF-8 is one of class `other`, without a code point.
struct Character {
  std::uint32_t code = 0;
  std::size_t bytes = 0;  ///< 0 at the end of the text.
  CharacterClass kind = CharacterClass::other;
};

constexpr Character character_at(std::string_view text, std::size_t at) {
  if (at >= text.size()) return {};
  std::string_view const rest = text.substr(at);
  std::size_t const bytes = utf8_length(rest);
  if (bytes == 0) return {0xfffd, 1, CharacterClass::other};
  std::uint32_t const code = utf8_code(rest, bytes);
  return {code, bytes, class_of(code)};
}

/// Matches the alternatives of the patterns at a position: each function returns the end of its
/// match, or the position itself if it does not match.
class WordMatcher {
 public:
  using Class = CharacterClass;

  WordMatcher(std::string_view text, std::size_t at) : text_(text), at_(at) {}

  /// The end of a run of at most `most` characters of one class.
  std::size_t run(std::size_t from, Class kind,
                  std::size_t most = (std::numeric_limits<std::size_t>::max)()) const {
    for (std::size_t i = 0; i < most; ++i) {
      Character const next = character_at(text_, from);
      if (next.bytes == 0 || next.kind != kind) break;
      from += next.bytes;
    }
    return from;
  }

  /// 's 't 're 've 'm 'll 'd. Without regard to case also ſ, which folds to s.
  std::size_t contraction(bool any_case) const {
    if (at_ >= text_.size() || text_[at_] != '\'') return at_;
    for (std::string_view const ending : {"s", "t", "re", "ve", "m", "ll", "d"}) {
      std::string_view const found = text_.substr(at_ + 1, ending.size());
      if (found == ending || (any_case && is_upper_of(found, ending)))
        return at_ + 1 + found.size();
    }
    return any_case && text_.substr(at_ + 1, 2) == "\u017f" ? at_ + 3 : at_;
  }

  /// A run of letters, of numbers or of other characters, with one space before it.
  std::size_t spaced_run(Class kind) const {
    std::size_t const from = at_ + (text_[at_] == ' ' ? 1 : 0);
    std::size_t const end = run(from, kind);
    return end > from ? end : at_;
  }

  /// Letters, with any one character before them that is no end of a line, letter or number.
  std::size_t prefixed_letters() const {
    Character const first = character_at(text_, at_);
    bool const is_prefix =
        !is_newline(at_) && first.kind != Class::letter && first.kind != Class::number;
    std::size_t const from = at_ + (is_prefix ? first.bytes : 0);
    std::size_t const end = run(from, Class::letter);
    return end > from ? end : at_;
  }

  /// Other characters with one space before and ends of lines after them.
  std::size_t others_to_newlines() const {
    std::size_t end = spaced_run(Class::other);
    if (end == at_) return at_;
    while (is_newline(end)) ++end;
    return end;
  }

  /// White space up to its last end of a line.
  std::size_t space_to_newline() const {
    std::size_t end = run(at_, Class::space);
    while (end > at_ && !is_newline(end - 1)) --end;
    return end;
  }

  /// White space; before a word without its last character, if it has more than one.
  std::size_t space() const {
    std::size_t const end = run(at_, Class::space);
    if (end == text_.size()) return end;
    std::size_t before = at_;
    for (std::size_t next = at_; next < end; next += character_at(text_, next).bytes) before = next;
    return before > at_ ? before : end;
  }

 private:
  bool is_newline(std::size_t at) const {
    return at < text_.size() && (text_[at] == '\r' || text_[at] == '\n');
  }

  static bool is_upper_of(std::string_view text, std::string_view lower) {
    if (text.size() != lower.size()) return false;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] != lower[i] && text[i] + ('a' - 'A') != lower[i]) return false;
    }
    return true;
  }

  std::string_view text_;
  std::size_t at_;
};

TENON_RUNTIME std::size_t gpt2_word_end(WordMatcher const& match, std::size_t at) {
  using enum CharacterClass;
  if (std::size_t const end = match.contraction(false); end > at) return end;
  for (auto const kind : {letter, number, other}) {
    if (std::size_t const end = match.spaced_run(kind); end > at) return end;
  }
  return match.space();
}

TENON_RUNTIME std::size_t llama3_word_end(WordMatcher const& match, std::size_t at) {
  if (std::size_t const end = match.contraction(true); end > at) return end;
  if (std::size_t const end = match.prefixed_letters(); end > at) return end;
  if (std::size_t const end = match.run(at, CharacterClass::number, 3); end > at) return end;
  if (std::size_t const end = match.others_to_newlines(); end > at) return end;
  if (std::size_t const end = match.space_to_newline(); end > at) return end;
  return match.space();
}

TENON_RUNTIME std::size_t word_end(WordPattern pattern, std::string_view text, std::size_t at) {
  WordMatcher const match(text, at);
  return pattern == WordPattern::gpt2 ? gpt2_word_end(match, at) : llama3_word_end(match, at);
}

}  // namespace tenon::internal

#endif
