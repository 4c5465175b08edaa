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

#include <tenon/tenon.hpp>

// ---- tenon/io/utf8.hpp

#ifndef TENON_IO_UTF8_HPP
#define TENON_IO_UTF8_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tenon {

/// The bytes that a first byte of UTF-8 announces, and the smallest code point that needs so many.
struct Utf8Lead {
  std::size_t bytes;  ///< 0 where no character begins so.
  std::uint32_t bits;
  std::uint32_t least;
};

constexpr Utf8Lead utf8_lead(unsigned char byte) {
  if (byte < 0x80) return {1, byte, 0};
  if (byte >= 0xc2 && byte < 0xe0) return {2, byte & 0x1fu, 0x80};
  if (byte >= 0xe0 && byte < 0xf0) return {3, byte & 0x0fu, 0x800};
  if (byte >= 0xf0 && byte < 0xf5) return {4, byte & 0x07u, 0x10000};
  return {0, 0, 0};
}

constexpr bool is_surrogate(std::uint32_t code) { return code >= 0xd800 && code < 0xe000; }

/// The bytes of the character at the start of a text, by RFC 3629; 0 where there is none.
constexpr std::size_t utf8_length(std::string_view text) {
  Utf8Lead const lead = text.empty() ? Utf8Lead{} : utf8_lead(static_cast<unsigned char>(text[0]));
  if (lead.bytes == 0 || lead.bytes > text.size()) return 0;
  std::uint32_t code = lead.bits;
  for (std::size_t i = 1; i < lead.bytes; ++i) {
    auto const byte = static_cast<unsigned char>(text[i]);
    if ((byte & 0xc0u) != 0x80u) return 0;
    code = code << 6 | (byte & 0x3fu);
  }
  return code < lead.least || code > 0x10ffff || is_surrogate(code) ? 0 : lead.bytes;
}

/// Where a text stops being UTF-8; its size where all of it is.
constexpr std::size_t utf8_end(std::string_view text) {
  std::size_t at = 0;
  while (std::size_t const bytes = utf8_length(text.substr(at))) at += bytes;
  return at;
}

constexpr bool is_utf8(std::string_view text) { return utf8_end(text) == text.size(); }

/// Appends a code point.
inline void append_utf8(std::string& text, std::uint32_t code) {
  auto const push = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
  auto const follow = [&](int shift) { push(0x80u | (code >> shift & 0x3fu)); };
  if (code < 0x80) {
    push(code);
  } else if (code < 0x800) {
    push(0xc0u | code >> 6), follow(0);
  } else if (code < 0x10000) {
    push(0xe0u | code >> 12), follow(6), follow(0);
  } else {
    push(0xf0u | code >> 18), follow(12), follow(6), follow(0);
  }
}

}  // namespace tenon
#endif

// ---- tenon/io/json.hpp

#ifndef TENON_IO_JSON_HPP
#define TENON_IO_JSON_HPP

// As much of JSON (RFC 8259) as the headers of safetensors files need: objects, arrays, strings and
// whole numbers.

#include <utility>

namespace tenon::json {

/// Reads a text from front to back. The caller says what comes next; anything else throws
/// `FileError`. Nothing is kept, nothing recurses.
class Reader {
 public:
  /// The text must be UTF-8 and outlive the reader; `where` is the file in messages.
  Reader(std::string_view text, std::string_view where) : text_(text), where_(where) {}

