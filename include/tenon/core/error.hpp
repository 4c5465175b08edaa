#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include <tenon/core/config.hpp>

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
#include <tenon/core/error.ipp>
#endif
