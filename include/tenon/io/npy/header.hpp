#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <tenon/core/config.hpp>
#include <tenon/io/file.hpp>
#include <tenon/io/safetensors/dtype.hpp>
#include <tenon/io/safetensors/header.hpp>

namespace tenon::internal::npy {

using safetensors::StoredDtype;

/// The dtypes of Tenon, with NumPy's type strings. NumPy itself has no bfloat16: `<V2`, two bytes
/// without a meaning, is what it writes for that of the package ml_dtypes.
inline constexpr std::array stored_dtypes{
    StoredDtype{"<f4", "float32", 32},      StoredDtype{"<f8", "float64", 64},
    StoredDtype{"<f2", "float16", 16},      StoredDtype{"<V2", "bfloat16", 16},
    StoredDtype{"|i1", "int8", 8},          StoredDtype{"<i2", "int16", 16},
    StoredDtype{"<i4", "int32", 32},        StoredDtype{"<i8", "int64", 64},
    StoredDtype{"|u1", "uint8", 8},         StoredDtype{"<u2", "uint16", 16},
    StoredDtype{"<u4", "uint32", 32},       StoredDtype{"<u8", "uint64", 64},
    StoredDtype{"|b1", "bool", 8},          StoredDtype{"<c8", "complex64", 64},
    StoredDtype{"<c16", "complex128", 128},
};

/// The dtype of a type string, null where Tenon has none. A byte order that means nothing, of one
/// byte, is ignored, as NumPy does: `<i1`, `=u1`.
constexpr StoredDtype const* dtype_of_descr(std::string_view descr) {
  bool const has_order = !descr.empty() && std::string_view("<|=").find(descr[0]) != descr.npos;
  std::string_view const code = descr.substr(has_order ? 1 : 0);
  for (StoredDtype const& known : stored_dtypes) {
    if (known.name.substr(1) != code) continue;
    bool const is_orderless = known.bits == 8 || code == "V2";
    return !has_order || descr[0] != '|' || is_orderless ? &known : nullptr;
  }
  return nullptr;
}

constexpr StoredDtype const* dtype_named(std::string_view dtype) {
  return safetensors::stored_dtype_for(dtype, stored_dtypes);
}

}  // namespace tenon::internal::npy

/// The header of npy files: versions 1.0, 2.0 and 3.0 of the format,
/// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
namespace tenon::internal::npy {

/// The maximum size of a header, as in NumPy.
inline constexpr std::size_t most_header_bytes = 10'000;

struct Header {
  std::string descr{};                 ///< NumPy's description of the dtype, as in the file.
  StoredDtype const* dtype = nullptr;  ///< Null for a dtype that Tenon does not have.
  bool fortran_order = false;
  std::vector<std::int64_t> sizes{};
  std::uint64_t data_at = 0;  ///< The offset of the elements.
};

/// Reads the header, and checks that the rest of the stream is the elements of the array (where
/// Tenon has its dtype). Throws `FileError`.
Header read_header(ByteStream& stream);

/// Throws `FileError` for a dtype that Tenon does not have, with the reason.
void check_dtype(Header const& header, ArrayPlace const& place);

/// The entry of this array in an index. `unknown` is its dtype if Tenon does not have it: it refers
/// to the text in the header.
safetensors::Entry entry_of(Header const& header, StoredDtype& unknown);

/// Everything before the elements, as NumPy writes it.
std::string head_of(StoredDtype const& dtype, std::vector<std::int64_t> const& sizes);

}  // namespace tenon::internal::npy

#if TENON_DEFINES_RUNTIME

#include <algorithm>
#include <utility>

#include <tenon/io/npy/literal.hpp>

namespace tenon::internal::npy {

inline constexpr std::string_view magic = "\x93NUMPY";

/// Reads the dictionary of a header.
class HeaderReader {
 public:
  HeaderReader(std::string_view text, ArrayPlace const& place) : text_(text, place) {}

  Header read() {
    text_.expect('{');
    while (!text_.accept('}')) {
      read_entry();
      if (text_.accept(',')) continue;
      text_.expect('}');
      break;
    }
    text_.end();
    for (auto const& [name, has] : has_)
      if (!has) text_.refuse(std::string(name), "none");
    return std::move(header_);
  }

 private:
  void read_entry() {
    std::string const name = text_.string();
    auto const found = std::ranges::find(has_, name, &std::pair<std::string_view, bool>::first);
    if (found == has_.end()) text_.refuse("descr, fortran_order or shape", "'" + name + "'");
    if (std::exchange(found->second, true)) text_.refuse("every name once", "'" + name + "' again");
    text_.expect(':');
    if (name == "descr") read_descr();
    if (name == "fortran_order") header_.fortran_order = text_.boolean();
    if (name == "shape") read_shape();
  }

  void read_descr() {
    if (text_.is_next('[') || text_.is_next('(')) {
      header_.descr = text_.brackets();
    } else {
      header_.descr = text_.string();
      header_.dtype = dtype_of_descr(header_.descr);
    }
  }

