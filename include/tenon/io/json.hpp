#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <tenon/core/config.hpp>

// JSON (RFC 8259) from a text, value by value: objects, arrays, strings, numbers and literals.

namespace tenon::internal::json {

/// A streaming parser. The caller requests the expected value; anything else throws `FileError`.
/// Nothing is stored, nothing recurses.
class Reader {
 public:
  /// The text must be UTF-8 and outlive the reader; `where` is the file in messages, `name` the
  /// part of it.
  Reader(std::string_view text, std::string_view where, std::string_view name = "header")
      : text_(text), where_(where), name_(name) {}

  /// Consumes a character if it is next.
  bool accept(char c);

  void expect(char c);

  std::string string();

  /// An integer from 0 to 2^63 - 1.
  std::int64_t number();

  /// The text of any number.
  std::string number_text();

  /// The next character after white space; 0 at the end.
  char next_character();

  /// Consumes `true`, `false` or `null`.
  void literal(std::string_view word);

  std::size_t position() const { return at_; }

  /// Calls entry(name) for every entry of an object, which must read the value.
  template <class F>
  void object(F&& entry) {
    expect('{');
    if (accept('}')) return;
    do {
      std::string name = string();
      expect(':');
      entry(std::move(name));
    } while (more('}'));
  }

  /// Calls element() for every element of an array, which must read it.
  template <class F>
  void array(F&& element) {
    expect('[');
    if (accept(']')) return;
    do element();
    while (more(']'));
  }

  void end();

  /// Throws `FileError` with the expected and the actual text.
  [[noreturn]] void refuse(std::string const& expected) const { refuse(expected, next()); }

  [[noreturn]] void refuse(std::string const& expected, std::string const& got) const;

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  void skip_space();

  bool more(char close);

  std::string next() const;

  void escape(std::string& to);

  /// The code point after `\u`: above 16 bits a surrogate pair.
  std::uint32_t code_point();

  std::uint32_t four_digits();

  std::string_view text_;
  std::string where_;
  std::string name_;
  std::size_t at_ = 0;
};

/// A string in quotes, with the escapes that JSON requires.
std::string quoted(std::string_view text);

}  // namespace tenon::internal::json

#if TENON_DEFINES_RUNTIME

#include <tenon/core/error.hpp>
#include <tenon/core/language/word.hpp>
#include <tenon/io/utf8.hpp>

namespace tenon::internal::json {

TENON_RUNTIME bool Reader::accept(char c) {
  skip_space();
  if (at_ == text_.size() || text_[at_] != c) return false;
  ++at_;
  return true;
}

TENON_RUNTIME void Reader::expect(char c) {
  if (!accept(c)) refuse(std::string("'") + c + "'");
}

TENON_RUNTIME std::string Reader::string() {
  if (!accept('"')) refuse("a string");
  std::string result;
  while (true) {
    if (at_ == text_.size()) refuse("the end of a string");
    char const c = text_[at_];
    if (static_cast<unsigned char>(c) < 0x20) refuse("a string without control characters");
    ++at_;
    if (c == '"') return result;
    if (c == '\\') escape(result);
    else result += c;
  }
}

TENON_RUNTIME std::int64_t Reader::number() {
  skip_space();
  std::string const digits(leading_digits(text_.substr(at_)));
  if (digits.empty()) refuse("a whole number");
  if (digits[0] == '0' && digits.size() > 1) refuse("a number without leading zeros", digits);
  std::int64_t value = 0;
  for (char const digit : digits) {
    bool const wide = __builtin_mul_overflow(value, std::int64_t{10}, &value) ||
                      __builtin_add_overflow(value, std::int64_t{digit - '0'}, &value);
    if (wide) refuse("a number below 2^63", digits.substr(0, 40));
  }
  at_ += digits.size();
  if (peek() == '.' || peek() == 'e' || peek() == 'E') refuse("a whole number");
  return value;
}

TENON_RUNTIME std::string Reader::number_text() {
  skip_space();
  std::size_t const begin = at_;
  auto const digits = [&] {
    std::size_t const count = leading_digits(text_.substr(at_)).size();
    if (count == 0) refuse("a number");
    at_ += count;
  };
  if (peek() == '-') ++at_;
  if (peek() == '0' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]))
    refuse("a number without leading zeros");
  digits();
  if (peek() == '.') ++at_, digits();
  if (peek() == 'e' || peek() == 'E') {
    ++at_;
    if (peek() == '+' || peek() == '-') ++at_;
    digits();
  }
  return std::string(text_.substr(begin, at_ - begin));
}

