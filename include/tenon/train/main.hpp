#pragma once

#include <exception>
#include <string_view>
#include <type_traits>

#include <tenon/core/call.hpp>
#include <tenon/core/config.hpp>

namespace tenon::internal::training {

/// Writes the exception that is handled as one line on the standard error stream: the name of the
/// program and what happened. Returns the exit code: 2 for a `ConfigError`, else 1.
int report_exception(std::string_view program);

/// The exit code of a program that did not finish: that of the signal that stopped it, as a shell
/// reports it, else 1.
int code_of_stop();

/// Forgets signals that were recorded before, unless a `StopRequest` exists.
void forget_signals();

/// The body of a program: `int main(int argc, char** argv) { return training::main(argc, argv, f);
/// }`. `f(argc, argv)` or `f()` returns an exit code, nothing, or whether it has finished, such as
/// `FitResult::is_complete`: 0, or 128 and the number of the signal that a `StopRequest` recorded.
/// An exception becomes one line on the standard error stream, and the code 1, 2 for a
/// `ConfigError`.
template <class F>
int main(int argc, char** argv, F&& f) try {
  forget_signals();
  auto const call = [&]() -> decltype(auto) {
    if constexpr (CallableWith<F&, int, char**>) return f(argc, argv);
    else return f();
  };
  using Result = std::remove_cvref_t<decltype(call())>;
  if constexpr (std::is_void_v<Result>) return call(), 0;
  else if constexpr (std::is_same_v<Result, bool>) return call() ? 0 : code_of_stop();
  else return static_cast<int>(call());
} catch (...) {
  return report_exception(argc > 0 ? argv[0] : "");
}

}  // namespace tenon::internal::training

namespace tenon::training {

using internal::training::main;

}  // namespace tenon::training

#if TENON_DEFINES_RUNTIME

#include <cstdio>
#include <string>

#include <tenon/core/error.hpp>
#include <tenon/train/config/words.hpp>
#include <tenon/train/stop.hpp>

namespace tenon::internal::training {

/// "program: message", without the folder of the program; control characters are escaped.
inline void write_fault(std::string_view program, std::string_view message) {
  std::string line(program.substr(program.find_last_of("/\\") + 1));
  line.append(line.empty() ? "" : ": ").append(escaped(message)).append("\n");
  std::fwrite(line.data(), 1, line.size(), stderr);
}

TENON_RUNTIME int report_exception(std::string_view program) try {
  throw;
} catch (tenon::training::ConfigError const& error) {
  return write_fault(program, error.what()), 2;
} catch (std::exception const& error) {
  return write_fault(program, error.what()), 1;
} catch (...) {
  return write_fault(program, "an exception that is no std::exception"), 1;
}

TENON_RUNTIME void forget_signals() {
  if (stop_requests == 0) stop_signal = 0;
}

TENON_RUNTIME int code_of_stop() {
  int const signal = stop_signal;
  return signal == 0 ? 1 : 128 + signal;
}

}  // namespace tenon::internal::training

#endif
