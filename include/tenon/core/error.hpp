#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include <tenon/core/config.hpp>

namespace tenon {

/// What every exception of the library derives from.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A size at run time that its axis does not allow.
struct ShapeError : Error {
  using Error::Error;
};

/// An index or a label outside its axis.
struct IndexError : Error {
  using Error::Error;
};

/// A value that its argument does not allow.
struct ValueError : Error {
  using Error::Error;
};

/// A file or a stream that cannot be read or written, or holds something else.
struct FileError : Error {
  using Error::Error;
};

/// What a message says; an empty part is left out.
struct ErrorReport {
  std::string_view who{};
  std::string_view what{};
  std::string_view expected{};
  std::string_view got{};
  std::string_view where{};
};

/// The one form of messages: `tenon::who: 'what': expected X, got Y (where)`.
inline std::string message(ErrorReport const& report) {
  auto const part = [](std::string_view before, std::string_view text, std::string_view after) {
    if (text.empty()) return std::string();
    return std::string(before).append(text).append(after);
  };
  return part("tenon::", report.who, ": ") + part("'", report.what, "': ") +
         part("expected ", report.expected, report.got.empty() ? "" : ", ") +
         part("got ", report.got, "") + part(" (", report.where, ")");
}

/// Throws an exception of type `Exception` that says what the report says.
template <class Exception = Error>
[[noreturn]] void fail(ErrorReport const& report) {
  throw Exception(message(report));
}

}  // namespace tenon
