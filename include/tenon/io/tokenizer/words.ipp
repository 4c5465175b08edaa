#pragma once

#include <limits>

#include <tenon/core/config.hpp>
#include <tenon/io/tokenizer/characters.hpp>
#include <tenon/io/tokenizer/words.hpp>

namespace tenon::internal {

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
