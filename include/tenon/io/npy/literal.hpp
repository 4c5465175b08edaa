#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <tenon/core/config.hpp>
#include <tenon/io/file.hpp>

namespace tenon::internal::npy {

/// A parser of the Python literals in headers: dictionaries, tuples, strings without escapes,
/// integers, `True` and `False`. The caller requests the expected value; anything else throws
/// `FileError`. Nothing recurses.
class LiteralReader {
 public:
  /// The text must outlive the reader.
  LiteralReader(std::string_view text, ArrayPlace const& place) : text_(text), place_(place) {}

  /// Consumes a character if it is next.
  bool accept(char c);

  /// Whether a character is next.
  bool is_next(char c);

  void expect(char c);

  std::string string();

  /// An integer from 0 to 2^53; that of Python 2 may end in `L`.
  std::int64_t size();

  bool boolean();

  /// Consumes a list or a tuple of any contents, which must be next; returns its text.
  std::string brackets();

  void end();

  /// Throws `FileError` with the expected and the actual text.
  [[noreturn]] void refuse(std::string const& expected) const { refuse(expected, next()); }
  [[noreturn]] void refuse(std::string const& expected, std::string const& got) const;

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  /// One of any characters, which its quote begins.
  void skip_string(char quote);

  bool accept_word(std::string_view word);

  void skip_space();

  std::string next() const;

  std::string_view text_;
  ArrayPlace place_;
  std::size_t at_ = 0;
};

}  // namespace tenon::internal::npy

#if TENON_DEFINES_RUNTIME

#include <tenon/core/language/word.hpp>

namespace tenon::internal::npy {

TENON_RUNTIME bool LiteralReader::accept(char c) {
  bool const is_here = is_next(c);
  if (is_here) ++at_;
  return is_here;
}

TENON_RUNTIME bool LiteralReader::is_next(char c) {
  skip_space();
  return at_ < text_.size() && text_[at_] == c;
}

TENON_RUNTIME void LiteralReader::expect(char c) {
  if (!accept(c)) refuse(std::string("'") + c + "'");
}

TENON_RUNTIME std::string LiteralReader::string() {
  char const quote = accept('\'') ? '\'' : '"';
  if (quote == '"' && !accept('"')) refuse("a string");
  std::size_t const begin = at_;
  while (peek() != quote) {
    if (at_ == text_.size()) refuse("the end of a string");
    auto const byte = static_cast<unsigned char>(text_[at_]);
    if (byte < 0x20 || byte > 0x7e || byte == '\\') refuse("a string of ASCII without escapes");
    ++at_;
  }
  return std::string(text_.substr(begin, at_++ - begin));
}

TENON_RUNTIME std::int64_t LiteralReader::size() {
  skip_space();
  std::string const digits(leading_digits(text_.substr(at_)));
  if (digits.empty()) refuse("a whole number");
  if (digits[0] == '0' && digits.size() > 1) refuse("a number without leading zeros", digits);
  std::int64_t value = 0;
  for (char const digit : digits) {
    value = value * 10 + (digit - '0');
    if (value > largest_size) refuse("a size of at most 2^53", digits.substr(0, 40));
  }
  at_ += digits.size();
  if (peek() == 'L') ++at_;
  return value;
}

TENON_RUNTIME bool LiteralReader::boolean() {
  if (accept_word("True")) return true;
  if (accept_word("False")) return false;
  refuse("True or False");
}

TENON_RUNTIME std::string LiteralReader::brackets() {
  skip_space();
  std::size_t const begin = at_;
  for (std::size_t depth = 0;;) {
    char const c = peek();
    if (at_ >= text_.size()) refuse("the end of a list");
    if (c == '\'' || c == '"') {
      skip_string(c);
    } else {
      ++at_;
      if (c == '[' || c == '(') ++depth;
      if ((c == ']' || c == ')') && --depth == 0) break;
    }
  }
  return std::string(text_.substr(begin, at_ - begin));
}

TENON_RUNTIME void LiteralReader::skip_string(char quote) {
  ++at_;
  while (peek() != quote) {
    at_ += peek() == '\\' ? 2u : 1u;
    if (at_ >= text_.size()) refuse("the end of a string");
  }
  ++at_;
}

TENON_RUNTIME void LiteralReader::end() {
  skip_space();
  if (at_ < text_.size()) refuse("nothing more");
}

TENON_RUNTIME void LiteralReader::refuse(std::string const& expected,
                                         std::string const& got) const {
  ArrayPlace place = place_;
  place.where += ", byte " + std::to_string(at_) + " of the header";
  place.refuse(expected, got);
}

TENON_RUNTIME bool LiteralReader::accept_word(std::string_view word) {
  skip_space();
  if (!text_.substr(at_).starts_with(word)) return false;
  at_ += word.size();
  return true;
}

TENON_RUNTIME void LiteralReader::skip_space() {
  while (at_ < text_.size() && is_space(text_[at_])) ++at_;
}

TENON_RUNTIME std::string LiteralReader::next() const {
  if (at_ >= text_.size()) return "the end of the header";
  auto const byte = static_cast<unsigned char>(text_[at_]);
  if (byte < 0x20 || byte > 0x7e) return "the byte " + std::to_string(byte);
  return std::string("'") + text_[at_] + "'";
}

}  // namespace tenon::internal::npy

#endif