TENON_RUNTIME char Reader::next_character() {
  skip_space();
  return peek();
}

TENON_RUNTIME void Reader::literal(std::string_view word) {
  skip_space();
  if (text_.substr(at_, word.size()) != word) refuse(std::string(word));
  at_ += word.size();
}

TENON_RUNTIME void Reader::end() {
  skip_space();
  if (at_ < text_.size()) refuse("nothing more");
}

TENON_RUNTIME void Reader::refuse(std::string const& expected, std::string const& got) const {
  std::string const where = where_ + ", byte " + std::to_string(at_) + " of the " + name_;
  std::string const shown = escaped(got);
  fail<FileError>({.who = "load", .expected = expected, .got = shown, .where = where});
}

TENON_RUNTIME void Reader::skip_space() {
  while (at_ < text_.size() && is_space(text_[at_])) ++at_;
}

TENON_RUNTIME bool Reader::more(char close) {
  if (accept(',')) return true;
  if (!accept(close)) refuse(std::string("',' or '") + close + "'");
  return false;
}

TENON_RUNTIME std::string Reader::next() const {
  if (at_ >= text_.size()) return "the end of the " + name_;
  auto const byte = static_cast<unsigned char>(text_[at_]);
  if (byte < 0x20 || byte == 0x7f) return "the control character " + std::to_string(byte);
  return "'" + std::string(text_.substr(at_, utf8_length(text_.substr(at_)))) + "'";
}

TENON_RUNTIME void Reader::escape(std::string& to) {
  constexpr std::string_view letters = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
  if (peek() == 'u') {
    ++at_;
    return append_utf8(to, code_point());
  }
  auto const found = at_ < text_.size() ? letters.find(text_[at_]) : letters.npos;
  if (found == letters.npos) refuse("an escape of JSON");
  ++at_;
  to += meanings[found];
}

TENON_RUNTIME std::uint32_t Reader::code_point() {
  std::uint32_t const first = four_digits();
  if (!is_surrogate(first)) return first;
  if (first >= 0xdc00 || text_.substr(at_, 2) != "\\u")
    refuse("the two halves of a surrogate pair");
  at_ += 2;
  std::uint32_t const second = four_digits();
  if (second < 0xdc00 || second >= 0xe000) refuse("the second half of a surrogate pair");
  return 0x10000 + ((first - 0xd800) << 10 | (second - 0xdc00));
}

TENON_RUNTIME std::uint32_t Reader::four_digits() {
  std::uint32_t code = 0;
  for (int i = 0; i < 4; ++i, ++at_) {
    char const c = peek(), low = static_cast<char>(c | 0x20);
    if (!is_digit(c) && (low < 'a' || low > 'f')) refuse("four hexadecimal digits");
    code = code << 4 | static_cast<std::uint32_t>(is_digit(c) ? c - '0' : low - 'a' + 10);
  }
  return code;
}

TENON_RUNTIME std::string quoted(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string result = "\"";
  for (char const c : text) {
    auto const byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') result += '\\';
    if (byte < 0x20) {
      result.append("\\u00").append({digits[byte >> 4], digits[byte & 15u]});
    } else {
      result += c;
    }
  }
  return result += '"';
}

}  // namespace tenon::internal::json

#endif
