#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <tenon/core/config.hpp>
#include <tenon/io/byte_stream.hpp>

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
#include <tenon/io/npy/literal.ipp>
#endif