  /// Steps over a character if it comes next.
  bool accept(char c) {
    skip_space();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  void expect(char c) {
    if (!accept(c)) refuse(std::string("'") + c + "'");
  }

  std::string string() {
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

  /// A whole number from 0 to 2^63 - 1.
  std::int64_t number() {
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

  /// entry(name) for every entry of an object; it reads the value.
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

  /// element() for every element of an array; it reads it.
  template <class F>
  void array(F&& element) {
    expect('[');
    if (accept(']')) return;
    do element();
    while (more(']'));
  }

  void end() {
    skip_space();
    if (at_ < text_.size()) refuse("nothing more");
  }

  /// Throws: something was expected here, and another thing came.
  [[noreturn]] void refuse(std::string const& expected) const { refuse(expected, next()); }

  [[noreturn]] void refuse(std::string const& expected, std::string const& got) const {
    std::string const where = where_ + ", byte " + std::to_string(at_) + " of the header";
    fail<FileError>({.who = "load", .expected = expected, .got = got, .where = where});
  }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  void skip_space() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }

  bool more(char close) {
    if (accept(',')) return true;
    if (!accept(close)) refuse(std::string("',' or '") + close + "'");
    return false;
  }

  std::string next() const {
    if (at_ >= text_.size()) return "the end of the header";
    auto const byte = static_cast<unsigned char>(text_[at_]);
    if (byte < 0x20 || byte == 0x7f) return "the control character " + std::to_string(byte);
    return "'" + std::string(text_.substr(at_, utf8_length(text_.substr(at_)))) + "'";
  }

  void escape(std::string& to) {
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

  /// What follows `\u`: beyond 16 bits two halves make one code point.
  std::uint32_t code_point() {
    std::uint32_t const first = four_digits();
    if (!is_surrogate(first)) return first;
    if (first >= 0xdc00 || text_.substr(at_, 2) != "\\u")
      refuse("the two halves of a surrogate pair");
    at_ += 2;
    std::uint32_t const second = four_digits();
    if (second < 0xdc00 || second >= 0xe000) refuse("the second half of a surrogate pair");
    return 0x10000 + ((first - 0xd800) << 10 | (second - 0xdc00));
  }

  std::uint32_t four_digits() {
    std::uint32_t code = 0;
    for (int i = 0; i < 4; ++i, ++at_) {
      char const c = peek(), low = static_cast<char>(c | 0x20);
      if (!is_digit(c) && (low < 'a' || low > 'f')) refuse("four hexadecimal digits");
      code = code << 4 | static_cast<std::uint32_t>(is_digit(c) ? c - '0' : low - 'a' + 10);
    }
    return code;
  }

  std::string_view text_;
  std::string where_;
  std::size_t at_ = 0;
};

/// A string in quotes, escaped as far as JSON demands.
inline std::string quoted(std::string_view text) {
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

}  // namespace tenon::json
#endif

// ---- tenon/io/safetensors/dtype.hpp

#ifndef TENON_IO_SAFETENSORS_DTYPE_HPP
#define TENON_IO_SAFETENSORS_DTYPE_HPP

#include <array>
#include <complex>
#include <type_traits>

namespace tenon::safetensors {

/// A dtype of the format: its name there, its name here (none where Tenon has no such dtype), and
/// the bits of an element.
struct StoredDtype {
  std::string_view name;
  std::string_view dtype;
  int bits;
};

/// Every dtype of the format, as of version 0.8 of the reference implementation.
inline constexpr std::array stored_dtypes{
    StoredDtype{"BOOL", "bool", 8},
    StoredDtype{"U8", "uint8", 8},
    StoredDtype{"I8", "int8", 8},
    StoredDtype{"U16", "uint16", 16},
    StoredDtype{"I16", "int16", 16},
    StoredDtype{"F16", "float16", 16},
    StoredDtype{"BF16", "bfloat16", 16},
    StoredDtype{"U32", "uint32", 32},
    StoredDtype{"I32", "int32", 32},
    StoredDtype{"F32", "float32", 32},
    StoredDtype{"U64", "uint64", 64},
    StoredDtype{"I64", "int64", 64},
    StoredDtype{"F64", "float64", 64},
    StoredDtype{"C64", "complex64", 64},
    StoredDtype{"F4", "", 4},
    StoredDtype{"F6_E2M3", "", 6},
    StoredDtype{"F6_E3M2", "", 6},
    StoredDtype{"F8_E5M2", "", 8},
    StoredDtype{"F8_E4M3", "", 8},
    StoredDtype{"F8_E8M0", "", 8},
    StoredDtype{"F8_E4M3FNUZ", "", 8},
    StoredDtype{"F8_E5M2FNUZ", "", 8},
};

/// The dtype of a name of the format; null where there is none.
constexpr StoredDtype const* stored_dtype_named(std::string_view name) {
  for (StoredDtype const& known : stored_dtypes) {
    if (known.name == name) return &known;
  }
  return nullptr;
}

constexpr StoredDtype const* find_stored_dtype(std::string_view dtype) {
  for (StoredDtype const& known : stored_dtypes) {
    if (known.dtype == dtype) return &known;
  }
  return nullptr;
}

/// What stands for a dtype in a file: itself. Numbers of the language that are no dtypes (`long
/// long`, `char`) are integers of their width; the format has no complex128, which is two float64.
template <class T>
struct StoredElement {
  using type = T;
};
template <>
struct StoredElement<std::complex<double>> {
  using type = double;
};
template <class T>
  requires(std::is_integral_v<T> && !is_dtype<T> && sizeof(T) <= sizeof(std::int64_t))
struct StoredElement<T> {
  template <class Signed, class Unsigned>
  using Choice = std::conditional_t<std::is_signed_v<T>, Signed, Unsigned>;
  using Wide = Choice<std::int64_t, std::uint64_t>;
  using Middle = std::conditional_t<sizeof(T) == 4, Choice<std::int32_t, std::uint32_t>, Wide>;
  using Short = std::conditional_t<sizeof(T) == 2, Choice<std::int16_t, std::uint16_t>, Middle>;
  using type = std::conditional_t<sizeof(T) == 1, Choice<std::int8_t, std::uint8_t>, Short>;
};
template <class T>
using StoredAs = typename StoredElement<T>::type;

/// Can a dtype, or a number, stand in a file? (`long double` cannot.)
template <class T>
concept StorableType = is_dtype<StoredAs<T>>;

template <StorableType T>
constexpr StoredDtype const& stored_dtype() {
  return *find_stored_dtype(dtype_name<StoredAs<T>>);
}

}  // namespace tenon::safetensors
#endif

// ---- tenon/io/safetensors/header.hpp

#ifndef TENON_IO_SAFETENSORS_HEADER_HPP
#define TENON_IO_SAFETENSORS_HEADER_HPP

#include <functional>
#include <map>
#include <vector>

namespace tenon {

/// What a file says of itself: names and texts, both UTF-8.
using Metadata = std::map<std::string, std::string>;

namespace safetensors {

/// The largest header, as in the reference implementation.
inline constexpr std::uint64_t most_header_bytes = 100'000'000;

/// The most axes of an entry: PyTorch and NumPy have no more either.
inline constexpr std::size_t most_axes = 64;

inline constexpr std::string_view metadata_name = "__metadata__";

/// What the header says of a tensor. Offsets are bytes from the start of the data.
struct Entry {
  StoredDtype const* dtype = nullptr;
  std::vector<std::int64_t> sizes{};
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

struct Header {
  std::map<std::string, Entry, std::less<>> entries{};
  Metadata metadata{};
  std::uint64_t data_at = 0;  ///< Where in the file the data start.
};

/// Reads the entries of a header. Throws `FileError`.
class HeaderReader {
 public:
  HeaderReader(std::string_view text, std::string_view where) : json_(text, where) {}

  Header read() {
    bool has_metadata = false;
    json_.object([&](std::string name) {
      if (name == metadata_name) {
        if (std::exchange(has_metadata, true)) refuse_repeated(name);
        return read_metadata();
      }
      auto const [place, is_new] = header_.entries.try_emplace(std::move(name));
      if (!is_new) refuse_repeated(place->first);
      read_entry(place->second);
    });
    json_.end();
    return std::move(header_);
  }

 private:
  void read_metadata() {
    json_.object([&](std::string name) {
      auto const [place, is_new] = header_.metadata.try_emplace(std::move(name));
      if (!is_new) refuse_repeated(place->first);
      place->second = json_.string();
    });
  }

  void read_entry(Entry& entry) {
    bool has_dtype = false, has_shape = false, has_offsets = false;
    json_.object([&](std::string const& name) {
      bool* const has = name == "dtype"          ? &has_dtype
                        : name == "shape"        ? &has_shape
                        : name == "data_offsets" ? &has_offsets
                                                 : nullptr;
      if (!has) json_.refuse("dtype, shape or data_offsets", "'" + name + "'");
      if (std::exchange(*has, true)) refuse_repeated(name);
      if (has == &has_dtype) read_dtype(entry);
      if (has == &has_shape) read_shape(entry);
      if (has == &has_offsets) read_offsets(entry);
    });
    if (!has_dtype) json_.refuse("a dtype", "none");
    if (!has_shape) json_.refuse("a shape", "none");
    if (!has_offsets) json_.refuse("data_offsets", "none");
  }

  void read_dtype(Entry& entry) {
    std::string const name = json_.string();
    entry.dtype = stored_dtype_named(name);
    if (!entry.dtype) json_.refuse("a dtype of safetensors", "'" + name + "'");
  }

  void read_shape(Entry& entry) {
    json_.array([&] {
      std::int64_t const size = json_.number();
      if (size > largest_size) json_.refuse("a size of at most 2^53", std::to_string(size));
      if (entry.sizes.size() == most_axes) json_.refuse("at most 64 axes", "more");
      entry.sizes.push_back(size);
    });
  }

  void read_offsets(Entry& entry) {
    json_.expect('[');
    entry.begin = static_cast<std::uint64_t>(json_.number());
    json_.expect(',');
    entry.end = static_cast<std::uint64_t>(json_.number());
    json_.expect(']');
  }

  [[noreturn]] void refuse_repeated(std::string const& name) {
    json_.refuse("every name once", "'" + name + "' again");
  }

  json::Reader json_;
  Header header_;
};

}  // namespace safetensors
}  // namespace tenon
#endif

// ---- tenon/io/safetensors/leaf.hpp

#ifndef TENON_IO_SAFETENSORS_LEAF_HPP
#define TENON_IO_SAFETENSORS_LEAF_HPP

namespace tenon::safetensors {

/// A tensor, a number, or a key: what a file can hold.
template <class Leaf>
inline constexpr bool is_storable = StorableType<Leaf> || tree::is_key<Leaf>;
template <class T, Spec S, class D>
inline constexpr bool is_storable<Tensor<T, S, D>> = StorableType<T>;

template <class Tree>
constexpr void check_tree() {
  static_assert(!Expression<Tree> || is_tensor<Tree>,
                "tenon::safetensors: a recipe is not stored; evaluate it first, with eval");
  static_assert(tree::node_of<tree::Stored, Tree> != tree::Node::passed || Expression<Tree>,
                "tenon::safetensors: there is neither a tensor nor a number in this type");
}

template <class Leaf>
constexpr void check_storable() {
  static_assert(is_storable<Leaf>, "tenon::safetensors: a leaf is neither a tensor nor a number");
}

/// How many elements of a file make one of a leaf: the two parts of a complex128, else 1.
template <class T>
inline constexpr std::int64_t parts_of = std::is_same_v<T, std::complex<double>> ? 2 : 1;

/// What stands for a leaf in a file: its dtype there and its axes. A number has none, a key two
/// words. The parts of a complex128 are a last axis.
template <class Leaf>
struct Form {
  using Element = Leaf;
  static Shape shape() { return Shape{}; }
  static Sizes sizes(Leaf const&) { return ones(); }
  static Leaf const* data(Leaf const& leaf) { return &leaf; }
};
template <class T, Spec S, class D>
struct Form<Tensor<T, S, D>> {
  using Element = T;
  static_assert(parts_of<T> == 1 || Tensor<T, S, D>::rank < max_rank,
                "tenon::safetensors: a complex128 has at most 7 axes here, its parts are another");
  static Shape shape() { return Tensor<T, S, D>::shape; }
  static Sizes sizes(Tensor<T, S, D> const& leaf) { return leaf.sizes(); }
  static T const* data(Tensor<T, S, D> const& leaf) { return leaf.data(); }
};
template <>
struct Form<Key> {
  using Element = std::uint32_t;
  static Shape shape() {
    Shape words{};
    words[words.rank++] = axis_of_size(2);
    return words;
  }
  static Sizes sizes(Key const&) { return {2, 1, 1, 1, 1, 1, 1, 1}; }
  static Element const* data(Key const& key) { return key.words().data(); }
};

template <class Leaf>
constexpr StoredDtype const& dtype_in_file() {
  return stored_dtype<typename Form<Leaf>::Element>();
}

/// The axes of a leaf in a file, as its type knows them.
template <class Leaf>
Shape shape_in_file() {
  constexpr std::int64_t parts = parts_of<typename Form<Leaf>::Element>;
  Shape result = Form<Leaf>::shape();
  if (parts > 1) result[result.rank++] = axis_of_size(parts);
  return result;
}

/// The sizes of these axes.
template <class Leaf>
std::vector<std::int64_t> sizes_in_file(Leaf const& leaf) {
  constexpr std::int64_t parts = parts_of<typename Form<Leaf>::Element>;
  Sizes const sizes = Form<Leaf>::sizes(leaf);
  std::vector<std::int64_t> result(sizes.begin(), sizes.begin() + Form<Leaf>::shape().rank);
  if (parts > 1) result.push_back(parts);
  return result;
}

template <class Leaf>
std::size_t bytes_in_file(Leaf const& leaf) {
  auto const elements = count(Form<Leaf>::sizes(leaf), Form<Leaf>::shape().rank);
  return static_cast<std::size_t>(elements) * sizeof(typename Form<Leaf>::Element);
}

/// The name of a leaf in a file: its path, `value` where the tree is but a leaf.
inline std::string entry_name(tree::Path const& path) {
  std::string const name = path.text();
  return name.empty() ? "value" : name;
}

/// The key under which the metadata hold the axes of an entry.
inline constexpr std::string_view spec_key = "tenon.spec.";

inline std::string quoted_spec(std::string_view dtype, std::string_view spec) {
  return std::string(dtype).append(" \"").append(spec).append("\"");
}

}  // namespace tenon::safetensors
#endif

// ---- tenon/io/safetensors/axes.hpp

#ifndef TENON_IO_SAFETENSORS_AXES_HPP
#define TENON_IO_SAFETENSORS_AXES_HPP

namespace tenon::safetensors {

/// The names in a spec, "" for an axis without. Read here and not by `parse`, which is for the
/// specs of programs: a file may hold any text at all.
inline std::vector<std::string_view> names_in(std::string_view spec) {
  std::vector<std::string_view> names;
  while (names.size() <= max_rank) {
    std::string_view const word = next_word(spec);
    if (word.empty()) break;
    std::string_view const name = word.substr(0, word.find('='));
    bool const is_known = is_name(name) && name[0] != '_' && name.size() <= FixedText::capacity;
    names.push_back(is_known ? name : "");
  }
  return names;
}

/// The names of the axes of an entry that its file knows: the metadata hold a spec of as many axes.
/// (Sizes are those of the entry: other programs may change a tensor and copy the metadata.)
inline std::vector<std::string_view> axis_names(Header const& header, std::string_view name,
                                                std::size_t rank) {
  std::vector<std::string_view> none(rank, "");
  auto const note = header.metadata.find(std::string(spec_key).append(name));
  if (note == header.metadata.end()) return none;
  auto names = names_in(note->second);
  return names.size() == rank ? names : none;
}

/// The axes of an entry of at most eight: its sizes, and the names that are known.
inline Shape axes_of(Header const& header, std::string_view name, Entry const& entry) {
  auto const names = axis_names(header, name, entry.sizes.size());
  Shape result{};
  for (std::size_t i = 0; i < names.size(); ++i) {
    result[result.rank++] = named_axis(names[i], entry.sizes[i]);
  }
  return result;
}

/// An entry in messages: `float32 "in=512 out=10"`.
inline std::string described(Header const& header, std::string_view name, Entry const& entry) {
  auto const dtype = entry.dtype->dtype.empty() ? entry.dtype->name : entry.dtype->dtype;
  if (entry.sizes.size() <= max_rank) {
    return quoted_spec(dtype, format(axes_of(header, name, entry)).view());
  }
  std::string spec;
  for (std::int64_t const size : entry.sizes) {
    spec.append(spec.empty() ? "" : " ").append(std::to_string(size));
  }
  return quoted_spec(dtype, spec);
}

/// Run-time sizes of an entry of at most eight axes.
inline Sizes sizes_of(Entry const& entry) {
  Sizes sizes = ones();
  for (std::size_t i = 0; i < entry.sizes.size(); ++i) sizes[i] = entry.sizes[i];
  return sizes;
}

/// Can an entry be kept in axes? Names and static sizes agree, run-time sizes are within bounds and
/// what expressions say.
inline bool fits(Shape const& wanted, Shape const& axes, Sizes const& sizes) {
  return assignable(wanted, axes) && misfit_of(wanted, sizes) < 0;
}

}  // namespace tenon::safetensors
#endif

// ---- tenon/io/file.hpp

#ifndef TENON_IO_FILE_HPP
#define TENON_IO_FILE_HPP

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

namespace tenon {

/// What the system says of an error number.
inline std::string system_words(int number) { return std::generic_category().message(number); }

/// A file descriptor that is closed at the end of its life.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor const&) = delete;
  Descriptor& operator=(Descriptor const&) = delete;
  ~Descriptor() { close(); }

  /// False where the system reports that what was written is lost.
  bool close() {
    int const number = std::exchange(number_, -1);
    return number < 0 || ::close(number) == 0;
  }
  explicit operator bool() const { return number_ >= 0; }
  int operator*() const { return number_; }

 private:
  int number_;
};

/// At most so many bytes in one call: macOS refuses more than 2^31 - 1.
inline constexpr std::size_t most_bytes_a_call = std::size_t{1} << 30;

/// Calls transfer(bytes done, bytes to do now) until all is done; 0 or the error number. (A call
/// that does nothing is a file that ends: EIO.)
template <class F>
int transfer_all(std::size_t bytes, F&& transfer) {
  for (std::size_t done = 0; done < bytes;) {
    std::size_t const left = bytes - done;
    auto const now = transfer(done, left < most_bytes_a_call ? left : most_bytes_a_call);
    if (now < 0 && errno == EINTR) continue;
    if (now <= 0) return now < 0 ? errno : EIO;
    done += static_cast<std::size_t>(now);
  }
  return 0;
}

/// A file to be read at any position. Throws `FileError`.
class InputFile {
 public:
  explicit InputFile(std::filesystem::path const& path)
      : name_(path.string()), file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    struct stat status {};
    if (!file_ || ::fstat(*file_, &status) != 0)
      refuse("a file that can be read", system_words(errno));
    if (S_ISDIR(status.st_mode)) refuse("a file", "a directory");
    if (!S_ISREG(status.st_mode)) refuse("a file", "a device or a pipe");
    size_ = static_cast<std::uint64_t>(status.st_size);
  }

  std::string const& name() const { return name_; }
  std::uint64_t size() const { return size_; }

  /// Fills `to` with the bytes from `offset` on, which the file has had.
  void read(std::uint64_t offset, void* to, std::size_t bytes) const {
    int const error = transfer_all(bytes, [&](std::size_t done, std::size_t now) {
      return ::pread(*file_, static_cast<std::byte*>(to) + done, now,
                     static_cast<off_t>(offset + done));
    });
    if (error != 0) refuse("a file that can be read to its end", system_words(error));
  }

 private:
  [[noreturn]] void refuse(std::string const& expected, std::string const& got) const {
    fail<FileError>({.who = "load", .expected = expected, .got = got, .where = name_});
  }

  std::string name_;
  Descriptor file_;
  std::uint64_t size_ = 0;
};

}  // namespace tenon
#endif

// ---- tenon/io/safetensors/layout.hpp

#ifndef TENON_IO_SAFETENSORS_LAYOUT_HPP
#define TENON_IO_SAFETENSORS_LAYOUT_HPP

#include <algorithm>

namespace tenon::safetensors {

/// The bytes that an entry's sizes and dtype call for, or none where they are too many.
inline std::pair<std::uint64_t, bool> bytes_of(Entry const& entry) {
  std::uint64_t product = static_cast<std::uint64_t>(entry.dtype->bits);
  bool fits = true, is_empty = false;
  for (std::int64_t const size : entry.sizes) {
    is_empty = is_empty || size == 0;
    auto const factor = static_cast<std::uint64_t>(size == 0 ? 1 : size);
    fits = !__builtin_mul_overflow(product, factor, &product) && fits;
  }
  fits = fits && product % 8 == 0 && product <= std::uint64_t{1} << 63;
  return {is_empty ? 0 : product / 8, fits};
}

/// Checks that the tensors fill the data one after the other: no hole, no overlap, nothing beyond,
/// and each as large as its shape says. Throws `FileError`.
class LayoutCheck {
 public:
  LayoutCheck(Header const& header, std::string_view where, std::uint64_t data_bytes)
      : where_(where), data_bytes_(data_bytes) {
    for (auto const& named : header.entries) order_.push_back(&named);
    std::ranges::sort(order_, {}, [](auto const* named) {
      return std::pair(named->second.begin, named->second.end);
    });
  }

  void run() const {
    std::uint64_t end = 0;
    for (auto const* named : order_) {
      check(named->first, named->second, end);
      end = named->second.end;
    }
    if (end != data_bytes_)
      refuse({}, bytes(end) + " of data, as the header says", bytes(data_bytes_));
  }

 private:
  void check(std::string const& name, Entry const& entry, std::uint64_t start) const {
    auto const offsets = std::to_string(entry.begin) + ".." + std::to_string(entry.end);
    if (entry.end < entry.begin) refuse(name, "offsets in order", offsets);
    if (entry.begin != start) refuse(name, "offsets from " + std::to_string(start), offsets);
    if (entry.end > data_bytes_)
      refuse(name, "offsets up to " + std::to_string(data_bytes_), offsets);
    auto const [wanted, fits] = bytes_of(entry);
    if (!fits) refuse(name, "a shape of whole bytes, less than 2^60 of them", "another");
    if (entry.end - entry.begin != wanted) {
      refuse(name, bytes(wanted) + " for its shape", bytes(entry.end - entry.begin));
    }
  }

  static std::string bytes(std::uint64_t number) { return std::to_string(number) + " bytes"; }

  [[noreturn]] void refuse(std::string_view name, std::string const& expected,
                           std::string const& got) const {
    fail<FileError>({"load", name, expected, got, where_});
  }

  std::string where_;
  std::uint64_t data_bytes_;
  std::vector<std::pair<std::string const, Entry> const*> order_{};
};

}  // namespace tenon::safetensors
#endif

// ---- tenon/io/safetensors/contents.hpp

#ifndef TENON_IO_SAFETENSORS_CONTENTS_HPP
#define TENON_IO_SAFETENSORS_CONTENTS_HPP

namespace tenon::safetensors {

/// The length of the header, which the first eight bytes of a file say. Throws `FileError`.
inline std::uint64_t read_header_length(InputFile const& file) {
  auto const refuse = [&](std::string const& expected, std::uint64_t got) {
    fail<FileError>({"load", {}, expected, std::to_string(got) + " bytes", file.name()});
  };
  if (file.size() < 8) refuse("a safetensors file, of at least 8 bytes", file.size());
  unsigned char bytes[8];
  file.read(0, bytes, sizeof bytes);
  std::uint64_t length = 0;
  for (int i = 7; i >= 0; --i) length = length << 8 | bytes[i];
  if (length > most_header_bytes) refuse("a header of at most 100000000 bytes", length);
  std::uint64_t const rest = file.size() - 8;
  if (length > rest)
    refuse("a header of at most " + std::to_string(rest) + " bytes, the rest of the file", length);
  return length;
}

/// Reads and checks all of a file but the elements of its tensors. Throws `FileError`.
inline Header read_header(InputFile const& file) {
  std::uint64_t const length = read_header_length(file);
  std::string text(static_cast<std::size_t>(length), '\0');
  file.read(8, text.data(), text.size());
  if (!is_utf8(text)) {
    std::string const at = ", byte " + std::to_string(utf8_end(text)) + " of the header";
    fail<FileError>({"load", {}, "a header of UTF-8", "other bytes", file.name() + at});
  }
  Header header = HeaderReader(text, file.name()).read();
  header.data_at = 8 + length;
  LayoutCheck(header, file.name(), file.size() - header.data_at).run();
  return header;
}

}  // namespace tenon::safetensors
#endif

// ---- tenon/io/safetensors/grow.hpp

#ifndef TENON_IO_SAFETENSORS_GROW_HPP
#define TENON_IO_SAFETENSORS_GROW_HPP

#include <concepts>
#include <tuple>

namespace tenon::safetensors {

/// Gives a default-constructed tree the structure that the names in a file call for: an empty
/// vector as many elements as stand there one after the other (`blocks.0`, `blocks.1`), an empty
/// optional a value if there is something below its name. What is not empty stays.
class Grower {
 public:
  explicit Grower(Header const& header) : header_(header) {}

  template <class Part>
  void grow(std::string const& name, Part& part) const {
    using tree::Node;
    constexpr Node node = tree::node_of<tree::Stored, Part>;
    if constexpr (node == Node::frozen) {
      grow(name, part.value);
    } else if constexpr (node == Node::record) {
      grow_parts<Part>(std::make_index_sequence<std::tuple_size_v<tree::Parts<Part>>>(), name,
                       part);
    } else if constexpr (node == Node::array) {
      grow_elements(name, part);
    } else if constexpr (node == Node::vector) {
      add_elements(name, part);
      grow_elements(name, part);
    } else if constexpr (node == Node::optional) {
      add_value(name, part);
      if (part) grow(name, *part);
    }
  }
  template <class Part>
  void grow(std::string const&, Part const&) const {}  // a constant field stays as it is

 private:
  template <class Record, std::size_t... i>
  void grow_parts(std::index_sequence<i...>, std::string const& name, Record& record) const {
    (grow(below(name, part_name<Record, i>()), std::get<i>(tree::parts(record))), ...);
  }

  template <class Record, std::size_t i>
  static std::string part_name() {
    std::string const name(tree::part_name<Record, i>());
    return name.empty() ? std::to_string(i) : name;
  }

  template <class Elements>
  void grow_elements(std::string const& name, Elements& elements) const {
    for (std::size_t i = 0; i < elements.size(); ++i)
      grow(below(name, std::to_string(i)), elements[i]);
  }

  template <class Vector>
  void add_elements(std::string const& name, Vector& vector) const {
    if constexpr (std::default_initializable<typename Vector::value_type>) {
      if (!vector.empty()) return;
      while (has(below(name, std::to_string(vector.size())))) vector.emplace_back();
    }
  }

  template <class Optional>
  void add_value(std::string const& name, Optional& optional) const {
    if constexpr (std::default_initializable<typename Optional::value_type>) {
      if (!optional && has(name)) optional.emplace();
    }
  }

  static std::string below(std::string const& name, std::string const& part) {
    return name.empty() ? part : name + "." + part;
  }

  /// Is there an entry of that name, or below it?
  bool has(std::string const& name) const {
    auto const& entries = header_.entries;
    if (entries.contains(name)) return true;
    auto const next = entries.lower_bound(name + ".");
    return next != entries.end() && next->first.starts_with(name + ".");
  }

  Header const& header_;
};

}  // namespace tenon::safetensors
#endif

// ---- tenon/io/safetensors/load.hpp

#ifndef TENON_IO_SAFETENSORS_LOAD_HPP
#define TENON_IO_SAFETENSORS_LOAD_HPP

#include <bit>

namespace tenon {

/// What `load` lets pass.
struct LoadOptions {
  bool ignore_extra = false;       ///< Tensors in the file that the tree has no place for.
  bool keep_missing = false;       ///< Leaves that the file lacks: they keep their values.
  bool ignore_axis_names = false;  ///< Names of axes in the file that are not those of the tree.
};

namespace safetensors {

static_assert(std::endian::native == std::endian::little,
              "tenon::safetensors: files hold little-endian numbers, and so must the machine");

/// Reads the leaves of trees from one file.
class TreeReader {
 public:
  TreeReader(InputFile const& file, Header const& header, LoadOptions options)
      : file_(file), header_(header), options_(options) {}

  /// The tree with the elements of the file. All is checked before any is read.
  template <class Tree>
  Tree read(Tree const& prototype) const {
    check_tree<Tree>();
    check(prototype);
    return tree::map<tree::Stored>(
        [&]<class Leaf>(tree::Path const& path, Leaf const& leaf) -> Leaf {
          if constexpr (is_storable<Leaf>) return read_leaf(entry_name(path), leaf);
          else return leaf;
        },
        prototype);
  }

 private:
  /// Every leaf has an entry that fits, and every entry a leaf.
  template <class Tree>
  void check(Tree const& prototype) const {
    std::vector<std::string> found;
    tree::for_each<tree::Stored>(
        [&]<class Leaf>(tree::Path const& path, Leaf const&) {
          check_storable<Leaf>();
          if constexpr (is_storable<Leaf>) {
            std::string name = entry_name(path);
            bool const has = check_leaf(name, dtype_in_file<Leaf>(), shape_in_file<Leaf>());
            if (has) found.push_back(std::move(name));
          }
        },
        prototype);
    if (!options_.ignore_extra) check_extra(std::move(found));
  }

  /// Has the file a leaf? One that does not fit is an error.
  bool check_leaf(std::string const& name, StoredDtype const& dtype, Shape const& shape) const {
    auto const found = header_.entries.find(name);
    if (found == header_.entries.end()) {
      if (options_.keep_missing) return false;
      fail<FileError>(
          {"load", name, in_tree(dtype, shape), "no tensor of that name", file_.name()});
    }
    Entry const& entry = found->second;
    if (entry.dtype != &dtype) refuse<FileError>(name, entry, dtype, shape);
    if (!has_axes(name, entry, shape)) refuse<ShapeError>(name, entry, dtype, shape);
    return true;
  }

  bool has_axes(std::string const& name, Entry const& entry, Shape const& shape) const {
    if (entry.sizes.size() > max_rank) return false;
    Shape axes = axes_of(header_, name, entry);
    for (int i = 0; options_.ignore_axis_names && i < axes.rank; ++i) axes[i].name = FixedText();
    return fits(shape, axes, sizes_of(entry));
  }

  void check_extra(std::vector<std::string> found) const {
    if (found.size() == header_.entries.size()) return;
    std::ranges::sort(found);
    for (auto const& [name, entry] : header_.entries) {
      if (std::ranges::binary_search(found, name)) continue;
      std::string const got = described(header_, name, entry);
      fail<FileError>({"load", name, "no tensor of that name", got, file_.name()});
    }
  }

  static std::string in_tree(StoredDtype const& dtype, Shape const& shape) {
    return quoted_spec(dtype.dtype, format(shape).view());
  }

  template <class Exception>
  [[noreturn]] void refuse(std::string const& name, Entry const& entry, StoredDtype const& dtype,
                           Shape const& shape) const {
    std::string const got = described(header_, name, entry);
    fail<Exception>({"load", name, in_tree(dtype, shape), got, file_.name()});
  }

  template <class Leaf>
  Leaf read_leaf(std::string const& name, Leaf const& before) const {
    auto const found = header_.entries.find(name);
    if (found == header_.entries.end()) return before;
    Entry const& entry = found->second;
    if constexpr (is_tensor<Leaf>) {
      Leaf leaf = Leaf::uninitialised(leaf_sizes<Leaf>(entry));
      leaf.set_elements([&](auto* to) { read_elements(name, entry, to); });
      return leaf;
    } else if constexpr (tree::is_key<Leaf>) {
      op::PhiloxKey words{};
      read_elements(name, entry, words.data());
      return Key(words);
    } else {
      Leaf leaf{};
      read_elements(name, entry, &leaf);
      return leaf;
    }
  }

  /// Without the axis of the parts of a complex128.
  template <class Leaf>
  static Sizes leaf_sizes(Entry const& entry) {
    Sizes sizes = sizes_of(entry);
    std::fill(sizes.begin() + Leaf::rank, sizes.end(), 1);
    return sizes;
  }

  template <class T>
  void read_elements(std::string const& name, Entry const& entry, T* to) const {
    auto const bytes = static_cast<std::size_t>(entry.end - entry.begin);
    file_.read(header_.data_at + entry.begin, to, bytes);
    if constexpr (std::same_as<T, bool>) check_bools(name, reinterpret_cast<std::byte*>(to), bytes);
  }

  /// Another byte than 0 or 1 is no bool, and to read it as one is undefined.
  void check_bools(std::string const& name, std::byte* bytes, std::size_t count) const {
    for (std::byte const* at = bytes; at != bytes + count; ++at) {
      if (*at <= std::byte{1}) continue;
      std::string const got = "the byte " + std::to_string(std::to_integer<int>(*at));
      fail<FileError>({"load", name, "0 or 1 for a bool", got, file_.name()});
    }
  }

  InputFile const& file_;
  Header const& header_;
  LoadOptions options_;
};

}  // namespace safetensors

/// Loads a tree of a type from a safetensors file, whoever wrote it. Sizes known at run time are
/// those of the file, and vectors and optionals that `Tree()` leaves empty get the elements that
/// the names in the file call for; what the tree has on a device goes there. Checked before
/// anything is read: the file itself, that each leaf of the tree has its entry and each entry its
/// leaf, dtypes, sizes, bounds, and the names of axes if the file has them. Throws `FileError`, or
/// `ShapeError` for axes that do not fit. As `torch.load`.
template <class Tree>
Tree load(std::filesystem::path const& path, LoadOptions options = {}) {
  InputFile const file(path);
  safetensors::Header const header = safetensors::read_header(file);
  Tree prototype{};
  safetensors::Grower(header).grow("", prototype);
  return safetensors::TreeReader(file, header, options).read(prototype);
}

/// The same into the structure of another tree: it says how many elements vectors have and which
/// optionals a value, and what is not in files (texts, say) is copied from it.
template <class Tree>
Tree load(std::filesystem::path const& path, Tree const& prototype, LoadOptions options = {}) {
  InputFile const file(path);
  safetensors::Header const header = safetensors::read_header(file);
  return safetensors::TreeReader(file, header, options).read(prototype);
}

/// The metadata of a safetensors file, without the specs that `save` adds. Throws `FileError`.
inline Metadata load_metadata(std::filesystem::path const& path) {
  Metadata metadata = safetensors::read_header(InputFile(path)).metadata;
  std::erase_if(metadata,
                [](auto const& note) { return note.first.starts_with(safetensors::spec_key); });
  return metadata;
}

/// What a safetensors file holds: names, each with dtype and axes as `float32 "in=784 out=10"`.
/// Axes have names where Tenon wrote the file. Throws `FileError`.
inline std::map<std::string, std::string> load_contents(std::filesystem::path const& path) {
  safetensors::Header const header = safetensors::read_header(InputFile(path));
  std::map<std::string, std::string> contents;
  for (auto const& [name, entry] : header.entries) {
    contents[name] = safetensors::described(header, name, entry);
  }
  return contents;
}

}  // namespace tenon
#endif

// ---- tenon/io/atomic_file.hpp

#ifndef TENON_IO_ATOMIC_FILE_HPP
#define TENON_IO_ATOMIC_FILE_HPP

#include <atomic>
#include <cstdio>

namespace tenon {

/// Waits until what was written is on the disk; 0 or the error number.
inline int synchronise(int descriptor) {
#if defined(F_FULLFSYNC)  // macOS: fsync alone leaves it in the disk's own cache
  if (::fcntl(descriptor, F_FULLFSYNC) == 0) return 0;
#endif
  while (::fsync(descriptor) != 0) {
    if (errno != EINTR) return errno;
  }
  return 0;
}

/// A file that appears whole or not at all: written beside its target as `target.partial-…`, and
/// renamed when all of it is on the disk. Whoever opens the target, also after a power failure,
/// finds the old content or the new. A killed program leaves the partial file behind. Throws
/// `FileError`; the target is then as it was.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path const& path)
      : name_(path.string()), target_(resolved(path)), file_(open_partial()) {}

  ~AtomicFile() {
    if (!committed_) ::unlink(partial_.c_str());
  }
  AtomicFile(AtomicFile const&) = delete;
  AtomicFile& operator=(AtomicFile const&) = delete;

  void write(void const* data, std::size_t bytes) {
    int const error = transfer_all(bytes, [&](std::size_t done, std::size_t now) {
      return ::write(*file_, static_cast<std::byte const*>(data) + done, now);
    });
    check(error);
  }
  void write(std::string_view text) { write(text.data(), text.size()); }

  /// The file takes the place of the target.
  void commit() {
    check(synchronise(*file_));
    if (!file_.close()) check(errno);
    if (std::rename(partial_.c_str(), target_.c_str()) != 0) check(errno);
    committed_ = true;
    synchronise_folder();
  }

 private:
  /// A symbolic link stays one: the file it names is replaced.
  static std::filesystem::path resolved(std::filesystem::path const& path) {
    std::error_code error;
    auto const real = std::filesystem::weakly_canonical(path, error);
    return error ? path : real;
  }

  /// Named after the process, so that two that save at once do not meet.
  int open_partial() {
    static std::atomic<unsigned> serial{0};
    check_target();
    while (true) {
      partial_ = target_;
      partial_ += ".partial-" + std::to_string(::getpid()) + "-" + std::to_string(serial++);
      int const file = ::open(partial_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (file >= 0) return file;
      if (errno != EEXIST && errno != EINTR) check(errno);
    }
  }

  /// Renaming would put a file in the place of a device.
  void check_target() const {
    std::error_code error;
    auto const type = std::filesystem::status(target_, error).type();
    if (type == std::filesystem::file_type::directory) check(EISDIR);
    if (std::filesystem::exists(target_, error) && type != std::filesystem::file_type::regular) {
      fail<FileError>({"save", {}, "the name of a file", "that of a device or a pipe", name_});
    }
  }

  /// The new name, too, is to survive a power failure. (EINVAL: a file system without this.)
  void synchronise_folder() {
    auto const folder = target_.has_parent_path() ? target_.parent_path() : ".";
    Descriptor const file(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    int const error = file ? synchronise(*file) : errno;
    if (error != EINVAL && error != EACCES) check(error);
  }

  void check(int error) const {
    if (error == 0) return;
    std::string const got = system_words(error);
    fail<FileError>(
        {.who = "save", .expected = "a file that can be written", .got = got, .where = name_});
  }

  std::string name_;
  std::filesystem::path target_, partial_;
  Descriptor file_;
  bool committed_ = false;
};

}  // namespace tenon
#endif

// ---- tenon/io/safetensors/save.hpp

#ifndef TENON_IO_SAFETENSORS_SAVE_HPP
#define TENON_IO_SAFETENSORS_SAVE_HPP

namespace tenon {

namespace safetensors {

static_assert(std::endian::native == std::endian::little,
              "tenon::safetensors: files hold little-endian numbers, and so must the machine");

/// A leaf on its way to a file.
struct Item {
  std::string name;
  StoredDtype const* dtype;
  std::vector<std::int64_t> sizes;
  void const* data;
  std::size_t bytes;
  void (*bring)(void* to, void const* from, std::size_t bytes);  ///< From a device; null: is here.
};

/// How the elements of a leaf come to the host.
template <class Leaf>
constexpr auto bringer_of() -> decltype(Item::bring) {
  return nullptr;
}
template <TensorType Leaf>
  requires DistantDevice<typename Leaf::device>
constexpr auto bringer_of() -> decltype(Item::bring) {
  return [](void* to, void const* from, std::size_t bytes) {
    Leaf::device::copy_out(to, from, bytes);
  };
}

/// The leaves of a tree, largest elements first, so that each stands at a multiple of its size;
/// their specs go to the metadata.
template <class Tree>
std::vector<Item> items_of(Tree const& tree, Metadata& metadata) {
  std::vector<Item> items;
  tree::for_each<tree::Stored>(
      [&]<class Leaf>(tree::Path const& path, Leaf const& leaf) {
        check_storable<Leaf>();
        if constexpr (is_storable<Leaf>) {
          std::string name = entry_name(path);
          auto const spec = format(shape_in_file<Leaf>());
          if (spec.length > 0) metadata[std::string(spec_key) + name] = spec.view();
          items.push_back({std::move(name), &dtype_in_file<Leaf>(), sizes_in_file(leaf),
                           Form<Leaf>::data(leaf), bytes_in_file(leaf), bringer_of<Leaf>()});
        }
      },
      tree);
  std::ranges::stable_sort(items, std::ranges::greater{},
                           [](Item const& i) { return i.dtype->bits; });
  return items;
}

/// What is on a device is brought here one tensor at a time.
inline void write_item(AtomicFile& file, Item const& item) {
  if (item.bring == nullptr || item.bytes == 0) return file.write(item.data, item.bytes);
  std::vector<std::byte> elements(item.bytes);
  item.bring(elements.data(), item.data, item.bytes);
  file.write(elements.data(), elements.size());
}

/// What the file is to say of itself must be text, and leave Tenon's own names alone.
inline void check_metadata(Metadata const& metadata, std::string const& where) {
  for (auto const& [name, text] : metadata) {
    if (!is_utf8(name))
      fail<ValueError>({"save", "metadata", "names of UTF-8", "other bytes", where});
    if (!is_utf8(text)) fail<ValueError>({"save", name, "a text of UTF-8", "other bytes", where});
    if (name.starts_with(spec_key)) {
      fail<ValueError>(
          {"save", name, "a name that Tenon does not use itself", "tenon.spec", where});
    }
  }
}

inline std::string metadata_text(Metadata const& metadata) {
  std::string text;
  for (auto const& [name, value] : metadata) {
    text.append(text.empty() ? "" : ",").append(json::quoted(name) + ":" + json::quoted(value));
  }
  return json::quoted(metadata_name) + ":{" + text + "}";
}

inline std::string entry_text(Item const& item, std::uint64_t begin) {
  std::string sizes;
  for (std::int64_t const size : item.sizes) {
    sizes.append(sizes.empty() ? "" : ",").append(std::to_string(size));
  }
  return json::quoted(item.name) + ":{\"dtype\":" + json::quoted(item.dtype->name) +
         ",\"shape\":[" + sizes + "],\"data_offsets\":[" + std::to_string(begin) + "," +
         std::to_string(begin + item.bytes) + "]}";
}

/// All that stands before the data: the length of the header and the header, padded to 8 bytes.
inline std::string head_of(std::vector<Item> const& items, Metadata const& metadata) {
  std::string text = metadata.empty() ? "" : metadata_text(metadata);
  std::uint64_t begin = 0;
  for (Item const& item : items) {
    text.append(text.empty() ? "" : ",").append(entry_text(item, begin));
    begin += item.bytes;
  }
  text = "{" + text + "}";
  text.append((8 - text.size() % 8) % 8, ' ');
  std::string length;
  for (int i = 0; i < 64; i += 8) length += static_cast<char>(text.size() >> i & 255u);
  return length + text;
}

/// What a reader would refuse is not written.
inline void check_items(std::vector<Item> const& items, std::size_t head,
                        std::string const& where) {
  for (Item const& item : items) {
    if (item.name == metadata_name) {
      fail<ValueError>(
          {"save", item.name, "a field of another name", "the name of the metadata", where});
    }
  }
  if (head > most_header_bytes) {
    std::string const got = std::to_string(head) + " bytes";
    fail<FileError>({"save", {}, "a header of at most 100000000 bytes", got, where});
  }
}

}  // namespace safetensors

/// Saves a tree (a model: a plain struct of tensors, nested; a tensor) as a safetensors file that
/// PyTorch, JAX and NumPy read. Entries are named by their paths, `blocks.0.query.weight`; numbers
/// are tensors without axes, a `Key` two words; `Frozen` parts are stored too. Of the device of a
/// tensor the file says nothing. Specs go to the metadata, as `tenon.spec.<path>`, beside those
/// given. The file appears whole or not at all, also when power fails. Throws `FileError`, and
/// `ValueError` for metadata that are not UTF-8. As `torch.save`.
template <class Tree>
void save(std::filesystem::path const& path, Tree const& tree, Metadata metadata = {}) {
  safetensors::check_tree<Tree>();
  std::string const where = path.string();
  safetensors::check_metadata(metadata, where);
  auto const items = safetensors::items_of(tree, metadata);
  std::string const head = safetensors::head_of(items, metadata);
  safetensors::check_items(items, head.size(), where);
  AtomicFile file(path);
  file.write(head);
  for (safetensors::Item const& item : items) safetensors::write_item(file, item);
  file.commit();
}

}  // namespace tenon
#endif

// ---- tenon/io/safetensors.hpp

// Trees of tensors in safetensors files: `save`, `load`, `load_metadata`.
// The format: https://github.com/huggingface/safetensors#format

