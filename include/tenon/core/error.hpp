#pragma once

#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>

#include <tenon/core/config.hpp>
#include <tenon/core/language/writer.hpp>

namespace tenon {

/// The base class of all exceptions of the library.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A run-time size that its axis does not allow. PyTorch: `RuntimeError`. NumPy: `ValueError`.
struct ShapeError : Error {
  using Error::Error;
};

/// An index or a label out of range. PyTorch, NumPy: `IndexError`.
struct IndexError : Error {
  using Error::Error;
};

/// A value that its argument does not allow. PyTorch, NumPy: `ValueError`.
struct ValueError : Error {
  using Error::Error;
};

/// A file or a stream that cannot be read or written, or has invalid contents. Python: `OSError`.
struct FileError : Error {
  using Error::Error;
};

/// A device that is not available, is lost, is out of memory or rejects a kernel.
struct DeviceError : Error {
  using Error::Error;
};

}  // namespace tenon

namespace tenon::internal {

/// The parts of a message, one after the other, and a number as text. (The operations of
/// `std::string` are inline: where a message used them, each file would compile them.)
[[gnu::cold]] std::string concatenate(std::initializer_list<std::string_view> parts);
[[gnu::cold]] std::string decimal(std::int64_t number);

/// The text with control characters (C0, DEL and C1 of UTF-8) escaped, `\x1b`: a name from a file
/// cannot send control sequences to the terminal that shows a message.
[[gnu::cold]] std::string escaped(std::string_view text);

/// The parts of a message; empty parts are left out. Control characters in `what` and `where`,
/// names of leaves and files, are escaped.
struct ErrorReport {
  std::string_view who{};
  std::string_view what{};
  std::string_view expected{};
  std::string_view got{};
  std::string_view where{};
};

/// The one form of messages: `tenon::who: 'what': expected X, got Y (where)`. (Error paths are
/// cold: compilers then optimise them for size.)
[[gnu::cold]] std::string message(ErrorReport const& report);

/// Throws an exception of type `Exception` with the message of the report.
template <class Exception = Error>
[[noreturn, gnu::cold, gnu::noinline]] void fail(ErrorReport const& report) {
  throw Exception(message(report));
}

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME

namespace tenon::internal {

[[gnu::cold, gnu::noinline]] TENON_RUNTIME std::string concatenate(
    std::initializer_list<std::string_view> parts) {
  std::string all;
  for (std::string_view const part : parts) all.append(part);
  return all;
}

[[gnu::cold, gnu::noinline]] TENON_RUNTIME std::string decimal(std::int64_t number) {
  TextWriter<20> text;
  text << number;
  return concatenate({text.view()});
}

[[gnu::cold, gnu::noinline]] TENON_RUNTIME std::string escaped(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    auto const byte = static_cast<unsigned char>(text[i]);
    auto const next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
    bool const begins_c1 = byte == 0xc2 && next >= 0x80 && next < 0xa0;
    bool const ends_c1 = i > 0 && text[i - 1] == '\xc2' && byte >= 0x80 && byte < 0xa0;
    if (byte >= 0x20 && byte != 0x7f && !begins_c1 && !ends_c1) result += text[i];
    else result.append("\\x").append({digits[byte >> 4], digits[byte & 15u]});
  }
  return result;
}

[[gnu::cold, gnu::noinline]] TENON_RUNTIME std::string message(ErrorReport const& report) {
  std::string all;
  auto const add = [&](std::string_view before, std::string_view text, std::string_view after) {
    if (!text.empty()) all = concatenate({all, before, text, after});
  };
  add("tenon::", report.who, ": ");
  add("'", escaped(report.what), "': ");
  add("expected ", report.expected, report.got.empty() ? "" : ", ");
  add("got ", report.got, "");
  add(" (", escaped(report.where), ")");
  return all;
}

}  // namespace tenon::internal

#endif
