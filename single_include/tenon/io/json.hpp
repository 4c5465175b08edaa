// Tenon 0.1.0. Made by scripts/single_include from include/: to be changed there.
// MIT License
//
// Copyright (c) 2025 The Tenon authors
//
// Permission is hereby granted, free of charge, to any person obtaining a copy
// of this software and associated documentation files (the "Software"), to deal
// in the Software without restriction, including without limitation the rights
// to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
// copies of the Software, and to permit persons to whom the Software is
// furnished to do so, subject to the following conditions:
//
// The above copyright notice and this permission notice shall be included in all
// copies or substantial portions of the Software.
//
// THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
// IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
// FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
// AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
// LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
// OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
// SOFTWARE.

#pragma once

// The subset of JSON (RFC 8259) in the headers of safetensors files: objects, arrays, strings and
// nonnegative integers.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <tenon/tenon.hpp>

namespace tenon::json {

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

}  // namespace tenon::json

#if TENON_DEFINES_RUNTIME
#include <tenon/io/json.ipp>
#endif
