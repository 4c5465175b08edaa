#pragma once

// JSON (RFC 8259) from a text, value by value: objects, arrays, strings, numbers and literals.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <tenon/core/config.hpp>

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
#include <tenon/io/json.ipp>
#endif
