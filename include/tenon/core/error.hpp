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

/// A device that is not there, is lost, has no memory left or does not take a kernel.
struct DeviceError : Error {
  using Error::Error;
};

namespace internal {

/// The text with control characters (C0, DEL and C1 of UTF-8) as escapes, `\x1b`: a name that comes
/// from a file does not steer the terminal on which a message is shown.
[[gnu::cold]] std::string escaped(std::string_view text);

}  // namespace internal

/// What a message says; an empty part is left out. Control characters in `what` and `where`, names
/// of leaves and files, are escaped.
struct ErrorReport {
  std::string_view who{};
  std::string_view what{};
  std::string_view expected{};
  std::string_view got{};
  std::string_view where{};
};

/// The one form of messages: `tenon::who: 'what': expected X, got Y (where)`. (What only fails is
/// cold: compilers then make little of it, in every program.)
[[gnu::cold]] std::string message(ErrorReport const& report);

/// Throws an exception of type `Exception` that says what the report says.
template <class Exception = Error>
[[noreturn, gnu::cold, gnu::noinline]] void fail(ErrorReport const& report) {
  throw Exception(message(report));
}

}  // namespace tenon

#if TENON_DEFINES_RUNTIME
#include <tenon/core/error.ipp>
#endif