  /// A tuple: that of one number has a comma.
  void read_shape() {
    text_.expect('(');
    while (!text_.accept(')')) {
      if (header_.sizes.size() == safetensors::most_axes) text_.refuse("at most 64 axes", "more");
      header_.sizes.push_back(text_.size());
      if (text_.accept(',')) continue;
      if (header_.sizes.size() == 1) text_.refuse("','");
      if (!text_.accept(')')) text_.refuse("',' or ')'");
      break;
    }
  }

  LiteralReader text_;
  Header header_;
  std::array<std::pair<std::string_view, bool>, 3> has_{
      {{"descr", false}, {"fortran_order", false}, {"shape", false}}};
};

/// Reads the bytes before the dictionary; returns its length. Throws `FileError`.
TENON_RUNTIME std::size_t read_length(ByteStream& stream) {
  auto const refuse = [&](std::string const& expected, std::string const& got) {
    stream.place().refuse(expected, got);
  };
  std::uint64_t const bytes = stream.left();
  if (bytes < 10) refuse("an npy file, of at least 10 bytes", std::to_string(bytes) + " bytes");
  unsigned char start[12];
  stream.read(start, 8);
  std::string_view const word(reinterpret_cast<char const*>(start), magic.size());
  if (word.starts_with("PK")) refuse("an npy file", "an npz file, which npz::load reads");
  if (word != magic) refuse("an npy file", "another");
  if (start[6] < 1 || start[6] > 3 || start[7] != 0)
    refuse("version 1.0, 2.0 or 3.0 of the npy format",
           std::to_string(start[6]) + "." + std::to_string(start[7]));
  std::size_t const width = start[6] == 1 ? 2 : 4;
  if (stream.left() < width) refuse("the length of the header", "the end of the file");
  stream.read(start + 8, width);
  std::size_t length = 0;
  for (std::size_t i = width; i-- > 0;) length = length << 8 | start[8 + i];
  return length;
}

/// Checks that the elements are all that is left.
TENON_RUNTIME void check_size(Header const& header, ByteStream const& stream) {
  if (!header.dtype) return;
  auto const [wanted, fits] = safetensors::bytes_of({.dtype = header.dtype, .sizes = header.sizes});
  if (!fits) stream.place().refuse("a shape of less than 2^60 bytes", "another");
  auto const bytes = [](std::uint64_t number) { return std::to_string(number) + " bytes"; };
  if (wanted != stream.left())
    stream.place().refuse(bytes(wanted) + " of elements for its shape", bytes(stream.left()));
}

TENON_RUNTIME Header read_header(ByteStream& stream) {
  std::uint64_t const whole = stream.left();
  std::size_t const length = read_length(stream);
  std::size_t const most = std::min<std::uint64_t>(most_header_bytes, stream.left());
  if (length > most) {
    std::string const rest = most < most_header_bytes ? ", the rest of the file" : "";
    stream.place().refuse("a header of at most " + std::to_string(most) + " bytes" + rest,
                          std::to_string(length) + " bytes");
  }
  std::string text(length, '\0');
  stream.read(text.data(), text.size());
  Header header = HeaderReader(text, stream.place()).read();
  header.data_at = whole - stream.left();
  check_size(header, stream);
  return header;
}

TENON_RUNTIME void check_dtype(Header const& header, ArrayPlace const& place) {
  if (header.dtype) return;
  std::string const& descr = header.descr;
  if (descr == "|O" || descr == "O")
    place.refuse("an array of numbers", "an object array, which needs pickle");
  if (descr.starts_with("[")) place.refuse("an array of numbers", "a structured dtype");
  if (descr.starts_with("(")) place.refuse("an array of numbers", "a dtype with axes");
  if (descr.starts_with(">")) place.refuse("little-endian", "'" + descr + "'");
  place.refuse("a dtype of Tenon", "'" + descr + "'");
}

TENON_RUNTIME safetensors::Entry entry_of(Header const& header, StoredDtype& unknown) {
  unknown = {header.descr, "", 0};
  return {.dtype = header.dtype ? header.dtype : &unknown, .sizes = header.sizes};
}

/// `(3, 4)`, `(3,)`, `()`.
TENON_RUNTIME std::string tuple_text(std::vector<std::int64_t> const& sizes) {
  std::string text;
  for (std::int64_t const size : sizes)
    text.append(text.empty() ? "" : ", ").append(std::to_string(size));
  return "(" + text.append(sizes.size() == 1 ? ",)" : ")");
}

/// NumPy leaves space for a first axis of 21 digits, so that a file can grow, and aligns elements
/// to 64 bytes.
TENON_RUNTIME std::string head_of(StoredDtype const& dtype,
                                  std::vector<std::int64_t> const& sizes) {
  std::string text = "{'descr': '" + std::string(dtype.name) +
                     "', 'fortran_order': False, 'shape': " + tuple_text(sizes) + ", }";
  if (!sizes.empty()) text.append(21 - std::to_string(sizes[0]).size(), ' ');
  std::size_t const bytes = magic.size() + 4 + text.size() + 1;
  text.append(64 - bytes % 64, ' ').append("\n");
  std::string head(magic);
  head.append({'\x01', '\0', static_cast<char>(text.size() & 255u)});
  return head.append({static_cast<char>(text.size() >> 8)}).append(text);
}

}  // namespace tenon::internal::npy

#endif
